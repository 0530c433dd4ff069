"""The published designs, planned in both styles, hold on an engine."""

import pytest

from designer.core.benchmark import cases
from designer.core.plan import STYLES
from designer.core.planner import plan
from designer.proof.engine import engine
from designer.proof.prove import prove_on
from tests.core.test_published import FOLDER, NOT_SERVED

QUICK = {"aws-server-log-sharding", "awslabs-user-registration", "ddbbook-ecommerce"}
SLUGS = cases.slugs(FOLDER)


def all_proven(chosen, slug, style, composite_index_keys=None):
    design = cases.read(FOLDER, slug).design
    if composite_index_keys is not None:
        update = {"composite_index_keys": composite_index_keys}
        settings = design.planner.model_copy(update=update)
        design = design.model_copy(update={"planner": settings})
    verdict = prove_on(chosen, design, plan(design, style))
    said = {p.pattern: p.difference for p in verdict.patterns if p.status == "failed"}
    assert said == {}
    assert verdict.passed
    unserved = {p.pattern for p in verdict.patterns if p.status == "not served"}
    assert unserved <= NOT_SERVED.get(slug, set())


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize(
    "slug", [pytest.param(s, marks=() if s in QUICK else pytest.mark.slow) for s in SLUGS]
)
def test_published_designs_are_proven(slug, style):
    all_proven(engine(), slug, style)


@pytest.mark.slow
@pytest.mark.engine_local
@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("slug", SLUGS)
def test_published_designs_are_proven_on_dynamodb_local(slug, style, dynamodb_local):
    # This engine knows no index keys of several attributes; what they do, keys of one text do there.
    all_proven(engine(dynamodb_local), slug, style, "strings")
