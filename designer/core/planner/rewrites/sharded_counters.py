"""Counters in shards (rule 18): a number that is only added to, too often for one item, lies in several.

No key spreads one item. `counters` lists the numbers whose additions make the hottest item take more than a partition
serves. `rewritten` is the design with an entity for what is added: so many items for each of the entity's own, each
under a partition key of its own, which is searched and priced like any other. `mapped_back` puts its plan back into the
words of the design as it is stated.

The item keeps what the number began with, its counters what was added since. They are made and deleted in one
transaction; an addition goes to one of them, drawn at random, and is refused where that is not there, so that it does
not touch the item itself; a read asks for all of them besides the item and adds them up.

See docs/modelling-rules.md.
"""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from designer.core.capacity.sizes import entity_bytes
from designer.core.capacity.units import write_units
from designer.core.design.document import Design
from designer.core.design.entities import Entity
from designer.core.design.kept import kept_figures
from designer.core.dynamodb.limits import PARTITION_WRITES, SHARD_WRITES, WRITE_UNIT_BYTES
from designer.core.messages import Message, say
from designer.core.patterns.base import Member, Write
from designer.core.plan import Decision, Plan, Style
from designer.core.planner.model.busier import busier_of_change
from designer.core.planner.model.entity_model import EntityModel
from designer.core.planner.model.falling import names_one_item
from designer.core.planner.model.reads_and_writes import Requirements
from designer.core.planner.model.score import Score, exact
from designer.core.planner.model.structures import Structure
from designer.core.planner.model.wording import capital
from designer.core.planner.operations.context import Stated
from designer.core.planner.rewrites.counter_items import MOST_KEYS, CounterItems, Writes
from designer.core.planner.rewrites.counter_mapping import mapped_back
from designer.core.planner.rewrites.counter_rewriting import folded_pattern, rewritten
from designer.core.planner.rewrites.rewriting import (
    NotApplicableError,
    Tried,
    asking,
    may_be_several,
    unshareable,
)
from designer.core.planner.rewrites.rewritten import Variant
from designer.core.planner.workload.copies import with_copies
from designer.core.rational import Fraction


@dataclass(frozen=True)
class Counter(CounterItems, Variant):
    """Some numbers of an entity, and in how many items what is added to them lies."""

    def blocking_pin(self, design: Design) -> Message | None:
        """What a pin says that the counters in the item's table can't obey; None where there is none."""
        return next(unshareable(design, self.style, self.whole), None)

    def rewritten(self, design: Design) -> Design | None:
        """The design as if what is added were an entity; None where a pattern needs the numbers in the item."""
        if design.entity.get(self.whole.name) != self.whole or self.name in design.entity:
            return None
        try:
            return rewritten(design, self)
        except NotApplicableError:
            return None

    def pays(self, before: Score, after: Score) -> bool:
        """Whether it is kept, whatever it costs: where fewer partitions run hot, and nothing else is broken for it.

        A key that spreads an entity's items over shards is taken for cool, but spreads none of them.
        """
        was = before.unserved, before.violated + before.hot
        becomes = after.unserved, after.violated + after.hot
        return becomes < was or (becomes == was and not before.hot and self.cools)

    def mapped_back(self, plan: Plan, stated: Stated) -> Plan:
        """The plan of the rewritten design in the words of the one before. `stated`: its models and patterns."""
        return mapped_back(plan, self, stated)

    def decision(self, design: Design, tried: Tried) -> Decision:
        """How hot one item runs, in how many it is cool, and what that costs."""
        whole, names = self.whole.name, self.attributes
        reasons = [
            say(
                "additions-overload-item",
                entity=whole,
                heat=float(self.heat),
                limit=PARTITION_WRITES,
                attributes=names,
                units=float(self.units),
                shard_limit=SHARD_WRITES,
                count=self.count,
            )
        ]
        if tried.kept:
            reasons.append(
                say("additions-in-shards", entity=whole, attributes=names, count=self.count)
            )
            worse = say("one-item-overloads", heat=float(self.heat))
        elif tried.blocking_pin is not None:
            worse = say("within-limits-but-pinned", pin=tried.blocking_pin)
        elif self.cools:
            worse = say("exceeds-limit-or-not-served")
        else:
            worse = say("overloaded-anyway", entity=whole)
        shards = say("shards-for-each", attributes=names, count=self.count, entity=whole)
        return tried.decided(
            f"shards {', '.join(f'{whole}.{each}' for each in names)}",
            (say("in-the-item", entity=whole), shards),
            asking(design, whole),
            tuple(reasons),
            worse,
        )


def counters(design: Design, style: Style) -> Iterator[Counter]:
    """For each entity with an item that runs hot, the fewest of its numbers whose additions leave it cool elsewhere.

    Those that are added to most come first.
    """
    for name, writes in _writes(design).items():
        together = _added_together(writes)
        entity = design.entity[name]
        model = _model(design, entity, style)
        if not together or _heat(model, writes) <= PARTITION_WRITES:
            continue
        free = [names for names in together if not _stays(model, writes, names)]
        names: frozenset[str] = frozenset()
        for more in sorted(free, key=lambda one: (-_heat_of(model, writes, one), sorted(one))):
            names |= more
            if _heat(model, writes, without=names) <= PARTITION_WRITES:
                break
        counter = _counter(model, writes, names, style)
        # What is cool in one item of its own is left to a split, where the item is large enough for that.
        is_small = _size(entity) <= WRITE_UNIT_BYTES
        if counter.units > PARTITION_WRITES or (counter.cools and is_small):
            yield counter


def why_not_in_shards(design: Design, entity: str, attributes: Collection[str]) -> Message | None:
    """Why numbers of an entity cannot lie in shards; None where they can."""
    writes = _writes(design).get(entity, [])
    model, together = _model(design, design.entity[entity], "single"), _added_together(writes)
    kept = frozenset(attributes).difference(*together)
    groups = (names for names in (*together, kept) if not names.isdisjoint(attributes))
    return next(filter(None, (_stays(model, writes, names) for names in groups)), None)


def _counter(model: EntityModel, writes: Writes, names: frozenset[str], style: Style) -> Counter:
    design, entity = model.design, model.entity
    attributes = tuple(a.name for a in entity.attributes if a.name in names)
    few = attributes if len(attributes) <= 2 else ("counters",)
    name = re.sub(r"\W", "", entity.name + "".join(map(capital, few)))[:60]
    while name in design.entity or name in design.relationship:
        name += "_"
    units, left = _heat_of(model, writes, names), _heat(model, writes, without=names)
    return Counter(entity, attributes, units, _heat(model, writes), left, name, style)


def _model(design: Design, entity: Entity, style: Style) -> EntityModel:
    return EntityModel(design, entity, style, Requirements(design, (), (), {}))


def _writes(design: Design) -> dict[str, Writes]:
    """By entity, what patterns write of its items."""
    found: dict[str, Writes] = {}
    for pattern in design.patterns:
        if isinstance(pattern, Write) and pattern.status != "declined":
            for change in pattern.changes:
                found.setdefault(change.entity, []).append((pattern, change))
    return found


def _added_together(writes: Writes) -> list[frozenset[str]]:
    """The numbers that updates add to, those together that one of them adds to."""
    found: list[frozenset[str]] = []
    for _, change in writes:
        one = frozenset(change.add)
        if one:
            joined = [other for other in found if other & one]
            found = [other for other in found if not other & one]
            found.append(one.union(*joined))
    return found


def _heat(model: EntityModel, writes: Writes, without: frozenset[str] = frozenset()) -> Fraction:
    """Write units a second of the hottest item at peak; without the writes that do nothing but add to some numbers."""
    size = _size(model.entity)
    return sum(
        (
            _units(model, pattern, change, size, pattern.is_transaction)
            for pattern, change in writes
            if not change.add or not set(change.written) <= without
        ),
        Fraction(0),
    )


def _heat_of(model: EntityModel, writes: Writes, names: frozenset[str]) -> Fraction:
    """Write units a second that additions to some numbers take at peak, of the hottest item, in items of their own."""
    size = _size(model.entity, names)
    return sum(
        (
            _units(model, pattern, change, size, together)
            for pattern, change in writes
            if names & set(change.add)
            for together in (pattern.is_transaction or not set(change.written) <= names,)
        ),
        Fraction(0),
    )


def _units(
    model: EntityModel, pattern: Write, change: Member, size: float, in_transaction: bool
) -> Fraction:
    """Write units a second of a change at peak, of the hottest of the items that it writes; of so many bytes each."""
    if pattern.rate is None:
        return Fraction(0)
    by_identifier = Structure(model.name, "base", model.entity.identifier, ())
    # Where it is not of one item, the hottest key may be a part of the identifier, and shards by another spread that.
    of_one = names_one_item(model.entity, change)
    is_of_item = len(model.entity.identifier) == 1 or of_one
    is_new = change.writes_whole and not of_one
    stated = pattern.hottest if is_of_item else None
    busier = busier_of_change(model.design, pattern, change)
    share = model.share_of_hottest(by_identifier, stated, is_new, busier=busier)
    often = exact(pattern.rate.peak or pattern.rate.average) * exact(share)
    times = exact(change.times.average if change.times else 1)
    return often * times * write_units(size, in_transaction)


def _size(entity: Entity, names: Collection[str] | None = None) -> float:
    """Bytes of an entity's item; of one that has only some numbers besides the identifier."""
    if names is not None:
        kept = tuple(a for a in entity.attributes if a.name in {*entity.identifier, *names})
        entity = entity.model_copy(update={"attributes": kept})
    return entity_bytes(entity) + MOST_KEYS


def _stays(model: EntityModel, writes: Writes, names: frozenset[str]) -> Message | None:
    """Why some numbers have to stay in the item; None where they need not."""
    design, entity = model.design, model.entity
    if not may_be_several(design, entity):
        return say("must-be-one-item", entity=entity.name)
    if entity.expires:
        return say("counters-would-not-expire", entity=entity.name)
    what = tuple(sorted(names))
    if names & {figure.name for figure in kept_figures(design) if figure.entity == entity.name}:
        return say("is-aggregate-over-children", attributes=what)
    fixed = {*entity.identifier, *(a.source[1] for a in entity.attributes if a.source is not None)}
    fixed |= {name for r in design.relationships for name in r.references if r.child == entity.name}
    for attribute in entity.attributes:
        if attribute.name in names and (
            attribute.name in fixed | entity.unique_names or attribute.ttl or attribute.refers_to
        ):
            return say("is-part-of-key-or-reference", attribute=attribute.name)
    for copied in with_copies(design).copies:
        if copied.parent == entity.name and names & set(copied.watched):
            return say("has-copy-of", entity=copied.entity, attributes=what)
    trial = _counter(model, writes, names, "single")
    for pattern in design.patterns:
        try:
            folded_pattern(design, trial, pattern)
        except NotApplicableError as error:
            return say("pattern-prevents", pattern=pattern.number, reason=error.reason)
    return None
