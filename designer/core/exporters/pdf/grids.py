"""Example items as grids: a few in the section of each table and index, and all of them in the appendix."""

import re
from collections.abc import Iterator
from dataclasses import replace

from designer.core.design.document import Design
from designer.core.examples.items import Examples
from designer.core.exporters.pdf.html import Html, tag
from designer.core.exporters.pdf.parts import APART, chip, sized, table_of, titled
from designer.core.grid import grid
from designer.core.grid.pieces import Piece
from designer.core.grid.shown import Cell, Collection, Grid, Row
from designer.core.plan import Index, Plan, Table
from designer.core.report.blocks import numbered
from designer.core.sentences.steps import COPIES, shape_name
from designer.core.sentences.templates import only_if, without_condition
from designer.core.words import figures
from designer.core.words.english import joined, spoken

MOST_KEY_COLUMNS = 2
"""Key columns beside a grid's own; more are left to the indexes' own grids."""
MOST_COLUMNS = 7
ROWS = 45
"""Example items before the appendix, over all tables and indexes."""
FEWEST, FEW = 3, 15
"""Of one table or index at least, where it has as many, and at the most."""
ROOM = 165.0
"""Characters that fit beside one another on a page."""
GAP = 2.0
"""Characters that would fit between two columns, and beside an item's mark."""
_WORD = re.compile(r"[^\W\d_]+")
SHOWN_THERE = "; the grid of the table shows their values"


def structures(plan: Plan) -> Iterator[tuple[str, str | None, str]]:
    """Each table and index: their names, and a title."""
    for table in plan.tables:
        yield table.name, None, f"Table {table.name}"
        for index in table.indexes:
            yield table.name, index.name, f"Index {index.name} on {table.name}"


def grid_id(table: str, index: str | None) -> str:
    return f"grid-{table}-{index}" if index else f"grid-{table}"


def _is_inline(shown: Grid) -> bool:
    """Attributes stand one after the other in one cell, as there is no room for a column each."""
    return shown.layout == "positions" or len(shown.columns) > MOST_COLUMNS


def _grid(shown: Grid, only_keys: bool) -> Html:
    keys = _keys_beside(shown)
    inline = _is_inline(shown)
    head = [shown.partition_name, *([shown.sort_name] if shown.sort else []), "Item"]
    head += [shown.key_columns[place].name for place in keys]
    if not only_keys:
        head += ["Attributes"] if inline else [column.name for column in shown.columns]
    bodies = [_collection(collection, keys, inline, only_keys) for collection in shown.collections]
    kind = "grid has-sort" if shown.sort else "grid"
    return table_of(tuple(head), bodies, kind, _widths(shown, tuple(head), keys, inline, only_keys))


def _keys_beside(shown: Grid) -> tuple[int, ...]:
    """The key columns for which there is room: the entities' own attributes, and made ones if they are few."""
    made = sum(column.is_made for column in shown.key_columns)
    return tuple(
        place
        for place, column in enumerate(shown.key_columns)
        if not column.is_made or made <= MOST_KEY_COLUMNS
    )


def _widths(
    shown: Grid, head: tuple[str, ...], keys: tuple[int, ...], inline: bool, only_keys: bool
) -> tuple[float, ...]:
    """Shares of the width, by the longest text of each column; attributes in one cell take the
    rest. Where not all texts have room, each column keeps its longest word as far as possible.

    Said beforehand, a long table is laid out many times faster than when each cell is measured.
    """
    words: list[float] = []

    def longest(texts: list[str], title: str, wide: float = 1.0) -> float:
        most = max((len(text) for text in texts), default=0) * wide
        word = max((len(word) for text in texts for word in _WORD.findall(text)), default=0) * wide
        words.append(max(5.0, min(word, 34.0) + 1, len(title) + 1))
        return max(5.0, min(most, 34.0), len(title) + GAP)

    rows = shown.rows
    partitions = [_plain(collection.partition) for collection in shown.collections]
    widths = [longest(partitions, head[0], 1.15)]
    if shown.sort:
        widths.append(longest([_plain(r.sort.pieces) for r in rows if r.sort], head[1], 1.15))
    widths.append(longest([row.label for row in rows], "Item") + GAP + 1)
    for place in keys:
        texts = [_plain(row.keys[place].pieces) for row in rows]
        widths.append(longest(texts, shown.key_columns[place].name, 1.15))
    if only_keys:
        pass
    elif inline:
        widths.append(max(40.0, 150.0 - sum(widths)))
    else:
        for place, column in enumerate(shown.columns):
            cells = [row.cells[place] for row in rows]
            texts = [c.where if c.state == "unprojected" else _plain(c.pieces) for c in cells]
            widths.append(longest(texts, column.name))
    if not inline:
        widths = with_words_whole(widths, words)
    return tuple(round(width / sum(widths) * 100, 2) for width in widths)


def with_words_whole(widths: list[float], words: list[float]) -> list[float]:
    """Widths of columns that fit beside one another, each at least as wide as its longest word where there is room.

    >>> [round(width) for width in with_words_whole([34.0, 34.0, 200.0], [5.0, 30.0, 10.0])]
    [20, 30, 115]
    """
    whole: set[int] = set()
    while True:
        others = sum(width for place, width in enumerate(widths) if place not in whole)
        left = ROOM - sum(words[place] for place in whole)
        if left <= 0 or left >= others:
            return widths
        fit = [
            words[place] if place in whole else width * left / others
            for place, width in enumerate(widths)
        ]
        narrow = {place for place, width in enumerate(fit) if width < words[place]}
        if not narrow:
            return fit
        whole |= narrow


def _plain(pieces: tuple[Piece, ...]) -> str:
    return "".join(piece.text for piece in pieces)


def _collection(
    collection: Collection, keys: tuple[int, ...], inline: bool, only_keys: bool
) -> Html:
    rows = []
    for place, row in enumerate(collection.rows):
        cells: list[Html] = []
        if place == 0:
            many = len(collection.rows) > 1
            cells.append(
                tag(
                    "th",
                    pieces_of(collection.partition),
                    tag("span", collection.sentence, class_="count") if many else None,
                    scope="rowgroup",
                    rowspan=len(collection.rows) if many else None,
                    class_="key",
                )
            )
        if row.sort is not None:
            cells.append(tag("th", pieces_of(row.sort.pieces), scope="row", class_="key"))
        cells.append(tag("td", row.label, class_=chip(row.hue)))
        cells += [_cell(row.keys[place]) for place in keys]
        if only_keys:
            pass
        elif inline:
            cells.append(tag("td", _pairs(row), class_="pairs"))
        else:
            cells += [_cell(cell) for cell in row.cells]
        rows.append(tag("tr", *cells))
    return tag("tbody", rows)


def _cell(cell: Cell) -> Html:
    classes = " ".join(
        word for word, applies in (("key", cell.is_key), ("number", cell.is_number)) if applies
    )
    if cell.state == "unprojected":
        return tag("td", tag("span", cell.where, class_="unprojected"), class_=classes)
    if cell.state == "absent":
        return tag("td", "\u2013", class_=f"{classes} absent".strip())
    return tag("td", pieces_of(cell.pieces), class_=classes)


def _pairs(row: Row) -> Iterator[Html | str]:
    """Attributes one after the other, each behind its name. Few elements: a large grid has many."""
    for cell in row.cells:
        if cell.state in ("none", "absent"):
            continue
        yield tag("i", cell.name)
        if cell.state == "unprojected":
            yield tag("span", cell.where, class_="unprojected")
        else:
            # The name must not part from its value, the value may break.
            yield f"\u00a0{_plain(cell.pieces)}  "
    if row.more:
        yield tag("i", f"and also {joined(row.more)}")


def pieces_of(pieces: tuple[Piece, ...]) -> list[Html | str]:
    """A key text: its constant parts are set apart, the rest is as the cell is.

    WeasyPrint breaks no line between two texts, and lets the next one run over: a space of no width allows it.
    """
    return [tag("i", f"{piece.text}\u200b") if piece.constant else piece.text for piece in pieces]


def keys_and_items(design: Design, plan: Plan, items: Examples) -> Iterator[Html]:
    """A section for each table and index: the templates of its keys, and so many example items as show them."""
    for table_name, index_name, title in structures(plan):
        table = plan.table(table_name)
        shown = grid(design, plan, items, table_name, index_name)
        index = next((index for index in table.indexes if index.name == index_name), None)
        part = excerpt(shown, few(plan))
        about = [_about(shown, part), *_projection(shown, index)]
        if serves := (index.serves if index else table.serves):
            about.append(f"Serves {numbered(serves)}.")
        yield titled(
            grid_id(table_name, index_name),
            title,
            *(_templates(table) if index is None else ()),
            tag("p", " ".join(about), class_="quiet"),
            _grid(part, _repeats(shown, index)) if shown.collections else tag("p", shown.empty),
            kind="structure",
        )


def all_items(design: Design, plan: Plan, items: Examples) -> Iterator[Html]:
    """The grids of which `keys_and_items` shows a part, whole."""
    for table_name, index_name, title in structures(plan):
        shown = grid(design, plan, items, table_name, index_name)
        if excerpt(shown, few(plan)) is shown:
            continue
        indexes = plan.table(table_name).indexes
        index = next((index for index in indexes if index.name == index_name), None)
        yield tag("h2", title)
        yield tag("p", _counted(shown), class_="quiet")
        yield _grid(shown, _repeats(shown, index))


def few(plan: Plan) -> int:
    """Items of each table and index that are shown before the appendix."""
    return max(FEWEST, min(FEW, ROWS // max(1, len(list(structures(plan))))))


def excerpt(shown: Grid, most: int) -> Grid:
    """The grid with so many whole collections as make up `most` items: first those with kinds of items that no other
    has yet, in the grid's order. The grid itself where it is as small.
    """
    if shown.items <= most:
        return shown
    chosen: set[int] = set()
    seen: set[str] = set()
    rows = 0
    for new_only in (True, False):
        for place, each in enumerate(shown.collections):
            kinds = {row.label for row in each.rows}
            fits = not chosen or rows + len(each.rows) <= most
            if place in chosen or not fits or (new_only and kinds <= seen):
                continue
            chosen.add(place)
            seen |= kinds
            rows += len(each.rows)
    if len(chosen) == len(shown.collections):
        return shown
    kept = tuple(each for place, each in enumerate(shown.collections) if place in chosen)
    return replace(shown, collections=kept, items=rows)


def _about(shown: Grid, part: Grid) -> str:
    if part is shown:
        return _counted(shown)
    return f"Example items: {part.items} of {shown.items}."


def _counted(shown: Grid) -> str:
    """How many example items there are, in how many collections; and how many an index lacks."""
    collections = figures.count(len(shown.collections), "collection")
    said = f"Example items: {shown.items:,}, in {collections}"
    return f"{said}; {shown.left_out}." if shown.left_out else f"{said}."


def _repeats(shown: Grid, index: Index | None) -> bool:
    """Whether an index shows the same items once more, so that only their keys are new."""
    return index is not None and _is_inline(shown)


def _projection(shown: Grid, index: Index | None) -> Iterator[str]:
    if index is None:
        return
    held = {
        "ALL": "all attributes",
        "KEYS_ONLY": "only the keys",
        "INCLUDE": spoken(("the keys", *index.projection.attributes)),
    }[index.projection.type]
    shows = _repeats(shown, index) and index.projection.type != "KEYS_ONLY"
    yield f"The index holds {held}{SHOWN_THERE if shows else ''}."


def _only_if(template: str) -> str | None:
    conditions = only_if(template)
    return f", only if {conditions}" if conditions else None


def _templates(table: Table) -> Iterator[Html]:
    """The kinds of items of a table, with what each writes into the keys."""
    if any(shape.role == "copy" for shape in table.items):
        yield tag("p", COPIES, class_="quiet")
    rows = []
    for shape in table.items:
        if shape.inside is not None:
            named = [(f"{shape.inside.shape}.{shape.inside.attribute}", shape.inside.at or "")]
        else:
            keys = [table.key.partition.name, *([table.key.sort.name] if table.key.sort else [])]
            # A key attribute that is not written is one of the entity's own.
            named = list(({name: f"{{{name}}}" for name in keys} | shape.set).items())
        templates = [
            [f"{name}\u00a0", tag("code", without_condition(template)), _only_if(template), APART]
            for name, template in named
        ]
        rows.append(
            tag(
                "tr",
                tag("th", shape_name(shape), scope="row", class_="strong"),
                tag("td", templates),
                tag("td", figures.binary_size(shape.bytes), class_="number"),
            )
        )
    yield table_of(
        ("Item", "Attributes and their templates", "Average size"),
        [tag("tbody", rows)],
        sized("keys", len(rows)),
        (20, 69, 11),
    )
