"""What all pages share: icons that are there, colours in one place and readable, nothing inline."""

import re
from pathlib import Path
from types import SimpleNamespace

import pytest
from django.conf import settings
from django.template import Context, Template

from designer.core.cost.price import Price
from designer.core.grid.pieces import Piece
from designer.core.grid.shown import HUES, Cell

ROOT = Path(settings.BASE_DIR)
TEMPLATES = sorted((ROOT / "templates").rglob("*.html"))
STYLES = sorted((ROOT / "static" / "css").glob("*.css"))
TOKENS = (ROOT / "static/css/tokens.css").read_text()


def rendered(source: str, **context: object) -> str:
    return Template("{% load designer_tags %}" + source).render(Context(context))


def colours(name: str) -> tuple[str, str]:
    """A token in light and in dark."""
    found = re.search(rf"--{name}: light-dark\((#\w{{6}}), (#\w{{6}})\)", TOKENS)
    assert found, name
    return found[1], found[2]


def luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    r, g, b = (p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


def contrast(one: str, other: str) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def test_no_style_asks_for_a_part_of_a_class() -> None:
    """For one, a browser may style anew all that is inside whatever gets another class: a large diagram, for 50 ms."""
    assert [path.name for path in STYLES if "[class" in path.read_text()] == []


def test_no_style_of_the_page_asks_what_is_in_it() -> None:
    """Else a browser looks for whatever follows from any `:has()`, all over the page, after each change of anything."""
    asking = re.compile(r"\b(?:body|html|root)[\w.-]*:(?:not\(:)?has\(")
    assert [path.name for path in STYLES if asking.search(path.read_text())] == []


@pytest.mark.parametrize("text", ["ink", "ink-2", "accent", "ok", "warning", "error", "advice"])
@pytest.mark.parametrize("ground", ["page", "sheet", "sunk"])
def test_texts_stand_out_from_what_is_behind_them(text: str, ground: str) -> None:
    for mode in (0, 1):
        assert contrast(colours(text)[mode], colours(ground)[mode]) >= 4.5


@pytest.mark.parametrize(
    ("text", "ground"),
    [
        ("accent-ink", "accent"),
        ("ink", "accent-tint"),
        ("ink-2", "accent-tint"),
        ("ink", "warning-tint"),
        ("ink", "error-tint"),
    ],
)
def test_texts_stand_out_from_tints(text: str, ground: str) -> None:
    for mode in (0, 1):
        assert contrast(colours(text)[mode], colours(ground)[mode]) >= 4.5


@pytest.mark.parametrize("mark", ["control", *(f"hue-{n}" for n in range(8))])
def test_marks_and_borders_of_controls_can_be_seen(mark: str) -> None:
    for mode in (0, 1):
        assert contrast(colours(mark)[mode], colours("sheet")[mode]) >= 3


def test_every_hue_of_the_grid_has_a_class() -> None:
    assert all(f".hue-{number} {{" in TOKENS for number in range(HUES))


def test_colours_stand_in_the_tokens_only() -> None:
    for path in STYLES:
        if path.name != "tokens.css" and not path.name.startswith("pdf"):
            text = re.sub(r"/\*.*?\*/", "", path.read_text(), flags=re.DOTALL)
            found = re.findall(r":[^;{]*(#[0-9a-fA-F]{3,8})\b", text)
            assert not found or path.name == "print.css", f"{path.name}: {found}"


def test_every_icon_that_is_asked_for_is_in_the_sprite() -> None:
    sprite = (ROOT / "static/img/icons.svg").read_text()
    there = set(re.findall(r'<symbol id="([^"]+)"', sprite))
    asked = {
        name for path in TEMPLATES for name in re.findall(r'{% icon "([^"]+)"', path.read_text())
    }
    assert asked
    assert asked <= there


def test_every_icon_of_the_sprite_is_asked_for() -> None:
    sprite = (ROOT / "static/img/icons.svg").read_text()
    code = (path for app in ("designer", "projects") for path in (ROOT / app).rglob("*.py"))
    told = "".join(path.read_text() for path in (*TEMPLATES, *code))
    idle = {name for name in re.findall(r'<symbol id="([^"]+)"', sprite) if f'"{name}"' not in told}
    assert idle == set()


def test_nothing_is_inline() -> None:
    for path in TEMPLATES:
        text = re.sub(r"{% comment %}.*?{% endcomment %}", "", path.read_text(), flags=re.DOTALL)
        text = re.sub(r"{%.*?%}", "", text)  # what tags are given is no markup
        assert not re.search(r"<style|\sstyle=|\son[a-z]+=|hx-on|hx-vars|javascript:", text), path
        for script in re.findall(r"<script[^>]*>", text):
            assert "src=" in script, f"{path}: {script}"


def test_key_texts_are_written_in_pieces_and_escaped() -> None:
    html = rendered("{{ parts|pieces }}", parts=[Piece("<b>#", True), Piece("a&b")])
    assert html == ('<span class="constant">&lt;b&gt;#</span><span class="variable">a&amp;b</span>')


def test_an_icon_says_nothing_of_its_own() -> None:
    assert 'aria-hidden="true"' in rendered('{% icon "plus" %}')


def test_a_cost_is_written_beside_the_one_before() -> None:
    after = {"single": Price(350.424)}
    for before, said in (
        ({"single": Price(349.22)}, "costs $1.20 a month more: $350.42"),
        ({"single": Price(1350.424)}, "costs $1,000 a month less: $350.42"),
        ({"single": Price(350.42)}, "costs $350.42 a month, as before"),
        ({"multi": Price(1.0)}, "costs $350.42 a month"),
    ):
        assert (
            rendered("{% cost_beside 'single' after before %}", after=after, before=before) == said
        )


def test_figures_are_written_for_people() -> None:
    assert rendered("{{ 65536|bytes }}, {{ 41.2|money }}, {{ 1200|figure }}") == (
        "65.5 KB, $41.20, 1,200"
    )


@pytest.mark.parametrize(
    ("cell", "layout", "expected"),
    [
        (
            Cell("a<b", "present", (Piece("A#&", True), Piece("x'y")), 'x"y', is_key=True),
            "positions",
            '<td class="key is-present"><span class="grid-value" title="x&quot;y">'
            '<span class="constant">A#&amp;</span><span class="variable">x&#x27;y</span></span></td>',
        ),
        (
            Cell("a<b", "present", (Piece("7"),), is_number=True),
            "positions",
            '<td class=" number is-present" data-of="a&lt;b"><span class="grid-label">a&lt;b</span>'
            '<span class="grid-value"><span class="variable">7</span></span></td>',
        ),
        (
            Cell("a<b", "absent"),
            "columns",
            '<td class=" is-absent" data-of="a&lt;b"><span class="grid-absent" title="This item has no a&lt;b">'
            '<span class="sr">absent</span></span></td>',
        ),
        (
            Cell("a", "unprojected"),
            "columns",
            '<td class=" is-unprojected"><span class="grid-unprojected"'
            ' title="Not projected: a second read would return it">not projected</span></td>',
        ),
        (
            Cell("a", "unprojected", spelled_by="S<K"),
            "columns",
            '<td class=" is-unprojected"><span class="grid-unprojected"'
            ' title="Not projected: read from the text of S&lt;K">in S&lt;K</span></td>',
        ),
        (Cell("a", "none"), "columns", '<td class=" is-none"></td>'),
    ],
    ids=["key", "number", "absent", "unprojected", "in a key", "none"],
)
def test_a_cell_says_what_it_holds_and_escapes_it(cell: Cell, layout: str, expected: str) -> None:
    grid = SimpleNamespace(layout=layout, form="samples")
    assert rendered("{% grid_cell cell grid %}", cell=cell, grid=grid).strip() == expected
