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


def all_proven(chosen, slug, style):
    design = cases.read(FOLDER, slug).design
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
    all_proven(engine(dynamodb_local), slug, style)
