"""Items that lack an attribute are kept in a sparse index, which every write that sets or removes it keeps right."""

from random import Random

import pytest

from designer.core.design.document import Design
from designer.core.design.load import load, load_plain, plain
from designer.core.design.pins import MisfitError, key_text
from designer.core.plan import Plan, Style
from designer.core.planner import plan
from designer.proof.engine import Engine
from designer.proof.prove import prove_on
from tests import proven
from tests.core.test_planner import design, is_, listing, operation
from tests.designs_generated import generated
from tests.memory import Memory
from tests.messages import reasons_of

TICKET = {
    "name": "Ticket",
    "identifier": ["ticketId"],
    "items": 1_000_000,
    "attributes": [
        {"name": "ticketId", "format": "ulid"},
        {"name": "queue", "distinct": 200, "mutable": True},
        {"name": "openedAt", "format": "datetime"},
        {"name": "assigneeId", "format": "uuid", "present": 0.98, "mutable": True},
        {"name": "title", "bytes": 60},
    ],
}
FREE = {"attribute": "assigneeId", "missing": True}
OPEN = {"kind": "create", "entity": "Ticket", "rate": {"average": 1}}
TAKE = {
    "kind": "update",
    "entity": "Ticket",
    "set": {"assigneeId": {"param": "who"}},
    "if": [FREE],
    "rate": {"average": 1},
}
GIVE_BACK = {
    "kind": "update",
    "entity": "Ticket",
    "remove": ["assigneeId"],
    "rate": {"average": 0.1},
}
MOVE = {
    "kind": "update",
    "entity": "Ticket",
    "set": {"queue": {"param": "to"}},
    "rate": {"average": 0.1},
}
ASK = {
    **listing(
        is_("queue"),
        FREE,
        order=["openedAt ascending"],
        limit=20,
        rate={"average": 2},
    ),
    "returns": "Ticket",
}


def tickets(*more: dict, **settings: object) -> Design:
    return design([TICKET], [OPEN, TAKE, GIVE_BACK, MOVE, ASK, *more], **settings)


def asked(made: Plan, number: int = 5) -> str:
    return operation(made, number).steps[0].index or ""


def keys_of(made: Plan, index: str) -> dict[str, str]:
    """The templates of the index's keys that are not the item's own attributes."""
    table = made.tables[0]
    found = next(each for each in table.indexes if each.name == index)
    names = [one.name for one in (*found.partition, *found.sort)]
    shape = table.items[0]
    return {name: shape.set[name] for name in names if name in shape.set}


@pytest.mark.parametrize("style", ["single", "multi"])
def test_what_nobody_has_taken_is_a_sparse_index(style: Style) -> None:
    made = plan(tickets(), style)
    index = next(each for each in made.tables[0].indexes if each.name == asked(made))
    assert index.sparse
    step = operation(made, 5).steps[0]
    assert not step.filter
    (why,) = (reasons_of(one) for one in made.decisions if one.about.startswith("index "))
    assert why["sparse-without"]["percent"] == pytest.approx(2)
    assert why["sparse-without"]["attributes"] == ("assigneeId",)
    written = "".join(keys_of(made, index.name).values())
    assert "absent(assigneeId" in written


@pytest.mark.parametrize("style", ["single", "multi"])
def test_each_write_keeps_it_right(style: Style) -> None:
    made = plan(tickets(), style)
    names = set(keys_of(made, asked(made)))
    take, back, move = (operation(made, number).steps[-1].members[0] for number in (2, 3, 4))
    assert names & set(take.remove)
    assert not names & set(take.set)
    assert any("NO_ASSIGNEE_ID" in str(back.set[name]) for name in names & set(back.set))
    assert not names & set(move.remove)


@pytest.mark.parametrize("style", ["single", "multi"])
def test_a_proof_holds_it_to_the_rows(style: Style) -> None:
    count = {**listing(is_("queue"), FREE, rate={"average": 0.1}), "kind": "count"}
    everything = {**listing(FREE, rate={"average": 0.01}), "returns": "Ticket"}
    stated = tickets({**count, "returns": "Ticket"}, everything)
    verdict = prove_on(Engine("memory", Memory()), stated, plan(stated, style))
    assert [one.status for one in verdict.patterns] == ["passed"] * 7
    assert not verdict.problem


def test_the_share_of_a_pattern_says_how_many_it_finds() -> None:
    """Of the open tickets of a queue many more are free than of all."""
    of_half = {**ASK, "where": [is_("queue"), {**FREE, "share": 0.5}], "limit": None}
    made = plan(design([TICKET], [OPEN, TAKE, of_half]), "multi")
    assert "absent(" in str(keys_of(made, asked(made, 3)))
    assert operation(made, 3).steps[0].expects.returned == pytest.approx(1_000_000 / 200 * 0.5)


@pytest.mark.parametrize("style", ["single", "multi"])
@pytest.mark.parametrize("also", [{}, {"keep": [{"attribute": "assigneeId", "exists": True}]}])
def test_what_lacks_the_attribute_of_its_order_is_no_row(style: Style, also: dict) -> None:
    """One ticket of ten has a due date, and the answer sorted by it has no others, whether that is asked or not."""
    due = {"name": "dueOn", "format": "date", "present": 0.1, "mutable": True}
    ticket = {**TICKET, "attributes": [*TICKET["attributes"], due]}
    ask = {**ASK, **also, "where": [is_("queue")], "order": ["dueOn ascending"], "limit": None}
    stated = design([ticket], [OPEN, TAKE, ask])
    made = plan(stated, style)
    step = operation(made, 3).steps[0]
    share = 0.98 if also else 1
    assert step.expects.returned == pytest.approx(1_000_000 / 200 * 0.1 * share)
    assert step.expects.read == pytest.approx(1_000_000 / 200 * 0.1)
    assert prove_on(Engine("memory", Memory()), stated, made).patterns[2].status == "passed"


@pytest.mark.parametrize("style", ["single", "multi"])
def test_its_key_can_be_pinned_as_it_is_written(style: Style) -> None:
    made = plan(tickets(), style)
    index = next(each for each in made.tables[0].indexes if each.name == asked(made))
    shape, names = made.tables[0].items[0], (index.partition[0].name, index.sort[0].name)
    partition, sort = (shape.set.get(name, f"{{{name}}}") for name in names)
    pin = {"entity": "Ticket", "index": index.name, "key": {"partition": partition, "sort": sort}}
    again = plan(tickets(planner={"pins": [{**pin, "style": style}]}), style)
    assert keys_of(again, index.name) == keys_of(made, index.name)


@pytest.mark.parametrize("style", ["single", "multi"])
@pytest.mark.parametrize(
    "partition",
    [
        '{queue}#{absent(assigneeId, "NO_ASSIGNEE_ID")}',
        '{absent(assigneeId, "NO_ASSIGNEE_ID")}#{queue}',
    ],
)
def test_a_partition_key_can_be_pinned_that_says_what_is_missing(
    partition: str, style: Style
) -> None:
    key = {"partition": partition, "sort": "AT#{openedAt}#"}
    pins = [{"entity": "Ticket", "index": "Free", "key": key}, {"pattern": 5, "index": "Free"}]
    stated = tickets(planner={"pins": pins})
    made = plan(stated, style)
    step = operation(made, 5).steps[0]
    assert step.index == "Free"
    assert "NO_ASSIGNEE_ID" in str(step.where[0].equals)
    assert step.expects.read == 20  # no others lie there, and they are in order
    verdict = prove_on(Engine("memory", Memory()), stated, made)
    assert [one.status for one in verdict.patterns] == ["passed"] * 5


def test_a_pin_says_what_stands_for_the_lack_of_an_attribute() -> None:
    ticket = tickets().entity["Ticket"]
    text = key_text(ticket, '{absent(assigneeId)}Q#{queue}#{absent(assigneeId, "NO_ASSIGNEE_ID")}')
    assert text.when == (("absent(assigneeId)", ()),)
    assert text.pieces[-1] == ("attribute", "absent(assigneeId)")
    with pytest.raises(MisfitError, match="NO_ASSIGNEE_ID"):
        key_text(ticket, '{absent(assigneeId, "FREE")}')
    with pytest.raises(MisfitError, match="nobody"):
        key_text(ticket, "{absent(nobody)}")


@pytest.mark.parametrize("seed", [0, 3, 8, 29])
def test_made_up_designs_that_ask_for_what_is_missing(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    stated = asking_for_what_is_missing(seed)
    monkeypatch.setattr(proven, "generated", lambda random: stated)
    assert proven.wrongs(seed) == []


def asking_for_what_is_missing(seed: int) -> Design:
    """A made-up design whose lists and counts ask, besides, for items that lack an attribute."""
    document, chosen = plain(generated(Random(seed))), Random(seed)
    optional = {
        entity["name"]: [a["name"] for a in entity["attributes"] if a.get("present", 1) < 1]
        for entity in document["entities"]
    }
    for pattern in document["patterns"]:
        if pattern["kind"] in ("list", "count") and isinstance(pattern["returns"], str):
            asked = {
                one["attribute"] for one in (*pattern.get("where", ()), *pattern.get("keep", ()))
            }
            asked |= {order.split()[0] for order in pattern.get("order", ())}
            names = [name for name in optional[pattern["returns"]] if name not in asked]
            if names and "where" in pattern:
                lacks = {"attribute": chosen.choice(names), "missing": True}
                pattern["where"] = [*pattern["where"], lacks]
    return load_plain(document)


WAITING = """
keywright: 1
name: Outbox
entities:
  - name: Letter
    identifier: [letterId]
    items: 2000000
    attributes:
      - {name: letterId, format: ulid}
      - {name: box, distinct: 400}
      - {name: writtenAt, format: datetime}
      - {name: waiting, values: ["YES"], present: 0.01, mutable: true}
      - {name: text, bytes: 300}
patterns:
  - {number: 1, name: Post, kind: create, entity: Letter, set: {waiting: {value: "YES"}}, rate: {average: 5}}
  - {number: 2, name: Send, kind: update, entity: Letter, remove: [waiting], rate: {average: 5}}
  - number: 3
    name: What waits in a box
    kind: list
    returns: Letter
    where: [{attribute: box, is: {param: box}}, {attribute: waiting, is: {value: "YES"}}]
    order: [writtenAt ascending]
    limit: 20
    rate: {average: 1}
"""


def test_both_keys_of_a_sparse_index_go_with_what_a_write_takes_away() -> None:
    """Though the write does not know the box: to remove a key needs no knowledge of what it was made of."""
    design = load(WAITING)
    made = plan(design, "single")
    (letter,) = made.tables[0].items
    keys = letter.set["GSI1PK"], letter.set["GSI1SK"]
    assert sum("waiting" in key for key in keys) == 2, keys
    (send,) = made.operations_for(2)[0].steps
    assert {"GSI1PK", "GSI1SK", "waiting"} <= set(send.members[0].remove)
    assert len(made.operations_for(2)[0].steps) == 1
    assert prove_on(Engine("memory", Memory()), design, made).passed
