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


SET_TOGETHER = """
keywright: 1
name: Umbrellas
entities:
  - name: Umbrella
    identifier: [umbrellaId]
    items: 400000
    attributes:
      - {name: umbrellaId, format: ulid}
      - {name: hook, bytes: 6, distinct: 200, present: 0.1, mutable: true}
      - {name: hungAt, format: datetime, present: 0.4, mutable: true}
      - {name: colour, bytes: 250}
patterns:
  - {number: 1, name: Latest of a hook, kind: list, returns: Umbrella, rate: {average: 40}, limit: 5,
     where: [{attribute: hook, is: {param: hook}}], order: [hungAt descending]}
  - {number: 2, name: Hang up, kind: update, entity: Umbrella, set: {hook: {param: hook}HUNG}, rate: {average: 9}}
  - {number: 3, name: Take, kind: update, entity: Umbrella, remove: [hook], rate: {average: 9}}
  - {number: 4, name: Lose, kind: update, entity: Umbrella, given: [hook], remove: [LOST], rate: {average: 0.1}}
  - {number: 5, name: Buy, kind: create, entity: Umbrella, rate: {average: 1}}
"""


@pytest.mark.parametrize(
    ("hung", "lost", "hooked"),
    [
        # Nine tenths of nine umbrellas a second are hung up, and a tenth of one that is bought hangs.
        (", hungAt: {param: now}", "hook", (8.1 + 0.1 * 0.4) / 8.2),
        (", hungAt: {param: now}", "hungAt", 0.4),  # some hang without a time
        ("", "hook", 0.4),
    ],
)
def test_what_an_update_sets_together_is_there_together(hung, lost, hooked):
    text = SET_TOGETHER.replace("HUNG", hung).replace("LOST", lost)
    made = plan(load(text), "multi")
    ((index,),) = (table.indexes for table in made.tables)
    assert [key.name for key in (*index.partition, *index.sort)] == ["hook", "hungAt"]
    before = made.operations_for(2)[0].write_units
    assert before == pytest.approx(1 + (1 if hung else hooked) + 0.1 * hooked, abs=0.05)
    # As many are taken as are hung up, so each of these has a hook.
    assert made.operations_for(3)[0].write_units == pytest.approx(1 + hooked, abs=1e-3)
