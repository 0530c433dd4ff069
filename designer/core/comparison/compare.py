"""The whole comparison of a design's styles."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cached_property

from designer.core.comparison.coupling import Shared, coupling
from designer.core.comparison.fares import Row, rows
from designer.core.comparison.recommending import Recommendation, recommend
from designer.core.comparison.side import Side
from designer.core.comparison.technologies import TECHNOLOGIES, Technology
from designer.core.cost.bill import NOTHING
from designer.core.cost.growth import growth_of
from designer.core.cost.options import Changes
from designer.core.design.document import Design
from designer.core.plan import Plan, Style
from designer.core.rational import Fraction


@dataclass(frozen=True)
class Comparison:
    """The styles of a design side by side."""

    design: Design
    sides: tuple[Side, ...]

    @cached_property
    def rows(self) -> tuple[Row, ...]:
        """Every pattern, with how it fares on each side."""
        return rows(self.design, self.sides)

    @cached_property
    def coupling(self) -> Mapping[Style, tuple[Shared, ...]]:
        """The tables of each side, with what their entities share."""
        return {side.style: coupling(side) for side in self.sides}

    @cached_property
    def recommendation(self) -> Recommendation:
        return recommend(self.design, self.sides)

    @property
    def still(self) -> tuple[str, ...]:
        """What the recommended style fails at, though no other does better: it is to be known all the same."""
        side = self.side(self.recommendation.style)
        unserved = (f"Pattern {number} is not served." for number in side.unserved)
        return (*unserved, *side.failings)

    @cached_property
    def technologies(self) -> tuple[tuple[Technology, str, str], ...]:
        """Each way to build it with what the design says of its use, and of its price."""
        return tuple(
            (one, one.here(self.design, self.sides), one.price(self.design, self.sides))
            for one in TECHNOLOGIES
        )

    @property
    def growth_unknown(self) -> tuple[str, ...]:
        """Entities of which nothing says how they grow: in a year they are taken to be as many as now."""
        found = growth_of(self.design, Changes())
        return tuple(each.entity for each in found if each.because == "not known")

    def side(self, style: Style) -> Side:
        """That of a style; KeyError where it is not compared."""
        return {side.style: side for side in self.sides}[style]

    def only(self, styles: Collection[Style]) -> "Comparison":
        """Some of the styles, judged beside one another alone."""
        return Comparison(self.design, tuple(side for side in self.sides if side.style in styles))

    def besides(self, style: Style) -> Fraction:
        """US dollars of a side's bill that no pattern pays: storage, recovery, upkeep, capacity that nobody uses."""
        side = self.side(style)
        return side.usd - sum((line.usd for line in side.paid.values()), NOTHING)


def compared(design: Design, plans: Mapping[Style, Plan]) -> Comparison:
    """The comparison of a design's plans, one of each style, in their order."""
    return Comparison(design, tuple(Side(design, plan) for plan in plans.values()))
