"""Of a value that most items have, a read finds more than of the others, and a limit cuts off more of them."""

import pytest

from designer.core.design.document import Design
from designer.core.planner.pipeline import outlined

ROWS, OWNERS, BUSIEST, LIMIT = 2000, 50, 0.4, 60


def rows(*, by_relationship: bool, limit: int | None = None, busiest: float | None = BUSIEST):
    owner = {"name": "owner", "bytes": 8}
    if busiest is not None:
        owner["busiest"] = busiest
    row = {
        "name": "Row",
        "identifier": ["rowId"],
        "items": ROWS,
        "attributes": [
            {"name": "rowId", "bytes": 8},
            owner,
            {"name": "madeAt", "format": "datetime"},
            {"name": "text", "bytes": 1500},
        ],
    }
    listed = {
        "number": 1,
        "name": "Latest of an owner",
        "kind": "list",
        "returns": "Row",
        "where": [{"attribute": "owner", "is": {"param": "owner"}}],
        "order": ["madeAt descending"],
        "rate": {"average": 1},
    }
    if limit is not None:
        listed["limit"] = limit
    design = {"name": "Rows", "entities": [row], "patterns": [listed]}
    if by_relationship:
        design["entities"].append(
            {
                "name": "Owner",
                "identifier": ["ownerId"],
                "items": OWNERS,
                "attributes": [{"name": "ownerId", "bytes": 8}],
            }
        )
        design["relationships"] = [{"name": "has", "one": "Owner", "many": "Row", "by": "owner"}]
    else:
        owner["distinct"] = OWNERS
    return Design.model_validate(design)


def read(design):
    (operation,) = outlined(design, "multi").operations
    return operation


@pytest.mark.parametrize("limit", [None, LIMIT, 5])
def test_a_reference_counts_by_its_busiest_value_however_its_values_are_said(limit):
    by_number = read(rows(by_relationship=False, limit=limit))
    by_relationship = read(rows(by_relationship=True, limit=limit))
    assert by_relationship.read_units == by_number.read_units
    assert by_relationship.steps[0].expects == by_number.steps[0].expects


def test_who_has_most_rows_is_asked_for_more_often_than_others():
    # 40 % of the calls read 800 rows; without a busiest owner, each has 40.
    assert read(rows(by_relationship=True)).read_units > 60
    assert read(rows(by_relationship=True, busiest=None)).read_units < 9


def test_a_limit_cuts_off_items_of_the_busiest_value_and_not_of_those_that_have_fewer():
    # Two calls of five ask for the owner with 800 rows and get 60; the other owners have 24 or 25 each.
    found = BUSIEST * LIMIT + (1 - BUSIEST) * ROWS * (1 - BUSIEST) / (OWNERS - 1)
    (step,) = read(rows(by_relationship=False, limit=LIMIT)).steps
    assert found == pytest.approx(38.7, abs=0.1)
    assert step.expects.returned == step.expects.read
    assert step.expects.returned == pytest.approx(found, abs=0.01)
