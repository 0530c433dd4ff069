"""What an update with a value that its caller chooses writes in an index of some values, as a simulation counts it."""

from random import Random

import pytest

from designer.core.design.load import load
from designer.core.plan import STYLES
from designer.core.planner import plan

pytestmark = pytest.mark.slow

VENTS = """
keywright: 1
name: Glasshouse
entities:
  - name: Vent
    identifier: [ventId]
    items: 40000
    attributes:
      - {name: ventId, format: uuid}
      - {name: house, bytes: 6, distinct: 400}
      - {name: mode, values: [JAMMED, LEAKING, LOOSE], shares: [0.6, 0.3, 0.1], mutable: true PRESENT}
      - {name: sketch, bytes: 400}
patterns:
  - number: 1
    name: Jammed
    kind: list
    returns: Vent
    where: [{attribute: house, is: {param: house}}, {attribute: mode, is: {value: JAMMED}}]
    rate: {average: 50}
  - {number: 2, name: Report, kind: update, entity: Vent, set: {mode: {param: mode}}, IF rate: {average: 8}}
  - {number: 3, name: Settle, kind: update, entity: Vent, AFTER rate: {average: 8}}
"""
SHARES = {"JAMMED": 0.6, "LEAKING": 0.3, "LOOSE": 0.1}
PRESENT = 0.05
STEPS = 12_000


def another(dice: Random, value: str | None) -> str:
    """One of the values, as often as vents have them, but not the one that there is."""
    others = {name: share for name, share in SHARES.items() if name != value}
    return dice.choices(list(others), list(others.values()))[0]


def simulated(report: str, settle: str, *, rare: bool) -> tuple[float, float]:
    """Entries of JAMMED that a report and a settlement put and delete, if each is of vents as its condition says."""
    dice = Random(7)
    vents = [
        another(dice, None) if not rare or dice.random() < PRESENT else None for _ in range(200)
    ]
    fits = {
        "": lambda _: True,
        "missing": lambda value: value is None,
        "exists": lambda value: value is not None,
        "LEAKING": lambda value: value == "LEAKING",
        "others": lambda value: value != "LEAKING",
    }
    written = [0, 0]
    for _ in range(STEPS):
        for at, condition in enumerate((report, settle)):
            one = dice.randrange(len(vents))
            while not fits[condition](vents[one]):
                one = dice.randrange(len(vents))
            before = vents[one]
            vents[one] = another(dice, before) if at == 0 else None if rare else "LEAKING"
            written[at] += (before == "JAMMED") + (vents[one] == "JAMMED")
    return written[0] / STEPS, written[1] / STEPS


@pytest.mark.parametrize(
    ("condition", "known", "rare"),
    [
        ("if: [{attribute: mode, missing: true}],", "missing", True),
        ("", "", True),
        ("if: [{attribute: mode, is: {value: LEAKING}}],", "LEAKING", False),
    ],
)
@pytest.mark.parametrize("style", STYLES)
def test_an_index_of_one_value_is_written_as_often_as_callers_choose_it(
    condition, known, rare, style
):
    after = "remove: [mode], if: [{attribute: mode, exists: true}],"
    if not rare:
        after = "set: {mode: {value: LEAKING}}, if: [{attribute: mode, any_of: {value: [JAMMED, LOOSE]}}],"
    text = VENTS.replace(" PRESENT", f", present: {PRESENT}" if rare else "")
    made = plan(load(text.replace("IF", condition).replace("AFTER", after)), style)
    (index,) = (one for table in made.tables for one in table.indexes)
    assert index.sparse
    operations = [made.operations_for(number)[0] for number in (2, 3)]
    expected = simulated(known, "exists" if rare else "others", rare=rare)
    assert [one.write_units - 1 for one in operations] == pytest.approx(expected, rel=0.06)
    assert operations[0].worst.write_units == 2  # in or out: never from one key to another
