"""What the conditions of an update say of the states that it finds, and what a write of many takes at the most."""

import pytest

from designer.core.design.load import load
from designer.core.plan import STYLES, Style
from designer.core.planner import plan

pytestmark = pytest.mark.slow  # it plans many designs

PARCELS = """
keywright: 1
name: Parcels
entities:
  - name: Parcel
    identifier: [parcelId]
    items: 400000
    attributes:
      - {name: parcelId, format: ksuid}
      - {name: street, bytes: 12, distinct: 60000, mutable: true}
      - {name: state, values: [NEW, OUT, HOME, LOST], shares: [0.06, 0.02, 0.82, 0.1], mutable: true}
patterns:
  - {number: 1, name: New in a street, kind: list, returns: Parcel, rate: {average: 200},
     where: [{attribute: street, is: {param: street}}, {attribute: state, is: {value: NEW}}]}
  - {number: 2, name: Change, kind: update, entity: Parcel, rate: {average: 20}, CHANGED}
planner:
  pins:
    - {entity: Parcel, index: NewByStreet, key: {partition: "{street}", sort: '{only(state, "NEW")}'}}
    - {pattern: 1, index: NewByStreet}
"""
MOVED = "set: {street: {param: other}}"
EITHER = "if: [{attribute: state, any_of: {value: [NEW, OUT]}}]"
OR = "if: [{attribute: state, is: {value: NEW}}], or: [[{attribute: state, is: {value: OUT}}]]"
NOT = "if: [{attribute: state, not: {value: HOME}}]"


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize(
    ("changed", "entries", "most"),
    [
        # Of the new and those that are out, three quarters are new.
        (f"{MOVED}, {EITHER}", 2 * 0.75, 2),
        (f"{MOVED}, {OR}", 2 * 0.75, 2),
        (f"{MOVED}, {NOT}", 2 * 0.06 / 0.18, 2),
        (f"{MOVED}, if: [{{attribute: state, any_of: {{value: [OUT, LOST]}}}}]", 0, 0),
        (f"set: {{state: {{value: HOME}}}}, {EITHER}", 0.75, 1),
        (f"set: {{state: {{value: HOME}}}}, {OR}", 0.75, 1),
        (f"set: {{state: {{value: LOST}}}}, {NOT}", 0.06 / 0.18, 1),
        # The caller knows the state, but nobody else does.
        ("set: {state: {value: HOME}}, given: [state]", 0.06, 1),
        ("set: {state: {value: HOME}}, if: [{attribute: state, is: {param: was}}]", 0.06, 1),
    ],
)
def test_conditions_say_how_many_of_the_items_are_in_a_sparse_index(
    style: Style, changed: str, entries: float, most: int
) -> None:
    (operation,) = plan(load(PARCELS.replace("CHANGED", changed)), style).operations_for(2)
    assert operation.write_units == pytest.approx(1 + entries)
    worst = operation.worst.write_units if operation.worst is not None else operation.write_units
    assert worst == 1 + most


CRATES = """
keywright: 1
name: Crates
entities:
  - name: Depot
    identifier: [depotId]
    items: 3000
    attributes:
      - {name: depotId, format: uuid}
      - {name: town, bytes: 10}
      - {name: plan, bytes: 3000, LARGEST mutable: true}
  - name: Crate
    identifier: [crateId]
    items: 900000
    attributes:
      - {name: crateId, format: ulid}
      - {name: depotId, refers_to: Depot.depotId}
      - {name: label, bytes: 8, mutable: true, unique: true}
      - {name: state, values: [HERE, GONE], mutable: true}
      - {name: shelf, bytes: 5, distinct: 1000}
relationships:
  - {name: holds, one: Depot, many: Crate, by: depotId}
patterns:
  - {number: 1, name: Take in, kind: KIND, rate: {average: 3}}
  - {number: 2, name: Crates of a shelf, kind: list, returns: Crate, limit: 20, rate: {average: 30},
     where: [{attribute: shelf, is: {param: shelf}}], order: [crateId ascending],
     with: [{relationship: holds, attributes: [town]}]}
"""
MANY = "times: {average: 2, most: 40}, each: crates"


@pytest.mark.parametrize("style", STYLES)
def test_a_write_of_many_looks_each_of_them_up_at_the_most(style: Style) -> None:
    kind = f"update, entity: Crate, by: [label], set: {{state: {{value: GONE}}}}, {MANY}"
    (operation,) = plan(
        load(CRATES.replace("KIND", kind).replace("LARGEST", "")), style
    ).operations_for(1)
    assert [step.call for step in operation.steps] == ["GetItem", "UpdateItem"]
    assert operation.worst is not None
    assert (operation.requests, operation.worst.requests) == (4, 80)
    assert (operation.read_units, operation.worst.units) == (2, 40)


@pytest.mark.parametrize("style", STYLES)
def test_a_write_of_many_gets_the_parent_of_each_at_the_most(style: Style) -> None:
    """The town of each depot is copied. A depot takes a strong unit on average, and 8 at its largest."""
    text = CRATES.replace("KIND", f"create, entity: Crate, {MANY}").replace(", unique: true", "")
    (operation,) = plan(load(text.replace("LARGEST", "most_bytes: 30000,")), style).operations_for(
        1
    )
    got, *_ = operation.steps
    assert (got.call, got.expects.units) == ("BatchGetItem", 2)
    assert operation.worst is not None
    assert (operation.worst.read, operation.worst.units) == (40, 40 * 8)
    assert operation.worst.requests == 1 + 40  # one for all parents, then each crate
