"""What indexes cost that entities share."""

from fractions import Fraction
from random import Random

import pytest

from designer.core.design import gallery
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


def test_a_program_may_leave_an_index_empty_on_its_way():
    search, choice = choose(requirements_of(generated(Random(2864)), "single"), "single")
    together = slots.tied(search, choice)
    placed = [item for slot, _ in slots.index_slots(search, choice) for item in slot]
    assert sorted(map(repr, placed)) == sorted(repr(item) for items in together for item in items)
