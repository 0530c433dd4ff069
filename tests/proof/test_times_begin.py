"""Hours, days and months asked of keys that are sorted by the time are proven, also by the other runner."""

import pytest

from designer.core.plan import STYLES
from designer.proof.engine import engine
from designer.proof.prove import prove_on
from tests.core.test_planner import is_
from tests.core.test_times_begin import (
    METER,
    NEWEST,
    OF_DAY,
    OF_MONTH,
    VISIT,
    asked,
    changed,
    visits,
)
from tests.planned import outlined
from tests.proof.test_runner import run_design
from tests.proven import in_memory

DAYS = {"attribute": "day", "any_of": {"param": "days"}}
SINCE = {"attribute": "at", "from": {"param": "since"}, "share": 0.5}
PATTERNS = (
    NEWEST,
    OF_DAY,
    OF_MONTH,
    visits(METER, DAYS, order=["at ascending"], limit=3),
    visits(METER, is_("month"), is_("day")),
    visits(METER, is_("day"), SINCE, order=["at descending"]),
    visits(METER, is_("month"), order=["at descending"], limit=2),
    visits(METER, is_("state"), is_("day")),
    visits(METER, {"attribute": "day", "is": {"value": "2026-05-04"}}),
    {**visits(METER, is_("month")), "kind": "count"},
)
LATER = {
    "kind": "update",
    "entity": "Visit",
    "set": {"at": {"param": "at"}},
    "rate": {"average": 0.1},
}
GONE = {"kind": "delete", "entity": "Visit", "rate": {"average": 0.1}}
DESIGNS = {
    "kept": asked(*PATTERNS, GONE),
    "changed": asked(*PATTERNS, LATER, GONE, of=changed("at", mutable=True)),
    "optional": asked(*PATTERNS, GONE, of=changed("at", present=0.3)),
    "dates": asked(*PATTERNS, GONE, of=changed("at", format="date")),
    "own": asked(*PATTERNS, planner={"composite_index_keys": "multi-attribute"}),
    "strong": asked(
        visits(METER, is_("day"), consistency="strong"),
        visits(METER, order=["at descending"], limit=3, consistency="strong"),
        of={**VISIT, "identifier": ["meterId", "visitId"]},
    ),
}
QUICK = {"changed", "strong"}


def proven(chosen, name, style):
    design = DESIGNS[name]
    made = outlined(design, style)
    assert any(
        step.where and step.where[-1].begins_with and "day" in str(step.where[-1].begins_with)
        for operation in made.operations
        for step in operation.steps
    )
    verdict = prove_on(chosen, design, made)
    assert [(p.name, p.difference) for p in verdict.patterns if p.status != "passed"] == []
    assert verdict.passed


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=() if n in QUICK else pytest.mark.slow) for n in DESIGNS]
)
def test_the_beginning_of_a_time_is_proven(name, style):
    proven(in_memory(), name, style)


@pytest.mark.engine_local
@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("name", ["changed", "strong", "dates"])
def test_the_beginning_of_a_time_is_proven_on_dynamodb_local(name, style, dynamodb_local):
    proven(engine(dynamodb_local), name, style)


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("name", ["kept", "optional"])
def test_another_reader_of_the_plan_finds_the_same(name, style):
    run_design(in_memory(), DESIGNS[name], style)
