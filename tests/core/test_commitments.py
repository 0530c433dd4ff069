"""What commitments save at most, worked by hand; no bill has it."""

from dataclasses import replace

import pytest

from designer.core.cost.account import Account
from designer.core.cost.bill import Bill
from designer.core.cost.commitments import commitments
from designer.core.cost.options import Changes, Options
from designer.core.design.document import Design
from designer.core.design.load import load
from designer.core.planner import plan

NOTES = """
keywright: 1
name: Notes
entities:
  - name: Note
    identifier: [noteId]
    items: 1000000
    attributes:
      - {name: noteId, format: uuid}
      - {name: text, bytes: 500}
patterns:
  - {number: 1, name: Write, kind: create, entity: Note, rate: {average: 110}}
  - number: 2
    name: Read
    kind: get
    returns: Note
    where: [{attribute: noteId, is: {param: n}}]
    rate: {average: 500}
"""


def billed(**options: object) -> Bill:
    design: Design = load(NOTES, name="notes")
    chosen = replace(Options(), **options)  # type: ignore[arg-type]
    return Account(design, plan(design, "multi")).bill(chosen, Changes())


def said(bill: Bill) -> list[tuple[str, float]]:
    return [(one.terms.split(",")[0], round(float(one.usd), 2)) for one in commitments(bill)]


def test_on_demand_a_savings_plan_takes_off_reads_and_writes() -> None:
    """250 reads and 110 writes a second: $81 and $178.20 a month, of which 18 % are $46.66."""
    assert said(billed()) == [("one year", pytest.approx(46.66, abs=0.01))]


def test_capacity_is_reserved_in_whole_blocks() -> None:
    """With all of it in use, 250 and 110 units: of these 200 and 100 can be reserved, for $18.72 and $46.80 a month."""
    bill = billed(mode="provisioned", utilisation=1)
    assert [line.read_capacity for line in bill.structures] == [250]
    assert [line.write_capacity for line in bill.structures] == [110]
    found = said(bill)
    assert found[0] == ("one year", pytest.approx(0.12 * (23.40 + 51.48), abs=0.01))
    assert found[1] == ("1 year", pytest.approx(0.54 * 65.52, abs=0.01))
    assert found[2] == ("3 years", pytest.approx(0.77 * 65.52, abs=0.01))


def test_another_table_class_cannot_be_reserved() -> None:
    bill = billed(mode="provisioned", table_class="infrequent-access")
    assert [terms for terms, _ in said(bill)] == ["one year"]


def test_what_costs_nothing_saves_nothing() -> None:
    bill = billed()
    free = replace(
        bill, structures=tuple(replace(line, usd_reads=0, usd_writes=0) for line in bill.structures)
    )
    assert said(free) == []


def test_a_commitment_is_said_with_its_terms() -> None:
    (found,) = commitments(billed())
    assert found.sentence == (
        "Database Savings Plan (one year, no upfront payment): up to $46.66 a month less."
    )
