"""Reads take no more than the worst case of a plan, and what it says on average, also where one owner has most."""

import pytest

from designer.core.plan import STYLES
from tests import traffic
from tests.traffic import Simulated, wrong


@pytest.mark.parametrize("seed", [*range(12), 287])
def test_simulated_traffic_takes_what_the_plan_says(seed: int) -> None:
    assert [said for style in STYLES for said in wrong(seed, style)] == []


def test_traffic_that_takes_more_would_be_found(monkeypatch: pytest.MonkeyPatch) -> None:
    took = {3: Simulated(average=900.0, most=90_000.0)}
    monkeypatch.setattr(traffic, "simulated", lambda of, plan: took)
    assert [said.split(" takes ")[0] for said in wrong(11, "multi")] == [
        "seed 11, multi, pattern 3",
        "seed 11, multi, pattern 3",
    ]
