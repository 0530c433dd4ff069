"""What a plan assumes: each figure that nobody stated and that does not follow, and which reads it could change.

The figures are those of `model.cardinality`, `model.distinct`, `model.shares` and `workload.requirements`. What the
plan as it is would take with other values of them is priced by the same rules; that another value might choose another
plan is not looked at.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from math import isclose

from designer.core.design.document import Design
from designer.core.design.entities import Entity
from designer.core.dynamodb.prices import SECONDS_PER_MONTH, prices_of
from designer.core.patterns.base import Pattern, Read, Write
from designer.core.plan import Assumed, Effect, Use
from designer.core.planner.explain.guessed import FACTOR, Guess, otherwise, times_items
from designer.core.planner.explain.repricing import Finds, Found, Repricing, Run
from designer.core.planner.model.cardinality import (
    CHILDREN,
    children_known,
    matching_items,
    may_be_together,
)
from designer.core.planner.model.chosen import SharedQuery
from designer.core.planner.model.distinct import (
    ITEMS,
    distinct_values,
    fewest_values,
    known_values,
)
from designer.core.planner.model.reads_and_writes import EntityRead, PatternRead
from designer.core.planner.model.score import exact, money
from designer.core.planner.model.shares import presence, share_kept, stated_share, stored_name
from designer.core.planner.model.structures import Access
from designer.core.planner.operations.context import Context
from designer.core.planner.operations.unstated_shares import deciding_shares
from designer.core.planner.pricing.requests import requests_in_all
from designer.core.planner.workload.different_parents import different_parents
from designer.core.rational import Fraction

ROUNDED = 1e-5
"""Less than this is no difference, but the rounding of what a plan says."""
MATTERS = 2.0
"""Items that several values may find together, where one is the least: fewer make no difference."""


_Taken = tuple[float, float, float]
"""Requests, read units and write units."""


@dataclass(frozen=True)
class _Used:
    """What of an access pattern depends on a figure."""

    run: Run
    now: _Taken
    low: _Taken
    high: _Taken
    usd: Fraction
    """US dollars a month between both ends."""

    def and_(self, other: "_Used") -> "_Used":
        """What two parts of one pattern take together."""

        def added(one: _Taken, more: _Taken) -> _Taken:
            return one[0] + more[0], one[1] + more[1], one[2] + more[2]

        now, low = added(self.now, other.now), added(self.low, other.low)
        return _Used(self.run, now, low, added(self.high, other.high), self.usd + other.usd)


def assumed(pricing: Repricing, stated: Design) -> tuple[Assumed, ...]:
    """What the reads of a plan assume; `assumed_sizes` has the sizes, `assumed_shares` the shares of values."""
    context = pricing.context
    uses: dict[Guess, list[_Used]] = {}
    for q, pattern_read in enumerate(context.search.requirements.pattern_reads):
        if pattern_read.copied is not None or pattern_read.change is not None:
            continue
        for at, entity_read in enumerate(pattern_read.entity_reads):
            chosen = context.choice.entities[entity_read.entity]
            access = chosen.access.get((q, at))
            if entity_read.entity not in stated.entity:
                continue
            if access is None:
                for guess in _deciding(pricing, pattern_read, entity_read):
                    uses.setdefault(guess, [])
                continue
            way = entity_read.ways[access.way]
            for guess in dict.fromkeys(_guesses(stated, pattern_read, way, entity_read)):
                found = _used(pricing, q, at, access, guess)
                uses.setdefault(guess, []).append(found)
    for group in context.choice.shared_queries:
        for guess, found in _used_together(pricing, stated, group):
            uses.setdefault(guess, []).append(found)
    for entity in stated.entities:
        if entity.items is None:
            uses.setdefault(_items_of(entity), [])
    return tuple(_listed(pricing, guess, found) for guess, found in uses.items())


def _deciding(
    pricing: Repricing, pattern_read: PatternRead, entity_read: EntityRead
) -> Iterator[Guess]:
    """The shares without which an entity read would be served."""
    operation = pricing.operations.get((pattern_read.stated_number, pattern_read.given))
    if operation is None or operation.steps or operation.answer != "not served":
        return
    where = f"patterns.{pattern_read.stated_number}"
    for one in deciding_shares(pricing.context, entity_read):
        yield Guess("share", where, one.attribute, one.share, one.most)


def ranked(listed: Iterable[Assumed]) -> tuple[Assumed, ...]:
    """Assumptions in the order of what they could change, most first; before all, those that could exceed a limit."""
    return tuple(sorted(listed, key=_first))


def _first(one: Assumed) -> tuple[bool, float, float, str, str, str]:
    is_within = one.at_high is None or not one.at_high.exceeds
    between = (
        abs(use.high.units + use.high.write_units - use.low.units - use.low.write_units)
        for use in one.used
    )
    most = max(between, default=0.0)
    return is_within, -one.usd_per_month, -most, one.where, one.what, one.of


def _listed(pricing: Repricing, guess: Guess, found: list[_Used]) -> Assumed:
    uses: dict[Run, _Used] = {}
    for use in found:
        before = uses.get(use.run)
        uses[use.run] = use if before is None else before.and_(use)
    return Assumed(
        what=guess.what,
        where=guess.where,
        of=guess.of,
        value=round(guess.value, 6),
        low=round(guess.low, 6),
        high=round(guess.high, 6),
        used=tuple(_as_a_whole(pricing, use) for use in uses.values()),
        usd_per_month=money(sum((use.usd for use in found), Fraction(0))),
    )


def _as_a_whole(pricing: Repricing, use: _Used) -> Use:
    """What a whole pattern takes at both ends: what does not depend on the figure takes as much as now."""
    operation, (number, given) = pricing.operations.get(use.run), use.run
    whole = use.now
    if operation is not None:
        whole = operation.requests, operation.read_units, operation.write_units

    def effect(taken: _Taken) -> Effect:
        requests, units, written = (
            max(
                0.0,
                round(with_it + (0.0 if isclose(every, now, abs_tol=ROUNDED) else every - now), 6),
            )
            for every, with_it, now in zip(whole, taken, use.now, strict=True)
        )
        return Effect(requests=requests, units=units, write_units=written)

    return Use(pattern=number, given=given, low=effect(use.low), high=effect(use.high))


# Which figures a read comes from ------------------------------------------------------------------


def _guesses(
    design: Design, pattern_read: PatternRead, entity_read: EntityRead, first: EntityRead
) -> Iterator[Guess]:
    """What was not stated of what an entity read finds; what the team expects is taken for what it says.

    `first`: the first of its ways, which asks for each item by its key where a list names them.
    """
    entity, number = design.entity[entity_read.entity], pattern_read.stated_number
    pattern = pattern_read.pattern
    by_name = first.list_of is not None and entity.names_one(first.equals.keys())
    asked = first if by_name else entity_read
    for listed in _listed_freely(pattern, entity, asked):
        most = distinct_values(design, entity, entity.by_name[listed])
        length = asked.lists[listed].length
        yield Guess("list", f"patterns.{number}", listed, length, most)
    if entity_read.expected is not None or entity_read.one:
        return
    tested = first.list_of if by_name else None  # how many values it has says what it keeps
    yield from _unstated_shares(design, entity, number, entity_read, tested)
    if entity_read.part in design.relationship:
        relationship = design.relationship[entity_read.part]
        parent = pattern_read.entity_reads[0].entity
        if relationship.child == entity.name and not children_known(design, relationship, parent):
            yield Guess("children", f"relationships.{entity_read.part}", entity_read.part, CHILDREN)
        return
    if not entity_read.equals and not entity_read.exists and entity.items is None:
        yield _items_of(entity)
    yield from _unstated_matches(design, entity, entity_read)
    if entity_read.equals.keys() <= entity.by_name.keys():  # else by what is copied from others
        yield from _unstated_together(design, entity, number, entity_read)


def _listed_freely(pattern: Pattern, entity: Entity, entity_read: EntityRead) -> tuple[str, ...]:
    """What a read asks for by lists of which nothing says how many values they have."""
    if not isinstance(pattern, Read | Write):
        return ()
    where = pattern.collection if isinstance(pattern, Write) else pattern.where
    if isinstance(pattern, Read):
        by_name = pattern.lists_identifiers or entity.names_one(entity_read.equals.keys())
        if by_name and pattern.expects is not None:
            return ()
    open_ = {one.attribute for one in where if one.listed is not None and one.listed.length is None}
    return tuple(name for name in entity_read.lists if name in open_)


def _unstated_shares(
    design: Design, entity: Entity, number: int, entity_read: EntityRead, listed: str | None
) -> Iterator[Guess]:
    for condition in (
        *((entity_read.range,) if entity_read.range is not None else ()),
        *entity_read.filters,
    ):
        is_own = condition.attribute in entity.by_name.keys() - {listed}
        if is_own and stated_share(design, entity, condition) is None:
            share = share_kept(design, entity, condition)
            name = stored_name(entity, condition.attribute)
            most = presence(entity, (name,)) if condition.needs_a_value else 1.0
            yield Guess("share", f"patterns.{number}", condition.attribute, share, most)


def _unstated_matches(design: Design, entity: Entity, entity_read: EntityRead) -> Iterator[Guess]:
    """Of the items that have the known values."""
    if entity.items is None and not isclose(times_items(design, entity, entity_read, FACTOR), 1.0):
        yield _items_of(entity)
    joined: set[str] = set()
    for held in design.held[entity.name]:
        counted = entity_read.equals.keys() - entity_read.said.keys()
        if not held.by or not all(part & counted for part in held.parts):
            continue
        joined.update(*held.parts)
        for relationship, _ in held.by:
            if held.of in relationship.parents and not children_known(
                design, relationship, held.of
            ):
                where = f"relationships.{relationship.name}"
                yield Guess("children", where, relationship.name, CHILDREN)
    for name in entity_read.equals:
        attribute = entity.by_name.get(name)
        if attribute is None or name in joined or name in entity_read.said:
            continue
        if known_values(design, entity, attribute) is None:
            of, original = design.origin(entity, attribute)
            where = f"entities.{of.name}.attributes.{original.name}"
            values = distinct_values(design, of, original)
            most = max(values, float(of.items or ITEMS))
            least = fewest_values(design, of, original)
            yield Guess("values", where, f"{of.name}.{original.name}", values, most, least)


def _unstated_together(
    design: Design, entity: Entity, number: int, entity_read: EntityRead
) -> Iterator[Guess]:
    """Of the items that have all the known values, where that is not by chance."""
    equals, said = entity_read.equals, entity_read.said
    most = may_be_together(design, entity, equals, said)
    if most is not None and most >= MATTERS:
        found = matching_items(design, entity, equals, said)
        of = ", ".join(entity_read.equals)
        yield Guess("together", f"patterns.{number}", of, found, most, is_between=True)


def _items_of(entity: Entity) -> Guess:
    return Guess("items", f"entities.{entity.name}", entity.name, ITEMS)


# What another figure would change -----------------------------------------------------------------


def _used(pricing: Repricing, q: int, at: int, access: Access, guess: Guess) -> _Used:
    """What an access pattern takes with other values of a figure that one of its entity reads comes from."""
    context = pricing.context
    pattern_read = context.search.requirements.pattern_reads[q]
    entity_read = pattern_read.entity_reads[at]
    model, along = context.model(entity_read.entity), _along(context, q, at)

    def taken(finds: Finds | None) -> _Taken:
        way = pricing.read_alone(model, entity_read, access, finds)
        found = entity_read.ways[access.way]
        if finds is not None:
            found = (finds(found, access) or (found, None))[0]
        requests = float(requests_in_all(way, entity_read.times))
        units, written = float(way.units) * entity_read.times, Fraction(0)
        if entity_read.deletes:
            more, written = pricing.deleted(model, pattern_read.number, found.rows)
            requests += more
        for other, its in along:
            of_it = context.model(other.entity)
            way = pricing.read_alone(of_it, other, its, None)
            times = _times_along(context.search.design, pattern_read, found, other)
            requests += float(requests_in_all(way, times))
            units += float(way.units) * times
        return requests, units, float(written)

    now = taken(None)
    low, high = (
        taken(partial(otherwise, context.search.design, guess, value))
        for value in (guess.low, guess.high)
    )
    return _use(pricing, pattern_read, now, low, high)


def _along(context: Context, q: int, at: int) -> list[tuple[EntityRead, Access]]:
    """What comes along of each row of an entity read, where it is read by itself."""
    if at or context.search.requirements.pattern_reads[q].union:
        return []
    found = []
    for place, other in enumerate(context.search.requirements.pattern_reads[q].entity_reads):
        access = context.choice.entities[other.entity].access.get((q, place))
        if place and other.is_dependent and access is not None:
            found.append((other, access))
    return found


def _times_along(
    design: Design, pattern_read: PatternRead, root: EntityRead, other: EntityRead
) -> float:
    """How often something is asked for that comes along with rows, where these are as many as `root` finds.

    As often as it is now where the rows are as many as now.
    """
    before = pattern_read.entity_reads[0]
    if root.one or root.returned == before.returned:
        return other.times
    if pattern_read.parents[other.part] == "many":
        return root.returned
    references = dict(pattern_read.links[other.part])
    usual, _ = different_parents(design, root, design.entity[other.entity], references)
    return root.returned if usual is None else min(root.returned, usual)


def _used_together(
    pricing: Repricing, stated: Design, group: SharedQuery
) -> Iterator[tuple[Guess, _Used]]:
    """What was not stated of several entity reads that one Query answers."""
    search = pricing.context.search
    pattern_read = search.requirements.pattern_reads[group.pattern_read]
    reads = [pattern_read.entity_reads[at] for at in group.parts]
    of_each = {
        one.entity: tuple(_guesses(stated, pattern_read, one, one))
        for one in reads
        if one.entity in stated.entity
    }
    for guess in dict.fromkeys(guess for mine in of_each.values() for guess in mine):

        def taken(finds: Finds | None) -> _Taken:
            found = pricing.read_together(search, group, finds)
            return found.requests, float(found.units), 0.0

        def finding(value: float, guess: Guess = guess) -> Finds:
            def finds(entity_read: EntityRead, access: Access) -> Found | None:
                if guess not in of_each.get(entity_read.entity, ()):
                    return None
                return otherwise(search.design, guess, value, entity_read, access)

            return finds

        low, high = taken(finding(guess.low)), taken(finding(guess.high))
        yield guess, _use(pricing, pattern_read, taken(None), low, high)


def _use(
    pricing: Repricing, pattern_read: PatternRead, now: _Taken, low: _Taken, high: _Taken
) -> _Used:
    """`now`, `low`, `high`: what of the pattern depends on a figure takes now, and with its values at both ends."""
    prices = prices_of(pricing.context.search.design.region)
    read = (exact(high[1]) - exact(low[1])) * prices.read_unit
    written = (exact(high[2]) - exact(low[2])) * prices.write_unit
    usd = abs(read + written) * exact(pattern_read.average or 0) * SECONDS_PER_MONTH
    return _Used((pattern_read.stated_number, pattern_read.given), now, low, high, usd)
