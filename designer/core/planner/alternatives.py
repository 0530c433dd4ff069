"""The plans worth comparing: in each style as set, cheapest, with fewest indexes or requests, and without pins."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from designer.core.design.document import Design
from designer.core.plan import ALL_STYLES, Plan, Style
from designer.core.planner.comparing import Difference, indexes_of, requests_of
from designer.core.planner.pin_prices import without
from designer.core.planner.pins import obeyed
from designer.core.planner.planning import plan, planned_for
from designer.core.planner.requirements import Requirements
from designer.core.planner.variants import demands_of
from designer.core.planner.wording import sentence, spoken

AS_SET = "as set"


@dataclass(frozen=True)
class Alternative:
    """One plan beside the others."""

    name: str
    """`as set`, `cheapest`, `fewest indexes`, `fewest requests` or `without pins`."""
    style: Style
    differs: str
    """How it differs from the plan as set, in a sentence; empty for the plan as set itself."""
    plan: Plan
    also: tuple[str, ...] = ()
    """What else it is, in its style: other names of the same plan."""
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
                found.append(Alternative(name, style, _differs(made, as_set, name), made))
            elif found[twin].style == style:
                also = tuple(dict.fromkeys((*found[twin].also, name)))
                found[twin] = replace(found[twin], also=also)
            elif name == AS_SET:
                found[twin] = replace(found[twin], also=(*found[twin].also, f"{style} style"))
    return tuple(replace(one, best=tuple(_best(one, found))) for one in found)


def _others(design: Design, style: Style) -> Iterator[tuple[str, Plan]]:
    """The other plans of a style, by name."""
    yield "cheapest", plan(_with(design, objective="cost"), style)
    yield "fewest indexes", plan(_with(design, objective="indexes"), style)
    yield "fewest requests", planned_for(design, _in_one_request(demands_of(design, style)), style)
    held = tuple(at for at, _ in obeyed(design, style))
    if held:
        yield "without pins", plan(without(design, held), style)


def _with(design: Design, **settings: object) -> Design:
    return design.model_copy(update={"planner": design.planner.model_copy(update=settings)})


def _in_one_request(required: Requirements) -> Requirements:
    """The same, with each pattern asking to be answered in one request: what cannot be stays as it is."""
    one = {"at_most_requests": 1}
    return replace(
        required,
        questions=tuple(
            replace(question, pattern=question.pattern.model_copy(update=one))
            for question in required.questions
        ),
        writes=tuple(
            replace(write, pattern=write.pattern.model_copy(update=one))
            for write in required.writes
        ),
    )


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
    "fewest requests": lambda one: sum(one.requests.values()),
}
"""What an alternative can be the best at; the smaller the better."""


def _served(alternative: Alternative) -> int:
    return sum(operation.answer != "not served" for operation in alternative.plan.operations)
