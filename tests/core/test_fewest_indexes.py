"""Fewest indexes for a stated part of the lowest cost more, and indexes that entities share."""

from fractions import Fraction

import pytest

from designer.core.design import gallery
from designer.core.design.document import Design
from designer.core.design.load import load
from designer.core.plan import Plan, Style
from designer.core.planner import plan


def planned(design: Design, style: Style, tolerance: float | None = None) -> Plan:
    """A plan for the lowest cost, or for the fewest indexes within a tolerance."""
    settings: dict[str, object] = {"objective": "cost"}
    if tolerance is not None:
        settings = {"objective": "indexes", "tolerance": tolerance}
    aimed = design.planner.model_copy(update=settings)
    return plan(design.model_copy(update={"planner": aimed}), style)


def indexes(found: Plan) -> int:
    return sum(len(table.indexes) for table in found.tables)


@pytest.mark.parametrize("style", ["single", "multi"])
def test_what_is_tolerated_buys_fewer_indexes(style: Style) -> None:
    # An index by e-mail and one by user name, or a second read through the guard that keeps each unique.
    accounts = gallery.load("accounts")
    cheapest = planned(accounts, style)
    assert [indexes(planned(accounts, style, part)) for part in (0, 0.05, 0.2)] == [2, 1, 0]
    for part in (0.05, 0.2):
        fewer = planned(accounts, style, part)
        assert cheapest.cost.per_month < fewer.cost.per_month
        assert fewer.cost.per_month <= cheapest.cost.per_month * (1 + part)
        assert fewer.cost.bound == pytest.approx(cheapest.cost.per_month)
        assert all(operation.answer != "not served" for operation in fewer.operations)


def test_a_tolerance_says_nothing_when_money_decides() -> None:
    accounts = gallery.load("accounts")
    settings = accounts.planner.model_copy(update={"tolerance": 1.0})
    lenient = accounts.model_copy(update={"planner": settings})
    assert plan(lenient, "multi").cost == plan(accounts, "multi").cost


TWO_KINDS = """
keywright: 1
name: Parcels and letters
entities:
  - name: Parcel
    identifier: [parcelId]
    items: 1000000
    attributes:
      - {name: parcelId, format: uuid}
      - {name: depot, distinct: 500}
      - {name: note, bytes: 300}
      - {name: weight, bytes: 8}
  - name: Letter
    identifier: [letterId]
    items: 1000000
    attributes:
      - {name: letterId, format: uuid}
      - {name: street, distinct: 500}
      - {name: NOTE, bytes: 300}
      - {name: colour, bytes: 8}
patterns:
  - {number: 1, name: Send a parcel, kind: create, entity: Parcel, rate: {average: 1}}
  - {number: 2, name: Post a letter, kind: create, entity: Letter, rate: {average: 1}}
  - number: 3
    name: Parcels of a depot
    kind: list
    returns: Parcel
    where: [{attribute: depot, is: {param: depot}}]
    attributes: [parcelId, weight]
    limit: 20
    rate: {average: 10}
  - number: 4
    name: Letters of a street
    kind: list
    returns: Letter
    where: [{attribute: street, is: {param: street}}]
    attributes: [letterId, colour]
    limit: 20
    rate: {average: 10}
  - number: 5
    name: A parcel
    kind: get
    returns: Parcel
    where: [{attribute: parcelId, is: {param: parcelId}}]
    rate: {average: 100}
  - number: 6
    name: A letter
    kind: get
    returns: Letter
    where: [{attribute: letterId, is: {param: letterId}}]
    rate: {average: 100}
"""


def test_entities_share_an_index_while_its_names_cost_nobody_anything() -> None:
    # NOTE is not note: no letter stores what the parcels' list names, nor the other way round.
    found = planned(load(TWO_KINDS), "single")
    assert indexes(found) == 1
    assert found.tables[0].indexes[0].projection.type == "INCLUDE"


def test_entities_keep_indexes_of_their_own_when_the_names_of_one_cost_the_other() -> None:
    # Both have a note, but only letters are asked for theirs: sharing would store each parcel's note once more.
    text = TWO_KINDS.replace("NOTE", "note").replace("[letterId, colour]", "[letterId, note]")
    apart = planned(load(text), "single")
    assert indexes(apart) == 2
    together = planned(load(text), "single", 0.2)
    assert indexes(together) == 1
    # 304 bytes a parcel: "note" and its 300; the month's price of a million of them is seven and a half cents.
    stored = Fraction(304 * 1_000_000, 10**9) * Fraction(1, 4)
    assert together.cost.storage_per_month - apart.cost.storage_per_month == pytest.approx(
        float(stored), abs=1e-4
    )


def test_who_shares_an_index_costs_least_in_whatever_order_entities_are_stated() -> None:
    # Letters store a weight that parcels of a depot are asked for, or the long note that those of a sender are.
    text = TWO_KINDS.replace(
        "NOTE, bytes: 300}", "note, bytes: 300}\n      - {name: weight, bytes: 8}"
    )
    text = text.replace("{name: depot,", "{name: sender, distinct: 500}\n      - {name: depot,")
    text += """
  - number: 7
    name: Parcels of a sender
    kind: list
    returns: Parcel
    where: [{attribute: sender, is: {param: sender}}]
    attributes: [parcelId, note]
    limit: 20
    rate: {average: 10}
"""
    design = load(text)
    turned = design.model_copy(update={"entities": design.entities[::-1]})
    found = [planned(one, "single", 0.2) for one in (design, turned)]
    assert [indexes(one) for one in found] == [2, 2]
    assert found[0].cost == found[1].cost
    lists = [index.projection.attributes for index in found[0].tables[0].indexes]
    assert [("colour" in names, "note" in names) for names in sorted(lists)] == [
        (True, False),
        (False, True),
    ]
