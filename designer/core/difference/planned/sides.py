"""The two plans that are compared, and what is the same in both."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from designer.core.design.document import Design
from designer.core.design.matching import Names, names
from designer.core.difference.planned.settled import compared
from designer.core.heat.keys import PlanHeat, plan_heat
from designer.core.migration import Change, Deployed, ShapeChange, TableChange, settle
from designer.core.plan import Index, Plan, Shape, Table


@dataclass(frozen=True)
class Side:
    """A design and its plan in one style."""

    design: Design
    plan: Plan

    @cached_property
    def heat(self) -> PlanHeat:
        return plan_heat(self.design, self.plan)

    @cached_property
    def tables(self) -> dict[str, Table]:
        return {table.name: table for table in self.plan.tables}


@dataclass(frozen=True)
class Placed:
    """A kind of item with the table it lies in."""

    table: Table
    shape: Shape

    @property
    def label(self) -> str:
        return self.shape.shape


@dataclass(frozen=True)
class Sides:
    """What was and what is."""

    before: Side
    planned: Side
    """The later one with the names that its own plan gives."""

    @cached_property
    def after(self) -> Side:
        """What is, under the names of what is there already: what stays is known by them."""
        return Side(self.planned.design, self._settled[0])

    @cached_property
    def change(self) -> Change:
        """What a migration makes of it."""
        before, planned = (Deployed(each.design, each.plan) for each in (self.before, self.planned))
        return settle(before, planned)

    @cached_property
    def _settled(self) -> tuple[Plan, Mapping[str, TableChange]]:
        return compared(self.change)

    def becomes(self, table: Table) -> TableChange:
        """What a migration makes of a table that is."""
        return self._settled[1][table.name]

    def indexes(self, table: Table) -> Iterator[tuple[Index, Index, Index]]:
        """The indexes of a table that is: as they are compared, as the plan has them, as a migration makes them."""
        one = self.becomes(table)
        planned = self.change.planned.table(one.planned).indexes
        # Local ones that stay as nothing can remove them come last, and the plan has none beside them.
        return zip(table.indexes, planned, one.table.indexes, strict=False)

    def shape(self, placed: "Placed") -> ShapeChange | None:
        """What a migration makes of a kind of item that is; None for what lies in other items."""
        shapes = self.becomes(placed.table).shapes
        return next((one for one in shapes if one.shape.shape == placed.shape.shape), None)

    @cached_property
    def names(self) -> Names:
        """How the design that is calls what the one that was has."""
        return names(self.before.design, self.after.design)

    @cached_property
    def items(self) -> tuple[tuple[Placed | None, Placed | None], ...]:
        """The kinds of items in both plans, the same beside each other; those that are gone come first."""
        old, new = self._known(self.before, self.names), self._known(self.after, Names())
        gone = [(placed, None) for key, placed in old.items() if key not in new]
        return (*gone, *((old.get(key), placed) for key, placed in new.items()))

    def _known(self, side: Side, called: Names) -> dict[tuple[object, ...], Placed]:
        """By what they are for, in the words of the design that is."""
        found: dict[tuple[object, ...], Placed] = {}
        for table in side.plan.tables:
            for shape in table.items:
                entity = called.entity(shape.entity)
                of = tuple(
                    called.attribute(shape.entity, each) for each in (*shape.guards, *shape.counts)
                )
                key = (entity, shape.role, *(of or (shape.shape.removeprefix(shape.entity),)))
                while key in found:
                    key = (*key, "another")
                found[key] = Placed(table, shape)
        return found

    def said_now(self, text: str) -> str:
        """A text about the plan that was, with the names that are."""
        return in_words(text, lambda name: self._renamed.get(name, name))

    @cached_property
    def _renamed(self) -> Mapping[str, str]:
        called = self.names
        attributes = {old: new for (_, old), new in called.attributes.items()}
        return {**called.entities, **called.relationships, **attributes}


_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")


def in_words(text: str, called: Callable[[str], str]) -> str:
    """A text with every name in it as it is called elsewhere, all at once: names may have been swapped."""
    return _NAME.sub(lambda found: called(found[0]), text)
