"""What a caller lists the identifiers of comes in one request, however many items and tables hold it."""

import pytest

from designer.core.design.document import Design
from designer.core.design.load import load
from designer.core.grid.answer import requests
from designer.core.monitoring.kinds.latency import in_turn
from designer.core.plan import STYLES, Operation, Plan
from designer.core.sentences.steps import served_by
from tests.planned import planned

PRODUCTS = """
keywright: 1
name: Products
entities:
  - name: Product
    identifier: [sku]
    items: 200000
    attributes:
      - {name: sku, bytes: 10}
      - {name: brand, bytes: 8, distinct: 900}
      - {name: price, type: N, format: decimal, digits: 8, mutable: true}
      - {name: text, bytes: 5000, most_bytes: 9000}
patterns:
  - {number: 1, name: Of a page, kind: batch_get, returns: Product, attributes: [sku, price],
     where: [{attribute: sku, any_of: {param: skus, count: 250}}], rate: {average: 1}}
  - {number: 2, name: Set price, kind: update, entity: Product, set: {price: {param: newPrice}}, rate: {average: 20}}
  - {number: 3, name: Add, kind: create, entity: Product, rate: {average: 0.1}}
  - {number: 4, name: Of a brand, kind: list, returns: Product, attributes: [sku, price],
     where: [{attribute: brand, is: {param: brand}}], order: [price ascending], limit: 10, rate: {average: 5}}
"""
LISTED = "where: [{attribute: sku, any_of: {param: skus, count: COUNT}}]"
CHEAP = "{attribute: price, below: {param: most}, share: 0.5}"
AT_ONCE = "consistency: transactional"


def products(*asked: str, count: int = 8, rate: float = 2) -> Design:
    """The products, with batches of whole ones, numbered from 5."""
    where = LISTED.replace("COUNT", str(count))
    batches = (
        f"  - {{number: {number}, name: Whole {number}, kind: batch_get, returns: Product, {where}, "
        f"{more}, rate: {{average: {rate}}}}}\n"
        for number, more in enumerate(asked, 5)
    )
    return load(PRODUCTS + "".join(batches), name="products")


BOTH = products("at_most_requests: 1", AT_ONCE)
OF_SOME = products(
    "attributes: [sku, brand, text]",
    f"keep: [{CHEAP}]",
    f"{AT_ONCE}, attributes: [text]",
)


def split_in(made: Plan) -> bool:
    return any(shape.role == "split" for table in made.tables for shape in table.items)


def of(made: Plan, number: int) -> Operation:
    (found,) = made.operations_for(number)
    return found


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize(("number", "call"), [(5, "BatchGetItem"), (6, "TransactGetItems")])
def test_both_items_of_each_identifier_come_in_one_request(style, number, call):
    made = planned(BOTH, style)
    assert split_in(made)
    found = of(made, number)
    first, other = found.steps
    assert (first.call, other.call) == (call, call)
    assert (first.goes_with, other.goes_with) == (None, first.id)
    assert first.for_each == other.for_each
    assert first.for_each.values == "skus"
    assert (found.answer, found.requests) == ("in one request", 1)
    assert [step.expects.read for step in found.steps] == [8, 8]
    assert not [one for one in made.findings if one.rule == "too-many-requests"]
    assert in_turn(found) == 1


def test_the_items_of_two_tables_too():
    first, other = of(planned(BOTH, "multi"), 6).steps
    assert first.table != other.table


@pytest.mark.parametrize("style", STYLES)
def test_a_hundred_items_are_a_request_not_a_hundred_rows(style):
    """60 products are 120 items, which take two requests; 200 are 400, which take four."""
    for count, most in ((60, 2), (200, 4)):
        found = of(planned(products("status: agreed", count=count), style), 5)
        assert len(found.steps) == 2
        assert found.requests == most


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize(("asked", "count"), [(AT_ONCE, 60), (f"{AT_ONCE}, keep: [{CHEAP}]", 8)])
def test_an_item_stays_whole_where_a_transaction_could_not_get_both(style, asked, count):
    """60 of them are 120 items; and what is tested of the one item would be known before the other is got."""
    made = planned(products(asked, count=count), style)
    assert not split_in(made)
    assert of(made, 5).answer == "in one request"


@pytest.mark.parametrize("style", STYLES)
def test_rows_that_are_tested_first_come_before_the_rest_of_them(style):
    first, other = of(planned(OF_SOME, style), 6).steps
    assert other.goes_with is None
    assert other.for_each.rows == first.id


@pytest.mark.parametrize("style", STYLES)
def test_one_request_is_said_and_shown(style):
    made = planned(BOTH, style)
    for number in (5, 6):
        found = of(made, number)
        assert "; in the same request those of the table, " in served_by(made, found).replace(
            "table ProductTexts", "the table"
        )
        (request,) = requests(made, found)
        assert request.text.count("skus") == 2
        assert {one.table for one in found.steps} == {
            t.name for t in made.tables if f'"{t.name}"' in request.text
        }


PARCELS = """
keywright: 1
name: Parcels
entities:
  - name: Person
    identifier: [personId]
    items: 40000
    attributes: [{name: personId, format: uuid}, {name: street, bytes: 30}, {name: about, bytes: 2500}]
  - name: Depot
    identifier: [depotId]
    items: 300
    attributes: [{name: depotId, bytes: 6}, {name: town, bytes: 20}]
  - name: Parcel
    identifier: [parcelId]
    items: 900000
    attributes:
      - {name: parcelId, format: ulid}
      - {name: sender, refers_to: Person.personId}
      - {name: receiver, refers_to: Person.personId}
      - {name: depotId, refers_to: Depot.depotId}
      - {name: tour, bytes: 8, distinct: 30000}
relationships:
  - {name: sends, one: Person, many: Parcel, by: sender}
  - {name: gets, one: Person, many: Parcel, by: receiver}
  - {name: lies, one: Depot, many: Parcel, by: depotId}
patterns:
  - number: 1
    name: Parcels of a tour
    kind: list
    returns: Parcel
    where: [{attribute: tour, is: {param: tour}}]
    with:
      - {relationship: sends, attributes: [street]}
      - {relationship: gets, attributes: [street]}
      - {relationship: lies, attributes: [town]}
    rate: {average: 200}
  - {number: 2, name: Send, kind: create, entity: Parcel, rate: {average: 1}}
"""


@pytest.mark.parametrize("style", STYLES)
def test_all_that_a_write_reads_by_what_it_is_given_comes_in_one_request(style):
    """A parcel carries the streets of two persons and the town of its depot: three gets, and then the put."""
    found = of(planned(load(PARCELS), style), 2)
    first, *others, put = found.steps
    assert [(step.call, step.goes_with) for step in others] == [("BatchGetItem", first.id)] * 2
    assert (first.call, first.goes_with, put.call) == ("BatchGetItem", None, "PutItem")
    assert all(step.consistent for step in found.steps[:-1])
    assert (found.requests, in_turn(found)) == (2, 2)
    # 2.5 KB of each person, and less than 100 bytes of a depot, read strongly
    assert found.read_units == 1 + 1 + 1


MEMBERS = """
keywright: 1
name: Members
entities:
  - name: Member
    identifier: [memberId]
    items: 9000
    attributes:
      - {name: memberId, format: uuid}
      - {name: code, bytes: 9, unique: true}
      - {name: badge, bytes: 9, unique: true, mutable: true}
patterns:
  - {number: 1, name: Join, kind: create, entity: Member, rate: {average: 1}}
  - {number: 2, name: Leave, kind: delete, entity: Member, by: [code], rate: {average: 1}}
"""


@pytest.mark.parametrize("style", STYLES)
def test_what_is_read_by_what_was_found_comes_after_it(style):
    """A member by the code of its card: what leads there says which item is to be read before it is deleted."""
    found = of(planned(load(MEMBERS), style), 2)
    assert [step.call for step in found.steps[:2]] == ["GetItem", "GetItem"]
    assert [step.goes_with for step in found.steps] == [None] * len(found.steps)
