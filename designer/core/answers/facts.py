"""A state, and what can be asked about its items: values, parents, what comes along, conditions."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal

from designer.core.answers.expected import Along, Item, Join, Parameters, Row, Rows, State, Value
from designer.core.answers.values import canonical, equal, number, sort_key
from designer.core.design.document import Design
from designer.core.design.entities import Relationship
from designer.core.design.kept import Figure
from designer.core.patterns.base import Condition, Listed, Member, Operand, Ordered, With


def in_order(
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
            tuple(Row(name, other) for name, other in group) for group in in_order(self, kept, part)
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


def operand_value(operand: Operand | Listed, parameters: Parameters) -> Value:
    """The value that a condition compares with: stated, or that of a parameter."""
    if isinstance(operand.value, tuple):
        return list(map(number, operand.value))
    return number(operand.value) if operand.param is None else parameters.get(operand.param)


def _holds(condition: Condition, value: Value, parameters: Parameters) -> bool:
    if condition.missing:
        return value is None
    if condition.not_ is not None:
        return value is None or not equal(value, operand_value(condition.not_, parameters))
    if value is None:
        return False
    if condition.exists:
        return True
    return all(
        test(value, operand_value(operand, parameters))
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
    "all_of": lambda value, others: any(equal(value, other) for other in others or ()),
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
