"""What another value of an assumed figure would change, with all that a pattern reads besides."""

import pytest

from designer.core.design.load import load
from designer.core.plan import Operation, Plan
from designer.core.planner import plan

SHELVES = """
keywright: 1
name: Shelves
entities:
  - name: Book
    identifier: [bookId]
    items: 40000
    attributes: [{name: bookId, format: ulid}, {name: blurb, bytes: 300}]
  - name: Reader
    identifier: [readerId]
    items: 5000
    attributes: [{name: readerId, format: uuid}, {name: motto, bytes: 60}]
  - name: Loan
    identifier: [readerId, bookId]
    items: 1000000
    attributes: [{name: readerId, refers_to: Reader.readerId}, {name: bookId, refers_to: Book.bookId}]
relationships:
  - {name: borrows, one: Reader, many: Loan, by: readerId, average: 200}
  - {name: isLent, one: Book, many: Loan, by: bookId, average: 25}
patterns:
  - {number: 1, name: Lend, kind: create, entity: Loan, rate: {average: 5}}
  - number: 2
    name: Loans with their books
    kind: list
    returns: Loan
    where:
      - {attribute: readerId, is: {param: reader}}
      - {attribute: bookId, below: {param: before}}
    order: [bookId descending]
    limit: 40
    with: [{relationship: isLent}]
    rate: {average: 20}
"""
BELOW = "below: {param: before}"


def planned(share: float | None, style: str) -> Plan:
    stated = BELOW if share is None else f"{BELOW}, share: {share}"
    assert SHELVES.count(BELOW) == 1
    return plan(load(SHELVES.replace(BELOW, stated), name="shelves"), style)


def of_loans(made: Plan) -> Operation:
    return next(one for one in made.operations if one.pattern == 2)


@pytest.mark.parametrize("style", ["single", "multi"])
def test_an_assumed_share_changes_what_comes_along_with_the_rows(style: str) -> None:
    """The books follow the rows: at both ends the whole pattern takes what a plan with that share says."""
    made = planned(None, style)
    (share,) = (one for one in made.assumed if one.what == "share")
    (use,) = share.used
    few, many = planned(share.low, style), planned(share.high, style)
    assert of_loans(few).requests == 2
    assert 10 * of_loans(few).read_units < of_loans(many).read_units
    for effect, other in ((use.low, few), (use.high, many)):
        found = of_loans(other)
        assert (effect.requests, effect.units) == (found.requests, found.read_units)
    between = many.cost.per_month - few.cost.per_month
    assert share.usd_per_month == pytest.approx(between, abs=0.01)
