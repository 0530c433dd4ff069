"""Tables: their keys, and the settings of all their items."""

from collections.abc import Iterator
from typing import Any

from designer.core.difference.base import About, Change, code, line
from designer.core.difference.planned.sides import Sides
from designer.core.migration import TableChange
from designer.core.plan import Key, Table
from designer.core.words import figures
from designer.core.words.english import clause, joined


def changes(sides: Sides) -> Iterator[Change]:
    old, new = sides.before.tables, sides.after.tables
    for name, table in old.items():
        if name not in new:
            yield Change(
                _about(table),
                "removed",
                f"Table {code(name)} is no longer needed.",
                patterns=_serves(sides, table),
                at_stake="It is deleted with everything in it; copy what is still needed first.",
            )
    for name, table in new.items():
        if name not in old:
            sentence = f"Table {code(name)} is new, with {_key(table.key)}."
            yield Change(_about(table), "added", sentence, patterns=table.serves)
        else:
            yield from _between(sides, old[name], table)


def _between(sides: Sides, old: Table, new: Table) -> Iterator[Change]:
    affected = tuple(sorted({*_serves(sides, old), *new.serves}))

    def change(field: str, sentence: str, was: Any, now: Any, at_stake: str = "") -> Change:
        told = f"Table {code(new.name)} {sentence}."
        of = line(was), line(now)
        return Change(_about(new), "changed", told, field, *of, affected, at_stake)

    becomes = sides.becomes(new)
    if old.key != new.key:
        said = f"has {_key(new.key)} instead of {_key(old.key)}"
        yield change("key", said, old.key, new.key, _made(becomes, becomes.because))
    elif becomes.before is None:
        because = (
            f"has to be replaced, because {clause(becomes.because[0])}"
            if becomes.because
            else "has to be created in the other Region"
        )
        at_stake = _made(becomes, becomes.because[1:])
        yield change("table", because, old.name, becomes.table.name, at_stake)
    elif becomes.planned != new.name:
        sentence = (
            f"Table {code(new.name)} is called {code(becomes.planned)} in the later plan. "
            "A migration keeps it and its name."
        )
        of = new.name, becomes.planned
        yield Change(_about(new), "renamed", sentence, "name", *of, affected)
    if old.ttl != new.ttl:
        yield _ttl(change, old.ttl, new.ttl)
    if old.stream != new.stream:
        now = f"has a stream of `{new.stream}`" if new.stream else "no longer has a stream"
        was = f" instead of `{old.stream}`" if old.stream and new.stream else ""
        yield change("stream", now + was, old.stream, new.stream)
    if old.recovery_days != new.recovery_days:
        days = f"can be restored to any time of the last {new.recovery_days} days instead of {old.recovery_days}"
        lost = "Anything older can no longer be restored."
        less = new.recovery_days < old.recovery_days
        yield change(
            "recovery_days", days, old.recovery_days, new.recovery_days, lost if less else ""
        )
    if old.table_class != new.table_class:
        now = f"is of class `{new.table_class}` instead of `{old.table_class}`"
        yield change("table_class", now, old.table_class, new.table_class)


def _made(becomes: TableChange, reasons: tuple[str, ...]) -> str:
    """What makes a table anew does to its items. `reasons`: those that are not told yet."""
    is_first = len(reasons) == len(becomes.because)
    said, others = (reasons[:1], reasons[1:]) if is_first else ((), reasons)
    more = [
        f"There {'is' if len(others) == 1 else 'are'} {figures.count(len(others), 'more reason')}."
    ]
    made = f"A migration creates {code(becomes.table.name)} and copies all items into it."
    return " ".join((*said, *(more if others else ()), made))


def _ttl(change: Any, was: str | None, now: str | None) -> Change:
    if now is None:
        at_stake = "Expired items are no longer deleted, and the table grows."
        said = f"no longer deletes items by {code(was or '')}"
    else:
        at_stake = "Expired items are deleted, including those already there."
        by = f" instead of {code(was)}" if was else ""
        said = f"deletes items by {code(now)}{by}"
    found: Change = change("ttl", said, was, now, at_stake)
    return found


def _serves(sides: Sides, table: Table) -> tuple[int, ...]:
    return tuple(sides.names.pattern(number) for number in table.serves)


def _about(table: Table) -> About:
    return About("table", table.name, f"Table {table.name}")


def _key(key: Key) -> str:
    parts = [f"partition key {code(key.partition.name)} ({key.partition.type})"]
    if key.sort is not None:
        parts.append(f"sort key {code(key.sort.name)} ({key.sort.type})")
    return joined(parts)
