"""Copies are proven: with the consumer of the streams every table is as it must be, without it none of this holds."""

from pathlib import Path

import pytest

from designer.core.design.load import load
from designer.core.plan import STYLES
from designer.core.planner import plan
from designer.proof.engine import engine
from designer.proof.prove import prove_on
from tests.core.test_copies import order_items
from tests.proof.test_runner import run_design

AUCTIONS = load((Path(__file__).parents[1] / "designs" / "auctions.yaml").read_text())


@pytest.mark.parametrize("style", STYLES)
def test_copies_are_kept_right(style):
    verdict = prove_on(engine(), AUCTIONS, plan(AUCTIONS, style))
    assert {one.pattern: one.status for one in verdict.patterns} == dict.fromkeys(
        range(1, 13), "passed"
    )


@pytest.mark.engine_local
@pytest.mark.parametrize("style", STYLES)
def test_copies_are_kept_right_on_dynamodb_local(style, dynamodb_local):
    verdict = prove_on(engine(dynamodb_local), AUCTIONS, plan(AUCTIONS, style))
    assert verdict.passed


def test_without_the_consumer_the_copies_are_wrong():
    made = plan(AUCTIONS, "single").model_copy(update={"upkeep": ()})
    verdict = prove_on(engine(), AUCTIONS, made)
    failed = {one.pattern for one in verdict.patterns if one.status == "failed"}
    assert failed == {6, 8, 9}  # who moves, a region that is renamed, who leaves


@pytest.mark.parametrize("style", STYLES)
def test_parents_that_come_along_from_copies_are_those_that_are_there(style):
    design = order_items(renamed=0.001, along=["colour", "name"])
    made = plan(design, style)
    assert made.operations_for(1)[0].result.parts[1].take
    assert prove_on(engine(), design, made).passed
    run_design(engine(), design, style)


@pytest.mark.parametrize("style", STYLES)
def test_a_stranger_keeps_copies_right_from_the_documents(style):
    run_design(engine(), AUCTIONS, style)
