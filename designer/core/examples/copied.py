"""Items with the copies that a plan lets them carry: attributes of the items that they refer to."""

from collections.abc import Iterable, Mapping
from typing import Any

from designer.core.answers import Item, Value, canonical
from designer.core.plan import Plan, Source


def sources(plan: Plan) -> dict[str, dict[str, Source]]:
    """For each entity that carries copies, where each comes from."""
    found: dict[str, dict[str, Source]] = {}
    for table in plan.tables:
        for shape in table.items:
            for name, stored in shape.attributes.items():
                if stored.from_ is not None:
                    found.setdefault(shape.entity, {})[name] = stored.from_
    return found


class Carried:
    """The copies of all items of a state, worked out from the items that they refer to."""

    def __init__(self, plan: Plan, state: Mapping[str, Iterable[Item]]) -> None:
        self.state = state
        self.sources = sources(plan)
        self._by: dict[tuple[str, tuple[str, ...]], dict[Any, Item]] = {}

    def whole(self, entity: str, item: Item) -> Item:
        """The item with its copies; those whose parent is not there, or lacks the attribute, are missing."""
        sources = self.sources.get(entity)
        if not sources:
            return item
        found = {name: self._value(source, item) for name, source in sources.items()}
        return {**item, **{name: value for name, value in found.items() if value is not None}}

    def _value(self, source: Source, item: Item) -> Value:
        parent = self._parent(source, item)
        if parent is None:
            return None
        further = self.sources.get(source.entity, {}).get(source.attribute)
        return parent.get(source.attribute) if further is None else self._value(further, parent)

    def _parent(self, source: Source, item: Item) -> Item | None:
        names = tuple(theirs for theirs, _ in source.per)
        if (source.entity, names) not in self._by:
            self._by[source.entity, names] = {
                tuple(canonical(other.get(name)) for name in names): other
                for other in self.state.get(source.entity, ())
            }
        wanted = [item.get(own) for _, own in source.per]
        if None in wanted:
            return None
        return self._by[source.entity, names].get(tuple(canonical(value) for value in wanted))
