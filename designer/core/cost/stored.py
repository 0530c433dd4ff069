"""Bytes that lie in each table and index, on average: by the plan's item shapes and the design's attributes.

Every item, and every entry of an index, is billed with 100 bytes besides
(https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html).
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from designer.core.capacity.referred import with_referred_size
from designer.core.capacity.sizes import attribute_value_bytes, text_bytes
from designer.core.design.attributes import Attribute
from designer.core.design.document import Design
from designer.core.dynamodb.limits import ITEM_OVERHEAD_BYTES
from designer.core.plan import Constant, Index, Plan, Shape, StoredAttribute, Table, keys
from designer.core.planner.model.shares import share_asked


@dataclass(frozen=True)
class Stored:
    """The items of one shape, as they lie in a table or are entries of one of its indexes."""

    table: str
    index: str | None
    shape: str
    entity: str
    items: float
    item_bytes: float
    """Of one, on average, without what is billed besides."""

    @property
    def bytes(self) -> float:
        """Billed bytes of all."""
        return self.items * (self.item_bytes + ITEM_OVERHEAD_BYTES)


def stored(design: Design, plan: Plan) -> tuple[Stored, ...]:
    """What lies in every table and every index. Embedded items are part of those that they lie in."""
    return tuple(
        found
        for table in plan.tables
        for shape in table.items
        if shape.inside is None
        for found in _of_shape(design, plan, table, shape)
    )


def _of_shape(design: Design, plan: Plan, table: Table, shape: Shape) -> Iterator[Stored]:
    item = _Item(design, plan, shape)
    yield Stored(table.name, None, shape.shape, shape.entity, shape.items, item.bytes)
    own = {part.name for part in (table.key.partition, table.key.sort) if part is not None}
    for index in table.indexes:
        part = [each.name for each in (*index.partition, *index.sort)]
        if all(item.has(name) for name in part):
            entry = item.entry(index, part, own)
            items = shape.items * item.share(item.values(part))
            yield Stored(table.name, index.name, shape.shape, shape.entity, items, entry)


_ROUNDED = 0.051

Values = Mapping[str, tuple[str, ...] | None]
"""Attributes that are there, each with the only values that it has, or None where it can have any."""


@dataclass(frozen=True)
class _Item:
    """The average item of a shape."""

    design: Design
    plan: Plan
    shape: Shape

    @cached_property
    def bytes(self) -> float:
        """Bytes of the item: what the plan says, to a tenth of a byte, with what its rounding leaves out."""
        exact = sum(self._bytes(name, {}) for name in self._all())
        return exact if abs(exact - self.shape.bytes) <= _ROUNDED else self.shape.bytes

    def has(self, name: str) -> bool:
        return name in self.shape.set or name in self.shape.attributes

    def values(self, names: list[str]) -> Values:
        """What the item's own attributes are where it has all of some stored ones."""
        found: dict[str, tuple[str, ...] | None] = {}
        for name in names:
            template = self.shape.set.get(name)
            if template is None:
                found.setdefault(name, None)
                continue
            for part in keys.parse(template):
                if isinstance(part, str):
                    continue
                limited = isinstance(part, keys.Form) and part.form in ("only", "when")
                only = part.texts if limited and isinstance(part, keys.Form) else ()
                found[part.name] = only or found.get(part.name)
        return found

    def share(self, there: Values) -> float:
        """The share of the items of which that holds."""
        share = 1.0
        for name, only in there.items():
            share *= self._present(name) if only is None else self._having(name, only)
        return share

    def entry(self, index: Index, part: list[str], own: set[str]) -> float:
        """Bytes of one entry of an index: its keys, the table's, and what it projects."""
        there = self.values(part)
        if index.projection.type == "ALL":
            before = sum(self._bytes(name, {}) for name in self._all())
            return self.bytes - before + sum(self._bytes(name, there) for name in self._all())
        names = {*part, *own, *index.projection.attributes}
        return sum(self._bytes(name, there) for name in self._all() if name in names)

    def _all(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys((*self.shape.attributes, *self.shape.set)))

    def _bytes(self, name: str, there: Values) -> float:
        """Bytes that a stored attribute adds to the average item of which something holds."""
        template = self.shape.set.get(name)
        if template is None:
            share = 1.0 if name in there else self._present(name)
            return share * (len(name.encode()) + self._value_bytes(name))
        needed = {of: only for of, only in self.values([name]).items() if of not in there}
        limits = {**there, **self.values([name])}
        text = sum(
            len(each.encode()) if isinstance(each, str) else self._text_bytes(each, limits)
            for each in keys.parse(template)
        )
        if keys.lone(template) is not None:
            text = self._value_bytes(template[1:-1])
        return self.share(needed) * (len(name.encode()) + text)

    def _attribute(self, name: str) -> Attribute | None:
        """The attribute of the design that a name is, followed to where a copy comes from."""
        entity, stored_ = self.shape.entity, self.shape.attributes.get(name)
        while stored_ is not None and stored_.from_ is not None:
            entity, name = stored_.from_.entity, stored_.from_.attribute
            stored_ = self._stored(entity, name)
        of = self.design.entity[entity]
        found = of.by_name.get(name)
        return None if found is None else with_referred_size(self.design, of, found)

    def _stored(self, entity: str, name: str) -> StoredAttribute | None:
        for table in self.plan.tables:
            for shape in table.items:
                if shape.shape == entity:
                    return shape.attributes.get(name)
        return None

    def _present(self, name: str) -> float:
        attribute = self._attribute(name)
        return 1.0 if attribute is None else attribute.present

    def _having(self, name: str, only: tuple[str, ...]) -> float:
        attribute = self._attribute(name)
        if attribute is None:
            return 1.0
        entity = self.design.entity[self.shape.entity]
        return sum(
            share_asked(self.design, entity, attribute, Constant(value=value)) for value in only
        )

    def _value_bytes(self, name: str) -> float:
        if name in self.shape.holds:
            return self._held_bytes(name)
        attribute = self._attribute(name)
        if attribute is None:
            return 0.0
        return attribute_value_bytes(attribute)

    def _held_bytes(self, name: str) -> float:
        inner = self.plan.shape(self.shape.holds[name])
        each = inner.items / self.shape.items if self.shape.items else 0.0
        return 3 + each * inner.bytes

    def _text_bytes(self, part: keys.Reference | keys.Form, there: Values) -> float:
        attribute = self._attribute(part.name)
        if isinstance(part, keys.Form):
            if part.form == "when":
                return 0.0
            if part.form == "absent":
                return sum(len(text) for text in part.texts)
            if part.form in keys.PERIODS:
                return keys.PERIODS[part.form]
            if part.form == "shard":
                return len(str(part.numbers[0] - 1))
            if part.form == "inverse" and part.texts:
                return len(str(len(part.texts) - 1))
            if part.form == "pad" or part.numbers:
                digits, scale = part.numbers
                return digits + bool(scale)
        if attribute is None:
            return len("0")
        return text_bytes(attribute, there.get(part.name))
