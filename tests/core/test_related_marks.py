"""Related items that must have an attribute, or lack it, come from a sparse index, as a list of them does."""

from decimal import Decimal

import pytest

from designer.core.design.load import load
from designer.core.plan import STYLES
from designer.core.planner import plan
from designer.proof.prove import prove_on
from tests.core.test_along import Rows, ran
from tests.proven import in_memory

pytestmark = pytest.mark.slow

APIARIES = """
keywright: 1
name: Apiaries
entities:
  - name: Apiary
    identifier: [apiaryId]
    items: 5000
    attributes: [{name: apiaryId, bytes: 6}, {name: slope, bytes: 40}]
  - name: Comb
    identifier: IDENTIFIER
    items: 10000000
    attributes:
      - {name: apiaryId, refers_to: Apiary.apiaryId}
      - {name: combId, bytes: 8}
      - {name: sealedOn, type: N, digits: 6, present: SEALED, later: true}
      - {name: grade, values: [DARK, PALE], shares: [0.5, 0.5]}
      - {name: wax, bytes: 380}
relationships:
  - {name: holds, one: Apiary, many: Comb, by: apiaryId, IS average: 2000, most: 40000}
patterns:
  - number: 1
    name: Apiary with open combs
    kind: get
    returns: Apiary
    where: [{attribute: apiaryId, is: {param: a}}]
    with: [{relationship: holds, ALONG}]
    rate: {average: 40}
  - {number: 2, name: Hang, kind: create, entity: Comb, rate: {average: 15}}
  - {number: 3, name: Seal, kind: update, entity: Comb, set: {sealedOn: {param: day}}, rate: {average: 15}}
"""
OF_APIARY = ("[apiaryId, combId]", "identifying: true,")
OF_ITSELF = ("[combId]", "")
MISSING = "{attribute: sealedOn, missing: true}"
EXISTS = "{attribute: sealedOn, exists: true}"
LISTED = """
  - number: 4
    name: Open combs of an apiary
    kind: list
    returns: Comb
    where: [{attribute: apiaryId, is: {param: a}}, {attribute: sealedOn, missing: true}]
    rate: {average: 40}
"""


def apiaries(along: str, keyed: tuple[str, str] = OF_APIARY, sealed: str = "0.999", more: str = ""):
    text = APIARIES.replace("IDENTIFIER", keyed[0]).replace(" IS ", f" {keyed[1]} ")
    return load(text.replace("SEALED", sealed).replace("ALONG", along) + more, name="apiaries")


def hung(many: int, is_sealed) -> Rows:
    """The combs of one apiary, every other one of which is dark."""
    found: Rows = [("Apiary", {"apiaryId": "a00001", "slope": "south" * 8})]
    for n in range(many):
        comb = {"apiaryId": "a00001", "combId": f"c{n:07}", "grade": ("DARK", "PALE")[n % 2]}
        day = {"sealedOn": Decimal(n)} if is_sealed(n) else {}
        found.append(("Comb", {**comb, **day, "wax": "w" * 380}))
    return found


def combs(outcome) -> list[int]:
    return sorted(int(row["combId"][1:]) for _, row in outcome.answered.parts["holds"])


def checked(design, made):
    verdict = prove_on(in_memory(), design, made)
    assert [(p.name, p.difference) for p in verdict.patterns if p.status != "passed"] == []


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("keyed", [OF_APIARY, OF_ITSELF])
@pytest.mark.parametrize(("test", "sealed"), [(MISSING, "0.999"), (EXISTS, "0.001")])
def test_the_few_related_items_with_or_without_an_attribute_are_all_that_is_read(
    style, keyed, test, sealed
):
    design = apiaries(f"keep: [{test}]", keyed, sealed)
    made = plan(design, style)

    def is_sealed(n):
        return (n % 1000 == 7) == (test == EXISTS)

    operation, outcome, took = ran(made, hung(2000, is_sealed), {"a": "a00001"})
    assert combs(outcome) == [7, 1007]
    # Half a unit for the apiary, and half a one for two combs of about 450 bytes.
    assert (operation.requests, operation.read_units, took) == (2, 1.0, 1.0)
    assert operation.answer == "in several requests"
    assert operation.steps[-1].expects.read == pytest.approx(2)
    # Of 40,000 combs 40: about 18 KB in one Query.
    assert (operation.worst.requests, operation.worst.read) == (2, 41)
    assert 2.5 <= operation.worst.units <= 3.5
    assert not made.findings
    checked(design, made)


@pytest.mark.parametrize("style", STYLES)
def test_they_come_from_the_index_that_a_list_of_them_has(style):
    design = apiaries(f"keep: [{MISSING}]", more=LISTED)
    made = plan(design, style)
    ((index,),) = ([one.name for one in table.indexes] for table in made.tables if table.indexes)
    assert {made.operations_for(n)[0].steps[-1].index for n in (1, 4)} == {index}
    # Without the test, the pattern takes a unit as well: no structure is there for it alone.
    alone = plan(apiaries("limit: 1", more=LISTED), style)
    assert made.cost.per_month == pytest.approx(alone.cost.per_month, rel=0.1)
    checked(design, made)


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("dark", ["{attribute: grade, is: {value: DARK}}", None])
def test_they_may_be_in_an_order_with_a_limit_and_with_what_must_be_equal(style, dark):
    tests = ", ".join(filter(None, (dark, MISSING)))
    design = apiaries(f"keep: [{tests}], order: [combId descending], limit: 3", sealed="0.99")
    made = plan(design, style)
    rows = hung(2000, lambda n: n % 100 not in (4, 5))
    operation, outcome, took = ran(made, rows, {"a": "a00001"})
    assert combs(outcome) == ([1704, 1804, 1904] if dark else [1805, 1904, 1905][:3])
    assert operation.read_units <= 2
    assert took <= operation.read_units + 0.5
    checked(design, made)


@pytest.mark.parametrize("style", STYLES)
def test_where_most_related_items_have_the_attribute_no_index_is_made_for_it(style):
    text = apiaries(f"keep: [{EXISTS}], limit: 5", sealed="0.9")
    made = plan(text, style)
    assert not any(table.indexes for table in made.tables)
    checked(text, made)


@pytest.mark.parametrize("style", STYLES)
def test_the_remedy_for_what_is_tested_for_its_presence_moves_it_to_where_a_key_serves_it(style):
    """The same condition under `where` is served: nothing needs to be tested for equality."""
    tested = ", {attribute: sealedOn, missing: true}]"
    assert tested in LISTED
    kept = LISTED.replace(tested, "]\n    keep: [{attribute: sealedOn, missing: true}]")
    made = plan(apiaries("limit: 1", more=kept), style)
    (found,) = (one for one in made.findings if one.where == "patterns.4")
    remedy = found.problem.values["reasons"][-1]
    assert remedy.id == "move-to-where"
    assert remedy.values["attributes"] == ("sealedOn",)
    after = plan(apiaries("limit: 1", more=LISTED), style)
    assert not after.findings
