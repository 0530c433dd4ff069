"""What a read is asked: values of items that are there, ranges about them, and what nothing has."""

from collections.abc import Iterator, Sequence
from decimal import Decimal
from itertools import combinations, islice

from designer.core.answers import Facts, Item, Parameters, State, Value, canonical, sort_key
from designer.core.design.attributes import Attribute
from designer.core.design.document import Design
from designer.core.patterns.base import Condition, Read
from designer.proof import samples
from designer.proof.rows import references

MOST_READS = 16
"""Cases of a read, for each choice of its optional conditions."""
MOST_PLAIN = 10
"""Cases of a read that has no ranges, lists or filters."""
VARIANTS = 8
CROSSED = 3
"""Groups of items whose values are asked for together: so many with the most values, and with the fewest."""


def read_cases(design: Design, state: State, pattern: Read) -> tuple[Parameters, ...]:
    """The parameters that a read is run with, for each choice of its optional conditions."""
    facts = Facts(design, state)
    conditions = [
        (name, condition) for name in pattern.entities for condition in pattern.conditions
    ]
    for along in pattern.with_:
        relationship = design.relationship[along.relationship]
        for name in pattern.entities[:1]:
            child = relationship.child if name != relationship.child else relationship.parent
            conditions += [(child, condition) for condition in along.keep]
    optional = [i for i, (_, condition) in enumerate(conditions) if condition.optional]
    chosen: list[Parameters] = []
    for given in _choices(optional):
        asked = [
            one for i, one in enumerate(conditions) if not conditions[i][1].optional or i in given
        ]
        aimed = aimed_at(facts, pattern.entities, asked, MOST_READS)
        chosen += [*_crossed(facts, pattern, aimed), *aimed]
    return tuple(chosen)


def _crossed(facts: Facts, pattern: Read, aimed: Sequence[Parameters]) -> Sequence[Parameters]:
    """Lists for `all_of`: all that items have together, one of that twice, and some with one that they lack."""
    crossing = pattern.crossing
    if crossing is None or crossing.all_of is None or crossing.all_of.param is None:
        return ()
    entity, name, parameter = pattern.entities[0], crossing.attribute, crossing.all_of.param
    groups: dict[Value, dict[Value, Value]] = {}
    for item in facts.state.get(entity, ()):
        same = canonical([item.get(each) for each in pattern.attributes or ()])
        if (value := item.get(name)) is not None:
            groups.setdefault(same, {})[canonical(value)] = value
    many = sorted(groups.values(), key=len, reverse=True)
    others = _values(facts, entity, name)
    unknown = samples.unknown(_attribute(facts.design, entity, name))
    found: dict[Value, Parameters] = {}
    # Those with the fewest values lack one that others have.
    for group in [*many[:CROSSED], *many[CROSSED:][-CROSSED:]]:
        had = list(group.values())
        lacking = [one for one in others if canonical(one) not in group][:1]
        first = had[0]
        lists = (had, [first, first, had[-1]], [first, *lacking], [*had, *lacking])
        for given in (*lists, [first, unknown]):
            # The other conditions speak of an item that has one of the values.
            known = (one for one in aimed if canonical(first) in map(canonical, one[parameter]))
            for one in islice(known, 2):
                asked = {**one, parameter: given}
                found.setdefault(canonical(asked), asked)
    return list(found.values())


def _choices(optional: Sequence[int]) -> Iterator[frozenset[int]]:
    """The sets of optional conditions to ask: all where there are few."""
    sizes = range(len(optional) + 1) if len(optional) <= 4 else (0, 1, len(optional))
    for size in sizes:
        for chosen in combinations(optional, size):
            yield frozenset(chosen)


def aimed_at(
    facts: Facts,
    entities: Sequence[str],
    conditions: Sequence[tuple[str, Condition]],
    most: int,
) -> list[Parameters]:
    """Combinations aimed at items, first those of the crowd; then some that hit nothing."""
    if not any(True for _, condition in conditions for _ in condition.parameters):
        return [{}]
    plain = all(condition.is_ is not None for _, condition in conditions)
    items = [(name, item) for name in entities for item in facts.state.get(name, ())]
    hitting: dict[Value, Parameters] = {}
    variants = range(1 if plain else VARIANTS)
    aims = [(one, variant) for one in items[:1] for variant in variants]
    aims += [(one, variant) for variant in variants for one in items[:: 3 if variant else 1]]
    others = [_values(facts, owner, condition.attribute) for owner, condition in conditions]
    for (name, item), variant in aims:
        parameters = _aim(facts, name, item, conditions, others, variant)
        if parameters is not None:
            hitting.setdefault(canonical(parameters), parameters)
    found = _spread(list(hitting.values()), min(most, MOST_PLAIN) if plain else most)
    missing: dict[Value, Parameters] = {}
    for one, other in zip(found, [*found[1:], *found[:1]], strict=True):
        for name in one:
            mixed = {**one, name: other[name]} if name in other else dict(one)
            if canonical(mixed) not in hitting:
                missing.setdefault(canonical(mixed), mixed)
    nothing = _nothing(facts, conditions)
    return [*found, *_spread(list(missing.values()), 4), *nothing]


def _spread(many: list[Parameters], most: int) -> list[Parameters]:
    """At most so many: half of them the first, about which values that nearly agree are found."""
    if len(many) <= most:
        return many
    first = most // 2
    step = (len(many) - first) / (most - first)
    return [*many[:first], *(many[first + int(i * step)] for i in range(most - first))]


def _nothing(facts: Facts, conditions: Sequence[tuple[str, Condition]]) -> Iterator[Parameters]:
    """Values that no item has, and those of parents without children."""
    for childless in (False, True):
        parameters: dict[str, Value] = {}
        for name, condition in conditions:
            attribute = _attribute(facts.design, name, condition.attribute)
            value = samples.unknown(attribute)
            if childless:
                value = _of_last_parent(facts, name, condition.attribute, value)
            for parameter in condition.parameters:
                parameters[parameter] = [value] if condition.listed else _scalar(value)
        yield parameters


def _of_last_parent(facts: Facts, name: str, attribute: str, otherwise: Value) -> Value:
    """What the last parent, to which nothing refers, has of a reference."""
    for reference in references(facts.design, facts.design.entity[name]):
        parents = facts.state.get(reference.parent, ())
        for own, theirs in reference.pairs:
            if own == attribute and parents:
                return parents[-1].get(theirs, otherwise)
    return otherwise


def _scalar(value: Value) -> Value:
    """For `contains`: an element, where the value has elements."""
    if isinstance(value, (list, set)):
        return next(iter(sorted(value, key=repr)), "m")
    return value


def _attribute(design: Design, entity: str, path: str) -> Attribute:
    """The attribute at the end of a path; of a derived one, its source."""
    first, _, rest = path.partition(".")
    if rest:
        relationship = design.relationship[first]
        return _attribute(design, relationship.parent, rest)
    return design.entity[entity].by_name[path]


def _aim(
    facts: Facts,
    name: str,
    item: Item,
    conditions: Sequence[tuple[str, Condition]],
    others: Sequence[Sequence[Value]],
    variant: int,
) -> Parameters | None:
    """Parameters with which conditions speak of an item; variants differ in how ranges are put.

    `others` are for each condition the values that its attribute has.
    """
    parameters: dict[str, Value] = {}
    pairs = list(zip(conditions, others, strict=True))
    # A parameter of several conditions is aimed at each: at the start of a range that holds it, and at its end.
    for (owner, condition), values in reversed(pairs) if variant >= VARIANTS // 2 else pairs:
        if not any(True for _ in condition.parameters):
            continue
        if owner == name:
            value = facts.value(name, item, condition.attribute)
        else:
            value = values[variant % len(values)] if values else None
        if value is None:
            if not values:
                return None
            value = values[0]
        for parameter, chosen in _operands(condition, value, values, variant):
            parameters.setdefault(parameter, chosen)
    return parameters


def _values(facts: Facts, name: str, path: str) -> list[Value]:
    """All values that occur, each once, in order where they have one."""
    found = {
        canonical(value): value
        for item in facts.state.get(name, ())
        if (value := facts.value(name, item, path)) is not None
    }
    values = list(found.values())
    ordered = values and isinstance(values[0], (str, Decimal, bytes))
    return sorted(values, key=sort_key) if ordered else values


def _operands(
    condition: Condition, value: Value, others: Sequence[Value], variant: int
) -> Iterator[tuple[str, Value]]:
    def of(field: str) -> str | None:
        operand = getattr(condition, field)
        return None if operand is None else operand.param

    if name := of("is_"):
        yield name, value
    if name := of("not_"):
        yield name, value
    if name := of("any_of") or of("all_of"):
        some = others[variant :: 1 + variant][:100]
        yield (
            name,
            ([value], [value, *(o for o in others[:2] if o != value)], [], some)[variant % 4],
        )
    if name := of("begins_with"):
        size = len(value)
        yield name, value[: (size, 1, size // 2 + 1, max(1, size - 1))[variant % 4]]
    if name := of("contains"):
        yield (
            name,
            value[-1:] or value
            if isinstance(value, (str, bytes)) and variant % 2
            else _scalar(value),
        )
    lower, upper = of("from_") or of("after"), of("to") or of("below")
    if lower or upper:
        low, high = _bounds(value, others, variant)
        if lower:
            yield lower, low if upper else (value, low, high, others[0])[variant % 4]
        if upper:
            yield upper, high if lower else (value, high, low, others[-1])[variant % 4]


def _bounds(value: Value, others: Sequence[Value], variant: int) -> tuple[Value, Value]:
    """A lower and an upper bound: touching a value, open, between values, the wrong way round."""
    at = next((i for i, other in enumerate(others) if canonical(other) == canonical(value)), 0)
    before, after = others[max(0, at - 1)], others[min(len(others) - 1, at + 1)]
    far = others[min(len(others) - 1, at + 4)]
    return (
        (value, value),
        (others[0], others[-1]),
        (value, after),
        (before, value),
        (after, before),
        (before, far),
        (others[-1], others[0]),
        (value, others[-1]),
    )[variant]
