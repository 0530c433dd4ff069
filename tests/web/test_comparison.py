"""The comparison page: its figures are those of the other pages, and a pattern opens in the grids of both styles."""

import re
from html import unescape

import pytest
from django.contrib.auth.models import User
from django.test import Client

from designer.core.design import gallery
from designer.core.design.document import Design
from designer.core.plan import ALL_STYLES, Style
from designer.views.results import Asked
from projects import revisions, teams
from projects.models import Draft
from tests.web.forms import HTMX

URL = "/d/compared4alice/"


def start(alice: User, design: Design) -> Draft:
    return revisions.start(
        Draft(slug="compared4alice", project=teams.home(alice)), design, "Start", alice
    )


@pytest.fixture
def orders(alice: User) -> Draft:
    return start(alice, gallery.load("merchant-orders"))


@pytest.fixture
def untried(monkeypatch: pytest.MonkeyPatch) -> None:
    """What would change a recommendation is still being tried."""
    monkeypatch.setattr("designer.views.comparison.waited_for", lambda *_: Asked("planning", None))


def text(page: str) -> str:
    return unescape(" ".join(re.sub("<[^>]*>", " ", page).split()))


def rows(page: str, label: str) -> list[list[str]]:
    """The cells of the table in the region of that name, as text."""
    table = page.split(f'aria-label="{label}"')[1].split("</table>")[0]
    found = (re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, re.S) for row in table.split("<tr")[1:])
    return [[text(cell) for cell in cells] for cells in found]


def row_of(found: list[list[str]], begins: str) -> list[str]:
    return next(cells for cells in found if cells and cells[0].startswith(begins))


PATTERNS = "How each access pattern fares in each style"
TOTALS = "Totals of each style"
EACH = 7
"""Cells of a pattern in a style."""


@pytest.mark.parametrize(("at", "style"), list(enumerate(ALL_STYLES)))
def test_figures_agree_with_those_of_cost_and_heat(
    at: int, style: Style, orders: Draft, as_alice: Client, untried: None
) -> None:
    page = as_alice.get(f"{URL}compare/?styles=all&only=all").content.decode()
    totals, patterns = rows(page, TOTALS), rows(page, PATTERNS)
    cost = as_alice.get(f"{URL}cost/?view={style}").content.decode()
    whole = row_of(totals, "Total per month")[1 + at]
    assert f"{whole} a month Average rates" in text(cost)
    chosen_by = row_of(totals, "Requests and storage per month")[1 + at]
    assert f"chosen by the cost of its requests and storage, {chosen_by}." in text(cost)
    growth = rows(cost, "The bill in the months to come")
    assert row_of(totals, "Total per month, after a year")[1 + at] == row_of(growth, "12")[-1]
    assert row_of(totals, "Stored")[1 + at] == row_of(growth, "0")[1]
    assert row_of(patterns, "Total")[4 * at + 2] == whole
    lines = [
        one for one in rows(cost, "Cost of each access pattern") if one and one[0][:1].isdigit()
    ]
    assert len(lines) == len(gallery.load("merchant-orders").patterns)
    for line in lines:
        mine = row_of(patterns, f"{line[0].split()[0]} ")[1 + EACH * at : 1 + EACH * (at + 1)]
        units = [
            f"{figure} {what}"
            for figure, what in zip(line[3:5], ("read", "write"), strict=True)
            if figure != "0"
        ]
        assert (mine[3], mine[6]) == (line[5], ", ".join(units))
    heat = as_alice.get(f"{URL}heat/?view={style}").content.decode()
    levels = [line[-1] for line in rows(heat, "Heat of each table and index")[1:]]
    hottest = row_of(totals, "Hottest key at peak")[1 + at]
    assert hottest in levels
    assert max(levels, key=_percent) == hottest


def _percent(level: str) -> float:
    return 0.0 if "under" in level else float(level.split()[1])


def test_figures_agree_with_those_of_the_alternatives(
    orders: Draft, as_alice: Client, untried: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    totals = rows(as_alice.get(f"{URL}compare/").content.decode(), TOTALS)
    monkeypatch.setattr("projects.pieces.SMALL", 10_000)
    page = as_alice.get(f"{URL}alternatives/")
    theirs = rows(page.content.decode(), "Alternatives")
    as_set = [
        (at, ALL_STYLES.index(column.style))
        for at, column in enumerate(page.context["columns"], 1)
        if column.is_set
    ]
    assert {at for _, at in as_set} >= {0, 1}
    for column, at in as_set:
        for mine, their in (
            ("Requests and storage per month", "Requests and storage per month"),
            ("Indexes", "Indexes"),
            ("Requests per second", "Requests per second"),
            ("Tables", "Tables"),
        ):
            assert row_of(totals, mine)[1 + at] == row_of(theirs, their)[column].split()[0]


def test_the_document_says_the_same(orders: Draft, as_alice: Client, untried: None) -> None:
    page = as_alice.get(f"{URL}compare/?styles=all").content.decode()
    model = as_alice.get(f"{URL}exports/data-model/single/").content.decode()
    for _, *cells in rows(page, TOTALS)[1:]:
        assert f" | {' | '.join(cells)} |" in model
    for title, says, *_ in rows(page, "The criteria, answered from this design")[1:]:
        said = says.replace("Not stated. ", "not stated: ")
        assert f"| {title} | {said} |" in model


def test_a_pattern_opens_in_the_grids_of_both_styles(
    orders: Draft, as_alice: Client, untried: None
) -> None:
    closed = as_alice.get(f"{URL}compare/?styles=single-multi").content.decode()
    assert "compare/?styles=single-multi&amp;pattern=3#pattern-3" in closed
    assert "grid is-lit" not in closed and 'aria-expanded="true"' not in closed
    assert len(row_of(rows(closed, PATTERNS), "3 ")) == 1 + 2 * EACH
    page = as_alice.get(f"{URL}compare/?pattern=3&styles=single-multi").content.decode()
    assert page.count('aria-expanded="true"') == 1
    opened = page.split('class="compare-opened"')[1]
    single, multi = (
        opened.split(f'<section class="sheet-of-style" aria-label="{label}">')[1].split(
            "</section>\n"
        )[0]
        for label in ("Single table", "Multi table")
    )
    for grid in (single, multi):
        assert "grid is-lit" in grid and "is-returned" in grid
    # The links of the answer load a page: there is no workspace here into which they could.
    assert "hx-target" not in opened.split('id="compare-totals"')[0]
    three = as_alice.get(f"{URL}compare/?pattern=3&styles=all").content.decode()
    assert three.count('class="sheet-of-style"') == 3


def test_what_differs_is_shown_first(orders: Draft, as_alice: Client, untried: None) -> None:
    whole = as_alice.get(f"{URL}compare/?only=all")
    some = as_alice.get(f"{URL}compare/")
    as_before = as_alice.get(f"{URL}compare/?only=differing")
    assert as_before.context["lines"] == some.context["lines"]
    assert len(whole.context["lines"]) == 16
    numbers = [line.row.pattern.number for line in some.context["lines"]]
    assert numbers == [
        line.row.pattern.number for line in whole.context["lines"] if line.row.differs
    ]
    assert 0 < len(numbers) < 16
    alike = f"{16 - len(numbers)} of 16 access patterns have the same result in the styles shown."
    assert alike in text(some.content.decode())
    with_one = as_alice.get(f"{URL}compare/?pattern=1").context["lines"]
    assert {line.row.pattern.number for line in with_one} == {*numbers, 1}


def test_what_is_not_stated_is_called_so(orders: Draft, as_alice: Client, untried: None) -> None:
    criteria = rows(
        as_alice.get(f"{URL}compare/").content.decode(), "The criteria, answered from this design"
    )
    teams = row_of(criteria, "Teams and ownership")
    assert teams[1:] == ["Not stated. No entity states which team owns it.", "none", ""]
    assert "Not stated" not in row_of(criteria, "Personal data and tenants")[1]


def test_what_was_tried_comes_by_itself(
    orders: Draft, as_alice: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    poll = {**HTMX, "HX-Target": "turning", "HX-Trigger": "planning"}
    with monkeypatch.context() as trying:
        trying.setattr("designer.views.comparison.waited_for", lambda *_: Asked("planning", None))
        page = as_alice.get(f"{URL}compare/").content.decode()
        assert "Best for this design: Grouped tables" in text(page)
        assert 'hx-target="#turning"' in page
        assert as_alice.get(f"{URL}compare/", headers=poll).status_code == 204
    monkeypatch.setattr("projects.pieces.SMALL", 10_000)
    page = text(as_alice.get(f"{URL}compare/", headers=poll).content.decode())
    assert "If OrderItem belonged to a team of its own: Single table" in page
    same = page.split("No change in ")[1]
    assert "If every access pattern ran ten times as often" in same
    assert "ran ten times as often." not in same


def test_that_trying_failed_is_said(
    orders: Draft, as_alice: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("designer.views.comparison.waited_for", lambda *_: Asked("failed", None))
    page = as_alice.get(f"{URL}compare/").content.decode()
    assert "The changes could not be tried." in page and "compare-patterns" in page


def test_nothing_is_compared_while_it_is_planned(
    orders: Draft, as_alice: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("designer.views.comparison.evaluated", lambda *_: Asked("planning", None))
    page = as_alice.get(f"{URL}compare/").content.decode()
    assert 'id="planning"' in page and "compare-patterns" not in page


def test_without_patterns_there_is_nothing_to_compare(alice: User, as_alice: Client) -> None:
    start(alice, gallery.load("starter").model_copy(update={"patterns": ()}))
    page = as_alice.get(f"{URL}compare/").content.decode()
    assert "There are none yet" in page and f'href="{URL}patterns/add/"' in page


def test_the_tabs_of_the_plan_lead_here(db: None, client: Client) -> None:
    assert 'href="/d/starter/compare/"' in client.get("/d/starter/cost/").content.decode()


def test_three_totals_are_pictures_that_say_their_figures(
    orders: Draft, as_alice: Client, untried: None
) -> None:
    page = as_alice.get(f"{URL}compare/").content.decode()
    said = re.findall(r'class="plot" role="img" viewBox="[^"]*" aria-label="([^"]*)"', page)
    assert [each.split(".")[0] for each in said] == [
        "Total per month",
        "Requests per second",
        "Hottest key at peak",
    ]
    (totals,) = [row for row in rows(page, TOTALS) if row[0] == "Total per month"]
    for cell in totals[1:]:
        assert cell in said[0]
    for picture in re.findall(r'<svg[^>]*class="plot".*?</svg>', page, re.S):
        widths = [float(width) for width in re.findall(r'<rect[^>]* width="([\d.]+)"', picture)]
        assert len(widths) == 3 and max(widths) == 130 and min(widths) > 0
        assert picture.count("is-chosen") == 1


@pytest.mark.parametrize("odd", ["\r\n", " \t ", ""])
def test_example_values_of_white_space_stop_no_page(
    odd: str, alice: User, as_alice: Client, untried: None
) -> None:
    design = gallery.load("starter")
    entities = tuple(
        entity.model_copy(
            update={
                "attributes": tuple(
                    one.model_copy(update={"examples": (odd,)})
                    if one.type == "S" and not (one.derived or one.aggregate)
                    else one
                    for one in entity.attributes
                )
            }
        )
        for entity in design.entities
    )
    changed = design.model_copy(update={"entities": entities})
    assert sum((odd,) == one.examples for entity in entities for one in entity.attributes) > 1
    start(alice, changed)
    for path in ("compare/?styles=all&only=all", "", "?pattern=1", "?view=multi", "diagram.svg"):
        assert as_alice.get(f"{URL}{path}").status_code == 200, path


def test_the_style_that_suits_stands_beside_another_at_first(
    as_charlie: Client, untried: None
) -> None:
    page = as_charlie.get("/d/tea-shop/compare/").content.decode()
    assert "Best for this design: Grouped tables" in page
    bar = page.split('aria-label="Styles side by side"')[1].split("</nav>")[0]
    current = re.findall(r'aria-current="true">([^<]*)', bar)
    assert current == ["Multi table and Grouped tables"]
    asked = as_charlie.get("/d/tea-shop/compare/?styles=single-multi").content.decode()
    assert 'aria-current="true">Single table and Multi table' in asked
