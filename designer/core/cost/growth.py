"""What a plan costs as its items become more: storage grows, requests stay as stated."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from designer.core.cost.account import Account
from designer.core.cost.options import Changes, Options, exact
from designer.core.cost.usage import rate_of
from designer.core.design.document import Design
from designer.core.design.entities import Entity
from designer.core.dynamodb.prices import SECONDS_PER_MONTH
from designer.core.patterns.base import Write
from designer.core.planner.workload.requirements import items_deleted
from designer.core.rational import Fraction

MONTHS = 36
STEP = 6
"""Between two points; what lies between them lies on the line."""

Because = Literal["stated", "created", "expires", "not known"]
SIGNS = {"create": 1, "delete": -1}


@dataclass(frozen=True)
class EntityGrowth:
    """How many items an entity gains in a month, and how that is known."""

    entity: str
    stated: int | None
    """How many there are now; None where nobody says."""
    per_month: Fraction
    because: Because

    @property
    def items(self) -> int:
        """As the bill counts them."""
        return self.stated or 0


@dataclass(frozen=True)
class Point:
    """What a plan costs in a month, and what it stores, so many months from now."""

    month: int
    usd: Fraction
    bytes: Fraction


def growth_of(design: Design, changes: Changes) -> Iterator[EntityGrowth]:
    """Of each entity: what is stated, else what is created less what is deleted.

    What expires stays as many as it is, as long as nobody states otherwise: as much goes as comes.
    """
    gained = _gained(design, changes)
    for entity in design.entities:
        items = changes.items.get(entity.name, entity.items)
        per_month, because = _known(entity, gained)
        yield EntityGrowth(entity.name, items, per_month, because)


def _known(entity: Entity, gained: Mapping[str, Fraction]) -> tuple[Fraction, Because]:
    if entity.growth_per_month is not None:
        return Fraction(entity.growth_per_month), "stated"
    if entity.expires:
        return Fraction(0), "expires"
    if entity.name in gained:
        return gained[entity.name], "created"
    return Fraction(0), "not known"


def _gained(design: Design, changes: Changes) -> Mapping[str, Fraction]:
    """Items created less items deleted in a month, of each entity that a pattern with a rate creates or deletes."""
    found: dict[str, Fraction] = {}
    for pattern in design.patterns:
        rate = rate_of(design, pattern.number, changes)
        if rate is None or not isinstance(pattern, Write):
            continue
        for change in pattern.changes:
            if change.verb in SIGNS:
                times = change.times.average if change.times else 1
                items = exact(items_deleted(design, pattern) if pattern.collection else times)
                more = SIGNS[change.verb] * rate.average * items * SECONDS_PER_MONTH
                found[change.entity] = found.get(change.entity, Fraction(0)) + more
    return found


def growth(account: Account, options: Options, changes: Changes) -> tuple[Point, ...]:
    """Now and every half year, for three years."""
    rates = tuple(growth_of(account.design, changes))
    points = []
    for month in range(0, MONTHS + 1, STEP):
        items = {each.entity: max(0, int(each.items + each.per_month * month)) for each in rates}
        then = Changes(changes.rates, items)
        points.append(Point(month, *account.total(options, then)))
    return tuple(points)
