"""A list of a part of the identifier: one Query of a small collection, or a get for each value, and no index.

Whether items are listed, counted, or got by their identifiers makes no difference.
"""

import pytest

from designer.core.design.load import load
from designer.core.plan import STYLES
from designer.core.planner import plan
from designer.core.sentences.steps import served_by
from designer.proof.engine import Engine
from designer.proof.prove import prove_on
from tests.memory import Memory

pytestmark = pytest.mark.slow

BAGS = """
keywright: 1
name: Which of these are in a bag
entities:
  - name: Bag
    identifier: [bagId]
    items: 200000
    attributes:
      - {name: bagId, format: ulid}
      - {name: colour, bytes: 40}
  - name: Thing
    identifier: [bagId, sort]
    items: 1800000
    attributes:
      - {name: bagId, refers_to: Bag.bagId}
      - {name: sort, bytes: 12, distinct: 4000}
      - {name: grams, type: N, format: integer, digits: 5}
relationships:
  - {name: holds, one: Bag, many: Thing, by: bagId, identifying: true, average: 9, most: 60}
patterns:
  - {number: 1, name: Pack, kind: create, entity: Thing, rate: {average: 1}}
  - number: 2
    name: Which of these are in a bag
    kind: list
    returns: Thing
    where: [{attribute: bagId, is: {param: bagId}}, {attribute: sort, any_of: {param: sorts, count: 8}}]
    rate: {average: 5}
planner: {items: as-stated}
"""
LARGE = BAGS.replace("average: 9, most: 60", "average: 9000, most: 60000").replace("200000", "200")
"""Of thousands of things, three are got by their identifiers."""


NAMED = BAGS.replace("kind: list", "kind: batch_get")
ALONG = (
    BAGS.replace("kind: list", "kind: batch_get")
    .replace(
        "  - name: Thing",
        """  - name: Sort
    identifier: [sort]
    items: 4000
    attributes:
      - {name: sort, bytes: 12}
      - {name: about, bytes: 300}
  - name: Thing""",
    )
    .replace("{name: sort, bytes: 12, distinct: 4000}", "{name: sort, refers_to: Sort.sort}")
    .replace(
        "patterns:",
        "  - {name: of, one: Sort, many: Thing, by: sort, average: 450, most: 5000}\npatterns:",
    )
    .replace("planner:", "    with: [{relationship: of}]\nplanner:")
)
"""What comes along has an identifier that is in the same list."""


def read(text, style):
    design = load(text)
    made = plan(design, style)
    verdict = prove_on(Engine("memory", Memory()), design, made)
    assert {one.status for one in verdict.patterns} == {"passed"}
    assert not any(table.indexes for table in made.tables)
    (found,) = made.operations_for(2)
    return made, found


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("kind", ["list", "exists", "count", "batch_get"])
def test_a_list_of_a_small_collection_is_one_query_and_a_test(kind, style):
    _, found = read(BAGS.replace("kind: list", f"kind: {kind}"), style)
    assert [step.call for step in found.steps] == ["Query"]
    assert found.requests == 1
    assert found.read_units == 0.5


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("kind", ["list", "batch_get"])
def test_few_items_of_a_large_collection_are_got_each_by_its_identifier(kind, style):
    text = LARGE.replace("kind: list", f"kind: {kind}")
    _, found = read(text.replace("count: 8", "count: 3"), style)
    assert [step.call for step in found.steps] == ["BatchGetItem"]
    assert found.read_units == 1.5


@pytest.mark.parametrize("style", STYLES)
def test_a_strong_read_of_identifiers_is_one_query_of_the_table(style):
    _, found = read(NAMED.replace("planner:", "    consistency: strong\nplanner:"), style)
    (step,) = found.steps
    assert (step.call, step.index, step.consistent) == ("Query", None, True)
    assert (step.expects.read, step.expects.returned, found.read_units) == (9, 8, 1)


@pytest.mark.parametrize("style", STYLES)
def test_more_identifiers_than_items_on_average_are_found_all_the_same(style):
    """Who names twenty things that exist has a bag of so many at least; the largest bag counts at the worst."""
    _, found = read(NAMED.replace("count: 8", "count: 20"), style)
    (step,) = found.steps
    assert (step.call, step.expects.read, step.expects.returned) == ("Query", 20, 20)
    assert step.expects.worst.read == 60


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("kind", ["list", "batch_get"])
def test_each_is_got_by_its_identifier_where_a_collection_may_have_more_than_a_few_pages(
    kind, style
):
    """A Query would cost a thirtieth on average, and read many megabytes of the largest bag."""
    text = BAGS.replace("kind: list", f"kind: {kind}").replace("count: 8", "count: 30")
    for most, call in (("most: 600", "Query"), ("most: 600000", "BatchGetItem")):
        _, found = read(text.replace("most: 60", most).replace("average: 5", "average: 50"), style)
        assert [step.call for step in found.steps] == [call]
        assert not found.beyond


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("kind", ["list", "batch_get"])
def test_each_is_got_by_its_identifier_where_a_query_saves_nothing_that_matters(kind, style):
    text = BAGS.replace("kind: list", f"kind: {kind}").replace("average: 5", "average: 0.5")
    _, found = read(text.replace("count: 8", "count: 2"), style)
    assert [step.call for step in found.steps] == ["BatchGetItem"]


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("kind", ["list", "batch_get"])
def test_no_query_stands_for_gets_at_one_moment(kind, style):
    text = BAGS.replace("kind: list", f"kind: {kind}")
    _, found = read(text.replace("planner:", "    consistency: transactional\nplanner:"), style)
    assert [step.call for step in found.steps] == ["TransactGetItems"]


@pytest.mark.parametrize("style", STYLES)
def test_what_nobody_said_is_how_many_identifiers_there_are(style):
    made, found = read(NAMED.replace(", count: 8", ""), style)
    assert [step.call for step in found.steps] == ["Query"]
    assert found.steps[0].expects.returned == 10
    (one,) = (one for one in made.assumed if one.where == "patterns.2")
    assert (one.what, one.of, one.value) == ("list", "sort", 10)
    (use,) = one.used
    assert use.low.units == 0.5
    assert use.high.units > 0.5


def test_the_words_say_what_the_application_tests():
    """A key attribute cannot be in a filter, also where the answer is yes or no."""
    made, found = read(BAGS.replace("kind: list", "kind: exists"), "multi")
    assert not found.steps[0].filter
    assert "kept in the application only if sort in <sorts>" in served_by(made, found)


@pytest.mark.parametrize("style", STYLES)
def test_what_comes_along_by_the_same_identifiers_is_a_request_beside_the_query(style):
    _, found = read(ALONG, style)
    assert [step.call for step in found.steps] == ["Query", "BatchGetItem"]
    assert found.steps[1].for_each.values == "sorts"
    assert [step.expects.requests for step in found.steps] == [1, 1]
    assert (found.answer, found.requests, found.read_units) == ("in several requests", 2, 4.5)


@pytest.mark.parametrize("style", STYLES)
def test_all_are_got_together_where_one_request_is_allowed(style):
    text = ALONG.replace("planner:", "    at_most_requests: 1\nplanner:")
    _, found = read(text, style)
    assert [step.call for step in found.steps] == ["BatchGetItem", "BatchGetItem"]
    assert (found.answer, found.requests) == ("in one request", 1)


@pytest.mark.parametrize("style", STYLES)
def test_the_parent_of_all_that_a_list_may_find_is_got_once_at_the_worst_too(style):
    text = NAMED.replace("planner:", "    with: [{relationship: holds}]\nplanner:")
    _, found = read(text, style)
    query, get = found.steps
    assert (query.call, query.expects.worst.read) == ("Query", 60)
    assert (get.call, (get.expects.worst or get.expects).read) == ("GetItem", 1)


HERBARIUM = """
keywright: 1
name: Herbarium
entities:
  - name: Cabinet
    identifier: [cabinet]
    items: 500
    attributes: [{name: cabinet, bytes: 6}]
  - name: Drawer
    identifier: [cabinet, drawer]
    items: 2000
    attributes:
      - {name: cabinet, refers_to: Cabinet.cabinet}
      - {name: drawer, format: ulid}
  - name: Sheet
    identifier: [drawer, pressedAt]
    items: 150000
    attributes:
      - {name: cabinet, refers_to: Cabinet.cabinet}
      - {name: drawer, refers_to: Drawer.drawer}
      - {name: pressedAt, format: datetime}
      - {name: plant, bytes: 150}
relationships:
  - {name: holds, one: Drawer, many: Sheet, by: [cabinet, drawer], average: 75, most: 400}
patterns:
  - {number: 1, name: Newest of drawers, kind: list, returns: Sheet, ASKED, rate: {average: 3}}
  - {number: 2, name: Press, kind: create, entity: Sheet, rate: {average: 1}}
"""
OF_CABINET = "where: [{attribute: cabinet, is: {param: c}}"
SOME = "{attribute: drawer, any_of: {param: drawers, count: 3}}]"
ONE = "{attribute: drawer, is: {param: drawer}}]"


def sheets(asked):
    made = plan(load(HERBARIUM.replace("ASKED", asked)), "multi")
    (found,) = made.operations_for(1)
    (step,) = found.steps
    return found, step


def test_a_list_of_one_part_of_a_reference_finds_the_children_of_each_parent():
    """Each drawer has more sheets than are wanted, so a page of each holds all of them."""
    found, step = sheets(f"{OF_CABINET}, {SOME}, order: [pressedAt descending], limit: 12")
    assert (found.requests, found.beyond) == (3, ())
    assert step.limit * 230 < 8192
    assert found.read_units <= 3 * 1.0
    _, step = sheets(f"{OF_CABINET}, {SOME}")
    assert step.expects.returned == 3 * 75


@pytest.mark.parametrize(("kept", "many"), [(ONE, 1), (SOME, 3)])
def test_what_is_tested_of_a_reference_keeps_the_children_of_each_parent(kept, many):
    """A cabinet holds the sheets of four drawers, 300."""
    _, step = sheets(f"{OF_CABINET}], keep: [{kept}")
    assert step.expects.read == pytest.approx(300)
    assert step.expects.returned == pytest.approx(many * 75)
