"""The largest collection is the same, whether its most is stated or the share of its busiest value."""

import pytest

from designer.core.design.load import load
from designer.core.plan import STYLES, Operation
from designer.core.planner import plan

TEXT = """
keywright: 1
name: Tickets
entities:
  - name: Account
    identifier: [accountId]
    items: 2000
    attributes: [{name: accountId, format: uuid}]
  - name: Ticket
    identifier: [ticketId]
    items: 4000000
    attributes:
      - {name: ticketId, format: ulid}
      - {name: accountId, refers_to: Account.accountId BUSIEST}
      - {name: status, values: [NEW, OPEN, WAITING, CLOSED], shares: [0.01, 0.03, 0.02, 0.94], mutable: true}
      - {name: closedBy, bytes: 12, distinct: 500, present: 0.94, mutable: true}
relationships:
  - {name: files, one: Account, many: Ticket, by: accountId, average: 2000 MOST}
patterns:
  - number: 1
    name: Of an account
    kind: count
    returns: Ticket
    where: [{attribute: accountId, is: {param: accountId}}, CONDITION]
    rate: {average: 10}
  - {number: 2, name: File, kind: create, entity: Ticket, set: {status: {value: NEW}}, rate: {average: 5}}
"""

SAID = {
    "most": ("", ", most: 120000"),
    "busiest": (", busiest: 0.03", ""),
    "both": (", busiest: 0.03", ", most: 120000"),
    "a larger most": (", busiest: 0.03", ", most: 3000000"),
    "a larger share": (", busiest: 0.5", ", most: 120000"),
}


def asked(condition: str, said: str, style: str) -> Operation:
    busiest, most = SAID[said]
    text = TEXT.replace("CONDITION", condition).replace("BUSIEST", busiest).replace("MOST", most)
    (found,) = plan(load(text, name="tickets"), style).operations_for(1)
    return found


@pytest.mark.parametrize("said", SAID)
@pytest.mark.parametrize(
    ("condition", "share"),
    [
        ("{attribute: status, is: {value: OPEN}}", 0.03),
        ("{attribute: status, any_of: {value: [NEW, OPEN]}}", 0.04),
        ("{attribute: status, not: {value: CLOSED}}", 0.06),
        ("{attribute: status, is: {param: status}}", 0.94),
        ("{attribute: closedBy, missing: true}", 0.06),
        ("{attribute: status, is: {value: OPEN}, share: 0.05}", 0.05),
    ],
)
@pytest.mark.parametrize("style", STYLES)
def test_what_an_index_leaves_out_is_as_rare_in_the_largest_collection(
    style: str, condition: str, share: float, said: str
) -> None:
    """The largest account has 120,000 tickets, of which as many are open as anywhere."""
    found = asked(condition, said, style)
    assert found.worst is not None
    assert found.worst.read == pytest.approx(120_000 * share)
    assert bool(found.beyond) == (share > 0.5)


@pytest.mark.parametrize("style", STYLES)
def test_of_what_nothing_says_how_common_it_is_the_largest_collection_may_be_all(
    style: str,
) -> None:
    """An account may have one person for all its tickets."""
    found = asked("{attribute: closedBy, is: {param: who}}", "most", style)
    assert found.worst is not None
    assert found.worst.read == 120_000
