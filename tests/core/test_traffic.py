"""Reads take no more than the worst case of a plan, and what it says on average where nothing is skewed or cut."""

import pytest

from designer.core.plan import STYLES
from designer.core.planner.pipeline import outlined
from tests.traffic import made, simulated

HALF = 0.5
"""The least that a page or an item takes, in read units: figures that differ by it say the same."""


@pytest.mark.parametrize("seed", range(12))
def test_simulated_traffic_takes_what_the_plan_says(seed: int) -> None:
    of = made(seed)
    is_even = len({share for _, share in of.traffic}) == 1
    for style in STYLES:
        plan = outlined(of.design, style)
        took = simulated(of, plan)
        assert took
        for operation in plan.operations:
            if operation.pattern not in took:
                continue
            found, said = took[operation.pattern], operation.read_units
            worst = operation.worst.units if operation.worst is not None else said
            where = f"pattern {operation.pattern}, {style}"
            assert found.most <= max(1.05 * worst, worst + HALF), where
            pattern = next(p for p in of.design.patterns if p.number == operation.pattern)
            if is_even and getattr(pattern, "limit", None) is None:
                assert abs(found.average - said) <= max(0.1 * said, HALF), where
