"""A design while it is made from a relational schema."""

from dataclasses import dataclass, field
from typing import Any

from designer.core.importers.base import Line
from designer.core.importers.relational import ForeignKey, Table
from designer.core.messages import Message


@dataclass(eq=False)
class Thing:
    """A table on its way to an entity. Columns go by their names in small letters."""

    table: Table
    name: str
    named: dict[str, str] = field(default_factory=dict)
    """For each column the name of its attribute."""
    attributes: dict[str, dict[str, Any]] = field(default_factory=dict)
    """For each column that is kept its attribute, as a document has it."""
    identifier: tuple[str, ...] = ()
    joins: "tuple[Edge, ...]" = ()
    """Where it joins two others many to many: what leads to them."""


@dataclass(eq=False)
class Edge:
    """A foreign key between two tables that are there."""

    child: Thing
    parent: Thing
    pairs: dict[str, str]
    """For each column of the parent, the child's that holds it."""
    foreign: ForeignKey
    about: str
    is_one: bool = False
    """Whether a parent has at most one such child."""

    @property
    def is_by_identifier(self) -> bool:
        return sorted(self.pairs) == sorted(self.parent.identifier)


@dataclass
class Model:
    things: list[Thing] = field(default_factory=list)
    by_table: dict[str, Thing] = field(default_factory=dict)
    edges: list[Edge] = field(default_factory=list)
    relationships: list[dict[str, Any]] = field(default_factory=list)
    lines: list[Line] = field(default_factory=list)
    taken: set[str] = field(default_factory=set)
    """Names of entities, without capitals."""
    named: set[str] = field(default_factory=set)
    """Names of relationships, without capitals."""
    above: dict[str, set[str]] = field(default_factory=dict)
    """For each entity those that identify its items."""

    def taken_line(self, message: Message, name: str = "", line: int | None = None) -> None:
        self.lines.append(Line("taken", message, name, line))

    def guessed(self, message: Message, name: str = "", line: int | None = None) -> None:
        self.lines.append(Line("guessed", message, name, line))

    def missing(self, message: Message, name: str = "", line: int | None = None) -> None:
        self.lines.append(Line("missing", message, name, line))
