"""Kinds of items: where they lie, their keys in the table and its indexes, and what else they carry."""

from collections.abc import Callable, Iterable, Iterator

from designer.core.difference.base import About, Change, code
from designer.core.difference.planned.sides import Placed, Sides
from designer.core.plan import Index, Member, Shape, Source, Step, StoredAttribute, Table
from designer.core.plan.keys import rename
from designer.core.sentences.templates import only_if_text, without_condition
from designer.core.words import figures
from designer.core.words.english import joined


def changes(sides: Sides) -> Iterator[Change]:
    for old, new in sides.items:
        if new is not None:
            yield from _come(sides, new) if old is None else _Between(sides, old, new).changes()
        elif old is not None:
            yield _gone(sides, old)


def _gone(sides: Sides, old: Placed) -> Change:
    return Change(
        _about(old.shape),
        "removed",
        f"{code(old.table.name)} no longer stores {old.label} items.",
        patterns=_using(sides, old, None),
        at_stake=f"{_all(old.shape)} are no longer kept there.",
    )


def _come(sides: Sides, new: Placed) -> Iterator[Change]:
    is_made = sides.change.lineage.old_entity(new.shape.entity) is not None
    yield Change(
        _about(new.shape),
        "added",
        f"{new.label} items are stored in {code(new.table.name)}, under {_key(new, _key_names(new.table))}.",
        patterns=_using(sides, None, new),
        at_stake=f"{_all(new.shape)} have to be created from the existing data." if is_made else "",
    )


class _Between:
    """One kind of item in both plans."""

    def __init__(self, sides: Sides, old: Placed, new: Placed) -> None:
        self.sides, self.old, self.new = sides, old, new
        self.patterns = _using(sides, old, new)
        self.rewritten = f"{_all(new.shape)} have to be rewritten."
        becomes = sides.shape(new)
        self.stays = becomes is not None and becomes.before is not None
        """It lies in its place under its key; what does not is copied, or lies in other items."""
        self.written = (
            {*(value.attribute for value in becomes.sets), *becomes.leaves} if becomes else set()
        )
        """Attributes that a migration sets or removes where the items stay, as they are called there."""

    def changes(self) -> Iterator[Change]:
        yield from self._place()
        yield from self._table_key()
        yield from self._index_keys()
        yield from self._attributes()
        yield from self._added()

    def _change(
        self,
        field: str,
        sentence: str,
        was: str,
        now: str,
        at_stake: str = "",
        patterns: tuple[int, ...] | None = None,
    ) -> Change:
        said = f"{self.new.label} items {sentence}."
        about = _about(self.new.shape)
        affected = self.patterns if patterns is None else patterns
        return Change(about, "changed", said, field, was, now, affected, at_stake)

    def _place(self) -> Iterator[Change]:
        was, now = self.old.table.name, self.new.table.name
        if was != now:
            copied = f"{_all(self.new.shape)} have to be copied into it."
            said = f"are stored in {code(now)} instead of {code(was)}"
            yield self._change("table", said, was, now, copied)
        old, new = self.old.shape.inside, self.new.shape.inside
        if (old is None) != (new is None) or (old and new and old.attribute != new.attribute):
            was = f"in attribute `{old.attribute}` of {old.shape}" if old else "on their own"
            now = f"in attribute `{new.attribute}` of {new.shape}" if new else "on their own"
            yield self._change(
                "inside", f"are stored {now} instead of {was}", was, now, self.rewritten
            )

        name = self.sides.after.plan.type_attribute
        if name in self.old.shape.set and name in self.new.shape.set:
            was, now = self.old.shape.set[name], self.new.shape.set[name]
            if was != now:
                said = f"have {code(now)} in {code(name)} instead of {code(was)}"
                yield self._change(name, said, was, now, self.rewritten)

    def _table_key(self) -> Iterator[Change]:
        if self.new.shape.inside is not None or self.old.shape.inside is not None:
            return
        was, now = self._templates(self.old), self._templates(self.new)
        old = {name: was(name) for name in _key_names(self.old.table)}
        new = {name: now(name) for name in _key_names(self.new.table)}
        if list(old.values()) == list(new.values()):
            return
        said = f"have the key {_said(new)} instead of {_said(old)}"
        moved = (
            f"{_all(self.new.shape)} have to be rewritten under the new key, "
            "and deleted under the old one."
        )
        by_key = _using(self.sides, self.old, self.new, lambda step: step.index is None)
        yield self._change("key", said, _said(old, ""), _said(new, ""), moved, by_key)

    def _index_keys(self) -> Iterator[Change]:
        """Of indexes of one name; what a new index needs is told as well, for what is there lacks it."""
        if self.old.table.name != self.new.table.name:
            return  # Whoever copies the items writes them as they are to be.
        indexes = {index.name: index for index in self.old.table.indexes}
        for new, _, made in self.sides.indexes(self.new.table):
            yield from self._index_key(indexes.get(new.name), new, made)

    def _index_key(self, old: Index | None, new: Index, made: Index) -> Iterator[Change]:
        """`made`: as a migration makes the new one."""
        was, now = self._templates(self.old), self._templates(self.new)
        keys = [] if old is None else _names(old)
        had = {key: was(key) for key in keys if key in self.old.shape.set}
        has = {key: now(key) for key in _names(new) if key in self.new.shape.set}
        lacks = [code(name) for name in _names(made) if name in self.written]
        is_written = bool(lacks or self.written & {*keys}) or not self.stays
        at_stake = self.rewritten if is_written else ""
        if list(had.values()) == list(has.values()):
            if not has or not lacks:
                return
            said = f"keep the key {_said(has)} in index {code(new.name)}, which is built again"
            at_stake = self._lacking(joined(lacks))
        elif old is None:
            said = f"carry {_said(has)} for index {code(new.name)}"
            at_stake = self._lacking() if is_written else ""
        elif not has:
            said = f"are no longer in index {code(new.name)}"
        elif not had:
            said = f"are now in index {code(new.name)}, under {_said(has)}"
        else:
            said = f"have the key {_said(has)} in index {code(new.name)} instead of {_said(had)}"
        of = f"key of {new.name}", said, _said(had, ""), _said(has, "")
        yield self._change(*of, at_stake, self._users(new.name, had, has))

    def _users(self, index: str, had: dict[str, str], made: dict[str, str]) -> tuple[int, ...]:
        """The patterns that read such items by an index, or write what of its key is another."""
        names = {name for name in (*had, *made) if had.get(name) != made.get(name)}
        return _using(
            self.sides,
            self.old,
            self.new,
            lambda step: step.index == index,
            lambda member: bool(names & {*member.values, *member.set, *member.remove}),
        )

    def _attributes(self) -> Iterator[Change]:
        called = self.sides.names
        entity = self.old.shape.entity
        old = {
            called.attribute(entity, name): (name, stored)
            for name, stored in self.old.shape.attributes.items()
        }
        new = self.new.shape.attributes
        for name, (own, stored) in old.items():
            if name not in new:
                lost = f"{_all(self.new.shape)} still have it, and nothing reads it."
                keeps = stored.from_ is None
                yield self._change(
                    name, f"no longer carry {_what(name, stored)}", own, "", lost if keeps else ""
                )
        for name, stored in new.items():
            if name not in old:
                said = f"now carry {_what(name, stored)}"
                yield self._change(name, said, "", name, self._stake_of(name))
                continue
            own, was = old[name]
            if own != name:
                said = f"now carry {code(own)} as {code(name)}"
                yield self._change(name, said, own, name, self.rewritten)
            if was.type != stored.type:
                said = f"hold {code(name)} as {stored.type} instead of {was.type}"
                yield self._change(name, said, was.type, stored.type, self.rewritten)

    def _added(self) -> Iterator[Change]:
        """What the plan adds besides keys: a time to live under the name that the whole table has for it."""
        table = self.new.table
        keys = {*_key_names(table), *(name for index in table.indexes for name in _names(index))}
        for name, template in self.new.shape.set.items():
            if name not in self.old.shape.set and name not in keys:
                said = _said({name: template})
                yield self._change(name, f"now carry {said}", "", template, self._stake_of(name))

    def _stake_of(self, name: str) -> str:
        """Of an attribute that came."""
        return self._lacking() if name in self.written or not self.stays else ""

    def _lacking(self, what: str = "it") -> str:
        return f"{_all(self.new.shape)} lack {what} until they are rewritten."

    def _templates(self, placed: Placed) -> "_Templates":
        return _Templates(self.sides, placed, placed is self.old)


class _Templates:
    """What is in the key attributes of a kind of item, in the names of the design that is."""

    def __init__(self, sides: Sides, placed: Placed, is_old: bool) -> None:
        self.sides, self.shape, self.is_old = sides, placed.shape, is_old

    def __call__(self, name: str) -> str:
        template = self.shape.set.get(name, f"{{{name}}}")
        if not self.is_old:
            return template
        return rename(template, lambda old: self.sides.names.attribute(self.shape.entity, old))


def _key_names(table: Table) -> list[str]:
    sort = table.key.sort
    return [table.key.partition.name, *([sort.name] if sort is not None else [])]


def _names(index: Index) -> list[str]:
    return [each.name for each in (*index.partition, *index.sort)]


def _said(templates: dict[str, str], mark: str = "`") -> str:
    return joined(
        [
            f"{mark}{name} = {without_condition(text)}{mark} {only_if_text(text)}".rstrip()
            for name, text in templates.items()
        ]
    )


def _key(placed: Placed, names: Iterable[str]) -> str:
    shape = placed.shape
    if shape.inside is not None:
        return f"attribute `{shape.inside.attribute}` of {shape.inside.shape}"
    return _said({name: shape.set.get(name, f"{{{name}}}") for name in names})


def _what(name: str, stored: StoredAttribute) -> str:
    source: Source | None = stored.from_
    if source is None:
        return f"the attribute {code(name)}"
    return f"{code(name)}, a copy of {source.entity}.{source.attribute},"


def _all(shape: Shape) -> str:
    if not shape.items:
        return f"All {shape.shape} items"
    return f"All {figures.number(shape.items)} {shape.shape} items"


def _about(shape: Shape) -> About:
    return About("items", shape.shape, f"{shape.shape} items")


def _using(
    sides: Sides,
    old: Placed | None,
    new: Placed | None,
    reads: Callable[[Step], bool] = lambda step: True,
    writes: Callable[[Member], bool] = lambda member: True,
) -> tuple[int, ...]:
    """The patterns that read or write such items, in either plan: of their requests those that are asked for."""
    found: set[int] = set()
    for side, placed in ((sides.before, old), (sides.after, new)):
        if placed is None:
            continue
        numbers = {
            operation.pattern
            for operation in side.plan.operations
            for step in operation.steps
            if (placed.shape.shape in step.shapes and reads(step))
            or any(member.shape == placed.shape.shape and writes(member) for member in step.members)
        }
        is_before = side is sides.before
        found |= {sides.names.pattern(each) if is_before else each for each in numbers}
    return tuple(sorted(found))
