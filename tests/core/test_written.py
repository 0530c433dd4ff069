"""Units of a write over several tables: each table takes those of its own items, wherever they are said."""

from fractions import Fraction
from math import ceil

import pytest

from designer.core.capacity.tables import Structure, peak_capacity, peaks
from designer.core.cost.account import bill
from designer.core.cost.break_even import break_evens
from designer.core.cost.options import Changes, exact
from designer.core.cost.steps import near_steps
from designer.core.cost.usage import uses
from designer.core.design import gallery
from designer.core.design.document import Design
from designer.core.design.load import load
from designer.core.dynamodb.prices import prices_of
from designer.core.monitoring import alarms
from designer.core.plan import STYLES, Plan, Style
from tests.planned import planned

BAKERY = """
keywright: 1
name: Bakery
entities:
  - name: Delivery
    identifier: [deliveryId]
    items: 40000
    attributes: [{name: deliveryId, format: uuid}, {name: route, bytes: 60}]
  - name: Crate
    identifier: [crateId]
    items: 200000
    attributes: [{name: crateId, format: uuid}, {name: label, bytes: 1500}]
  - name: Rack
    identifier: [rackId]
    items: 300
    attributes: [{name: rackId, format: uuid}, {name: loaves, type: N, mutable: true}]
patterns:
  - {number: 1, name: Delivery, kind: get, returns: Delivery,
     where: [{attribute: deliveryId, is: {param: deliveryId}}], rate: {average: 1}}
  - {number: 2, name: Crate, kind: get, returns: Crate,
     where: [{attribute: crateId, is: {param: crateId}}], rate: {average: 1}}
  - {number: 3, name: Rack, kind: get, returns: Rack,
     where: [{attribute: rackId, is: {param: rackId}}], rate: {average: 1}}
  - number: 4
    name: Load the van
    kind: transaction
    rate: {average: 2, peak: 10}
    members:
      - {create: Delivery}
      - {create: Crate, times: {average: 5, most: 20}}
      - {update: Rack, times: {average: 3, most: 9}, add: {loaves: {param: loaves}}}
"""


def bakery() -> Design:
    return load(BAKERY)


def test_the_tables_of_a_transaction_take_the_units_of_their_own_items() -> None:
    """A transaction doubles. A delivery is one unit; a crate has more than 1 KB, two; a rack is one.

    Each time 1 x 2 = 2, 5 x 4 = 20 and 3 x 2 = 6, ten times a second at the peak.
    """
    design = bakery()
    made = planned(design, "multi")
    by_hand = {"Deliveries": 20, "Crates": 200, "Racks": 60}
    assert made.operations_for(4)[0].write_units == 28
    found = peaks(design, made)
    assert {table: found[table, None][1] for table in by_hand} == by_hand
    lines = {line.place.table: line for line in bill(design, made).structures}
    assert {table: lines[table].writes.peak for table in by_hand} == by_hand


def test_items_near_a_step_of_size_are_counted_by_themselves() -> None:
    """Crates of about 1 KB: five each time, ten units, twice a second. 51,840,000 a month, $0.625 a million: $32.40."""
    design = load(BAKERY.replace("bytes: 1500", "bytes: 930"))
    found = near_steps(design, planned(design, "multi"), prices_of(design.region), Changes())
    usd = {(one.pattern, one.what): (one.usd_below, one.usd_above) for one in found}
    assert usd[4, "Crate"] == (Fraction("32.4"), Fraction("64.8"))


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("design", [gallery.load("shop"), bakery()], ids=["shop", "bakery"])
def test_bill_alarms_and_capacity_say_the_same_units(design: Design, style: Style) -> None:
    made = planned(design, style)
    for use in uses(design, made, Changes()):
        if not use.upkeep:
            (operation,) = made.operations_for(use.patterns[0])
            assert sum(use.writes.values()) == exact(operation.write_units)
    billed = written_at_peak(design, made)
    assert {at: round(units, 3) for at, (_, units) in peaks(design, made).items()} == billed
    sounding = {
        (alarm.table, alarm.index): alarm.threshold
        for alarm in alarms(design, made)
        if alarm.metric == "ConsumedWriteCapacityUnits"
    }
    assert sounding == {at: ceil(units * 60) for at, units in billed.items() if units}
    capacity = {
        (one.place.table, one.place.index): one.capacity
        for one in break_evens(bill(design, made))
        if one.kind == "writes"
    }
    deployed = peak_capacity(design, made)
    assert capacity == {at: deployed[at][1] for at in capacity}


def written_at_peak(design: Design, made: Plan) -> dict[Structure, float]:
    """Write units a second by the lines of the bill, those of local indexes with their table's."""
    found: dict[Structure, float] = {}
    for line in bill(design, made).structures:
        at = (line.place.table, None if line.kind == "local index" else line.place.index)
        found[at] = found.get(at, 0.0) + float(line.writes.peak)
    return {at: round(units, 3) for at, units in found.items()}
