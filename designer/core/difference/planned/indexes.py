"""Indexes of the tables that are in both plans; those of a new or a removed table go with it."""

from collections.abc import Iterator
from typing import Any

from designer.core.difference.base import About, Change, code, line
from designer.core.difference.planned.sides import Sides
from designer.core.plan import Index, KeyAttribute, Table
from designer.core.sentences import joined

REBUILT = "An index keeps its key and what it holds: it is deleted and built again, or another takes its place."
LOCAL = "A local index comes and goes with its table: a new table takes its place, and all items are copied into it."
HOLDS = {"ALL": "everything", "KEYS_ONLY": "only keys", "INCLUDE": "what its questions need"}


def changes(sides: Sides) -> Iterator[Change]:
    for name, table in sides.after.tables.items():
        before = sides.before.tables.get(name)
        if before is not None:
            yield from _of_table(sides, before, table)


def _of_table(sides: Sides, before: Table, after: Table) -> Iterator[Change]:
    old, new = ({index.name: index for index in table.indexes} for table in (before, after))
    for name, index in old.items():
        if name not in new:
            gone = "What still reads it fails from that moment on."
            yield Change(
                _about(after, index),
                "removed",
                f"Index {code(name)} of {code(after.name)} is dropped.",
                before=line(index),
                patterns=_serves(sides, index),
                at_stake=LOCAL if index.kind == "local" else gone,
            )
    for name, index in new.items():
        if name in old:
            yield from _between(sides, after, old[name], index)
            continue
        yield Change(
            _about(after, index),
            "added",
            f"Index {code(name)} of {code(after.name)} is new, with {_key(index)}.",
            after=line(index),
            patterns=index.serves,
            at_stake=LOCAL if index.kind == "local" else "",
        )


def _between(sides: Sides, table: Table, old: Index, new: Index) -> Iterator[Change]:
    patterns = tuple(sorted({*_serves(sides, old), *new.serves}))

    def change(field: str, sentence: str, was: Any, now: Any) -> Change:
        said = f"Index {code(new.name)} of {code(table.name)} {sentence}."
        at_stake = LOCAL if "local" in (old.kind, new.kind) else REBUILT
        of = line(was), line(now)
        return Change(_about(table, new), "changed", said, field, *of, patterns, at_stake)

    if old.kind != new.kind:
        yield change("kind", f"is {new.kind} instead of {old.kind}", old.kind, new.kind)
    if (old.partition, old.sort) != (new.partition, new.sort):
        was, now = ((*index.partition, *index.sort) for index in (old, new))
        yield change("key", f"has {_key(new)} instead of {_key(old)}", was, now)
    if _held(old) != _held(new):
        yield change("projection", _holds(old, new), old.projection, new.projection)


def _held(index: Index) -> tuple[str, frozenset[str]]:
    return index.projection.type, frozenset(index.projection.attributes)


def _holds(old: Index, new: Index) -> str:
    if old.projection.type != new.projection.type:
        return f"holds {HOLDS[new.projection.type]} instead of {HOLDS[old.projection.type]}"
    was, now = (dict.fromkeys(index.projection.attributes) for index in (old, new))
    said = []
    if come := [code(name) for name in now if name not in was]:
        said.append(f"holds {joined(come)} too")
    if gone := [code(name) for name in was if name not in now]:
        said.append(f"no longer holds {joined(gone)}")
    return joined(said)


def _about(table: Table, index: Index) -> About:
    return About("index", f"{table.name}/{index.name}", f"Index {index.name} of {table.name}")


def _serves(sides: Sides, index: Index) -> tuple[int, ...]:
    return tuple(sides.names.pattern(number) for number in index.serves)


def _key(index: Index) -> str:
    parts = [f"partition key {_names(index.partition)}"]
    return joined([*parts, f"sort key {_names(index.sort)}"] if index.sort else parts)


def _names(attributes: tuple[KeyAttribute, ...]) -> str:
    return joined([f"{code(each.name)} ({each.type})" for each in attributes])
