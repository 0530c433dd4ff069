"""Nobody keeps each item twice to save a few dollars a month."""

import pytest

from designer.core.design.load import load
from designer.core.planner import plan

GUEST_BOOK = """
keywright: 1
name: Guest book
entities:
  - name: Entry
    identifier: [hotelId, entryId]
    items: 20000000
    growth_per_month: 400000
    attributes:
      - {name: hotelId, bytes: 10, distinct: 200000, busiest: 0.002}
      - {name: entryId, format: ulid}
      - {name: tongue, distinct: 12, busiest: 0.6}
      - {name: stars, type: N, format: integer, digits: 1,
         values: ["1", "2", "3", "4", "5"], shares: [0.1, 0.05, 0.1, 0.25, 0.5]}
      - {name: text, bytes: 510}
      - {name: guest, bytes: 16}
patterns:
  - {number: 1, name: Sign, kind: create, entity: Entry, rate: {average: 0.2, peak: 5}}
  - {number: 2, name: Newest entries of a hotel, kind: list, returns: Entry, limit: 20,
     where: [{attribute: hotelId, is: {param: hotelId}},
             {attribute: tongue, is: {param: tongue}, optional: true},
             {attribute: stars, any_of: {param: stars}, optional: true},
             {attribute: entryId, below: {param: before}, optional: true}],
     order: [entryId descending], rate: {average: 200, peak: 800}}
  - {number: 3, name: Strike, kind: delete, entity: Entry, rate: {average: 0.02}}
  - {number: 4, name: Entries before these, kind: list, returns: Entry, limit: 20,
     where: [{attribute: hotelId, is: {param: hotelId}},
             {attribute: tongue, is: {param: tongue}, optional: true},
             {attribute: stars, any_of: {param: stars}, optional: true},
             {attribute: entryId, after: {param: after}}],
     order: [entryId ascending], rate: {average: 20, peak: 80}}
"""


@pytest.mark.slow
def test_an_index_serves_what_a_copy_would_serve_for_a_few_dollars_less() -> None:
    made = plan(load(GUEST_BOOK), "single")
    (table,) = made.tables
    assert (len(table.items), len(table.indexes)) == (1, 1)
    assert made.cost.cheapest is not None
    assert 0 < made.cost.per_month - made.cost.cheapest < 30
