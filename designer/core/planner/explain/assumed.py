"""What a plan assumes: each figure that nobody stated and that does not follow, and which reads it could change.

The figures are those of `model.cardinality` and `workload.requirements`. What the plan as it is would take with other
values of them is priced by the same rules; that another value might choose another plan is not looked at.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

from designer.core.design.document import Design, Entity
from designer.core.patterns.base import Read
from designer.core.plan import Assumed, Assumption, Effect, Use
from designer.core.planner.model.cardinality import (
    CHILDREN,
    ITEMS,
    children_known,
    distinct_values,
    known_values,
    share_kept,
    stated_share,
)
from designer.core.planner.model.demands import Question, ReadDemand
from designer.core.planner.model.score import exact, money
from designer.core.planner.model.structures import Access
from designer.core.planner.operations.context import Context
from designer.core.planner.pricing.access_paths import priced_otherwise
from designer.core.planner.pricing.structures import keys_bytes
from designer.core.prices import SECONDS_PER_MONTH, prices_of

LOWEST_SHARE = 0.01
HIGHEST_SHARE = 0.9
"""Between these a share is plausible of which nothing is known."""
FACTOR = 10.0
"""A number of which nothing is known may be so many times smaller or larger."""


@dataclass(frozen=True)
class _Guess:
    """A figure that was not stated."""

    what: Assumption
    where: str
    of: str
    value: float

    @property
    def low(self) -> float:
        if self.what == "share":
            return LOWEST_SHARE
        return max(1.0, self.value / FACTOR)

    @property
    def high(self) -> float:
        return HIGHEST_SHARE if self.what == "share" else self.value * FACTOR


def assumed(context: Context, stated: Design) -> tuple[Assumed, ...]:
    """What the plan of a design assumes, what could change most first."""
    uses: dict[_Guess, list[tuple[Use, Fraction]]] = {}
    for q, question in enumerate(context.search.requirements.questions):
        if question.copied is not None or question.change is not None:
            continue
        for at, demand in enumerate(question.demands):
            chosen = context.choice.entities[demand.entity]
            access = chosen.access.get((q, at))
            if access is None or demand.entity not in stated.entity:
                continue
            way = demand.ways[access.way]
            for guess in dict.fromkeys(_guesses(stated, question, way)):
                found = _used(context, question, way, access, guess)
                uses.setdefault(guess, []).append(found)
    for entity in stated.entities:
        if entity.items is None:
            uses.setdefault(_items_of(entity), [])
    listed = [_listed(guess, found) for guess, found in uses.items()]
    return tuple(sorted(listed, key=_first))


def _first(one: Assumed) -> tuple[float, float, str, str, str]:
    between = (abs(use.high.units - use.low.units) for use in one.used)
    return -one.usd_per_month, -max(between, default=0.0), one.where, one.what, one.of


def _listed(guess: _Guess, found: list[tuple[Use, Fraction]]) -> Assumed:
    uses: dict[tuple[int, tuple[str, ...] | None], Use] = {}
    for use, _ in found:
        before = uses.get((use.pattern, use.given))
        uses[use.pattern, use.given] = use if before is None else _both(before, use)
    return Assumed(
        what=guess.what,
        where=guess.where,
        of=guess.of,
        value=round(guess.value, 6),
        low=round(guess.low, 6),
        high=round(guess.high, 6),
        used=tuple(uses.values()),
        usd_per_month=money(sum((usd for _, usd in found), Fraction(0))),
    )


def _both(one: Use, other: Use) -> Use:
    """What two parts of one read take together."""

    def added(first: Effect, second: Effect) -> Effect:
        requests = round(first.requests + second.requests, 6)
        return Effect(requests=requests, units=round(first.units + second.units, 6))

    return one.model_copy(
        update={"low": added(one.low, other.low), "high": added(one.high, other.high)}
    )


# Which figures a read comes from ------------------------------------------------------------------


def _guesses(design: Design, question: Question, demand: ReadDemand) -> Iterator[_Guess]:
    """What was not stated of what a demand finds; what the team expects is taken for what it says."""
    entity, number = design.entity[demand.entity], question.stated_number
    pattern = question.pattern
    expects = pattern.expects if isinstance(pattern, Read) else None
    if demand.list_of is not None and expects is None:
        yield _Guess("list", f"patterns.{number}", demand.list_of, demand.list_length)
    if demand.expected is not None or demand.one:
        return
    yield from _untold_shares(design, entity, number, demand)
    if demand.part in design.relationship:
        relationship = design.relationship[demand.part]
        parent = question.demands[0].entity
        if relationship.child == entity.name and not children_known(design, relationship, parent):
            yield _Guess("children", f"relationships.{demand.part}", demand.part, CHILDREN)
        return
    if not demand.equals and not demand.exists and entity.items is None:
        yield _items_of(entity)
    yield from _untold_matches(design, entity, demand)


def _untold_shares(
    design: Design, entity: Entity, number: int, demand: ReadDemand
) -> Iterator[_Guess]:
    for condition in (*((demand.range,) if demand.range is not None else ()), *demand.filters):
        is_own = condition.attribute in entity.by_name
        if is_own and stated_share(design, entity, condition) is None:
            share = share_kept(design, entity, condition)
            yield _Guess("share", f"patterns.{number}", condition.attribute, share)


def _untold_matches(design: Design, entity: Entity, demand: ReadDemand) -> Iterator[_Guess]:
    """Of the items that have the known values."""
    joined: set[str] = set()
    for held in design.held[entity.name]:
        if not held.by or not all(part & demand.equals.keys() for part in held.parts):
            continue
        joined.update(*held.parts)
        for relationship, _ in held.by:
            if held.of in relationship.parents and not children_known(
                design, relationship, held.of
            ):
                where = f"relationships.{relationship.name}"
                yield _Guess("children", where, relationship.name, CHILDREN)
    for name in demand.equals:
        attribute = entity.by_name.get(name)
        if attribute is None or name in joined:
            continue
        if known_values(design, entity, attribute) is None:
            of, original = design.origin(entity, attribute)
            where = f"entities.{of.name}.attributes.{original.name}"
            yield _Guess(
                "values",
                where,
                f"{of.name}.{original.name}",
                distinct_values(design, of, original),
            )


def _items_of(entity: Entity) -> _Guess:
    return _Guess("items", f"entities.{entity.name}", entity.name, ITEMS)


# What another figure would change -----------------------------------------------------------------


def _used(
    context: Context, question: Question, demand: ReadDemand, access: Access, guess: _Guess
) -> tuple[Use, Fraction]:
    low = _with(context, _otherwise(demand, guess, guess.low), access)
    high = _with(context, _otherwise(demand, guess, guess.high), access)
    between = abs(exact(high.units) - exact(low.units)) * exact(question.average or 0)
    usd = between * prices_of(context.search.design.region).read_unit * SECONDS_PER_MONTH
    use = Use(pattern=question.stated_number, given=question.given, low=low, high=high)
    return use, usd


def _otherwise(demand: ReadDemand, guess: _Guess, value: float) -> ReadDemand:
    """A demand in the way that it is read, with another value of a figure."""
    factor = value / guess.value if guess.value else 1.0
    demand = replace(demand, others=())
    if guess.what == "list":
        return replace(demand, list_length=value)
    if guess.what != "share":
        matched = demand.matched * (1 / factor if guess.what == "values" else factor)
        return replace(demand, matched=matched)
    found = replace(demand, kept=min(1.0, demand.kept * factor))
    if demand.range is not None and demand.range.attribute == guess.of:
        return replace(found, range_share=min(1.0, demand.range_share * factor))
    return found


def _with(context: Context, demand: ReadDemand, access: Access) -> Effect:
    """What an access takes for a demand, in all the times that it is asked."""
    model, chosen = context.model(demand.entity), context.choice.entities[demand.entity]
    held = context.layout.held[demand.entity]
    keys = keys_bytes(model, chosen.base, held)
    holds = held.get(access.structure) if access.structure is not None else None
    way = priced_otherwise(model, chosen.base, access, demand, holds, keys)
    requests = way.requests * (1 if way.call == "get" else demand.times)
    return Effect(requests=round(requests, 6), units=round(float(way.units) * demand.times, 6))
