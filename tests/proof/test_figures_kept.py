"""Figures over children are right after every write, whoever runs the plan."""

from pathlib import Path

import pytest

from designer.core.design.document import Design
from designer.core.design.load import load
from designer.core.plan import STYLES
from designer.core.planner import plan
from designer.proof.engine import engine
from designer.proof.prove import prove_on
from tests.core.test_figures_kept import RAISED
from tests.proof.test_runner import run_design

ACCOUNTS = load((Path(__file__).parents[1] / "designs" / "accounts.yaml").read_text())


@pytest.mark.parametrize("style", STYLES)
def test_figures_are_kept_right(style):
    verdict = prove_on(engine(), ACCOUNTS, plan(ACCOUNTS, style))
    assert {one.pattern: one.status for one in verdict.patterns} == dict.fromkeys(
        range(1, 22), "passed"
    )


@pytest.mark.engine_local
@pytest.mark.parametrize("style", STYLES)
def test_figures_are_kept_right_on_dynamodb_local(style, dynamodb_local):
    verdict = prove_on(engine(dynamodb_local), ACCOUNTS, plan(ACCOUNTS, style))
    assert verdict.passed


@pytest.mark.parametrize("style", STYLES)
def test_the_greatest_of_a_number_that_rises_is_kept_right(style):
    design = Design.model_validate(RAISED)
    assert prove_on(engine(), design, plan(design, style)).passed
    run_design(engine(), design, style)


@pytest.mark.parametrize("style", STYLES)
def test_a_stranger_keeps_figures_right_from_the_documents(style):
    run_design(engine(), ACCOUNTS, style)
