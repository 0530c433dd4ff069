"""Our plans beside the published design of a case: what each serves, how many structures it takes, what it costs.

All are priced by the same rules. Structures are what there is besides one item for each entity and the guards that
keep values unique: indexes, whole items stored again, and parts of items that lie apart.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

from designer.core.design.document import Design
from designer.core.plan import STYLES, Plan, Style
from designer.core.planner import plan
from designer.core.planner.rewrites.read_strategies import WEIGHED
from designer.core.planner.solve.candidate_lists import CACHED
from designer.core.rational import Fraction
from tools.benchmark.cases import Case
from tools.benchmark.published import Published, priced

ADDED = 1000
"""Patterns with higher numbers were added to a case: they write what the case reads and does not write."""
DEARER = Fraction(101, 100)
"""As much of the published design's cost as ours may be before it counts as dearer."""
BESIDES = ("guard", "embedded")
"""Roles of item shapes that are no structures: the first keeps a value unique, the second lies in its parent's item."""


@dataclass(frozen=True)
class Figures:
    """One plan in figures."""

    style: Style
    asked: int
    """Patterns of the case."""
    served: int
    elsewhere: int
    """Patterns that no key serves, which are left to another service."""
    in_one_request: int
    structures: int
    usd: Fraction
    """US dollars a month."""
    lowest: Fraction
    """What the cheapest plan of the style costs, where the simplest was taken instead of it; else what this does."""
    gap: float
    plan: Plan = field(repr=False)
    within: float | None = None
    """Planned for the fewest indexes at no more than this share above the lowest cost; None: as the planner aims."""

    @property
    def is_whole(self) -> bool:
        return self.served + self.elsewhere == self.asked

    @property
    def is_exact(self) -> bool:
        return self.gap == 0


@dataclass(frozen=True)
class Comparison:
    """A case's plans beside its published design."""

    slug: str
    published: Figures
    ours: tuple[Figures, ...]
    fewest: tuple[Figures, ...]
    """With as few structures as the published cost allows; only where the cheaper of ours does not match."""
    repairs: tuple[str, ...]
    reason: str
    """Why it is missed, where it is."""

    @property
    def cheaper(self) -> Figures:
        return min(self.ours, key=lambda figures: figures.usd)

    @property
    def matching(self) -> Figures | None:
        """The cheapest plan of ours that is neither dearer than the published design nor of more structures.

        One planned for the fewest indexes only where none planned as the planner aims is.
        """
        for plans in (self.ours, self.fewest):
            found = [figures for figures in plans if self.is_matched_by(figures)]
            if found:
                return min(found, key=lambda figures: figures.usd)
        return None

    @property
    def matches_in_cheaper_style(self) -> bool:
        """Whether the cheaper style has a plan that matches, whatever the other one has."""
        plans = (*self.ours, *self.fewest)
        return any(p.style == self.cheaper.style and self.is_matched_by(p) for p in plans)

    def is_matched_by(self, ours: Figures) -> bool:
        """Whether one plan answers everything, costs at most 1 % more, and has no more structures."""
        return (
            ours.is_whole
            and ours.usd <= self.published.usd * DEARER
            and ours.structures <= self.published.structures
        )


def compare(case: Case, published: Published) -> Comparison:
    """Plan a case in both styles, and under its published keys."""
    keys = priced(case.design, published)
    repairs = (*published.repairs, *keys.repairs)
    theirs = figures(case.design, keys.plan, structures=published.structures)
    ours = tuple(figures(case.design, _planned(case.design, style)) for style in STYLES)
    found = Comparison(case.slug, theirs, ours, (), repairs, published.reason)
    if not found.matches_in_cheaper_style:
        cheap = [figures for figures in ours if figures.usd <= theirs.usd * DEARER]
        fewest = tuple(_fewest(case.design, one, theirs.usd * DEARER) for one in cheap)
        found = Comparison(case.slug, theirs, ours, fewest, repairs, published.reason)
    return found


@dataclass(frozen=True)
class Mix:
    """A case's plan under one mix of its patterns."""

    name: str
    figures: Figures
    seconds: float
    """What planning took."""


def mixes(case: Case, clock: Callable[[], float]) -> Iterator[Mix]:
    """Plan each mix of a case in both styles, each from nothing, by a clock in seconds."""
    for name in case.mixes.weights if case.mixes is not None else ():
        design = case.mixed(name)
        for style in STYLES:
            for memory in (CACHED, WEIGHED):
                memory.clear()
            began = clock()
            made = plan(design, style)
            yield Mix(name, figures(design, made), clock() - began)


def _fewest(design: Design, cheapest: Figures, most: Fraction) -> Figures:
    """The fewest structures that a price allows, in the style of a plan that is cheaper."""
    tolerance = float(min(most / cheapest.lowest - 1, Fraction(1))) if cheapest.lowest else 0.0
    fewer = design.with_planner(objective="indexes", tolerance=tolerance)
    return replace(figures(design, _planned(fewer, cheapest.style)), within=tolerance)


def _planned(design: Design, style: Style) -> Plan:
    """A plan without its decisions and certificate, which take as long again and are not compared."""
    return plan(design, style, reasons="findings")


def figures(design: Design, made: Plan, structures: int | None = None) -> Figures:
    """A plan in figures; `structures` as they were counted elsewhere, else as the plan has them."""
    asked = [pattern.number for pattern in design.patterns if pattern.number <= ADDED]
    cheapest = made.cost.cheapest
    answers = {number: {o.answer for o in made.operations_for(number)} for number in asked}
    count = Counter("elsewhere" if "elsewhere" in found else "" for found in answers.values())
    return Figures(
        style=made.style,
        asked=len(asked),
        served=sum(not found & {"elsewhere", "not served"} for found in answers.values()),
        elsewhere=count["elsewhere"],
        in_one_request=sum(found == {"in one request"} for found in answers.values()),
        structures=_structures(made) if structures is None else structures,
        usd=Fraction(str(made.cost.per_month)),
        lowest=Fraction(str(made.cost.per_month if cheapest is None else cheapest)),
        gap=made.cost.gap,
        plan=made,
    )


def _structures(made: Plan) -> int:
    indexes = sum(len(table.indexes) for table in made.tables)
    shapes = [s for table in made.tables for s in table.items if s.role not in BESIDES]
    return indexes + len(shapes) - len({shape.entity for shape in shapes})
