"""Sizes that nobody stated: those that matter are assumed, and the plan at both ends costs what it would if stated."""

import pytest

from designer.core.capacity.referred import with_referred_sizes
from designer.core.design.load import load
from designer.core.plan import Assumed, Plan
from designer.core.planner.explain.assumed import ranked
from designer.core.planner.pipeline import outlined
from designer.core.planner.rewrites.resized import resized
from designer.core.planner.rewrites.variants import rewritten
from designer.core.sentences.assumptions import assumption, effects, of_pattern

NOTES = """
keywright: 1
name: Notes
entities:
  - name: Note
    identifier: [noteId]
    items: 3000000
    attributes:
      - {name: noteId, format: uuid}
      - {name: owner, format: uuid, distinct: 30000}
      - {name: writtenAt, format: datetime}
      - {name: pages, type: N}
      - {name: title, format: text TITLE}
      - {name: body, format: json BODY}
patterns:
  - {number: 1, name: Write, kind: create, entity: Note, rate: {average: 20}}
  - number: 2
    name: Of an owner
    kind: list
    returns: Note
    where: [{attribute: owner, is: {param: owner}}]
    rate: {average: 40}
  - {number: 3, name: One, kind: get, returns: Note, where: [{attribute: noteId, is: {param: id}}], rate: {average: 9}}
"""


def planned(body: str = "", title: str = "", text: str = NOTES, style: str = "multi") -> Plan:
    text = text.replace(" TITLE", title).replace(" BODY", body)
    return outlined(load(text, name="notes"), style)


def sizes(plan: Plan) -> dict[str, Assumed]:
    return {one.of: one for one in plan.assumed if one.what == "size"}


def test_the_size_of_a_text_that_nobody_stated_is_assumed_where_it_matters():
    made = planned()
    body = sizes(made)["Note.body"]
    assert body.where == "entities.Note.attributes.body"
    assert (body.value, body.low, body.high) == (200, 20, 2000)
    assert made.assumed.index(body) == 0
    assert body.usd_per_month > 1


def test_sizes_that_follow_from_their_kind_or_are_stated_are_not_assumed():
    assert set(sizes(planned())) <= {"Note.title", "Note.body"}
    assert sizes(planned(", bytes: 900", ", bytes: 30")) == {}


@pytest.mark.parametrize("style", ["single", "multi"])
def test_at_both_ends_the_plan_costs_what_it_would_if_the_size_were_stated(style):
    body = sizes(planned(style=style))["Note.body"]
    for size, at in ((body.low, body.at_low), (body.high, body.at_high)):
        stated = planned(f", bytes: {size:g}", style=style)
        assert at is not None
        assert stated.cost.per_month == pytest.approx(at.per_month, abs=0.001)
        (table,) = stated.tables
        assert table.items[0].bytes == pytest.approx(at.item_bytes, abs=0.1)


def test_each_pattern_takes_what_it_would_if_the_size_were_stated():
    body = sizes(planned())["Note.body"]
    assert [use.pattern for use in body.used] == [1, 2]  # one item is read in one unit either way
    stated = planned(f", bytes: {body.high:g}")
    for use in body.used:
        (operation,) = stated.operations_for(use.pattern)
        assert use.high.requests == operation.requests
        assert use.high.units == operation.read_units
        assert use.high.write_units == operation.write_units
    assert body.used[0].low.write_units < body.used[0].high.write_units


def test_a_size_that_changes_less_than_a_dollar_is_not_listed():
    few = NOTES.replace("average: 20", "average: 0.01").replace("average: 40", "average: 0.01")
    few = few.replace("3000000", "30000")
    assert sizes(planned(text=few)) == {}


def test_a_size_with_which_an_item_passes_400_kb_is_listed_whatever_it_costs():
    few = NOTES.replace("average: 20", "average: 0.000001").replace(
        "average: 40", "average: 0.000001"
    )
    few = few.replace("3000000", "3").replace(
        "format: json", "type: L, elements: {average: 3000, most: 9000}"
    )
    body = sizes(planned(text=few))["Note.body"]
    assert body.at_low is not None
    assert body.at_high is not None
    assert (body.at_low.exceeds, body.at_high.exceeds) == (False, True)
    assert "exceeds a limit" in effects(body)[0]
    assert ranked((sizes(planned())["Note.body"], body))[0] == body


def test_a_size_is_no_larger_than_the_largest_value_that_is_stated():
    body = sizes(planned(", most_bytes: 1500"))["Note.body"]
    assert (body.low, body.high) == (20, 1500)


MARKS = NOTES.replace(
    "patterns:",
    """  - name: Mark
    identifier: [noteId, day]
    items: 90000000
    attributes: [{name: noteId, refers_to: Note.noteId SIZE}, {name: day, format: date}]
patterns:
  - {number: 4, name: Mark, kind: create, entity: Mark, rate: {average: 90}}""",
)


@pytest.mark.parametrize("style", ["single", "multi"])
def test_what_an_attribute_refers_to_says_its_size(style):
    inherited = planned(text=MARKS.replace(" SIZE", ""), style=style)
    assert not any(name.startswith("Mark.") for name in sizes(inherited))
    stated = planned(text=MARKS.replace(" SIZE", ", bytes: 36"), style=style)
    assert (inherited.tables, inherited.operations) == (stated.tables, stated.operations)
    assert inherited.cost == stated.cost
    shorter = planned(text=MARKS.replace(" SIZE", ", bytes: 20"), style=style)
    assert shorter.cost.storage_per_month < inherited.cost.storage_per_month


def test_a_reference_to_a_reference_is_as_large_as_what_that_one_refers_to():
    text = MARKS.replace(" SIZE", "").replace(
        "patterns:",
        """  - name: Seen
    identifier: [noteId, day, by]
    items: 90000000
    attributes: [{name: noteId, refers_to: Mark.noteId}, {name: day, format: date}, {name: by, bytes: 5}]
patterns:""",
        1,
    )
    design = with_referred_sizes(load(text.replace(" TITLE", "").replace(" BODY", ""), name="n"))
    assert [design.entity[name].by_name["noteId"].bytes for name in ("Mark", "Seen")] == [36, 36]
    assert with_referred_sizes(design) is design


def test_the_size_of_a_reference_is_assumed_where_what_it_refers_to_does_not_say():
    text = MARKS.replace(" SIZE", "").replace("noteId, format: uuid", "noteId, format: text")
    assert "Mark.noteId" in sizes(planned(text=text))


def test_a_size_is_said_in_words_with_item_and_bill_at_both_ends():
    made = planned()
    body = sizes(made)["Note.body"]
    assert assumption(body) == "A value of Note.body takes 200 B on average."
    whole, write, *_ = effects(body)
    assert whole.startswith("With a value of 20 B, an item of Note takes ")
    assert "; with 1.95 KB, an item takes 2.1 KB, and the plan costs $" in whole
    assert write.startswith(
        "With a value of 20 B, pattern 1 takes 1 request and 2 write units; with 1.95 KB, it takes 1 request and "
    )
    assert effects(body, 1) == (write,)
    assert body in of_pattern(made, 1)
    assert body not in of_pattern(made, 3)


ORDER = """
keywright: 1
name: Orders
entities:
  - name: Order
    identifier: [orderId]
    items: 1000000
    attributes: [{name: orderId, format: uuid}]
  - name: Line
    identifier: [orderId, line]
    items: 3000000
    attributes: [{name: orderId, format: uuid}, {name: line, type: N, digits: 2}, {name: said, format: json}]
relationships:
  - {name: has, one: Order, many: Line, by: orderId, identifying: true, average: 3, most: 5}
patterns:
  - {number: 1, name: Place, kind: transaction, rate: {average: 5},
     members: [{create: Order}, {create: Line, times: {average: 3, most: 5}}]}
  - {number: 2, name: An order, kind: get, returns: Order, where: [{attribute: orderId, is: {param: id}}],
     with: [{relationship: has}], rate: {average: 50}}
"""


def test_the_size_of_a_child_is_that_of_its_elements_where_it_is_stored_in_its_parent():
    design = load(ORDER, name="orders")
    found = rewritten(design, "single")
    assert [type(one.variant).__name__ for one in found.taken] == ["Embedding"]
    few, many = (resized("Line", "said", size, found.taken, ()) for size in (100, 300))
    (holder,) = [at for at in many if at[0] == "Order"]
    assert many[holder] - few[holder] == pytest.approx(3 * 200)
    said = sizes(outlined(design, "single"))["Line.said"]
    assert {use.pattern for use in said.used} == {1, 2}
