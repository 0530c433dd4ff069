"""Which table of an old plan a table of a new one can stay, which of its indexes, and why not."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from designer.core.migration.lineage import Lineage
from designer.core.migration.meeting import collide, disturbs, entry, reads_of, templates
from designer.core.migration.renaming import Names, renamed
from designer.core.plan import Index, Plan, Shape, Table


@dataclass
class Fit:
    """A table of the later plan beside the one that it could become."""

    lineage: Lineage
    before: Table | None
    after: Table
    because: list[str] = field(default_factory=list)
    """Why that one is not kept."""
    pairs: list[tuple[Shape, Shape]] = field(default_factory=list)
    """Shapes whose items stay where they are: as they were, as they are to be."""
    indexes: dict[str, str] = field(default_factory=dict)
    """Indexes of the later plan, and how they are called where they are deployed."""
    attributes: dict[str, str] = field(default_factory=dict)
    """The same of key attributes that the plan adds."""
    matched: dict[str, str] = field(default_factory=dict)
    """Of `indexes`, those that are there already: by the name in the later plan, the deployed one."""

    @property
    def kept(self) -> Table | None:
        return None if self.because else self.before

    def old_templates(self, shape: Shape) -> dict[str, str]:
        """What a later shape's attributes hold, in the words of the earlier design."""
        return {
            name: self.lineage.in_old_words(shape.entity, said)
            for name, said in templates(shape).items()
        }

    def moved(self) -> Iterator[Shape]:
        """Later shapes of which there are items, but not in this place."""
        paired = {id(new) for _, new in self.pairs}
        for shape in self.after.items:
            known = self.lineage.old_entity(shape.entity) is not None
            if known and shape.inside is None and id(shape) not in paired:
                yield shape

    def leftovers(self) -> Iterator[Shape]:
        """Earlier shapes that the later plan does not have in this place."""
        assert self.before is not None
        paired = {id(old) for old, _ in self.pairs}
        yield from (s for s in self.before.items if s.inside is None and id(s) not in paired)


def fits_of(lineage: Lineage, before: Plan, after: Plan) -> list[Fit]:
    """Each table of the later plan with the table that it could become, and whether it can."""
    by_name = {table.name: table for table in before.tables}
    fits = [Fit(lineage, by_name.get(table.name), table) for table in after.tables]
    free = [table for table in before.tables if table.name not in {t.name for t in after.tables}]
    for fit in fits:
        if fit.before is None:
            # A table whose name alone is another stays under the one that it has.
            same = [t for t in free if _same_key(t, fit.after) and _shared(lineage, t, fit.after)]
            best = max(same, key=lambda t: len(_shared(lineage, t, fit.after)), default=None)
            if best is not None:
                fit.before = best
                free.remove(best)
    for fit in fits:
        _fit(before, after, fit)
    return fits


def _fit(before: Plan, after: Plan, fit: Fit) -> None:
    """Find what of a table stays, or why it does not."""
    old = fit.before
    if old is None:
        return
    if not _same_key(old, fit.after):
        fit.because.append("Its primary key differs, and DynamoDB cannot change a table's key.")
        return
    fit.pairs = list(_pairs(fit, old))
    not_the_same: set[str] = set()
    while True:
        fit.matched, fit.indexes, fit.attributes = {}, {}, {}
        _match_indexes(fit, old, not_the_same)
        later = renamed(after, {fit.after.name: Names(old.name, fit.indexes, fit.attributes)})
        disturbed = set(_disturbed_indexes(before, later, fit))
        if not disturbed:
            break
        not_the_same |= disturbed
    fit.because += dict.fromkeys(
        (
            *_without_local_indexes(fit),
            *_conflicts(before, after, fit, old),
            *_disturbed(before, later, fit, old),
        )
    )


def _same_key(one: Table, other: Table) -> bool:
    return one.key == other.key


def _shared(lineage: Lineage, old: Table, new: Table) -> set[tuple[str, str]]:
    """The kinds of items that two tables have in common."""
    return {(s.entity, s.shape) for s in old.items} & {
        was for s in new.items if (was := lineage.was(s)) is not None
    }


def _pairs(fit: Fit, old: Table) -> Iterator[tuple[Shape, Shape]]:
    """The shapes that are in both tables under the same primary key."""
    known = {(s.entity, s.shape): s for s in old.items if s.inside is None}
    own = [part.name for part in (old.key.partition, old.key.sort) if part is not None]
    for shape in fit.after.items:
        was = fit.lineage.was(shape)
        found = known.get(was) if was is not None and shape.inside is None else None
        if found is None or found.role != shape.role:
            continue
        one, other = templates(found), fit.old_templates(shape)
        if all(one.get(name) == other.get(name) for name in own):
            yield found, shape


def _match_indexes(fit: Fit, old: Table, not_the_same: set[str]) -> None:
    """Name the later table's indexes and the attributes of their keys."""
    added = {name for shape in fit.after.items for name in shape.set}
    free = [*old.indexes]
    # One of the same name first, so that as little as can be is called otherwise.
    by_name = sorted(fit.after.indexes, key=lambda i: i.name not in {o.name for o in free})
    for index in by_name:
        if index.name in not_the_same:
            continue
        for one in sorted(free, key=lambda o: o.name != index.name):
            names = _same_index(fit, one, index, added)
            if names is not None and all(
                fit.attributes.get(new, was) == was for new, was in names.items()
            ):
                fit.attributes |= names
                fit.matched[index.name] = fit.indexes[index.name] = one.name
                free.remove(one)
                break
    taken = {index.name for index in old.indexes}
    in_use = {name for shape in old.items for name in templates(shape)}
    in_use |= {part.name for i in old.indexes for part in (*i.partition, *i.sort)}
    for index in fit.after.indexes:
        if index.name in fit.matched:
            continue
        fit.indexes[index.name] = name = free_name(index.name, taken)
        taken.add(name)
        for part in (*index.partition, *index.sort):
            if part.name not in added or part.name in fit.attributes:
                continue
            if part.name in in_use and not _holds_the_same(fit, old, part.name):
                called = part.name
                if part.name.startswith(index.name):
                    called = name + part.name.removeprefix(index.name)
                fit.attributes[part.name] = free_name(called, in_use)
            else:
                fit.attributes[part.name] = part.name
            in_use.add(fit.attributes[part.name])


def _same_index(fit: Fit, old: Index, new: Index, added: set[str]) -> dict[str, str] | None:
    """Whether two indexes hold the same under the same key: how the later one's attributes are called. None: not."""
    parts = list(zip((*new.partition, *new.sort), (*old.partition, *old.sort), strict=False))
    if (
        (old.kind, len(old.partition), len(old.sort))
        != (new.kind, len(new.partition), len(new.sort))
        or old.projection.type != new.projection.type
        or any(one.type != other.type for one, other in parts)
        or any(one.name != other.name and one.name not in added for one, other in parts)
    ):
        return None
    names = {one.name: other.name for one, other in parts if one.name in added}
    own = {one.name for one, _ in parts} | {other.name for _, other in parts}
    listed = {names.get(name, name) for name in new.projection.attributes}
    if listed - own != set(old.projection.attributes) - own:
        return None
    common = 0
    for was, shape in fit.pairs:
        known = fit.old_templates(shape)
        one, other = entry(was, old), entry(shape, new)
        if one is None or other is None:
            continue
        if one != tuple(known[part.name] for part, _ in parts):
            return None
        common += 1
    return names if common else None


def _holds_the_same(fit: Fit, old: Table, name: str) -> bool:
    """Whether an attribute of keys holds in every kind of item just what it held."""
    types = {p.name: p.type for i in old.indexes for p in (*i.partition, *i.sort)}
    new_types = {p.name: p.type for i in fit.after.indexes for p in (*i.partition, *i.sort)}
    if types.get(name, new_types[name]) != new_types[name]:
        return False
    was = {id(new): templates(shape).get(name) for shape, new in fit.pairs}
    stays = {id(shape) for shape, _ in fit.pairs}
    if any(name in templates(s) for s in old.items if id(s) not in stays):
        return False
    return all(
        fit.old_templates(shape).get(name) == was.get(id(shape)) for shape in fit.after.items
    )


def _disturbed_indexes(before: Plan, later: Plan, fit: Fit) -> Iterator[str]:
    """Matched indexes in which items of the one plan would come between those of the other."""
    old = fit.before
    assert old is not None
    new = later.table(old.name)
    shapes = {shape.shape: shape for shape in new.items}
    for planned, name in fit.matched.items():
        was = next(index for index in old.indexes if index.name == name)
        is_ = next(index for index in new.indexes if index.name == name)
        old_reads = [step for _, step in reads_of(before, old.name, name)]
        new_reads = [step for _, step in reads_of(later, old.name, name)]
        moved = [shapes[shape.shape] for shape in fit.moved()]
        entering = [
            shapes[shape.shape]
            for earlier, shape in fit.pairs
            if entry(earlier, was) is None and entry(shapes[shape.shape], is_) is not None
        ]
        leaving = [
            earlier
            for earlier, shape in fit.pairs
            if entry(earlier, was) is not None and entry(shapes[shape.shape], is_) is None
        ]
        if any(
            disturbs(before, old, name, step, shape)
            for step in old_reads
            for shape in (*moved, *entering)
        ) or any(
            disturbs(later, new, name, step, shape)
            for step in new_reads
            for shape in (*leaving, *fit.leftovers())
        ):
            yield planned


def _without_local_indexes(fit: Fit) -> Iterator[str]:
    for index in fit.after.indexes:
        if index.kind == "local" and index.name not in fit.matched:
            yield (
                f"It needs the local index {index.name}, which can only be created with its table."
            )


def _conflicts(before: Plan, after: Plan, fit: Fit, old: Table) -> Iterator[str]:
    """What an item cannot be for both plans at once."""
    for was, shape in fit.pairs:
        one = templates(was)
        other = {fit.attributes.get(n, n): said for n, said in fit.old_templates(shape).items()}
        for name in sorted(one.keys() & other.keys()):
            if one[name] != other[name]:
                yield f"The attribute {name} of {shape.shape} would have to hold two things at once."
        for name, said in shape.attributes.items():
            earlier = was.attributes.get(name)
            if earlier is not None and earlier.type != said.type:
                yield f"The attribute {name} of {shape.shape} changes its type from {earlier.type} to {said.type}."
            elif earlier is not None and earlier.from_ != said.from_:
                yield f"The copy {name} of {shape.shape} gets another source."
        for name, held in shape.holds.items():
            if name in was.holds and not _same_inside(before, after, was.holds[name], held):
                yield f"The items in {name} of {shape.shape} get another form."
            elif name in was.attributes or (name in was.holds) != (name in one | was.holds):
                yield f"The attribute {name} of {shape.shape} would have to hold two things at once."
        if _counters(before, was) != _counters(after, shape):
            yield f"Numbers of {shape.shape} move to other counters, and both would count at once."
    types = {p.name: p.type for i in old.indexes for p in (*i.partition, *i.sort)}
    for index in fit.after.indexes:
        for part in (*index.partition, *index.sort):
            name = fit.attributes.get(part.name, part.name)
            if types.get(name, part.type) != part.type:
                yield f"The key attribute {name} changes its type."


def _same_inside(before: Plan, after: Plan, was: str, is_: str) -> bool:
    one, other = before.shape(was), after.shape(is_)
    return one.inside == other.inside and all(
        name not in one.attributes or one.attributes[name].type == said.type
        for name, said in other.attributes.items()
    )


def _counters(plan: Plan, shape: Shape) -> list[tuple[tuple[str, ...], int | None]]:
    if shape.role != "entity":
        return []
    return [
        (one.counts, one.shards)
        for table in plan.tables
        for one in table.items
        if one.role == "counter" and one.entity == shape.entity
    ]


def _disturbed(before: Plan, later: Plan, fit: Fit, old: Table) -> Iterator[str]:
    """Where items of the one plan would come between those that the other reads."""
    new = later.table(old.name)
    shapes = {shape.shape: shape for shape in new.items}
    moved = [shapes[shape.shape] for shape in fit.moved()]
    left = list(fit.leftovers())
    for shape in moved:
        for operation, step in reads_of(before, old.name, None):
            if disturbs(before, old, None, step, shape):
                yield (
                    f"Pattern {operation.pattern} would read the new {shape.shape} items while it is "
                    f"still served as before."
                )
    for shape in left:
        for operation, step in reads_of(later, old.name, None):
            if disturbs(later, new, None, step, shape):
                yield (
                    f"Pattern {operation.pattern} would read the old {shape.shape} items while they are still "
                    "there."
                )
    for shape in (*moved, *(s for s in new.items if fit.lineage.old_entity(s.entity) is None)):
        for other in left:
            if shape.inside is None and collide(templates(shape), templates(other), old):
                yield f"A new {shape.shape} could have the key of an old {other.shape}."


def free_name(name: str, taken: Iterable[str], known_by: Callable[[str], str] = str) -> str:
    """The name, or the next that is free: `GSI2` after `GSI1`, `shop-2` after `shop`.

    `known_by` gives what two names must not have in common.
    """
    used, stem = set(map(known_by, taken)), name.rstrip("0123456789")
    if known_by(name) not in used:
        return name
    number = int(name[len(stem) :] or 1) + 1
    joint = (
        "" if stem != name else "-" if "-" in name or "." in name or not name[0].isupper() else ""
    )
    while known_by(f"{stem}{joint}{number}") in used:
        number += 1
    return f"{stem}{joint}{number}"
