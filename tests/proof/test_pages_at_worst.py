"""A Query that finds nothing asks for no more pages, and takes no more units, than its worst case says."""

import pytest

from designer.proof.execute import execute
from designer.proof.tables import Tables
from designer.proof.values import item_to_wire
from tests.core.test_expects import OF_GUEST, OF_MUSEUM, visits
from tests.memory import Memory
from tests.runner import Runner


@pytest.mark.parametrize("many", [50, 49])
def test_the_last_page_of_a_collection_may_be_empty(many):
    """50 visits of a guest are five pages of ten, and DynamoDB says only with a sixth that there are no more."""
    made, client = visits(OF_GUEST, OF_MUSEUM, limit=5), Memory()
    runner = Runner(client, made.as_json())
    runner.create_tables()
    for at in range(many):
        row = {"visitId": f"{at:026}", "guestId": "g1", "museumId": "m1", "withId": "g2"}
        for table, item in runner.items("Visit", {**row, "report": "t" * 260}, {}):
            client.fill(table, [item_to_wire(item)])
    (operation,) = made.operations_for(1)
    (step,) = operation.steps
    outcome = execute(Tables(client, made, ""), operation, {"guest": "g1", "museum": "m2"})
    assert step.limit == 10
    assert len(outcome.calls) == (6 if many == 50 else 5)
    assert operation.worst.requests == 6
    assert operation.worst.units == 5 * 0.5 + 0.5
