"""The planner's choice against every key there is, on small designs made up at random."""

import ast
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from designer.core.design.document import Design
from designer.core.plan import STYLES, Plan
from designer.core.planner.candidates import chains
from designer.core.planner.candidates import keys as candidates
from designer.core.planner.model.chosen import Choice
from designer.core.planner.pipeline import outlined
from designer.core.planner.pricing import access_paths as accesses
from designer.core.planner.pricing import key_matching
from designer.core.planner.rewrites.variants import requirements_of
from designer.core.planner.solve import candidate_lists, search, shared_queries
from designer.core.planner.solve.choice import NEXT_TO_NOTHING, choose
from designer.core.planner.workload import root_reads
from tests import enumerator
from tests.designs_small import (
    busy,
    crossed,
    fixed,
    hot,
    joined,
    named,
    nearest,
    picked,
    ranged,
    small,
    strict,
)
from tests.enumerator import cheapest
from tests.enumerator.legal import strong_keys
from tests.enumerator.model import Key, Model
from tests.enumerator.uses import is_exact, uses_of

TOLERANCE, TINY = 1.01, 1e-6
"""What a plan may cost more than the cheapest keys: rates and sizes are guesses."""
FEW, LOT = 30, 6
"""Designs for which a missing family is looked for, and those of one case of the slow test."""
FAST, FAST_JOINED = (0, 48, 548, 741, 1069, 1892), (0, 167, 457, 867)
FAST_HOT = (58, 73, 90)
FAST_STRICT = (12, 102, 176, 253, 785, 1358, 1601)
FAST_RANGED, FAST_BUSY = (6, 200, 329), (26, 82)
FAST_NEAREST = (99, 206, 272)
FAST_CROSSED = (2, 12)
FAST_PICKED = (15, 17, 25, 35, 59)
FAST_FIXED = (0, 1, 4)
FAST_NAMED = (13, 15, 24)
"""The fast tests' designs; most of them take what few designs do, as a union of lists that only three readers make."""
SEEN = (135, 253, 413, 576, 641, 972, 991, 1212, 1283, 1426, 1499, 1508, 1605, 1775, 1976)
SEEN_JOINED = (504, 515, 527, 566, 589, 638, 1063, 1206, 1270, 1325)
"""More of them, in the slow test: each was once planned dearer than the cheapest keys, or priced otherwise."""


def differences(seed: int, of: Callable[[Random], Design] = small) -> list[str]:
    """For each style in which a design's plan is over 1 % dearer than the cheapest keys, or cheaper: what they cost."""
    stated = of(Random(seed))
    design = with_planner(stated, objective="cost")
    said = []
    for style in STYLES:
        unserved, usd = cheapest(design, style)
        _, chosen = choose(requirements_of(as_stated(design), style), style)
        made, varied = outlined(as_stated(design), style), outlined(design, style)
        price = float(chosen.score.price)
        # Entries without the identifier are shorter: a read of them may drop less than too many pages.
        more = has_bare_keys(chosen) and chosen.score.unserved < unserved
        most = usd * TOLERANCE + TINY
        if price > most:  # nobody keeps two indexes of the same keys, so the planner does not
            most = cheapest(design, style, once=True)[1] * TOLERANCE + TINY
        same = more or (chosen.score.unserved == unserved and price <= most)
        if not has_bare_keys(chosen):  # the keys formed here all end with the identifier
            same &= price >= usd * (1 - 1e-9) - TINY
        if not same or not is_told(chosen, made) or varied.cost.per_month > made.cost.per_month:
            costs = f"chosen {price:.6f}, planned {made.cost.per_month}"
            said.append(
                f"design {seed} {style}: {costs} or {varied.cost.per_month}, found {usd:.6f}"
            )
        simple = outlined(with_planner(stated, items="as-stated"), style)
        left = not_served(simple)
        if not (left == unserved or (more and left < unserved)) or not is_about(
            made.cost.per_month, simple
        ):
            said.append(f"design {seed} {style}: {simple.cost.per_month} is not simple, {usd:.6f}")
    return said


def is_about(lowest: float, simple: Plan) -> bool:
    """Whether a simple plan knows the lowest cost, and does not claim to cost less.

    An index key without the identifier has to save what is worth talking about, and whether it does depends on what
    else is charged: so what is known may be lower by so much.
    """
    cheapest = simple.cost.cheapest
    if cheapest is None or not -max(1, lowest / 100) <= cheapest - lowest < 0.01:
        return False
    return simple.cost.per_month >= cheapest - 0.005


def has_bare_keys(chosen: Choice) -> bool:
    """Whether the identifier is left out of some index key, which has to save what is worth talking about."""
    return any(one.bare for entity in chosen.entities.values() for one in entity.projections)


def as_stated(design: Design) -> Design:
    """A design whose items stay whole: what is split in two is not among what is formed here, and has to cost less."""
    return with_planner(design, items="as-stated")


def with_planner(design: Design, **settings: object) -> Design:
    return design.model_copy(update={"planner": design.planner.model_copy(update=settings)})


def is_told(chosen: Choice, made: Plan) -> bool:
    """Whether a plan serves as much as was chosen, for as much.

    Which entities share an index is settled after the choice. That may cost half a cent, and even save something: a
    list of all that an entity has leaves out the other indexes' keys. Without such an index nothing but the rounding
    of each figure to a hundredth of a cent may lie between the two.
    """
    more = made.cost.per_month - float(chosen.score.usd)
    shared = any(
        len({shape.entity for shape in table.items if index.partition[0].name in shape.set}) > 1
        for table in made.tables
        for index in table.indexes
    )
    return not_served(made) == chosen.score.unserved and (
        more <= NEXT_TO_NOTHING if shared else abs(more) < 1e-4
    )


def not_served(made: Plan) -> int:
    return sum(operation.answer == "not served" for operation in made.operations)


def test_what_the_plan_is_compared_with_shares_the_document_and_the_rules_of_price_alone():
    shared = ("capacity.sizes", "design", "dynamodb", "patterns")
    may = (*(f"designer.core.{name}" for name in shared), "tests.enumerator")
    for path in Path(enumerator.__file__).parent.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom):
                named = [node.module or ""]
            else:
                named = [one.name for one in node.names] if isinstance(node, ast.Import) else []
            ours = [one for one in named if one.startswith(("designer", "projects", "tests"))]
            assert all(one.startswith(may) for one in ours), (path.name, ours)


def test_no_key_is_formed_of_more_bytes_than_a_sort_key_has():
    """Of these items a strong list wants bodies of 6,000 bytes: its local index is sorted by something shorter."""
    design = strict(Random(253))
    keys = list(strong_keys(Model(design, design.entities[0], "multi")))
    assert {key.kind for key in keys} == {"local", "copy"}
    assert [key for key in keys if "body" in key.attributes] == []


def test_a_way_that_drops_too_much_stands_for_no_other():
    """Of two lists, neither in the key, one says more of what the other leaves: that reading may be taken."""
    design = ranged(Random(14))
    model = Model(design, design.entities[0], "single")
    uses = uses_of(model, model.reads[1], Key((), ("rank",), (), "index"))
    assert [is_exact(use, 145) for use in uses] == [True, False]


def test_no_key_there_is_costs_less_than_the_plan():
    assert [line for seed in FAST for line in differences(seed)] == []


def test_no_key_there_is_costs_less_where_a_pattern_joins_two_entities():
    assert [line for seed in FAST_JOINED for line in differences(seed, joined)] == []


def test_no_key_there_is_costs_less_where_writes_are_hot():
    assert [line for seed in FAST_HOT for line in differences(seed, hot)] == []


def test_no_key_there_is_costs_less_where_lists_are_read_strongly():
    assert [line for seed in FAST_STRICT for line in differences(seed, strict)] == []


def test_no_key_there_is_costs_less_where_strong_lists_are_asked_often():
    assert [line for seed in FAST_BUSY for line in differences(seed, busy)] == []


def test_no_key_there_is_costs_less_where_a_key_serves_one_of_several_ranges_or_lists():
    assert [line for seed in FAST_RANGED for line in differences(seed, ranged)] == []


def test_no_key_there_is_costs_less_where_the_items_within_a_limit_are_tested():
    assert [line for seed in FAST_NEAREST for line in differences(seed, nearest)] == []


def test_no_key_there_is_costs_less_where_items_meet_a_condition_together():
    for seed in FAST_CROSSED:
        assert any(one.is_read and one.crossing for one in crossed(Random(seed)).patterns)
        assert differences(seed, crossed) == []


def test_no_key_there_is_costs_less_where_some_of_an_owners_items_are_asked_for():
    assert [line for seed in FAST_PICKED for line in differences(seed, picked)] == []


def test_no_key_there_is_costs_less_where_some_of_an_owners_items_are_got_by_their_identifiers():
    assert [line for seed in FAST_NAMED for line in differences(seed, named)] == []


def test_no_key_there_is_costs_less_where_a_list_is_always_the_same():
    assert [line for seed in FAST_FIXED for line in differences(seed, fixed)] == []


def lots():
    """The designs of the slow test by lots, so that no case is long; the bench tries 2,000 of most sorts.

    It alone tries some that take long: `small` of 13 and 14, `hot` of 0, 12 and 48.
    """
    for of, seeds in (
        (small, (*range(1, 8), *SEEN)),
        (joined, (*range(1, 6), *SEEN_JOINED)),
        (hot, range(1, 6)),
        (strict, range(6)),
        (ranged, range(4)),
        (nearest, range(4)),
        (crossed, (0, 1, 3)),
        (fixed, (2, 3, 5, 6)),
        (picked, (*range(1, 8), 13, 18, 31, 39, 52)),
    ):
        for at in range(0, len(seeds), LOT):
            lot = seeds[at : at + LOT]
            yield pytest.param(of, lot, id=f"{of.__name__}-{lot[0]}")


@pytest.mark.slow
@pytest.mark.parametrize(("of", "seeds"), [*lots()])
def test_no_key_there_is_costs_less_than_the_plan_of_many_designs(of, seeds):
    assert [line for seed in seeds for line in differences(seed, of)] == []


def without_sparse(monkeypatch):
    """No index of only the items that carry a constant."""
    monkeypatch.setattr(candidates, "_constants", lambda *_: [()])


def without_lists_in_sparse(monkeypatch):
    """No index of only the items that carry any value of a list which is always the same."""
    kept = candidates._constants

    def constants(*asked):
        return [only for only in kept(*asked) if all(len(values) == 1 for _, values in only)]

    monkeypatch.setattr(candidates, "_constants", constants)
    monkeypatch.setattr(candidates, "_of_fixed_lists", lambda *_: ())


def without_lists_left_out(monkeypatch):
    """No index of such items whose keys do not show the list."""
    monkeypatch.setattr(candidates, "_of_fixed_lists", lambda *_: ())


def without_second_reads(monkeypatch):
    """No index that holds only keys and what is tested, with a second read."""
    monkeypatch.setattr(accesses, "_with_second_read", lambda *_: ())


def without_late_tests(monkeypatch):
    """No second read of items of which more is tested, so that the index need not hold what changes."""
    monkeypatch.setattr(accesses, "_tested_late", lambda *_: ())


def without_lists_of_all(monkeypatch):
    """No index that lists all that an item has, and so leaves out other indexes' keys."""
    monkeypatch.setattr(accesses, "_by_name", lambda *_: ())


def without_narrow_partitions(monkeypatch):
    """No partition key that leaves to the sort key, or to a filter, some of what is given."""
    monkeypatch.setattr(
        chains,
        "_partitions",
        lambda model, asked: [chains.model_order(model, one.given) for one in asked],
    )


def without_orders(monkeypatch):
    """No sort key that goes on with what a pattern sorts by."""
    for module in (candidates, chains):
        monkeypatch.setattr(module, "chain_of", lambda entity_read: ())


def without_shards(monkeypatch):
    """No key over several partitions where one would run hot."""
    monkeypatch.setattr(
        candidate_lists, "with_shards", lambda model, structures, *_: tuple(structures)
    )


def without_keys_first(monkeypatch):
    """No keys of several shards, or values of a list, that are merged before the first few items are got."""
    kept = accesses._with_second_read

    def with_second_read(model, base, structure, entity_read, access, keys):
        first = key_matching.gets_first(model, entity_read, access)
        return () if first else kept(model, base, structure, entity_read, access, keys)

    monkeypatch.setattr(accesses, "_with_second_read", with_second_read)


def without_copies(monkeypatch):
    """No whole copy of the items for strong reads."""
    kept = candidate_lists.index_candidates
    monkeypatch.setattr(
        candidate_lists,
        "index_candidates",
        lambda *asked: tuple(one for one in kept(*asked) if one.kind != "copy"),
    )


def without_local_indexes(monkeypatch):
    """No index of a table's own partitions, for strong reads."""
    monkeypatch.setattr(candidates, "_locals", lambda *_: ())


def without_keys_of_patterns(monkeypatch):
    """No table keys but the identifier's own."""
    kept = candidate_lists.base_candidates

    def of_identifier(model, entity_reads):
        own = set(model.entity.identifier)
        return tuple(one for one in kept(model, entity_reads) if set(one.attributes) == own)

    monkeypatch.setattr(candidate_lists, "base_candidates", of_identifier)


def without_shared_collections(monkeypatch):
    """No collection in which the items of two entities lie together."""
    monkeypatch.setattr(search.Search, "collection", lambda *_: None)


def without_sorting_by_the_caller(monkeypatch):
    """No collection of two entities in another order than is asked."""
    kept = search.Search.collection

    def collection(self, entity_read, structure):
        return (
            kept(self, entity_read, structure) if entity_read.is_sorted_by(structure.sort) else None
        )

    monkeypatch.setattr(search.Search, "collection", collection)


def without_what_some_have(monkeypatch):
    """No index of two entities that is sorted by what only some items have."""
    monkeypatch.setattr(
        shared_queries,
        "contains_answer",
        lambda model, structure, entity_read: all(
            model.presence(name) == 1 or name in entity_read.equals for name in structure.attributes
        ),
    )


def without_tested_lists(monkeypatch):
    """No Query that tests a list of identifiers, instead of one for each."""
    monkeypatch.setattr(root_reads, "_lists_tested", lambda entity, pattern, where: (where, ()))


def without_other_ranges(monkeypatch):
    """No key that serves another of several ranges or lists than the first."""
    monkeypatch.setattr(root_reads, "in_any_way", lambda ways: ways[0])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("family", "seeds", "of"),
    [
        (without_sparse, range(FEW), small),
        (without_lists_in_sparse, FAST_FIXED, fixed),
        (without_lists_left_out, FAST_FIXED, fixed),
        (without_second_reads, range(FEW), small),
        (without_late_tests, (10,), small),
        (without_lists_of_all, (8,), small),
        (without_narrow_partitions, range(FEW), small),
        (without_orders, range(FEW), small),
        (without_shards, (112,), small),
        (without_keys_first, (47,), hot),
        (without_keys_first, (24,), ranged),
        (without_copies, (5, 14), strict),
        (without_local_indexes, (12,), strict),
        (without_keys_of_patterns, (74, 86), small),
        (without_shared_collections, range(FEW), joined),
        (without_sorting_by_the_caller, (23,), joined),
        (without_what_some_have, (49, 107), joined),
        (without_other_ranges, FAST_RANGED, ranged),
        (without_tested_lists, FAST_PICKED, picked),
        (without_tested_lists, FAST_NAMED, named),
    ],
)
def test_it_is_seen_when_a_family_of_candidates_is_missing(monkeypatch, family, seeds, of):
    family(monkeypatch)
    candidate_lists.CACHED.clear()
    try:
        assert any(differences(seed, of) for seed in seeds)
    finally:
        candidate_lists.CACHED.clear()
