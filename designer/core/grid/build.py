"""The rows and cells of one grid."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from designer.core.capacity.sizes import item_bytes
from designer.core.design.document import Design
from designer.core.examples.stored_items import StoredItem, index_key_names, sort_value
from designer.core.grid.pieces import (
    Piece,
    sample_pieces,
    short,
    template_pieces,
    value_piece,
    value_text,
)
from designer.core.grid.shown import (
    HUES,
    MOST_CELLS,
    MOST_COLUMNS,
    NOTES,
    Cell,
    Collection,
    Column,
    Mark,
    OtherKey,
    Row,
    Showing,
)
from designer.core.plan import Plan, Table
from designer.core.plan.keys import Value
from designer.core.sentences.keys import called, key_words
from designer.core.words.english import ordinal


@dataclass
class Builder:
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
    is_write: bool = False
    """Whether the selected access pattern writes."""

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
        self.spelled = {
            (shape, name): key
            for operation in self.plan.operations
            for step in operation.steps
            if (step.table, step.index) == (self.table.name, self.index)
            for shape in step.shapes
            for name, key in step.from_keys.items()
        }
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
            if self.form == "samples":
                more = [name for name in more if name in item.values]
        return Row(
            id=identity,
            item=item.id,
            label=called(shape),
            shape=shape.shape,
            hue=self.hues.get(shape.entity, HUES - 1),
            sort=self._sort_cell(item) if self.sort else None,
            keys=tuple(self._cell(item, column.name, True) for column in self.key_columns),
            cells=tuple(self._cell(item, name, False) for name in names),
            more=tuple(more),
            padding=self.width - len(names),
            mark=mark,
            number=number,
            note=self._note(mark, number),
        )

    def _note(self, mark: Mark, number: int | None) -> str:
        """A row's mark in words."""
        if mark == "returned":
            return f"returned {ordinal(number)}" if number else "returned"
        if mark == "looked-up" and self.is_write:
            return "read before the write"
        return NOTES.get(mark, "")

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
            spelled_by = self.spelled.get((shape.shape, name), "")
            return Cell(name, "unprojected", is_key=is_key, spelled_by=spelled_by)
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
