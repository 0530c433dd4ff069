"""The plans worth comparing: in each style as set, cheapest, with fewest indexes or requests, and without pins."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from designer.core.design.document import Design
from designer.core.plan import ALL_STYLES, Plan, Style
from designer.core.planner.comparing import CENT, Difference, indexes_of, requests_of
from designer.core.planner.pin_prices import without
from designer.core.planner.pins import obeyed
from designer.core.planner.planning import plan
from designer.core.planner.wording import sentence, spoken

AS_SET = "as set"
OBJECTIVES = {"cheapest": "cost", "fewest indexes": "indexes", "fewest requests": "requests"}
"""The alternatives that differ in what the planner aims at."""


LOOK_UPS = "cheapest with look-ups"
ALLOWING: dict[str, object] = {
    "objective": "cost",
    "lookups_before_writes": "gsi",
    "point_reads": "by-price",
}
"""The settings that make it: what the team has to allow, so it is offered and never taken silently (rule 24)."""


@dataclass(frozen=True)
class Alternative:
    """One plan beside the others."""

    name: str
    """`as set`, `cheapest`, `fewest indexes`, `fewest requests`, `without pins` or `cheapest with look-ups`."""
    style: Style
    differs: str
    """How it differs from the plan as set, in a sentence; empty for the plan as set itself."""
    plan: Plan
    also: tuple[str, ...] = ()
    """What else it is, in its style: other names of the same plan."""
    requests_per_second: float = 0.0
    """What all patterns with a rate and the consumers of streams make together, on average."""
    best: tuple[str, ...] = ()
    """What it is of all that are shown here: `cheapest`, `fewest indexes`, `fewest requests`."""

    @property
    def per_month(self) -> float:
        """US dollars a month."""
        return self.plan.cost.per_month

    @property
    def indexes(self) -> int:
        """Secondary indexes of all its tables."""
        return indexes_of(self.plan)

    @property
    def requests(self) -> Mapping[int, float]:
        """For each pattern the requests that it takes; 0 where it is not served, or answered elsewhere."""
        return MappingProxyType(requests_of(self.plan))


def alternatives(design: Design) -> tuple[Alternative, ...]:
    """The useful alternatives, the plan as set first in each style, and no plan twice: two styles may come to one."""
    found: list[Alternative] = []
    for style in ALL_STYLES:
        as_set = plan(design, style)
        for name, made in ((AS_SET, as_set), *_others(design, style)):
            twin = next((at for at, one in enumerate(found) if _same(one.plan, made)), None)
            if twin is None:
                differs, often = _differs(made, as_set, name), per_second(design, made)
                found.append(Alternative(name, style, differs, made, requests_per_second=often))
            elif found[twin].style == style:
                also = tuple(dict.fromkeys((*found[twin].also, name)))
                found[twin] = replace(found[twin], also=also)
            elif name == AS_SET:
                found[twin] = replace(found[twin], also=(*found[twin].also, f"{style} style"))
    return tuple(replace(one, best=tuple(_best(one, found))) for one in found)


def _others(design: Design, style: Style) -> Iterator[tuple[str, Plan]]:
    """The other plans of a style, by name."""
    aiming = {
        name: plan(_with(design, objective=objective), style)
        for name, objective in OBJECTIVES.items()
    }
    yield from aiming.items()
    held = tuple(at for at, _ in obeyed(design, style))
    if held:
        yield "without pins", plan(without(design, held), style)
    with_look_ups = plan(_with(design, **ALLOWING), style)
    if Difference(with_look_ups, aiming["cheapest"]).usd <= -CENT:
        yield LOOK_UPS, with_look_ups


def _with(design: Design, **settings: object) -> Design:
    return design.model_copy(update={"planner": design.planner.model_copy(update=settings)})


def per_second(design: Design, made: Plan) -> float:
    """Requests a second. Of a pattern with optional conditions each case is asked as often as the others."""
    cases = Counter(operation.pattern for operation in made.operations)
    asked = sum(
        operation.requests * rate.average / cases[operation.pattern]
        for operation in made.operations
        if (rate := design.pattern(operation.pattern).rate) is not None
    )
    return round(asked + sum(one.requests * (one.per_second or 0) for one in made.upkeep), 6)


def _same(one: Plan, other: Plan) -> bool:
    return one.tables == other.tables and one.operations == other.operations


def _differs(made: Plan, as_set: Plan, name: str) -> str:
    if name == AS_SET:
        return ""
    words = Difference(made, as_set).words() or ("costs the same, with other keys",)
    return f"{sentence(spoken(words))}."


def _best(one: Alternative, found: list[Alternative]) -> Iterator[str]:
    """What an alternative is the best at, among those that serve as much as any."""
    served = max(_served(other) for other in found)
    rivals = [other for other in found if _served(other) == served]
    if one not in rivals:
        return
    for name, figure in FIGURES.items():
        if figure(one) == min(map(figure, rivals)):
            yield name


FIGURES: dict[str, Callable[[Alternative], float]] = {
    "cheapest": lambda one: one.per_month,
    "fewest indexes": lambda one: one.indexes,
    "fewest requests": lambda one: one.requests_per_second,
}
"""What an alternative can be the best at; the smaller the better."""


def _served(alternative: Alternative) -> int:
    return sum(operation.answer != "not served" for operation in alternative.plan.operations)
