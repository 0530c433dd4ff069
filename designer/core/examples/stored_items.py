"""Example items as the tables of a plan store them."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from designer.core.design.document import Design
from designer.core.examples.copied import Carried
from designer.core.examples.counted import NUMBER, Counted
from designer.core.examples.items import Examples, derived
from designer.core.plan import Plan, Shape, Table
from designer.core.plan.keys import Lookup, TemplateError, Value, render

Parameters = Mapping[str, Value]

MOST_SHARDS = 16
"""Shards of a key that are all gone through; the example items lie in few of them."""


@dataclass(frozen=True)
class StoredItem:
    """An example item as it lies in a table: under its shape, with the attributes that the plan
    adds.
    """

    id: str
    """`Order-2`: its shape and its number among the examples of its entity."""
    shape: Shape
    values: dict[str, Value]
    source: dict[str, Value]
    """The entity's item with its derived attributes: what the templates were filled from."""
    inside: tuple["StoredItem", ...] = ()
    """The items embedded in it."""


def stored_items(design: Design, plan: Plan, examples: Examples, table: Table) -> list[StoredItem]:
    """The example items in a table, shape by shape. An item whose key cannot be worked out is not
    there.
    """
    found: dict[tuple[Value, ...], StoredItem] = {}
    carried, counted = Carried(plan, examples), Counted(plan, MOST_SHARDS)
    for shape in table.items:
        entity = design.entity.get(shape.entity)
        if entity is None or shape.inside is not None:
            continue
        for number, item in enumerate(examples.get(shape.entity, ()), 1):
            whole = derived(entity, dict(carried.whole(shape.entity, item)))
            for known in map(dict, counted.held(shape, whole)):
                values = {n: known[n] for n in shape.attributes if known.get(n) is not None}
                for name, template in shape.set.items():
                    value = filled(template, known.get)
                    if value is not None:
                        values[name] = value
                inside = tuple(_embedded(design, plan, examples, shape, item))
                values |= _held(plan, shape, inside)
                if plan.type_attribute and (plan.style == "single" or len(table.items) > 1):
                    values.setdefault(plan.type_attribute, shape.shape)
                key = primary_key(table, values)
                if None not in key:
                    which = f"_{known[NUMBER]}" if NUMBER in known else ""
                    found[comparable(key)] = StoredItem(
                        f"{shape.shape}-{number}{which}", shape, values, known, inside
                    )
    return list(found.values())


def _embedded(
    design: Design, plan: Plan, examples: Examples, host: Shape, item: Mapping[str, Value]
) -> Iterator[StoredItem]:
    """The example items that lie inside an item, whole as they are read."""
    for shape in plan.embedded_in(host.shape):
        entity, place = design.entity.get(shape.entity), shape.inside
        if entity is None or place is None:
            continue
        for number, one in enumerate(examples.get(shape.entity, ()), 1):
            if all(one.get(own) == item.get(theirs) for own, theirs in place.same.items()):
                names = (*place.same, *shape.attributes)
                values = {name: one[name] for name in names if name in one}
                yield StoredItem(f"{shape.shape}-{number}", shape, values, derived(entity, one))


def _held(plan: Plan, host: Shape, inside: Iterable[StoredItem]) -> dict[str, Value]:
    """The attributes of an item in which others are embedded."""
    held: dict[str, Value] = {
        name: {}
        for name, shape in host.holds.items()
        if (place := plan.shape(shape).inside) is not None and place.at is not None
    }
    for item in inside:
        place = item.shape.inside
        assert place is not None
        element = {n: v for n, v in item.values.items() if n in item.shape.attributes}
        if place.at is None:
            held[place.attribute] = element
        else:
            held[place.attribute][filled(place.at, item.source.get)] = element
    return held


def filled(template: str, lookup: Lookup) -> Value:
    """The value of a template; missing where an example does not fit it (a number with too many digits)."""
    try:
        return render(template, lookup)
    except TemplateError:
        return None


def primary_key(table: Table, values: Mapping[str, Value]) -> tuple[Value, ...]:
    """The values of a table's key attributes, None for those that are missing."""
    sort = () if table.key.sort is None else (values.get(table.key.sort.name),)
    return (values.get(table.key.partition.name), *sort)


def index_key_names(table: Table, index: str | None) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The partition and sort attributes of a table (index None) or of one of its indexes."""
    if index is None:
        sort = () if table.key.sort is None else (table.key.sort.name,)
        return (table.key.partition.name,), sort
    found = next(candidate for candidate in table.indexes if candidate.name == index)
    return tuple(a.name for a in found.partition), tuple(a.name for a in found.sort)


def is_in(table: Table, index: str | None, item: StoredItem) -> bool:
    """Whether an item is in the index: it has all of its key attributes."""
    partition, sort = index_key_names(table, index)
    return all(item.values.get(name) is not None for name in (*partition, *sort))


def sort_value(value: Value) -> tuple[int, Any]:
    """What DynamoDB sorts by: numbers numerically, texts by UTF-8 bytes, bytes as they are."""
    if isinstance(value, (int, float, Decimal)) and not isinstance(value, bool):
        return 0, Decimal(str(value))
    if isinstance(value, str):
        return 1, value.encode()
    return 2, bytes(value) if isinstance(value, (bytes, bytearray)) else str(value).encode()


def comparable(key: tuple[Value, ...]) -> tuple[Value, ...]:
    """A key whose values compare as DynamoDB orders them; None where one is missing."""
    return tuple(None if value is None else sort_value(value) for value in key)
