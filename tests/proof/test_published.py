"""The published designs, planned in both styles, hold on an engine."""

from functools import cache
from itertools import cycle

import pytest

from designer.core.plan import STYLES
from designer.core.planner.pipeline import outlined, plan
from designer.proof.engine import engine
from designer.proof.prove import prove_on
from tests.core.test_published import FOLDER, case
from tests.proven import in_memory
from tools.benchmark import cases
from tools.benchmark.published import as_published, priced, read_keys

QUICK = {"aws-server-log-sharding", "awslabs-user-registration", "ddbbook-ecommerce"}
SLUGS = cases.slugs(FOLDER)


@cache
def ours(slug, style):
    """Our plan, without reasons, which nothing here asks for."""
    return plan(case(slug).design, style, reasons="findings")


def proves(chosen, design, made):
    verdict = prove_on(chosen, design, made)
    assert {p.pattern: p.difference for p in verdict.patterns if p.status == "failed"} == {}
    assert set(verdict.count) <= {"passed", "elsewhere"}
    assert verdict.passed


some_quick = pytest.mark.parametrize(
    "slug", [pytest.param(s, marks=() if s in QUICK else pytest.mark.slow) for s in SLUGS]
)


@pytest.mark.parametrize("style", STYLES)
@some_quick
def test_our_plans_of_published_designs_are_proven(slug, style):
    proves(in_memory(), case(slug).design, ours(slug, style))


@some_quick
def test_what_was_published_is_proven_once_it_is_repaired(slug):
    design = as_published(case(slug).design, read_keys(FOLDER, slug))
    proves(in_memory(), design, priced(case(slug).design, read_keys(FOLDER, slug)).plan)


@pytest.mark.slow
@pytest.mark.engine_local
@pytest.mark.parametrize(("slug", "style"), [*zip(SLUGS, cycle(STYLES), strict=False)])
def test_our_plans_of_published_designs_are_proven_on_dynamodb_local(slug, style, dynamodb_local):
    design = case(slug).design
    if design.planner.composite_index_keys == "strings":
        made = ours(slug, style)
    else:
        # This engine knows no index keys of several attributes; what they do, keys of one text do there.
        settings = design.planner.model_copy(update={"composite_index_keys": "strings"})
        design = design.model_copy(update={"planner": settings})
        made = outlined(design, style)
    proves(engine(dynamodb_local), design, made)
