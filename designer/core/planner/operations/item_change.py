"""The item that a write is of: what is known of it, how it is found, and read before it is written."""

from collections.abc import Mapping
from dataclasses import replace
from typing import ClassVar, Literal

from designer.core.capacity.units import read_units
from designer.core.messages import Message, text
from designer.core.plan import Expected, Expression, Member, Repeat, Step
from designer.core.planner.layout.placement import GuardPlacement, Placement
from designer.core.planner.model.chosen import EntityChoice
from designer.core.planner.model.entity_model import EntityModel
from designer.core.planner.model.reads_and_writes import EntityWrite, operand
from designer.core.planner.model.structures import Guarded
from designer.core.planner.model.values import put_to
from designer.core.planner.operations.context import Context
from designer.core.planner.operations.expected import rounded
from designer.core.planner.operations.key_conditions import key_of
from designer.core.planner.operations.largest_read import largest_part_steps
from designer.core.planner.operations.renamed import renamed
from designer.core.planner.pricing.guards import changed_guards, guard_bytes
from designer.core.planner.pricing.structures import keys_bytes
from designer.core.planner.pricing.write_costs import write_cost


class UnwritableError(Exception):
    """A change that one transaction cannot say, with the reason."""

    def __init__(self, reason: Message) -> None:
        super().__init__(text(reason))
        self.reason = reason


class ItemChange:
    """One change of one item: its places, what is known of it, and the steps that find and read it."""

    when_gone: ClassVar[Literal["stop", "go on"] | None] = None
    """What comes of a change that follows another item's where this one is gone; None: what its verb says."""

    def __init__(
        self,
        context: Context,
        entity_write: EntityWrite,
        several: bool,
        others: Mapping[int, "ItemChange"],
    ) -> None:
        self.context = context
        self.others = others
        self.entity_write = entity_write
        self.change = entity_write.change
        self.model: EntityModel = context.model(entity_write.entity)
        self.entity = self.model.entity
        self.choice: EntityChoice = context.choice.entities[entity_write.entity]
        self.layout = context.layout
        self.base: Placement = self.layout.bases[entity_write.entity]
        projections = self.layout.projections[entity_write.entity]
        self.indexes = [
            self.layout.others[entity_write.entity, s] for s in projections if s.is_index
        ]
        self.copies = [
            self.layout.others[entity_write.entity, s] for s in projections if s.kind == "copy"
        ]
        self.guards = {
            guarded: g
            for (name, guarded), g in self.layout.guards.items()
            if name == entity_write.entity
        }
        size = keys_bytes(self.model, self.choice.base, projections)
        self.cost = write_cost(
            self.model, self.choice.base, projections, entity_write, self.choice.guard, size
        )
        self.size = self.model.own_bytes + size
        self.suffix = f"{entity_write.at + 1}" if several else ""
        self.rows = (
            entity_write.change.each or entity_write.entity
            if entity_write.change.times is not None
            else None
        )
        self.repeat = Repeat(values=self.rows) if self.rows else None
        self.member_repeat = self.repeat if entity_write.pattern.is_transaction else None
        self.steps: list[Step] = []
        self.members: list[Member] = []
        self.now: dict[str, Expression] = {}
        """What is known of the item as it is."""
        self.new: dict[str, Expression] = {}
        """What the change makes of it; MISSING for what it removes."""
        self.before: dict[str, Expression] = {}
        self.after: dict[str, Expression] = {}
        """What is known of the item before and after; for the figures that its parent keeps."""

    @property
    def guards_changed(self) -> tuple[Guarded, ...]:
        """What the guards guard that the change may put, delete or exchange."""
        changed = changed_guards(self.model, self.entity_write, self.choice.guard)
        return tuple(guarded for guarded in self.guards if guarded in changed)

    def _find_item(self, may_be_missing: bool = False) -> None:
        """Learn the item's base key: given, or looked up through a guard."""
        identified = self.change.by or self.entity.identifier
        for name in (*identified, *self.change.given):
            self.now[name] = f"{{{name}}}"
        for condition in self.change.required:
            if condition.is_ is not None:
                self.now.setdefault(condition.attribute, operand(condition.is_))
        self._find_by_guard(may_be_missing)

    def _find_by_guard(self, may_be_missing: bool) -> None:
        if self.model.made_of(self.base.structure) <= set(self.now):
            return
        if self.cost.look_up is None:
            self._find_through_index(may_be_missing)
            return
        guard = self.guards[self.cost.look_up]
        size = guard_bytes(self.model, self.choice.base, guard.guarded) * self._times
        key = self.guard_key(guard, self.now)
        step = self._looked_up(guard, key, may_be_missing)
        if step is not None:
            self._know(step)
            return
        step = f"look{self.suffix}"
        self._know(step)
        self.steps.append(
            Step(
                id=step,
                call="GetItem",
                table=guard.table,
                for_each=self.repeat,
                key=key,
                consistent=True,
                shapes=(guard.shape,),
                when_missing="go on" if may_be_missing else "stop",
                expects=Expected(
                    requests=self._times,
                    read=self._times,
                    returned=self._times,
                    bytes=rounded(size),
                    units=rounded(self._times),
                ),
            )
        )

    def _looked_up(
        self, guard: GuardPlacement, key: dict[str, Expression], may_be_missing: bool
    ) -> str | None:
        """The step of another member that reads the same guard, so that both name the item by the same words."""
        for other in self.others.values():
            for step in other.steps:
                same = step.shapes == (guard.shape,) and step.key == key
                if same and step.for_each == self.repeat:
                    return step.id if may_be_missing or step.when_missing == "stop" else None
        return None

    def _know(self, step: str) -> None:
        """The item's key, from the guard that a step reads."""
        for name in (*self.entity.identifier, *sorted(self.model.made_of(self.base.structure))):
            self.now.setdefault(name, f"{{{step}.{name}}}")

    def _read_that_finds(self) -> int | None:
        """The pattern that asks an index for this change's item; None where it need not."""
        mine = self.entity_write.pattern.number, self.entity_write.at
        pattern_reads = enumerate(self.context.search.requirements.pattern_reads)
        asking = ((at, one) for at, one in pattern_reads if one.finds is not None)
        return next((at for at, one in asking if (one.number, one.change) == mine), None)

    def _find_through_index(self, may_be_missing: bool) -> None:
        """Read the attributes of the base key from an index. The write's condition tests that the item still exists."""
        at = self._read_that_finds()
        assert at is not None
        pattern_read = self.context.search.requirements.pattern_reads[at]
        needed = sorted(self.model.made_of(self.base.structure))
        wanted = tuple(dict.fromkeys((*self.entity.identifier, *needed)))
        entity_read = replace(pattern_read.entity_reads[0], wanted=wanted, needs=frozenset(wanted))
        asked = replace(pattern_read, entity_reads=(entity_read,))
        steps, _ = largest_part_steps(self.context, asked, self.choice.access[at, 0])
        name = f"look{self.suffix}"
        when_missing: Literal["stop", "go on"] = "go on" if may_be_missing else "stop"
        self.steps += [
            renamed(
                step.model_copy(update={"for_each": self.repeat, "when_missing": when_missing}),
                "s1",
                name,
            )
            for step in steps
        ]
        for each in wanted:
            self.now.setdefault(each, f"{{{name}.{each}}}")

    def _read_item(
        self, known: dict[str, Expression], when_missing: Literal["stop", "go on"]
    ) -> None:
        self.steps.append(
            Step(
                id=self._old,
                call="GetItem",
                table=self.base.table,
                for_each=self.repeat,
                key=self._key(self.base, known),
                consistent=True,
                shapes=(self.entity.name,),
                when_missing=self.when_gone or when_missing,
                expects=Expected(
                    requests=self._times,
                    read=self._times,
                    returned=self._times,
                    bytes=rounded(self.size * self._times),
                    units=rounded(float(read_units(self.size, "strong")) * self._times),
                ),
            )
        )

    @property
    def _old(self) -> str:
        return f"old{self.suffix}"

    @property
    def _times(self) -> float:
        return self.entity_write.times if self.rows else 1.0

    def _key(self, placement: Placement, known: dict[str, Expression]) -> dict[str, Expression]:
        return key_of(self.context, placement, known)

    def guard_key(
        self, guard: GuardPlacement, known: dict[str, Expression]
    ) -> dict[str, Expression]:
        return {name: put_to(template, known) for name, template in guard.key.items()}
