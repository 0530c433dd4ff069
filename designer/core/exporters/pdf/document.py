"""The PDF's pages as HTML, section by section."""

from collections.abc import Iterator

from designer.core import figures
from designer.core.answer import answer, case_key
from designer.core.design.document import Attribute, Design, Entity
from designer.core.er_picture import sentences as relationship_sentences
from designer.core.er_picture import svg
from designer.core.examples import Examples, examples
from designer.core.exporters.pdf.html import Html, tag
from designer.core.grid import HUES, STYLE_LABELS, Cell, Collection, Grid, Piece, Row, grid
from designer.core.patterns.base import Pattern
from designer.core.plan import Decision, Finding, Operation, Plan
from designer.core.sentences import reads_as, summary, template_text

MOST_KEY_COLUMNS = 4
"""Key columns beside a grid's own; with more they stand among the attributes."""


def document(design: Design, plan: Plan, date: str) -> str:
    """The whole document. `date` stands on the cover, as the caller writes it; empty for none."""
    items = examples(design)
    sections = [
        _section("entities", "Entities and relationships", *_entities(design)),
        _section("questions", "Questions", *_questions(design, plan)),
        *_grids(design, plan, items),
        _section("operations", "How each question is answered", *_operations(design, plan)),
        _section("cost", "Cost", *_cost(design, plan)),
        _section("findings", "Findings", *_findings(design, plan)),
        _section("keys", "Appendix: key templates", *_keys(plan)),
    ]
    titles = [
        ("entities", "Entities and relationships"),
        ("questions", "Questions"),
        *((_grid_id(table, index), title) for table, index, title in _structures(plan)),
        ("operations", "How each question is answered"),
        ("cost", "Cost"),
        ("findings", "Findings"),
        ("keys", "Appendix: key templates"),
    ]
    body = tag("body", _cover(design, plan, date), _contents(titles), sections)
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("title", f"{design.name}: {STYLE_LABELS[plan.style].lower()} design for DynamoDB"),
        tag("meta", name="generator", content="Keywright"),
    )
    return f"<!doctype html>{tag('html', head, body, lang='en')}"


def _section(name: str, title: str, *content: Html) -> Html:
    return tag("section", tag("h1", title), content, id=name)


def _cover(design: Design, plan: Plan, date: str) -> Html:
    facts = [
        ("Style", STYLE_LABELS[plan.style]),
        ("In short", f"{summary(plan)}."),
        ("Region", design.region),
        ("Meaning", plan.design.meaning),
        ("Planner", plan.planner),
        *([("Date", date)] if date else []),
    ]
    context = design.context
    if context is not None:
        said = [("Domain", context.domain), ("Business", context.business), ("Scale", context.scale)]
        facts += [(name, text) for name, text in said if text]
    return tag(
        "section",
        tag("p", _mark(), "Keywright", class_="maker"),
        tag("p", design.name, class_="name"),
        tag("p", "Design for Amazon DynamoDB", class_="kind"),
        tag("p", design.description, class_="lead") if design.description else None,
        tag("dl", [tag("div", tag("dt", name), tag("dd", text)) for name, text in facts]),
        tag("p", f"{design.name} - {STYLE_LABELS[plan.style]} - {_short(plan)}", class_="running"),
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
    yield tag("div", Html(svg(design)), class_="picture")
    said = relationship_sentences(design)
    if said:
        yield tag("ul", [tag("li", text) for text in said], class_="relationships")
    yield tag("h2", "Attributes")
    rows = [_entity_rows(design, entity, number) for number, entity in enumerate(design.entities)]
    yield _table(("Entity", "Attribute", "Type", "Facts", "Items"), rows, "attributes")


def _entity_rows(design: Design, entity: Entity, number: int) -> Html:
    attributes = entity.attributes
    first = [
        tag("th", _chip(entity.name, number), scope="rowgroup", rowspan=len(attributes) or None),
    ]
    last = [
        tag(
            "td",
            f"{figures.number(entity.items)}" if entity.items is not None else "",
            class_="number",
            rowspan=len(attributes) or None,
        )
    ]
    rows = []
    for place, attribute in enumerate(attributes):
        cells = [
            tag("td", tag("code", attribute.name), scope=None),
            tag("td", attribute.type + (f" {attribute.format}" if attribute.format else "")),
            tag("td", "; ".join(_facts(entity, attribute))),
        ]
        rows.append(tag("tr", *(first if place == 0 else []), *cells, *(last if place == 0 else [])))
    if not rows:
        rows = [tag("tr", *first, tag("td"), tag("td"), tag("td"), *last)]
    return tag("tbody", rows)


def _facts(entity: Entity, attribute: Attribute) -> Iterator[str]:
    if attribute.name in entity.identifier:
        yield "identifies"
    if attribute.refers_to:
        yield f"refers to {attribute.refers_to}"
    if attribute.unique:
        yield "unique"
    if attribute.mutable:
        yield "changes"
    if attribute.present < 1:
        yield f"in {figures.share(attribute.present)} of the items"
    if attribute.values:
        yield "one of " + ", ".join(attribute.values)
    if attribute.ttl:
        yield "time to live"
    if attribute.derived:
        yield f"from {attribute.derived}"
    if attribute.aggregate:
        yield attribute.aggregate
    if attribute.description:
        yield attribute.description


def _questions(design: Design, plan: Plan) -> Iterator[Html]:
    rows = [
        tag(
            "tr",
            tag("th", str(pattern.number), scope="row", class_="number"),
            tag("td", tag("strong", pattern.name)),
            tag("td", reads_as(design, pattern)),
            tag("td", pattern.why),
        )
        for pattern in design.patterns
    ]
    yield _table(("No.", "Question", "Reads as", "Why"), [tag("tbody", rows)], "questions")


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
        if index is not None:
            projection = index.projection
            held = {
                "ALL": "all attributes",
                "KEYS_ONLY": "keys only",
                "INCLUDE": f"keys and {', '.join(projection.attributes)}",
            }[projection.type]
            about.append(f"It holds {held}.")
        if serves:
            about.append(f"Serves {_numbers(serves)}.")
        yield _section(
            _grid_id(table_name, index_name),
            title,
            tag("p", " ".join(about), class_="quiet"),
            _grid(shown) if shown.collections else tag("p", shown.empty),
        )


def _numbers(patterns: tuple[int, ...]) -> str:
    noun = "question" if len(patterns) == 1 else "questions"
    return f"{noun} {', '.join(str(number) for number in patterns)}"


def _grid(shown: Grid) -> Html:
    beside = shown.key_columns if len(shown.key_columns) <= MOST_KEY_COLUMNS else ()
    inline = shown.layout == "positions" or len(shown.columns) > 7 or not beside == shown.key_columns
    head = [shown.partition_name, *([shown.sort_name] if shown.sort else []), "Item"]
    head += [column.name for column in beside]
    head += ["Attributes"] if inline else [column.name for column in shown.columns]
    bodies = [_collection(shown, collection, bool(beside), inline) for collection in shown.collections]
    return _table(tuple(head), bodies, "grid has-sort" if shown.sort else "grid")


def _collection(shown: Grid, collection: Collection, beside: bool, inline: bool) -> Html:
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
        cells.append(tag("td", _chip(row.label, row.hue)))
        if beside:
            cells += [_cell(cell) for cell in row.keys]
        if inline:
            pairs = [*(() if beside else row.keys), *row.cells]
            cells.append(tag("td", _pairs(pairs, row), class_="pairs"))
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


def _pairs(cells: list[Cell], row: Row) -> Iterator[Html]:
    for cell in cells:
        if cell.state == "none" or cell.state == "absent":
            continue
        name = tag("span", cell.name, class_="label")
        if cell.state == "unprojected":
            yield tag("span", name, " ", tag("span", "not projected", class_="unprojected"), class_="pair")
        else:
            yield tag("span", name, " ", _pieces(cell.pieces), class_="pair")
        yield Html(" ")
    if row.more:
        yield tag("span", f"and {', '.join(row.more)}", class_="label")


def _pieces(pieces: tuple[Piece, ...]) -> list[Html]:
    return [
        tag("span", piece.text, class_="constant" if piece.constant else "variable")
        for piece in pieces
    ]


def _chip(label: str, hue: int) -> Html:
    return tag("span", tag("i", class_=f"hue-{hue % HUES}"), label, class_="chip")


def _operations(design: Design, plan: Plan) -> Iterator[Html]:
    for pattern in design.patterns:
        shown = [
            _operation(design, plan, pattern, operation)
            for operation in plan.operations_for(pattern.number)
        ]
        if shown:
            yield tag(
                "article",
                tag("h2", f"{pattern.number} {pattern.name}"),
                shown,
                _decisions(plan, pattern.number),
                class_="operation",
            )


def _operation(design: Design, plan: Plan, pattern: Pattern, operation: Operation) -> Html:
    given = operation.given
    said = answer(design, plan, pattern.number, case_key(operation))
    if said is None:
        return Html("")
    case = None
    if given is not None:
        case = tag("p", f"With {', '.join(given)}" if given else "With no optional condition", class_="case")
    numbers = [f"{figure.value} {figure.label}" for figure in said.figures]
    return tag(
        "div",
        case,
        tag("p", said.served_by, class_=f"served is-{said.verdict}"),
        tag("p", ", ".join(numbers), class_="quiet") if numbers else None,
    )


def _decisions(plan: Plan, pattern: int) -> Html | None:
    about = [d for d in plan.decisions if d.about == f"pattern {pattern}"]
    return tag("ul", [_decision(d) for d in about], class_="decisions") if about else None


def _decision(decision: Decision) -> Html:
    instead = "; ".join(
        f"{other.choice}{': ' + other.because if other.because else ''}"
        f"{f' ({figures.money(other.per_month)} a month)' if other.per_month is not None else ''}"
        for other in decision.instead_of
    )
    return tag(
        "li",
        tag("strong", decision.about),
        f": {decision.choice}. " if decision.choice else ". ",
        decision.because,
        f" Instead of {instead}." if instead else None,
    )


def _cost(design: Design, plan: Plan) -> Iterator[Html]:
    cost = plan.cost
    yield tag(
        "p",
        f"{figures.money(cost.per_month)} a month of 30 days at average rates, on demand in {design.region}: "
        f"{figures.money(cost.reads_per_month)} for reads, {figures.money(cost.writes_per_month)} for writes, "
        f"{figures.money(cost.storage_per_month)} for storage. If every question were asked at its peak all month: "
        f"{figures.money(cost.peak_per_month)}.",
        class_="lead",
    )
    if cost.without_patterns:
        yield tag("p", f"Not in it, for want of a rate: {_numbers(cost.without_patterns)}.")
    yield tag("p", f"No design among those looked at costs less than {figures.money(cost.bound)} a month.")
    rows = []
    for operation in sorted(plan.operations, key=lambda o: (-(o.usd_per_month or 0), o.pattern)):
        if operation.usd_per_month is None:
            continue
        given = operation.given
        name = design.pattern(operation.pattern).name
        rows.append(
            tag(
                "tr",
                tag("th", str(operation.pattern), scope="row", class_="number"),
                tag("td", name + (f", with {', '.join(given)}" if given else "")),
                tag("td", figures.number(operation.requests), class_="number"),
                tag("td", figures.number(operation.read_units), class_="number"),
                tag("td", figures.number(operation.write_units), class_="number"),
                tag("td", figures.money(operation.usd_per_month), class_="number"),
            )
        )
    head = ("No.", "Question", "Requests", "Read units", "Write units", "A month")
    yield _table(head, [tag("tbody", rows)], "cost")
    general = [d for d in plan.decisions if not d.about.startswith("pattern ")]
    if general:
        yield tag("h2", "Decisions")
        yield tag("ul", [_decision(decision) for decision in general], class_="decisions")
    if plan.certificate is not None:
        yield tag(
            "p",
            f"At least {figures.count(plan.certificate.indexes_at_least, 'index', 'indexes')} "
            f"are needed: {plan.certificate.because}",
        )


def _findings(design: Design, plan: Plan) -> Iterator[Html]:
    if not plan.findings:
        yield tag("p", "Nothing to report.")
    for severity in ("error", "warning", "advice"):
        found = [finding for finding in plan.findings if finding.severity == severity]
        if found:
            yield tag("h2", {"error": "Errors", "warning": "Warnings", "advice": "Advice"}[severity])
            yield tag("ul", [_finding(finding) for finding in found], class_="findings")
    if design.ignored_findings:
        yield tag("h2", "Set aside")
        rows = [
            tag(
                "tr",
                tag("td", tag("code", ignored.rule)),
                tag("td", ignored.about or "everywhere"),
                tag("td", ignored.because),
            )
            for ignored in design.ignored_findings
        ]
        yield _table(("Rule", "About", "Because"), [tag("tbody", rows)], "ignored")


def _finding(finding: Finding) -> Html:
    return tag(
        "li",
        finding.message,
        " ",
        tag("span", finding.remedy, class_="quiet") if finding.remedy else None,
        " ",
        tag("code", finding.rule),
    )


def _keys(plan: Plan) -> Iterator[Html]:
    for table in plan.tables:
        yield tag("h2", f"Table {table.name}")
        bodies = []
        for shape in table.items:
            named = [(name, template) for name, template in shape.set.items()]
            if not named:
                keys = [table.key.partition.name, *([table.key.sort.name] if table.key.sort else [])]
                named = [(name, f"{{{name}}}") for name in keys]
            rows = []
            for place, (name, template) in enumerate(named):
                first = tag("th", shape.shape, scope="rowgroup", rowspan=len(named)) if place == 0 else None
                last = (
                    tag("td", figures.size(shape.bytes), class_="number", rowspan=len(named))
                    if place == 0
                    else None
                )
                cells = [tag("td", tag("code", name)), tag("td", tag("code", template_text(template)))]
                rows.append(tag("tr", first, *cells, last))
            bodies.append(tag("tbody", rows))
        yield _table(("Item", "Attribute", "Template", "Average size"), bodies, "keys")


def _table(head: tuple[str, ...], bodies: list[Html], kind: str) -> Html:
    cells = [tag("th", name, scope="col") for name in head]
    return tag("table", tag("thead", tag("tr", cells)), bodies, class_=kind)

