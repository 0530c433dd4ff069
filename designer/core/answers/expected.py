"""The shape of answers: what is expected, what an engine answered, and what was refused."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

Value = Any
Item = Mapping[str, Value]
State = Mapping[str, Sequence[Item]]
Parameters = Mapping[str, Value]
Join = tuple[tuple[str, Value], ...]
"""Pairs of attribute and value."""


@dataclass(frozen=True)
class Row:
    """An item of the answer, with what comes along with it by each relationship."""

    entity: str
    item: Item
    along: Mapping[str, "Along"] = field(default_factory=dict)
    passes: bool = True
    """Whether it meets what is tested after the limit: within the limit it counts all the same."""


@dataclass(frozen=True)
class Rows:
    """Rows in order. Those of a group tie: any order will do, and a limit may cut among them."""

    groups: tuple[tuple[Row, ...], ...]
    limit: int | None = None
    attributes: tuple[str, ...] | None = None
    """What each row must carry at least; None for the whole item."""

    def within_limit(self) -> Iterator[tuple[tuple[Row, ...], int, int]]:
        """For each group its rows that pass, and how few and how many of them the answer has."""
        room = self.limit
        for group in self.groups:
            taken = len(group) if room is None else min(len(group), room)
            room = None if room is None else room - taken
            passing = tuple(row for row in group if row.passes)
            least = max(0, taken - (len(group) - len(passing)))
            yield passing, least, min(taken, len(passing))

    @property
    def count(self) -> int:
        """How many rows the answer has at least: a limit may cut among rows that pass and rows that do not."""
        return sum(least for _, least, _ in self.within_limit())


@dataclass(frozen=True)
class Along:
    """What comes along with one row, and how to tell that it belongs to that row."""

    rows: Rows
    joins: Mapping[str, Join]
    """For each entity that may come along: the values by which an item belongs to the row."""
    towards_one: bool
    """It is the parent: one item may come along with several rows."""


@dataclass(frozen=True)
class Answer:
    """The expected answer of a read: rows, or a figure."""

    rows: Rows | None = None
    value: Value = None


@dataclass(frozen=True)
class Answered:
    """What an engine answered: a figure, or for each part pairs of entity and item.

    The part `rows` is what the pattern returns; the others are named by relationship.
    """

    parts: Mapping[str, Sequence[tuple[str, Item]]] = field(default_factory=dict)
    value: Value = None


@dataclass(frozen=True)
class Refused:
    """A write that must not happen, and why; nothing has changed."""

    because: str
