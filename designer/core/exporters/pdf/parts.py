"""What the document's sections are built of: titled sections, tables, and the blocks that any format shows."""

from designer.core.exporters.pdf.html import Child, Html, tag
from designer.core.grid.shown import HUES
from designer.core.report.blocks import Block, Heading, Listed, Paragraph, Section, Table
from designer.core.sentences.plans import with_code

SMALL = 8
"""Rows of a table that stay on one page."""
LETTERS = 215
"""That a line of a table has room for, as wide as they are on average."""
TALL = 3
"""Lines of a row, on average, from which a table may be broken almost anywhere: few of them fill a page."""
APART = "\u2003 "
"""Between what stands in one line: a wide space, and one to break the line at."""


def titled(name: str, title: str, *content: Html, kind: str = "") -> Html:
    return tag("section", tag("h1", title), content, id=name, class_=kind)


def of_section(section: Section) -> Html:
    return titled(section.name, section.title, *map(of_block, section.blocks), kind="plain")


def of_block(block: Block) -> Html:
    match block:
        case Heading(text):
            return tag("h2", text)
        case Paragraph(text):
            return tag("p", said(text), class_="said")
        case Listed(items):
            return tag("ul", [tag("li", said(item)) for item in items], class_="said")
        case Table():
            rows = [
                tag("tr", [_cell_of(block, at, cell) for at, cell in enumerate(row)])
                for row in block.rows
            ]
            total = sum(block.widths)
            widths = tuple(round(width / total * 100, 2) for width in block.widths)
            head = [
                tag("th", name, scope="col", style=f"width:{width}%", class_=_figure(block, at))
                for at, (name, width) in enumerate(zip(block.head, widths, strict=True))
            ]
            return tag(
                "table",
                tag("thead", tag("tr", head)),
                tag("tbody", rows),
                class_="plain-table is-tall"
                if _is_tall(block, widths)
                else sized("plain-table", len(rows)),
            )


def _is_tall(table: Table, widths: tuple[float, ...]) -> bool:
    rooms = [LETTERS * width / 100 for width in widths]
    lines = (
        max(len(cell) / room for cell, room in zip(row, rooms, strict=True)) for row in table.rows
    )
    return sum(lines) > TALL * len(table.rows) > 0


def sized(kind: str, rows: int) -> str:
    """A class for what has so many rows, and another one where these stay on one page."""
    return f"{kind} is-small" if rows <= SMALL else kind


def _cell_of(table: Table, at: int, cell: str) -> Html:
    if at == 0:
        return tag("th", said(cell), scope="row", class_=_figure(table, at))
    return tag("td", said(cell), class_=_figure(table, at))


def _figure(table: Table, at: int) -> str | None:
    return "number" if at in table.numbers else None


def said(text: str) -> list[Child]:
    """What a plan or a finding says, with what stands between backticks as code."""
    return [tag("code", part) if is_code else part for part, is_code in with_code(text)]


def table_of(
    head: tuple[str, ...], bodies: list[Html], kind: str, widths: tuple[float, ...] = ()
) -> Html:
    cells = [
        tag("th", name, scope="col", style=f"width:{widths[place]}%" if widths else None)
        for place, name in enumerate(head)
    ]
    return tag("table", tag("thead", tag("tr", cells)), bodies, class_=kind)


def chip(hue: int) -> str:
    """The class of a cell that names an entity."""
    return f"chip hue-{hue % HUES}"
