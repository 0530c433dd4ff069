"""What indexes cost that entities share."""

from fractions import Fraction
from pathlib import Path
from random import Random

import pytest

from designer.core.design import gallery
from designer.core.design.load import load
from designer.core.planner.layout import index_slots as slots
from designer.core.planner.rewrites.variants import requirements_of
from designer.core.planner.solve.choice import choose
from tests.bench.workloads import workload
from tests.designs_generated import generated

DESIGNS = {
    **{slug: gallery.load(slug) for slug in ("shop", "tenants", "merchant-orders", "event-log")},
    "workload": workload(10, 30),
}


@pytest.mark.parametrize("name", DESIGNS)
def test_what_shares_an_index_costs_what_each_costs_in_one_that_holds_all_of_it(name):
    search, choice = choose(requirements_of(DESIGNS[name], "single"), "single")
    together = slots.tied(search, choice)
    added, afresh = (slots.Prices(search, choice, together) for _ in range(2))
    for seed in range(40):
        members = Random(seed).sample(range(len(together)), min(len(together), 2 + seed % 5))
        for end in range(1, len(members) + 1):
            added.shared(*members[:end])  # each is worked out from the one before
        _, held = added.filled(members)
        each = [afresh.of(at, held) for at in members]
        assert added.shared(*members) == sum(each, Fraction(0))


def test_every_structure_is_in_one_index():
    search, choice = choose(requirements_of(generated(Random(2864)), "single"), "single")
    together = slots.tied(search, choice)
    placed = [item for slot, _ in slots.index_slots(search, choice) for item in slot]
    assert sorted(map(repr, placed)) == sorted(repr(item) for items in together for item in items)


def test_indexes_are_filled_in_another_order_where_the_given_one_takes_more_of_them():
    complaints = load(Path("tests/published/aws-complaint-management.yaml").read_text("utf-8"))
    search, choice = choose(requirements_of(complaints, "single"), "single")
    prices = slots.Prices(search, choice, slots.tied(search, choice))
    given = range(len(prices.together))
    least = prices.total([at] for at in given)
    in_order = slots._in_order(prices, given, 3)
    assert in_order is None or prices.total(in_order) - least > choice.allowed
    assert len(slots.index_slots(search, choice)) == 3
