"""What a stream consumer does to keep copies right: ask for the children of what changed, and update each."""

from collections.abc import Iterable

from designer.core.plan import Expression, ItemCondition, Parameter, Repeat, Step, Upkeep
from designer.core.planner.layout.placement import Placement
from designer.core.planner.model.copies import Copied
from designer.core.planner.model.reads_and_writes import EntityWrite
from designer.core.planner.model.structures import Guarded
from designer.core.planner.operations.context import Context
from designer.core.planner.operations.key_conditions import key_of, parameter
from designer.core.planner.operations.read_steps import part_steps
from designer.core.planner.operations.steps import Changing
from designer.core.planner.operations.writes import write_step
from designer.core.planner.operations.written import Written
from designer.core.planner.workload.maintenance import patterns_causing
from designer.core.words.english import joined


def upkeep_of(context: Context, copied: Copied) -> Upkeep | None:
    """What follows a change of a parent; None where nothing changes what its children carry."""
    needed = context.search.requirements
    write = next((write for write in needed.writes if write.upkeep == copied), None)
    if write is None:
        return None
    at, pattern_read = next(
        (at, pattern_read)
        for at, pattern_read in enumerate(needed.pattern_reads)
        if pattern_read.copied == copied and pattern_read.change is None
    )
    access = context.choice.entities[copied.entity].access[at, 0]
    steps, _ = part_steps(context, pattern_read, 0, access, 1)
    # Whatever else a row holds, it has its key.
    steps[-1] = steps[-1].model_copy(update={"project": None})
    from_copies = access.structure is not None and access.structure.kind == "copy"
    written = _Following(context, write, steps[-1], from_copies).write()
    steps += [*written.steps, _write_step(context, write, written, steps[-1].id)]
    units = steps[-1].expects
    return Upkeep(
        after=f"change of {joined(tuple(f'{copied.parent}.{name}' for name in copied.watched), 'or')}",
        table=context.layout.bases[copied.parent].table,
        entity=copied.parent,
        attributes=dict(copied.attributes),
        parameters=_parameters(context, copied),
        steps=tuple(steps),
        patterns=patterns_causing(needed.writes, copied),
        per_second=write.average,
        peak_per_second=write.peak,
        requests=round(sum(step.expects.requests for step in steps), 3),
        read_units=round(sum(step.expects.units for step in steps[:-1]), 3),
        write_units=round(units.units + sum(units.index_units.values()), 3),
    )


def _write_step(context: Context, write: EntityWrite, written: Written, children: str) -> Step:
    together = len(written.members) > 1
    return write_step(
        context,
        [write],
        [written],
        "TransactWriteItems" if together else "UpdateItem",
        written.members,
        Repeat(rows=children),
        write.times,
    )


def _parameters(context: Context, copied: Copied) -> tuple[Parameter, ...]:
    parent = context.model(copied.parent)
    return (
        *(parameter(parent, theirs, theirs) for theirs, _ in copied.per),
        *(parameter(parent, name, copy, optional=True) for copy, name in copied.attributes),
    )


class _Following(Changing):
    """The update of each child that a step has found."""

    when_gone = "go on"

    def __init__(
        self, context: Context, entity_write: EntityWrite, children: Step, from_copies: bool
    ) -> None:
        super().__init__(context, entity_write, False, {})
        self.from_copies = from_copies
        """The rows are copies of the items, whose keys are others than the items' own."""
        self.children = children.id
        self.repeat = Repeat(rows=children.id)

    @property
    def _times(self) -> float:
        return self.entity_write.times

    def _find_item(self, may_be_missing: bool = False) -> None:
        self.now = {name: f"{{{self.children}.{name}}}" for name in sorted(self.entity_write.known)}

    def _key(self, placement: Placement, known: dict[str, Expression]) -> dict[str, Expression]:
        if placement is not self.base or self.from_copies:
            return key_of(self.context, placement, known)
        return {part.name: f"{{{self.children}.{part.name}}}" for part in placement.parts}

    def _given_still_holds(self, unique: Iterable[Guarded]) -> list[ItemCondition]:
        """A child that has gone to another parent since is left as it is."""
        assert self.entity_write.upkeep is not None
        return [
            ItemCondition(attribute=own, is_=f"{{{theirs}}}")
            for theirs, own in self.entity_write.upkeep.per
        ]
