"""What is shown of tables and indexes: sheets, grids, collections, rows and cells."""

from dataclasses import dataclass
from typing import Literal

from designer.core.grid.pieces import Piece
from designer.core.plan import Style
from designer.core.words import figures

Showing = Literal["samples", "templates"]
"""Example items, or one row for each shape with the templates of its keys."""

HUES = 16
"""Eight colours, with a square mark and with a round one."""
MOST_COLUMNS = 10
"""Attribute columns of a table; with more attributes each row shows its own, one after the other."""
MOST_CELLS = 8
"""Attributes of a row where each row shows its own."""

STYLE_LABELS: dict[Style, str] = {
    "single": "Single table",
    "multi": "Multi table",
    "grouped": "Grouped tables",
}
STYLE_WORDS: dict[Style, str] = {
    "single": "single-table style",
    "multi": "multi-table style",
    "grouped": "grouped style",
}
"""The styles as sentences name them, after an article."""


@dataclass(frozen=True)
class Column:
    """An attribute that has a column of its own."""

    name: str
    title: str = ""
    """What it is the key of, if anything."""
    is_number: bool = False
    is_made: bool = False
    """The plan made it for a key; the entity has no such attribute."""


State = Literal["present", "absent", "none", "unprojected"]
"""`none`: items of this shape never have it. `absent`: this one has not. `unprojected`: it has, but
not in this index.
"""


@dataclass(frozen=True)
class Cell:
    """One attribute of one row."""

    name: str
    state: State
    pieces: tuple[Piece, ...] = ()
    full: str = ""
    """The whole value, where the pieces shorten it."""
    is_key: bool = False
    is_number: bool = False
    spelled_by: str = ""
    """The key attribute from whose text a read takes a value that the index does not hold."""

    @property
    def where(self) -> str:
        """What stands instead of a value that the index does not hold."""
        return f"in {self.spelled_by}" if self.spelled_by else "not projected"


Mark = Literal["", "returned", "dropped", "looked-up", "put", "update", "delete", "check"]

NOTES: dict[Mark, str] = {
    "dropped": "read, then dropped",
    "looked-up": "read on the way to the answer",
    "put": "written",
    "update": "changed",
    "delete": "deleted",
    "check": "checked",
}


@dataclass(frozen=True)
class Row:
    """One item, or one shape where templates are shown."""

    id: str
    """Stable: the same item keeps it whatever else changes."""
    item: str
    """`Order-2`, the same in the table and in every index."""
    label: str
    """The entity, or the shape's name when it is not the entity itself."""
    shape: str
    hue: int
    sort: Cell | None
    keys: tuple[Cell, ...]
    """In the order of the grid's key columns."""
    cells: tuple[Cell, ...]
    more: tuple[str, ...] = ()
    """Attributes for which there was no room."""
    padding: int = 0
    """Columns left empty at the end."""
    mark: Mark = ""
    number: int | None = None
    """The row's place in the answer."""
    note: str = ""
    """The mark in words."""


@dataclass(frozen=True)
class Collection:
    """The items of one partition key value."""

    partition: tuple[Piece, ...]
    rows: tuple[Row, ...]
    size_bytes: int = 0

    @property
    def is_lit(self) -> bool:
        """The selected pattern touches one of its items."""
        return any(row.mark for row in self.rows)

    @property
    def sentence(self) -> str:
        return f"{figures.count(len(self.rows), 'item')}, {figures.binary_size(self.size_bytes)}"


@dataclass(frozen=True)
class Reading:
    """What the selected pattern does with the example items."""

    parameters: tuple[tuple[str, str], ...]
    read: int
    returned: int
    written: int
    sentence: str
    """`With userId u1: reads 3 items, returns 2.`"""


@dataclass(frozen=True)
class OtherKey:
    """The key of an index of the table; in an index, that of the table."""

    label: str
    columns: tuple[int, ...]
    """Its attributes among the grid's key columns, those that the plan made."""


@dataclass(frozen=True)
class Grid:
    """A table, or one of its indexes."""

    id: str
    table: str
    index: str | None
    partition: tuple[str, ...]
    sort: tuple[str, ...]
    key_columns: tuple[Column, ...]
    """Other key attributes: of the indexes in a table, of the table in an index."""
    columns: tuple[Column, ...]
    layout: Literal["columns", "positions"]
    """A column for each attribute, or each row's own attributes one after the other."""
    width: int
    """Columns that attributes take."""
    collections: tuple[Collection, ...]
    items: int
    elsewhere: int = 0
    """Items of the table that are not in this index."""
    others: tuple["OtherKey", ...] = ()
    """What else the items are found by, where the plan made that of texts."""
    words: tuple[tuple[str, str], ...] = ()
    """What is said of key attributes, each with its place: `Order PK`."""
    form: Showing = "samples"
    is_lit: bool = False
    """A pattern is selected and touches this grid."""
    reading: Reading | None = None
    hidden: tuple[str, ...] = ()
    """Attributes left out of every row."""

    @property
    def title(self) -> str:
        return (
            f"Table {self.table}" if self.index is None else f"Index {self.index} on {self.table}"
        )

    @property
    def partition_name(self) -> str:
        return " + ".join(self.partition)

    @property
    def sort_name(self) -> str:
        return " + ".join(self.sort)

    @property
    def sentence(self) -> str:
        if self.form == "templates":
            return f"{figures.count(self.items, 'item type')}."
        said = f"{figures.count(self.items, 'item')}, {figures.count(len(self.collections), 'collection')}"
        return f"{said}; {self.left_out}." if self.left_out else f"{said}."

    @property
    def left_out(self) -> str:
        """How many of the table's items an index does not hold; empty if it holds all."""
        if not self.elsewhere:
            return ""
        return (
            f"{self.elsewhere} of the table's {self.items + self.elsewhere} items"
            f" {'is' if self.elsewhere == 1 else 'are'} not in this index"
        )

    @property
    def empty(self) -> str:
        """What to say when there is nothing to show."""
        return "No example item is in this index." if self.index else "No items yet."

    @property
    def folded(self) -> frozenset[int]:
        """Key columns that stand in one where there is no room for each."""
        return frozenset(place for other in self.others for place in other.columns)

    @property
    def rows(self) -> tuple[Row, ...]:
        return tuple(row for collection in self.collections for row in collection.rows)


@dataclass(frozen=True)
class Tab:
    """A table or an index that can be shown."""

    label: str
    table: str
    index: str | None
    items: int
    is_current: bool
    is_read: bool
    """The selected pattern uses it."""


@dataclass(frozen=True)
class Sheet:
    """All that is shown of one style: its tabs, and the grids of those that are open."""

    style: Style
    tabs: tuple[Tab, ...]
    grids: tuple[Grid, ...]
    reading: Reading | None = None

    @property
    def label(self) -> str:
        return STYLE_LABELS[self.style]
