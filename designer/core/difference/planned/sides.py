"""The two plans that are compared, and what is the same in both."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property

from designer.core.design.document import Design
from designer.core.difference.matching import Names, names
from designer.core.heat.keys import PlanHeat, plan_heat
from designer.core.plan import Plan, Shape, Table


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
    after: Side

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
                key = (entity, shape.role, *of)
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
