"""Patterns, operations and plans in plain English: what a pattern reads as, and how it is served."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from designer.core import figures
from designer.core.design.document import Design, Entity
from designer.core.keys import Form, Reference, TemplateError, leading, parse, plain_text
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
from designer.core.patterns.batch_get import BatchGet
from designer.core.patterns.count import Count
from designer.core.patterns.delete import Delete
from designer.core.patterns.elsewhere import Elsewhere
from designer.core.patterns.exists import Exists
from designer.core.patterns.get import Get
from designer.core.patterns.list import List
from designer.core.plan import (
    Constant,
    Decision,
    Expression,
    ItemCondition,
    KeyCondition,
    Operation,
    Plan,
    Repeat,
    Shape,
    Step,
    Upkeep,
)
from designer.core.plan import Member as WrittenItem

TIMES = frozenset({"date", "datetime", "epoch", "ulid", "ksuid"})


def a(noun: str) -> str:
    """The noun with its article: `an Order`."""
    return f"{'an' if noun[:1].lower() in 'aeio' else 'a'} {noun}"


def plural(noun: str) -> str:
    """Several of them: `Orders`, `Categories`, `Addresses`.

    >>> plural("Category"), plural("Address"), plural("Day")
    ('Categories', 'Addresses', 'Days')
    """
    if re.search(r"[^aeiouAEIOU]y$", noun):
        return f"{noun[:-1]}ies"
    return f"{noun}es" if noun.endswith(("s", "x", "ch", "sh")) else f"{noun}s"


def joined(words: Sequence[str], last: str = "and") -> str:
    """Words in a sentence: `one, two and three`."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {last} {words[-1]}"


# Reads as -----------------------------------------------------------------------------------------


def reads_as(design: Design, pattern: Pattern) -> str:
    """The pattern as a sentence, with its order, size, rate and consistency."""
    if isinstance(pattern, Elsewhere):
        names = (pattern.returns,) if isinstance(pattern.returns, str) else pattern.returns
        what = joined([plural(name) for name in names]) or "something"
        return f"The app looks for {what}; this is {pattern.because}, which DynamoDB should not answer."
    if isinstance(pattern, Read):
        return f"The app {_read(design, pattern)}{_rate(pattern)}{_freshness(pattern)}."
    if isinstance(pattern, SingleWrite):
        return (
            f"The app {_single_write(design, pattern)}{_rate(pattern)}{_refused(design, pattern)}."
        )
    if isinstance(pattern, Write):
        members = [member_text(design, member) for member in pattern.changes]
        return f"All or nothing: the app {joined(members)}{_rate(pattern)}."
    raise TypeError(f"{type(pattern).__name__} has no sentence")


def _read(design: Design, pattern: Read) -> str:
    entity = design.entity.get(pattern.entities[0])
    one, many = pattern.entities[0], joined([plural(name) for name in pattern.entities])
    where = _conditions(design, entity, pattern.where)
    if isinstance(pattern, Get):
        said = f"gets one {one}{where}"
    elif isinstance(pattern, BatchGet):
        said = f"gets several {many}{where}"
    elif isinstance(pattern, Count):
        said = f"counts {many}{where}"
    elif isinstance(pattern, Exists):
        said = f"asks whether there is {a(one)}{where}"
    elif isinstance(pattern, List) and pattern.result is not None:
        result = pattern.result
        figure = (
            f"adds up {result.sum}"
            if result.sum
            else f"finds the greatest {result.greatest}"
            if result.greatest
            else f"finds the least {result.least}"
        )
        said = f"{figure} of {many}{where}"
    else:
        said = f"lists {many}{where}"
    if pattern.keep:
        said += f", keeping those{_conditions(design, entity, pattern.keep)}"
    if pattern.order:
        said += f", {_order(entity, pattern.orders)}"
    if pattern.limit and not isinstance(pattern, Get):
        said += f", {pattern.limit:,} a page"
    along = [along_text(design, pattern, part) for part in pattern.with_]
    if along:
        said += f", {'each ' if not isinstance(pattern, Get) else ''}with {joined(along)}"
    if pattern.attributes and len(pattern.attributes) <= 6:
        said += f" (only {joined(list(pattern.attributes))})"
    return said


def _conditions(design: Design, entity: Entity | None, conditions: tuple[Condition, ...]) -> str:
    said = _said(design, entity, conditions)
    return f" {joined(said)}" if said else ""


def condition_text(design: Design, entity: Entity | None, condition: Condition) -> str:
    """A condition on an entity's items: `of one User`, `whose status is PAID`, `with a given day (if wanted)`."""
    return _said(design, entity, (condition,))[0]


def _said(
    design: Design, entity: Entity | None, conditions: tuple[Condition, ...]
) -> Sequence[str]:
    """What conditions say together: those that only together name another item say so once."""
    named = _named(design, entity, conditions)
    return [
        f"{said} (if wanted)" if condition.optional else said
        for condition in conditions
        if (said := _condition(design, entity, condition, named))
    ]


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
        if entity is not None and (name in entity.identifier or (attribute and attribute.unique)):
            return f"by {called}"
        return f"with a given {called}"
    if condition.is_ is not None:
        return f"whose {called} is {operand_text(condition.is_)}"
    if condition.any_of is not None:
        if condition.any_of.value is not None:
            return (
                f"whose {called} is {joined(list(map(plain_text, condition.any_of.value)), 'or')}"
            )
        count = condition.any_of.count
        of = "" if count is None else f" of {figures.number(count)}"
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
        f"{word} {operand_text(operand)}"
        for field, word in words.items()
        if (operand := getattr(condition, field)) is not None
    ]
    return f"whose {called} is {joined(bounds)}"


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


def _order(entity: Entity | None, orders: tuple[Order, ...]) -> str:
    said = []
    for order in orders:
        attribute = entity.by_name.get(order.attribute) if entity else None
        if attribute is not None and attribute.format in TIMES:
            said.append("newest first" if order.descending else "oldest first")
        elif attribute is not None and attribute.type == "N":
            said.append(f"{'highest' if order.descending else 'lowest'} {order.attribute} first")
        else:
            said.append(f"by {order.attribute}{' backwards' if order.descending else ''}")
    return ", then ".join(said)


def along_text(design: Design, pattern: Read, part: With) -> str:
    """What comes along with each item: `its newest 3 Orders`."""
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
        said = f"its {way} {part.limit} {plural(relationship.child)}"
    else:
        if part.order:
            said += f" {_order(child, part.orders)}"
        if part.limit:
            said += f", {part.limit} at the most"
    if part.keep:
        said += _conditions(design, child, part.keep)
    return said


def _rate(pattern: Pattern) -> str:
    if pattern.rate is None:
        return ""
    average, peak = pattern.rate.average, pattern.rate.peak
    at_peak = figures.number(peak) if peak else ""
    if average == 0 and peak:
        return f", {at_peak} a second at peak"
    if average >= 1 or average == 0:
        return f", {figures.number(average)} a second on average{f', {at_peak} at peak' if peak else ''}"
    rare = (
        f"{figures.number(average * 86_400)} a day"
        if average < 1 / 60
        else f"{figures.number(average * 60)} a minute"
    )
    return f", {rare} on average{f', {at_peak} a second at peak' if peak else ''}"


def _freshness(pattern: Read) -> str:
    return {
        "eventual": "; eventually consistent",
        "strong": "; it must not be stale",
        "transactional": "; all as of one moment",
    }[pattern.consistency]


def _single_write(design: Design, pattern: SingleWrite) -> str:
    entity = design.entity.get(pattern.entity)
    if isinstance(pattern, Delete) and pattern.where:
        return f"deletes all {plural(pattern.entity)}{_conditions(design, entity, pattern.where)}"
    return member_text(design, pattern.changes[0])


def member_text(design: Design, member: Member) -> str:
    """One thing a write does: `creates an Order`."""
    name = member.entity
    times = member.times
    one = a(name)
    if times is not None:
        number = figures.number(times.average)
        one = f"{number} {plural(name) if times.average != 1 else name} ({times.most} at the most)"
    entity = design.entity.get(name)
    by = ""
    if member.by and entity is not None and member.by != entity.identifier:
        by = f" found by {joined(list(member.by))}"
    conditions = _if(design, member)
    if member.verb == "create":
        return f"creates {one}{conditions}"
    if member.verb == "upsert":
        return f"writes {one} whole, {'where none is there or' if conditions else 'there or not'}{conditions}"
    if member.verb == "delete":
        return f"deletes {one}{by}{conditions}"
    if member.verb == "check":
        if member.exists is False:
            return f"checks that there is no such {name}"
        return f"checks that {a(name)} is there{conditions}"
    return f"{_changes(member) or 'changes'} of {one}{by}{conditions}"


def _changes(member: Change) -> str:
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
            said.append(f"takes {amount.minus} from {name}")
        else:
            said.append(f"adds {amount.param or plain_text(amount.value)} to {name}")
    said += [f"raises {name} to {parameter}" for name, parameter in member.greatest.items()]
    said += [f"adds {parameter} to {name}" for name, parameter in member.append.items()]
    said += [f"puts {parameter} into {name}" for name, parameter in member.include.items()]
    said += [f"takes {parameter} out of {name}" for name, parameter in member.exclude.items()]
    if member.remove:
        said.append(f"removes {joined(list(member.remove))}")
    return joined(said)


def _if(design: Design, member: Change) -> str:
    ways = [_way(design, member, way) for way in member.ways]
    return f" if {', or if '.join(ways)}" if ways else ""


def _way(design: Design, member: Change, conditions: tuple[Condition, ...]) -> str:
    """Conditions that must hold together, in words: `state is OPEN and due is given`."""
    entity = design.entity.get(member.entity) if isinstance(member, Member) else None
    said: Sequence[str] = _said(design, entity, conditions)
    said = [re.sub(r"^whose ", "", text) for text in said]
    said = [re.sub(r"^with a given (.+)$", r"\1 is as given", text) for text in said]
    said = [re.sub(r"^of one .*$", "it belongs there", text) for text in said]
    said = [re.sub(r"^that have (.+)$", r"\1 is there", text) for text in said]
    said = [re.sub(r"^without (.+)$", r"\1 is missing", text) for text in said]
    return joined(said)


def _refused(design: Design, pattern: SingleWrite) -> str:
    if isinstance(pattern, Delete) and pattern.where:
        return ""
    entity = design.entity.get(pattern.entity)
    reasons = []
    if pattern.kind == "create":
        reasons.append("it is there already")
    elif pattern.kind in ("update", "delete"):
        reasons.append("it is not there")
    if entity is not None and pattern.kind != "delete":
        taken = [
            attribute.name
            for attribute in entity.unique_attributes
            if pattern.kind != "update" or attribute.name in pattern.set
        ]
        reasons += [f"its {name} is taken" for name in taken]
    return f"; refused if {joined(reasons, 'or')}" if reasons else ""


# Served by ----------------------------------------------------------------------------------------


def served_by(plan: Plan, operation: Operation) -> str:
    """How the plan answers a pattern: calls, keys and the number of requests, in one sentence."""
    if operation.answer in ("elsewhere", "not served"):
        start = "Not served" if operation.answer == "not served" else "Answered elsewhere"
        return f"{start}: {operation.because}" if operation.because else f"{start}."
    steps = [step_sentence(plan, step) for step in operation.steps]
    said = ", ".join(["; then ".join(steps), *_by_the_caller(operation)])
    if operation.until_none:
        said = f"{said}; again until nothing is found"
    if operation.requests == 0:
        return said
    return f"{said}: {figures.count(operation.requests, 'request')}{at_worst(operation)}"


def at_worst(operation: Operation) -> str:
    """What follows the requests of a read that takes more of them at the worst."""
    worst = operation.worst
    if worst is None or worst.requests <= operation.requests:
        return ""
    return f", at the worst {figures.number(worst.requests)}"


def kept_up_by(plan: Plan, upkeep: Upkeep) -> str:
    """What a stream's consumer does, in one sentence."""
    said = "; then ".join(step_sentence(plan, step) for step in upkeep.steps)
    return f"{said}, for {joined(list(upkeep.figures))}" if upkeep.figures else said


def _by_the_caller(operation: Operation) -> list[str]:
    """What is left to the application once everything is read: rows kept, sorted, cut."""
    if operation.result is None or operation.result.kind == "exists":
        return []
    said = []
    for part in operation.result.parts:
        read_whole = any(step.pages == "all" for step in operation.steps if step.id in part.steps)
        does = []
        if part.take:
            said.append(f"{part.name} from the copies in the rows")
        elif part.keep:
            does.append(_kept(part.keep))
        if part.order:
            does.append(_sorted(part.order))
        if part.limit and (does or read_whole):
            does.append(f"cut to {part.limit:,}")
        if part.required:
            does.append("required of each row")
        if part.adds:
            said.append(f"{joined(list(part.adds))} added up in the application")
        elif part.completes is not None:
            said.append("each row put together from its items in the application")
        if does:
            name = "" if part.name == "rows" else f"{part.name} "
            said.append(f"{name}{joined(does)} in the application")
    return said


def _kept(conditions: tuple[ItemCondition, ...]) -> str:
    return f"kept where {joined([item_condition(each) for each in conditions])}"


def _sorted(order: tuple[str, ...]) -> str:
    lines = (each.removesuffix(" ascending").partition(" ") for each in order)
    return f"sorted by {joined([_part_of_item(name) + space + way for name, space, way in lines])}"


def _part_of_item(name: str) -> str:
    """What a condition tests or rows are sorted by, in words: `date of readAt`."""
    part = leading(name)
    return name if part is None else f"{part.form} of {part.name}"


def step_sentence(plan: Plan, step: Step) -> str:
    """One step: `Query on the table, PK = USER#<userId>, SK begins with ORDER#, backwards`."""
    if step.members:
        return _write_sentence(plan, step)
    place = f"index {step.index}" if step.index else _table(plan, step.table)
    parts = [f"{step.call} on {place}"]
    parts += [key_condition(condition) for condition in step.where]
    if step.key:
        parts += [f"{name} = {expression(value)}" for name, value in step.key.items()]
    parts += [
        f"and {' and '.join(f'{name} = {expression(value)}' for name, value in key.items())}"
        for key in step.also
    ]
    if not step.forward:
        parts.append("backwards")
    if step.limit:
        parts.append(f"{figures.count(step.limit, 'item')} a page")
    if step.pages == "all":
        parts.append("all pages")
    if step.pages == "until":
        many = [
            figures.count(least, "row") if name == "rows" else f"{least:,} of {name}"
            for name, least in step.until.items()
        ]
        parts.append(f"further pages until there are {joined(many) or 'enough'}")
    if step.filter:
        conditions = [item_condition(condition) for condition in step.filter]
        parts.append(f"dropping what has not {joined(conditions)}")
    if step.consistent:
        parts.append("strongly consistent")
    if step.for_each is not None:
        parts.append(repetition(step.for_each))
    return ", ".join(parts)


def repetition(repeat: Repeat) -> str:
    """What something is done for: `for each hour from <since> to <until>, for each of 4 shards`."""
    said = []
    if repeat.rows is not None:
        row = f"of the first {repeat.limit:,} rows" if repeat.limit is not None else "row"
        does = [_kept(repeat.keep)] if repeat.keep else []
        does += [_sorted(repeat.order)] if repeat.order else []
        said.append(f"for each {row} of {repeat.rows} {joined(does)}".rstrip())
    if repeat.values is not None:
        said.append(f"for each of {repeat.values}")
    if repeat.periods is not None:
        every = repeat.periods
        bounds = f"{expression(every.from_)} to {expression(every.to)}"
        form = "day" if every.form == "date" else every.form
        newest = ", the newest first" if every.newest_first else ""
        enough = ", until there are enough" if every.until_enough else ""
        said.append(f"for each {form} from {bounds}{newest}{enough}")
    if repeat.numbers is not None:
        said.append(f"for each of {repeat.numbers} shards")
    if repeat.drawn is not None:
        said.append(f"in one of {repeat.drawn} shards, drawn at random")
    return ", ".join(said)


def _write_sentence(plan: Plan, step: Step) -> str:
    members = list(_each_written(plan, step))
    if len(members) == 1 and step.call in ("PutItem", "UpdateItem", "DeleteItem"):
        return f"{step.call}: {members[0]}"
    return f"{step.call}: {joined(members)}"


def _each_written(plan: Plan, step: Step) -> Iterator[str]:
    """What a step writes; items of which the same is said, as several copies of one, stand once with their number."""
    said = Counter(_written(plan, member, step) for member in step.members)
    for words, count in said.items():
        verb, noun = words.split(" ", 1)
        if count > 1 and noun.startswith("copy of "):
            yield f"{verb} {count} copies of {noun.removeprefix('copy of ')}"
        else:
            yield from [words] * count


def _written(plan: Plan, member: WrittenItem, step: Step) -> str:
    table = plan.table(member.table)
    shape = next((shape for shape in table.items if shape.shape == member.shape), None)
    noun = member.shape
    if shape is not None and shape.role == "guard":
        noun = f"guard of {shape.entity}'s {joined(list(shape.guards)) or 'key'}"
    elif shape is not None and shape.role not in ("entity", "edge", "split"):
        noun = f"{shape.role} of {shape.entity}"
    said = f"{member.verb} {noun}"
    source = member.key or member.values
    keys = [table.key.partition.name, *([table.key.sort.name] if table.key.sort else [])]
    where = [f"{name} = {expression(source[name])}" for name in keys if name in source]
    if where and member.verb != "put":
        said += f" ({', '.join(where)})"
    repeat = member.for_each or step.for_each
    if repeat is not None:
        said += f" {repetition(repeat)}"
    tests = [_tested(each, keys) for each in member.if_]
    if isinstance(member, WrittenItem) and member.any_:
        ways = [joined([_tested(each, keys) for each in way]) for way in member.any_]
        tests.append(f"either {', or '.join(ways)}")
    if tests:
        said += f", if {joined(tests)}"
    for inner in member.inside:
        said += f", and in it {inner.verb} {inner.shape}"
        if inner.if_:
            said += f", if {joined([item_condition(each) for each in inner.if_])}"
        if inner.for_each is not None:
            said += f" for each of {inner.for_each.values}"
    if member.joins:
        said += " (as part of what else is done to that item, if anything is)"
    return said


def _tested(condition: ItemCondition, keys: list[str]) -> str:
    """A condition of a write; whether a key is there tells whether the item is."""
    if condition.exists is not None and condition.attribute in keys:
        return "it is there" if condition.exists else "it is not there yet"
    return item_condition(condition)


COPIES = (
    "Copies: the application writes each copy in one transaction with its item. DynamoDB keeps indexes up to date by "
    "itself, but not copies."
)


def shape_name(shape: Shape) -> str:
    """What a kind of item is called, and what of: `PostViews, 3 for each Post` or `RoomById, a copy of Room`."""
    if shape.role == "copy":
        return f"{shape.shape}, a copy of {shape.entity}"
    return f"{shape.shape}, {shape.shards} for each {shape.entity}" if shape.shards else shape.shape


def _table(plan: Plan, name: str) -> str:
    return "the table" if len(plan.tables) == 1 else f"table {name}"


def key_condition(condition: KeyCondition) -> str:
    """A key condition in words: `SK begins with ORDER#`."""
    name = condition.attribute
    if condition.equals is not None:
        return f"{name} = {expression(condition.equals)}"
    if condition.begins_with is not None:
        return f"{name} begins with {expression(condition.begins_with)}"
    if condition.between is not None:
        low, high = condition.between
        return f"{name} between {expression(low)} and {expression(high)}"
    for bound, sign in (
        (condition.from_, ">="),
        (condition.after, ">"),
        (condition.to, "<="),
        (condition.below, "<"),
    ):
        if bound is not None:
            return f"{name} {sign} {expression(bound)}"
    return name


def item_condition(condition: ItemCondition) -> str:
    """A condition on an item in words; all that is said must hold."""
    name = _part_of_item(condition.attribute)
    said = []
    for bound, sign in (
        (condition.is_, "="),
        (condition.from_, ">="),
        (condition.after, ">"),
        (condition.to, "<="),
        (condition.below, "<"),
        (condition.not_, "is not"),
        (condition.begins_with, "begins with"),
        (condition.contains, "contains"),
        (condition.below_or_missing, "missing or <"),
        (condition.above_or_missing, "missing or >"),
    ):
        if bound is not None:
            said.append(f"{name} {sign} {expression(bound)}")
    if condition.any_of is not None:
        said.append(f"{name} in <{condition.any_of}>")
    if condition.exists is not None:
        said.append(f"{name} {'there' if condition.exists else 'missing'}")
    if condition.same_as is not None:
        said.append(f"{name} as {condition.same_as} read it")
    return joined(said) + (f" (of {condition.shape})" if condition.shape is not None else "")


def expression(value: Expression) -> str:
    """A key template or constant as people read it: `USER#<userId>`."""
    if isinstance(value, Constant):
        return plain_text(value.value)
    return template_text(value)


def template_text(template: str) -> str:
    """A key template with its names in angle brackets.

    >>> template_text("ORDER#{placedAt}#{pad(10, 2, total)}#{shard(4, orderId)}")
    'ORDER#<placedAt>#<total, 10 digits and 2 decimals>#<shard of orderId>'
    >>> template_text('STATE#{only(state, "PAID", "SENT")}'), template_text("{when(paidAt)}U#{userId}")
    ('STATE#<state: PAID or SENT>', '<if paidAt is there>U#<userId>')
    """
    text = ""
    for part in parse(template):
        if isinstance(part, str):
            text += part
        else:
            text += f"<{_part_text(part)}>"
    return text


def _part_text(part: Reference | Form) -> str:
    name = EACH.get(part.name, part.name)
    if isinstance(part, Reference) or part.form == "text":
        return name
    if part.form == "pad":
        digits, decimals = part.numbers
        return f"{name}, {digits} digits" + (f" and {decimals} decimals" if decimals else "")
    values = joined(list(part.texts), "or")
    if part.form == "only":
        return f"{name}: {values}"
    if part.form == "when":
        return f"if {name} is {values or 'there'}"
    return f"{part.form} of {name}"


EACH = {"each.period": "period", "each.number": "shard"}
"""What the current ones are called."""


def choice_text(text: str) -> str:
    """A decision's choice with the names in its key templates in angle brackets; other texts as
    they are.
    """
    try:
        return template_text(text)
    except TemplateError:
        return text


# The plan in one line -----------------------------------------------------------------------------


def optimality(plan: Plan) -> str:
    """How far the plan can be from the cheapest: claimed is only what was proven.

    >>> from designer.core.plan import Cost, PlannedDesign
    >>> of = PlannedDesign(name="Shop", meaning="")
    >>> optimality(Plan(design=of, style="single", planner="1", cost=Cost(per_month=9, bound=9, gap=0)))
    'No plan over these candidates and prices is cheaper.'
    >>> cost = Cost(per_month=41, bound=40, gap=0.024, cheapest=40)
    >>> optimality(Plan(design=of, style="single", planner="1", cost=cost))
    'No plan over these candidates and prices saves more than $1.00 a month (2.4 %): this is the simplest within that.'
    """
    cost = plan.cost
    is_pinned = any(decision.about.startswith(("pin ", "pins ")) for decision in plan.decisions)
    others = (
        f"No plan over these candidates and prices{' that obeys the pins' if is_pinned else ''}"
    )
    if cost.gap == 0:
        return f"{others} is cheaper."
    share = figures.share(cost.gap)
    if cost.cheapest is None:
        return (
            f"{others} costs less than {figures.money(cost.bound)} a month: this one is at most {share}"
            " above the cheapest."
        )
    most = figures.money(cost.per_month - cost.bound)
    said = f"{others} saves more than {most} a month ({share}): this is the simplest within that."
    if cost.cheapest - cost.bound < figures.HALF_A_CENT:
        return said
    saved = cost.per_month - cost.cheapest
    if saved < figures.HALF_A_CENT:
        return f"{said} Nothing that was found is cheaper."
    return f"{said} The cheapest that was found saves {figures.money(saved)}."


def summary(plan: Plan) -> str:
    """`1 table, 2 indexes, $41.20 a month; 10 of 12 patterns served, 9 of them in one request`."""
    indexes = sum(len(table.indexes) for table in plan.tables)
    copies = sum(shape.role == "copy" for table in plan.tables for shape in table.items)
    patterns = {operation.pattern for operation in plan.operations}
    unserved = {o.pattern for o in plan.operations if o.answer == "not served"}
    elsewhere = {o.pattern for o in plan.operations if o.answer == "elsewhere"}
    several = {o.pattern for o in plan.operations if o.answer == "in several requests"}
    on_average = {o.pattern for o in plan.operations if o.beyond} - unserved - elsewhere
    served = len(patterns) - len(unserved) - len(elsewhere) - len(on_average)
    kept = f" {figures.count(copies, 'copy', 'copies')} of items," if copies else ""
    said = (
        f"{figures.count(len(plan.tables), 'table')},"
        f" {figures.count(indexes, 'index', 'indexes')},"
        f"{kept} {figures.money(plan.cost.per_month)} a month"
    )
    if patterns:
        at_once = served - len(several - on_average)
        said += f"; {served} of {len(patterns)} served, {at_once} in one request"
        said += f", and {len(on_average)} on average only" if on_average else ""
    return said


# What documents say, on pages


def with_code(text: str) -> tuple[tuple[str, bool], ...]:
    """A text in parts, each with whether it stands between backticks: what is written so in a design or a key.

    >>> with_code("Say `kept: at-once`.")
    (('Say ', False), ('kept: at-once', True), ('.', False))
    """
    parts = re.split(r"`([^`]+)`", text)
    return tuple((part, at % 2 == 1) for at, part in enumerate(parts) if part)


def headed(decision: Decision) -> tuple[str, str]:
    """The heading of a decision, and what was chosen."""
    kind, _, rest = decision.about.partition(" ")
    if kind == "index":
        entity, _, choice = decision.choice.partition(": ")
        return entity, choice
    if kind in ("key", "guard"):
        return f"{kind.capitalize()} of {rest}", decision.choice
    return decision.about[:1].upper() + decision.about[1:], decision.choice
