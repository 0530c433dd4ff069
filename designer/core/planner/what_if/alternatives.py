"""The plans worth comparing: in each style as set, cheapest, with fewest indexes or requests, and without pins."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from designer.core.design.document import Design
from designer.core.messages import said, say
from designer.core.plan import ALL_STYLES, Plan, Style
from designer.core.planner.explain.amounts import CENT, is_material
from designer.core.planner.explain.comparing import (
    Difference,
    copies_of,
    fails,
    indexes_of,
    requests_of,
    warned_of,
)
from designer.core.planner.explain.pin_prices import without
from designer.core.planner.model.pins import obeyed
from designer.core.planner.model.wording import sentence
from designer.core.planner.pipeline import plan

AS_SET = "as set"
OBJECTIVES = {"cheapest": "cost", "fewest indexes": "indexes", "fewest requests": "requests"}
"""The alternatives that differ in what the planner aims at."""


LOOK_UPS = "cheapest with look-ups"
ALLOWING: dict[str, object] = {
    "objective": "cost",
    "lookups_before_writes": "gsi",
    "point_reads": "by-price",
}
"""The settings that make it: what the team has to allow, so it is offered and never taken silently (rule 24).

See docs/modelling-rules.md.
"""


LABELS: Mapping[str, str] = {
    AS_SET: "current settings",
    "cheapest": "lowest cost",
    "fewest indexes": "fewest indexes",
    "fewest requests": "fewest requests",
    "without pins": "without pins",
    LOOK_UPS: "lowest cost with look-ups",
}
"""The settings of each alternative, as their form names them."""


@dataclass(frozen=True)
class Alternative:
    """One plan beside the others."""

    name: str
    """`as set`, `cheapest`, `fewest indexes`, `fewest requests`, `without pins`, or `cheapest with look-ups`."""
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
    def warnings(self) -> tuple[str, ...]:
        """The warnings, which no saving outweighs: overloaded partitions and violated limits."""
        return tuple(one.message for one in warned_of(self.plan))

    @property
    def per_month(self) -> float:
        """US dollars a month."""
        return self.plan.cost.per_month

    @property
    def indexes(self) -> int:
        """Secondary indexes of all its tables."""
        return indexes_of(self.plan)

    @property
    def copies(self) -> int:
        """Whole copies of items in all its tables, which stand where an index could."""
        return copies_of(self.plan)

    @property
    def requests(self) -> Mapping[int, float]:
        """For each pattern the requests that it takes; 0 where it is not served, or answered elsewhere."""
        return MappingProxyType(requests_of(self.plan))


def alternatives(design: Design) -> tuple[Alternative, ...]:
    """The useful alternatives, the plan as set first in each style, and no plan twice: two styles may come to one.

    What is better at nothing that its name says than another plan of the style is not useful.
    """
    found: list[Alternative] = []
    as_set = {style: plan(design, style) for style in ALL_STYLES}
    for style in ALL_STYLES:
        for name, made in ((AS_SET, as_set[style]), *_others(design, style)):
            _add(found, _alternative(design, name, made, as_set[style]))
    return tuple(
        replace(one, also=tuple(_also(one, found)), best=tuple(_best(one, found))) for one in found
    )


def _alternative(design: Design, name: str, made: Plan, as_set: Plan) -> Alternative:
    differs, often = _differs(made, as_set, name), per_second(design, made)
    return Alternative(name, made.style, differs, made, requests_per_second=often)


def _add(found: list[Alternative], new: Alternative) -> None:
    """Add an alternative where it is useful; else let its twin be called like it, too."""
    twin = next((at for at, one in enumerate(found) if not _is_useful(new, one)), None)
    if twin is None:
        found.append(new)
    elif found[twin].style == new.style:
        if new.name in FIGURES and _rank(new, new.name) < _rank(found[twin], new.name):
            return  # so little cheaper that neither is worth telling from the other
        also = tuple(dict.fromkeys((*found[twin].also, new.name)))
        found[twin] = replace(found[twin], also=also)
    elif new.name == AS_SET:
        found[twin] = replace(found[twin], also=(*found[twin].also, f"{new.style} style"))


def _saves(made: Plan, other: Plan) -> bool:
    """Whether a plan costs less by what decides something."""
    was, now = other.cost.per_month, made.cost.per_month
    return now < was and is_material(was, now)


def _others(design: Design, style: Style) -> Iterator[tuple[str, Plan]]:
    """The other plans of a style, by name."""
    aiming = {
        name: plan(design.with_planner(objective=objective), style)
        for name, objective in OBJECTIVES.items()
    }
    yield from aiming.items()
    held = tuple(at for at, _ in obeyed(design, style))
    if held:
        yield "without pins", plan(without(design, held), style)
    with_look_ups = plan(design.with_planner(**ALLOWING), style)
    if _saves(with_look_ups, aiming["cheapest"]):
        yield LOOK_UPS, with_look_ups


def per_second(design: Design, made: Plan) -> float:
    """Requests a second. Of a pattern with optional conditions each case is asked as often as the others."""
    cases = Counter(operation.pattern for operation in made.operations)
    asked = sum(
        operation.requests * rate.average / cases[operation.pattern]
        for operation in made.operations
        if (rate := design.pattern(operation.pattern).rate) is not None
    )
    return round(asked + sum(one.requests * (one.per_second or 0) for one in made.upkeep), 6)


def _is_useful(new: Alternative, known: Alternative) -> bool:
    """Whether an alternative is another plan than one that is known, and better at what its name says."""
    one, other = new.plan, known.plan
    if one.tables == other.tables and one.operations == other.operations:
        return False
    if new.style != known.style or new.name not in FIGURES:
        return True
    if new.name == "cheapest" and fails(one) == fails(other):
        return _saves(one, other)
    return _rank(new, new.name) < _rank(known, new.name)


def _differs(made: Plan, as_set: Plan, name: str) -> str:
    if name == AS_SET:
        return ""
    found = tuple(Difference(made, as_set).figures()) or (say("costs-the-same-with-other-keys"),)
    return f"{sentence(said(found))}."


def _also(one: Alternative, found: list[Alternative]) -> Iterator[str]:
    """What else an alternative is, without what it is by failing where another of its style does not."""
    fails_least = min(fails(other.plan) for other in found if other.style == one.style)
    for name in one.also:
        if name not in FIGURES or fails(one.plan) == fails_least:
            yield name


def _best(one: Alternative, found: list[Alternative]) -> Iterator[str]:
    """What an alternative is the best at, among those that serve as much as any and are warned of as little."""
    fewest = min(fails(other.plan) for other in found)
    if fails(one.plan) > fewest:
        return
    others = [other for other in found if fails(other.plan) == fewest]
    for name, figure in FIGURES.items():
        more = figure(one) - min(map(figure, others))
        # Plans between which is less than half a cent are said to cost the same.
        if more == 0 or (name == "cheapest" and more < CENT):
            yield name


FIGURES: dict[str, Callable[[Alternative], float]] = {
    "cheapest": lambda one: one.per_month,
    "fewest indexes": lambda one: one.indexes + one.copies,
    "fewest requests": lambda one: one.requests_per_second,
}
"""What an alternative can be the best at; the smaller the better."""


def _rank(alternative: Alternative, name: str) -> tuple[tuple[int, int], float]:
    """How good an alternative is at something; the smaller the better."""
    return fails(alternative.plan), FIGURES[name](alternative)
