"""Operations that write: every write names its item, rewrites the keys it touches, and keeps guards and copies right.

Rules 12 to 15: what a write is not given it reads first, strongly, and the write is then conditional on what was read.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Any, Literal

from designer.core import keys
from designer.core.design.kept import Figure
from designer.core.limits import BATCH_WRITE_ITEMS, TRANSACTION_ITEMS
from designer.core.patterns import Delete, Transaction
from designer.core.patterns.base import Amount, Write
from designer.core.plan import (
    Call,
    Constant,
    Expected,
    Expression,
    ItemCondition,
    Member,
    Operation,
    Parameter,
    Repeat,
    Step,
    Sum,
)
from designer.core.planner.chosen import EntityChoice
from designer.core.planner.guards import guard_bytes, guard_names
from designer.core.planner.keeping import Keeping
from designer.core.planner.layout import GuardPlacement, KeyPart, Placement, stored_template
from designer.core.planner.pricing import WriteCost, keys_bytes, unknown_parts, write_cost
from designer.core.planner.reads import (
    Context,
    Stated,
    _rounded,
    item_condition,
    key_of,
    parameter,
    part_steps,
    renamed,
)
from designer.core.planner.requirements import MISSING, Copied, WriteDemand, operand
from designer.core.planner.structures import EntityModel
from designer.core.planner.upkeep import UNKNOWN, references_of, step_of_parent, told
from designer.core.planner.wording import spoken
from designer.core.units import read_units


@dataclass
class Written:
    """What one change of a pattern becomes."""

    steps: list[Step] = field(default_factory=list)
    members: list[Member] = field(default_factory=list)
    cost: WriteCost | None = None
    impossible: str = ""


def write_operation(context: Context, pattern: Write) -> Operation:
    """The operation of one write pattern."""
    demands = [
        write
        for write in context.search.requirements.writes
        if write.pattern.number == pattern.number and not write.is_upkeep
    ]
    parameters = write_parameters(context, demands)
    written = _written(context, demands)
    for one in written:
        if one.impossible:
            return Operation(
                pattern=pattern.number,
                answer="not served",
                because=one.impossible,
                parameters=parameters,
            )
    if isinstance(pattern, Transaction):
        most = sum(
            (demand.change.times.most if demand.change.times else 1) * len(one.members)
            for demand, one in zip(demands, written, strict=True)
        )
        twice = _named_twice(demands)
        if twice:
            return Operation(
                pattern=pattern.number,
                answer="not served",
                parameters=parameters,
                because=f"Two of its members may write one item of {twice}, and a transaction takes each item once: "
                "say all that happens to it in one member.",
            )
        if most > TRANSACTION_ITEMS:
            return Operation(
                pattern=pattern.number,
                answer="not served",
                parameters=parameters,
                because=f"It can write {most} items, and a transaction takes {TRANSACTION_ITEMS}: lower `most`, or "
                "write the items in several transactions that can each be repeated.",
            )
    return _assembled(context, pattern, demands, written, parameters)


def _written(context: Context, demands: list[WriteDemand]) -> list[Written]:
    """What each change becomes; those that keep figures of others come after these."""
    changing: dict[int, Changing] = {}
    written: dict[int, Written] = {}
    for demand in sorted(demands, key=lambda one: (bool(one.keeps), one.at)):
        kind = Changing if demand.follows is None else KeepingFigures
        changing[demand.at] = kind(context, demand, len(demands) > 1, changing)
        written[demand.at] = changing[demand.at].write()
    return [written[demand.at] for demand in demands]


def _named_twice(demands: list[WriteDemand]) -> str:
    """The entity of which two members may write one item; a check joins the other, and so does what keeps figures."""
    for one, other in combinations(demands, 2):
        if one.entity != other.entity or "check" in (one.verb, other.verb):
            continue
        if one.change.times or other.change.times:
            continue
        follower = other if one.follows is None else one
        whole = {"create", "upsert"} & {one.verb, other.verb}
        if follower.follows is None:
            return one.entity
        if whole and follower.keeps[0].of not in (one.at, other.at):
            return one.entity  # a parent that is new has its figures from those who name it
    return ""


def _assembled(
    context: Context,
    pattern: Write,
    demands: list[WriteDemand],
    written: list[Written],
    parameters: tuple[Parameter, ...],
) -> Operation:
    steps = [step for one in written for step in one.steps]
    members = _merged([member for one in written for member in one.members])
    demand = demands[0]
    by_rows = demand.change.times is not None and not isinstance(pattern, Transaction)
    deletes_collection = isinstance(pattern, Delete) and bool(pattern.where)
    calls: dict[str, Call] = {"put": "PutItem", "update": "UpdateItem", "delete": "DeleteItem"}
    call: Call
    if deletes_collection and len(members) == 1:
        call = "BatchWriteItem"
    elif isinstance(pattern, Transaction) or len(members) > 1:
        call = "TransactWriteItems"
    else:
        call = calls[members[0].verb]
    repeat = Repeat(values=demand.change.each or demand.entity) if by_rows else None
    if deletes_collection and len(members) > 1:
        # Each item goes with its guards and copies, on condition that they still are its own.
        repeat = Repeat(rows=steps[-1].id)
    times = demand.times if by_rows or deletes_collection else 1.0
    requests = -(-times // BATCH_WRITE_ITEMS) if call == "BatchWriteItem" else times
    step = write_step(context, demands, written, call, members, repeat, requests)
    steps.append(step)
    reads = sum(step.expects.units for step in steps[:-1])
    total = sum(step.expects.requests for step in steps)
    return Operation(
        pattern=pattern.number,
        answer="in one request" if total <= 1 else "in several requests",
        parameters=parameters,
        steps=tuple(steps),
        requests=_rounded(total),
        read_units=_rounded(reads),
        write_units=_rounded(step.expects.units + sum(step.expects.index_units.values())),
    )


def write_step(
    context: Context,
    demands: list[WriteDemand],
    written: list[Written],
    call: Call,
    members: list[Member],
    repeat: Repeat | None,
    requests: float,
) -> Step:
    """The step that writes all members, with what it costs on tables and indexes."""
    index_units: dict[str, float] = {}
    for one, own in zip(written, demands, strict=True):
        for structure, units in one.cost.indexes if one.cost else ():
            place = context.layout.others[own.entity, structure]
            name = f"{place.table}/{place.index}"
            index_units[name] = _rounded(index_units.get(name, 0.0) + float(units))
    return Step(
        id="w",
        call=call,
        table=members[0].table,
        for_each=repeat,
        members=tuple(_joining(members, call)),
        expects=Expected(
            requests=_rounded(requests),
            returned=0,
            units=_rounded(sum(float(one.cost.table) for one in written if one.cost is not None)),
            index_units=index_units,
        ),
    )


def _merged(members: list[Member]) -> list[Member]:
    """No item twice in a transaction: a check of an item that is also written becomes its condition."""
    kept: list[Member] = []
    for member in members:
        twin = next(
            (
                at
                for at, other in enumerate(kept)
                if other.table == member.table
                and other.for_each == member.for_each
                and _address(other) == _address(member)
                and "check" in (other.verb, member.verb)
            ),
            None,
        )
        if twin is None:
            kept.append(member)
            continue
        check, write = (kept[twin], member) if kept[twin].verb == "check" else (member, kept[twin])
        tests = tuple(dict.fromkeys((*write.if_, *check.if_)))
        kept[twin] = write.model_copy(update={"if_": tests})
    return kept


def _joining(members: list[Member], call: Call) -> Iterator[Member]:
    """The members, of which those that can join others do where they may be about one item, which names do not tell."""
    for at, member in enumerate(members):
        others = (*members[:at], *members[at + 1 :])
        may_be_one = member.for_each is not None or any(_may_be_one(member, o) for o in others)
        joins = member.joins and call == "TransactWriteItems" and may_be_one
        yield member if joins == member.joins else member.model_copy(update={"joins": joins})


def _may_be_one(member: Member, other: Member) -> bool:
    """Whether two members may be about one item: items of different shapes never are."""
    # A child that goes to another parent: where the two are one, both members are left out.
    is_move = member.unless_same is not None and member.unless_same == other.unless_same
    return member.table == other.table and member.shape == other.shape and not is_move


def _address(member: Member) -> object:
    if member.verb != "put":
        return tuple(sorted(member.key.items(), key=lambda item: item[0]))
    return tuple(
        sorted(
            (test.attribute, member.values.get(test.attribute))
            for test in member.if_
            if test.exists is False
        )
    )


# Parameters


def write_parameters(context: Stated, demands: list[WriteDemand]) -> tuple[Parameter, ...]:
    """What the caller gives: names that a change without `times` uses are shared, the others stand in rows."""
    shared: dict[str, Parameter] = {}
    rows: dict[str, dict[str, Parameter]] = {}
    if demands and isinstance(demands[0].pattern, Delete) and demands[0].pattern.where:
        model = context.model(demands[0].entity)
        for condition in demands[0].pattern.where:
            for side in condition.operands:
                if side.param is not None:
                    is_list = side is condition.any_of
                    shared.setdefault(
                        side.param,
                        parameter(model, condition.attribute, side.param, is_list=is_list),
                    )
        return tuple(shared.values())
    for demand in demands:
        if demand.change.times is None:
            for found in change_parameters(context, demand):
                shared.setdefault(found.name, found)
    transaction = bool(demands) and isinstance(demands[0].pattern, Transaction)
    for demand in demands:
        if demand.change.times is not None:
            own = rows.setdefault(demand.change.each or demand.entity, {})
            for found in change_parameters(context, demand):
                if not (transaction and found.name in shared):
                    own.setdefault(found.name, found)
    lists = tuple(
        Parameter(name=name, type="L", fields=tuple(fields.values()))
        for name, fields in rows.items()
    )
    return (*shared.values(), *lists)


def change_parameters(context: Stated, demand: WriteDemand) -> list[Parameter]:
    """The parameters of one change."""
    model, change = context.model(demand.entity), demand.change
    found: dict[str, Parameter] = {}

    def add(attribute: str, name: str | None, optional: bool = False) -> None:
        if name is not None:
            found.setdefault(name, parameter(model, attribute, name, optional))

    if change.verb in ("create", "upsert"):
        copied = {name for one in demand.refreshes for name in one.names}
        if change.verb == "create":
            figures = context.search.requirements.figures
            copied |= {figure.name for figure in figures if figure.entity == demand.entity}
        for attribute in model.entity.stored:
            if attribute.name not in change.set and attribute.name not in copied:
                add(attribute.name, attribute.name, attribute.present < 1)
    elif demand.follows is None:
        for name in (*(change.by or model.entity.identifier), *change.given):
            add(name, name)
    for name, side in change.set.items():
        add(name, side.param)
    for name, amount in change.add.items():
        add(name, amount.param or amount.minus)
    for name, param in change.greatest.items():
        add(name, param)
    for condition in change.if_:
        for side in condition.operands:
            add(condition.attribute, side.param)
    return list(found.values())


# One change


class UnwritableError(Exception):
    """A change that one transaction cannot say; the text is for people."""


class Changing:
    """The steps and members of one change of one entity's item."""

    def __init__(
        self,
        context: Context,
        demand: WriteDemand,
        several: bool,
        others: dict[int, "Changing"],
    ) -> None:
        self.context = context
        self.others = others
        self.demand = demand
        self.change = demand.change
        self.model: EntityModel = context.model(demand.entity)
        self.entity = self.model.entity
        self.choice: EntityChoice = context.choice.entities[demand.entity]
        self.layout = context.layout
        self.base: Placement = self.layout.bases[demand.entity]
        held = self.layout.held[demand.entity]
        self.indexes = [self.layout.others[demand.entity, s] for s in held if s.is_index]
        self.copies = [self.layout.others[demand.entity, s] for s in held if s.kind == "copy"]
        self.guards = {
            attribute: g
            for (name, attribute), g in self.layout.guards.items()
            if name == demand.entity
        }
        size = keys_bytes(self.model, self.choice.base, held)
        self.cost = write_cost(self.model, self.choice.base, held, demand, self.choice.guard, size)
        self.size = self.model.own_bytes + size
        self.suffix = f"{demand.at + 1}" if several else ""
        self.rows = demand.change.each or demand.entity if demand.change.times is not None else None
        self.repeat = Repeat(values=self.rows) if self.rows else None
        self.member_repeat = self.repeat if isinstance(demand.pattern, Transaction) else None
        self.steps: list[Step] = []
        self.members: list[Member] = []
        self.now: dict[str, Expression] = {}
        """What is known of the item as it is."""
        self.new: dict[str, Expression] = {}
        """What the change makes of it; MISSING for what it removes."""
        self.before: dict[str, Expression] = {}
        self.after: dict[str, Expression] = {}
        """What is known of the item before and after; for the figures that its parent keeps."""

    def write(self) -> Written:
        if self.demand.deletes_collection:
            return self._delete_collection()
        impossible = self._impossible()
        if impossible:
            return Written(impossible=impossible)
        try:
            getattr(self, f"_{self.change.verb}")()
        except UnwritableError as error:
            return Written(impossible=str(error))
        return Written(self.steps, self.members, self.cost)

    def _impossible(self) -> str:
        for copied in self.demand.refreshes:
            values = self._told(copied)
            if UNKNOWN in values.values():
                return (
                    f"{self.entity.name} carries {spoken(tuple(sorted(copied.names)))}, and the same transaction adds "
                    f"to what they are copied from, so that it does not know the new value: write {self.entity.name} "
                    "in a transaction of its own."
                )
            at = self._question_of_parent(copied)
            if at is not None and (at, 0) not in self.context.choice.entities[copied.parent].access:
                names = spoken(tuple(theirs for theirs, _ in copied.per))
                return (
                    f"{self.entity.name} carries {spoken(tuple(sorted(copied.names)))}, and no key of {copied.parent} "
                    f"finds it by {names} for a strong read. Ask {copied.parent} by other attributes eventually "
                    "consistent, so that its own key can lead with these."
                )
        kept = self._figures_over()
        if kept and self.change.verb == "upsert":
            return (
                f"{kept[0].entity}.{kept[0].name} follows what is written of {self.entity.name}, and an upsert does "
                "not tell whether it makes an item or replaces one: create and update instead."
            )
        at = self._question_that_finds()
        if at is not None and (at, 0) not in self.choice.access:
            return (
                f"No index finds the item of {self.entity.name} by {spoken(self.entity.identifier)}, and its key holds "
                "more than that."
            )
        if self.cost.addressable:
            return ""
        names = ", ".join(sorted(self.model.made_of(self.choice.base) - self.demand.known))
        return (
            f"The item of {self.entity.name} cannot be named: its key holds {names}, which the caller does not give "
            "and nothing can look up. Give it, or find the item by its identifier."
        )

    # The verbs

    def _create(self) -> None:
        known = self._whole_item()
        self.after = known
        self._put(self.entity.name, self.base, known, (self._absent(self.base),))
        for copy in self.copies:
            self._put(copy.shape, copy, known, ())
        for attribute in self.guards:
            self._put_guard(attribute, known)

    def _upsert(self) -> None:
        known = self._whole_item()
        unique = [name for name in self.guards if name]
        tests: list[ItemCondition] = []
        if unique:
            base = {name: known[name] for name in self.model.made_of(self.base.structure)}
            self._read_item(base, "go on")
            tests = [ItemCondition(attribute=name, same_as=self._old) for name in unique]
        self._put(self.entity.name, self.base, known, tuple(tests))
        for copy in self.copies:
            self._put(copy.shape, copy, known, ())
        for attribute in unique:
            self._swap_guard(attribute, known)

    def _update(self) -> None:
        self._find_item()
        for name, side in self.change.set.items():
            self.new[name] = operand(side)
        for name, param in self.change.greatest.items():
            self.new[name] = f"{{{param}}}"
        for name in self.change.remove:
            self.new[name] = MISSING
        unique = [name for name in self.guards if name and name in self.demand.changed]
        unknown: set[str] = {name for name in unique if name not in self.demand.known}
        unknown |= self.demand.needs
        for index in self.indexes:
            unknown |= unknown_parts(self.model, self.choice.base, index.structure, self.demand)
        for copy in self.copies:
            unknown |= self.model.made_of(copy.structure) - set(self.now)
        for copied in self.demand.refreshes:
            unknown |= {
                n for n, value in references_of(self.demand, copied.per).items() if value is None
            }
        unknown -= set(self.now)
        tests: list[ItemCondition] = [self._present(self.base)]
        if unknown:
            self._read_item(self.now, "stop")
            tests += [
                ItemCondition(attribute=name, same_as=self._old)
                for name in sorted(unknown)
                if not self.model.attribute(name).derived
            ]
            self.now |= {name: f"{{{self._old}.{name}}}" for name in unknown}
        self.new |= self._copied({**self.now, **self.new})
        self.before = dict(self.now)
        self.after = {n: v for n, v in {**self.now, **self.new}.items() if v != MISSING}
        tests += self._given_still_holds(unique)
        tests += self._conditions()
        for name, param in self.change.greatest.items():
            tests.append(ItemCondition(attribute=name, below_or_missing=f"{{{param}}}"))
        self._member("update", self.entity.name, self.base, self.now, tests, self._changes(True))
        for copy in self.copies:
            tests = [self._present(copy)]
            self._member("update", copy.shape, copy, self.now, tests, self._changes(False))
        for attribute in unique:
            if self.new.get(attribute) == MISSING:
                self._delete_guard(attribute, self.now)
            else:
                self._swap_guard(attribute, {**self.now, **self.new}, self.now)

    def _delete(self) -> None:
        self._find_item()
        unique = [name for name in self.guards if name]
        unknown = {name for name in (*unique, *self.demand.needs) if name not in self.now}
        for copy in self.copies:
            unknown |= self.model.made_of(copy.structure) - set(self.now)
        tests = [self._present(self.base), *self._conditions()]
        if unknown:
            self._read_item(self.now, "stop")
            tests += [ItemCondition(attribute=name, same_as=self._old) for name in sorted(unknown)]
            self.now |= {name: f"{{{self._old}.{name}}}" for name in unknown}
        self.before = dict(self.now)
        tests += self._given_still_holds(unique)
        self._member("delete", self.entity.name, self.base, self.now, tests)
        for copy in self.copies:
            self._member("delete", copy.shape, copy, self.now, [])
        for attribute in self.guards:
            self._delete_guard(attribute, self.now)

    def _check(self) -> None:
        self._find_item(may_be_missing=self.change.exists is False)
        tests = self._conditions()
        tests.insert(
            0, self._absent(self.base) if self.change.exists is False else self._present(self.base)
        )
        self._member("check", self.entity.name, self.base, self.now, tests)

    def _delete_collection(self) -> Written:
        kept = [f for f in self._figures_over() if f.is_touched_by(self.change)]
        if kept:
            return Written(
                impossible=f"{kept[0].entity}.{kept[0].name} counts what is deleted, and how many there are is not "
                "known before. Delete them one by one, which keeps it right."
            )
        q = next(
            at
            for at, question in enumerate(self.context.search.requirements.questions)
            if question.number == self.demand.pattern.number
            and question.copied is None
            and question.finds is None
        )
        question = self.context.search.requirements.questions[q]
        access = self.choice.access.get((q, 0))
        if access is None:
            names = ", ".join(question.demands[0].equals)
            return Written(
                impossible=f"No key of the table finds the items of {self.entity.name} by {names}: a write does not "
                "go through an index, whose entries may be behind."
            )
        steps, part = part_steps(self.context, question, 0, access, 1)
        steps[-1] = steps[-1].model_copy(
            update={"filter": (*steps[-1].filter, *part.keep)} if part.keep else {}
        )
        found: dict[str, Expression] = {a.name: f"{{s1.{a.name}}}" for a in self.entity.stored}
        together = bool(self.copies or self.guards)
        repeat = None if together else Repeat(rows=steps[-1].id)
        unique = [name for name in self.guards if name]
        still = tuple(ItemCondition(attribute=name, same_as=steps[-1].id) for name in unique)
        places = [(self.entity.name, self.base), *((copy.shape, copy) for copy in self.copies)]
        members = [
            Member(
                delete=shape,
                table=place.table,
                key=key_of(self.context, place, found),
                if_=still if place is self.base else (),
                for_each=repeat,
            )
            for shape, place in places
        ]
        members += [
            Member(delete=guard.shape, table=guard.table, key=self._guard_key(guard, found))
            for guard in self.guards.values()
        ]
        return Written(steps, members, self.cost)

    # Finding and reading the item

    @property
    def _old(self) -> str:
        return f"old{self.suffix}"

    def _find_item(self, may_be_missing: bool = False) -> None:
        """Learn the item's base key: given, or looked up through a guard."""
        identified = self.change.by or self.entity.identifier
        for name in (*identified, *self.change.given):
            self.now[name] = f"{{{name}}}"
        for condition in self.change.if_:
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
        size = guard_bytes(self.model, self.choice.base, guard.attribute) * self._times
        key = self._guard_key(guard, self.now)
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
                    bytes=_rounded(size),
                    units=_rounded(self._times),
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

    def _question_that_finds(self) -> int | None:
        """The question that asks an index for this change's item; None where it need not."""
        for at, question in enumerate(self.context.search.requirements.questions):
            mine = question.number == self.demand.pattern.number
            if question.finds is not None and mine and question.change == self.demand.at:
                return at
        return None

    def _find_through_index(self, may_be_missing: bool) -> None:
        """Ask an index for what the base key is made of; that the item still is there is on the write's condition."""
        at = self._question_that_finds()
        assert at is not None
        question = self.context.search.requirements.questions[at]
        needed = sorted(self.model.made_of(self.base.structure))
        wanted = tuple(dict.fromkeys((*self.entity.identifier, *needed)))
        demand = replace(question.demands[0], wanted=wanted, needs=frozenset(wanted))
        asked = replace(question, demands=(demand,))
        steps, _ = part_steps(self.context, asked, 0, self.choice.access[at, 0], 1)
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

    def _key(self, placement: Placement, known: dict[str, Expression]) -> dict[str, Expression]:
        return key_of(self.context, placement, known)

    @property
    def _times(self) -> float:
        return self.demand.times if self.rows else 1.0

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
                when_missing=when_missing,
                expects=Expected(
                    requests=self._times,
                    read=self._times,
                    returned=self._times,
                    bytes=_rounded(self.size * self._times),
                    units=_rounded(float(read_units(self.size, "strong")) * self._times),
                ),
            )
        )

    def _given_still_holds(self, unique: list[str]) -> list[ItemCondition]:
        """What the caller says the item holds must be so, where a key or a guard is made from it."""
        used: set[str] = {*unique, *self.demand.needs}
        for index in self.indexes:
            for part in index.parts:
                named = {*part.attributes, *(name for name, _ in part.when)}
                if part.native is None and named & self.demand.changed:
                    used |= named
        stated = [
            name
            for name in self.change.given
            if name in used and name not in self.entity.identifier
        ]
        by_unique = [name for name in self.change.by if name not in self.entity.identifier]
        return [
            ItemCondition(attribute=name, is_=self.now[name])
            for name in dict.fromkeys((*by_unique, *stated))
            if not self.model.attribute(name).derived
        ]

    def _conditions(self) -> list[ItemCondition]:
        return [item_condition(self.model, condition) for condition in self.change.if_]

    # Figures over children

    def _figures_over(self) -> list[Figure]:
        """The figures that writes of this entity keep in their transactions."""
        needed = self.context.search.requirements
        at_once = (figure for figure in needed.figures if figure not in needed.streamed)
        return [figure for figure in at_once if figure.child == self.entity.name]

    def contributes(self, keeping: Keeping) -> list[Sum]:
        """What this change of a child adds to a figure of its parent, or what may be the greatest."""
        figure, rows = keeping.figure, keeping.rows
        if keeping.moves and figure.target in self.demand.changed:
            raise UnwritableError(
                f"It may give {self.entity.name} another {figure.entity} and changes {figure.target} as well, over "
                f"which {figure.name} is kept: change one after the other."
            )
        if figure.form == "count":
            count: Expression = f"{{count({rows})}}" if rows else Constant(value=1)
            return [_negative(count) if keeping.side == "old" else count]
        rises = keeping.side == "same" and figure.target in self.change.add
        old = self.before.get(figure.target) if keeping.side != "new" else None
        if rows and old is not None and not (rises and figure.is_added):
            raise UnwritableError(
                f"{figure.name} is kept over {figure.target}, and a transaction does not know what several "
                f"{self.entity.name} items had: write them one by one."
            )
        added: list[Expression] = []
        if rises:
            amount = amount_of(self.change.add[figure.target])
            if not figure.is_added:
                return [amount if old is None else (old, amount)]
            added = [amount]
        else:
            new = self.after.get(figure.target) if keeping.side != "old" else None
            added += [] if new is None else [new]
            added += [_negative(old)] if old is not None and figure.is_added else []
        return [_over_rows(figure, one, rows) for one in added] if rows else list(added)

    def _kept(self) -> dict[Figure, list[Sum]]:
        """For each figure that this change keeps, what other changes contribute."""
        found: dict[Figure, list[Sum]] = {}
        for keeping in self.demand.keeps:
            found.setdefault(keeping.figure, []).extend(
                self.others[keeping.of].contributes(keeping)
            )
        return found

    def _figures(self, now: dict[str, Expression]) -> dict[str, Any]:
        """What is added to the item's figures, and what is the greatest or least of what is there and what comes."""
        found: dict[str, Any] = {"add": {}, "greatest": {}, "least": {}}
        for figure, contributed in self._kept().items():
            if not contributed:
                continue
            if figure.is_added:
                one = contributed[0] if len(contributed) == 1 else tuple(contributed)
                found["add"][figure.name] = one
            else:
                there = [now[figure.name]] if figure.name in now else []
                found[figure.form][figure.name] = (*there, *contributed)
        return found

    def _figures_at_first(self) -> dict[str, Expression]:
        """The figures of an item without children."""
        return {
            figure.name: Constant(value=0)
            for figure in self.context.search.requirements.figures
            if figure.entity == self.entity.name and figure.is_added
        }

    # Copies of the parents' attributes

    def _told(self, copied: Copied) -> dict[str, Expression]:
        """The copied values that the transaction itself makes."""
        needed = self.context.search.requirements
        return told(needed.writes, self.demand, copied, needed.figures)

    def _copied(self, known: dict[str, Expression]) -> dict[str, Expression]:
        """The copies that this change makes, from the transaction's own values or a read of the parent."""
        found: dict[str, Expression] = {}
        for copied in self.demand.refreshes:
            values = self._told(copied)
            if set(copied.watched) - set(values):
                step = self._read_parent(copied, known)
                read: dict[str, Expression] = {n: f"{{{step}.{n}}}" for n in copied.watched}
                values = read | values
            found |= {name: values[attribute] for name, attribute in copied.attributes}
        return found

    def _question_of_parent(self, copied: Copied) -> int | None:
        """The question that asks for the parent's values for this change; None when they are told."""
        for at, question in enumerate(self.context.search.requirements.questions):
            mine = (
                question.number == self.demand.pattern.number and question.change == self.demand.at
            )
            if mine and question.copied == copied:
                return at
        return None

    def _read_parent(self, copied: Copied, known: dict[str, Expression]) -> str:
        """Read a parent's values strongly; the name of the step that has them."""
        questions = self.context.search.requirements.questions
        at = self._question_of_parent(copied)
        assert at is not None
        access = self.context.choice.entities[copied.parent].access[at, 0]
        demand = replace(
            questions[at].demands[0], equals={theirs: known[own] for theirs, own in copied.per}
        )
        steps, _ = part_steps(self.context, replace(questions[at], demands=(demand,)), 0, access, 1)
        name = step_of_parent(copied, self.suffix)
        steps[0] = steps[0].model_copy(update={"for_each": self.repeat})
        if self.repeat is not None and steps[0].call == "GetItem":
            steps[0] = steps[0].model_copy(update={"call": "BatchGetItem"})
        names = {step.id: name if step is steps[-1] else f"{name}_guard" for step in steps}
        for old, new in names.items():
            steps = [renamed(step, old, new) for step in steps]
        self.steps += steps
        return name

    # Values

    def _whole_item(self) -> dict[str, Expression]:
        known: dict[str, Expression] = {}
        for attribute in self.entity.stored:
            side = self.change.set.get(attribute.name)
            known[attribute.name] = operand(side) if side is not None else f"{{{attribute.name}}}"
        if self.change.verb == "create":
            for figure in self.context.search.requirements.figures:
                if figure.entity == self.entity.name and figure.name not in self.change.set:
                    del known[figure.name]
            known = self._figures_at_first() | known
        elif self.demand.keeps:
            raise UnwritableError(
                f"It replaces {self.entity.name} whole, {self.demand.keeps[0].figure.name} included, and writes what "
                "that is kept over as well: create or update it instead."
            )
        copied = self._copied(known)
        gone = {name for name, value in copied.items() if value == MISSING}
        return {n: v for n, v in (known | copied).items() if n not in gone}

    def _key_values(
        self, parts: tuple[KeyPart, ...], known: dict[str, Expression]
    ) -> dict[str, Expression]:
        """The composed key attributes that a whole item carries."""
        values: dict[str, Expression] = {}
        for part in parts:
            if part.native is not None:
                continue
            template = stored_template(part, self.model, known.get)
            if template is not None:
                values[part.name] = template
        return values

    def _put(
        self,
        shape: str,
        placement: Placement,
        known: dict[str, Expression],
        tests: tuple[ItemCondition, ...],
    ) -> None:
        values = dict(known)
        places = [placement, *self.indexes] if placement is self.base else [placement]
        for place in places:
            values |= self._key_values(place.parts, known)
        values |= self._extra(known)
        if self._typed(placement.table):
            values[self.layout.type_attribute] = shape
        self.members.append(
            Member(
                put=shape,
                table=placement.table,
                values=values,
                if_=tests,
                for_each=self.member_repeat,
                **self._figures(known),
            )
        )

    def _extra(self, known: dict[str, Expression]) -> dict[str, Expression]:
        extra = self.layout.extra.get(self.entity.name, {})
        return {
            name: known[lone]
            for name, template in extra.items()
            if (lone := keys.lone(template)) in known and lone
        }

    def _typed(self, table: str) -> bool:
        return self.model.style == "single"

    def _changes(self, indexed: bool) -> dict[str, Any]:
        """What an update sets, removes and adds, on the item and, if it is indexed, on its keys there."""
        values: dict[str, Expression] = {n: v for n, v in self.new.items() if v != MISSING}
        remove = [n for n, v in self.new.items() if v == MISSING]
        add: dict[str, Sum] = {}
        for name, amount in self.change.add.items():
            add[name] = amount_of(amount)
        figures = self._figures(self.now)
        add |= figures.pop("add")
        known = {n: v for n, v in {**self.now, **self.new}.items() if v != MISSING}
        for index in self.indexes if indexed else ():
            for part in index.parts:
                named = {*part.attributes, *(name for name, _ in part.when)}
                if part.native is not None or not named & self.demand.changed:
                    continue
                gone = self.model.becomes_absent(index.structure, named, self.demand)
                if gone and self.model.was_absent(index.structure, named, self.demand):
                    continue
                template = None if gone else stored_template(part, self.model, known.get)
                if template is None:
                    remove.append(part.name)
                else:
                    values[part.name] = template
        for name, template in self.layout.extra.get(self.entity.name, {}).items():
            source = keys.lone(template)
            if source in self.new:
                if self.new[source] == MISSING:
                    remove.append(name)
                else:
                    values[name] = self.new[source]
        return {"set": values, "remove": tuple(dict.fromkeys(remove)), "add": add, **figures}

    def _member(
        self,
        verb: str,
        shape: str,
        placement: Placement,
        known: dict[str, Expression],
        tests: list[ItemCondition],
        changes: dict[str, Any] | None = None,
    ) -> None:
        written: dict[str, Any] = {verb: shape, **(changes or {})}
        self.members.append(
            Member(
                **written,
                table=placement.table,
                key=self._key(placement, known),
                if_=tuple(dict.fromkeys(tests)),
                for_each=self.member_repeat,
                unless_same=self._unless(),
                joins=verb == "check" or self.demand.follows is not None,
            )
        )

    def _unless(self) -> tuple[str, str] | None:
        """Two values, and where they are the same the member is left out."""
        return None

    @staticmethod
    def _absent(placement: Placement) -> ItemCondition:
        return ItemCondition(attribute=placement.parts[0].name, exists=False)

    @staticmethod
    def _present(placement: Placement) -> ItemCondition:
        return ItemCondition(attribute=placement.parts[0].name, exists=True)

    # Guards

    def _guard_names(self, guard: GuardPlacement) -> tuple[str, ...]:
        return guard_names(self.model, self.choice.base, guard.attribute)

    def _guard_key(
        self, guard: GuardPlacement, known: dict[str, Expression]
    ) -> dict[str, Expression]:
        return {name: put_to(template, known) for name, template in guard.key.items()}

    def _guard_values(
        self, guard: GuardPlacement, known: dict[str, Expression]
    ) -> dict[str, Expression]:
        values = {name: known[name] for name in self._guard_names(guard) if name in known}
        values |= self._guard_key(guard, known)
        if self._typed(guard.table):
            values[self.layout.type_attribute] = guard.shape
        return values

    def _put_guard(
        self, attribute: str, known: dict[str, Expression], unless: tuple[str, str] | None = None
    ) -> None:
        guard = self.guards[attribute]
        absent = ItemCondition(attribute=next(iter(guard.key)), exists=False)
        self.members.append(
            Member(
                put=guard.shape,
                table=guard.table,
                values=self._guard_values(guard, known),
                if_=(absent,),
                unless_same=unless,
                for_each=self.member_repeat,
            )
        )

    def _delete_guard(
        self, attribute: str, known: dict[str, Expression], unless: tuple[str, str] | None = None
    ) -> None:
        guard = self.guards[attribute]
        self.members.append(
            Member(
                delete=guard.shape,
                table=guard.table,
                key=self._guard_key(guard, known),
                unless_same=unless,
                for_each=self.member_repeat,
            )
        )

    def _swap_guard(
        self,
        attribute: str,
        after: dict[str, Expression],
        before: dict[str, Expression] | None = None,
    ) -> None:
        """The old value's guard goes, the new value's comes, unless they are the same."""
        old = dict(before) if before is not None else {}
        old.setdefault(attribute, f"{{{self._old}.{attribute}}}")
        new = {**after}
        for name in self._guard_names(self.guards[attribute]):
            new.setdefault(name, self.now.get(name, f"{{{name}}}"))
        same = (str(_text_of(old[attribute])), str(_text_of(new[attribute])))
        self._delete_guard(attribute, {**new, attribute: old[attribute]}, same)
        self._put_guard(attribute, new, same)


class KeepingFigures(Changing):
    """An update of a parent that keeps its figures and does nothing else."""

    def _find_item(self, may_be_missing: bool = False) -> None:
        keeping = self.demand.keeps[0]
        child = self.others[keeping.of]
        known = child.before if keeping.side == "old" else child.after
        # Without a reference there is no parent, and the member is left out.
        self.now = {
            theirs: known.get(own, f"{{{child._old}.{own}}}") for theirs, own in keeping.figure.per
        }
        self._find_by_guard(may_be_missing=keeping.may_have_none)

    def _update(self) -> None:
        super()._update()
        guard = self.guards.get(self.cost.look_up or "")
        if (
            self.cost.look_up is not None
            and guard is not None
            and self.demand.keeps[0].may_have_none
        ):
            # Without its guard the parent is not there, and its own member is left out: that has to refuse the write.
            self.members.append(
                Member(
                    check=guard.shape,
                    table=guard.table,
                    key=self._guard_key(guard, self.now),
                    if_=(ItemCondition(attribute=next(iter(guard.key)), exists=True),),
                    unless_same=self._unless(),
                    for_each=self.member_repeat,
                    joins=True,
                )
            )

    def _read_item(
        self, known: dict[str, Expression], when_missing: Literal["stop", "go on"]
    ) -> None:
        super()._read_item(known, "go on")

    def _unless(self) -> tuple[str, str] | None:
        keeping = self.demand.keeps[0]
        if not keeping.moves:
            return None
        child = self.others[keeping.of]
        texts = [
            "#".join(str(_text_of(known.get(own, f"{{{own}}}"))) for _, own in keeping.figure.per)
            for known in (child.before, child.after)
        ]
        return texts[0], texts[1]


def _negative(value: Expression) -> Expression:
    if isinstance(value, Constant):
        assert isinstance(value.value, (int, float))
        return Constant(value=-value.value)
    return value[1:] if value.startswith("-") else f"-{value}"


def _over_rows(figure: Figure, value: Expression, rows: str) -> Expression:
    """A figure over the rows of a parameter, of a value that each row gives."""
    minus = isinstance(value, str) and value.startswith("-")
    name = keys.lone(value.lstrip("-")) if isinstance(value, str) else None
    if name is None:
        raise UnwritableError(
            f"{figure.entity}.{figure.name} is kept over {figure.target}, which is the same in all rows: "
            "give it with each row."
        )
    return f"{'-' * minus}{{{figure.form}({rows}, {json.dumps(name)})}}"


def amount_of(amount: Amount) -> Expression:
    """What a number goes up by, as the plan writes it; a minus before the brace takes away."""
    if amount.value is not None:
        return Constant(value=amount.value)
    return f"{{{amount.param}}}" if amount.param else f"-{{{amount.minus}}}"


def _text_of(value: Expression) -> str:
    return keys.escape(keys.plain_text(value.value)) if isinstance(value, Constant) else value


def put_to(template: str, known: dict[str, Expression]) -> Expression:
    """A template over the entity's attributes as one over what is known."""
    lone = keys.lone(template)
    if lone is not None:
        return known[lone]
    constants = {n: v.value for n, v in known.items() if isinstance(v, Constant)}
    bound = keys.bind(template, constants.get) if constants else template
    assert bound is not None
    return keys.rename(
        bound, lambda name: str(known[name])[1:-1] if isinstance(known.get(name), str) else None
    )
