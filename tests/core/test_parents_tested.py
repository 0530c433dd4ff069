"""Conditions on a parent that comes along: tested on the parent itself where copies on its children cost more."""

import pytest

from designer.core.design.check import check
from designer.core.design.document import Design
from designer.core.examples import examples
from designer.core.examples.copied import sources
from designer.core.examples.simulate import run
from designer.core.examples.stored_items import stored_items
from designer.core.messages import say
from designer.core.plan import STYLES
from designer.core.planner import plan
from designer.core.planner.pipeline import planned_for
from designer.core.planner.rewrites.read_strategies import requirements_with
from designer.core.planner.rewrites.rewritten import as_stated
from designer.core.planner.workload.copies import asked_of_parent, with_copies
from designer.core.sentences.steps import served_by
from tests.messages import reasons_of
from tools.benchmark.published import Published, priced

ENDS = {"attribute": "on.endsAt", "from": {"param": "now"}}


def bids(moved=5, **asked):
    """A user's bids on what is still for sale, with the items; `moved` items a second get another end."""
    return Design.model_validate(
        {
            "name": "Bids",
            "entities": [
                {
                    "name": "Item",
                    "identifier": ["itemId"],
                    "items": 10_000,
                    "attributes": [
                        {"name": "itemId", "format": "uuid"},
                        {"name": "endsAt", "format": "datetime", "mutable": True},
                        {"name": "state", "format": "enum", "values": ["new", "used", "broken"]},
                        {"name": "hint", "bytes": 9, "present": 0.5},
                        {"name": "text", "bytes": 200},
                    ],
                },
                {
                    "name": "Bid",
                    "identifier": ["bidId"],
                    "items": 100_000,
                    "attributes": [
                        {"name": "bidId", "format": "uuid"},
                        {"name": "userId", "format": "uuid", "distinct": 5000},
                        {"name": "itemId", "format": "uuid", "refers_to": "Item.itemId"},
                        {"name": "amount", "type": "N", "format": "integer", "digits": 6},
                    ],
                },
            ],
            "relationships": [
                {"name": "on", "one": "Item", "many": "Bid", "by": "itemId", "average": 10}
            ],
            "patterns": [
                {
                    "number": 1,
                    "name": "What a user bids on that is still for sale",
                    "kind": "list",
                    "returns": "Bid",
                    "where": [{"attribute": "userId", "is": {"param": "userId"}}, ENDS],
                    "with": [{"relationship": "on"}],
                    "rate": {"average": 20},
                    **asked,
                },
                {
                    "number": 2,
                    "name": "Bid",
                    "kind": "create",
                    "entity": "Bid",
                    "rate": {"average": 2},
                },
                {
                    "number": 3,
                    "name": "Offer",
                    "kind": "create",
                    "entity": "Item",
                    "rate": {"average": 1},
                },
                {
                    "number": 4,
                    "name": "Move the end",
                    "kind": "update",
                    "entity": "Item",
                    "set": {"endsAt": {"param": "endsAt"}},
                    "rate": {"average": moved},
                },
            ],
        }
    )


def is_tested(made):
    return made.operations_for(1)[0].result.parts[1].required


def decision_of(made):
    (found,) = [one for one in made.decisions if one.chosen.id.startswith("tested-on")]
    return found


@pytest.mark.parametrize("style", STYLES)
def test_what_comes_along_is_tested_itself_where_copies_cost_more(style):
    """Copies: five ends a second go to ten bids each. Tested: half of a user's twenty items are read in vain."""
    made = plan(bids(), style)
    assert (made.upkeep, sources(made)) == ((), {})
    operation = made.operations_for(1)[0]
    rows, along = operation.result.parts
    assert (rows.keep, rows.required) == ((), False)
    assert ([test.attribute for test in along.keep], along.required) == (["endsAt"], True)
    queried, got = operation.steps
    assert (queried.expects.returned, got.call) == (20, "BatchGetItem")
    assert got.expects.read == 20
    assert (got.expects.units, got.expects.returned) == (10, 10)
    decision = decision_of(made)
    assert decision.about == "pattern 1"
    assert decision.chosen == say("tested-on-parent", parent="Item")
    (copies,) = decision.instead_of
    assert copies.chosen == say("tested-on-copies", child="Bid")
    assert "costs-more" in reasons_of(copies)
    assert (
        "related items of the relationship “on” kept in the application only if endsAt >= <now> and "
        "required of each row" in served_by(made, operation)
    )


@pytest.mark.parametrize("style", STYLES)
def test_copies_are_asked_where_what_they_copy_seldom_changes(style):
    """Twenty second reads of half a unit are saved of forty, for next to nothing."""
    made = plan(bids(moved=0.001), style)
    assert not is_tested(made)
    assert made.upkeep
    (along,) = decision_of(made).instead_of
    assert along.chosen == say("tested-on-parent", parent="Item")
    assert "costs-more" in reasons_of(along)


def test_both_ways_cost_what_the_decision_says():
    made = plan(bids(), "multi")
    more = reasons_of(decision_of(made).instead_of[0])["costs-more"]["usd"]
    copied = planned_for(as_stated(bids(), "multi"), requirements_with(bids()))
    assert copied.upkeep
    assert copied.cost.per_month - made.cost.per_month == pytest.approx(more, abs=0.01)


COPIED = Published.model_validate(
    {
        "style": "multi",
        "entities": {
            "Item": {"key": "itemId"},
            "Bid": {
                "key": "bidId",
                "indexes": {
                    "ByUser": {"key": "userId | itemEndsAt, bidId"},
                    "ByItem": {"key": "itemId", "holds": "keys-only"},
                },
            },
        },
    }
)


def test_published_keys_of_copies_are_priced_with_the_copies():
    made = priced(bids(), COPIED).plan
    assert not is_tested(made)
    query = made.operations_for(1)[0].steps[0]
    assert [key.attribute for key in query.where] == ["userId", "itemEndsAt_bidId"]


def test_the_conditions_move_to_what_comes_along():
    design = bids(keep=[{"attribute": "on.state", "is": {"value": "new"}}], expects=6)
    assert check(design) == ()
    carrying = with_copies(design, tested=frozenset({"on"}))
    asked = carrying.design.pattern(1)
    assert (carrying.copies, carrying.tested) == ((), ((1, "on"),))
    assert [one.attribute for one in (*asked.where, *asked.keep)] == ["userId"]
    assert [one.attribute for one in asked.with_[0].keep] == ["endsAt", "state"]
    # A range keeps half, a state a third: six of 36 rows are left.
    assert asked.expects == pytest.approx(36)


NO_USE = {
    "the rows are cut before": {"limit": 5},
    "they are in the parents' order": {"order": ["on.endsAt ascending"]},
    "a row without the parent is wanted": {
        "keep": [{"attribute": "on.hint", "not": {"param": "hint"}}]
    },
    "a parent without the attribute is wanted": {
        "keep": [{"attribute": "on.hint", "missing": True}]
    },
    "nine tenths are read in vain": {"where": [{**ENDS, "share": 0.09}]},
    "it is asked for only now and then": {"where": [{**ENDS, "optional": True}]},
    "the parents are cut otherwise": {
        "with": [{"relationship": "on", "keep": [{"attribute": "state", "is": {"value": "new"}}]}]
    },
    "nothing speaks of the parent": {"where": []},
    "only a figure is wanted": {"result": {"sum": "amount"}, "with": []},
}


@pytest.mark.parametrize("asked", NO_USE.values(), ids=NO_USE)
def test_parents_are_not_tested_where(asked):
    by_user = {"attribute": "userId", "is": {"param": "userId"}}
    if "where" in asked:
        asked = {**asked, "where": [by_user, *asked["where"]]}
    design = bids(**asked)
    pattern = design.pattern(1)
    assert not any(asked_of_parent(design, pattern, along) for along in pattern.with_)
    assert not with_copies(design, tested=frozenset({"on"})).tested


@pytest.mark.parametrize("style", STYLES)
def test_rows_whose_parent_is_not_wanted_are_not_returned(style):
    design = bids()
    made = plan(design, style)
    shown = examples(design)
    tables = {t.name: stored_items(design, made, shown, t) for t in made.tables}
    items = {item["itemId"]: item for item in shown["Item"]}
    bid = shown["Bid"][0]
    ends = items[bid["itemId"]]["endsAt"]
    for now, is_there in ((ends, True), (f"{ends}1", False)):
        trace = run(
            design, made, tables, made.operations_for(1)[0], {"userId": bid["userId"], "now": now}
        )
        assert len(trace.read) > 0
        assert ("Bid-1" in trace.returned) == is_there
