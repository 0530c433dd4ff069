"""A list of a part of the identifier: one Query of a small collection, or a get for each value, and no index."""

import pytest

from designer.core.design.load import load
from designer.core.plan import STYLES
from designer.core.planner import plan
from designer.core.sentences.steps import served_by
from designer.proof.engine import Engine
from designer.proof.prove import prove_on
from tests.memory import Memory

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


def read(text, style):
    design = load(text)
    made = plan(design, style)
    verdict = prove_on(Engine("memory", Memory()), design, made)
    assert {one.status for one in verdict.patterns} == {"passed"}
    assert not any(table.indexes for table in made.tables)
    (found,) = made.operations_for(2)
    return made, found


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("kind", ["list", "exists", "count"])
def test_a_list_of_a_small_collection_is_one_query_and_a_test(kind, style):
    _, found = read(BAGS.replace("kind: list", f"kind: {kind}"), style)
    assert [step.call for step in found.steps] == ["Query"]
    assert found.requests == 1
    assert found.read_units == 0.5


@pytest.mark.parametrize("style", STYLES)
def test_few_items_of_a_large_collection_are_got_each_by_its_identifier(style):
    _, found = read(LARGE.replace("count: 8", "count: 3"), style)
    assert [step.call for step in found.steps] == ["BatchGetItem"]
    assert found.read_units == 1.5


def test_the_words_say_what_the_application_tests():
    """A key attribute cannot be in a filter, also where the answer is yes or no."""
    made, found = read(BAGS.replace("kind: list", "kind: exists"), "multi")
    assert not found.steps[0].filter
    assert "kept in the application only if sort in <sorts>" in served_by(made, found)
