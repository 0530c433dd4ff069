"""The design whose access patterns read and write the shards of a number."""

from typing import Any

from designer.core.design.document import Design
from designer.core.design.settings import Pin, PlannerSettings
from designer.core.dynamodb.limits import TRANSACTION_ITEMS
from designer.core.messages import say
from designer.core.patterns import AnyPattern, Transaction
from designer.core.patterns.base import Condition, Listed, Member, Operand, Read, Write
from designer.core.patterns.figures import Times
from designer.core.planner.model.added_read import AddedRead
from designer.core.planner.model.pins import obeyed
from designer.core.planner.rewrites.counter_items import CounterItems
from designer.core.planner.rewrites.rewriting import NotApplicableError, alone, common, returned
from designer.core.planner.workload.requirements import requirements


def rewritten(design: Design, counter: CounterItems) -> Design:
    """The design as if what is added were an entity.

    NotApplicableError where a pattern needs the numbers in the item.
    """
    patterns = [
        part for pattern in design.patterns for part in folded_pattern(design, counter, pattern)
    ]
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


def _in_one_table(design: Design, counter: CounterItems) -> PlannerSettings:
    """The counters in the table of their item: one request gets items of one table."""
    both = (counter.whole.name, counter.name)
    pins = list(design.planner.pins)
    for at, pin in obeyed(design, counter.style):
        if pin.entity == counter.whole.name and pin.index is None and pin.name is not None:
            pins[at] = pin.model_copy(update={"table": both})
    if counter.style != "single":
        pins.append(Pin(style=counter.style, table=both))
    return design.planner.model_copy(update={"pins": tuple(pins)})


def folded_pattern(design: Design, counter: CounterItems, pattern: AnyPattern) -> list[Any]:
    """A pattern of the design as one of the rewritten design, or two: what reads the counters is its own."""
    if pattern.status == "declined":
        return [pattern]
    if isinstance(pattern, Read):
        return _folded_read(design, counter, pattern)
    if isinstance(pattern, Write) and any(c.entity == counter.whole.name for c in pattern.changes):
        return [_folded_write(counter, pattern)]
    return [pattern]


def _folded_read(design: Design, counter: CounterItems, pattern: Read) -> list[Read]:
    if not returned(design, pattern, counter.whole, counter.attributes):
        return [pattern]
    if pattern.consistency == "transactional":
        raise NotApplicableError(say("reads-in-transaction"))
    update: dict[str, Any] = {}
    if pattern.attributes is not None:
        update["attributes"] = tuple(
            dict.fromkeys((*pattern.attributes, *counter.whole.identifier))
        )
    if pattern.at_most_requests is not None and not _names_items(counter, pattern):
        if pattern.at_most_requests < 2:
            raise NotApplicableError(say("allows-no-further-request"))
        update["at_most_requests"] = pattern.at_most_requests - 1
    of_item = tuple(
        Condition(attribute=name, is_=Operand.model_construct(param=name, value=None))
        for name in counter.whole.identifier
    )
    any_of = Listed.model_construct(param=counter.shard, value=None, count=None)
    reading = AddedRead.model_construct(
        number=last_number(design) + pattern.number,
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


def last_number(design: Design) -> int:
    """The highest number of a pattern. What reads the counters of pattern 3 has the third one after it."""
    return max(pattern.number for pattern in design.patterns)


def _names_items(counter: CounterItems, pattern: Read) -> bool:
    """Whether a read is given the identifiers of its items, so that it can ask for their counters at once."""
    named = {c.attribute for c in pattern.where if c.is_ is not None or c.any_of is not None}
    return pattern.by_identifier and not pattern.with_ and named == set(counter.whole.identifier)


def _rows(design: Design, pattern: Read) -> float:
    """How many items a read returns on average."""
    alone_ = design.model_copy(update={"patterns": (pattern,)})
    entity_reads = [
        pattern_read.entity_reads[0] for pattern_read in requirements(alone_).pattern_reads
    ]
    return sum(entity_read.returned for entity_read in entity_reads) / len(entity_reads)


def _folded_write(counter: CounterItems, pattern: Write) -> Write:
    if pattern.collection:
        raise NotApplicableError(say("deletes-collections"))
    members: list[Member] = []
    for change in pattern.changes:
        members += _members(counter, change) if change.entity == counter.whole.name else [change]
    if not pattern.is_transaction and len(members) == 1:
        return alone(pattern, members[0])
    is_larger = any(member.entity == counter.name for member in members)
    if is_larger and _most_written(counter, members) > TRANSACTION_ITEMS:
        raise NotApplicableError(
            say("writes-too-many-items", most=TRANSACTION_ITEMS, count=counter.count)
        )
    return Transaction(**common(pattern), members=tuple(members))


def _most_written(counter: CounterItems, members: list[Member]) -> int:
    """How many items a transaction writes at the most, with the guards of what is unique in the item."""
    guards = len(counter.whole.uniques) + 1
    return sum(
        (member.times.most if member.times else 1)
        * (1 + guards * (member.entity == counter.whole.name and member.verb != "check"))
        for member in members
    )


def _members(counter: CounterItems, change: Member) -> list[Member]:
    """What a change of the entity's item does to it and to its counters."""
    moved = set(counter.attributes)
    if change.may_replace:
        raise NotApplicableError(say("replaces-whole-item"))
    if moved & {*change.set, *change.remove, *change.greatest} and change.verb != "create":
        raise NotApplicableError(say("sets-it-too"))
    if moved & {condition.attribute for condition in change.conditions}:
        raise NotApplicableError(say("has-condition-on-it"))
    if change.verb == "check":
        return [change]
    if change.verb == "update":
        return _update(counter, change)
    if change.times is not None:
        raise NotApplicableError(
            say("creates-many-at-once" if change.verb == "create" else "deletes-many-at-once")
        )
    if change.verb == "delete" and change.by and set(change.by) != set(counter.whole.identifier):
        raise NotApplicableError(say("deletes-by-other-than-identifier"))
    every = Times(average=counter.count, most=counter.count)
    if change.verb == "create":
        return [change, Member(create=counter.name, times=every, each=counter.name)]
    return [change, Member(delete=counter.name, times=every, each=counter.name)]


def _update(counter: CounterItems, change: Member) -> list[Member]:
    moved = set(counter.attributes)
    added = {name: amount for name, amount in change.add.items() if name in moved}
    if not added:
        return [change]
    rest = {name: amount for name, amount in change.add.items() if name not in moved}
    if change.by and set(change.by) != set(counter.whole.identifier):
        raise NotApplicableError(say("finds-by-other-than-identifier"))
    each = change.each or (change.entity if change.times is not None else None)
    of_counter = Member(update=counter.name, add=added, times=change.times, each=each)
    own = change.model_copy(update={"add": rest, "each": each})
    if own.written:
        if change.times is not None:
            raise NotApplicableError(say("changes-many-at-once"))
        return [own, of_counter]
    if change.if_:
        raise NotApplicableError(say("adds-under-condition"))
    return [of_counter]
