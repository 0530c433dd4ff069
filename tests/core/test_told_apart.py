"""No more items have some values than the rest of the identifier tells apart."""

import pytest

from designer.core.design.load import load
from designer.core.planner import plan
from designer.core.planner.model.told_apart import most_told_apart

pytestmark = pytest.mark.slow

USAGE = """
keywright: 1
name: Usage
entities:
  - name: Usage
    identifier: [customerId, month, endpoint]
    items: 900000
    attributes:
      - {name: customerId, format: uuid, distinct: 5000, busiest: 0.3}
      - {name: month, bytes: 7, distinct: 12}
      - {name: endpoint, bytes: 30, distinct: 60}
      - {name: calls, type: N, format: integer, digits: 12, mutable: true}
patterns:
  - number: 1
    name: Calls of a month
    kind: list
    returns: Usage
    result: {sum: calls}
    where: [{attribute: customerId, is: {param: c}}, {attribute: month, is: {param: m}}]
    rate: {average: 5}
  - {number: 2, name: Add, kind: update, entity: Usage, add: {calls: {param: n}}, rate: {average: 5}}
"""


def told_apart(text, *given):
    design = load(text, name="usage")
    return most_told_apart(design, design.entities[0], given)


@pytest.mark.parametrize("style", ["multi", "single"])
def test_the_identifier_bounds_what_is_found_of_a_busy_customer(style):
    (operation,) = plan(load(USAGE, name="usage"), style).operations_for(1)
    (step,) = operation.steps
    assert (step.expects.read, operation.requests) == (60, 1)
    assert operation.worst is None or operation.worst.read <= 60


def test_it_has_as_many_items_as_its_other_parts_have_values():
    assert told_apart(USAGE, "customerId") == 720
    assert told_apart(USAGE, "customerId", "month") == 60
    assert told_apart(USAGE, "endpoint", "calls") == 60000
    listed = USAGE.replace("bytes: 30, distinct: 60", "values: [read, write]")
    assert told_apart(listed.replace("900000", "90000"), "customerId", "month") == 2


def test_it_says_nothing_where_values_are_not_stated_or_do_not_suffice():
    assert told_apart(USAGE, "calls") is None
    assert told_apart(USAGE.replace(", distinct: 60", ""), "customerId", "month") is None
    assert told_apart(USAGE, "customerId", "month") is not None
    assert told_apart(USAGE.replace("900000", "9000000"), "customerId", "month") is None
