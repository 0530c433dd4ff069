"""Figures that are kept over children follow the writes of the children.

A write that makes, changes or deletes a child also updates its parent's figure, in one transaction. Where the
transaction writes that parent anyway, its own member does it. Where the team allows that a figure is a moment behind,
a consumer of the children's stream may do it instead.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from designer.core.design.changes import left_out
from designer.core.design.document import Design
from designer.core.design.entities import Entity
from designer.core.design.kept import Figure, kept_figures, needs_stream
from designer.core.dynamodb.prices import SECONDS_PER_MONTH
from designer.core.patterns.base import Member
from designer.core.plan import Expression
from designer.core.planner.model.keeping import Keeping, Side
from designer.core.planner.model.reads_and_writes import (
    EntityWrite,
    Requirements,
    with_absences,
)
from designer.core.planner.workload.maintenance import is_parent, references_of

SIDES: dict[str, tuple[Side, ...]] = {"create": ("new",), "delete": ("old",), "update": ("same",)}


def with_figures(
    needed: Requirements, streamed: frozenset[tuple[str, str]] = frozenset()
) -> Requirements:
    """The requirements with the parents' figures kept.

    `streamed`: of the groups of figures that are kept by price, those that a stream's consumer keeps.
    """
    design, figures = needed.design, kept_figures(needed.design)
    if not figures:
        return needed
    later = tuple(
        figure
        for figure in figures
        if figure.kept == "by-stream"
        or (
            figure.kept == "by-price" and (figure.group in streamed or needs_stream(design, figure))
        )
    )
    at_once = tuple(figure for figure in figures if figure not in later)
    writes = kept_at_once(design, at_once, needed.writes)
    writes += streamed_writes(design, later, writes)
    return replace(needed, writes=tuple(writes), figures=figures, streamed=later)


def kept_at_once(
    design: Design, figures: tuple[Figure, ...], writes: Sequence[EntityWrite]
) -> list[EntityWrite]:
    """The writes of patterns with the updates that keep figures in their transactions."""
    made: list[EntityWrite] = []
    for pattern in dict.fromkeys(write.pattern.number for write in writes):
        own = [write for write in writes if write.pattern.number == pattern]
        made += _Pattern(design, figures, own).writes()
    return made


def streamed_writes(
    design: Design, figures: tuple[Figure, ...], writes: Sequence[EntityWrite]
) -> list[EntityWrite]:
    """The updates by which a stream's consumer keeps figures, after each of some writes of the children.

    What comes and goes is added to all figures of the parent in one update. The greatest and the least are one each:
    its condition, that what comes is greater or less, is about that figure alone.
    """
    found: list[EntityWrite] = []
    first = max((write.at for write in writes), default=0) + 1
    expired = {
        child: _expired(design, child, writes)
        for child in dict.fromkeys(figure.child for figure in figures)
    }
    for write in writes:
        for group in _updated_together(figures):
            if write.entity == group[0].child and not write.is_upkeep:
                expires = design.entity[write.entity].expires
                for side, times, kept in _sides(group, write, expires, expired[write.entity]):
                    at = first + len(found)
                    found.append(_streamed(design, kept, write, side, times, at))
    return found


def _updated_together(figures: tuple[Figure, ...]) -> list[tuple[Figure, ...]]:
    """The figures that one update of a parent keeps."""
    groups: dict[tuple[str, ...], list[Figure]] = {}
    for figure in figures:
        alone = "" if figure.is_added else figure.name
        groups.setdefault((figure.entity, figure.relationship, alone), []).append(figure)
    return [tuple(group) for group in groups.values()]


def _sides(
    group: tuple[Figure, ...], write: EntityWrite, expires: bool, expired: float
) -> Iterator[tuple[Side, float, tuple[Figure, ...]]]:
    """The parents that an update follows a write for, how often, and which figures it keeps.

    An upsert makes an item, or changes one, or moves it: which is not known, and it is counted once. What expires
    leaves its parent, too, without a pattern that says so.
    `expired`: the share of the new items that do.
    """
    added, per = group[0].is_added, group[0].references
    over = {figure.target for figure in group if figure.target}
    moves = write.verb == "update" and bool(per & write.changed)
    changes = write.verb == "update" and bool(over & write.changed)
    comes = not (moves and per & set(write.change.remove))
    if per & write.lacks:
        if _gets_parent(write, per):
            yield "new", write.times, group
        return
    is_upsert, makes = write.may_replace, write.writes_whole
    if makes or (moves and comes) or (changes and not added):
        yield "new", write.times, group
    if added and (write.verb == "delete" or moves or is_upsert or (makes and expires)):
        yield "old", write.times * expired if makes else write.times, group
    for target in dict.fromkeys(figure.target for figure in group if added and figure.target):
        if is_upsert or (changes and target in write.changed):
            kept = tuple(figure for figure in group if figure.target == target)
            yield "same", 0.0 if is_upsert or moves else write.times, kept


def _expired(design: Design, child: str, writes: Sequence[EntityWrite]) -> float:
    """Share of the new items of an entity that the time to live removes: those that no pattern deletes.

    In the long run as many go as come, unless the design states that there will be more of them.
    """
    entity = design.entity[child]
    if not entity.expires:
        return 0.0
    own = [write for write in writes if write.entity == child and not write.is_upkeep]
    made = sum((write.average or 0) * write.times for write in own if write.writes_whole)
    gone = sum((write.average or 0) * write.times for write in own if write.verb == "delete")
    gone += (entity.growth_per_month or 0) / SECONDS_PER_MONTH
    return min(1.0, max(0.0, 1 - gone / made)) if made else 1.0


def _streamed(
    design: Design,
    kept: tuple[Figure, ...],
    write: EntityWrite,
    side: Side,
    times: float,
    at: int,
) -> EntityWrite:
    parent = design.entity[kept[0].entity]
    return EntityWrite(
        write.pattern,
        at,
        _updating(parent.name),
        parent.name,
        write.average,
        write.peak,
        times,
        False,
        frozenset(parent.identifier),
        frozenset(figure.name for figure in kept),
        keeps=tuple(Keeping(figure, write.at, side) for figure in kept),
        follows=write.at,
        by_stream=True,
    )


class _Pattern:
    """The writes of one pattern, to which the figures are added."""

    def __init__(
        self, design: Design, figures: tuple[Figure, ...], writes: list[EntityWrite]
    ) -> None:
        self.design = design
        self.figures = figures
        self.own = writes
        self.made = list(writes)

    def writes(self) -> list[EntityWrite]:
        for at, write in enumerate(self.own):
            if getattr(write.pattern, "where", ()):
                continue
            for relationship in dict.fromkeys(f.relationship for f in self.figures):
                touched = [
                    figure
                    for figure in self.figures
                    if figure.relationship == relationship and figure.is_touched_by(write.change)
                ]
                for entity in dict.fromkeys(figure.entity for figure in touched):
                    self._keep(at, [figure for figure in touched if figure.entity == entity])
        return self.made

    def _keep(self, at: int, figures: list[Figure]) -> None:
        write = self.made[at]
        per = figures[0].references
        moves = write.verb == "update" and bool(per & write.changed)
        had_none = bool(per & write.lacks)
        added = {figure.target for figure in figures if figure.is_added and figure.target}
        sides: tuple[Side, ...] = SIDES[write.verb] if not moves else ("old", "new")
        if moves and per & set(write.change.remove):
            sides = ("old",)
        if had_none:
            sides = ("new",) if _gets_parent(write, per) else ()
        if not sides:
            return
        needs = set(write.needs)
        if had_none:
            needs |= per - set(self.design.entity[write.entity].identifier) - set(write.change.set)
        elif sides != ("new",):
            needs |= (per - set(self.design.entity[write.entity].identifier)) | added
            needs -= {name for name in added if name in write.change.add}
        # What a number is after something is added to it may be the greatest or the least there was.
        needs |= {f.target for f in figures if f.target in write.change.add and not f.is_added}
        if moves:
            needs |= {figure.target for figure in figures if figure.target}
        self.made[at] = replace(write, needs=frozenset(needs), transactional=True)
        for side in sides:
            kept = [f for f in figures if f.is_added or side != "old"]
            if kept:
                self._on_parent(at, side, moves and not had_none, kept)

    def _on_parent(self, at: int, side: Side, moves: bool, figures: list[Figure]) -> None:
        write, per = self.made[at], figures[0].per
        rows = self._rows_of_one_parent(write, figures[0])
        references = references_of(write, per)
        known = {
            theirs: references[own] if not (moves and side == "old") else None
            for theirs, own in per
        }
        # A parent that the caller does not give is identified by the child that it is read from.
        told = tuple((theirs, repr(known[theirs] or (write.at, side, own))) for theirs, own in per)
        by_row = rows is None and write.change.times is not None
        follows = (told, (write.change.each or write.entity) if by_row else None)
        place = None if moves else self._sibling(write, figures[0], references)
        place = place if place is not None else self._follower(figures[0].entity, follows)
        if place is None:
            self.made.append(self._update(write, figures[0].entity, rows, follows))
            place = len(self.made) - 1
        known_of = self.design.entity[write.entity].by_name
        optional = any(known_of[own].present < 1 for _, own in per)
        keeping = tuple(
            Keeping(figure, write.at, side, moves, rows, optional) for figure in figures
        )
        self.made[place] = _keeping(self.made[place], keeping)

    def _sibling(
        self, write: EntityWrite, figure: Figure, references: dict[str, Expression | None]
    ) -> int | None:
        """The member of the transaction that writes the parent."""
        for at, other in enumerate(self.made):
            writes = other.entity == figure.entity and other.verb != "check"
            writes = writes and other.at != write.at and other.follows is None
            if writes and is_parent(other, write, references, figure.per):
                return at
        return None

    def _follower(self, entity: str, follows: object) -> int | None:
        for at, other in enumerate(self.made):
            if other.entity == entity and other.follows == follows:
                return at
        return None

    def _rows_of_one_parent(self, write: EntityWrite, figure: Figure) -> str | None:
        """The rows that a change is repeated for, where what they refer to is given once for all of them."""
        if write.change.times is None or not write.pattern.is_transaction:
            return None
        shared = {
            name
            for other in self.own
            if other.change.times is None
            for name in parameter_names(self.design.entity[other.entity], other.change)
        }
        references = references_of(write, figure.per).values()
        texts = [value[1:-1] for value in references if isinstance(value, str)]
        is_shared = len(texts) == len(figure.per) and all(text in shared for text in texts)
        return (write.change.each or write.entity) if is_shared else None

    def _update(
        self, write: EntityWrite, parent: str, rows: str | None, follows: object
    ) -> EntityWrite:
        """An update of the parent that does nothing else."""
        entity = self.design.entity[parent]
        by_row = rows is None and write.change.times is not None
        return EntityWrite(
            write.pattern,
            max(one.at for one in self.made) + 1,
            _updating(parent, write if by_row else None),
            parent,
            write.average,
            write.peak,
            write.times if by_row else 1.0,
            True,
            frozenset(entity.identifier),
            frozenset(),
            follows=follows,
        )


def _gets_parent(write: EntityWrite, per: frozenset[str]) -> bool:
    """Whether a child that has no parent before an update may have one after it."""
    lacking = {*write.lacks, *write.change.remove} & per
    return write.verb == "update" and lacking <= set(write.change.set)


def _updating(entity: str, by_row: EntityWrite | None = None) -> Member:
    """An update that says nothing more, repeated for the rows of another change."""
    return Member.model_construct(
        **dict.fromkeys(("create", "upsert", "delete", "check", "exists")),
        update=entity,
        by=(),
        given=(),
        set={},
        remove=(),
        add={},
        greatest={},
        append={},
        include={},
        exclude={},
        if_=(),
        or_=(),
        times=by_row.change.times if by_row else None,
        each=(by_row.change.each or by_row.entity) if by_row else None,
    )


def parameter_names(entity: Entity, change: Member) -> set[str]:
    """What the caller gives for a change."""
    operands = [
        *change.set.values(),
        *(side for test in change.conditions for side in test.operands),
    ]
    names = {side.param for side in operands if side.param is not None}
    names |= {amount.param or amount.minus or "" for amount in change.add.values()}
    for named in (change.greatest, *change.of_elements):
        names |= set(named.values())
    if change.writes_whole:
        without = left_out(entity, change) | change.set.keys()
        return names | {a.name for a in entity.stored if a.name not in without}
    return names | {*(change.by or entity.identifier), *change.given}


def _keeping(parent: EntityWrite, keeping: tuple[Keeping, ...]) -> EntityWrite:
    names = frozenset(one.figure.name for one in keeping)
    read = {one.figure.name for one in keeping if not one.figure.is_added}
    return replace(
        parent,
        keeps=(*parent.keeps, *keeping),
        changed=parent.changed | with_absences(names),
        needs=parent.needs | (read if parent.verb == "update" else set()),
    )
