"""How long planning takes: the shop, and generated designs of two sizes, both styles each."""

from collections.abc import Callable

from designer.core import gallery
from designer.core.design.document import Design
from designer.core.plan import STYLES
from designer.core.planner import plan
from designer.core.planner.choice import REMEMBERED
from tests.bench.workloads import workload


def bench_plan_the_shop() -> Callable[[], object]:
    return _from_nothing(gallery.load("shop"))


def bench_plan_the_shop_again() -> Callable[[], object]:
    """With every entity's choice remembered, as after an edit that plans little anew."""
    design = gallery.load("shop")
    return lambda: [plan(design, style) for style in STYLES]


def bench_plan_10_entities_30_patterns() -> Callable[[], object]:
    return _from_nothing(workload(10, 30))


def bench_plan_100_entities_500_patterns() -> Callable[[], object]:
    return _from_nothing(workload(100, 500))


def _from_nothing(design: Design) -> Callable[[], object]:
    def planned() -> object:
        REMEMBERED.clear()
        return [plan(design, style) for style in STYLES]

    return planned
