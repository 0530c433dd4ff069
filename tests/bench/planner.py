"""How long planning takes: the shop, and generated designs of two sizes."""

from collections.abc import Callable

from designer.core import gallery
from designer.core.planner import plan
from tests.bench.workloads import workload


def bench_plan_the_shop_in_both_styles() -> Callable[[], object]:
    design = gallery.load("shop")
    return lambda: [plan(design, style) for style in ("single", "multi")]


def bench_plan_10_entities_30_patterns() -> Callable[[], object]:
    design = workload(10, 30)
    return lambda: [plan(design, style) for style in ("single", "multi")]


def bench_plan_100_entities_500_patterns() -> Callable[[], object]:
    design = workload(100, 500)
    return lambda: [plan(design, style) for style in ("single", "multi")]
