"""What a way to build it says of itself and of a design."""

from abc import ABC, abstractmethod
from typing import ClassVar

from designer.core.comparison.coupling import Shared, coupling
from designer.core.comparison.criteria.base import Sides
from designer.core.comparison.side import Side
from designer.core.design.document import Design
from designer.core.plan import Style
from designer.core.planner.explain.amounts import CENT
from designer.core.planner.model.wording import sentence
from designer.core.sentences.plans import unshared
from designer.core.words import figures
from designer.core.words.english import spoken

NO_MATTER = 0.001
"""A difference in requests that is no more than this share of them."""


class Technology(ABC):
    """A choice that a team has, with when it is made, and what it takes."""

    slug: ClassVar[str]
    label: ClassVar[str]
    place: ClassVar[int]
    when: ClassVar[str]
    """In general: what speaks for it."""
    takes: ClassVar[str]
    """In general: what it takes."""

    @abstractmethod
    def here(self, design: Design, sides: Sides) -> str:
        """What this design says of it, as sentences."""

    @abstractmethod
    def price(self, design: Design, sides: Sides) -> str:
        """What it takes in this design, as sentences."""


class OfStyle(Technology):
    """A style, beside the others that are compared."""

    style: ClassVar[Style]

    def here(self, design: Design, sides: Sides) -> str:
        mine = self._side(sides)
        if mine is None:
            return "Not compared here."
        said = [
            f"{figures.money(float(mine.usd))} a month and {figures.number(mine.per_second)} requests a second."
        ]
        said += [_beside(mine, other) for other in sides if other is not mine]
        return " ".join(said)

    def price(self, design: Design, sides: Sides) -> str:
        mine = self._side(sides)
        if mine is None:
            return ""
        shared = [one for one in coupling(mine) if one.is_shared]
        if not shared:
            return unshared(mine.plan)
        return " ".join(_shares(one) for one in shared)

    def _side(self, sides: Sides) -> Side | None:
        return next((side for side in sides if side.style == self.style), None)


def _beside(mine: Side, other: Side) -> str:
    if mine.is_same_plan(other):
        return f"The same plan as in {other.words}."
    usd = figures.money_apart(float(mine.usd), float(other.usd))
    requests = mine.per_second - other.per_second
    if abs(requests) < NO_MATTER * max(mine.per_second, other.per_second):
        requests = 0.0
    said = []
    if abs(usd) >= CENT:
        said.append(f"{figures.money(abs(usd))} a month {'more' if usd > 0 else 'less'}")
    if requests:
        said.append(
            f"{figures.number(abs(requests))} {'more' if requests > 0 else 'fewer'} requests a second"
        )
    if said:
        words = f"{spoken(tuple(said))} than"
    else:
        is_same = _figures(mine) == _figures(other)
        words = f"{'' if is_same else 'about '}the same cost and requests as"
    return f"{sentence(words)} {other.words}."


def _figures(side: Side) -> tuple[str, str]:
    """What a month costs and how many requests a second there are, as `here` says them."""
    return figures.money(float(side.usd)), figures.number(side.per_second)


def _shares(one: Shared) -> str:
    together = " and are restored together" if one.recovery_days else ""
    said = [
        f"{len(one.entities)} entities share {one.table} ({figures.size(float(one.bytes))}){together}"
    ]
    if one.streamed_along:
        said.append(
            f"its stream, needed for {spoken(one.streamed_for)}, also reports changes to "
            f"{figures.count(len(one.streamed_along), 'other entity', 'other entities')}"
        )
    if one.beside_personal:
        without, personal = len(one.beside_personal), len(one.personal)
        said.append(
            f"{personal} of these {len(one.entities)} entities {'holds' if personal == 1 else 'hold'} personal data, "
            f"and the {'other does not' if without == 1 else 'others do not'}"
        )
    return f"{'; '.join(said)}."
