"""The PDF's pages as HTML, section by section."""

from collections.abc import Iterator, Mapping

from designer.core import figures
from designer.core.design.document import Attribute, Design, Entity
from designer.core.er_picture import sentences as relationship_sentences
from designer.core.er_picture import svg
from designer.core.examples import Examples, examples
from designer.core.exporters.pdf.html import Child, Html, tag
from designer.core.grid import HUES, STYLE_LABELS, Cell, Collection, Grid, Piece, Row, grid
from designer.core.plan import Operation, Plan, Style, Upkeep
from designer.core.report import checklist, comparison, cost, data_model, heat, running
from designer.core.report.blocks import Block, Heading, Listed, Paragraph, Section, Table, numbered
from designer.core.report.facts import Facts
from designer.core.report.stated import attribute_facts
from designer.core.sentences import (
    COPIES,
    choice_text,
    kept_up_by,
    reads_as,
    served_by,
    shape_name,
    summary,
    template_text,
    with_code,
)
from designer.core.standing import Standing

MOST_KEY_COLUMNS = 2
"""Key columns beside a grid's own; more are left to the indexes' own grids."""
MOST_COLUMNS = 7
GAP = 2.0
"""Characters that would fit between two columns, and beside an item's mark."""
SMALL = 15
"""Items of a grid, and rows of other tables, that stay on one page."""
SHOWN_THERE = ", which the grid of the table shows"
APART = "\u2003 "
"""Between what stands in one line: a wide space, and one to break the line at."""
MOST_PRICES = 12
"""Questions with a line of their own in the bill. What each costs stands with how it is answered, too."""


def document(
    design: Design,
    plan: Plan,
    date: str,
    others: Mapping[Style, Plan] | None = None,
    standing: Standing | None = None,
) -> str:
    """The whole document. `date` stands on the cover, as the caller writes it; empty for none. `others`: the plans in
    other styles, to compare with. `standing`: what stands on the cover and at the foot of each page, where it is known.
    """
    items = examples(design)
    facts = Facts(design, plan)
    # What any format says alike; the others have a layout of their own here.
    shared = [
        *comparison.beside(design, plan, others or {}),
        cost.cost(facts, MOST_PRICES),
        heat.heat(facts),
        running.integrations(facts),
        running.monitoring(facts),
        running.findings(facts),
        checklist.section(facts, "checklist", (*checklist.REQUIREMENTS, *checklist.OF_THE_PLAN)),
    ]
    unsolved = data_model.unsolved(facts)
    sections = [
        _section("entities", "Entities and relationships", *_entities(design)),
        _section("questions", "Access patterns", *_questions(design, plan)),
        *_grids(design, plan, items),
        _section("operations", "How each access pattern is answered", *_operations(design, plan)),
        _plain_section(unsolved),
        _section("decisions", "Trade-offs", *_decisions(plan)),
        *map(_plain_section, shared),
        _section("keys", "Appendix: key templates", *_keys(plan)),
    ]
    titles = [
        ("entities", "Entities and relationships"),
        ("questions", "Access patterns"),
        *((_grid_id(table, index), title) for table, index, title in _structures(plan)),
        ("operations", "How each access pattern is answered"),
        (unsolved.name, unsolved.title),
        ("decisions", "Trade-offs"),
        *((section.name, section.title) for section in shared),
        ("keys", "Appendix: key templates"),
    ]
    body = tag("body", _cover(design, plan, date, standing), _contents(titles), sections)
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("title", f"{design.name}: {STYLE_LABELS[plan.style].lower()} design for DynamoDB"),
        tag("meta", name="generator", content="Keywright"),
    )
    return f"<!doctype html>{tag('html', head, body, lang='en')}"


def _section(name: str, title: str, *content: Html, kind: str = "") -> Html:
    return tag("section", tag("h1", title), content, id=name, class_=kind)


def _plain_section(section: Section) -> Html:
    return _section(section.name, section.title, *map(_block, section.blocks), kind="plain")


def _block(block: Block) -> Html:
    match block:
        case Heading(text):
            return tag("h2", text)
        case Paragraph(text):
            return tag("p", _said(text), class_="said")
        case Listed(items):
            return tag("ul", [tag("li", _said(item)) for item in items], class_="said")
        case Table():
            rows = [
                tag("tr", [_plain_cell(block, at, cell) for at, cell in enumerate(row)])
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
                class_=_kind("plain-table", len(rows)),
            )


def _kind(kind: str, rows: int) -> str:
    """A class for what has so many rows, and another one where these stay on one page."""
    return f"{kind} is-small" if rows <= SMALL else kind


def _plain_cell(table: Table, at: int, cell: str) -> Html:
    if at == 0:
        return tag("th", _said(cell), scope="row", class_=_figure(table, at))
    return tag("td", _said(cell), class_=_figure(table, at))


def _figure(table: Table, at: int) -> str | None:
    return "number" if at in table.numbers else None


def _cover(design: Design, plan: Plan, date: str, standing: Standing | None) -> Html:
    foot = [design.name, STYLE_LABELS[plan.style], _short(plan)]
    if standing is not None:
        foot += [f"r{standing.revision}", standing.status]
    facts = [
        *(standing.facts if standing is not None else ()),
        ("Style", STYLE_LABELS[plan.style]),
        ("In short", f"{summary(plan)}."),
        ("Region", design.region),
        ("Design hash", plan.design.meaning),
        ("Planner", plan.planner),
        *([("Date", date)] if date else []),
    ]
    context = design.context
    if context is not None:
        said = [
            ("Domain", context.domain),
            ("Business", context.business),
            ("Scale", context.scale),
        ]
        facts += [(name, text) for name, text in said if text]
    return tag(
        "section",
        tag("p", _mark(), "Keywright", class_="maker"),
        tag("p", design.name, class_="name"),
        tag("p", "Design for Amazon DynamoDB", class_="kind"),
        tag("p", design.description, class_="lead") if design.description else None,
        tag("dl", [tag("div", tag("dt", name), tag("dd", text)) for name, text in facts]),
        tag("p", " - ".join(foot), class_="running"),
        class_="cover",
    )


def _short(plan: Plan) -> str:
    return plan.design.meaning.removeprefix("sha256:")[:10]


def _mark() -> Html:
    return Html(
        '<svg class="mark" viewBox="0 0 16 16" width="20" height="20"><path fill="#0b6e69"'
        ' fill-rule="evenodd" d="M7.873 5H16v8H9V7H7.873A4 4 0 1 1 7.873 5ZM4 4a2 2 0 1 0 0 4 2 2 0 0'
        ' 0 0-4ZM10 7h2v2h-2ZM13 7h2v2h-2ZM10 10h2v2h-2ZM13 10h2v2h-2Z"/></svg>'
    )


def _contents(titles: list[tuple[str, str]]) -> Html:
    lines = [tag("li", tag("a", title, href=f"#{name}")) for name, title in titles]
    return tag("nav", tag("h1", "Contents"), tag("ol", lines), class_="contents")


# What the team states -----------------------------------------------------------------------------


def _entities(design: Design) -> Iterator[Html]:
    said = [tag("li", text) for text in relationship_sentences(design)]
    yield tag(
        "div",
        tag("div", Html(svg(design)), class_="picture"),
        tag("ul", said, class_="relationships") if said else None,
        class_="beside",
    )
    yield tag("h2", "Attributes")
    rows = [_entity_row(entity, number) for number, entity in enumerate(design.entities)]
    yield _table(
        ("Entity", "Attributes", "Items"),
        [tag("tbody", rows)],
        _kind("attributes", len(rows)),
        (16, 74, 10),
    )


def _entity_row(entity: Entity, number: int) -> Html:
    """An entity with its attributes one after the other: most have little to say, and a row each would fill pages."""
    items = figures.number(entity.items) if entity.items is not None else ""
    return tag(
        "tr",
        tag("th", entity.name, scope="row", class_=f"strong {_chip(number)}"),
        tag("td", [_attribute(entity, each) for each in entity.attributes]),
        tag("td", items, class_="number"),
    )


def _attribute(entity: Entity, attribute: Attribute) -> Iterator[Html | str]:
    kind = attribute.type + (f" {attribute.format}" if attribute.format else "")
    said = "; ".join((kind, *attribute_facts(entity, attribute)))
    yield tag("code", attribute.name)
    yield f"\u00a0{said}{APART}"


def _questions(design: Design, plan: Plan) -> Iterator[Html]:
    rows = [
        tag(
            "tr",
            tag("th", str(pattern.number), scope="row", class_="number"),
            tag("td", pattern.name, class_="strong"),
            tag("td", reads_as(design, pattern)),
            tag("td", pattern.why),
        )
        for pattern in design.patterns
    ]
    yield _table(
        ("No.", "Access pattern", "Reads as", "Why"),
        [tag("tbody", rows)],
        "questions",
        (4, 21, 48, 27),
    )


# What follows -------------------------------------------------------------------------------------


def _structures(plan: Plan) -> Iterator[tuple[str, str | None, str]]:
    for table in plan.tables:
        yield table.name, None, f"Table {table.name}"
        for index in table.indexes:
            yield table.name, index.name, f"Index {index.name} of {table.name}"


def _grid_id(table: str, index: str | None) -> str:
    return f"grid-{table}-{index}" if index else f"grid-{table}"


def _grids(design: Design, plan: Plan, items: Examples) -> Iterator[Html]:
    for table_name, index_name, title in _structures(plan):
        table = plan.table(table_name)
        shown = grid(design, plan, items, table_name, index_name)
        index = next((index for index in table.indexes if index.name == index_name), None)
        serves = index.serves if index else table.serves
        about = [f"Example items: {shown.sentence}"]
        # The same items once more: their keys are what is new.
        repeats = index is not None and _is_inline(shown)
        if index is not None:
            projection = index.projection
            held = {
                "ALL": "all attributes",
                "KEYS_ONLY": "keys only",
                "INCLUDE": f"keys and {', '.join(projection.attributes)}",
            }[projection.type]
            shows = repeats and projection.type != "KEYS_ONLY"
            about.append(f"It holds {held}{SHOWN_THERE if shows else ''}.")
        if serves:
            about.append(f"Serves {numbered(serves)}.")
        yield _section(
            _grid_id(table_name, index_name),
            title,
            tag("p", " ".join(about), class_="quiet"),
            _grid(shown, repeats) if shown.collections else tag("p", shown.empty),
            kind=_kind("structure", shown.items),
        )


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
    bodies = [
        _collection(shown, collection, keys, inline, only_keys) for collection in shown.collections
    ]
    kind = "grid has-sort" if shown.sort else "grid"
    return _table(tuple(head), bodies, kind, _widths(shown, tuple(head), keys, inline, only_keys))


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
    rest.

    Said beforehand, a long table is laid out many times faster than when each cell is measured.
    """

    def longest(texts: list[str], title: str, wide: float = 1.0) -> float:
        most = max((len(text) for text in texts), default=0) * wide
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
            texts = [
                "not projected" if c.state == "unprojected" else _plain(c.pieces) for c in cells
            ]
            widths.append(longest(texts, column.name))
    return tuple(round(width / sum(widths) * 100, 2) for width in widths)


def _plain(pieces: tuple[Piece, ...]) -> str:
    return "".join(piece.text for piece in pieces)


def _collection(
    shown: Grid, collection: Collection, keys: tuple[int, ...], inline: bool, only_keys: bool
) -> Html:
    rows = []
    for place, row in enumerate(collection.rows):
        cells: list[Html] = []
        if place == 0:
            many = len(collection.rows) > 1
            cells.append(
                tag(
                    "th",
                    _pieces(collection.partition),
                    tag("span", collection.sentence, class_="count") if many else None,
                    scope="rowgroup",
                    rowspan=len(collection.rows) if many else None,
                    class_="key",
                )
            )
        if row.sort is not None:
            cells.append(tag("th", _pieces(row.sort.pieces), scope="row", class_="key"))
        cells.append(tag("td", row.label, class_=_chip(row.hue)))
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
        return tag("td", tag("span", "not projected", class_="unprojected"), class_=classes)
    if cell.state == "absent":
        return tag("td", "\u2013", class_=f"{classes} absent".strip())
    return tag("td", _pieces(cell.pieces), class_=classes)


def _pairs(row: Row) -> Iterator[Html | str]:
    """Attributes one after the other, each behind its name. Few elements: a large grid has many."""
    for cell in row.cells:
        if cell.state in ("none", "absent"):
            continue
        yield tag("i", cell.name)
        if cell.state == "unprojected":
            yield tag("span", "not projected", class_="unprojected")
        else:
            # The name must not part from its value, the value may break.
            yield f"\u00a0{_plain(cell.pieces)}  "
    if row.more:
        yield tag("i", f"and {', '.join(row.more)}")


def _pieces(pieces: tuple[Piece, ...]) -> list[Html | str]:
    """A key text: its constant parts are set apart, the rest is as the cell is.

    WeasyPrint breaks no line between two texts, and lets the next one run over: a space of no width allows it.
    """
    return [tag("i", f"{piece.text}\u200b") if piece.constant else piece.text for piece in pieces]


def _chip(hue: int) -> str:
    """The class of a cell that names an entity."""
    return f"chip hue-{hue % HUES}"


def _operations(design: Design, plan: Plan) -> Iterator[Html]:
    bodies = []
    for pattern in design.patterns:
        rows = [
            _operation(design, plan, operation) for operation in plan.operations_for(pattern.number)
        ]
        bodies.append(tag("tbody", rows))
    head = ("No.", "Access pattern", "Served by", "Requests", "Units", "A month")
    yield _table(head, bodies, "operations", (4, 21, 49, 8, 8, 10))
    if plan.upkeep:
        yield tag("p", "A consumer of the tables' streams keeps copies right:", class_="after")
        rows = [_upkeep(plan, upkeep) for upkeep in plan.upkeep]
        columns = ("After", "It does", "Requests", "Units", "A month")
        yield _table(columns, [tag("tbody", rows)], "upkeep", (21, 53, 8, 8, 10))


def _upkeep(plan: Plan, upkeep: Upkeep) -> Html:
    return tag(
        "tr",
        tag("th", upkeep.after, scope="row"),
        tag("td", kept_up_by(plan, upkeep)),
        tag("td", figures.number(upkeep.requests), class_="number"),
        tag("td", data_model.units(upkeep), class_="number"),
        tag("td", figures.money(upkeep.usd_per_month), class_="number"),
    )


def _operation(design: Design, plan: Plan, operation: Operation) -> Html:
    name = design.pattern(operation.pattern).name
    given = operation.given
    if given is not None:
        name += f", with {', '.join(given)}" if given else ", with no optional condition"
    refused = operation.answer == "not served"
    return tag(
        "tr",
        tag("th", str(operation.pattern), scope="row", class_="number"),
        tag("td", name, class_="strong"),
        tag("td", served_by(plan, operation), class_="refused" if refused else None),
        tag("td", figures.number(operation.requests) if operation.steps else "", class_="number"),
        tag("td", data_model.units(operation), class_="number"),
        tag("td", figures.money(operation.usd_per_month), class_="number"),
    )


def _said(text: str) -> list[Child]:
    """What a plan or a finding says, with what stands between backticks as code."""
    return [tag("code", part) if is_code else part for part, is_code in with_code(text)]


def _decisions(plan: Plan) -> Iterator[Html]:
    rows = []
    for decision in plan.decisions:
        instead = [
            tag(
                "li",
                choice_text(other.choice),
                [": ", _said(other.because)] if other.because else None,
                f" ({figures.money(other.per_month)} a month)"
                if other.per_month is not None
                else None,
            )
            for other in decision.instead_of
        ]
        rows.append(
            tag(
                "tr",
                tag("th", decision.about[:1].upper() + decision.about[1:], scope="row"),
                tag("td", choice_text(decision.choice), class_="key"),
                tag("td", _said(decision.because)),
                tag("td", tag("ul", instead) if instead else None),
                tag("td", figures.money(decision.per_month), class_="number"),
            )
        )
    head = ("About", "Chosen", "Because", "Not chosen", "A month")
    yield _table(head, [tag("tbody", rows)], "decisions", (14, 22, 30, 25, 9))
    if plan.certificate is not None and plan.certificate.indexes_at_least:
        least = figures.count(plan.certificate.indexes_at_least, "index", "indexes")
        yield tag("p", f"No fewer than {least}: ", _said(plan.certificate.because), class_="after")


def _keys(plan: Plan) -> Iterator[Html]:
    for table in plan.tables:
        yield tag("h2", f"Table {table.name}")
        if any(shape.role == "copy" for shape in table.items):
            yield tag("p", COPIES)
        rows = []
        for shape in table.items:
            named = [(name, template) for name, template in shape.set.items()]
            if shape.inside is not None:
                named = [(f"{shape.inside.shape}.{shape.inside.attribute}", shape.inside.at or "")]
            elif not named:
                keys = [
                    table.key.partition.name,
                    *([table.key.sort.name] if table.key.sort else []),
                ]
                named = [(name, f"{{{name}}}") for name in keys]
            templates = [
                [f"{name}\u00a0", tag("code", template_text(template)), APART]
                for name, template in named
            ]
            rows.append(
                tag(
                    "tr",
                    tag("th", shape_name(shape), scope="row", class_="strong"),
                    tag("td", templates),
                    tag("td", figures.size(shape.bytes), class_="number"),
                )
            )
        yield _table(
            ("Item", "Attributes and their templates", "Average size"),
            [tag("tbody", rows)],
            _kind("keys", len(rows)),
            (20, 69, 11),
        )


def _table(
    head: tuple[str, ...], bodies: list[Html], kind: str, widths: tuple[float, ...] = ()
) -> Html:
    cells = [
        tag("th", name, scope="col", style=f"width:{widths[place]}%" if widths else None)
        for place, name in enumerate(head)
    ]
    return tag("table", tag("thead", tag("tr", cells)), bodies, class_=kind)
