"""The PDF: what it says, how many pages it has, that it is tagged, and what it may fetch."""

import io
import re
from dataclasses import replace
from functools import cache
from types import SimpleNamespace
from typing import Any

import pytest
from pypdf import PdfReader
from weasyprint import CSS, HTML
from weasyprint.formatting_structure import boxes
from weasyprint.urls import URLFetchingError, fetch

from designer.core.comparison.compare import compared
from designer.core.design import gallery
from designer.core.examples import examples
from designer.core.exporters.base import Options
from designer.core.exporters.pdf import Pdf, charts
from designer.core.exporters.pdf.cover import _decision
from designer.core.exporters.pdf.decisions import decisions
from designer.core.exporters.pdf.document import document
from designer.core.exporters.pdf.fetching import STATIC, OwnFiles
from designer.core.exporters.pdf.grids import excerpt, pieces_of
from designer.core.exporters.pdf.html import tag
from designer.core.exporters.pdf.patterns import patterns
from designer.core.grid import grid
from designer.core.grid.pieces import Piece
from designer.core.plan import ALL_STYLES, Decision, Style
from designer.core.planner import plan as planned
from designer.core.report.facts import Facts
from designer.core.report.standing import Standing
from designer.core.words import figures
from tests.core.orders import ORDERS, PLAN

PAGES = document(ORDERS, PLAN)
FACTS = Facts(ORDERS, PLAN)
FONT = f"{STATIC.as_uri()}/vendor/ibm-plex-sans/5.3.0/ibm-plex-sans-latin-400-normal.woff2"


@cache
def made() -> bytes:
    content = Pdf().export(ORDERS, PLAN).content
    assert isinstance(content, bytes)
    return content


@cache
def pdf() -> PdfReader:
    return PdfReader(io.BytesIO(made()))


def words(text: str) -> str:
    """Text without its line breaks, which say nothing."""
    return " ".join(text.split())


def test_it_says_what_the_design_says() -> None:
    said = words(" ".join(page.extract_text() for page in pdf().pages))
    for expected in (
        PLAN.design.meaning,
        "The app lists Orders of one User",
        "Query on index GSI1",
        "Pattern 2 has no rate",
        "User 1:N Order (places)",
        "ORDER#<placedAt>#<orderId>",
        "ada@example.com",
        f"Orders - Single table - {'0' * 10}",
        f"page 2 of {len(pdf().pages)}",
    ):
        assert expected in said, expected


def test_an_entity_is_one_row_and_its_attributes_are_in_it() -> None:
    rows = re.findall(r"<tr>.*?</tr>", re.findall(r'<table class="attributes.*?</table>', PAGES)[0])
    assert len(rows) == 1 + len(ORDERS.entities)
    for row, entity in zip(rows[1:], ORDERS.entities, strict=True):
        assert all(f"<code>{each.name}</code>" in row for each in entity.attributes)


def test_an_index_repeats_no_attributes_that_the_grid_of_its_table_shows() -> None:
    index = re.findall(r'<section id="grid-orders-GSI1".*?</section>', PAGES)[0]
    assert '<th scope="col" style' in index
    assert ">Attributes</th>" not in index
    assert ">Attributes</th>" in re.findall(r'<section id="grid-orders".*?</section>', PAGES)[0]


def test_a_large_grid_is_shown_in_part_and_the_appendix_has_all_of_it() -> None:
    design = gallery.load("shop")
    plan = planned(design, "single")
    table = plan.tables[0]
    whole = grid(design, plan, examples(design), table.name, None)
    few = excerpt(whole, 15)
    assert few.items == sum(len(each.rows) for each in few.collections) < whole.items
    assert set(few.collections) < set(whole.collections)
    # Every kind of item that lies in no larger collection than fits is there.
    kinds = {row.label for each in few.collections for row in each.rows}
    assert {"User", "Order", "Product"} <= kinds
    pages, short = document(design, plan), document(design, plan, with_appendix=False)
    beyond = next(e for e in whole.collections if e not in few.collections).sentence
    assert f"Example items: {few.items} of {whole.items}." in short
    appendix = pages.partition('id="items"')[2]
    assert appendix and beyond in appendix
    assert "Appendix" not in short


def test_a_small_grid_is_shown_once() -> None:
    assert 'id="items"' not in PAGES


def test_the_first_page_says_what_decides() -> None:
    page = words(pdf().pages[0].extract_text())
    for expected in (
        figures.money(float(FACTS.bill.usd)),
        figures.money(float(FACTS.bill.usd_at_peak)),
        "5 of 5",
        "access patterns served, 4 of them in one request; 1 served without keys",
        "Top risks",
        "Assumed",
        "Not included: patterns 2, 3, 4 and 6, without a rate.",
        "How often do patterns 2, 3, 4 and 6 run?",
    ):
        assert expected in page, expected
    # One price only: that of the bill.
    assert figures.money(PLAN.cost.per_month) not in page or PLAN.cost.per_month == float(
        FACTS.bill.usd
    )


@cache
def market(style: Style) -> str:
    design = gallery.load("merchant-orders")
    plans = {each: planned(design, each) for each in ALL_STYLES}
    return document(design, plans[style], plans)


def test_the_first_page_says_where_another_style_is_better() -> None:
    assert "The comparison favours another style: Grouped tables." in market("multi")
    assert "another style" not in market("grouped")


def test_the_first_page_names_all_styles_that_are_better() -> None:
    design = gallery.load("merchant-orders")
    plans = {each: planned(design, each) for each in ALL_STYLES}
    found = compared(design, plans).recommendation
    tied: Any = SimpleNamespace(recommendation=replace(found, as_good=("single",)))
    said = _decision(plans["multi"], tied)
    assert said.endswith("The comparison favours other styles: Grouped tables and Single table.")
    assert "The comparison" not in _decision(plans["single"], tied)


def test_every_key_attribute_of_a_table_has_its_template() -> None:
    row = next(
        row for row in market("multi").split("<tr>") if "merchantId_status_PENDING\u00a0" in row
    )
    assert "orderId\u00a0<code>&lt;orderId&gt;</code>" in row


def test_what_to_do_about_an_alarm_stays_with_its_table() -> None:
    """A table of few rows goes to the next page with the text below it."""
    rows = tag("tbody", [tag("tr", tag("td", f"row {n}")) for n in range(2)])
    table, below = (
        tag("table", rows, class_="plain-table is-small"),
        tag("p", "below", class_="said"),
    )
    split = 0
    sheets = [
        CSS(filename=STATIC / "css/pdf.css"),
        CSS(string="@page { size: 120mm 100mm; margin: 5mm }"),
        CSS(string="@page :first { margin: 5mm }"),
    ]
    for above in range(40, 90, 2):
        filler = f"<div style='height: {above}mm'></div>"
        shown = HTML(string=f"<body>{filler}{table}{below}</body>").render(stylesheets=sheets)
        texts = [
            {box.text for box in page._page_box.descendants() if isinstance(box, boxes.TextBox)}
            for page in shown.pages
        ]
        assert [{"row 1", "below"} <= text for text in texts].count(True) == 1, above
        split += len(shown.pages) > 1
    assert 0 < split < 25


def test_plots_say_their_figures_in_text() -> None:
    heat = re.findall(r'<section id="heat".*?</section>', PAGES)[0]
    for key in FACTS.heat.keys:
        assert figures.little_share(float(key.used)) in heat
    assert "Monthly bill over three years" in PAGES


def test_a_font_is_unpacked_once(monkeypatch: pytest.MonkeyPatch) -> None:
    made()
    monkeypatch.setattr("fontTools.ttLib.woff2.decompress", None)
    with fetch(OwnFiles(), FONT) as response:
        assert response.read()[:4] == b"\0\1\0\0"


def test_it_says_how_the_design_stands_on_the_cover_and_on_each_page() -> None:
    approvers = ("Ana", "Ben & Co")
    standing = Standing("approved", 12, PLAN.design.meaning, approvers, "27 November 2026")
    pages = document(ORDERS, PLAN, None, standing)
    for name, said in (
        ("Status", "Approved"),
        ("Revision", "r12 of 27 November 2026"),
        ("Approved by", "Ana, Ben &amp; Co"),
    ):
        assert f"<dt>{name}</dt><dd>{said}</dd>" in pages
    assert f"Orders - Single table - {'0' * 10} - r12 - approved" in pages
    assert "<dt>Status</dt>" not in document(ORDERS, PLAN)


def test_it_is_a_tagged_document_with_a_language_and_a_title() -> None:
    catalog = pdf().root_object
    assert catalog["/MarkInfo"]["/Marked"] == True  # noqa: E712 - a PDF's boolean
    assert catalog["/Lang"] == "en"
    assert "/StructTreeRoot" in catalog
    assert pdf().metadata is not None
    assert pdf().metadata.title == "Orders: single table design for DynamoDB"
    assert b"pdfuaid" in catalog["/Metadata"].get_object().get_data()


def test_every_section_has_a_bookmark_and_a_line_in_the_contents() -> None:
    marks = [mark["/Title"] for mark in pdf().outline if not isinstance(mark, list)]
    sections = [
        "Entities and relationships",
        "Table orders",
        "Index GSI1 on orders",
        "Access patterns",
        "Access patterns without a key",
        "Trade-offs",
        "Cost",
        "Heat",
        "Risks and findings",
        "Appendix: cost in detail",
        "Appendix: heat of every key",
        "Appendix: recovery, services, permissions",
        "Appendix: monitoring",
        "Appendix: checklist",
    ]
    assert marks == ["Contents", *sections]
    contents = words(pdf().pages[0].extract_text()).partition("Contents")[2].strip()
    assert all(section in contents for section in sections)
    # The contents name the pages on which the sections really are.
    texts = [page.extract_text() for page in pdf().pages]
    starts = [
        next(n for n, text in enumerate(texts, 1) if n > 1 and title in text.splitlines())
        for title in sections
    ]
    for title, start in zip(sections, starts, strict=True):
        assert f"{start}{title}" in contents


def test_the_same_plan_makes_the_same_bytes() -> None:
    assert Pdf().export(ORDERS, PLAN).content == made()


def test_texts_of_the_team_stay_texts() -> None:
    nasty = ORDERS.model_copy(
        update={"name": '<img src="file:///etc/passwd">&', "description": "</p>"}
    )
    html = document(nasty, PLAN)
    assert "<img" not in html
    assert "&lt;img src=&quot;file:///etc/passwd&quot;&gt;&amp;" in html


def test_fonts_come_from_the_projects_own_files() -> None:
    fonts = {
        str(font.get_object()["/BaseFont"])
        for page in pdf().pages
        for font in page["/Resources"].get("/Font", {}).values()
    }
    assert fonts
    assert all("IBM-Plex" in font for font in fonts), fonts


@pytest.mark.parametrize(
    "url",
    [
        "https://example.com/a.css",
        "http://127.0.0.1/",
        "file:///etc/passwd",
        f"{STATIC.as_uri()}/../manage.py",
        f"{STATIC.as_uri()}/%2e%2e/manage.py",
        "file://elsewhere/static/css/pdf.css",
        "data:text/plain,hello",
        "ftp://example.com/a",
    ],
)
def test_it_fetches_nothing_but_static_files(url: str) -> None:
    with pytest.raises(URLFetchingError), fetch(OwnFiles(), url):
        pass


def test_it_fetches_static_files() -> None:
    with fetch(OwnFiles(), f"{STATIC.as_uri()}/css/pdf.css") as response:
        assert b"@page" in response.read()


@pytest.mark.slow
@pytest.mark.parametrize(("style", "more"), [("single", 0), ("multi", 14)])
def test_the_shop_becomes_a_document(style: Style, more: int) -> None:
    """Without its appendix in one style, and in the other with it, which takes no more than so many pages."""
    design = gallery.load("shop")
    plans = {each: planned(design, each) for each in ALL_STYLES}
    plan = plans.pop(style)
    export = Pdf().export(design, plan, Options(beside=plans, with_appendix=more > 0))
    assert export.filename == f"shop-{style}.pdf"
    assert export.content_type == "application/pdf"
    assert isinstance(export.content, bytes)
    reader = PdfReader(io.BytesIO(export.content))
    pages = len(reader.pages)
    appendix = [
        reader.get_destination_page_number(mark)
        for mark in reader.outline
        if not isinstance(mark, list) and "Appendix" in mark["/Title"]
    ]
    assert bool(appendix) == (more > 0)
    before = min(appendix, default=pages)
    assert 8 <= before <= 15
    assert pages <= before + more


@pytest.mark.parametrize("width", range(60, 130, 3))
def test_a_key_is_broken_where_a_constant_ends_with_the_line(width: int) -> None:
    pieces = (
        Piece("VIDEO#", constant=True),
        Piece("2026-02-10T14:00:00Z"),
        Piece("#", constant=True),
        Piece("01KH3XM4R0MPST6B8D2HFVXKD1"),
    )
    row = tag("tr", tag("td", pieces_of(pieces), class_="key"), tag("td", "beside"))
    page = HTML(string=tag("table", row, class_="grid")).render(
        stylesheets=[
            CSS(filename=STATIC / "css/pdf.css"),
            CSS(string=f"@page {{ size: {width}mm 100mm; margin: 0 }}"),
        ]
    )
    descendants = page.pages[0]._page_box.descendants()
    td = next(box for box in descendants if isinstance(box, boxes.TableCellBox))
    for box in td.descendants():
        if isinstance(box, boxes.TextBox):
            assert box.position_x + box.width <= td.position_x + td.border_width() + 0.1


def test_a_choice_is_broken_between_the_parts_of_a_key() -> None:
    choice = "Review: GSI1PK = USER#{userId}, GSI1SK = REVIEW#{createdAt}#{productId}#{reviewId}"
    decided = Decision.model_validate({"about": "index orders/GSI1", "choice": choice})
    _, rows, *_ = decisions(PLAN.model_copy(update={"decisions": (decided,)}))
    page = HTML(string=rows).render(
        stylesheets=[
            CSS(filename=STATIC / "css/pdf.css"),
            CSS(string="@page { size: 230mm 100mm; margin: 0 }"),
        ]
    )
    lines = [
        box.text.strip(" \u200b")
        for box in page.pages[0]._page_box.descendants()
        if isinstance(box, boxes.TextBox) and ("SK" in box.text or "<" in box.text)
    ]
    assert len(lines) > 2
    assert all(line.count("<") == line.count(">") for line in lines), lines
    assert not any(line.startswith("=") for line in lines), lines


@pytest.mark.parametrize("kind", ["plain-table", "attributes", "keys", "operations", "grid"])
def test_a_table_is_not_split_after_its_first_row(kind: str) -> None:
    row = "<tr><th>Order</th><td>what is said of it</td></tr>"
    groups = {"operations": [row] * 12, "grid": [row * 4, row * 4, row * 4]}.get(kind, [row * 12])
    bodies = "".join(f"<tbody>{group}</tbody>" for group in groups)
    table = (
        f"<table class='{kind}'><thead><tr><th>Item</th><th>Facts</th></tr></thead>{bodies}</table>"
    )
    splits = set()
    sheets = [
        CSS(filename=STATIC / "css/pdf.css"),
        CSS(string="@page { size: 120mm 100mm; margin: 5mm }"),
        CSS(string="@page :first { margin: 5mm }"),
    ]
    for above in range(20, 80, 3):
        filler = f"<div style='height: {above}mm'></div>"
        shown = HTML(string=f"<body>{filler}<p class='said'>Items</p>{table}</body>").render(
            stylesheets=sheets
        )
        rows, about = [], []
        for page in shown.pages:
            found = list(page._page_box.descendants())
            groups_here = [box for box in found if isinstance(box, boxes.TableRowGroupBox)]
            rows.append(sum(len(box.children) for box in groups_here if not box.is_header))
            about.append(
                any(isinstance(box, boxes.TextBox) and box.text == "Items" for box in found)
            )
        assert sum(rows) == 12
        first = next(count for count in rows if count)
        assert first >= {"grid": 4, "operations": 2}.get(kind, 3), (above, rows)
        assert 0 < rows[about.index(True)] == first, (above, rows)  # what is said stays with it
        splits.add(first)
    assert len(splits) >= 2


@pytest.mark.parametrize("requests", [1, 3])
def test_an_access_pattern_is_not_split(requests: int) -> None:
    """What it is called, what it asks and how each of its requests answers it stand on one page."""
    asked = "<p>The app gets one User by userId, many times a second, and more is said of it.</p>"
    bodies = []
    for number in range(8):
        about = f"<td rowspan='{requests}'><strong>name {number}</strong>{asked}<p>end {number}</p></td>"
        rows = [f"{about if at == 0 else ''}<td>request {number}</td>" for at in range(requests)]
        bodies.append(f"<tbody>{''.join(f'<tr>{row}</tr>' for row in rows)}</tbody>")
    head = "<thead><tr><th>Access pattern</th><th>Served by</th></tr></thead>"
    table = f"<table class='operations'>{head}{''.join(bodies)}</table>"
    sheets = [
        CSS(filename=STATIC / "css/pdf.css"),
        CSS(string="@page { size: 120mm 110mm; margin: 5mm } @page :first { margin: 5mm }"),
    ]
    splits = set()
    for above in range(20, 85, 3):
        filler = f"<div style='height: {above}mm'></div>"
        shown = HTML(string=f"<body>{filler}<h2>Asked</h2>{table}</body>").render(
            stylesheets=sheets
        )
        pages: dict[str, set[int]] = {}
        for number, page in enumerate(shown.pages):
            for box in page._page_box.descendants():
                if isinstance(box, boxes.TextBox):
                    pages.setdefault(box.text.strip(), set()).add(number)
        for number in range(8):
            texts = (f"{what} {number}" for what in ("name", "end", "request"))
            assert len(set().union(*(pages[each] for each in texts))) == 1, (above, number)
        assert pages["Asked"] == pages["name 0"] == pages["name 1"], above
        splits |= {number for number in range(1, 8) if pages[f"name {number}"] != pages["name 0"]}
    assert len(splits) >= 2


def test_long_names_stay_in_their_cells() -> None:
    name = "x" * 64
    cells = f'<td><span class="chip">{name}</span></td><td>{name}</td><td class="key">{name}</td>'
    page = HTML(string=f"<table><tr>{cells}</tr></table>").render(
        stylesheets=[CSS(string="@page { size: 90mm 100mm }"), CSS(filename=STATIC / "css/pdf.css")]
    )
    tds = [
        box for box in page.pages[0]._page_box.descendants() if isinstance(box, boxes.TableCellBox)
    ]
    assert len(tds) == 3
    for td in tds:
        texts = [box for box in td.descendants() if isinstance(box, boxes.TextBox)]
        assert "".join(box.text for box in texts) == name
        for box in texts:
            assert box.position_x + box.width <= td.position_x + td.border_width() + 0.1


def test_long_figures_stay_in_their_cells() -> None:
    design = gallery.load("folder-tree")
    bodies = "".join(patterns(design, planned(design, "single")))
    sheet = CSS(filename=STATIC / "css/pdf.css")
    shown = HTML(string=f"<body>{bodies}</body>").render(stylesheets=[sheet])
    found = []
    for page in shown.pages:
        for td in page._page_box.descendants():
            if isinstance(td, boxes.TableCellBox):
                texts = [box for box in td.descendants() if isinstance(box, boxes.TextBox)]
                found += [box.text for box in texts]
                for box in texts:
                    assert box.position_x + box.width <= td.content_box_x() + td.width + 0.5, (
                        box.text
                    )
    # The figure at the worst is long, and broken only where it ends.
    assert any(re.fullmatch(r"\(at\sworst\s160,\d+\)", text) for text in found)


def test_its_picture_has_all_attributes() -> None:
    design = gallery.load("shop")
    pages = document(design, planned(design, "single"), "")
    picture = re.findall(r"<svg [^>]*class=\"er\".*?</svg>", pages)[0]
    for entity in design.entities:
        assert all(f">{each.name}<" in picture for each in entity.stored), entity.name


@pytest.mark.parametrize(("less", "words"), [(1, "1 other"), (2, "2 others")])
def test_what_a_plot_leaves_to_the_table_is_counted(
    less: int, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    facts = Facts(gallery.load("tea-shop"), planned(gallery.load("tea-shop"), "single"))
    priced = sum(1 for line in facts.bill.patterns if line.usd)
    monkeypatch.setattr(charts, "MOST_BARS", priced - less)
    assert f">{words}<" in str(charts.cost_by_pattern(facts))
