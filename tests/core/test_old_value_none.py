"""A condition that an attribute is missing tells its old value: there is none to read, to release or to count down."""

import pytest

from designer.core.design.document import Design
from designer.core.design.load import load
from designer.core.plan import STYLES, Operation, Plan, Style
from designer.core.planner import plan
from designer.proof.prove import prove_on
from tests.proven import in_memory

GUILDS = """
keywright: 1
name: Guilds
entities:
  - name: Guild
    identifier: [guildId]
    items: 300
    attributes:
      - {name: guildId, format: ulid}
      - {name: members, type: N, format: integer, digits: 4, aggregate: count of in%s}
      - {name: points, type: N, format: integer, digits: 9, aggregate: sum of in.points%s}
  - name: Player
    identifier: [playerId]
    items: 20000
    attributes:
      - {name: playerId, format: uuid}
      - {name: realm, bytes: 8, distinct: 10}
      - {name: guildId, refers_to: Guild.guildId, present: 0.4, mutable: true}
      - {name: points, type: N, format: integer, digits: 6, mutable: true}
      - {name: ticket, format: uuid, present: 0.4, mutable: true, unique: true}
      - {name: nick, bytes: 10, present: 0.4, mutable: true, unique_within: [realm]}
relationships:
  - {name: in, one: Guild, many: Player, by: guildId, most: 100}
patterns:
%s
"""
CREATES = """
  - {number: 1, name: Found, kind: create, entity: Guild, rate: {average: 0.01}}
  - {number: 2, name: Sign up, kind: create, entity: Player, rate: {average: 0.1}}
"""
WITHOUT = "if: [{attribute: %s, missing: true}]"
UPDATE = (
    CREATES
    + "  - {number: 3, name: Change, kind: update, entity: Player, rate: {average: 1}, %s}\n"
)
DELETE = (
    CREATES + "  - {number: 3, name: Leave, kind: delete, entity: Player, rate: {average: 1}, %s}\n"
)
STREAM = ", kept: by-stream"


def guilds(patterns: str, kept: str = "") -> Design:
    return load(GUILDS % (kept, kept, patterns), name="guilds")


def planned(design: Design, style: Style) -> tuple[Plan, Operation]:
    """The plan and its last operation; all that it says is so."""
    made = plan(design, style)
    verdict = prove_on(in_memory(), design, made)
    assert not verdict.problem
    assert {one.status for one in verdict.patterns} == {"passed"}, verdict.patterns
    return made, made.operations[-1]


def written(operation: Operation) -> list[tuple[str, str]]:
    return [(member.verb, member.shape) for member in operation.steps[-1].members]


def unchanged(operation: Operation) -> list[str]:
    """The attributes that must be as they were read."""
    return [
        test.attribute
        for member in operation.steps[-1].members
        for test in member.if_
        if test.same_as
    ]


@pytest.mark.parametrize("style", STYLES)
def test_a_first_unique_value_puts_its_guard_and_releases_none(style: Style) -> None:
    change = "set: {ticket: {param: t}}, " + WITHOUT % "ticket"
    made, give = planned(guilds(UPDATE % change), style)
    assert [step.call for step in give.steps] == ["TransactWriteItems"]
    assert written(give) == [("update", "Player"), ("put", "PlayerTicketGuard")]
    assert made.operations[-1].steps[0].expects.units == 4  # two items, each at double price


@pytest.mark.parametrize("style", STYLES)
def test_a_scope_that_the_caller_does_not_give_is_still_read(style: Style) -> None:
    change = "set: {nick: {param: n}}, " + WITHOUT % "nick"
    _, give = planned(guilds(UPDATE % change), style)
    assert [step.call for step in give.steps] == ["GetItem", "TransactWriteItems"]
    assert written(give) == [("update", "Player"), ("put", "PlayerNickGuard")]
    assert unchanged(give) == ["realm"]
    _, told = planned(guilds(UPDATE % f"given: [realm], {change}"), style)
    assert [step.call for step in told.steps] == ["TransactWriteItems"]


@pytest.mark.parametrize("style", STYLES)
def test_a_guard_that_is_not_there_is_not_released(style: Style) -> None:
    change = "set: {points: {param: p}}, remove: [ticket], " + WITHOUT % "ticket"
    _, operation = planned(guilds(UPDATE % change), style)
    assert ("delete", "PlayerTicketGuard") not in written(operation)


@pytest.mark.parametrize("style", STYLES)
def test_who_had_no_parent_leaves_none(style: Style) -> None:
    # What a player brings to the guild's sum has to be read, unless the caller knows it.
    change = "set: {guildId: {param: guild}}, given: [points], " + WITHOUT % "guildId"
    _, join = planned(guilds(UPDATE % change), style)
    assert [step.call for step in join.steps] == ["TransactWriteItems"]
    assert written(join) == [("update", "Player"), ("update", "Guild")]
    _, unsure = planned(guilds(UPDATE % "set: {guildId: {param: guild}}"), style)
    assert written(unsure) == [("update", "Player"), ("update", "Guild"), ("update", "Guild")]


@pytest.mark.parametrize("style", STYLES)
def test_who_has_no_parent_counts_for_none(style: Style) -> None:
    _, scored = planned(
        guilds(UPDATE % ("add: {points: {value: 1}}, " + WITHOUT % "guildId")), style
    )
    assert [step.call for step in scored.steps] == ["UpdateItem"]
    both = "[{attribute: guildId, missing: true}, {attribute: ticket, missing: true}, {attribute: nick, missing: true}]"
    _, left = planned(guilds(DELETE % f"if: {both}"), style)
    assert [step.call for step in left.steps] == ["DeleteItem"]


@pytest.mark.parametrize("style", STYLES)
def test_a_stream_counts_no_parent_down_that_was_not_there(style: Style) -> None:
    change = "set: {guildId: {param: guild}}, "
    sure, _ = planned(guilds(UPDATE % (change + WITHOUT % "guildId"), STREAM), style)
    unsure, _ = planned(guilds(UPDATE % change.rstrip(", "), STREAM), style)
    # One update of a guild for each who joins; two where a player may have been in another guild before.
    assert sum(one.usd_per_month or 0 for one in sure.upkeep) < sum(
        one.usd_per_month or 0 for one in unsure.upkeep
    )


@pytest.mark.parametrize("style", STYLES)
def test_another_way_to_be_met_says_nothing_of_the_old_value(style: Style) -> None:
    another = "or: [[{attribute: points, from: {value: 5}}]]"
    change = f"set: {{ticket: {{param: t}}}}, {WITHOUT % 'ticket'}, {another}"
    _, give = planned(guilds(UPDATE % change), style)
    assert [step.call for step in give.steps] == ["GetItem", "TransactWriteItems"]
    assert ("delete", "PlayerTicketGuard") in written(give)


LATER = "present: 0.4, later: true, mutable: true"
JOIN = "set: {guildId: {param: guild}}, given: [points], " + WITHOUT % "guildId"


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("kept", ["", STREAM])
def test_a_new_item_has_no_guard_and_no_parent_of_what_comes_later(kept: str, style: Style) -> None:
    later = GUILDS.replace("present: 0.4, mutable: true", LATER) % (kept, kept, UPDATE % JOIN)
    made, _ = planned(load(later, name="guilds"), style)
    sign_up = made.operations[1]
    (step,) = sign_up.steps
    assert step.call == "PutItem"
    assert step.expects.units == 1
    assert {one.name for one in sign_up.parameters} == {"playerId", "realm", "points"}


@pytest.mark.parametrize("style", STYLES)
def test_what_a_create_itself_sets_is_there_at_once(style: Style) -> None:
    later = GUILDS.replace("present: 0.4, mutable: true", LATER) % ("", "", UPDATE % JOIN)
    later = later.replace(
        "kind: create, entity: Player,", "kind: create, entity: Player, set: {ticket: {param: t}},"
    )
    made, _ = planned(load(later, name="guilds"), style)
    assert written(made.operations[1]) == [("put", "Player"), ("put", "PlayerTicketGuard")]
