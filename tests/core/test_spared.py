"""What every choice under a base key costs at the least is never more than what the best of them does."""

from math import inf
from random import Random

import pytest

from designer.core.planner.choice import REMEMBERED, Search, choose
from designer.core.planner.spared import SURELY, Spared
from designer.core.planner.variants import demands_of
from tests import designs_small
from tests.core.test_alternatives import design

PLACES = ("country", "state", "city", "postcode")


@pytest.mark.parametrize("style", ["single", "multi"])
@pytest.mark.parametrize("kind", ["small", "hot", "strict", "busy", "ranged"])
@pytest.mark.parametrize("seed", range(12))
def test_no_choice_costs_less(kind, style, seed):
    made = getattr(designs_small, kind)(Random(seed))
    search, _ = choose(demands_of(made, style), style)
    for name in search.models:
        spared = Spared(search, name)
        for base in search.bases(name):
            found = search.solve(name, base, frozenset(), ())
            if found.score.unserved == 0:
                assert spared.price(base, inf) <= float(found.score.price) * SURELY


@pytest.mark.parametrize("style", ["single", "multi"])
@pytest.mark.parametrize("stores", [30_000, 300_000])
def test_few_base_keys_of_nested_places_are_looked_at(monkeypatch, style, stores):
    REMEMBERED.clear()
    looked_at = []
    solve = Search._fresh
    monkeypatch.setattr(
        Search, "_fresh", lambda self, *how: (looked_at.append(how[1]), solve(self, *how))[1]
    )
    search, _ = choose(demands_of(_by_place(stores), style), style)
    assert len(search.bases("Store")) > 50
    assert len(set(looked_at)) <= 8


def _by_place(stores):
    store = {"name": "Store", "identifier": ["number"], "items": stores}
    store["attributes"] = [{"name": "number", "format": "uuid"}]
    store["attributes"] += [{"name": n, "distinct": 10 ** (at + 1)} for at, n in enumerate(PLACES)]
    asked = [
        {
            "number": at,
            "name": f"Stores of a {PLACES[at - 1]}",
            "kind": "list",
            "returns": "Store",
            "where": [{"attribute": name, "is": {"param": name}} for name in PLACES[:at]],
            "rate": {"average": 1},
        }
        for at in range(1, len(PLACES) + 1)
    ]
    opened = {"number": 9, "name": "Open", "kind": "create", "entity": "Store"}
    return design([store], [*asked, {**opened, "rate": {"average": 1}}])
