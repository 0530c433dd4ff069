"""How bytes, money, icons, key texts and pictures are written on the pages; nothing else."""

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Protocol

from django import template
from django.template import Context
from django.templatetags.static import static
from django.utils.html import conditional_escape, escape, format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe

from designer.core import er_picture
from designer.core.cost.price import Price
from designer.core.design.document import Design
from designer.core.design.entities import Entity, Relationship
from designer.core.grid.pieces import Piece
from designer.core.grid.shown import STYLE_LABELS, STYLE_WORDS, Cell, Grid, Row
from designer.core.plan import ALL_STYLES, Plan, Style
from designer.core.plan.pinning import pinnable
from designer.core.planner.explain.amounts import CENT
from designer.core.planner.what_if.why_not import has_rivals
from designer.core.rational import Fraction
from designer.core.sentences import plans as sentences
from designer.core.sentences.attribute_types import kind_in_words
from designer.core.words import english, figures

register = template.Library()


class Addresses(Protocol):
    """Where the pages and parts of a design are found, by those who look at it: `designer.views.addresses.Urls`."""

    def of(self, place: str) -> str: ...

    def page(self, name: str, *about: object) -> str: ...


register.filter("bytes", figures.size)
register.filter("binary", figures.binary_size)
register.filter("money", figures.money)
register.filter("figure", figures.number)
register.filter("choice", sentences.choice_text)
register.filter("optimality", sentences.optimality)
register.filter("index_bound", sentences.index_bound)
register.filter("share", figures.share)
register.filter(kind_in_words)
register.filter("pinnable", pinnable)
register.filter("has_rivals", has_rivals)


@register.simple_tag
@cache
def icon(name: str, css_class: str = "") -> SafeString:
    """An icon of static/img/icons.svg. It is silent: the words beside it, or an `.sr` text, speak."""
    return format_html(
        '<svg class="icon {}" aria-hidden="true"><use href="{}#{}"/></svg>',
        css_class,
        static("img/icons.svg"),
        name,
    )


register.filter(english.a)
register.filter(english.ended)
register.filter(english.joined)


@register.filter
def little(figure: float) -> str:
    """A number of which less than a hundredth says nothing: `under 0.01`."""
    return figures.little(figure)


@register.filter
def little_share(part: float) -> str:
    """A share of which less than a tenth of a per cent says nothing."""
    return figures.little_share(part)


@register.filter
def plain(figure: Fraction) -> float:
    """An exact figure as one that can be written."""
    return float(figure)


@register.filter
def less(figure: Fraction, other: Fraction) -> float:
    """What one exact figure is more than another."""
    return float(figure - other)


@register.filter
def money_more(usd: float) -> str:
    """A difference in US dollars: `$3.15 more`, `$0.20 less`, `the same`."""
    return figures.money_more(usd)


@register.filter
def money_added(usd: float) -> str:
    """What something does to the monthly bill: `add $33.20 a month to the bill`."""
    return figures.money_added(usd)


@register.filter
def unshared(plan: Plan) -> str:
    """`2 tables; no two entities share one.`"""
    return sentences.unshared(plan)


@register.filter
def coded(text: object) -> SafeString:
    """A text of ours, escaped, with what stands between backticks as code."""
    return format_html_join(
        "",
        "{}",
        (
            (format_html("<code>{}</code>", part) if is_code else part,)
            for part, is_code in sentences.with_code(str(text))
        ),
    )


@register.filter
def style_label(style: Style) -> str:
    """What a style is called on the pages: `Single table`."""
    return STYLE_LABELS[style]


@register.filter
def style_plan(style: Style) -> str:
    """A plan of a style as sentences name it: `single-table plan`."""
    return f"{STYLE_WORDS[style].removesuffix(' style')} plan"


@register.filter
def style_query(view: object) -> str:
    """The query that keeps the style looked at on a page of one style; empty for the first, and for all of them."""
    return f"?view={view}" if view in ALL_STYLES[1:] else ""


@register.filter
def summary(plan: Plan, prices: Mapping[Style, Price]) -> SafeString:
    """A plan and its price in one line, which is shorter where there is little room."""
    price = prices[plan.style]
    said = sentences.summary(plan, price)
    if price.lacks_rates:
        return conditional_escape(said)
    start, _, end = said.partition(price.purpose)
    return format_html('{}<span class="summary-purpose">{}</span>{}', start, price.purpose, end)


@register.simple_tag
def cost_beside(style: Style, after: Mapping[Style, Price], before: Mapping[Style, Price]) -> str:
    """What a plan costs, and how much more or less than before: `costs $1.20 a month more: $350.42`."""
    now = after[style].usd
    if after[style].lacks_rates:
        return f"has {after[style].monthly}"
    if style not in before or before[style].lacks_rates:
        return f"costs {after[style].monthly}"
    was = before[style].usd
    if abs(now - was) < CENT:
        return f"costs {figures.money(now)} a month, as before"
    more = "more" if now > was else "less"
    return f"costs {figures.money(abs(now - was))} a month {more}: {figures.money(now)}"


@register.filter
def pieces(parts: Iterable[Piece]) -> SafeString:
    """Pieces of a key text: constant ones quiet, variable ones strong."""
    return SafeString(
        "".join(
            f'<span class="{"constant" if part.constant else "variable"}"{_whole(part.full)}>{escape(part.text)}</span>'
            for part in parts
        )
    )


def _whole(full: str) -> str:
    """What is shortened, for whoever points at it."""
    return f' title="{escape(full)}"' if full else ""


@register.filter
def folds(grid: Grid, state: Mapping[str, str]) -> bool:
    """Whether the other keys of a grid stand in one column: where there are any, and nobody unfolded them."""
    return bool(grid.folded) and state.get("unfold") != "keys"


def _words_id(row: Row, name: str, grid: Grid) -> str:
    """The id of what is said of a key attribute of a row; empty where nothing is."""
    place = f"{row.shape} {name}"
    return next(
        (f"{grid.id}-words-{at}" for at, (each, _) in enumerate(grid.words) if each == place), ""
    )


@register.simple_tag
def explains(row: Row, names: Iterable[str], grid: Grid) -> SafeString:
    """The attributes of a cell that a key stands in: static/js/key-tip.js tells what it is made of."""
    ids = " ".join(filter(None, (_words_id(row, name, grid) for name in names)))
    return SafeString(f' data-explains="{escape(ids)}" tabindex="-1"' if ids else "")


@register.simple_tag
def folded_cell(row: Row, grid: Grid) -> SafeString:
    """The other keys of a row in one cell: which it has, each with its values for whoever points at it."""
    shown = ""
    for other in grid.others:
        cells = [row.keys[place] for place in other.columns]
        if any(cell.state != "present" for cell in cells):
            continue
        says = "; ".join(f"{c.name} = {''.join(part.text for part in c.pieces)}" for c in cells)
        ids = " ".join(filter(None, (_words_id(row, cell.name, grid) for cell in cells)))
        shown += (
            f'<span class="grid-other" data-explains="{escape(ids)}" data-says="{escape(says)}" tabindex="-1">'
            f'{escape(other.label)}<span class="sr">: {escape(says)}</span></span>'
        )
    return SafeString(f'<td class="grid-others">{shown}</td>\n')


@register.simple_tag
def grid_cell(cell: Cell, grid: Grid, row: Row | None = None) -> SafeString:
    """One cell of a grid's row. A grid has hundreds, and a template for each would take most of a page's time."""
    key = "key" if cell.is_key else ""
    number = " number" if cell.is_number else ""
    label = shown = ""
    if grid.layout == "positions" and not cell.is_key:
        label = f'<span class="grid-label">{escape(cell.name)}</span>'
    if cell.state == "present":
        shown = f'<span class="grid-value"{_whole(cell.full)}>{pieces(cell.pieces)}</span>'
    elif cell.state == "unprojected":
        why = (
            f"read from the text of {cell.spelled_by}"
            if cell.spelled_by
            else "a second read would return it"
        )
        shown = (
            f'<span class="grid-unprojected" title="Not projected: {escape(why)}">'
            f"{escape(cell.where)}</span>"
        )
    elif cell.state == "absent":
        shown = (
            f'<span class="grid-absent" title="This item has no {escape(cell.name)}">'
            '<span class="sr">absent</span></span>'
        )
    of = ""
    if grid.form == "samples" and not cell.is_key and cell.state in ("present", "absent"):
        of = f' data-of="{escape(cell.name)}"'
    tip = explains(row, (cell.name,), grid) if row is not None and cell.state == "present" else ""
    return SafeString(f'<td class="{key}{number} is-{cell.state}"{of}{tip}>{label}{shown}</td>\n')


@register.simple_tag(takes_context=True)
def diagram(context: Context) -> SafeString:
    """The entities and relationships as SVG, each leading to its form where there is one. Takes from the page `design`,
    `urls`, `place`, `selected`, `may_edit`, `is_landing` and `draft`.
    """
    return mark_safe(er_picture.svg(context["design"], _dress(context)))


@register.simple_tag(takes_context=True)
def redrawn(context: Context, before: Design) -> SafeString:
    """What of the same picture is drawn differently since boxes were moved, `before` being the design before that."""
    return mark_safe(er_picture.redrawn(before, context["design"], _dress(context)))


def _dress(context: Context) -> er_picture.Dress:
    design: Design = context["design"]
    selected = context.get("selected")
    edits = bool(context.get("may_edit")) and not context.get("is_landing")

    def to(place: str) -> dict[str, str]:
        address = context["urls"].of(place)
        return _leading(f"{address}{context['place'].query}", context) if address else {}

    def entity(each: Entity) -> dict[str, str]:
        link = to(f"entities.{each.name}")
        if not link:
            return {}
        moves = _edits(context["urls"], each) if edits else {}
        return {**link, **moves, "aria-label": each.name}

    def relationship(each: Relationship) -> dict[str, str]:
        link = to(f"relationships.{each.name}")
        # The list of relationships has it for the keyboard.
        return (
            {**link, "tabindex": "-1", "aria-label": f"Relationship “{each.name}”"} if link else {}
        )

    return er_picture.Dress(
        entity,
        relationship,
        er_picture.asked_by(design, selected) if selected else frozenset(),
        margin=48,
        handles=edits,
    )


def _leading(address: str, context: Context) -> dict[str, str]:
    if context.get("is_landing"):
        return {"href": address}
    return {
        "href": address,
        "hx-get": address,
        "hx-target": "#statement",
        "hx-swap": "innerHTML scroll:#statement:top show:#statement:top",
        "hx-push-url": "true",
    }


def _edits(urls: Addresses, entity: Entity) -> dict[str, str]:
    return {
        f"data-{what}": urls.page(f"diagram-{what}", entity.id or entity.name)
        for what in ("move", "rename")
    }


@register.filter
def is_moved(design: Design) -> bool:
    """Whether somebody put a box somewhere."""
    return any(entity.drawn_at for entity in design.entities)


@register.simple_tag(takes_context=True)
def address(context: Context, page: str, *about: object) -> str:
    """The address of a page of the design, where this visitor finds it; empty when it is not for them.

    What a shared link shows too asks for addresses so, and never by the name of a view.
    """
    urls: Addresses = context["urls"]
    return urls.page(page, *about)


@register.simple_tag(takes_context=True)
def form_of(context: Context, parts: str, part: object) -> str:
    """The address of the form of a part of the design, by its name or number; empty where this visitor finds none."""
    urls: Addresses = context["urls"]
    return urls.of(f"{parts}.{part}")
