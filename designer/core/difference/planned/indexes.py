"""Indexes of the tables that are in both plans; those of a new or a removed table go with it."""

from collections.abc import Iterator
from typing import Any

from designer.core.difference.base import About, Change, What, code, line
from designer.core.difference.planned.sides import Sides
from designer.core.plan import Index, KeyAttribute, Table
from designer.core.words.english import joined

HOLDS = {"ALL": "everything", "KEYS_ONLY": "only keys", "INCLUDE": "what its access patterns need"}


def changes(sides: Sides) -> Iterator[Change]:
    for name, table in sides.after.tables.items():
        before = sides.before.tables.get(name)
        if before is not None:
            yield from _OfTable(sides, before, table).changes()


class _OfTable:
    """The indexes of one table in both plans. Where the table is made anew, all of them are, and none is dropped."""

    def __init__(self, sides: Sides, before: Table, after: Table) -> None:
        self.sides, self.after = sides, after
        self.old = {index.name: index for index in before.indexes}
        self.is_kept = sides.becomes(after).before is not None

    def changes(self) -> Iterator[Change]:
        stay = {index.name for index in self.after.indexes}
        for name, old in self.old.items():
            if name not in stay:
                yield self._gone(old)
        for new, planned, made in self.sides.indexes(self.after):
            was = self.old.get(new.name)
            if was is None:
                yield self._come(new, planned)
            elif not self.is_kept or made.name != was.name:
                yield from self._between(was, new, made)
            elif planned.name != was.name:
                yield self._renamed(new, planned)

    def _gone(self, old: Index) -> Change:
        said, at_stake = "is dropped", ""
        if self.is_kept and old.kind == "local":
            said = "is no longer needed. It can only be removed with its table, so a migration keeps it"
        elif self.is_kept:
            at_stake = "Whatever still reads it fails from that moment on."
        patterns = self._serves(old)
        return self._change(old, "removed", said, "", line(old), "", patterns, at_stake)

    def _come(self, new: Index, planned: Index) -> Change:
        said = f"is new, with {_key(new)}"
        if planned.name != new.name:
            said += f". The later plan calls it {code(planned.name)}, but that name is still in use"
        return self._change(new, "added", said, "", "", line(new), new.serves)

    def _renamed(self, new: Index, planned: Index) -> Change:
        said = (
            f"is called {code(planned.name)} in the later plan. A migration keeps it and its name"
        )
        return self._change(new, "renamed", said, "name", new.name, planned.name, new.serves)

    def _between(self, old: Index, new: Index, made: Index) -> Iterator[Change]:
        """Of an index that takes the place of another."""
        patterns = tuple(sorted({*self._serves(old), *new.serves}))
        differing, at_stake = [*_differing(old, new)], ""
        if self.is_kept:
            at_stake = (
                "The key and the projection of an index cannot be changed, so a migration builds "
                f"{code(made.name)} and {'leaves' if old.kind == 'local' else 'drops'} {code(old.name)}."
            )
            others = "holds other items, or the same items under other keys"
            differing = differing or [("items", others, None, None)]
        for field, said, was, now in differing:
            of = line(was), line(now)
            yield self._change(new, "changed", said, field, *of, patterns, at_stake)

    def _change(
        self,
        index: Index,
        what: What,
        said: str,
        field: str,
        was: str,
        now: str,
        patterns: tuple[int, ...],
        at_stake: str = "",
    ) -> Change:
        table = self.after.name
        about = About("index", f"{table}/{index.name}", f"Index {index.name} on {table}")
        sentence = f"Index {code(index.name)} on {code(table)} {said}."
        return Change(about, what, sentence, field, was, now, patterns, at_stake)

    def _serves(self, old: Index) -> tuple[int, ...]:
        return tuple(self.sides.names.pattern(number) for number in old.serves)


def _differing(old: Index, new: Index) -> Iterator[tuple[str, str, Any, Any]]:
    """Fields, what is said of each, and its values."""
    if old.kind != new.kind:
        yield "kind", f"is {new.kind} instead of {old.kind}", old.kind, new.kind
    if (old.partition, old.sort) != (new.partition, new.sort):
        was, now = ((*index.partition, *index.sort) for index in (old, new))
        yield "key", f"has {_key(new)} instead of {_key(old)}", was, now
    if _held(old) != _held(new):
        yield "projection", _holds(old, new), old.projection, new.projection


def _held(index: Index) -> tuple[str, frozenset[str]]:
    return index.projection.type, frozenset(index.projection.attributes)


def _holds(old: Index, new: Index) -> str:
    if old.projection.type != new.projection.type:
        return f"holds {HOLDS[new.projection.type]} instead of {HOLDS[old.projection.type]}"
    was, now = (dict.fromkeys(index.projection.attributes) for index in (old, new))
    said = []
    if come := [code(name) for name in now if name not in was]:
        said.append(f"also holds {joined(come)}")
    if gone := [code(name) for name in was if name not in now]:
        said.append(f"no longer holds {joined(gone)}")
    return joined(said)


def _key(index: Index) -> str:
    parts = [f"partition key {_names(index.partition)}"]
    return joined([*parts, f"sort key {_names(index.sort)}"] if index.sort else parts)


def _names(attributes: tuple[KeyAttribute, ...]) -> str:
    return joined([f"{code(each.name)} ({each.type})" for each in attributes])
