"""Related items that are tested come from an index that is there for a list of them; none is made for them alone."""

import pytest

from designer.core.design.load import load
from designer.core.plan import STYLES
from designer.core.planner import plan
from designer.proof.engine import Engine
from designer.proof.prove import prove_on
from tests.memory import Memory

CREWS = """
keywright: 1
name: Crews with open orders
entities:
  - name: Crew
    identifier: [crewId]
    items: 40000
    attributes:
      - {name: crewId, format: ulid}
      - {name: town, bytes: 12, distinct: 4000}
      - {name: title, bytes: 30}
  - name: Order
    identifier: [orderId]
    items: 12000000
    attributes:
      - {name: orderId, format: ulid}
      - {name: crewId, refers_to: Crew.crewId}
      - {name: due, format: date}
      - {name: state, values: [OPEN, OVER], shares: [0.05, 0.95], mutable: true}
      - {name: text, bytes: 250}
relationships:
  - {name: does, one: Crew, many: Order, by: crewId, average: 300, most: 60000}
patterns:
  - number: 1
    name: A crew with open orders
    kind: get
    returns: Crew
    where: [{attribute: crewId, is: {param: crewId}}]
    with: [{relationship: does, keep: [{attribute: state, is: {value: OPEN}}], order: [due ascending], limit: 5}]
    rate: {average: 5}
  - {number: 2, name: New order, kind: create, entity: Order, set: {state: {value: OPEN}}, rate: {average: 10}}
  - {number: 3, name: Do it, kind: update, entity: Order, set: {state: {value: OVER}}, rate: {average: 9}}
  - number: 4
    name: Crews of a town with open orders
    kind: list
    returns: Crew
    where: [{attribute: town, is: {param: town}}]
    with: [{relationship: does, keep: [{attribute: state, is: {value: OPEN}}]}]
    rate: {average: 1}
"""
OPEN = """
  - number: 5
    name: Open orders of a crew
    kind: list
    returns: Order
    where: [{attribute: crewId, is: {param: crewId}}, {attribute: state, is: {value: OPEN}}]
    order: [due ascending]
    limit: 50
    rate: {average: 50}
"""


def planned(text, style):
    design = load(text)
    made = plan(design, style)
    verdict = prove_on(Engine("memory", Memory()), design, made)
    assert {one.status for one in verdict.patterns} == {"passed"}
    return made


def of_orders(made):
    """The steps that find orders of crews, with the indexes that have orders."""
    steps = [one for n in (1, 4) for operation in made.operations_for(n) for one in operation.steps]
    finding = [one for one in steps if one.call == "Query" and "Order" in one.shapes]
    found = {one.index for one in finding}
    return found, finding


@pytest.mark.parametrize("style", STYLES)
def test_tested_children_come_from_the_index_that_a_list_has(style):
    made = planned(CREWS + OPEN, style)
    found, steps = of_orders(made)
    (listed,) = (one.index for one in made.operations_for(5)[0].steps)
    assert found == {listed}
    assert not any(one.filter for one in steps)
    assert all(not one.beyond for n in (1, 5) for one in made.operations_for(n))


@pytest.mark.parametrize("style", STYLES)
def test_no_index_of_open_ones_is_made_for_tested_children_alone(style):
    """Whoever wants one asks for the children in a list of their own, as the finding says."""
    made = planned(CREWS, style)
    assert all(one.filter for one in of_orders(made)[1])
    said = {one.where: one.solution for one in made.findings if one.rule == "served-on-average"}
    assert said["patterns.1"].values["remedies"][0].id == "list-related"
