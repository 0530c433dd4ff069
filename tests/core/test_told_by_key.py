"""What is tested of a Query and follows from its key drops nothing: a van's number tells its depot."""

import pytest

from designer.core.design.load import load
from designer.core.plan import STYLES
from designer.core.planner import plan
from tests.core.test_along import Rows, ran

pytestmark = pytest.mark.slow  # it plans many designs

FIXES = """
keywright: 1
name: Where vans were
entities:
  - name: Depot
    identifier: [depotId]
    items: 900
    attributes: [{name: depotId, bytes: 6}, {name: address, bytes: 5000}]
  - name: Van
    identifier: [depotId, vanId]
    items: 27000
    attributes:
      - {name: depotId, refers_to: Depot.depotId}
      - {name: vanId, format: ulid}
      - {name: plate, bytes: 8}
  - name: Fix
    identifier: [vanId, at]
    items: 5400000
    attributes:
      - {name: vanId, refers_to: Van.vanId}
      - {name: depotId, refers_to: Depot.depotId}
      - {name: at, format: datetime}
      - {name: moving, type: BOOL, shares: [0.7, 0.3]}
      - {name: driver, bytes: 7, distinct: 60000}
      - {name: place, bytes: 300}
relationships:
  - {name: parks, one: Depot, many: Van, by: depotId, identifying: true, average: 30, most: 200}
  - {name: tracks, one: Van, many: Fix, by: [depotId, vanId], average: 200, most: 2500}
patterns:
  - {number: 1, name: Last fixes of vans, kind: list, returns: Fix, order: [at descending], limit: 15,
     where: [{attribute: depotId, is: {param: depot}}, VANS], rate: {average: 6}}
  - {number: 2, name: Track, kind: create, entity: Fix, rate: {average: 60}}
"""
ONE = "{attribute: vanId, is: {param: vans}}"
SOME = "{attribute: vanId, any_of: {param: vans, count: 3}}"


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize(("vans", "queries"), [(ONE, 1), (SOME, 3)])
def test_what_the_key_tells_lets_a_query_end_at_its_first_page(style, vans, queries):
    """Each of these vans has as many fixes as any, all of its depot: a page of each has fifteen of them."""
    rows: Rows = []
    for van in range(queries):
        of_van = {"vanId": f"01J00000000000000000000{van:03}", "depotId": "depot1"}
        for n in range(2500):
            at = f"2026-{n // 240 + 1:02}-{n // 10 % 24 + 1:02}T{n % 10:02}:00:00.000Z"
            told = {"moving": True, "driver": "driver1", "place": "p" * 300}
            rows.append(("Fix", {**of_van, "at": at, **told}))
    made = plan(load(FIXES.replace("VANS", vans)), style)
    names = sorted({row["vanId"] for _, row in rows})
    params = {"depot": "depot1", "vans": names if queries > 1 else names[0]}
    operation, outcome, took = ran(made, rows, params)
    assert len(outcome.answered.parts["rows"]) == 15
    assert len(outcome.calls) == operation.requests == queries
    assert took == pytest.approx(operation.read_units, rel=0.01)
    assert operation.worst is None


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize(
    "besides", ["moving, is: {value: false}", "driver, is: {param: driver}, share: 0.9"]
)
def test_what_the_key_does_not_tell_may_be_on_its_last_page(style, besides):
    """All fixes of a van may be of another driver, and none of them at a stop."""
    made = plan(load(FIXES.replace("VANS", f"{SOME}, {{attribute: {besides}}}")), style)
    operation = made.operations_for(1)[0]
    assert operation.steps[0].index is None
    assert operation.worst is not None and operation.worst.read == 3 * 2500
    assert operation.worst.requests > 100
