"""Access patterns in sentences, as their design states them."""

from itertools import groupby

from designer.core.design.attributes import GENERATED_FORMATS, Attribute
from designer.core.design.document import Design
from designer.core.design.entities import Entity
from designer.core.design.uniqueness import Uniqueness
from designer.core.patterns.base import (
    Change,
    Condition,
    Member,
    Order,
    Pattern,
    Read,
    SingleWrite,
    With,
    Write,
)
from designer.core.patterns.elsewhere import Elsewhere
from designer.core.patterns.exists import Exists
from designer.core.plan.keys import plain_text
from designer.core.sentences.conditions import TIMES, as_clauses, conditions_text
from designer.core.words import figures
from designer.core.words.english import a, joined, named, plural

UNITS = {
    "a second": 1,
    "a minute": 60,
    "an hour": 3600,
    "a day": 86_400,
    "a month": 2_592_000,
    "a year": 31_536_000,
}
"""Units of time and their seconds. A month has 30 days, as on the bill."""
SLOW = {unit: length for unit, length in UNITS.items() if length >= 86_400}
"""Units of an average below one a minute. An hour is not among them: traffic is seldom the same all day."""


def reads_as(design: Design, pattern: Pattern) -> str:
    """The pattern as a sentence, with its order, size, rate and consistency."""
    if isinstance(pattern, Elsewhere):
        names = (pattern.returns,) if isinstance(pattern.returns, str) else pattern.returns
        what = joined([plural(name) for name in names]) or "something"
        if pattern.because == "batch job":
            return f"A batch job looks for {what} in the whole table, for which no key is needed."
        return (
            f"The app looks for {what}; this is {pattern.because}, which DynamoDB should not serve."
        )
    if isinstance(pattern, Read):
        return f"The app {_read(design, pattern)}{_rate(pattern)}{_freshness(pattern)}."
    if isinstance(pattern, SingleWrite):
        return (
            f"The app {_single_write(design, pattern)}{_rate(pattern)}{_refused(design, pattern)}."
        )
    if isinstance(pattern, Write):
        return f"All or nothing: the app {_together(design, pattern)}{_rate(pattern)}."
    raise TypeError(f"{type(pattern).__name__} has no sentence")


def _together(design: Design, pattern: Write) -> str:
    """What the steps of a transaction do; a verb of several steps is said once: `creates a User and an Order`."""
    said = [member_text(design, member) for member in pattern.changes]
    if len(said) > 1 and any(member.ways for member in pattern.changes):
        # So that a condition is heard only of its own step.
        if len(said) == 2 and ", " not in said[0]:
            return f"{said[0]}, and {said[1]}"
        return f"{'; '.join(said[:-1])}; and {said[-1]}"
    steps: list[str] = []
    for verb, run in groupby(pattern.changes, key=lambda member: member.verb):
        if verb in SHARED:
            steps.append(f"{SHARED[verb]} {joined([_object(design, one) for one in run])}")
        else:
            steps += [member_text(design, one) for one in run]
    if 1 < len(steps) < len(said):
        return f"{', '.join(steps[:-1])}, and {steps[-1]}"
    return joined(steps)


SHARED = {"create": "creates", "delete": "deletes"}
"""The verbs that one step can share with the next one."""


def _read(design: Design, pattern: Read) -> str:
    entity = design.entity.get(pattern.entities[0])
    one, many = pattern.entities[0], joined([plural(name) for name in pattern.entities])
    those = "those"
    is_of_one = pattern.returns_one or isinstance(pattern, Exists)
    if is_of_one:
        those = "the one" if pattern.returns_one else "one"
    where = conditions_text(design, entity, pattern.where, those, of_several=not is_of_one)
    if pattern.aggregate is not None:
        result = pattern.aggregate
        figure = (
            f"adds up the {result.sum}"
            if result.sum
            else f"finds the maximum {result.greatest}"
            if result.greatest
            else f"finds the minimum {result.least}"
        )
        said = f"{figure} of the {many}{where}"
    elif pattern.crossing is not None:
        said = f"lists {_common(design, pattern, entity)} {many}{where}"
    else:
        said = f"{pattern.sentence.format(one=one, a_one=a(one), many=many)}{where}"
    if pattern.keep:
        keeps = f" only if {as_clauses(design, entity, pattern.keep)}"
        if not pattern.returns_one:
            keeps = f" keeping those{conditions_text(design, entity, pattern.keep)}"
        said += f",{keeps}"
    if pattern.order:
        said += f", {_order(design, entity, pattern.orders)}"
    if pattern.after_limit:
        first = "one" if pattern.limit == 1 else f"{pattern.limit:,}"
        said += f", of the first {first} only those{conditions_text(design, entity, pattern.after_limit)}"
    elif pattern.limit and not pattern.returns_one:
        said += f", {pattern.limit:,} a page"
    along = [along_text(design, pattern, part) for part in pattern.with_]
    if along:
        if any(words.startswith("at most") for words in along[:-1]):
            # Or else "at most" would seem to hold of the others, too.
            along = [along[0], *(f"with {words}" for words in along[1:])]
        said += f", {'each ' if not pattern.returns_one else ''}with {joined(along)}"
    if pattern.attributes and len(pattern.attributes) <= 6 and pattern.crossing is None:
        said += f" (only {joined(list(pattern.attributes))})"
    return said


def _common(design: Design, pattern: Read, entity: Entity | None) -> str:
    """What a read of items that have all values of a list is about: `the Articles (articleId) that have`."""
    names = list(pattern.attributes or ())
    of = [design.referred.get((entity.name, name), ("", ""))[0] for name in names if entity]
    owner = next((one for one in of if one), "")
    if owner:
        return f"the {plural(owner)} ({joined(names)}) that have"
    return f"each {joined(names)} for which there are"


def _order(design: Design, entity: Entity | None, orders: tuple[Order, ...]) -> str:
    """`newest first`; `lowest price first, then by name`; `sorted by brand, then by price, lowest first`."""
    said: list[str] = []
    is_sorted_by = False
    for order in orders:
        attribute = entity.by_name.get(order.attribute) if entity else None
        name, first, of = order.attribute, "", ""
        if attribute is not None and _is_newness(design, entity, attribute):
            first = "newest" if order.descending else "oldest"
        elif attribute is not None and attribute.format in TIMES:
            first, of = "latest" if order.descending else "earliest", f" {name}"
        elif attribute is not None and attribute.type == "N":
            first, of = "highest" if order.descending else "lowest", f" {name}"
        if not first:
            way = " in descending order" if order.descending else ""
            said.append(f"{'by' if said else 'sorted by'} {name}{way}")
            is_sorted_by = True
        elif is_sorted_by:  # It goes on in the same way.
            said.append(f"by {name}, {first} first")
        else:
            said.append(f"{first}{of} first")
    return ", then ".join(said)


def _is_newness(design: Design, entity: Entity | None, attribute: Attribute) -> bool:
    """Whether “newest” says by which time: by the only one, or by one that an identifier was made at.

    By a time that changes, an old item may come first.
    """
    if entity is not None and _changes_later(design, entity, attribute):
        return False
    if attribute.format in GENERATED_FORMATS or entity is None:
        return attribute.format in TIMES
    times = [
        one for one in entity.stored if one.format in TIMES - GENERATED_FORMATS and not one.ttl
    ]
    return attribute.format in TIMES and times == [attribute]


def _changes_later(design: Design, entity: Entity, attribute: Attribute) -> bool:
    """Whether the attribute changes after its item was created: as stated, or as some update sets it."""
    return attribute.mutable or any(
        change.entity == entity.name and change.verb == "update" and attribute.name in change.set
        for pattern in design.patterns
        if isinstance(pattern, Write)
        for change in pattern.changes
    )


def along_text(design: Design, pattern: Read, part: With) -> str:
    """What comes along with each item: `its 3 newest Orders`."""
    relationship = design.relationship.get(part.relationship)
    if relationship is None:
        return part.relationship
    to_parent = (
        relationship.child in pattern.entities and relationship.parent not in pattern.entities
    )
    if to_parent:
        return f"its {relationship.parent}"
    child = design.entity.get(relationship.child)
    kept = conditions_text(design, child, part.keep) if part.keep else ""
    if relationship.cardinality == "1:1":
        return f"its {relationship.child}{kept}"
    first = child.by_name.get(part.orders[0].attribute) if part.order and child else None
    if part.limit and first is not None and _is_newness(design, child, first):
        way = "newest" if part.orders[0].descending else "oldest"
        return f"its {part.limit} {way} {plural(relationship.child)}{kept}"
    said = f"its {plural(relationship.child)}{kept}"
    if part.limit:
        said = f"at most {part.limit} of {said}"
    return f"{said} ({_order(design, child, part.orders)})" if part.order else said


def _rate(pattern: Pattern) -> str:
    """A rate in a unit of which there is at least one, and the peak in the same unit where the two are near."""
    if pattern.rate is None:
        return ""
    average, peak = pattern.rate.average, pattern.rate.peak
    if not average and peak:
        return f", {_in_its_unit(peak, UNITS)} at peak"
    if not average or average >= 1:
        said, at_peak = f"{_times(average)} a second", _again(average, peak or 0)
    elif average >= 1 / 60:
        said, at_peak = f"{_times(average * 60)} a minute", _again(average * 60, (peak or 0) * 60)
    else:
        said, at_peak = _in_its_unit(average, SLOW), _in_its_unit(peak or 0, UNITS)
    return f", {said} on average{f', {at_peak} at peak' if peak else ''}"


def _times(rate: float) -> str:
    number = figures.number(rate)
    return "once" if number == "1" else f"{number} times"


def _again(average: float, peak: float) -> str:
    """A second rate in the same unit: `150 times a second on average, 600`, `once a second on average, 5 times`."""
    is_once = "once" in (_times(average), _times(peak))
    return _times(peak) if is_once else figures.number(peak)


def _in_its_unit(rate: float, units: dict[str, int]) -> str:
    """A rate in the shortest unit of time in which it is at least one, or else in the longest."""
    unit = next((unit for unit, length in units.items() if rate * length >= 1), [*units][-1])
    return f"{_times(rate * units[unit])} {unit}"


def _freshness(pattern: Read) -> str:
    return {
        "eventual": "; eventually consistent",
        "strong": "; strongly consistent",
        "transactional": "; as a snapshot of one moment",
    }[pattern.consistency]


def _single_write(design: Design, pattern: SingleWrite) -> str:
    entity = design.entity.get(pattern.entity)
    if pattern.collection:
        where = conditions_text(design, entity, pattern.collection, those="", of_several=True)
        # "All Nodes of one Drive, those whose" would first say that the whole drive goes.
        those = "those " if " whose " in where or " that have " in where else ""
        return f"deletes all {those}{plural(pattern.entity)}{where}"
    return member_text(design, pattern.changes[0])


def member_text(design: Design, member: Member) -> str:
    """One thing a write does: `creates an Order`."""
    if member.verb in SHARED:
        return f"{SHARED[member.verb]} {_object(design, member)}"
    name, times = member.entity, member.times
    one, by = _items(member), _found_by(design, member)
    conditions = _if(design, member)
    if member.verb == "upsert":
        if not conditions:
            return f"creates or replaces {one}"
        return f"creates {one}, or replaces {'it' if times is None else 'them'}{conditions}"
    if member.verb == "check":
        if member.exists is False:
            return f"checks that no such {name} exists"
        return f"checks that {a(name)} exists{_and(design, member)}"
    changes = _changes(member)
    if not changes:
        return f"changes {one}{by}{conditions}"
    if len(changes) > 1:
        return f"updates {one}{by} ({joined(changes)}){conditions}"
    where = "from" if member.remove else "in"
    return f"{changes[0]} {where} {one}{by}{conditions}"


def _object(design: Design, member: Member) -> str:
    """What is created or deleted, and if what."""
    by = _found_by(design, member) if member.verb == "delete" else ""
    return f"{_items(member)}{by}{_if(design, member)}"


def _items(member: Member) -> str:
    """How many items a write is about: `an Order`, `exactly 2 Orders`, `3 Orders (at most 25)`."""
    name, times = member.entity, member.times
    if times is None:
        return a(name)
    number = figures.number(times.average)
    items = f"{number} {plural(name) if times.average != 1 else name}"
    return f"exactly {items}" if times.average == times.most else f"{items} (at most {times.most})"


def _found_by(design: Design, member: Member) -> str:
    entity = design.entity.get(member.entity)
    if not member.by or entity is None or member.by == entity.identifier:
        return ""
    return f" found by {joined(list(member.by))}"


def _changes(member: Change) -> list[str]:
    said = []
    given = [name for name, operand in member.set.items() if operand.param is not None]
    if given:
        said.append(f"sets {joined(given)}")
    said += [
        f"sets {named(name)} to {plain_text(operand.value)}"
        for name, operand in member.set.items()
        if operand.param is None
    ]
    for name, amount in member.add.items():
        if amount.minus:
            said.append(f"subtracts {amount.minus} from {named(name)}")
            continue
        added = amount.param or plain_text(amount.value)
        said.append(
            f"subtracts {added[1:]} from {named(name)}"
            if added[0] == "-"
            else f"adds {added} to {named(name)}"
        )
    said += [f"raises {named(name)} to {parameter}" for name, parameter in member.greatest.items()]
    said += [
        f"adds the given elements ({parameter}) to {named(name)}"
        for added in (member.append, member.include)
        for name, parameter in added.items()
    ]
    said += [
        f"removes the given elements ({parameter}) from {named(name)}"
        for name, parameter in member.exclude.items()
    ]
    if member.remove:
        said.append(f"removes {joined(list(member.remove))}")
    return said


def _if(design: Design, member: Change) -> str:
    ways = [_way(design, member, way) for way in member.ways]
    return f" if {', or if '.join(ways)}" if ways else ""


def _and(design: Design, member: Change) -> str:
    """What must hold of an item besides, for a check: that is what it checks, not when."""
    ways = [_way(design, member, way) for way in member.ways]
    if len(ways) > 2:
        return f" and at least one of these holds: {'; '.join(ways)}"
    return f" and {'either ' * (len(ways) > 1)}{', or '.join(ways)}" if ways else ""


def _way(design: Design, member: Change, conditions: tuple[Condition, ...]) -> str:
    """Conditions that must hold together, in words: `state is OPEN and due is given`."""
    entity = design.entity.get(member.entity) if isinstance(member, Member) else None
    becomes = {
        name: operand.param
        for name, operand in getattr(member, "set", {}).items()
        if operand.param is not None
    }
    return as_clauses(design, entity, conditions, becomes)


def _refused(design: Design, pattern: SingleWrite) -> str:
    if pattern.collection:
        return ""
    entity = design.entity.get(pattern.entity)
    item = f"the {pattern.entity}"
    if pattern.changes[0].times is not None:
        item = f"one of the {plural(pattern.entity)}"
    reasons = [f"{item} {pattern.refused_if}"] if pattern.refused_if else []
    is_whole = pattern.changes[0].writes_whole
    reasons += [
        _taken(pattern, one, is_whole)
        for one in (entity.uniques if entity is not None else ())
        if is_whole or not pattern.set.keys().isdisjoint(one.names)
    ]
    return f"; refused if {joined(reasons, 'or')}" if reasons else ""


def _taken(pattern: SingleWrite, unique: Uniqueness, is_whole: bool) -> str:
    """That the value of a unique attribute is another item's, in the scope that the write leads to."""
    its = f"its {named(unique.attribute)}"
    if not unique.within:
        return f"{its} is already taken"
    is_moved = not is_whole and not pattern.set.keys().isdisjoint(unique.within)
    which = "the new" if is_moved else "the same"
    return f"another {pattern.entity} with {which} {joined(list(unique.within))} already has {its}"
