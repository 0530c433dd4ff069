"""Access patterns in sentences, as their design states them."""

import re
from collections.abc import Mapping, Sequence
from itertools import groupby

from designer.core.design.attributes import Attribute
from designer.core.design.document import Design
from designer.core.design.entities import Entity
from designer.core.design.uniqueness import Uniqueness
from designer.core.patterns.base import (
    Change,
    Condition,
    Member,
    Operand,
    Order,
    Pattern,
    Read,
    SingleWrite,
    With,
    Write,
)
from designer.core.patterns.elsewhere import Elsewhere
from designer.core.plan.keys import plain_text
from designer.core.words import figures
from designer.core.words.english import a, joined, plural

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
TIMES = frozenset({"date", "datetime", "epoch", "ulid", "ksuid"})
CLAUSES = ("whose ", "that have ")
"""How a condition begins that is a clause; the others are phrases."""


def reads_as(design: Design, pattern: Pattern) -> str:
    """The pattern as a sentence, with its order, size, rate and consistency."""
    if isinstance(pattern, Elsewhere):
        names = (pattern.returns,) if isinstance(pattern.returns, str) else pattern.returns
        what = joined([plural(name) for name in names]) or "something"
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
        return f"{'; '.join(said[:-1])}; and {said[-1]}"
    steps = [_of_one_verb(list(run)) for _, run in groupby(said, key=_verb_said_once)]
    if 1 < len(steps) < len(said):
        return f"{', '.join(steps[:-1])}, and {steps[-1]}"
    return joined(steps)


def _verb_said_once(step: str) -> str:
    """The verb that a step can share with the next one, or what tells it from all others."""
    verb = step.partition(" ")[0]
    return verb if verb in ("creates", "deletes") and " or " not in step else step


def _of_one_verb(steps: list[str]) -> str:
    verb = steps[0].partition(" ")[0]
    return f"{verb} {joined([step.removeprefix(f'{verb} ') for step in steps])}"


def _read(design: Design, pattern: Read) -> str:
    entity = design.entity.get(pattern.entities[0])
    one, many = pattern.entities[0], joined([plural(name) for name in pattern.entities])
    where = _conditions(design, entity, pattern.where)
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
        common = joined(list(pattern.attributes or ()))
        said = f"lists each {common} that has {many}{where}"
    else:
        said = f"{pattern.sentence.format(one=one, a_one=a(one), many=many)}{where}"
    if pattern.keep:
        keeps = f" only if {_as_clauses(design, entity, pattern.keep)}"
        if not pattern.returns_one:
            keeps = f" keeping those{_conditions(design, entity, pattern.keep)}"
        said += f",{keeps}"
    if pattern.order:
        said += f", {_order(entity, pattern.orders)}"
    if pattern.after_limit:
        first = "one" if pattern.limit == 1 else f"{pattern.limit:,}"
        said += (
            f", of the first {first} only those{_conditions(design, entity, pattern.after_limit)}"
        )
    elif pattern.limit and not pattern.returns_one:
        said += f", {pattern.limit:,} a page"
    along = [along_text(design, pattern, part) for part in pattern.with_]
    if along:
        said += f", {'each ' if not pattern.returns_one else ''}with {joined(along)}"
    if pattern.attributes and len(pattern.attributes) <= 6 and pattern.crossing is None:
        said += f" (only {joined(list(pattern.attributes))})"
    return said


def _conditions(design: Design, entity: Entity | None, conditions: tuple[Condition, ...]) -> str:
    """What conditions say after the items' name: ` of one Branch whose state is LATE`.

    Clauses stand last, so that "and" joins like with like.
    """
    said = _said(design, entity, conditions)
    clauses = [words for words in said if words.startswith(CLAUSES)]
    phrases = [words for words in said if not words.startswith(CLAUSES)]
    both = [joined(words) for words in (_by_last(phrases), clauses) if words]
    is_short = len(phrases) == 1 and phrases[0].startswith(("of one ", "by "))
    runs_on = len(clauses) == 1 and (is_short or clauses[0].startswith("that have "))
    return f" {(' ' if runs_on else ', ').join(both)}" if both else ""


def _by_last(phrases: list[str]) -> list[str]:
    """What the items are of, what is given of them and what they are found by, each as one phrase:
    `of one Project by number`, `with a given day and a given place`.
    """
    of, given, by = (_of_one_word(phrases, word) for word in ("of one ", "with a given ", "by "))
    others = [words for words in phrases if words not in (*of, *given, *by)]
    first = " ".join((*_as_one(of, "of "), *_as_one(given, "with "), *_as_one(by, "by ")))
    return [first, *others] if first else others


def _of_one_word(phrases: list[str], word: str) -> list[str]:
    return [words for words in phrases if words.startswith(word)]


def _as_one(phrases: list[str], word: str) -> list[str]:
    """Phrases of one preposition as a single one: `of one User and another User`."""
    after = [words.removeprefix(word) for words in phrases]
    for place, words in enumerate(after):
        if words in after[:place]:
            after[place] = words.replace("one ", "another ", 1)
    return [word + joined(after)] if after else []


def condition_text(design: Design, entity: Entity | None, condition: Condition) -> str:
    """A condition on an entity's items: `of one User`, `whose status is PAID`, `with a given day (optional)`."""
    return _said(design, entity, (condition,))[0]


def _said(
    design: Design, entity: Entity | None, conditions: tuple[Condition, ...]
) -> Sequence[str]:
    """What conditions say together: those that only together name another item say so once."""
    named = _named(design, entity, conditions)
    said: dict[object, str] = {}
    excluded: dict[str, list[str]] = {}
    for place, condition in enumerate(conditions):
        words = _condition(design, entity, condition, named)
        if condition.not_ is not None and not condition.optional:
            values = excluded.setdefault(condition.attribute, [])
            values.append(operand_text(condition.not_))
            words = words.removesuffix(values[-1]) + joined(values, "or")
            said[condition.attribute] = words
        elif words:
            said[place] = f"{words} (optional)" if condition.optional else words
    return list(said.values())


def _named(
    design: Design, entity: Entity | None, conditions: tuple[Condition, ...]
) -> dict[str, str]:
    """The attributes whose given values name an item of another entity, and that entity: the first of them that the
    conditions have, the others with nothing.

    The identifier names the item itself, even where all of it refers to another.
    """
    if entity is None:
        return {}
    given = [each for each in conditions if each.is_ is not None and each.is_.param is not None]
    surely = [each.attribute for each in given if not each.optional]
    named: dict[str, str] = {}
    # The more it takes to name an item, the more of the others goes without saying: a room's hotel.
    for held in sorted(design.held[entity.name], key=lambda held: -len(held.parts)):
        for names in (surely, *([each.attribute] for each in given if each.optional)):
            parts = [next((name for name in names if name in part), None) for part in held.parts]
            found = [name for name in names if name in parts]
            is_itself = set(found) == set(entity.identifier)
            if None in parts or is_itself or all(name in named for name in found):
                continue
            first, *others = (name for name in found if name not in named)
            named |= {first: held.of, **dict.fromkeys(others, "")}
    for name in (each.attribute for each in given):
        of, theirs = design.referred.get((entity.name, name), ("", ""))
        if of and design.entity[of].by_name[theirs].unique and (name,) != entity.identifier:
            named.setdefault(name, of)
    return named


def _condition(
    design: Design, entity: Entity | None, condition: Condition, named: Mapping[str, str]
) -> str:
    """What a condition says; nothing where another says it already. `named`: as of `_named`."""
    *path, name = condition.attribute.split(".")
    attribute = entity.by_name.get(name) if entity and not path else None
    called = _called(design, entity, path, name)
    if condition.is_ is not None and condition.is_.param is not None:
        of = named.get(condition.attribute)
        if of is not None:
            return of and f"of one {of}"
        is_unique = attribute is not None and (attribute.unique or attribute.unique_within)
        if entity is not None and (name in entity.identifier or is_unique):
            return f"by {called}"
        return f"with a given {called}"
    if condition.is_ is not None:
        return f"whose {called} is {operand_text(condition.is_)}"
    if condition.listed is not None:
        count = condition.listed.count
        of = "" if count is None else f" of {figures.number(count)}"
        fixed = list(map(plain_text, condition.listed.value or ()))
        if condition.all_of is not None:
            return (
                f"for each {called} of {joined(fixed)}"
                if fixed
                else f"for every {called} in a given list{of}"
            )
        if fixed:
            return f"whose {called} is {joined(fixed, 'or')}"
        return f"whose {called} is in a given list{of}"
    if condition.exists:
        return f"that have {called}"
    if condition.missing:
        return f"without {called}"
    if condition.not_ is not None:
        return f"whose {called} is not {operand_text(condition.not_)}"
    if condition.begins_with is not None:
        return f"whose {called} begins with {operand_text(condition.begins_with)}"
    if condition.contains is not None:
        return f"whose {called} contains {operand_text(condition.contains)}"
    time = attribute is not None and attribute.format in TIMES
    words = {
        "from_": "on or after" if time else "at least",
        "after": "after" if time else "above",
        "to": "on or before" if time else "at most",
        "below": "before" if time else "below",
    }
    bounds = [
        f"{word} {_bound(attribute, operand)}"
        for field, word in words.items()
        if (operand := getattr(condition, field)) is not None
    ]
    are = "are" if attribute is not None and attribute.type == "N" and _is_plural(name) else "is"
    return f"whose {called} {are} {joined(bounds)}"


def _is_plural(name: str) -> bool:
    """Whether a number's name reads as a plural: `points`, but not `status` or `access`."""
    return name.endswith("s") and not name.endswith(("ss", "us", "is"))


def _called(design: Design, entity: Entity | None, path: list[str], name: str) -> str:
    """An attribute, of another item by relationships towards one: `email of the Member`.

    Where two of the relationships lead to such an item, with the one that is meant: `email of the User (sells)`.
    """
    called = name
    for step in path:
        relationship = design.relationship.get(step)
        if entity is None or relationship is None:
            return ".".join((*path, name))
        parent = relationship.parent
        sides = [
            each.parent
            for each in design.relationships
            if each.child == entity.name and each.cardinality != "N:M"
        ]
        of = f"{parent} ({step})" if sides.count(parent) > 1 else parent
        called = f"{name} of the {of}{called.removeprefix(name)}"
        entity = design.entity.get(parent)
    return called


def operand_text(operand: Operand) -> str:
    """The other side of a condition: `a given day`, or the constant."""
    return f"a given {operand.param}" if operand.param else plain_text(operand.value)


def _bound(attribute: Attribute | None, operand: Operand) -> str:
    """The other side of a comparison: `a given time (since)`, as a parameter's name alone may be no noun."""
    param = operand.param
    if attribute is None or param is None or param == attribute.name:
        return operand_text(operand)
    if attribute.format in ("datetime", "epoch"):
        noun = "time"
    elif attribute.format == "date":
        noun = "date"
    elif attribute.type == "N":
        noun = "number"
    else:
        return operand_text(operand)
    return f"a given {noun}" if param == noun else f"a given {noun} ({param})"


def _order(entity: Entity | None, orders: tuple[Order, ...]) -> str:
    said = []
    for order in orders:
        attribute = entity.by_name.get(order.attribute) if entity else None
        if attribute is not None and attribute.format in TIMES:
            said.append("newest first" if order.descending else "oldest first")
        elif attribute is not None and attribute.type == "N":
            said.append(f"{'highest' if order.descending else 'lowest'} {order.attribute} first")
        else:
            way = " in descending order" if order.descending else ""
            said.append(f"{'by' if said else 'sorted by'} {order.attribute}{way}")
    return ", then ".join(said)


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
    said = f"its {plural(relationship.child)}"
    if relationship.cardinality == "1:1":
        said = f"its {relationship.child}"
    first = child.by_name.get(part.orders[0].attribute) if part.order and child else None
    if part.limit and first is not None and first.format in TIMES:
        way = "newest" if part.orders[0].descending else "oldest"
        said = f"its {part.limit} {way} {plural(relationship.child)}"
    else:
        if part.order:
            said += f" ({_order(child, part.orders)})"
        if part.limit:
            said += f", at most {part.limit}"
    if part.keep:
        said += _conditions(design, child, part.keep)
    return said


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
        return (
            f"deletes all {plural(pattern.entity)}{_conditions(design, entity, pattern.collection)}"
        )
    return member_text(design, pattern.changes[0])


def member_text(design: Design, member: Member) -> str:
    """One thing a write does: `creates an Order`."""
    name = member.entity
    times = member.times
    one = a(name)
    if times is not None:
        number = figures.number(times.average)
        one = f"{number} {plural(name) if times.average != 1 else name} (at most {times.most})"
    entity = design.entity.get(name)
    by = ""
    if member.by and entity is not None and member.by != entity.identifier:
        by = f" found by {joined(list(member.by))}"
    conditions = _if(design, member)
    if member.verb == "create":
        return f"creates {one}{conditions}"
    if member.verb == "upsert":
        if not conditions:
            return f"creates or replaces {one}"
        return f"creates {one}, or replaces {'it' if times is None else 'them'}{conditions}"
    if member.verb == "delete":
        return f"deletes {one}{by}{conditions}"
    if member.verb == "check":
        if member.exists is False:
            return f"checks that no such {name} exists"
        return f"checks that {a(name)} exists{_and(design, member)}"
    changes = _changes(member)
    if not changes:
        return f"changes {one}{by}{conditions}"
    if len(changes) > 1:
        return f"updates {one}{by} ({joined(changes)}){conditions}"
    where = "in" if _has_targets(member) else "of" if member.set else "from"
    return f"{changes[0]} {where} {one}{by}{conditions}"


def _has_targets(member: Change) -> bool:
    """Whether its words end with an attribute or a constant: `adds 1 to total`, `sets status to PAID`."""
    is_constant = any(operand.param is None for operand in member.set.values())
    others = (member.add, member.greatest, member.append, member.include, member.exclude)
    return is_constant or any(others)


def _changes(member: Change) -> list[str]:
    said = []
    given = [name for name, operand in member.set.items() if operand.param is not None]
    if given:
        said.append(f"sets {joined(given)}")
    said += [
        f"sets {name} to {plain_text(operand.value)}"
        for name, operand in member.set.items()
        if operand.param is None
    ]
    for name, amount in member.add.items():
        if amount.minus:
            said.append(f"subtracts {amount.minus} from {name}")
            continue
        added = amount.param or plain_text(amount.value)
        said.append(
            f"subtracts {added[1:]} from {name}" if added[0] == "-" else f"adds {added} to {name}"
        )
    said += [f"raises {name} to {parameter}" for name, parameter in member.greatest.items()]
    said += [
        f"adds the given elements ({parameter}) to {name}"
        for added in (member.append, member.include)
        for name, parameter in added.items()
    ]
    said += [
        f"removes the given elements ({parameter}) from {name}"
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
    return f" and {'either ' * (len(ways) > 1)}{', or '.join(ways)}" if ways else ""


def _way(design: Design, member: Change, conditions: tuple[Condition, ...]) -> str:
    """Conditions that must hold together, in words: `state is OPEN and due is given`."""
    entity = design.entity.get(member.entity) if isinstance(member, Member) else None
    return _as_clauses(design, entity, conditions)


def _as_clauses(design: Design, entity: Entity | None, conditions: tuple[Condition, ...]) -> str:
    said: Sequence[str] = _said(design, entity, conditions)
    said = [re.sub(r"^whose ", "", text) for text in said]
    said = [re.sub(r"^with a given (.+)$", r"\1 is as given", text) for text in said]
    said = [re.sub(r"^of one (\w+)$", r"its \1 is the given one", text) for text in said]
    said = [re.sub(r"^of one .*$", "it belongs there", text) for text in said]
    said = [re.sub(r"^that have (.+)$", r"\1 is present", text) for text in said]
    said = [re.sub(r"^without (.+)$", r"\1 is missing", text) for text in said]
    return joined(said)


def _refused(design: Design, pattern: SingleWrite) -> str:
    if pattern.collection:
        return ""
    entity = design.entity.get(pattern.entity)
    reasons = [pattern.refused_if] if pattern.refused_if else []
    is_whole = pattern.changes[0].writes_whole
    reasons += [
        f"its {one.attribute} is already taken{_in_scope(one)}"
        for one in (entity.uniques if entity is not None else ())
        if is_whole or not pattern.set.keys().isdisjoint(one.names)
    ]
    return f"; refused if {joined(reasons, 'or')}" if reasons else ""


def _in_scope(unique: Uniqueness) -> str:
    return f" within its {joined(list(unique.within))}" if unique.within else ""
