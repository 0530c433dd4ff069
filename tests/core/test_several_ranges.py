"""Patterns with several ranges, or several lists of values: a key serves one of each, whichever costs least."""

from itertools import permutations
from random import Random

import pytest

from designer.core.design.document import Design
from designer.core.design.settings import Pin, PinnedKey
from designer.core.patterns.base import Read
from designer.core.plan import STYLES, Operation, Plan
from designer.core.planner import plan
from designer.core.planner.pipeline import outlined
from designer.core.planner.what_if.patterns_of_key import patterns_of_key
from designer.core.planner.what_if.why_not import why_not
from designer.proof.engine import Engine
from designer.proof.prove import prove_on
from tests.core.priced import numbered
from tests.designs_small import ranged
from tests.memory import Memory

ROOM = {"attribute": "room", "is": {"param": "room"}}
BEGUN = {"attribute": "startsAt", "below": {"param": "until"}, "share": 0.995}
UNENDED = {"attribute": "endsAt", "after": {"param": "since"}, "share": 0.01}
SOON = {**UNENDED, "share": 0.3}
NAMES = {"attribute": "name", "any_of": {"param": "names"}}
ROOMS = {"attribute": "room", "any_of": {"param": "rooms"}, "share": 0.001}
DAYS = {"attribute": "day", "any_of": {"param": "days"}}
LATE = {"attribute": "month", "from": {"param": "month"}, "share": 0.9}


def bookings(*where: dict, **more: object) -> Design:
    """Bookings of rooms, and one list of them."""
    entity = {
        "name": "Booking",
        "identifier": ["bookingId"],
        "items": 2_000_000,
        "attributes": [
            {"name": "bookingId", "format": "ulid"},
            {"name": "room", "bytes": 8, "distinct": 2_000},
            {"name": "name", "bytes": 12, "distinct": 900_000},
            {"name": "startsAt", "format": "datetime"},
            {"name": "endsAt", "format": "datetime"},
            {"name": "day", "derived": "date(startsAt)"},
            {"name": "month", "derived": "month(startsAt)"},
            {"name": "notes", "bytes": 400},
        ],
    }
    listed = {"kind": "list", "returns": "Booking", "where": list(where), **more}
    patterns = [
        {**listed, "rate": {"average": 20}},
        {"kind": "create", "entity": "Booking", "rate": {"average": 1}},
    ]
    document = {"name": "Rooms", "entities": [entity], "patterns": numbered(patterns)}
    return Design.model_validate(document)


def asked(made: Plan) -> Operation:
    (operation,) = made.operations_for(1)
    return operation


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize(
    ("where", "serving", "testing"),
    [
        ((ROOM, BEGUN, UNENDED), "since", "startsAt"),
        ((ROOMS, NAMES), "names", "room"),
    ],
)
def test_the_cheapest_choice_is_the_key_s_in_whatever_order_they_are_stated(
    style, where, serving, testing
):
    made = [plan(bookings(*some), style) for some in permutations(where)]
    (step,) = asked(made[0]).steps
    assert f"{{{serving}}}" in str(step.where)
    assert [test.attribute for test in step.filter] == [testing]
    assert all(one.tables == made[0].tables and one.cost == made[0].cost for one in made)
    assert all(asked(one).steps == asked(made[0]).steps for one in made)


@pytest.mark.parametrize("style", STYLES)
def test_an_order_forces_no_range_where_the_caller_may_sort(style):
    sorted_so = plan(bookings(ROOM, BEGUN, UNENDED, order=["startsAt ascending"]), style)
    assert asked(sorted_so).result.parts[0].order == ("startsAt ascending",)
    assert [test.attribute for step in asked(sorted_so).steps for test in step.filter] == [
        "startsAt"
    ]
    as_it_is = plan(bookings(ROOM, BEGUN, UNENDED), style)
    assert sorted_so.cost.per_month == pytest.approx(as_it_is.cost.per_month, rel=0.01)


def test_each_choice_is_told_and_can_be_pinned():
    design = bookings(ROOM, BEGUN, UNENDED)
    for name, verdict in (("endsAt", "over-reads"), ("startsAt", "no")):
        (rows,) = patterns_of_key(design, "multi", "Booking", ("room",), (name,))
        assert rows.verdict == verdict
    near = bookings(ROOM, BEGUN, SOON)
    rivals = [rival.choice for rival in why_not(near, "multi", "pattern 1").rivals]
    assert any("room, then startsAt" in choice for choice in rivals)
    for name in ("startsAt", "endsAt"):
        key = {"partition": "{room}", "sort": f"{{{name}}}"}
        pins = (
            Pin(style="multi", entity="Booking", index="Asked", key=PinnedKey(**key)),
            Pin(style="multi", pattern=1, index="Asked"),
        )
        planner = near.planner.model_copy(update={"pins": pins})
        (step,) = asked(plan(near.model_copy(update={"planner": planner}), "multi")).steps
        assert [part.attribute for part in step.where] == ["room", name]


SINCE = {"attribute": "startsAt", "from": {"param": "since"}}
UNTIL = {"attribute": "startsAt", "below": {"param": "until"}}
BETWEEN = {**SINCE, **UNTIL}


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize(
    ("since", "until", "both"),
    [(None, None, None), (0.2, 0.1, 0.02), (0.01, None, 0.01), (None, 0.9, 0.5)],
)
def test_two_ends_of_a_range_in_two_conditions_are_one_range(style, since, until, both):
    def shared(condition, share):
        return condition if share is None else {**condition, "share": share}

    ends = [shared(SINCE, since), shared(UNTIL, until), ROOM]
    named = bookings(*ends, order=["startsAt ascending"])
    as_one = plan(bookings(shared(BETWEEN, both), ROOM, order=["startsAt ascending"]), style)
    for some in permutations(ends):
        made = plan(bookings(*some, order=["startsAt ascending"]), style)
        assert (made.tables, made.cost) == (as_one.tables, as_one.cost)
        assert asked(made).steps == asked(as_one).steps
    assert not asked(as_one).steps[0].filter
    verdict = prove_on(Engine("memory", Memory()), named, outlined(named, style))
    assert [one.status for one in verdict.patterns] == ["passed"] * 2


def test_an_end_that_is_left_open_leaves_the_other():
    design = bookings(ROOM, SINCE, {**UNTIL, "optional": True})
    between, alone = plan(design, "multi").operations_for(1)
    assert between.steps[0].where[-1].between == ("{since}", "{until}")
    assert alone.steps[0].where[-1].from_ == "{since}"
    assert [[one.name for one in each.parameters] for each in (between, alone)] == [
        ["room", "since", "until"],
        ["room", "since"],
    ]


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("where", [(DAYS, NAMES), (ROOM, LATE, SOON), (DAYS, NAMES, LATE)])
def test_what_is_derived_is_the_key_s_as_no_item_has_it_to_be_tested(style, where):
    design = bookings(*where)
    made = plan(design, style)
    assert asked(made).answer != "not served"
    verdict = prove_on(Engine("memory", Memory()), design, made)
    assert [one.status for one in verdict.patterns] == ["passed"] * 2


@pytest.mark.parametrize("style", STYLES)
def test_the_order_of_conditions_changes_no_plan(style):
    random = Random(1)
    for seed in range(6):
        design = ranged(Random(seed))
        turned = design.model_copy(
            update={
                "patterns": tuple(
                    one.model_copy(
                        update={"where": tuple(random.sample(one.where, len(one.where)))}
                    )
                    if isinstance(one, Read)
                    else one
                    for one in design.patterns
                )
            }
        )
        before, after = outlined(design, style), outlined(turned, style)
        assert before.tables == after.tables
        assert before.cost == after.cost
