"""The grids of two plans laid over each other: rows that came, went or stayed, and cells that differ."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

from designer.core.difference.planned.sides import Side, Sides, in_words
from designer.core.examples import examples
from designer.core.grid import every_grid
from designer.core.grid.pieces import Piece
from designer.core.grid.shown import Cell, Grid, Row, Showing
from designer.core.words.english import joined

State = Literal["same", "added", "removed", "changed"]
WORDS: dict[State, str] = {
    "added": "new",
    "removed": "gone",
    "changed": "changed",
    "same": "as it was",
}

Pieces = tuple[Piece, ...]


@dataclass(frozen=True)
class CellPair:
    """One attribute of one row, as it was and as it is; empty where there is none."""

    name: str
    before: Pieces
    after: Pieces

    @property
    def state(self) -> State:
        if self.before == self.after:
            return "same"
        return "changed" if self.before and self.after else "added" if self.after else "removed"


@dataclass(frozen=True)
class RowPair:
    """One item, or one kind of item, in both."""

    id: str
    label: str
    hue: int
    keys: tuple[CellPair, ...]
    """In the order of the grid's key columns."""
    cells: tuple[CellPair, ...]
    """Of its attributes, those that are not what they were."""
    as_before: int
    """How many of its attributes are."""
    state: State

    @property
    def words(self) -> str:
        return WORDS[self.state]

    @property
    def sentence(self) -> str:
        """What differs: `PK and status changed`; of a row that came or went, only that."""
        differing = [each.name for each in (*self.keys, *self.cells) if each.state != "same"]
        return f"{joined(differing)} changed" if self.state == "changed" else self.words


@dataclass(frozen=True)
class GridPair:
    """A table or an index in both."""

    id: str
    title: str
    key_columns: tuple[tuple[str, str], ...]
    """Names and what each is the key of."""
    rows: tuple[RowPair, ...]
    state: State

    @property
    def differing(self) -> tuple[RowPair, ...]:
        return tuple(row for row in self.rows if row.state != "same")

    @property
    def sentence(self) -> str:
        """`2 rows changed, 1 new and 1 gone; 4 as they were.`"""
        if self.state in ("added", "removed"):
            return f"This {'index' if ' on ' in self.title else 'table'} is {WORDS[self.state]}."
        of = {state: sum(row.state == state for row in self.rows) for state in WORDS}
        said = [f"{of[state]} {WORDS[state]}" for state in WORDS if state != "same" and of[state]]
        left = of["same"]
        if not said:
            return "All as it was."
        still = f"; {left} as {'it was' if left == 1 else 'they were'}" if left else ""
        return f"{joined(said)}{still}."


def grid_difference(before: Side, after: Side, form: Showing = "templates") -> tuple[GridPair, ...]:
    """Every table and index of both, those that differ first; rows are known by what they are items of."""
    return tuple(
        sorted(_Overlay(Sides(before, after), form).pairs(), key=lambda each: not each.differing)
    )


class _Overlay:
    def __init__(self, sides: Sides, form: Showing) -> None:
        self.sides, self.form = sides, form
        self.old = self._grids(sides.before)
        self.new = self._grids(sides.after)

    def _grids(self, side: Side) -> dict[tuple[str, str | None], Grid]:
        found = every_grid(side.design, side.plan, examples(side.design), self.form)
        return {(grid.table, grid.index): grid for grid in found}

    def pairs(self) -> Iterator[GridPair]:
        taken = set()
        for (table, index), now in self.new.items():
            place = (self.tables.get(table, table), index)
            taken.add(place)
            yield self._pair(self.old.get(place), now)
        for place, was in self.old.items():
            if place not in taken:
                yield self._pair(was, None)

    def _planned(self, grid: Grid) -> str:
        """What the later plan calls a table or an index."""
        table = self.sides.after.tables[grid.table]
        if grid.index is None:
            return self.sides.becomes(table).planned
        names = {index.name: planned.name for index, planned, _ in self.sides.indexes(table)}
        return names[grid.index]

    @cached_property
    def tables(self) -> dict[str, str]:
        """For each table what it was called: that of the same name, else where its items lay, if that is gone."""
        was, now = self.sides.before.tables, self.sides.after.tables
        found: dict[str, str] = {}
        for old, new in self.sides.items:
            if old is None or new is None or new.table.name in was or old.table.name in now:
                continue
            if old.table.name not in found.values():
                found.setdefault(new.table.name, old.table.name)
        return found

    @cached_property
    def shapes(self) -> dict[str, str]:
        """The kinds of items that were, as they are called now."""
        return {
            old.shape.shape: new.shape.shape
            for old, new in self.sides.items
            if old is not None and new is not None
        }

    def _pair(self, was: Grid | None, now: Grid | None) -> GridPair:
        grid = now or was
        assert grid is not None
        old = {item.key: item for item in self._items(was, self.sides.before)}
        new = {item.key: item for item in self._items(now, self.sides.after)}
        columns: dict[str, str] = {}
        for item in (*new.values(), *old.values()):
            columns |= {name: role for name, role in item.roles.items() if name not in columns}
        rows = tuple(
            self._row(f"changed-{grid.id}", columns, old.get(key), new.get(key))
            for key in (*new, *(key for key in old if key not in new))
        )
        title = grid.title
        if was is not None and now is not None and was.table != now.table:
            title = f"{title}, before {was.table}"
        if now is not None and (planned := self._planned(now)) != (now.index or now.table):
            title = f"{title}, {planned} in the later plan"
        state: State = "removed" if now is None else "added" if was is None else "same"
        if state == "same" and any(row.state != "same" for row in rows):
            state = "changed"
        return GridPair(f"changed-{grid.id}", title, tuple(columns.items()), rows, state)

    def _items(self, grid: Grid | None, side: Side) -> Iterator["_Item"]:
        """The rows of a grid, in the names of the design that is."""
        if grid is None:
            return
        is_old = side is self.sides.before
        for collection in grid.collections:
            for row in collection.rows:
                shape, _, number = row.item.rpartition("-")
                entity = side.plan.shape(shape).entity

                def called(name: str, entity: str = entity) -> str:
                    return self.sides.names.attribute(entity, name) if is_old else name

                key = (self.shapes.get(shape, shape) if is_old else shape, number)
                yield _Item(
                    key if self.form == "samples" else (key[0], ""),
                    row,
                    dict(_named(grid, row, collection.partition, called, self._pieces(called))),
                    dict(_roles(grid, called)),
                )

    def _pieces(self, called: Callable[[str], str]) -> Callable[[Pieces], Pieces]:
        """Names within templates as the design that is has them; values are as they are."""
        if self.form == "samples":
            return lambda pieces: pieces
        return lambda pieces: tuple(
            piece if piece.constant else replace(piece, text=in_words(piece.text, called))
            for piece in pieces
        )

    def _row(
        self, grid: str, columns: Iterable[str], was: "_Item | None", now: "_Item | None"
    ) -> RowPair:
        item = now or was
        assert item is not None
        old, new = (each.cells if each is not None else {} for each in (was, now))
        keys = tuple(
            _of_a_key(CellPair(name, old.get(name, ()), new.get(name, ()))) for name in columns
        )
        others = [
            CellPair(name, old.get(name, ()), new.get(name, ()))
            for name in dict.fromkeys((*new, *old))
            if name not in columns
        ]
        differing = tuple(each for each in others if each.state != "same")
        state: State = "removed" if now is None else "added" if was is None else "same"
        if state == "same" and any(each.state != "same" for each in (*keys, *differing)):
            state = "changed"
        return RowPair(
            f"{grid}-{'-'.join(filter(None, item.key))}",
            item.row.label,
            item.row.hue,
            keys,
            differing if state == "changed" else (),
            sum(bool(each.after) for each in others if each.state == "same"),
            state,
        )


@dataclass(frozen=True)
class _Item:
    key: tuple[str, str]
    row: Row
    cells: dict[str, Pieces]
    roles: dict[str, str]
    """Its key attributes, in the order of the grid's columns."""


def _roles(grid: Grid, called: Callable[[str], str]) -> Iterator[tuple[str, str]]:
    yield " + ".join(map(called, grid.partition)), "partition key"
    if grid.sort:
        yield " + ".join(map(called, grid.sort)), "sort key"
    for column in grid.key_columns:
        yield called(column.name), column.title


def _named(
    grid: Grid,
    row: Row,
    partition: Pieces,
    called: Callable[[str], str],
    pieces: Callable[[Pieces], Pieces],
) -> Iterator[tuple[str, Pieces]]:
    """What stands in the row, by the name of the attribute; empty where it has none."""
    yield " + ".join(map(called, grid.partition)), pieces(partition)
    if row.sort is not None:
        yield " + ".join(map(called, grid.sort)), pieces(row.sort.pieces)
    for cell in (*row.keys, *row.cells):
        yield called(cell.name), pieces(_held(cell))


def _of_a_key(pair: CellPair) -> CellPair:
    """The pair; the same twice where an attribute of the items is a key's in one of them only, and has its type in
    the other.
    """
    own = (Piece(f"<{pair.name}>"),)
    of_a_type = [all(piece.constant for piece in each) for each in (pair.before, pair.after)]
    if pair.before and pair.after and own in (pair.before, pair.after) and any(of_a_type):
        return CellPair(pair.name, own, own)
    return pair


def _held(cell: Cell) -> Pieces:
    if cell.state == "unprojected":
        return (Piece(cell.where, True),)
    if cell.state == "absent":
        return (Piece("absent", True),)
    return cell.pieces if cell.state == "present" else ()
