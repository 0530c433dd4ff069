"""The planner's choice against every key there is, on small designs made up at random."""

from collections.abc import Callable
from random import Random

import pytest

from designer.core.design.document import Design
from designer.core.plan import STYLES, Plan
from designer.core.planner import accesses, candidates, choice, indexes, plan
from tests.designs_small import joined, small
from tests.enumerator import cheapest

FEW, MANY = 30, 150
"""Designs for which a missing family is looked for, and of each sort in the slow test; the bench takes 2,000."""
FAST = (0, 1, 48, 641, 741, 972, 1069, 1426, 1499, 1508, 1775, 1892)
"""The fast test's; most of them take what few designs do, as a union of lists that only three readers make."""


def differences(seed: int, of: Callable[[Random], Design] = small) -> list[str]:
    """For each style in which a design's plan costs another sum than the cheapest keys: what they cost."""
    design = of(Random(seed))
    said = []
    for style in STYLES:
        made = plan(design, style)
        unserved, usd = cheapest(design, style)
        # Which entities share an index is settled after the choice, for half a cent at the most.
        near = 2e-4 if len(design.entities) == 1 else 5e-3
        same = made.cost.per_month == pytest.approx(usd, abs=near, rel=1e-6)
        # Items that are split in two are not among what is formed here: they have to cost less than whole ones.
        is_split = any(shape.role == "split" for table in made.tables for shape in table.items)
        same = same or (is_split and made.cost.per_month < usd)
        if unserved != not_served(made) or not same:
            said.append(f"design {seed} {style}: planned {made.cost.per_month}, found {usd:.4f}")
    return said


def not_served(made: Plan) -> int:
    return sum(operation.answer == "not served" for operation in made.operations)


def test_no_key_there_is_costs_less_than_the_plan():
    assert [line for seed in FAST for line in differences(seed)] == []


def test_no_key_there_is_costs_less_where_a_question_joins_two_entities():
    assert [line for seed in range(4) for line in differences(seed, joined)] == []


@pytest.mark.slow
@pytest.mark.parametrize("of", [small, joined])
def test_no_key_there_is_costs_less_than_the_plan_of_many_designs(of):
    assert [line for seed in range(MANY) for line in differences(seed, of)] == []


def without_sparse(monkeypatch):
    """No index of only the items that carry a constant."""
    monkeypatch.setattr(candidates, "_constants", lambda *_: [()])


def without_second_trips(monkeypatch):
    """No index that holds only keys and what is tested, with a second read."""
    monkeypatch.setattr(accesses, "_two_trips", lambda *_: ())


def without_narrow_partitions(monkeypatch):
    """No partition key that leaves to the sort key, or to a filter, some of what is given."""
    monkeypatch.setattr(
        candidates,
        "_partitions",
        lambda model, asked: [candidates.model_order(model, one.given) for one in asked],
    )


def without_orders(monkeypatch):
    """No sort key that goes on with what a question sorts by."""
    monkeypatch.setattr(candidates, "chain_of", lambda demand: ())


def without_shards(monkeypatch):
    """No key over several partitions where one would run hot."""
    monkeypatch.setattr(choice, "with_shards", lambda model, structures, asked: tuple(structures))


def without_copies(monkeypatch):
    """No whole copy of the items for strong reads."""
    kept = choice.index_candidates
    monkeypatch.setattr(
        choice,
        "index_candidates",
        lambda *asked: tuple(one for one in kept(*asked) if one.kind != "copy"),
    )


def without_more_of_the_same(monkeypatch):
    """No two indexes of the same keys that hold something else."""
    monkeypatch.setattr(indexes, "AGAIN", 0)


def without_shared_collections(monkeypatch):
    """No collection in which the items of two entities lie together."""
    monkeypatch.setattr(choice.Search, "collection", lambda *_: None)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("family", "seeds", "of"),
    [
        (without_sparse, range(FEW), small),
        (without_second_trips, range(FEW), small),
        (without_narrow_partitions, range(FEW), small),
        (without_orders, range(FEW), small),
        (without_shards, (112,), small),
        (without_copies, (280,), small),
        (without_more_of_the_same, (741,), small),
        (without_shared_collections, range(FEW), joined),
    ],
)
def test_it_is_seen_when_a_family_of_candidates_is_missing(monkeypatch, family, seeds, of):
    family(monkeypatch)
    choice.REMEMBERED.clear()
    try:
        assert any(differences(seed, of) for seed in seeds)
    finally:
        choice.REMEMBERED.clear()
