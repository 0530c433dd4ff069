"""Related items that are tested come from an index: one that a list of them has, or one of their own."""

import pytest

from designer.core.design.load import load
from designer.core.plan import STYLES
from designer.core.planner import plan
from designer.core.planner.pipeline import outlined
from designer.proof.engine import Engine
from designer.proof.prove import prove_on
from tests.memory import Memory

pytestmark = pytest.mark.slow

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
DEPOTS = """
keywright: 1
name: Depots with broken tools
entities:
  - name: Depot
    identifier: [depotId]
    items: 400
    attributes:
      - {name: depotId, bytes: 9}
      - {name: town, bytes: 10}
  - name: Tool
    identifier: [toolId]
    items: 800000
    attributes:
      - {name: toolId, format: uuid}
      - {name: depotId, refers_to: Depot.depotId}
      - {name: state, values: [WHOLE, WORN, BROKEN], shares: [0.8, 0.18, 0.02]}
      - {name: notes, bytes: 800, mutable: true}
relationships:
  - {name: has, one: Depot, many: Tool, by: depotId}
patterns:
  - number: 1
    name: Depot with a few broken tools
    kind: get
    returns: Depot
    where: [{attribute: depotId, is: {param: depotId}}]
    with: [{relationship: has, keep: [{attribute: state, is: {value: BROKEN}}], order: [toolId ascending], limit: 4}]
    rate: {average: 12}
  - {number: 2, name: Broken tools, kind: list, returns: Tool, where: [LISTED], rate: {average: 2}}
  - {number: 3, name: Register, kind: create, entity: Tool, rate: {average: 1}}
  - {number: 4, name: Note, kind: update, entity: Tool, set: {notes: {param: notes}}, rate: {average: 80}}
""".replace(
    "LISTED",
    "{attribute: depotId, is: {param: depotId}}, {attribute: state, is: {value: BROKEN}}",
)
PINNED = """
planner:
  pins:
    - style: {style}
      entity: Tool
      index: BrokenTools
      key: {{partition: '{{depotId}}#{{only(state, "BROKEN")}}', sort: "{{toolId}}"}}
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
def test_tested_children_have_an_index_of_their_own_where_that_costs_less(style):
    made = planned(CREWS, style)
    found, steps = of_orders(made)
    assert len(found) == 1
    assert not any(one.filter for one in steps)
    assert not any(one.beyond for one in made.operations_for(1))
    assert made.cost.per_month < 80  # with an index of all orders of a crew it costs 107 and more


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("pattern", ["list", "count", None])
def test_no_pinned_index_of_tested_children_makes_a_plan_cheaper(style, pattern):
    """Whether the same ones are listed too, counted, or asked for with their parent alone."""
    text = DEPOTS.replace("kind: list", f"kind: {pattern}")
    if pattern is None:
        text = "".join(line for line in DEPOTS.splitlines(True) if "Broken tools" not in line)
    free = planned(text, style)
    assert not any(one.beyond for one in free.operations)
    pinned = outlined(load(text + PINNED.format(style=style)), style)
    assert {one.name for table in pinned.tables for one in table.indexes} >= {"BrokenTools"}
    assert free.cost.per_month <= pinned.cost.per_month * 1.01


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("changing", ["added", "sticker"])
def test_of_two_tests_the_key_has_the_one_that_never_changes(style, changing):
    """Whichever name comes first: the other one, which changes all the time, is tested of what the key finds."""
    text = DEPOTS.replace("keep: [", f"keep: [{{attribute: {changing}, is: {{param: now}}}}, ")
    attribute = (
        f"      - {{name: {changing}, values: [RED, BLUE], mutable: true}}\n      - {{name: notes"
    )
    text = text.replace("      - {name: notes", attribute)
    text = text.replace("set: {notes:", f"set: {{{changing}: {{param: other}}, notes:")
    text = text.replace("average: 80", "average: 2000")
    made = planned(text, style)
    (step,) = (one for one in made.operations_for(1)[0].steps if one.call == "Query")
    assert changing in str(step.filter) and "state" not in str(step.filter)


@pytest.mark.parametrize("style", STYLES)
def test_a_list_of_some_children_and_a_few_of_them_in_order_have_one_index(style):
    made = planned(DEPOTS, style)
    ((index,),) = ([one.name for one in table.indexes] for table in made.tables if table.indexes)
    assert {one.index for n in (1, 2) for one in made.operations_for(n)[0].steps} == {None, index}
