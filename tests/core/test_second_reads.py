"""Where an index finds keys and a second read gets the items: how many it gets, by the plan and as traffic takes it."""

from math import ceil
from random import Random
from typing import Any

import pytest

from designer.core.design.document import Design
from designer.core.design.load import load
from designer.core.plan import Operation, Style
from designer.core.planner import plan
from designer.proof.execute import execute
from designer.proof.run_state import Call
from designer.proof.tables import Tables
from designer.proof.values import item_to_wire
from tests.memory import Memory
from tests.runner import Runner

TEXT = """
keywright: 1
name: Shops
entities:
  - name: Shop
    identifier: [shopId]
    items: 100
    attributes: [{name: shopId, bytes: 8}, {name: town, bytes: 8, distinct: 10}]
  - name: Parcel
    identifier: [parcelId]
    attributes:
      - {name: parcelId, bytes: 8}
      - {name: shop, refers_to: Shop.shopId}
      - {name: sentAt, format: datetime}
      - {name: state, values: [NEW, DONE], shares: [0.5, 0.5]}
      - {name: way, bytes: 6, distinct: 20}
      - {name: text, bytes: 3000}
relationships:
  - {name: parcels, one: Shop, many: Parcel, by: shop, average: EACH}
patterns:
  - ASKED
  - {number: 2, name: Send, kind: create, entity: Parcel, rate: {average: 2000}}
"""
NEWEST = "order: [sentAt descending], limit: 5, keep: [{attribute: state, is: {value: DONE}}]"
NOT_NEW = NEWEST.replace("is: {value: DONE}", "not: {value: NEW}")
"""The same parcels, by a condition that no key is made for."""
OF_A_SHOP = f"""
    {{number: 1, name: Parcels, kind: list, returns: Parcel, {NEWEST}, rate: {{average: 0.01}},
     where: [{{attribute: shop, is: {{param: shop}}}}, {{attribute: way, any_of: {{param: ways, count: 3}}}}]}}
"""
OF_A_TOWN = f"""
    {{number: 1, name: Parcels of a town, kind: list, returns: Shop, rate: {{average: 0.01}},
     where: [{{attribute: town, is: {{param: town}}}}], with: [{{relationship: parcels, {NOT_NEW}}}]}}
"""


def shops(pattern: str, each: int) -> Design:
    """With so many parcels of each shop."""
    return load(TEXT.replace("ASKED", pattern.strip()).replace("EACH", str(each)))


def asked(
    pattern: str, style: Style, params: dict[str, Any], number: int, each: int
) -> tuple[Operation, float]:
    """What a pattern does by the plan, and the units that it takes of rows as stated: of this number of shops."""
    operation, _, units = ran(pattern, style, params, number, each)
    return operation, units


def ran(
    pattern: str, style: Style, params: dict[str, Any], number: int, each: int
) -> tuple[Operation, list[Call], float]:
    """The same with the requests that it makes."""
    made = plan(shops(pattern, each), style)
    client = Memory()
    runner = Runner(client, made.as_json())
    runner.create_tables()
    random, stored = Random(1), {}
    rows: list[tuple[str, dict[str, Any]]] = []
    for shop in range(number):
        rows.append(("Shop", {"shopId": f"shop{shop:04}", "town": "town0001"}))
        for at in range(each):
            parcel = {
                "parcelId": f"{shop:02}{at:06}",
                "shop": f"shop{shop:04}",
                "sentAt": f"2026-{at % 12 + 1:02}-{at % 28 + 1:02}T{at % 24:02}:00:{at % 60:02}Z",
                "state": random.choice(["NEW", "DONE"]),
                "way": f"way{random.randrange(20):03}",
                "text": "x" * 3000,
            }
            rows.append(("Parcel", parcel))
    for entity, row in rows:
        for table, item in runner.items(entity, row, {}):
            stored.setdefault(table, []).append(item_to_wire(item))
    for table, items in stored.items():
        client.fill(table, items)
    operation, *_ = made.operations
    outcome = execute(Tables(client, made, ""), operation, params)  # type: ignore[arg-type]
    return operation, outcome.calls, client.units


@pytest.mark.parametrize("style", ["single", "multi"])
def test_of_what_a_list_of_values_finds_the_first_few_of_all_are_got(style: Style) -> None:
    params = {"shop": "shop0001", "ways": ["way001", "way002", "way003"]}
    operation, took = asked(OF_A_SHOP, style, params, 2, 4000)
    found, got = operation.steps
    assert (found.call, found.for_each is not None, got.call) == ("Query", True, "BatchGetItem")
    assert got.for_each is not None
    assert got.for_each.order == ("sentAt descending",)
    assert got.for_each.limit == got.expects.read == 5
    assert got.expects.worst is None
    assert took == pytest.approx(operation.read_units, rel=0.1)


@pytest.mark.parametrize("style", ["single", "multi"])
def test_what_the_last_page_of_each_row_has_beyond_the_limit_is_counted(style: Style) -> None:
    operation, took = asked(OF_A_TOWN, style, {"town": "town0001"}, 10, 400)
    _, found, got = operation.steps
    # No page has more than is needed on average, as each of its items that passes is got.
    assert (found.call, found.limit, got.call) == ("Query", 10, "BatchGetItem")
    assert got.expects.read == pytest.approx(found.expects.read / 2, rel=0.001)
    assert got.expects.read > 10 * 5
    assert took == pytest.approx(operation.read_units, rel=0.1)


ALL_OF_A_TOWN = """
    {number: 1, name: Parcels of a town, kind: list, returns: Shop, rate: {average: 0.01},
     where: [{attribute: town, is: {param: town}}], with: [{relationship: parcels}]}
"""


@pytest.mark.parametrize("each", [3, 10, 24])
@pytest.mark.parametrize("style", ["single", "multi"])
def test_items_of_several_rows_are_got_a_hundred_at_a_time(style: Style, each: int) -> None:
    """The keys of all ten shops' parcels are there before the first parcel is got."""
    operation, calls, took = ran(ALL_OF_A_TOWN, style, {"town": "town0001"}, 10, each)
    _, found, got = operation.steps
    assert (found.call, got.call, got.for_each and got.for_each.rows) == (
        "Query",
        "BatchGetItem",
        found.id,
    )
    assert found.expects.requests == 10
    made = [call.step for call in calls].count(got.id)
    assert got.expects.requests == made == ceil(10 * each / 100)
    assert operation.requests == len(calls)
    assert took == pytest.approx(operation.read_units, rel=0.1)


def test_at_worst_they_are_got_a_hundred_at_a_time_too() -> None:
    text = TEXT.replace("ASKED", ALL_OF_A_TOWN.strip()).replace("EACH", "10, most: 45")
    (operation,) = plan(load(text), "multi").operations_for(1)
    _, found, got = operation.steps
    assert found.expects.worst is None or found.expects.worst.requests == 10
    assert got.expects.worst is not None
    assert (got.expects.worst.read, got.expects.worst.requests) == (450, 5)


def test_what_an_assumed_share_does_to_them_is_told_for_all_rows_together() -> None:
    """Of 400 parcels of ten shops, 4 to 360 are got: in one request to four, beside one for shops and ten Queries."""
    tested = "relationship: parcels, keep: [{attribute: way, is: {param: way}}]}"
    text = TEXT.replace("ASKED", ALL_OF_A_TOWN.strip()).replace("relationship: parcels}", tested)
    text = text.replace("EACH", "40").replace("bytes: 6, distinct: 20", "bytes: 6")
    made = plan(load(text), "multi")
    (operation,) = made.operations_for(1)
    assert operation.steps[2].expects.read == pytest.approx(4)
    assert [step.expects.requests for step in operation.steps] == [1, 10, 1]
    (use,) = next(one.used for one in made.assumed if one.what == "share")
    assert (use.low.requests, use.high.requests) == (12, 15)


def _fill(client: Memory, runner: Runner, each: int) -> None:
    """Parcels of 40 shops, every other one done, with twenty ways in turn."""
    stored: dict[str, list[Any]] = {}
    for at in range(40 * each):
        parcel = {
            "parcelId": f"{at:08}",
            "shop": f"shop{at // each:04}",
            "sentAt": "2026-01-01T00:00:00Z",
            "state": ["NEW", "DONE"][at % 2],
            "way": f"way{at % 20:03}",
            "text": "x" * 3000,
        }
        for table, item in runner.items("Parcel", parcel, {}):
            stored.setdefault(table, []).append(item_to_wire(item))
    for table, rows in stored.items():
        client.fill(table, rows)


@pytest.mark.parametrize("style", ["single", "multi"])
@pytest.mark.parametrize(
    ("tested", "items"),
    [
        ("{attribute: state, is: {value: DONE}}", 2.5),
        ("{attribute: way, is: {value: way001}}", 0.25),
    ],
)
def test_half_an_item_more_on_average_costs_half_an_item(
    style: Style, tested: str, items: float
) -> None:
    """Each item that is got is charged by itself, and where no key is found, none is got."""
    pattern = f"""
        {{number: 1, name: Parcels, kind: list, returns: Parcel, rate: {{average: 0.01}},
         where: [{{attribute: shop, is: {{param: shop}}}}, {tested}]}}
    """
    made = plan(shops(pattern, 5), style)
    client = Memory()
    runner = Runner(client, made.as_json())
    runner.create_tables()
    _fill(client, runner, 5)
    operation, *_ = made.operations
    client.units = 0.0
    for shop in range(40):
        execute(Tables(client, made, ""), operation, {"shop": f"shop{shop:04}"})  # type: ignore[arg-type]
    found, got = operation.steps
    assert (found.call, got.call) == ("Query", "BatchGetItem")
    assert got.expects.read == pytest.approx(items)
    assert got.expects.units == pytest.approx(items / 2)
    assert client.units / 40 == pytest.approx(operation.read_units)


@pytest.mark.parametrize("style", ["single", "multi"])
@pytest.mark.parametrize(
    ("listed", "calls", "of_one"),
    # Of each shop, 2 parcels are found by a query, and got.
    [("parcelId", ["BatchGetItem"], 0.5), ("shop", ["Query", "BatchGetItem"], 1.5)],
)
def test_half_a_value_more_in_a_list_costs_half_a_request(
    style: Style, listed: str, calls: list[str], of_one: float
) -> None:
    """Two values as often as three: on average 2.5 items are got, or 2.5 queries made."""
    pattern = f"""
        {{number: 1, name: Parcels, kind: list, returns: Parcel, rate: {{average: 5000}},
         where: [{{attribute: {listed}, any_of: {{param: given, count: 2.5}}}}]}}
    """
    made = plan(shops(pattern, 2), style)
    client = Memory()
    runner = Runner(client, made.as_json())
    runner.create_tables()
    _fill(client, runner, 2)
    given = ["shop0001", "shop0002", "shop0003"]
    if listed == "parcelId":
        given = ["00000001", "00000002", "00000003"]
    operation, *_ = made.operations
    for values in (given[:2], given):
        execute(Tables(client, made, ""), operation, {"given": values})  # type: ignore[arg-type]
    assert [step.call for step in operation.steps] == calls
    assert operation.read_units == pytest.approx(2.5 * of_one)
    assert client.units / 2 == pytest.approx(operation.read_units)
