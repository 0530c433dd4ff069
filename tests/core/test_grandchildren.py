"""Children of many parents that are found by the grandparent: by a copy of its identifier, or parent by parent."""

from decimal import Decimal
from random import Random
from typing import Any

import pytest

from designer.core.design.load import load
from designer.core.errors import DesignError
from designer.core.plan import STYLES, Operation, Plan, Style
from designer.core.planner.pipeline import outlined
from designer.proof.execute import execute
from designer.proof.tables import Tables
from designer.proof.values import item_to_wire
from tests.core.test_two_lists import Counting
from tests.runner import Runner

pytestmark = pytest.mark.slow

CUSTOMERS, ORDERS, LINES = 100, 10, 3
MOST_ORDERS, MOST_LINES = 60, 40
SHOP = f"""
keywright: 1
name: Shop
entities:
  - name: Customer
    identifier: [customerId]
    items: {CUSTOMERS}
    attributes: [{{name: customerId, bytes: 6}}]
  - name: Order
    identifier: [orderId]
    items: {CUSTOMERS * ORDERS}
    attributes:
      - {{name: orderId, bytes: 6}}
      - {{name: customerId, refers_to: Customer.customerId}}
      - {{name: note, bytes: 60}}
  - name: Line
    identifier: [orderId, line]
    items: {CUSTOMERS * ORDERS * LINES}
    attributes:
      - {{name: orderId, refers_to: Order.orderId}}
      - {{name: line, type: N, format: integer, digits: 2}}
      - {{name: product, bytes: 120}}
relationships:
  - {{name: places, one: Customer, many: Order, by: customerId, average: {ORDERS}, most: {MOST_ORDERS}}}
  - {{name: has, one: Order, many: Line, by: orderId, identifying: true, average: {LINES}, most: {MOST_LINES}}}
patterns:
  - number: 1
    name: Lines of a customer
    kind: list
    returns: Line
    where: [{{attribute: has.customerId, is: {{param: customerId}}}}]
    rate: {{average: 5}}
  - number: 2
    name: Place
    kind: transaction
    members: [{{create: Order}}, {{create: Line, times: {{average: 3, most: 40}}, each: lines}}]
    rate: {{average: 1}}
  - number: 3
    name: An order
    kind: get
    returns: Order
    where: [{{attribute: orderId, is: {{param: orderId}}}}]
    rate: {{average: 5}}
  - number: 4
    name: A line
    kind: get
    returns: Line
    where: [{{attribute: orderId, is: {{param: orderId}}}}, {{attribute: line, is: {{param: line}}}}]
    rate: {{average: 5}}
planner: {{items: as-stated}}
"""
FOUND = "    returns: Line\n    where: [{attribute: has.customerId, is: {param: customerId}}]\n"
BY_ORDERS = SHOP.replace(
    FOUND,
    "    returns: Order\n    where: [{attribute: customerId, is: {param: customerId}}]\n"
    "    with: [{relationship: has}]\n",
)


def _shop(random: Random) -> tuple[dict[int, list[int]], dict[int, int]]:
    """The orders of each customer, the first of whom has the most; and the lines of each order."""
    orders: dict[int, list[int]] = {0: list(range(MOST_ORDERS))}
    lines = dict.fromkeys(orders[0], MOST_LINES)
    for customer in range(1, CUSTOMERS):
        orders[customer] = []
        for _ in range(random.randrange(2 * ORDERS + 1)):
            orders[customer].append(len(lines))
            lines[len(lines)] = random.randrange(1, 2 * LINES)
    return orders, lines


def _took(text: str, style: Style) -> tuple[Operation, list[tuple[int, int, float]]]:
    """The operation, and the Queries, items and read units that it takes for each customer, the largest first."""
    plan: Plan = outlined(load(text), style)
    client = Counting()
    runner = Runner(client, plan.as_json())
    runner.create_tables()
    stored: dict[str, list[dict[str, Any]]] = {}

    def store(entity: str, item: dict[str, Any], parents: dict[str, list[Any]]) -> None:
        for table, found in runner.items(entity, item, parents):
            stored.setdefault(table, []).append(item_to_wire(found))

    orders, lines = _shop(Random(3))
    for customer, placed in orders.items():
        for at in placed:
            order = {"orderId": f"o{at:05}", "customerId": f"c{customer:05}", "note": "x" * 60}
            store("Order", order, {})
            for n in range(lines[at]):
                line = {"orderId": f"o{at:05}", "line": Decimal(n), "product": "x" * 120}
                store("Line", line, {"Order": [order]})
    for table, items in stored.items():
        client.fill(table, items)
    tables, took = Tables(client, plan, ""), []
    for customer in orders:
        client.units, client.queries, client.read = 0.0, 0, 0
        execute(tables, plan.operations[0], {"customerId": f"c{customer:05}"})
        took.append((client.queries, client.read, client.units))
    return plan.operations[0], took


def _is_right(operation: Operation, took: list[tuple[int, int, float]], rounding: float) -> None:
    """Whether figures are those of usual customers on average, and at worst those of the largest one."""
    largest, *usual = took
    requests, read, units = (sum(each) / len(usual) for each in zip(*usual, strict=True))
    steps = operation.steps
    assert sum(one.expects.requests for one in steps) == pytest.approx(requests, rel=0.12)
    assert sum(one.expects.read for one in steps) == pytest.approx(read, rel=0.12)
    assert operation.read_units == pytest.approx(units, rel=0.12, abs=rounding)
    worst = operation.worst
    assert worst is not None
    assert worst.requests == pytest.approx(largest[0], abs=1)
    assert worst.read == pytest.approx(largest[1], rel=0.01)
    assert worst.units == pytest.approx(largest[2], rel=0.05, abs=1)


@pytest.mark.parametrize("style", STYLES)
def test_lines_lie_under_a_copy_of_the_customer(style: Style) -> None:
    operation, took = _took(SHOP, style)
    (step,) = operation.steps
    assert (step.call, step.for_each) == ("Query", None)
    _is_right(operation, took, 0.5)
    assert step.expects.worst is not None
    assert step.expects.worst.read == MOST_ORDERS * MOST_LINES


@pytest.mark.parametrize("style", STYLES)
def test_or_each_order_brings_its_own(style: Style) -> None:
    operation, took = _took(BY_ORDERS, style)
    first, *others = operation.steps
    assert first.for_each is None
    _is_right(operation, took, 1 + 0.5 * ORDERS)
    if others:
        (each,) = others
        assert each.for_each is not None
        assert each.for_each.rows == first.id
        assert each.expects.requests == pytest.approx(ORDERS)


@pytest.mark.parametrize("style", STYLES)
def test_the_customers_own_identifier_is_no_copy_of_a_copy(style: Style) -> None:
    longer = SHOP.replace("has.customerId", "has.places.customerId")
    plans = [outlined(load(text), style) for text in (SHOP, longer)]
    assert plans[0].as_json()["tables"] == plans[1].as_json()["tables"]


@pytest.mark.parametrize("said", ["customerId", "places.customerId", "order.customerId"])
def test_another_path_is_refused_with_the_one_that_works(said: str) -> None:
    with pytest.raises(DesignError, match=r"or write `has\.customerId`"):
        load(SHOP.replace("has.customerId", said))


def test_grandchildren_that_do_not_come_along_are_refused_with_a_list_of_them() -> None:
    where = "    returns: Customer\n    where: [{attribute: customerId, is: {param: customerId}}]\n"
    text = SHOP.replace("kind: list", "kind: get").replace(
        FOUND, where + "    with: [{relationship: places}, {relationship: has}]\n"
    )
    with pytest.raises(DesignError, match=r"or list Line where `has\.customerId` is given"):
        load(text)
