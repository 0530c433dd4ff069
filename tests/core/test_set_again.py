"""An update that sets a constant more often than others take it away mostly finds it there."""

import pytest

from designer.core.design.load import load
from designer.core.plan import STYLES, Plan
from designer.core.planner import plan

PARCELS = """
keywright: 1
name: Parcels
entities:
  - name: Parcel
    identifier: [parcelId]
    items: 10000000
    attributes:
      - {name: parcelId, format: ulid}
      - {name: state, values: [NEW, MOVING, HANDED], shares: [0.04, 0.01, 0.95], mutable: true}
      - {name: depot, bytes: 4, distinct: 100, mutable: true}
      - {name: dueAt, format: datetime}
      - {name: address, bytes: 200}
patterns:
  - number: 1
    name: Overdue
    kind: list
    returns: Parcel
    where: [{attribute: state, is: {value: MOVING}}, {attribute: dueAt, below: {param: now}}]
    limit: 10
    rate: {average: 0.01}
  - {number: 2, name: Scan, kind: update, entity: Parcel, by: [parcelId], rate: {average: 80},
     set: {state: {value: MOVING}, depot: {param: depot}}}
  - {number: 3, name: Hand over, kind: update, entity: Parcel, by: [parcelId], rate: {average: 6},
     set: {state: {value: HANDED}}}
  - {number: 4, name: Announce, kind: create, entity: Parcel, rate: {average: 2}}
"""


def written(made: Plan, number: int) -> float:
    """Units of one write beyond those of the table."""
    (found,) = made.operations_for(number)
    return found.write_units - 1


@pytest.mark.parametrize("style", STYLES)
def test_an_index_on_what_is_set_again_is_not_written_each_time(style):
    made = plan(load(PARCELS), style)
    (index,) = (index for table in made.tables for index in table.indexes)
    assert index.projection.type == "KEYS_ONLY"  # a change of the depot leaves it as it is
    assert written(made, 2) == pytest.approx((6 + 2) / 80)  # as often as others, or new parcels


def test_what_lies_under_a_changing_value_is_moved_each_time():
    text = PARCELS.replace(
        "{attribute: dueAt, below: {param: now}}", "{attribute: depot, is: {param: depot}}"
    ).replace("rate: {average: 0.01}", "rate: {average: 200}")
    assert written(plan(load(text), "multi"), 2) == pytest.approx(1 + 1 - 8 / 80)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("rate: {average: 80}", "rate: {average: 8}"),  # as often as it can find another value
        (", rate: {average: 6}", ""),  # nobody says how often it is taken away
        ("kind: create, entity: Parcel,", "kind: delete, entity: Parcel, by: [parcelId],"),
    ],
)
def test_each_update_changes_the_value_where_rates_do_not_say_otherwise(old, new):
    assert old in PARCELS
    made = plan(load(PARCELS.replace(old, new)), "multi")
    assert written(made, 2) == pytest.approx(1 + 0.01)


def test_an_update_that_demands_another_value_always_changes_it():
    demanded = "if: [{attribute: state, is: {value: NEW}}], set: {state: {value: MOVING}"
    text = PARCELS.replace("set: {state: {value: MOVING}", demanded)
    assert written(plan(load(text), "multi"), 2) == 1
