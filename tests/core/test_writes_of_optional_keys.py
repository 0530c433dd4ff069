"""What a write finds of the optional attributes that an index is keyed by."""

import pytest

from designer.core.design.load import load
from designer.core.plan import STYLES, Style
from designer.core.planner import plan

BICYCLES = """
keywright: 1
name: Bicycles
entities:
  - name: Bicycle
    identifier: [bicycleId]
    items: 500000
    attributes:
      - {name: bicycleId, format: ulid}
      - {name: stand, bytes: 6, distinct: 300, present: 0.04, mutable: true}
      - {name: frame, bytes: 250}
patterns:
  - {number: 1, name: Bicycles at a stand, kind: list, returns: Bicycle, rate: {average: 40},
     where: [{attribute: stand, is: {param: stand}}]}
  - {number: 2, name: Write, kind: update, entity: Bicycle, WRITTEN, rate: {average: 30}}
"""
MOVED = "set: {stand: {param: new}}"


def units(written: str, style: Style) -> float:
    """Units of an update, where a bicycle and its entry in the index take one each."""
    made = plan(load(BICYCLES.replace("WRITTEN", written)), style)
    assert sum(len(table.indexes) for table in made.tables) == 1
    return made.operations_for(2)[0].write_units


@pytest.mark.parametrize(
    ("written", "entries"),
    [
        (f"given: [stand], {MOVED}", 2),  # one is deleted, one put
        (f"{MOVED}, if: [{{attribute: stand, exists: true}}]", 2),
        (f"{MOVED}, if: [{{attribute: stand, begins_with: {{value: st}}}}]", 2),
        (f"{MOVED}, if: [{{attribute: stand, not: {{value: st9999}}}}]", 1 + 0.04),
        (f"{MOVED}, if: [{{attribute: stand, missing: true}}]", 1),
        (MOVED, 1 + 0.04),
        ("given: [stand], remove: [stand]", 1),
    ],
)
@pytest.mark.parametrize("style", STYLES)
def test_what_the_caller_knows_or_demands_is_there_before_a_write(style, written, entries):
    assert units(written, style) == pytest.approx(1 + entries)
