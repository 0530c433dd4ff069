"""How hot every key of a plan runs at peak: units a second on its hottest value, and which pattern makes them."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from math import ceil
from typing import Literal

from designer.core.capacity.written import by_member, times_of
from designer.core.cost.stored import stored
from designer.core.design.attributes import Attribute
from designer.core.design.document import Design
from designer.core.dynamodb.limits import (
    PARTITION_READS,
    PARTITION_WRITES,
    SHARD_READS,
    SHARD_WRITES,
)
from designer.core.heat.entries import units_of_entries
from designer.core.heat.partition_keys import asked_keys, may_be, templates_of
from designer.core.heat.shares import KeyShare
from designer.core.heat.told import Told, told_by_pattern, told_by_upkeep
from designer.core.heat.writes import fall_of, is_of_one, limited_to
from designer.core.patterns.base import Pattern, Read, Write
from designer.core.plan import READS, Expression, Index, Member, Plan, Shape, Step, Table
from designer.core.planner.model.falling import Fall, Falls
from designer.core.planner.model.score import exact
from designer.core.planner.operations.reading_less import in_case
from designer.core.rational import Fraction

Level = Literal["cool", "warm", "hot"]


@dataclass(frozen=True)
class KeyLoad:
    """What one cause puts on a key at its peak. Units are those of a second."""

    pattern: int | None
    """Number of the pattern; None for the upkeep of copies and aggregates."""
    cause: str
    """The pattern's name, or what the upkeep follows."""
    shape: str
    """The kind of item that is read or written."""
    reads: Fraction
    """Read units a second over all values of the key."""
    writes: Fraction
    share: Fraction
    """Share of the requests on the hottest value."""
    is_direct: bool = True
    """It is what the pattern or the upkeep is for, not what a write must read first."""
    heavier: Fraction = Fraction(1)
    """How many times the read units of a usual value a request for the hottest takes, which has more items."""
    of_one: bool = False
    """Its share is that of one item, which no shards cool."""

    @property
    def hot_reads(self) -> Fraction:
        return self.reads * self.share * self.heavier

    @property
    def hot_writes(self) -> Fraction:
        return self.writes * self.share


@dataclass(frozen=True)
class KeyHeat:
    """The hottest value of one partition key of a table or index.

    Items of several entities may lie under it. That the hottest value is the same for all of them is assumed: it is
    the worst case, and nothing in a design says otherwise.
    """

    table: str
    index: str | None
    templates: tuple[str, ...]
    """Of the items that heat it most: one for each attribute of the partition key."""
    entities: tuple[str, ...]
    shards: int
    values: float
    """Values that the key has, shards apart."""
    spread_by: str | None
    """The attribute that would choose the shard; None if shards would not help, because it is one item."""
    loads: tuple[KeyLoad, ...]

    @property
    def name(self) -> str:
        return self.table if self.index is None else f"{self.table}/{self.index}"

    @property
    def key(self) -> str:
        return ", ".join(self.templates)

    @cached_property
    def reads(self) -> Fraction:
        return sum((load.hot_reads for load in self.loads), Fraction(0))

    @cached_property
    def writes(self) -> Fraction:
        return sum((load.hot_writes for load in self.loads), Fraction(0))

    @property
    def used(self) -> Fraction:
        """Share of the nearer of both limits that is used; above 1 it throttles."""
        return max(self.reads / PARTITION_READS, self.writes / PARTITION_WRITES)

    @property
    def is_bound_by_writes(self) -> bool:
        """Whether its writes are nearer to their limit than its reads."""
        return self.writes / PARTITION_WRITES >= self.reads / PARTITION_READS

    @property
    def level(self) -> Level:
        """Hot above a limit, warm above the four fifths of it that a shard is meant to take."""
        if self.writes > PARTITION_WRITES or self.reads > PARTITION_READS:
            return "hot"
        return "warm" if self.writes > SHARD_WRITES or self.reads > SHARD_READS else "cool"

    @property
    def needs_shards(self) -> int:
        """Key values over which its hottest one would have to be spread so that each stays cool."""
        return max(1, ceil(self.writes / SHARD_WRITES), ceil(self.reads / SHARD_READS))

    def share_of(self, load: KeyLoad) -> Fraction:
        """Share of a load in the reads of the hottest value, or in its writes, whichever it is."""
        hot, whole = (load.hot_writes, self.writes) if load.writes else (load.hot_reads, self.reads)
        return hot / whole if whole else Fraction(0)


@dataclass(frozen=True)
class StructureHeat:
    """A table or an index with its keys, the hottest first."""

    table: str
    index: str | None
    keys: tuple[KeyHeat, ...]

    @property
    def name(self) -> str:
        return self.table if self.index is None else f"{self.table}/{self.index}"

    @property
    def hottest(self) -> KeyHeat:
        return self.keys[0]


@dataclass(frozen=True)
class PlanHeat:
    """All tables and indexes of a plan, each table before its indexes."""

    structures: tuple[StructureHeat, ...]
    without_rate: tuple[int, ...]
    """Patterns that say nothing of how often they run, so their heat is not known."""

    @property
    def keys(self) -> tuple[KeyHeat, ...]:
        return tuple(key for structure in self.structures for key in structure.keys)

    @property
    def hottest(self) -> KeyHeat | None:
        return max(self.keys, key=lambda key: key.used, default=None)


def plan_heat(design: Design, plan: Plan) -> PlanHeat:
    """The heat of every table and index of a plan, at the peak of every pattern at once.

    Peaks are taken together, as nothing says that they come one after the other. A pattern without a peak runs at
    its average; one without a rate is left out and named.
    """
    places = _Places(design, plan)
    for operation in plan.operations:
        pattern = design.pattern(operation.pattern)
        if pattern.rate is None or not operation.steps:
            continue
        cases = len(plan.operations_for(operation.pattern))
        peak = exact(pattern.rate.peak or pattern.rate.average) / cases
        asked = in_case(pattern, operation.given) if isinstance(pattern, Read) else pattern
        told = told_by_pattern(design, plan, asked, operation.steps)
        for step in operation.steps:
            places.add(_Cause(asked, pattern.name, peak, told), step)
    for upkeep in plan.upkeep:
        if upkeep.per_second is not None:
            peak = exact(upkeep.peak_per_second or upkeep.per_second)
            told = told_by_upkeep(design, plan, upkeep)
            for step in upkeep.steps:
                places.add(_Cause(None, upkeep.event, peak, told), step)
    used = {operation.pattern for operation in plan.operations if operation.steps}
    unknown = (p.number for p in design.patterns if p.rate is None and p.number in used)
    return PlanHeat(tuple(places.structures()), tuple(unknown))


@dataclass(frozen=True)
class _Cause:
    pattern: Pattern | None
    words: str
    peak: Fraction
    told: Told

    @property
    def stated(self) -> float | None:
        return None if self.pattern is None else self.pattern.hottest

    @property
    def asked(self) -> frozenset[str]:
        """Attributes of which a read is given the values."""
        if not isinstance(self.pattern, Read):
            return frozenset()
        given = (c for c in self.pattern.where if c.is_ is not None or c.listed is not None)
        return frozenset(condition.attribute for condition in given)

    def names_one(self, shares: list[KeyShare], step: Step) -> bool:
        """Whether a step reads one item, by its whole identifier, each time the read is asked."""
        if step.call in ("GetItem", "TransactGetItems") and step.for_each is None:
            return True
        if not isinstance(self.pattern, Read):
            return False
        given = {one.attribute for one in self.pattern.where if one.is_ is not None}
        return all(
            one.entity is not None
            and one.entity.name == self.pattern.returns
            and given.issuperset(one.entity.identifier)
            for one in shares
        )

    @property
    def asked_constants(self) -> frozenset[str]:
        """Attributes for which a read always asks the same value, or the same ones, each time all of them.

        A key with what excludes a value is asked for each of those that remain.
        """
        if not isinstance(self.pattern, Read):
            return frozenset()
        fixed = (
            condition
            for condition in self.pattern.where
            for side in (condition.is_, condition.not_, condition.listed)
            if side is not None and side.value is not None
        )
        return frozenset(condition.attribute for condition in fixed)


_Key = tuple[str, str | None, tuple[str, ...]]
"""Table, index and the key by where its values come from."""


class _Places:
    """The partition keys of a plan, with what is put on each."""

    def __init__(self, design: Design, plan: Plan) -> None:
        self.design = design
        self.plan = plan
        self.loads: dict[_Key, list[KeyLoad]] = {}
        self.falls: dict[_Key, list[tuple[KeyLoad, Fall, KeyShare]]] = {}
        self.shapes: dict[_Key, list[Shape]] = {}
        for table in plan.tables:
            for index in (None, *table.indexes):
                for shape in table.items:
                    templates = templates_of(table, index, shape)
                    if templates is not None:
                        key = self._key(table, index, shape, templates)
                        self.shapes.setdefault(key, []).append(shape)

    def structures(self) -> Iterator[StructureHeat]:
        self._fall()
        found: dict[tuple[str, str | None], list[_Key]] = {}
        for key in self.shapes:
            found.setdefault(key[:2], []).append(key)
        for table in self.plan.tables:
            for index in (None, *table.indexes):
                own = found.get((table.name, index.name if index else None), ())
                keys = [self._heat(table, index, key) for key in own]
                if keys:
                    keys.sort(key=lambda heat: (-heat.used, heat.key))
                    yield StructureHeat(table.name, index.name if index else None, tuple(keys))

    def add(self, cause: _Cause, step: Step) -> None:
        """What a step puts on the keys that it reads or writes."""
        if step.call in READS:
            self._add_read(cause, step)
        else:
            self._add_write(cause, step)

    def _add_read(self, cause: _Cause, step: Step) -> None:
        table = self.plan.table(step.table)
        index = next((one for one in table.indexes if one.name == step.index), None)
        asked = list(asked_keys(table, index, step))
        items = sum(count for _, count in asked)
        units = exact(step.expects.units) * cause.peak
        is_second = _is_second_read(cause.told.steps, step)
        for expressions, count in asked:
            shape = self._shape(table, index, step, expressions)
            if shape is None:
                continue
            templates = templates_of(table, index, shape) or ()
            shares = self._shares(table, index, step, expressions, shape)
            busier = cause.told.of_read(step, shape)
            of_one = (cause.stated is not None or bool(busier)) and not is_second
            of_one = of_one and cause.names_one(shares, step)
            hottest = max(
                share.of_hottest()
                if is_second
                else share.of_hottest(
                    cause.stated, False, cause.asked_constants, cause.asked, of_one, busier
                )
                for share in shares
            )
            self._put(
                self._key(table, index, shape, templates),
                KeyLoad(
                    cause.pattern.number if cause.pattern else None,
                    cause.words,
                    shape.shape,
                    units * count / items,
                    Fraction(0),
                    hottest,
                    is_direct=not isinstance(cause.pattern, Write),
                    heavier=_heavier(step),
                    of_one=of_one,
                ),
            )  # fmt: skip

    def _add_write(self, cause: _Cause, step: Step) -> None:
        weights = by_member(self.plan, step, cause.pattern)
        for member, weight in weights:
            table = self.plan.table(member.table)
            units = exact(step.expects.units) * weight
            self._written(cause, member, table, None, units)
        for name, units_of_index in step.expects.index_units.items():
            table_name, _, index_name = name.partition("/")
            table = self.plan.table(table_name)
            index = next(one for one in table.indexes if one.name == index_name)
            mine = [
                (member, weight)
                for member, weight in weights
                if member.verb != "check"
                and member.table == table_name
                and templates_of(table, index, self.plan.shape(member.shape)) is not None
            ]
            mine = self._of_entries(cause, [member for member, _ in mine], index) or mine
            whole = sum(weight for _, weight in mine)
            for member, weight in mine:
                self._written(cause, member, table, index, exact(units_of_index) * weight / whole)

    @cached_property
    def _entry_bytes(self) -> dict[tuple[str, str | None, str], float]:
        """Bytes of an average entry of each index, by its table and shape."""
        return {
            (one.table, one.index, one.shape): one.item_bytes
            for one in stored(self.design, self.plan)
        }

    def _of_entries(
        self, cause: _Cause, members: list[Member], index: Index
    ) -> list[tuple[Member, Fraction]]:
        """How much of an index each member of a write takes, by its entries; none where all leave these as they are."""
        found = []
        for member in members:
            shape = self.plan.shape(member.shape)
            entry = self._entry_bytes.get((member.table, index.name, member.shape), shape.bytes)
            units = units_of_entries(self.design, cause.pattern, member, index, shape, entry)
            found.append((member, units * times_of(member, cause.pattern)))
        return found if any(weight for _, weight in found) else []

    def _written(
        self, cause: _Cause, member: Member, table: Table, index: Index | None, units: Fraction
    ) -> None:
        shape = self.plan.shape(member.shape)
        templates = templates_of(table, index, shape)
        if templates is None or not units:
            return
        share = KeyShare(self.design, shape, templates)
        busier = cause.told.of_write(member, shape)
        load = KeyLoad(
            cause.pattern.number if cause.pattern else None,
            cause.words,
            shape.shape,
            Fraction(0),
            units * cause.peak,
            Fraction(0),
            of_one=is_of_one(share.entity, cause.pattern, member, shape, busier),
        )
        key = self._key(table, index, shape, templates)
        fall = fall_of(share, cause.pattern, member, index, shape, load.writes, busier)
        self.falls.setdefault(key, []).append((load, fall, share))

    def _fall(self) -> None:
        """Say of what is written how much of it falls on the value of its key that gets most of it."""
        for key, falling in self.falls.items():
            shares = [share for _, _, share in falling]

            def attribute(name: str, shares: list[KeyShare] = shares) -> Attribute | None:
                return next((a for one in shares if (a := one.attribute(name)) is not None), None)

            falls = tuple(fall for _, fall, _ in falling)
            on = Falls(falls, attribute, limited_to(shares[0].parts)).on_hottest()
            for (load, _, _), writes in zip(falling, on, strict=True):
                if load.writes:
                    self._put(key, replace(load, share=writes / load.writes))

    def _shares(
        self,
        table: Table,
        index: Index | None,
        step: Step,
        expressions: tuple[Expression, ...],
        first: Shape,
    ) -> list[KeyShare]:
        """How the traffic of a read falls on its key, by what is said of each shape that it returns there."""
        shapes = [first, *(one for one in table.items if one.shape in step.shapes)]
        found = [(one, templates_of(table, index, one)) for one in shapes]
        return [
            KeyShare(self.design, one, templates)
            for one, templates in found
            if templates is not None and all(map(may_be, templates, expressions))
        ]

    def _shape(
        self,
        table: Table,
        index: Index | None,
        step: Step,
        expressions: tuple[Expression, ...],
    ) -> Shape | None:
        """The shape whose items lie under a key that a step asks for; of several the first that it may return."""
        names = [*step.shapes, *(shape.shape for shape in table.items)]
        for name in dict.fromkeys(names):
            shape = next((one for one in table.items if one.shape == name), None)
            templates = templates_of(table, index, shape) if shape else None
            if templates is not None and all(map(may_be, templates, expressions)):
                return shape
        return None

    def _key(
        self, table: Table, index: Index | None, shape: Shape, templates: tuple[str, ...]
    ) -> _Key:
        origins = KeyShare(self.design, shape, templates).origins()
        return table.name, index.name if index else None, origins

    def _put(self, key: _Key, load: KeyLoad) -> None:
        loads = self.loads.setdefault(key, [])
        for at, other in enumerate(loads):
            if load == replace(other, reads=load.reads, writes=load.writes):
                loads[at] = replace(
                    load, reads=load.reads + other.reads, writes=load.writes + other.writes
                )
                return
        loads.append(load)

    def _heat(self, table: Table, index: Index | None, key: _Key) -> KeyHeat:
        shapes, loads = self.shapes[key], self.loads.get(key, [])
        lead = max(shapes, key=lambda shape: _heat_of(shape, loads))
        templates = templates_of(table, index, lead) or ()
        share = KeyShare(self.design, lead, templates)
        return KeyHeat(
            table.name,
            index.name if index else None,
            templates,
            tuple(dict.fromkeys(shape.entity for shape in shapes)),
            share.shards,
            max(self._values(table, index, shape) for shape in shapes),
            share.spread_by,
            tuple(loads),
        )

    def _values(self, table: Table, index: Index | None, shape: Shape) -> float:
        return KeyShare(self.design, shape, templates_of(table, index, shape) or ()).values


def _heavier(step: Step) -> Fraction:
    """How many times its usual units a read takes for the busiest value of its key."""
    units, busiest = step.expects.units, step.expects.busiest_units
    return exact(busiest) / exact(units) if busiest is not None and units else Fraction(1)


def _heat_of(shape: Shape, loads: list[KeyLoad]) -> Fraction:
    """What the items of a shape take of the limits, of some loads."""
    mine = (load for load in loads if load.shape == shape.shape)
    used = (one.hot_reads / PARTITION_READS + one.hot_writes / PARTITION_WRITES for one in mine)
    return sum(used, Fraction(0))


def _is_second_read(steps: tuple[Step, ...], step: Step) -> bool:
    """Whether it gets the items whose keys an earlier step found in an index."""
    if step.call != "BatchGetItem" or step.for_each is None or step.for_each.rows is None:
        return False
    return any(
        one.id == step.for_each.rows
        and one.index is not None
        and set(one.shapes) & set(step.shapes)
        for one in steps
    )
