"""What others say of how hot the values in a plan's keys run: what a parameter also fills, or rows read before."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from designer.core.design.document import Design
from designer.core.design.entities import Entity
from designer.core.heat.writes import changes_of
from designer.core.patterns.base import Pattern, Write
from designer.core.plan import Expression, Member, Plan, Shape, Step, Upkeep
from designer.core.plan.keys import Part, parse
from designer.core.planner.model.busier import (
    among_rows,
    busier_of_change,
    busiest_of_parameters,
    of_items,
    said_of_busiest,
)
from designer.core.planner.model.falling import identifying_times
from designer.core.planner.model.shares import Busier


@dataclass(frozen=True)
class Told:
    """The steps of one operation, or of one upkeep, with what says how hot the values in them run."""

    design: Design
    plan: Plan
    steps: tuple[Step, ...]
    pattern: Pattern | None
    parameters: Mapping[str, float]
    """For each parameter, the share on its busiest value."""

    def of_read(self, step: Step, shape: Shape) -> Busier:
        """The attributes of a shape that a step asks for, which others say to be busier."""
        if step.call == "Query":
            asked = {one.attribute: one.equals for one in step.where if one.equals is not None}
        else:
            asked = dict(step.key)
        found: dict[str, float] = {}
        entity = self.design.entity.get(shape.entity)
        for name, value in _given(shape, asked):
            share, rows = self._share(value)
            if rows is not None and step.call == "Query":
                continue  # children of each row, which is one once
            if rows is not None and entity is not None:
                share = among_rows(entity, name, share, rows, step.expects.read)
            found[name] = share
        return self._busier(shape, found)

    def of_write(self, member: Member, shape: Shape) -> Busier:
        """The attributes of an item that a member writes, which others say to be busier."""
        found: dict[str, float] = {}
        for change in changes_of(self.pattern, member, shape):
            assert isinstance(self.pattern, Write)
            for name, share in busier_of_change(self.design, self.pattern, change):
                found[name] = max(share, found.get(name, 0.0))
        entity = self.design.entity.get(shape.entity)
        if not found and entity is not None:
            times = self._rows_of(member)
            for name, value in _given(shape, member.key):
                found[name] = of_items(entity, name, self._share(value)[0], times)
        if entity is not None and self._keeps_figures(entity, member):
            given = {name for name, _ in _given(shape, member.key)}
            found.update(dict.fromkeys(given & identifying_times(entity), 1.0))
        return self._busier(shape, found)

    def _keeps_figures(self, entity: Entity, member: Member) -> bool:
        """Whether a member keeps figures of its item's children, where no pattern says how hot that item is."""
        if member.verb != "update" or (
            self.pattern is not None and self.pattern.hottest is not None
        ):
            return False
        figures = {one.name for one in entity.attributes if one.aggregate is not None}
        return not figures.isdisjoint((*member.set, *member.add, *member.greatest, *member.least))

    def _rows_of(self, member: Member) -> float:
        """For how many rows that a caller gives a member of a transaction is repeated."""
        rows = member.for_each.values if member.for_each is not None else None
        changes = self.pattern.changes if isinstance(self.pattern, Write) else ()
        each = (
            one.times.average for one in changes if one.times and rows == (one.each or one.entity)
        )
        return next(each, 1.0)

    def _share(self, value: str) -> tuple[float, float | None]:
        """The share on the busiest value of what an expression names, and of how many rows it is that of each."""
        id, _, name = value.rpartition(".")
        if not id:
            return self.parameters.get(value, 0.0), None
        step = next((one for one in self.steps if one.id == id), None)
        if step is None or not step.shapes:
            return 0.0, None
        entity = self.design.entity.get(self.plan.shape(step.shapes[0]).entity)
        said = said_of_busiest(entity, name) if entity is not None else 0.0
        return said, step.expects.returned

    def _busier(self, shape: Shape, found: Mapping[str, float]) -> Busier:
        entity = self.design.entity.get(shape.entity)
        if entity is None:
            return ()
        return tuple(
            (name, share) for name, share in found.items() if share > said_of_busiest(entity, name)
        )


def told_by_pattern(design: Design, plan: Plan, pattern: Pattern, steps: tuple[Step, ...]) -> Told:
    """Of the steps of an operation."""
    return Told(design, plan, steps, pattern, busiest_of_parameters(design, pattern))


def told_by_upkeep(design: Design, plan: Plan, upkeep: Upkeep) -> Told:
    """Of what follows a change: its parameters are of the item that changed."""
    entity = design.entity.get(plan.shape(upkeep.entity).entity)
    shares: dict[str, float] = {}
    if entity is not None:
        for parameter, name in (*upkeep.attributes.items(), *upkeep.before.items()):
            shares[parameter] = said_of_busiest(entity, name)
    return Told(design, plan, upkeep.steps, None, shares)


def _given(shape: Shape, key: Mapping[str, Expression]) -> Iterator[tuple[str, str]]:
    """The attributes in a key that a step names, each with what gives it its value."""
    for name, value in key.items():
        if not isinstance(value, str):
            continue
        written, asked = _names(shape.set.get(name, f"{{{name}}}")), _names(value)
        if len(written) == len(asked):
            yield from zip(written, asked, strict=True)


def _names(template: str) -> list[str]:
    parts: tuple[Part, ...] = parse(template)
    return [part.name for part in parts if not isinstance(part, str)]
