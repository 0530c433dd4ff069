"""Tables and indexes as people look at them: item collections, rows and cells, and what a pattern
reads of them.

The page, the PDF and the tests read the same objects. An index is the same items regrouped under
its own keys.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Literal

from designer.core import figures
from designer.core.ask import ask
from designer.core.design.document import Design
from designer.core.examples import Examples
from designer.core.key_words import key_words
from designer.core.keys import Value
from designer.core.pieces import (
    Piece,
    sample_pieces,
    short,
    template_pieces,
    value_piece,
    value_text,
)
from designer.core.plan import READS, Operation, Plan, Shape, Style, Table
from designer.core.simulate import (
    StoredItem,
    Trace,
    index_key_names,
    is_in,
    sort_value,
    stored_items,
)
from designer.core.sizes import item_bytes

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


Mark = Literal["", "returned", "dropped", "looked-up", "put", "update", "delete", "check"]

_NOTES: dict[Mark, str] = {
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
    """The entity, and the shape's role when it is not the entity itself."""
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
        return f"{figures.count(len(self.rows), 'item')}, {figures.size(self.size_bytes)}"


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
            f"Table {self.table}" if self.index is None else f"Index {self.index} of {self.table}"
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
            return f"{figures.count(self.items, 'kind')} of item."
        said = f"{figures.count(self.items, 'item')}, {figures.count(len(self.collections), 'collection')}"
        if self.elsewhere:
            one = self.elsewhere == 1
            said += (
                f"; {self.elsewhere} of the table's {self.items + self.elsewhere} items"
                f" {'is' if one else 'are'} not in this index"
            )
        return f"{said}."

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


# The whole of a style -----------------------------------------------------------------------------


def sheet(
    design: Design,
    plan: Plan,
    examples: Examples,
    operation: Operation | None = None,
    table: str | None = None,
    index: str | None = None,
    form: Showing = "samples",
) -> Sheet:
    """The grids of one style.

    With a table (and an index) that one. Otherwise what the operation uses, in the order of its
    steps; without one, every table.
    """
    stored = {t.name: stored_items(design, plan, examples, t) for t in plan.tables}
    trace = None if operation is None else ask(design, plan, examples, operation, stored)
    used = _structures(operation)
    every = [(t.name, name) for t in plan.tables for name in (None, *(i.name for i in t.indexes))]
    chosen = [(name, of) for name, of in every if (name, of) == (table, index)]
    shown = chosen or [structure for structure in used if structure in every]
    if not shown:
        shown = [(t.name, None) for t in plan.tables]
    reading = _reading(operation, trace)
    return Sheet(
        plan.style,
        tuple(
            Tab(
                name or table_name.removeprefix(design.table_prefix),
                table_name,
                name,
                sum(is_in(plan.table(table_name), name, item) for item in stored[table_name]),
                (table_name, name) in shown,
                (table_name, name) in used,
            )
            for table_name, name in every
        ),
        tuple(
            _grid(
                design, plan, stored[table_name], table_name, name, form, operation, trace, reading
            )
            for table_name, name in shown
        ),
        reading,
    )


def grid(
    design: Design,
    plan: Plan,
    examples: Examples,
    table: str,
    index: str | None = None,
    operation: Operation | None = None,
    form: Showing = "samples",
) -> Grid:
    """One table of a plan, or one of its indexes; KeyError when there is none of that name."""
    stored = {t.name: stored_items(design, plan, examples, t) for t in plan.tables}
    trace = None if operation is None else ask(design, plan, examples, operation, stored)
    plan.table(table)
    if index is not None and index not in {i.name for i in plan.table(table).indexes}:
        raise KeyError(index)
    reading = _reading(operation, trace)
    return _grid(design, plan, stored[table], table, index, form, operation, trace, reading)


def every_grid(
    design: Design, plan: Plan, examples: Examples, form: Showing = "samples"
) -> tuple[Grid, ...]:
    """All tables of a plan, each before its indexes, with a column for every attribute however many there are."""
    found = []
    for table in plan.tables:
        stored = stored_items(design, plan, examples, table)
        for index in (None, *(each.name for each in table.indexes)):
            one = _grid(
                design, plan, stored, table.name, index, form, None, None, None, most_columns=None
            )
            found.append(one)
    return tuple(found)


def _structures(operation: Operation | None) -> list[tuple[str, str | None]]:
    """The tables and indexes an operation uses, in the order of its steps."""
    found: dict[tuple[str, str | None], None] = {}
    for step in operation.steps if operation else ():
        if step.call in READS:
            found[step.table, step.index] = None
        for member in step.members:
            found[member.table, None] = None
    return list(found)


def _reading(operation: Operation | None, trace: Trace | None) -> Reading | None:
    if operation is None or trace is None:
        return None
    read, returned, written = len(trace.read), len(trace.returned), len(trace.written)
    shown = tuple((name, short(value_text(value))) for name, value in trace.parameters.items())
    given = [f"{name} {text}" for name, text in shown]
    start = f"with {', '.join(given[:4])}{' ...' if len(given) > 4 else ''} " if given else ""
    said = []
    if read or not written:
        said.append(f"reads {figures.count(read, 'item')}")
    if written:
        said.append(f"touches {figures.count(written, 'item')}")
    elif operation.result is not None and operation.result.kind == "count":
        said.append(f"counts {returned}")
    elif operation.result is not None and operation.result.kind in ("sum", "greatest", "least"):
        said.append(f"works it out from {returned}")
    else:
        said.append(f"returns {returned}")
    sentence = f"{start}it {' and '.join(said)}."
    return Reading(shown, read, returned, written, sentence)


# One grid -----------------------------------------------------------------------------------------


def _grid(
    design: Design,
    plan: Plan,
    stored: list[StoredItem],
    table_name: str,
    index: str | None,
    form: Showing,
    operation: Operation | None,
    trace: Trace | None,
    reading: Reading | None,
    most_columns: int | None = MOST_COLUMNS,
) -> Grid:
    table = plan.table(table_name)
    items = stored if form == "samples" else _one_for_each_shape(table, stored)
    inside = [item for item in items if is_in(table, index, item)]
    partition, sort = index_key_names(table, index)
    inside.sort(key=lambda item: [sort_value(item.values[name]) for name in (*partition, *sort)])
    if form == "templates":
        inside.sort(key=lambda item: [item.shape.set.get(n, n) for n in partition])
    builder = _Builder(design, plan, table, index, form, partition, sort, inside, most_columns)
    marks = _marks(operation, trace, table_name, index)
    if form == "templates":
        marks = _by_shape(marks)
    collections = builder.collections(marks)
    prefix = grid_id(plan.style, table_name, index)
    return Grid(
        id=prefix,
        table=table_name,
        index=index,
        partition=partition,
        sort=sort,
        key_columns=builder.key_columns,
        columns=builder.columns,
        layout=builder.layout,
        width=builder.width,
        collections=tuple(
            replace(c, rows=tuple(replace(r, id=f"{prefix}-{r.id}") for r in c.rows))
            for c in collections
        ),
        items=len(inside),
        elsewhere=len(items) - len(inside) if index else 0,
        others=tuple(builder.other_keys()),
        words=tuple(builder.words()),
        form=form,
        is_lit=bool(marks),
        reading=reading,
    )


def grid_id(style: Style, table: str, index: str | None) -> str:
    """The id of a grid on the page; those of its rows begin with it."""
    return f"grid-{style}-{table}{'-' + index if index else ''}".replace(".", "_")


def _one_for_each_shape(table: Table, stored: list[StoredItem]) -> list[StoredItem]:
    """One item for each shape: the one that has most, so that optional keys are seen."""
    found: list[StoredItem] = []
    for shape in table.items:
        mine = [item for item in stored if item.shape is shape]
        if mine:
            found.append(max(mine, key=lambda item: len(item.values)))
    return found


def _marks(
    operation: Operation | None, trace: Trace | None, table: str, index: str | None
) -> dict[str, tuple[Mark, int | None]]:
    """What a pattern does with the items of one table or index."""
    marks: dict[str, tuple[Mark, int | None]] = {}
    if operation is None or trace is None:
        return marks
    numbers: dict[str, int] = {}
    for number, item in enumerate(trace.returned, 1):
        numbers.setdefault(trace.inside.get(item, item), number)
    for touch in trace.touched:
        if touch.table != table or (touch.index != index and touch.verb == "read"):
            continue
        if touch.verb != "read":
            verb: Mark = touch.verb  # type: ignore[assignment]
            marks[touch.item] = (verb, None)
        elif touch.item in numbers:
            marks[touch.item] = ("returned", numbers[touch.item])
        elif touch.step in trace.looked_up and touch.kept:
            marks.setdefault(touch.item, ("looked-up", None))
        else:
            marks.setdefault(touch.item, ("dropped", None))
    return marks


def _by_shape(marks: Mapping[str, tuple[Mark, int | None]]) -> dict[str, tuple[Mark, int | None]]:
    """Marks of items as marks of their shapes, without numbers; what is returned wins."""
    found: dict[str, tuple[Mark, int | None]] = {}
    for item, (mark, _) in marks.items():
        shape = item.rpartition("-")[0]
        if mark == "returned" or shape not in found:
            found[shape] = (mark, None)
    return found


@dataclass
class _Builder:
    """Rows and cells of one grid."""

    design: Design
    plan: Plan
    table: Table
    index: str | None
    form: Showing
    partition: tuple[str, ...]
    sort: tuple[str, ...]
    items: list[StoredItem]
    most_columns: int | None = MOST_COLUMNS

    def __post_init__(self) -> None:
        self.hues = {e.name: n % HUES for n, e in enumerate(self.design.entities)}
        base_partition, base_sort = index_key_names(self.table, None)
        self.base_keys = (*base_partition, *base_sort)
        own = (*self.partition, *self.sort)
        self.roles: dict[str, list[str]] = {}
        for other in self.table.indexes:
            for words, parts in (("partition", other.partition), ("sort", other.sort)):
                for part in parts:
                    self.roles.setdefault(part.name, []).append(f"{words} key of {other.name}")
        others = self.base_keys if self.index else tuple(dict.fromkeys(self.roles))
        self.key_columns = tuple(
            Column(name, self._title(name), is_made=self._is_made(name))
            for name in others
            if name not in own
        )
        taken = {*own, *others, self.plan.type_attribute}
        shapes = {item.shape.shape for item in self.items}
        names = dict.fromkeys(
            name
            for shape in self.table.items
            if shape.shape in shapes
            for name in (*shape.attributes, *shape.holds, *shape.set)
            if name not in taken and not self._is_key_elsewhere(name)
        )
        has_room = self.most_columns is None or len(names) <= self.most_columns
        self.layout: Literal["columns", "positions"] = (
            "columns" if has_room or len(shapes) <= 1 else "positions"
        )
        self.names = tuple(names)
        self.columns = tuple(
            Column(name, self._title(name), self._is_number(name)) for name in self.names
        )
        self.width = len(self.columns)
        if self.layout == "positions":
            self.width = min(
                MOST_CELLS, max((len(self._own_names(item)) for item in self.items), default=0)
            )
            self.width = max(1, self.width)

    def other_keys(self) -> Iterator[OtherKey]:
        """What else these items are found by; a key of plain attributes says more as these."""
        keys = (
            {None: index_key_names(self.table, None)}
            if self.index
            else {each.name: index_key_names(self.table, each.name) for each in self.table.indexes}
        )
        for index, (partition, sort) in keys.items():
            places = tuple(
                place
                for place, column in enumerate(self.key_columns)
                if column.is_made and column.name in (*partition, *sort)
            )
            if places:
                yield OtherKey(index or "table", places)

    def words(self) -> Iterator[tuple[str, str]]:
        """What is said of the keys of the shapes that are shown, and of their other keys."""
        shown = {*self.partition, *self.sort, *(column.name for column in self.key_columns)}
        shapes = {item.shape.shape for item in self.items}
        for (shape, name), words in key_words(self.table).items():
            if shape in shapes and name in shown:
                yield f"{shape} {name}", words

    def _title(self, name: str) -> str:
        if self.index and name in self.base_keys:
            return "key of the table"
        return ", ".join(self.roles.get(name, ()))

    def _is_number(self, name: str) -> bool:
        types = {
            item.shape.attributes[name].type for item in self.items if name in item.shape.attributes
        }
        return types == {"N"}

    def _projects(self, name: str) -> bool:
        if self.index is None or name in self.base_keys:
            return True
        index = next(i for i in self.table.indexes if i.name == self.index)
        keys = {a.name for a in (*index.partition, *index.sort)}
        return index.projection.type == "ALL" or name in index.projection.attributes or name in keys

    def _is_key_elsewhere(self, name: str) -> bool:
        """It was made for the keys of another index and says nothing in this one."""
        return self.index is not None and self._is_made(name) and name in self.roles

    def _is_made(self, name: str) -> bool:
        return any(name in shape.set for shape in self.table.items)

    def _own_names(self, item: StoredItem) -> list[str]:
        """In the order of its entity: what identifies it and its name mostly come first."""
        carried = dict.fromkeys((*item.shape.attributes, *item.shape.holds, *item.shape.set))
        return [name for name in carried if name in self.names]

    def collections(self, marks: Mapping[str, tuple[Mark, int | None]]) -> tuple[Collection, ...]:
        groups: dict[tuple[object, ...], list[StoredItem]] = {}
        for item in self.items:
            if self.form == "templates":
                key: tuple[object, ...] = tuple(item.shape.set.get(n, n) for n in self.partition)
            else:
                key = tuple(sort_value(item.values[name]) for name in self.partition)
            groups.setdefault(key, []).append(item)
        # Collections lie in no order of their own: those of what the plan names first come first.
        place = {shape.shape: number for number, shape in enumerate(self.table.items)}
        in_order = sorted(
            groups.values(), key=lambda group: min(place[item.shape.shape] for item in group)
        )
        return tuple(
            Collection(
                self._joined(group[0], self.partition),
                tuple(self._row(item, marks) for item in group),
                sum(item_bytes(self._held(item)) for item in group),
            )
            for group in in_order
        )

    def _held(self, item: StoredItem) -> dict[str, Value]:
        return {name: value for name, value in item.values.items() if self._projects(name)}

    def _row(self, item: StoredItem, marks: Mapping[str, tuple[Mark, int | None]]) -> Row:
        identity = item.id if self.form == "samples" else item.shape.shape
        mark, number = marks.get(identity, ("", None))
        shape = item.shape
        own = self._own_names(item)
        if self.layout == "columns":
            names, more = list(self.names), []
        else:
            names = own if len(own) <= self.width else own[: self.width - 1]
            more = own[len(names) :]
        return Row(
            id=identity,
            item=item.id,
            label=_label(shape),
            shape=shape.shape,
            hue=self.hues.get(shape.entity, HUES - 1),
            sort=self._sort_cell(item) if self.sort else None,
            keys=tuple(self._cell(item, column.name, True) for column in self.key_columns),
            cells=tuple(self._cell(item, name, False) for name in names),
            more=tuple(more),
            padding=self.width - len(names),
            mark=mark,
            number=number,
            note=f"returned as number {number}"
            if number
            else "returned"
            if mark == "returned"
            else _NOTES.get(mark, ""),
        )

    def _sort_cell(self, item: StoredItem) -> Cell:
        return Cell(self.sort[0], "present", self._joined(item, self.sort), is_key=True)

    def _joined(self, item: StoredItem, names: tuple[str, ...]) -> tuple[Piece, ...]:
        pieces: list[Piece] = []
        for name in names:
            if pieces:
                pieces.append(Piece(" + ", True))
            pieces += self._pieces(item, name)
        return tuple(pieces)

    def _pieces(self, item: StoredItem, name: str) -> tuple[Piece, ...]:
        if self.form == "templates":
            return template_pieces(item.shape.set.get(name, f"{{{name}}}"))
        return _key_pieces(item, name)

    def _cell(self, item: StoredItem, name: str, is_key: bool) -> Cell:
        shape = item.shape
        carried = name in shape.attributes or name in shape.holds or name in shape.set
        number = name in shape.attributes and shape.attributes[name].type == "N"
        if not carried:
            return Cell(name, "none", is_key=is_key)
        if item.values.get(name) is None:
            return Cell(name, "absent", is_key=is_key)
        if not self._projects(name):
            return Cell(name, "unprojected", is_key=is_key)
        if is_key:
            return Cell(name, "present", self._pieces(item, name), is_key=True)
        if self.form == "templates":
            stored = shape.attributes.get(name)
            word = (stored.type if stored else "M" if name in shape.holds else "S") + (
                ", optional" if stored and stored.optional else ""
            )
            return Cell(name, "present", (Piece(word, True),))
        whole = value_text(item.values[name])
        brief = short(whole)
        return Cell(
            name,
            "present",
            (Piece(brief),),
            full=whole if brief != whole else "",
            is_number=number,
        )


def _label(shape: Shape) -> str:
    return shape.entity if shape.role in ("entity", "edge") else f"{shape.entity} {shape.role}"


def _key_pieces(item: StoredItem, name: str) -> tuple[Piece, ...]:
    """A key attribute of an item: of a template in pieces, else its value."""
    template = item.shape.set.get(name)
    if template is not None:
        return sample_pieces(template, item.source)
    return (value_piece(value_text(item.values.get(name))),)


def key_texts(table: Table, item: StoredItem) -> tuple[str, ...]:
    """The primary key of an item as its row shows it: `PROJECT#garden` and `TASK#0001`."""
    partition, sort = index_key_names(table, None)
    return tuple(
        short("".join(piece.text for piece in _key_pieces(item, name)))
        for name in (*partition, *sort)
    )
