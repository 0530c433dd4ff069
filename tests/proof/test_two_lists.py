"""Two lists at once are proven, and answered alike by who runs a plan from its document alone."""

import pytest

from designer.core.design.load import load
from designer.core.plan import STYLES
from designer.core.planner.pipeline import outlined
from designer.core.sentences.steps import served_by
from designer.proof.engine import engine
from designer.proof.prove import prove_on
from tests.core.test_two_lists import COUNTED, FIXED, HOSPITAL, KEY, LIMITED
from tests.proof.test_runner import run_design

pytestmark = pytest.mark.slow

PRICES = """
keywright: 1
name: Prices of products in shops
entities:
  - name: Price
    identifier: [shop, product]
    items: 5000000
    attributes:
      - {name: shop, bytes: 8, distinct: 1000}
      - {name: product, bytes: 6, distinct: 5000}
      - {name: value, type: N, digits: 6}
patterns:
  - number: 1
    name: Prices of products in shops
    kind: list
    returns: Price
    where:
      - {attribute: shop, any_of: {param: shops, count: 4}}
      - {attribute: product, any_of: {param: products, count: 30}}
    rate: {average: 5}
  - {number: 2, name: Put, kind: upsert, entity: Price, rate: {average: 1}}
"""
FIXED_IN_KEY = FIXED + LIMITED[LIMITED.index("\nplanner:") :]
DESIGNS = {
    "all": HOSPITAL,
    "limited": LIMITED,
    "counted": COUNTED,
    "fixed": FIXED,
    "fixed in the key": FIXED_IN_KEY,
    "got": PRICES,
}


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("name", DESIGNS)
def test_it_is_proven(name: str, style: str) -> None:
    design = load(DESIGNS[name])
    verdict = prove_on(engine(), design, outlined(design, style))
    assert [(one.name, one.difference) for one in verdict.patterns if one.status != "passed"] == []


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("name", DESIGNS)
def test_the_other_runner_gets_the_same(name: str, style: str) -> None:
    run_design(engine(), load(DESIGNS[name]), style)


@pytest.mark.parametrize("style", STYLES)
def test_a_query_for_the_first_of_the_lists_alone_fails(style: str) -> None:
    design = load(COUNTED)
    plan = outlined(design, style)
    document = plan.model_dump(mode="json", by_alias=True, exclude_defaults=True)
    step = document["operations"][0]["steps"][0]
    step["for_each"].pop("and_values")
    verdict = prove_on(engine(), design, type(plan).model_validate(document))
    assert verdict.patterns[0].status == "failed"


@pytest.mark.parametrize("style", STYLES)
def test_items_that_two_lists_name_are_got_in_batches(style: str) -> None:
    design = load(PRICES)
    plan = outlined(design, style)
    (step,) = plan.operations[0].steps
    assert (step.call, step.expects.read, step.expects.requests) == ("BatchGetItem", 120, 2)
    said = served_by(plan, plan.operations[0])
    assert "with a key for each value of products with each value of shops" in said


@pytest.mark.parametrize("style", STYLES)
def test_both_loops_are_said(style: str) -> None:
    assert KEY in LIMITED
    design = load(FIXED_IN_KEY)
    plan = outlined(design, style)
    said = served_by(plan, plan.operations[0])
    assert "for each of CARE and BIRTH with each value of wards" in said
