"""What a stream's consumer does to keep figures over children: update the parent that a child came to, left, or has."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Literal

from designer.core.design.kept import Figure
from designer.core.plan import Constant, Expression, Happening, ItemCondition, Parameter, Upkeep
from designer.core.planner.model.entity_model import EntityModel
from designer.core.planner.model.keeping import Side
from designer.core.planner.model.reads_and_writes import EntityWrite
from designer.core.planner.model.score import exact
from designer.core.planner.operations.context import Context
from designer.core.planner.operations.key_conditions import parameter
from designer.core.planner.operations.steps import Changing
from designer.core.planner.operations.writes import write_step

NEW, OLD = "new_", "old_"
"""Begin the names of the parameters: what the item has, and what it had."""


def figures_kept(context: Context) -> Iterator[Upkeep]:
    """What follows the changes of children, parent by parent."""
    together: dict[object, list[EntityWrite]] = {}
    for write in context.search.requirements.writes:
        if write.by_stream:
            key = tuple((keeping.figure, keeping.side) for keeping in write.keeps)
            together.setdefault(key, []).append(write)
    for causes in together.values():
        yield _upkeep(context, causes)


def _upkeep(context: Context, causes: list[EntityWrite]) -> Upkeep:
    """What follows one kind of change, whichever patterns make it."""
    once = replace(causes[0], times=1.0)
    counting = _Counting(context, once)
    written = counting.write()
    assert written.impossible is None, written.impossible
    together = len(written.members) > 1
    call: Literal["TransactWriteItems", "UpdateItem"]
    call = "TransactWriteItems" if together else "UpdateItem"
    last = write_step(context, [once], [written], call, written.members, None, 1.0)
    steps = (*written.steps, last)
    figures = counting.figures
    child = context.model(figures[0].child)
    event = _event(figures, counting.side, child.entity.identifier)
    return Upkeep(
        after=event.after,
        table=context.layout.bases[child.name].table,
        entity=child.name,
        on=event.on,
        attributes={f"{NEW}{name}": name for name in event.new},
        before={f"{OLD}{name}": name for name in event.old},
        watch=event.watch,
        unless=event.unless,
        figures=tuple(f"{figure.entity}.{figure.name}" for figure in figures),
        patterns=tuple(sorted({cause.pattern.number for cause in causes})),
        parameters=tuple(_parameters(child, event)),
        steps=steps,
        per_second=_in_all(causes, peak=False),
        peak_per_second=_in_all(causes, peak=True),
        requests=round(sum(step.expects.requests for step in steps), 3),
        read_units=round(sum(step.expects.units for step in written.steps), 3),
        write_units=round(last.expects.units + sum(last.expects.index_units.values()), 3),
    )


@dataclass(frozen=True)
class _Event:
    """When some figures follow a change of the child, and what of the child they ask for."""

    after: str
    on: tuple[Happening, ...]
    watch: tuple[str, ...]
    new: tuple[str, ...] = ()
    """Attributes as they are now."""
    old: tuple[str, ...] = ()
    """Attributes as they were."""
    unless: tuple[str, ...] = ()


def _event(figures: tuple[Figure, ...], side: Side, identifier: tuple[str, ...]) -> _Event:
    """`identifier`: of the child. No change gives an item another one."""
    child, references = figures[0].child, tuple(own for _, own in figures[0].per)
    over = tuple(dict.fromkeys(figure.target for figure in figures if figure.target))
    names = tuple(dict.fromkeys((*references, *over)))
    if side == "same":
        after = f"change of {child}.{over[0]}"
        return _Event(after, ("change",), over, new=names, old=over, unless=references)
    watched = references if figures[0].is_added else names
    # Those that change; without any, those that come or go with the item.
    watch = tuple(name for name in watched if name not in identifier)
    changes = f", or a change of its {' or '.join(watch)}" if watch else ""
    on: tuple[Happening, ...] = ("change",) if watch else ()
    if side == "old":
        after = f"removal of {child}{changes}"
        return _Event(after, (*on, "removal"), watch or watched, old=names)
    return _Event(f"new {child}{changes}", ("creation", *on), watch or watched, new=names)


def _parameters(child: EntityModel, event: _Event) -> Iterator[Parameter]:
    for prefix, names in ((NEW, event.new), (OLD, event.old)):
        for name in names:
            is_optional = child.attribute(name).present < 1
            yield parameter(child, name, f"{prefix}{name}", is_optional)


def _in_all(causes: list[EntityWrite], peak: bool) -> float | None:
    """Changes a second that all causes make; None where none has a rate."""
    rates = [(cause.peak if peak else cause.average, cause.times) for cause in causes]
    known = [exact(rate) * exact(times) for rate, times in rates if rate is not None]
    return float(sum(known)) if known else None


class _Counting(Changing):
    """The update of the parent that a child came to, left, or has."""

    when_gone = "stop"

    def __init__(self, context: Context, entity_write: EntityWrite) -> None:
        super().__init__(context, entity_write, False, {})
        self.figures = tuple(keeping.figure for keeping in entity_write.keeps)
        self.side = entity_write.keeps[0].side

    def _find_item(self, may_be_missing: bool = False) -> None:
        prefix = OLD if self.side == "old" else NEW
        self.now = {theirs: f"{{{prefix}{own}}}" for theirs, own in self.figures[0].per}
        for figure in self.figures:
            if not figure.is_added:
                self.new[figure.name] = f"{{{NEW}{figure.target}}}"
        self._find_by_guard(may_be_missing)

    def _figures(self, now: dict[str, Expression]) -> dict[str, Any]:
        added = {figure.name: self._adds(figure) for figure in self.figures if figure.is_added}
        return {"add": added}

    def _adds(self, figure: Figure) -> Expression | tuple[Expression, ...]:
        """What the child adds to a figure, or takes away."""
        if not figure.target:
            return Constant(value=-1 if self.side == "old" else 1)
        more, less = f"{{{NEW}{figure.target}}}", f"-{{{OLD}{figure.target}}}"
        return (more, less) if self.side == "same" else less if self.side == "old" else more

    def _conditions(self) -> list[ItemCondition]:
        """The greatest and the least never go back."""
        return [
            ItemCondition(attribute=figure.name, below_or_missing=self.new[figure.name])
            if figure.form == "greatest"
            else ItemCondition(attribute=figure.name, above_or_missing=self.new[figure.name])
            for figure in self.figures
            if not figure.is_added
        ]
