"""A relational schema as its file says it: what SQL, and formats like it, are read into before a design is made."""

from dataclasses import dataclass, field
from typing import Literal

from designer.core.importers.base import Line

Family = Literal[
    "text", "integer", "decimal", "float", "boolean", "date", "datetime", "time", "uuid", "json",
    "list", "binary", "search", "unknown",
]  # fmt: skip


@dataclass(frozen=True)
class Type:
    """What a column holds."""

    family: Family
    written: str
    """As the file writes it."""
    length: int | None = None
    """Characters of text: the most, or with `is_fixed` always."""
    is_fixed: bool = False
    digits: int | None = None
    scale: int | None = None
    values: tuple[str, ...] = ()


@dataclass
class Column:
    name: str
    type: Type
    line: int
    nullable: bool = True
    comment: str = ""
    default: str = ""
    """The value where none is given, as the file writes it."""
    counts_up: bool = False
    """Whether the database gives the next number."""
    made_of: str = ""
    """The expression that the database works it out from."""


@dataclass(frozen=True)
class Key:
    """Columns that identify a row, or with `is_unique` an index of them."""

    columns: tuple[str, ...]
    line: int
    name: str = ""


@dataclass(frozen=True)
class ForeignKey:
    """`columns` hold those of `to` that `target` names; its primary key where `target` is empty."""

    columns: tuple[str, ...]
    to: str
    target: tuple[str, ...]
    line: int
    name: str = ""
    rules: tuple[str, ...] = ()
    """What the database does to the row when its parent is deleted: `ON DELETE CASCADE`, `ON DELETE SET NULL`."""
    is_followed: bool = False
    """Whether the row follows a key of its parent that changes: `ON UPDATE CASCADE`."""


@dataclass(frozen=True)
class Index:
    columns: tuple[str, ...]
    line: int
    name: str = ""
    is_full_text: bool = False
    where: str = ""
    """The condition of rows that it holds, where it holds some only."""


@dataclass
class Table:
    name: str
    line: int
    schema: str = ""
    """Empty for the schema that is there anyway."""
    comment: str = ""
    columns: dict[str, Column] = field(default_factory=dict)
    """By their names in small letters, as all that refers to them is."""
    primary: Key | None = None
    uniques: list[Key] = field(default_factory=list)
    foreign: list[ForeignKey] = field(default_factory=list)
    indexes: list[Index] = field(default_factory=list)
    rows: int | None = None

    @property
    def full_name(self) -> str:
        return f"{self.schema}.{self.name}" if self.schema else self.name


@dataclass
class Relational:
    """Tables by their full names in small letters, and what was said of what is no table."""

    tables: dict[str, Table] = field(default_factory=dict)
    lines: list[Line] = field(default_factory=list)

    def find(self, name: str) -> Table | None:
        """The table of a name, with or without its schema."""
        found = self.tables.get(name)
        if found is None:
            bare = name.rpartition(".")[2]
            named = [each for each in self.tables.values() if each.name.lower() == bare]
            found = named[0] if len(named) == 1 else None
        return found
