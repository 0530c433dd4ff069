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
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import ceil
from typing import Any

from designer.core import keys
from designer.core.design.document import Design, Entity, Pin, PlannerSettings, Relationship
from designer.core.design.kept import kept_figures
from designer.core.limits import (
    BATCH_GET_ITEMS,
    PARTITION_WRITES,
    SHARD_WRITES,
    TRANSACTION_ITEMS,
    WRITE_UNIT_BYTES,
)
from designer.core.patterns import AnyPattern, Delete, Transaction
from designer.core.patterns.base import Condition, Listed, Member, Operand, Read, Times, Write
from designer.core.plan import (
    Decision,
    Expression,
    Finding,
    Operation,
    Plan,
    Rejected,
    Repeat,
    ResultPart,
    Shape,
    Step,
    StoredAttribute,
    Style,
    Table,
)
from designer.core.plan import Member as Written
from designer.core.planner.model.added_read import AddedRead
from designer.core.planner.model.entity_model import EntityModel
from designer.core.planner.model.pins import obeyed
from designer.core.planner.model.reads_and_writes import Requirements, operand
from designer.core.planner.model.score import Score, exact, money
from designer.core.planner.model.shard_attributes import Spread
from designer.core.planner.model.structures import Structure
from designer.core.planner.model.values import put_to
from designer.core.planner.model.wording import capital, spoken
from designer.core.planner.operations.context import Stated
from designer.core.planner.operations.parameters import write_parameters
from designer.core.planner.rewrites.rewriting import (
    NotApplicableError,
    Tried,
    alone,
    asking,
    common,
    may_be_several,
    renamed,
    returned,
    too_many_requests,
    unshareable,
)
from designer.core.planner.workload.copies import with_copies
from designer.core.planner.workload.requirements import requirements
from designer.core.sizes import entity_bytes
from designer.core.units import write_units

Writes = list[tuple[Write, Member]]
"""What patterns write of one entity's items."""
_KEYS = 64
"""Bytes that composed keys may add to a counter."""
_SHARD = "shard"
"""The attribute that tells the counters of an item apart; with underscores where the entity has one of this name."""


@dataclass(frozen=True)
class Counter:
    """Some numbers of an entity, and in how many items what is added to them lies."""

    whole: Entity
    attributes: tuple[str, ...]
    """In the entity's order."""
    units: Fraction
    """Write units a second that additions to them take at peak of the hottest item's counters."""
    heat: Fraction
    """Write units a second that all writes take of the hottest item, where the numbers are in it."""
    left: Fraction
    """Those that are left of these without the writes that do nothing but add to the numbers."""
    name: str
    """The shape of the counters, and the entity that stands for them in the rewritten design."""
    style: Style

    @property
    def concerns(self) -> tuple[str, ...]:
        return (self.whole.name,)

    @property
    def count(self) -> int:
        """How many items there are for each of the entity's own."""
        return max(1, ceil(self.units / SHARD_WRITES))

    @cached_property
    def shard(self) -> str:
        """The attribute that tells the counters of an item apart."""
        name = _SHARD
        while name in self.whole.by_name:
            name += "_"
        return name

    @cached_property
    def part(self) -> Entity:
        """The entity of the counters."""
        keys_ = tuple(
            self.whole.by_name[key].model_copy(update={"refers_to": f"{self.whole.name}.{key}"})
            for key in self.whole.identifier
        )
        digits = len(str(self.count - 1))
        shard = Spread(name=self.shard, bytes=digits, distinct=self.count)
        own = tuple(self.whole.by_name[name] for name in self.attributes)
        items = None if self.whole.items is None else self.whole.items * self.count
        growth = self.whole.growth_per_month
        return self.whole.model_copy(
            update={
                "name": self.name,
                "id": None,
                "prefix": None,
                "identifier": (*self.whole.identifier, self.shard),
                "items": items,
                "growth_per_month": None if growth is None else growth * self.count,
                "attributes": (*keys_, shard, *own),
            }
        )

    @cached_property
    def relationship(self) -> Relationship:
        """How the counters belong to their item; as it has children, it lies inside no other."""
        return Relationship(
            name=self.name,
            one=self.whole.name,
            many=self.name,
            by=self.whole.identifier,
            average=self.count,
            most=self.count,
        )

    def blocking_pin(self, design: Design) -> str:
        """What a pin says that the counters in the item's table can't obey; empty where there is none."""
        return next(unshareable(design, self.style, self.whole), "")

    def rewritten(self, design: Design) -> Design | None:
        """The design as if what is added were an entity; None where a pattern needs the numbers in the item."""
        if design.entity.get(self.whole.name) != self.whole or self.name in design.entity:
            return None
        try:
            return rewritten(design, self)
        except NotApplicableError:
            return None

    @property
    def cools(self) -> bool:
        """Whether the item is cool without what is added to the numbers."""
        return self.left <= PARTITION_WRITES

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
        whole, names = self.whole.name, spoken(self.attributes)
        items = f"{self.count} item{'s' * (self.count > 1)}"
        choices = (f"in the item of {whole}", f"{names} in {items} beside each {whole}")
        heat = f"{float(self.heat):,.0f} write units a second"
        units = f"{float(self.units):,.0f}"
        because = (
            f"At peak the hottest {whole} takes {heat}, and a partition serves {PARTITION_WRITES:,}. Apart, additions "
            f"to {names} are {units}: {units} / {SHARD_WRITES}, rounded up, {'are' if self.count > 1 else 'is'} "
            f"{items}, each under a partition key of its own."
        )
        if tried.kept:
            because += (
                f" An addition goes to one of them, drawn at random, and is refused where that does not exist; they "
                f"are created and deleted with their {whole} in one transaction. Who reads {names} asks for all of "
                f"them with "
                "the item, which has what it began with, and adds them up: an addition that is made meanwhile may be "
                f"in the sum or not. A {whole} that was there before needs its {items} before it can be added to."
            )
            rejected = f"one item would take {heat}"
        elif tried.blocking_pin:
            rejected = f"would be cool, but {tried.blocking_pin}"
        elif self.cools:
            rejected = "a pattern would take more requests than it may, or not be served"
        else:
            rejected = "its other writes run hot anyway"
        made, other = (choices[at] for at in (tried.kept, not tried.kept))
        prices = (tried.before, tried.after)
        price, instead = (money(prices[at]) for at in (tried.kept, not tried.kept))
        return Decision(
            about=f"shards {', '.join(f'{whole}.{each}' for each in self.attributes)}",
            choice=made,
            serves=asking(design, whole),
            because=because,
            per_month=price,
            instead_of=(Rejected(choice=other, because=rejected, per_month=instead),),
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


def why_not_in_shards(design: Design, entity: str, attributes: Collection[str]) -> str:
    """Why numbers of an entity cannot lie in shards, for people; empty where they can."""
    model, writes = _model(design, design.entity[entity], "single"), _writes(design)[entity]
    stays = (
        _stays(model, writes, names) for names in _added_together(writes) if names & set(attributes)
    )
    return next(filter(None, stays), "")


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
            _units(model, pattern, change, size, isinstance(pattern, Transaction))
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
            for together in (isinstance(pattern, Transaction) or not set(change.written) <= names,)
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
    is_new = change.verb in ("create", "upsert")
    # Of an identifier of several attributes the hottest key is one's value, and shards by another can spread that.
    stated = pattern.hottest if len(model.entity.identifier) == 1 else None
    share = model.share_of_hottest(by_identifier, stated, is_new)
    often = exact(pattern.rate.peak or pattern.rate.average) * exact(share)
    times = exact(change.times.average if change.times else 1)
    return often * times * write_units(size, in_transaction)


def _size(entity: Entity, names: Collection[str] | None = None) -> float:
    """Bytes of an entity's item; of one that has only some numbers besides the identifier."""
    if names is not None:
        kept = tuple(a for a in entity.attributes if a.name in {*entity.identifier, *names})
        entity = entity.model_copy(update={"attributes": kept})
    return entity_bytes(entity) + _KEYS


def _stays(model: EntityModel, writes: Writes, names: frozenset[str]) -> str:
    """Why some numbers have to stay in the item, for people; empty where they need not."""
    design, entity = model.design, model.entity
    if not may_be_several(design, entity):
        return f"{entity.name} has to lie in one item: it is an edge, followed by a stream, kept by tenant or counted"
    if any(attribute.ttl for attribute in entity.attributes):
        return f"{entity.name} expires, and its counters would not"
    what = spoken(tuple(sorted(names)))
    if names & {figure.name for figure in kept_figures(design) if figure.entity == entity.name}:
        return f"{what} is kept over children"
    fixed = {*entity.identifier, *(a.source[1] for a in entity.attributes if a.source is not None)}
    fixed |= {name for r in design.relationships for name in r.references if r.child == entity.name}
    for attribute in entity.attributes:
        if attribute.name in names and (
            attribute.name in fixed or attribute.unique or attribute.ttl or attribute.refers_to
        ):
            return f"keys or references are made of {attribute.name}"
    for copied in with_copies(design).copies:
        if copied.parent == entity.name and names & set(copied.watched):
            return f"{copied.entity} carries {what}"
    trial = _counter(model, writes, names, "single")
    for pattern in design.patterns:
        try:
            _folded(design, trial, pattern)
        except NotApplicableError as error:
            return f"pattern {pattern.number} {error}"
    return ""


# The design with the counters as an entity


def rewritten(design: Design, counter: Counter) -> Design:
    """The design as if what is added were an entity.

    NotApplicableError where a pattern needs the numbers in the item.
    """
    patterns = [part for pattern in design.patterns for part in _folded(design, counter, pattern)]
    entities = [
        each
        for entity in design.entities
        for each in ((entity, counter.part) if entity.name == counter.whole.name else (entity,))
    ]
    return design.model_copy(
        update={
            "entities": tuple(entities),
            "relationships": (*design.relationships, counter.relationship),
            "patterns": tuple(patterns),
            "planner": _in_one_table(design, counter),
        }
    )


def _in_one_table(design: Design, counter: Counter) -> PlannerSettings:
    """The counters in the table of their item: one request gets items of one table."""
    both = (counter.whole.name, counter.name)
    pins = list(design.planner.pins)
    for at, pin in obeyed(design, counter.style):
        if pin.entity == counter.whole.name and pin.index is None and pin.name is not None:
            pins[at] = pin.model_copy(update={"table": both})
    if counter.style != "single":
        pins.append(Pin(style=counter.style, table=both))
    return design.planner.model_copy(update={"pins": tuple(pins)})


def _folded(design: Design, counter: Counter, pattern: AnyPattern) -> list[Any]:
    """A pattern of the design as one of the rewritten design, or two: what reads the counters is its own."""
    if pattern.status == "declined":
        return [pattern]
    if isinstance(pattern, Read):
        return _folded_read(design, counter, pattern)
    if isinstance(pattern, Write) and any(c.entity == counter.whole.name for c in pattern.changes):
        return [_folded_write(counter, pattern)]
    return [pattern]


def _folded_read(design: Design, counter: Counter, pattern: Read) -> list[Read]:
    if not returned(design, pattern, counter.whole, counter.attributes):
        return [pattern]
    update: dict[str, Any] = {}
    if pattern.attributes is not None:
        update["attributes"] = tuple(
            dict.fromkeys((*pattern.attributes, *counter.whole.identifier))
        )
    if pattern.at_most_requests is not None and not _names_items(counter, pattern):
        if pattern.at_most_requests < 2:
            raise NotApplicableError("may not take one more request for its counters")
        update["at_most_requests"] = pattern.at_most_requests - 1
    of_item = tuple(
        Condition(attribute=name, is_=Operand.model_construct(param=name, value=None))
        for name in counter.whole.identifier
    )
    any_of = Listed.model_construct(param=counter.shard, value=None, count=None)
    reading = AddedRead.model_construct(
        number=_last_number(design) + pattern.number,
        stands_for=pattern.number,
        name=pattern.name,
        returns=counter.name,
        where=(*of_item, Condition(attribute=counter.shard, any_of=any_of)),
        consistency=pattern.consistency,
        expects=counter.count * _rows(design, pattern),
        rate=pattern.rate,
        hottest=pattern.hottest,
        status=pattern.status,
    )
    return [pattern.model_copy(update=update), reading]


def _last_number(design: Design) -> int:
    """The highest number of a pattern. What reads the counters of pattern 3 has the third one after it."""
    return max(pattern.number for pattern in design.patterns)


def _names_items(counter: Counter, pattern: Read) -> bool:
    """Whether a read is given the identifiers of its items, so that it can ask for their counters at once."""
    named = {c.attribute for c in pattern.where if c.is_ is not None or c.any_of is not None}
    return (
        pattern.kind in ("get", "batch_get")
        and not pattern.with_
        and named == set(counter.whole.identifier)
    )


def _rows(design: Design, pattern: Read) -> float:
    """How many items a read returns on average."""
    alone_ = design.model_copy(update={"patterns": (pattern,)})
    entity_reads = [
        pattern_read.entity_reads[0] for pattern_read in requirements(alone_).pattern_reads
    ]
    return sum(entity_read.returned for entity_read in entity_reads) / len(entity_reads)


def _folded_write(counter: Counter, pattern: Write) -> Write:
    if isinstance(pattern, Delete) and pattern.where:
        raise NotApplicableError("deletes whole collections of it")
    members: list[Member] = []
    for change in pattern.changes:
        members += _members(counter, change) if change.entity == counter.whole.name else [change]
    if not isinstance(pattern, Transaction) and len(members) == 1:
        return alone(pattern, members[0])
    is_larger = any(member.entity == counter.name for member in members)
    if is_larger and _most_written(counter, members) > TRANSACTION_ITEMS:
        raise NotApplicableError(
            f"would write more than {TRANSACTION_ITEMS} items with the {counter.count} counters of each"
        )
    return Transaction(**common(pattern), members=tuple(members))


def _most_written(counter: Counter, members: list[Member]) -> int:
    """How many items a transaction writes at the most, with the guards of the item's unique attributes."""
    guards = len(counter.whole.unique_attributes) + 1
    return sum(
        (member.times.most if member.times else 1)
        * (1 + guards * (member.entity == counter.whole.name and member.verb != "check"))
        for member in members
    )


def _members(counter: Counter, change: Member) -> list[Member]:
    """What a change of the entity's item does to it and to its counters."""
    moved = set(counter.attributes)
    if change.verb == "upsert":
        raise NotApplicableError("replaces it whole")
    if moved & {*change.set, *change.remove, *change.greatest} and change.verb != "create":
        raise NotApplicableError("does more than add to it")
    if moved & {condition.attribute for condition in change.conditions}:
        raise NotApplicableError("tests it")
    if change.verb == "check":
        return [change]
    if change.verb == "update":
        return _update(counter, change)
    if change.times is not None:
        raise NotApplicableError(f"{change.verb}s many at once")
    if change.verb == "delete" and change.by and set(change.by) != set(counter.whole.identifier):
        raise NotApplicableError("deletes it by another name than its identifier")
    every = Times(average=counter.count, most=counter.count)
    if change.verb == "create":
        return [change, Member(create=counter.name, times=every, each=counter.name)]
    return [change, Member(delete=counter.name, times=every, each=counter.name)]


def _update(counter: Counter, change: Member) -> list[Member]:
    moved = set(counter.attributes)
    added = {name: amount for name, amount in change.add.items() if name in moved}
    if not added:
        return [change]
    rest = {name: amount for name, amount in change.add.items() if name not in moved}
    if change.by and set(change.by) != set(counter.whole.identifier):
        raise NotApplicableError("adds to it by another name than its identifier")
    each = change.each or (change.entity if change.times is not None else None)
    of_counter = Member(update=counter.name, add=added, times=change.times, each=each)
    own = change.model_copy(update={"add": rest, "each": each})
    if own.written:
        if change.times is not None:
            raise NotApplicableError("changes many at once")
        return [own, of_counter]
    if change.if_:
        raise NotApplicableError("adds to it on a condition")
    return [of_counter]


# Its plan, in the words of the design as it is stated


def mapped_back(plan: Plan, counter: Counter, stated: Stated) -> Plan:
    """The plan of a rewritten design as one of the design that was rewritten. `stated`: its models and patterns."""
    design = stated.search.design
    known, last = {pattern.number for pattern in design.patterns}, _last_number(design)
    readings = {one.pattern - last: one for one in plan.operations if one.pattern not in known}
    operations = [
        _unfolded(counter, stated, plan, one, readings.get(one.pattern))
        for one in plan.operations
        if one.pattern in known
    ]
    without = tuple(n for n in plan.cost.without_patterns if n in known)

    def of_stated(patterns: Iterable[int]) -> tuple[int, ...]:
        return tuple(sorted({n if n in known else n - last for n in patterns}))

    return plan.model_copy(
        update={
            "tables": tuple(_table(counter, table, of_stated) for table in plan.tables),
            "operations": tuple(operations),
            "cost": plan.cost.model_copy(update={"without_patterns": without}),
            "decisions": tuple(
                one
                for one in plan.decisions
                # what is chosen of the counters, the variant's own decision says
                if one.about != f"key {counter.name}"
            ),
            "findings": tuple(_findings(counter, design, plan, operations, readings)),
        }
    )


def _findings(
    counter: Counter,
    design: Design,
    plan: Plan,
    operations: Iterable[Operation],
    readings: Collection[int],
) -> Iterator[Finding]:
    """The findings as they are about the entity; of requests, with those for the counters."""
    read = {f"patterns.{number}" for number in readings}
    for found in plan.findings:
        if found.rule != "too-many-requests" or found.where not in read:
            yield renamed(found, counter.name, counter.whole.name)
    for one in operations:
        limit = design.pattern(one.pattern).at_most_requests
        if one.pattern in readings and limit is not None and one.requests > limit:
            yield too_many_requests(one.pattern, one.requests, limit)


def _table(
    counter: Counter, table: Table, of_stated: Callable[[Iterable[int]], tuple[int, ...]]
) -> Table:
    indexes = tuple(
        index.model_copy(update={"serves": of_stated(index.serves)}) for index in table.indexes
    )
    shapes = tuple(
        _shape(counter, shape) if shape.entity == counter.name else shape for shape in table.items
    )
    return table.model_copy(
        update={"items": shapes, "indexes": indexes, "serves": of_stated(table.serves)}
    )


def _shape(counter: Counter, shape: Shape) -> Shape:
    own = {name: stored for name, stored in shape.attributes.items() if name != counter.shard}
    counted = {name: StoredAttribute(type="N", optional=True) for name in counter.attributes}
    numbered = {name: _numbered(counter, template) for name, template in shape.set.items()}
    return shape.model_copy(
        update={
            "entity": counter.whole.name,
            "role": "counter",
            "counts": counter.attributes,
            "shards": counter.count,
            "attributes": own | counted,
            "set": numbered | {counter.shard: _NUMBER},
        }
    )


_NUMBER = "{text(each.number)}"
"""Which counter it is, as text."""


def _numbered(counter: Counter, template: str) -> str:
    """A template in which the counter that it is stands for the shard."""
    return keys.rename(template, lambda name: "each.number" if name == counter.shard else None)


def _unfolded(
    counter: Counter,
    stated: Stated,
    plan: Plan,
    operation: Operation,
    reading: Operation | None,
) -> Operation:
    if reading is not None and operation.result is not None:
        cases = len(plan.operations_for(operation.pattern))
        return _read(counter, stated, plan, operation, reading, cases)
    writes = stated.search.requirements.writes
    entity_reads = [d for d in writes if d.pattern.number == operation.pattern and not d.is_upkeep]
    if all(entity_read.entity != counter.whole.name for entity_read in entity_reads):
        return operation
    steps = tuple(
        step.model_copy(update={"members": tuple(_member(counter, one) for one in step.members)})
        for step in operation.steps
    )
    parameters = write_parameters(stated, entity_reads)
    return operation.model_copy(update={"steps": steps, "parameters": parameters})


def _member(counter: Counter, member: Written) -> Written:
    """What happens to the counters: all of them are made and deleted, one is added to."""
    if member.shape != counter.name:
        return member

    def put(values: dict[str, Expression]) -> dict[str, Expression]:
        return {
            name: _numbered(counter, text) if isinstance(text, str) else text
            for name, text in values.items()
            if name not in counter.attributes
        }

    if member.verb == "update":
        repeat = (member.for_each or Repeat()).model_copy(update={"drawn": counter.count})
    else:
        repeat = Repeat(numbers=counter.count)
    values = put(member.values)
    if counter.shard in values:
        values[counter.shard] = _NUMBER
    return member.model_copy(update={"for_each": repeat, "key": put(member.key), "values": values})


def _read(
    counter: Counter,
    stated: Stated,
    plan: Plan,
    operation: Operation,
    reading: Operation,
    cases: int,
) -> Operation:
    """A read together with the one of its counters, whose sums are added to its rows."""
    assert operation.result is not None
    rows = next(part for part in operation.result.parts if part.name == "rows")
    source = next(step for step in operation.steps if step.id == rows.steps[-1])
    (asked,) = reading.steps
    pattern = stated.search.design.pattern(operation.pattern)
    assert isinstance(pattern, Read)
    known: dict[str, Expression] = {
        c.attribute: operand(c.is_) if c.is_ is not None else f"{{{c.list_name}}}"
        for c in pattern.where
        if c.is_ is not None or c.any_of is not None
    }
    from_caller = source.for_each is None or source.for_each.rows is None
    if source.key and from_caller and set(counter.whole.identifier) <= set(known):
        step = _got_with(counter, plan, source, asked, known)
        steps = tuple(step if one is source else one for one in operation.steps)
    else:
        known = {name: f"{{{source.id}.{name}}}" for name in counter.whole.identifier}
        step = asked.model_copy(
            update={
                "id": f"s{len(operation.steps) + 1}",
                "for_each": Repeat(
                    rows=source.id,
                    shape=rows.shapes[0] if len(source.shapes) > 1 else None,
                    keep=rows.keep,
                    order=rows.order,
                    limit=rows.limit,
                    numbers=counter.count,
                ),
                "key": _keys(counter, asked, known),
            }
        )
        steps = (*operation.steps, step)
    part = ResultPart(
        name=counter.name,
        steps=(step.id,),
        shapes=(counter.name,),
        per=tuple((name, name) for name in counter.whole.identifier),
        completes="rows",
        adds=counter.attributes,
    )
    requests = sum(one.expects.requests for one in steps)
    usd = operation.usd_per_month
    if usd is not None and reading.usd_per_month is not None:
        usd = round(usd + reading.usd_per_month / cases, 4)
    return operation.model_copy(
        update={
            "answer": "in one request"
            if len(steps) == 1 and requests <= 1
            else "in several requests",
            "steps": steps,
            "result": operation.result.model_copy(
                update={"parts": (*operation.result.parts, part)}
            ),
            "requests": requests,
            "read_units": round(operation.read_units + reading.read_units, 6),
            "usd_per_month": usd,
        }
    )


def _keys(counter: Counter, asked: Step, known: dict[str, Expression]) -> dict[str, Expression]:
    known = {**known, counter.shard: "{each.number}"}
    return {name: put_to(str(text), known) for name, text in asked.key.items()}


def _got_with(
    counter: Counter, plan: Plan, source: Step, asked: Step, known: dict[str, Expression]
) -> Step:
    """A get of items together with their counters, as one BatchGetItem."""
    items = source.expects.read + asked.expects.read
    one, other = source.expects, asked.expects
    project = source.project
    if project is not None:
        marks = (plan.type_attribute,) if plan.type_attribute else ()
        project = tuple(dict.fromkeys((*project, *marks)))
    repeat = (source.for_each or Repeat()).model_copy(update={"numbers": counter.count})
    return source.model_copy(
        update={
            "call": "BatchGetItem",
            "for_each": repeat,
            "also": (*source.also, _keys(counter, asked, known)),
            "project": project,
            "shapes": (*source.shapes, counter.name),
            "expects": one.model_copy(
                update={
                    "requests": float(ceil(items / BATCH_GET_ITEMS)),
                    "read": items,
                    "returned": one.returned + other.returned,
                    "bytes": round(one.bytes + other.bytes, 6),
                    "units": round(one.units + other.units, 6),
                }
            ),
        }
    )
