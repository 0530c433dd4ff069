"""What each access pattern must answer, worked out from the entities alone.

This is what a proof compares with, so it shares nothing with what it judges: it imports neither
the planner, nor the plan, nor the key templates. A state is the items of each entity; a value is a
`str`, `Decimal`, `bool`, `bytes`, `list`, `dict` or `set`, and an attribute that is not in an item
is missing.
"""

from collections import ChainMap, defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Any

from designer.core.design.document import Design, Relationship
from designer.core.design.kept import Figure, kept_figures
from designer.core.patterns.base import (
    Aggregate,
    Condition,
    Listed,
    Member,
    Operand,
    Ordered,
    Read,
    With,
    Write,
)

Value = Any
Item = Mapping[str, Value]
State = Mapping[str, Sequence[Item]]
Parameters = Mapping[str, Value]
Join = tuple[tuple[str, Value], ...]
"""Pairs of attribute and value."""


@dataclass(frozen=True)
class Row:
    """An item of the answer, with what comes along with it by each relationship."""

    entity: str
    item: Item
    along: Mapping[str, "Along"] = field(default_factory=dict)


@dataclass(frozen=True)
class Rows:
    """Rows in order. Those of a group tie: any order will do, and a limit may cut among them."""

    groups: tuple[tuple[Row, ...], ...]
    limit: int | None = None
    attributes: tuple[str, ...] | None = None
    """What each row must carry at least; None for the whole item."""

    @property
    def count(self) -> int:
        """How many rows the answer has."""
        total = sum(len(group) for group in self.groups)
        return total if self.limit is None else min(total, self.limit)


@dataclass(frozen=True)
class Along:
    """What comes along with one row, and how to tell that it belongs to that row."""

    rows: Rows
    joins: Mapping[str, Join]
    """For each entity that may come along: the values by which an item belongs to the row."""
    towards_one: bool
    """It is the parent: one item may come along with several rows."""


@dataclass(frozen=True)
class Answer:
    """The expected answer of a read: rows, or a figure."""

    rows: Rows | None = None
    value: Value = None


@dataclass(frozen=True)
class Answered:
    """What an engine answered: a figure, or for each part pairs of entity and item.

    The part `rows` is what the pattern returns; the others are named by relationship.
    """

    parts: Mapping[str, Sequence[tuple[str, Item]]] = field(default_factory=dict)
    value: Value = None


@dataclass(frozen=True)
class Refused:
    """A write that must not happen, and why; nothing has changed."""

    because: str


# Reads


def answer(design: Design, state: State, pattern: Read, parameters: Parameters) -> Answer:
    """The answer a read must give.

    A limit does not concern figures: `count`, `exists` and `result` are about everything that meets
    the conditions.
    """
    facts = Facts(design, state)
    found = [
        (name, item)
        for name in pattern.entities
        for item in state.get(name, ())
        if facts.meets(name, item, (*pattern.where, *pattern.keep), parameters)
    ]
    if pattern.kind == "count":
        return Answer(value=Decimal(len(found)))
    if pattern.kind == "exists":
        return Answer(value=bool(found))
    if pattern.aggregate is not None:
        return Answer(value=_figure(facts, pattern.aggregate, found))
    groups = tuple(
        tuple(
            Row(
                name,
                item,
                {
                    part.relationship: facts.along(name, item, part, parameters)
                    for part in pattern.with_
                },
            )
            for name, item in group
        )
        for group in _in_order(facts, found, pattern)
    )
    return Answer(rows=Rows(groups, pattern.limit, pattern.attributes))


def _figure(facts: "Facts", wanted: Aggregate, found: list[tuple[str, Item]]) -> Value:
    values = [
        value for name, item in found if (value := facts.value(name, item, wanted.of)) is not None
    ]
    if wanted.sum:
        return sum(values, Decimal(0))
    if not values:
        return None
    return max(values, key=sort_key) if wanted.greatest else min(values, key=sort_key)


def _in_order(
    facts: "Facts", found: list[tuple[str, Item]], wanted: Ordered
) -> list[list[tuple[str, Item]]]:
    """The items in groups of equal order; one without an order attribute is left out."""
    groups = [found]
    for order in wanted.orders:
        finer = []
        for group in groups:
            by_value: dict[Value, list[tuple[str, Item]]] = defaultdict(list)
            for name, item in group:
                value = facts.value(name, item, order.attribute)
                if value is not None:
                    by_value[sort_key(value)].append((name, item))
            finer += [by_value[key] for key in sorted(by_value, reverse=order.descending)]
        groups = finer
    return [group for group in groups if group]


class Facts:
    """A state with what can be asked about its items."""

    def __init__(self, design: Design, state: State, at_once: tuple[Figure, ...] = ()) -> None:
        self.design = design
        self.state = state
        self.at_once = at_once
        """The figures that a write keeps itself."""
        self._indexes: dict[tuple[str, tuple[str, ...]], dict[Value, list[Item]]] = {}

    def where(self, entity: str, values: Mapping[str, Value]) -> list[Item]:
        """The items of an entity that have all of these values."""
        names = tuple(sorted(values))
        if (entity, names) not in self._indexes:
            index: dict[Value, list[Item]] = defaultdict(list)
            for item in self.state.get(entity, ()):
                if all(name in item for name in names):
                    index[tuple(canonical(item[name]) for name in names)].append(item)
            self._indexes[entity, names] = index
        if any(values[name] is None for name in names):
            return []
        return self._indexes[entity, names].get(
            tuple(canonical(values[name]) for name in names), []
        )

    def value(self, entity: str, item: Item, path: str) -> Value:
        """The value at a path: an attribute's, derived or stored, or a parent's; None: missing."""
        first, _, rest = path.partition(".")
        if rest:
            parents = self.parents(entity, item, self.design.relationship[first], rest)
            return self.value(*parents[0], rest) if parents else None
        attribute = self.design.entity[entity].by_name.get(path)
        if attribute is not None and attribute.source is not None:
            form, source = attribute.source
            time = item.get(source)
            return None if time is None else time[: _LEADING[form]]
        return item.get(path)

    def parents(
        self, entity: str, item: Item, relationship: Relationship, path: str = ""
    ) -> list[tuple[str, Item]]:
        """The item on the one side; for an edge of N:M on both, or on that which has `path`."""
        if relationship.cardinality == "1:1" and entity == relationship.parent:
            pairs = self.design.references(relationship, entity)
            wanted = {own: item.get(theirs) for own, theirs in pairs}
            child = relationship.child
            return [(child, other) for other in self.where(child, wanted)] if pairs else []
        found = []
        for parent in dict.fromkeys(relationship.parents):
            first = path.partition(".")[0]
            known = self.design.entity[parent].by_name
            if (
                relationship.cardinality == "N:M"
                and path
                and first not in known
                and "." not in path
            ):
                continue
            pairs = self.design.references(relationship, parent)
            if pairs:
                wanted = {theirs: item.get(own) for own, theirs in pairs}
                found += [(parent, other) for other in self.where(parent, wanted)]
        return found

    def along(self, entity: str, item: Item, part: With, parameters: Parameters) -> Along:
        """What comes along: from the one side its children, from the many side its parent."""
        relationship = self.design.relationship[part.relationship]
        towards_one = entity == relationship.child and entity not in relationship.parents
        related: list[tuple[str, Item]] = []
        joins: dict[str, Join] = {}
        if towards_one:
            related = self.parents(entity, item, relationship)
            for side in relationship.parents:
                pairs = self.design.references(relationship, side)
                joins[side] = tuple((theirs, item.get(own)) for own, theirs in pairs)
        elif entity in relationship.parents:
            child = relationship.child
            pairs = self.design.references(relationship, entity)
            joins[child] = tuple((own, item.get(theirs)) for own, theirs in pairs)
            if pairs:
                related = [(child, other) for other in self.where(child, dict(joins[child]))]
        kept = [
            (name, other)
            for name, other in related
            if self.meets(name, other, part.keep, parameters)
        ]
        groups = tuple(
            tuple(Row(name, other) for name, other in group)
            for group in _in_order(self, kept, part)
        )
        return Along(Rows(groups, part.limit, part.attributes), joins, towards_one)

    def allows(self, member: Member, item: Item, parameters: Parameters) -> bool:
        """Whether an item meets a write's condition: all conditions of one of its alternatives."""
        ways = member.ways
        return not ways or any(self.meets(member.entity, item, way, parameters) for way in ways)

    def meets(
        self, entity: str, item: Item, conditions: Sequence[Condition], parameters: Parameters
    ) -> bool:
        """Whether an item meets all conditions that are asked."""
        return all(
            _holds(condition, self.value(entity, item, condition.attribute), parameters)
            for condition in conditions
            if not left_out(condition, parameters)
        )


_LEADING = {"year": 4, "month": 7, "date": 10, "hour": 13}
"""Characters of an ISO 8601 time that each form keeps."""


def left_out(condition: Condition, parameters: Parameters) -> bool:
    """Whether an optional condition is not asked this time."""
    names = tuple(condition.parameters)
    return condition.optional and bool(names) and all(parameters.get(n) is None for n in names)


def _given(operand: Operand | Listed, parameters: Parameters) -> Value:
    if isinstance(operand.value, tuple):
        return list(map(number, operand.value))
    return number(operand.value) if operand.param is None else parameters.get(operand.param)


def _holds(condition: Condition, value: Value, parameters: Parameters) -> bool:
    if condition.missing:
        return value is None
    if condition.not_ is not None:
        return value is None or not equal(value, _given(condition.not_, parameters))
    if value is None:
        return False
    if condition.exists:
        return True
    return all(
        test(value, _given(operand, parameters))
        for name, test in _TESTS.items()
        if (operand := getattr(condition, name)) is not None
    )


def _comparable(one: Value, other: Value) -> bool:
    """Whether two values have an order: both texts, both numbers or both bytes."""
    return any(isinstance(one, kind) and isinstance(other, kind) for kind in (str, Decimal, bytes))


def _contains(value: Value, wanted: Value) -> bool:
    if isinstance(value, str):
        return isinstance(wanted, str) and wanted in value
    if isinstance(value, bytes):
        return isinstance(wanted, bytes) and wanted in value
    return isinstance(value, (list, set, frozenset)) and any(equal(one, wanted) for one in value)


_TESTS: dict[str, Callable[[Value, Value], bool]] = {
    "is_": lambda value, other: equal(value, other),
    "any_of": lambda value, others: any(equal(value, other) for other in others or ()),
    "from_": lambda value, other: _comparable(value, other) and sort_key(value) >= sort_key(other),
    "after": lambda value, other: _comparable(value, other) and sort_key(value) > sort_key(other),
    "to": lambda value, other: _comparable(value, other) and sort_key(value) <= sort_key(other),
    "below": lambda value, other: _comparable(value, other) and sort_key(value) < sort_key(other),
    "begins_with": lambda value, other: (
        isinstance(value, (str, bytes))
        and isinstance(other, type(value))
        and value[: len(other)] == other
    ),
    "contains": _contains,
}


# Values


def number(value: Value) -> Value:
    """The value, with a number as a Decimal."""
    return (
        Decimal(str(value))
        if isinstance(value, (int, float)) and not isinstance(value, bool)
        else value
    )


def sort_key(value: Value) -> Value:
    """What orders texts by their UTF-8 bytes and numbers by size."""
    return value.encode() if isinstance(value, str) else value


def canonical(value: Value) -> Value:
    """The same for equal values, never for others, and hashable: true is not 1."""
    if isinstance(value, (str, Decimal)):
        return (type(value).__name__, value)
    if isinstance(value, Mapping):
        return ("M", frozenset((name, canonical(inner)) for name, inner in value.items()))
    if isinstance(value, (set, frozenset)):
        return ("set", frozenset(canonical(inner) for inner in value))
    if isinstance(value, (list, tuple)):
        return ("L", tuple(canonical(inner) for inner in value))
    return (type(value).__name__, value)


def equal(one: Value, other: Value) -> bool:
    """Whether two values are the same, type included."""
    if isinstance(one, Mapping):
        return (
            isinstance(other, Mapping)
            and one.keys() == other.keys()
            and all(equal(value, other[name]) for name, value in one.items())
        )
    if isinstance(one, (list, tuple, set, frozenset)):
        return bool(canonical(one) == canonical(other))
    return type(one) is type(other) and bool(one == other)


# Writes


def apply(
    design: Design,
    state: State,
    pattern: Write,
    parameters: Parameters,
    later: Collection[str] | None = None,
) -> dict[str, tuple[Item, ...]] | Refused:
    """The state after a write, or its refusal, when the consumers of streams have done their part.

    All conditions of a transaction are about the state before it. A single write with `times` is as
    many writes: each on its own, those that are refused left out; it is refused when all are.
    `later`: the figures that a consumer keeps (`Customer.orderCount`); where absent, those that the
    design says are kept by stream.
    """
    figures = kept_figures(design)
    if later is None:
        later = {_named(figure) for figure in figures if figure.kept == "by-stream"}
    at_once = tuple(figure for figure in figures if _named(figure) not in later)
    after = _after(Facts(design, state, at_once), pattern, parameters)
    followed = [figure for figure in figures if figure not in at_once]
    if isinstance(after, Refused) or not followed:
        return after
    return _followed(design, state, after, followed)


def _named(figure: Figure) -> str:
    return f"{figure.entity}.{figure.name}"


def _after(
    facts: "Facts", pattern: Write, parameters: Parameters
) -> dict[str, tuple[Item, ...]] | Refused:
    """The state that a write itself leaves."""
    design, state = facts.design, facts.state
    if pattern.collection:
        (change,) = pattern.changes
        gone = [
            _Written(change, item, None)
            for item in state.get(change.entity, ())
            if facts.meets(change.entity, item, pattern.collection, parameters)
        ]
        kept = _with_figures(facts, gone, refuses=False)
        assert not isinstance(kept, Refused)
        return _with(state, kept)
    parts = list(_parts(pattern, parameters))
    if pattern.is_transaction:
        return _all_or_nothing(facts, parts)
    refused = None
    after = _copy(state)
    done = False
    for part in parts:
        outcome = _all_or_nothing(Facts(design, after, facts.at_once), [part])
        if isinstance(outcome, Refused):
            refused = outcome
        else:
            after, done = outcome, True
    return refused if refused is not None and not done else after


def _copy(state: State) -> dict[str, tuple[Item, ...]]:
    return {name: tuple(items) for name, items in state.items()}


def _parts(pattern: Write, parameters: Parameters) -> Iterator[tuple[Member, Parameters]]:
    """Each item written, with the parameters that hold for it."""
    for member in pattern.changes:
        if member.times is None:
            yield member, parameters
            continue
        for row in parameters.get(member.each or member.entity) or ():
            yield member, ChainMap(dict(row), dict(parameters))


@dataclass(frozen=True)
class _Written:
    """One item of a write: what was there and what will be."""

    member: Member
    before: Item | None
    after: Item | None


def _all_or_nothing(
    facts: "Facts", parts: Sequence[tuple[Member, Parameters]]
) -> dict[str, tuple[Item, ...]] | Refused:
    design, state = facts.design, facts.state
    written: list[_Written] = []
    for member, parameters in parts:
        outcome = _write(facts, member, parameters)
        if isinstance(outcome, Refused):
            return outcome
        if member.verb != "check":
            written.append(outcome)
    refused = _twice(design, written) or _taken(facts, written)
    if refused:
        return refused
    kept = _with_figures(facts, written)
    return kept if isinstance(kept, Refused) else _with(state, kept)


def _write(facts: Facts, member: Member, parameters: Parameters) -> _Written | Refused:
    entity = facts.design.entity[member.entity]
    whole = member.verb in ("create", "upsert")
    if whole:
        new = _new_item(facts.design, member, parameters)
        found = facts.where(member.entity, {name: new.get(name) for name in entity.identifier})
    else:
        new = {}
        by = member.by or entity.identifier
        found = facts.where(member.entity, {name: parameters.get(name) for name in by})
    before = found[0] if found else None
    if member.verb == "create" and before is not None:
        return Refused(f"{member.entity} already exists")
    if before is None and (member.verb in ("update", "delete") or member.exists):
        return Refused(f"{member.entity} does not exist")
    if before is not None and member.exists is False:
        return Refused(f"{member.entity} exists")
    is_new = member.verb == "upsert" and before is None
    if not is_new and not facts.allows(member, before or {}, parameters):
        tested = " or ".join(dict.fromkeys(c.attribute for c in member.conditions))
        return Refused(f"{member.entity}: the condition on {tested} does not hold")
    if whole:
        return _Written(member, before, new)
    if member.verb in ("delete", "check"):
        return _Written(member, before, None)
    assert before is not None
    for attribute, parameter in member.greatest.items():
        if attribute in before and not before[attribute] < parameters[parameter]:
            return Refused(f"{member.entity}: {attribute} is not smaller")
    return _Written(member, before, _changed(before, member, parameters))


def _new_item(design: Design, member: Member, parameters: Parameters) -> dict[str, Value]:
    item = {}
    kept = {f.name: f for f in kept_figures(design) if f.entity == member.entity}
    for attribute in design.entity[member.entity].stored:
        operand = member.set.get(attribute.name)
        value = parameters.get(attribute.name) if operand is None else _given(operand, parameters)
        if operand is None and attribute.name in kept and member.verb == "create":
            value = Decimal(0) if kept[attribute.name].is_added else None
        if value is not None:
            item[attribute.name] = value
    return item


def _changed(before: Item, member: Member, parameters: Parameters) -> Item:
    after = dict(before)
    for name, operand in member.set.items():
        value = _given(operand, parameters)
        if value is None:
            after.pop(name, None)
        else:
            after[name] = value
    for name in member.remove:
        after.pop(name, None)
    for name, amount in member.add.items():
        given = (
            amount.value
            if amount.value is not None
            else parameters[amount.param or amount.minus or ""]
        )
        by = number(given)
        after[name] = after.get(name, Decimal(0)) + (-by if amount.minus is not None else by)
    for name, parameter in member.greatest.items():
        after[name] = parameters[parameter]
    for name, parameter in member.append.items():
        after[name] = [*after.get(name, ()), *parameters[parameter]]
    for name, parameter in member.include.items():
        after[name] = after.get(name, set()) | parameters[parameter]
    for name, parameter in member.exclude.items():
        left = after.pop(name, set()) - parameters[parameter]
        if left:
            after[name] = left
    return after


def _with_figures(
    facts: Facts,
    written: Sequence[_Written],
    refuses: bool = True,
) -> list[_Written] | Refused:
    """What is written, with the parents whose figures it changes; refused where such a parent is not there."""
    after = list(written)
    for figure in facts.at_once:
        for one in written:
            for parent, values in _contributions(figure, one):
                at = _place(facts, figure, parent, after)
                if refuses and (at is None or _is_new(after[at], one)):
                    return Refused(f"{figure.entity} does not exist")
                if at is not None:
                    after[at] = _counted(figure, values, after[at])
    return after


def _is_new(parent: _Written, child: _Written) -> bool:
    """Whether an item of the same entity, or the child itself, is made a parent before it is there."""
    return parent.before is None and parent.member.entity == child.member.entity


def _contributions(figure: Figure, one: _Written) -> Iterator[tuple[Join, list[Value]]]:
    """The parents that a write of a child concerns, with what it adds, or what may be their greatest."""
    if not figure.is_touched_by(one.member):
        return
    before, after = (_parent_of(figure, item) for item in (one.before, one.after))
    moves = one.member.verb == "update" and bool(
        figure.references & {*one.member.set, *one.member.remove, *one.member.add}
    )
    if not moves or before != after:
        yield from _change(figure, one.before, one.after)


def _change(
    figure: Figure, was: Item | None, is_: Item | None
) -> Iterator[tuple[Join, list[Value]]]:
    """The parents of an item before and after a change, with what it adds, or what may be their greatest."""
    before, after = _parent_of(figure, was), _parent_of(figure, is_)
    old, new = _worth(figure, was), _worth(figure, is_)
    less = [-value for value in old] if figure.is_added else []
    if before == after and before is not None:
        yield before, [*less, *new]
        return
    if before is not None and figure.is_added:
        yield before, less
    if after is not None:
        yield after, new


def _parent_of(figure: Figure, item: Item | None) -> Join | None:
    if item is None or any(item.get(own) is None for _, own in figure.per):
        return None
    return tuple((theirs, item[own]) for theirs, own in figure.per)


def _worth(figure: Figure, item: Item | None) -> list[Value]:
    """What an item contributes: nothing where it lacks the attribute."""
    if item is None:
        return []
    value = item.get(figure.target) if figure.target else Decimal(1)
    return [] if value is None else [value]


def _place(facts: Facts, figure: Figure, parent: Join, written: list[_Written]) -> int | None:
    """Where the parent stands among what is written; put there when it is not yet, None when there is none."""
    for at, one in enumerate(written):
        item = one.after if one.after is not None else one.before
        same = one.member.entity == figure.entity
        if same and item and all(equal(item.get(name), value) for name, value in parent):
            return at
    found = facts.where(figure.entity, dict(parent))
    if not found:
        return None
    written.append(_Written(Member(update=figure.entity), found[0], found[0]))
    return len(written) - 1


def _counted(figure: Figure, values: list[Value], parent: _Written) -> _Written:
    if parent.after is None or not values:
        return parent
    return replace(parent, after=_with_figure(figure, values, parent.after))


def _with_figure(figure: Figure, values: list[Value], parent: Item) -> Item:
    now = parent.get(figure.name)
    known = values if now is None else [now, *values]
    best = max if figure.form == "greatest" else min
    value = sum(known, Decimal(0)) if figure.is_added else best(known, key=sort_key)
    return {**parent, figure.name: value}


def _followed(
    design: Design,
    before: State,
    written: Mapping[str, Sequence[Item]],
    figures: Sequence[Figure],
) -> dict[str, tuple[Item, ...]]:
    """The state with the figures that a consumer of the children's changes keeps on parents that are there."""
    after = {name: list(items) for name, items in written.items()}
    for figure in figures:
        was, is_ = (
            {_identity(design, figure.child, item): item for item in state.get(figure.child, ())}
            for state in (before, written)
        )
        asked = (*figure.references, figure.target)
        for key in dict.fromkeys((*was, *is_)):
            old, new = was.get(key), is_.get(key)
            if all((old or {}).get(n) == (new or {}).get(n) for n in asked):
                continue
            for parent, values in _change(figure, old, new):
                parents = after.get(figure.entity, [])
                for at, item in enumerate(parents):
                    if values and all(equal(item.get(name), one) for name, one in parent):
                        parents[at] = _with_figure(figure, values, item)
    return {name: tuple(items) for name, items in after.items()}


def _identity(design: Design, entity: str, item: Item) -> Value:
    return tuple(canonical(item.get(name)) for name in design.entity[entity].identifier)


def _twice(design: Design, written: Sequence[_Written]) -> Refused | None:
    seen = set()
    for one in written:
        item = one.after if one.after is not None else one.before
        assert item is not None
        key = (one.member.entity, _identity(design, one.member.entity, item))
        if key in seen:
            return Refused(f"{one.member.entity}: the same item is written twice")
        seen.add(key)
    return None


def _taken(facts: Facts, written: Sequence[_Written]) -> Refused | None:
    """A unique value belongs to one item, before the write and after it."""
    claimed = set()
    for one in written:
        entity = facts.design.entity[one.member.entity]
        for unique in entity.uniques:
            values = {name: (one.after or {}).get(name) for name in unique.names}
            if any(value is None for value in values.values()):
                continue
            claim = (entity.name, unique, tuple(map(canonical, values.values())))
            others = [o for o in facts.where(entity.name, values) if o is not one.before]
            if others:
                return Refused(f"{entity.name}: {unique.attribute} is already taken")
            if claim in claimed:
                return Refused(f"{entity.name}: {unique.attribute} is claimed twice")
            claimed.add(claim)
    return None


def _with(state: State, written: Sequence[_Written]) -> dict[str, tuple[Item, ...]]:
    after = {name: list(items) for name, items in state.items()}
    for one in written:
        items = after.setdefault(one.member.entity, [])
        if one.before is not None:
            at = next(i for i, item in enumerate(items) if item is one.before)
            items[at : at + 1] = [] if one.after is None else [one.after]
        elif one.after is not None:
            items.append(one.after)
    return {name: tuple(items) for name, items in after.items()}
