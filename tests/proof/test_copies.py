"""Copies are proven: with the consumer of the streams every table is as it must be, without it none of this holds."""

from pathlib import Path

import pytest

from designer.core.design.load import load
from designer.core.plan import STYLES
from designer.proof.engine import engine
from designer.proof.prove import prove_on
from tests.core.test_copies import MOVE, order_items, shop, whole_items
from tests.core.test_parents_tested import bids, is_tested
from tests.planned import outlined
from tests.proof.test_runner import run_design

AUCTIONS = load((Path(__file__).parents[1] / "designs" / "auctions.yaml").read_text())


@pytest.mark.parametrize("style", STYLES)
def test_copies_are_kept_right(style):
    verdict = prove_on(engine(), AUCTIONS, outlined(AUCTIONS, style))
    assert {one.pattern: one.status for one in verdict.patterns} == dict.fromkeys(
        range(1, 13), "passed"
    )


@pytest.mark.engine_local
@pytest.mark.parametrize("style", STYLES)
def test_copies_are_kept_right_on_dynamodb_local(style, dynamodb_local):
    verdict = prove_on(engine(dynamodb_local), AUCTIONS, outlined(AUCTIONS, style))
    assert verdict.passed


@pytest.mark.parametrize("style", STYLES)
def test_children_found_as_whole_copies_are_kept_right_under_both_keys(style):
    """What a consumer finds under another key tells neither key of the item itself: both follow from its attributes."""
    strong = {"consistency": "strong", "at_most_requests": 1, "rate": {"average": 1}}
    asked = [
        {
            **strong,
            "number": number,
            "name": f"By {attribute}",
            "kind": kind,
            "returns": "Item",
            "where": [{"attribute": attribute, "is": {"param": attribute}}],
        }
        for number, kind, attribute in ((4, "list", "sellerId"), (5, "get", "itemId"))
    ]
    change = {"number": 6, "name": "Write", "kind": "update", "entity": "Item"}
    change |= {"set": {"text": {"param": "text"}}, "rate": {"average": 5}}
    design = shop(MOVE, *asked, change)
    made = outlined(design, style)
    (copy,) = [shape.shape for t in made.tables for shape in t.items if shape.role == "copy"]
    assert made.upkeep[0].steps[0].shapes == (copy,)
    assert prove_on(engine(), design, made).passed


@pytest.mark.parametrize("style", STYLES)
def test_whole_items_are_read_from_an_index_without_the_copies_of_others(style):
    assert prove_on(engine(), whole_items(), outlined(whole_items(), style)).passed


def test_without_the_consumer_the_copies_are_wrong():
    made = outlined(AUCTIONS, "single").model_copy(update={"upkeep": ()})
    verdict = prove_on(engine(), AUCTIONS, made)
    failed = {one.pattern for one in verdict.patterns if one.status == "failed"}
    assert failed == {6, 8, 9}  # who moves, a region that is renamed, who leaves


@pytest.mark.parametrize("style", STYLES)
def test_parents_that_come_along_from_copies_are_those_that_are_there(style):
    design = order_items(renamed=0.001, along=["colour", "name"])
    made = outlined(design, style)
    assert made.operations_for(1)[0].result.parts[1].take
    assert prove_on(engine(), design, made).passed
    run_design(engine(), design, style)


@pytest.mark.parametrize("style", STYLES)
def test_a_stranger_keeps_copies_right_from_the_documents(style):
    run_design(engine(), AUCTIONS, style)


TESTED = {
    "by a range": bids(),
    "by two conditions, and in order": bids(
        keep=[{"attribute": "on.state", "any_of": {"param": "states"}}],
        order=["amount descending"],
    ),
    "by what may be missing, strongly": bids(
        moved=50,
        keep=[{"attribute": "on.hint", "exists": True}],
        consistency="strong",
        attributes=["bidId"],
        **{"with": [{"relationship": "on", "attributes": ["text"]}]},
    ),
}
every_way = pytest.mark.parametrize("design", TESTED.values(), ids=TESTED)


@every_way
@pytest.mark.parametrize("style", STYLES)
def test_rows_are_those_whose_parent_is_as_it_is_asked(design, style):
    made = outlined(design, style)
    assert is_tested(made)
    assert prove_on(engine(), design, made).passed
    run_design(engine(), design, style)


@pytest.mark.engine_local
@every_way
@pytest.mark.parametrize("style", STYLES)
def test_parents_are_tested_on_dynamodb_local(design, style, dynamodb_local):
    assert prove_on(engine(dynamodb_local), design, outlined(design, style)).passed
    run_design(engine(dynamodb_local), design, style)


def test_a_row_is_wrong_whose_parent_is_not_asked():
    design = TESTED["by a range"]
    made = outlined(design, "multi")
    operation = made.operations_for(1)[0]
    rows, along = operation.result.parts
    loose = operation.result.model_copy(
        update={"parts": (rows, along.model_copy(update={"required": False}))}
    )
    wrong = operation.model_copy(update={"result": loose})
    operations = tuple(wrong if one is operation else one for one in made.operations)
    verdict = prove_on(engine(), design, made.model_copy(update={"operations": operations}))
    assert {one.pattern for one in verdict.patterns if one.status == "failed"} == {1}
