"""No base key is passed over under which a choice is better: what each costs at the least is no more than it does."""

from random import Random

import pytest

from designer.core.design.document import Design
from designer.core.planner.rewrites.variants import requirements_of
from designer.core.planner.solve.candidate_lists import CACHED
from designer.core.planner.solve.choice import choose
from designer.core.planner.solve.joint_columns import Column
from designer.core.planner.solve.lower_bounds import SURELY, LowerBounds
from designer.core.planner.solve.search import Search
from tests import designs_small
from tests.core.test_alternatives import design

PLACES = ("country", "state", "city", "postcode")


@pytest.mark.parametrize("style", ["single", "multi"])
@pytest.mark.parametrize("kind", ["small", "hot", "strict", "busy", "ranged"])
def test_no_choice_costs_less(kind, style):
    made = (getattr(designs_small, kind)(Random(seed)) for seed in range(12))
    assert sum(_held(design, style) for design in made) >= 12


@pytest.mark.parametrize("style", ["single", "multi"])
@pytest.mark.parametrize("stores", [30_000, 300_000])
@pytest.mark.parametrize("levels", [2, 3])
def test_no_choice_for_nested_places_costs_less(style, stores, levels):
    assert _held(_by_place(stores, levels), style)


@pytest.mark.parametrize("style", ["single", "multi"])
@pytest.mark.parametrize("lists", [1, 2, 3, 4])
@pytest.mark.parametrize("rate", [0.1, 1, 10])
def test_no_choice_for_unlike_lists_costs_less(style, lists, rate):
    assert _held(_unlike(lists, rate), style)


def _held(made, style):
    """How many base keys were held against the best choice under them: the least that is told is no more."""
    search, _ = choose(requirements_of(made, style), style)
    held = 0
    for name in search.models:
        bounds = LowerBounds(search, name)
        found = {
            base: search.solve(name, base, frozenset(), ()).score for base in search.bases(name)
        }
        served = {base: float(score.price) for base, score in found.items() if not score.unserved}
        for base, price in served.items():
            first, closer = (bounds.price(base, closely) for closely in (False, True))
            assert max(first, closer) <= price * SURELY
        held += len(served)
    return held


@pytest.mark.parametrize("style", ["single", "multi"])
@pytest.mark.parametrize("kind", ["small", "hot", "strict", "busy"])
def test_no_base_key_is_better_than_the_chosen_one(kind, style):
    for seed in range(8):
        made = getattr(designs_small, kind)(Random(seed))
        _best(made, style)
        _best(_at_rates(made, Random(seed)), style)


def test_a_base_key_is_not_passed_over_for_reads_that_shards_would_cool():
    """What reads everything over as few shards as a short entry takes is hot where the entry has the table's key."""
    store = {"name": "Store", "identifier": ["number"], "items": 1_000_000}
    store["attributes"] = [{"name": "number"}, {"name": "state", "values": ["OPEN", "SHUT"]}]
    listed = {"number": 1, "name": "Open stores", "kind": "list", "returns": "Store"}
    listed |= {"where": [{"attribute": "state", "is": {"value": "OPEN"}}], "consistency": "strong"}
    every = {"number": 2, "name": "Every number", "kind": "list", "returns": "Store"}
    every |= {"attributes": [], "rate": {"average": 1000}}
    touched = {"number": 3, "name": "Touch", "kind": "update", "entity": "Store"}
    touched |= {"rate": {"average": 1000, "peak": 3000}}
    made = design([store], [listed, every, touched])
    assert _best(made, "multi").entities["Store"].base.partition[0] == "state"


@pytest.mark.parametrize("style", ["single", "multi"])
def test_under_every_base_key_hot_keys_that_may_be_had_twice_are_spread(style):
    """Of two indexes by country and size one is cool for what it holds; the hot one is spread as one that is alone."""
    store = {"name": "Store", "identifier": ["number"], "items": 1_000_000}
    store["attributes"] = [{"name": "number", "bytes": 8}, {"name": "country", "distinct": 100}]
    store["attributes"] += [{"name": "size", "type": "N", "digits": 8}]
    store["attributes"] += [{"name": "state", "values": ["OPEN", "SHUT"]}]
    country = {"attribute": "country", "is": {"param": "country"}}
    small = {"attribute": "size", "to": {"param": "most"}}
    states = {"attribute": "state", "any_of": {"param": "states"}}
    is_open = {"attribute": "state", "is": {"value": "OPEN"}}
    asked = [
        ("count", [{**small, "share": 0.95}, country], {"average": 1000, "peak": 3000}),
        ("count", [country, states, small], None),
        ("exists", [is_open], {"average": 5000, "peak": 15000}),
    ]
    made = [
        {
            "number": number,
            "name": f"Stores {number}",
            "kind": kind,
            "returns": "Store",
            "where": where,
        }
        | ({"rate": rate} if rate else {})
        for number, (kind, where, rate) in enumerate(asked, 1)
    ]
    assert _best(design([store], made), style).entities["Store"].score.unserved == 0


def _best(made, style):
    """What is chosen; of each entity by itself, nothing under another base key is better."""
    search, found = choose(requirements_of(made, style), style)
    for (name,) in (names for names in search.components() if len(names) == 1):
        chosen = found.entities[name]
        component = search.component((name,))
        for base in search.bases(name):
            best = search.solve(name, base, frozenset(), ()).score
            assert chosen.score.key <= best.key
            assert component.floor(Column(name, base)).key[:3] <= best.key[:3]
    return found


def _at_rates(made, random):
    """A design with everything done at rates up to what takes many shards."""
    document = made.model_dump(exclude_unset=True)
    for pattern in document["patterns"]:
        average = random.choice((1, 30, 1000, 5000))
        pattern["rate"] = {"average": average, "peak": average * random.choice((1, 3))}
    return Design.model_validate(document)


@pytest.mark.parametrize("style", ["single", "multi"])
@pytest.mark.parametrize("stores", [30_000, 300_000])
def test_few_base_keys_of_nested_places_are_looked_at(monkeypatch, style, stores):
    CACHED.clear()
    looked_at = []
    solve = Search._fresh
    monkeypatch.setattr(
        Search, "_fresh", lambda self, *how: (looked_at.append(how[1]), solve(self, *how))[1]
    )
    made = _by_place(stores)
    planner = made.planner.model_copy(update={"objective": "cost"})
    made = made.model_copy(update={"planner": planner})
    search, _ = choose(requirements_of(made, style), style)
    assert len(search.bases("Store")) > 50
    assert len(set(looked_at)) <= 8


def _by_place(stores, levels=4):
    """Lists by country, by country and state, and so on."""
    lists = [PLACES[:level] for level in range(1, levels + 1)]
    return _stores(stores, {n: 10 ** (at + 1) for at, n in enumerate(PLACES[:levels])}, lists, 1)


def _unlike(lists, rate):
    """Lists by attributes that no key of another list begins with."""
    return _stores(
        30_000, dict.fromkeys(PLACES[:lists], 1000), [(n,) for n in PLACES[:lists]], rate
    )


def _stores(items, distinct, lists, rate):
    store = {"name": "Store", "identifier": ["number"], "items": items}
    store["attributes"] = [{"name": "number", "format": "uuid"}]
    store["attributes"] += [{"name": name, "distinct": many} for name, many in distinct.items()]
    asked = [
        {
            "number": at,
            "name": f"Stores of a {names[-1]}",
            "kind": "list",
            "returns": "Store",
            "where": [{"attribute": name, "is": {"param": name}} for name in names],
            "rate": {"average": rate},
        }
        for at, names in enumerate(lists, 1)
    ]
    opened = {"number": 9, "name": "Open", "kind": "create", "entity": "Store"}
    return design([store], [*asked, {**opened, "rate": {"average": 1}}])
