"""How pages write what people say: the way to the comments on an object, statuses and names."""

from dataclasses import dataclass

from django import template
from django.contrib.auth.models import User
from django.template import Context
from django.utils.html import format_html
from django.utils.safestring import SafeString

from designer.core.grid.shown import Collection, Grid, Row
from designer.core.plan import Style
from designer.core.report.standing import short
from designer.core.words import figures
from designer.templatetags.designer_tags import icon
from projects import waiting
from projects.reviews import name_of

register = template.Library()

register.filter("meaning_hash", short)

STATUS_ICONS = {
    "draft": "circle-dashed",
    "in review": "eye",
    "changes requested": "circle-alert",
    "approved": "circle-check",
    "changed since approval": "circle-dashed",
}


@register.filter
def person(someone: User | None) -> str:
    """What people call somebody; their account may be gone."""
    return name_of(someone)


@register.simple_tag(takes_context=True)
def author(context: Context, someone: User | None) -> str:
    """Who did something to the design of the page: visitors in their sandboxes have no name."""
    if someone is None and context["draft"].project_id is None:
        return "a visitor"
    return name_of(someone)


@dataclass(frozen=True)
class Waits:
    """How much waits for whoever reads the page."""

    count: int

    @property
    def words(self) -> str:
        return (
            f"{figures.count(self.count, 'thing')} {'waits' if self.count == 1 else 'wait'} for you"
        )


@register.simple_tag(takes_context=True)
def waits_for_you(context: Context) -> Waits | None:
    """What waits for the visitor; None where nothing does. A page that has listed it is not counted again."""
    listed = context.get("waiting_count")
    count = waiting.count(context.get("user")) if listed is None else listed
    return Waits(count) if count else None


@register.simple_tag
def status_chip(status: str) -> SafeString:
    """A status as icon and word: never colour alone."""
    return format_html(
        '<span class="status-chip is-{}">{} {}</span>',
        status.replace(" ", "-"),
        icon(STATUS_ICONS[status]),
        status.capitalize(),
    )


@register.simple_tag(takes_context=True)
def comments_on(context: Context, kind: str, key: str, label: str) -> SafeString:
    """The small button that leads to what is said of an object; nothing where there is nothing to say or read."""
    on = f"{kind}:{key}"
    count = (context.get("open_threads") or {}).get(on, 0)
    if not (count or context.get("may_comment")):
        return SafeString("")
    url = f"{context['urls'].page('threads', on)}{context['place'].query}"
    here = SafeString("")
    if context.get("with_grid"):
        here = format_html(
            ' hx-get="{}" hx-target="#statement" hx-push-url="true"'
            ' hx-swap="innerHTML scroll:#statement:top show:#statement:top"',
            url,
        )
    return format_html(
        '<a class="tool comment-link{}" data-comment href="{}"{}>{}<span class="sr">{} {}</span>{}</a>',
        " has-threads" if count else "",
        url,
        here,
        icon("message-square"),
        f"{figures.count(count, 'open thread')} on" if count else "Comment on",
        label,
        format_html('<span aria-hidden="true">{}</span>', count) if count else "",
    )


@register.simple_tag(takes_context=True)
def grid_comments(context: Context, grid: Grid, style: Style) -> SafeString:
    """The same for a table or an index."""
    if grid.index is None:
        return comments_on(context, "table", f"{style}/{grid.table}", grid.title)
    return comments_on(context, "index", f"{style}/{grid.table}/{grid.index}", grid.title)


@register.simple_tag(takes_context=True)
def row_comments(
    context: Context, row: Row, collection: Collection, grid: Grid, style: Style
) -> SafeString:
    """The same for a row of it, which is called by its keys."""
    keys = (collection.partition, row.sort.pieces if row.sort is not None else ())
    called = ", ".join("".join(piece.text for piece in key) for key in keys if key)
    return comments_on(context, "row", f"{style}/{grid.table}/{row.item}", f"row {called}")
