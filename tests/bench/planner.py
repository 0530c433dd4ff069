"""How long planning takes, without the reasons for a plan: the shop, and generated designs of several sizes."""

from collections.abc import Callable

from designer.core.design import gallery
from designer.core.design.document import Design
from designer.core.plan import STYLES, Style
from designer.core.planner import plan
from designer.core.planner.pipeline import outlined
from designer.core.planner.solve.candidate_lists import CACHED
from tests.bench.workloads import workload


def bench_plan_the_shop() -> Callable[[], object]:
    """In both styles, with all reasons."""

    def planned() -> object:
        CACHED.clear()
        return [plan(design, style) for style in STYLES]

    design = gallery.load("shop")
    return planned


def bench_plan_the_shop_again() -> Callable[[], object]:
    """With every entity's choice remembered, as after an edit that plans little anew."""
    design = gallery.load("shop")
    return lambda: [plan(design, style) for style in STYLES]


def bench_plan_10_entities_30_patterns_multi() -> Callable[[], object]:
    """Aim: 100 ms."""
    return _from_nothing(workload(10, 30), "multi")


def bench_plan_10_entities_30_patterns_single() -> Callable[[], object]:
    """Aim: 100 ms."""
    return _from_nothing(workload(10, 30), "single")


def bench_plan_100_entities_500_patterns_multi() -> Callable[[], object]:
    """Aim: 1.5 s."""
    return _from_nothing(workload(100, 500), "multi")


def bench_plan_100_entities_500_patterns_single() -> Callable[[], object]:
    """Aim: 4 s."""
    return _from_nothing(workload(100, 500), "single")


def bench_plan_100_entities_500_patterns_after_an_edit_multi() -> Callable[[], object]:
    """One pattern's rate changed. Aim: 200 ms."""
    return _after_an_edit(workload(100, 500), "multi")


def bench_plan_100_entities_500_patterns_after_an_edit_single() -> Callable[[], object]:
    """The same in one table, whose indexes are shared among all anew. Aim: 200 ms."""
    return _after_an_edit(workload(100, 500), "single")


def bench_plan_200_entities_1000_patterns_multi() -> Callable[[], object]:
    """Aim: 10 s."""
    return _from_nothing(workload(200, 1000), "multi")


def bench_plan_fewest_indexes_100_entities_500_patterns() -> Callable[[], object]:
    """In multi-table style, within 5 % of the lowest cost. Aim: 3 s."""
    design = workload(100, 500)
    settings = design.planner.model_copy(update={"objective": "indexes", "tolerance": 0.05})
    return _from_nothing(design.model_copy(update={"planner": settings}), "multi")


def _from_nothing(design: Design, style: Style) -> Callable[[], object]:
    def planned() -> object:
        CACHED.clear()
        return outlined(design, style)

    return planned


def _after_an_edit(design: Design, style: Style) -> Callable[[], object]:
    """Planning with another rate of one pattern each time, with all else remembered."""
    count = 0
    outlined(design, style)

    def edited() -> object:
        nonlocal count
        count += 1
        pattern = design.patterns[7]
        rate = {"average": 5 + count, "peak": 100 + count}
        first = pattern.model_validate({**pattern.model_dump(by_alias=True), "rate": rate})
        patterns = (*design.patterns[:7], first, *design.patterns[8:])
        return outlined(design.model_copy(update={"patterns": patterns}), style)

    return edited
