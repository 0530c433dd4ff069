"""How bytes, money, icons and key texts are written on the pages; nothing else."""

from collections.abc import Iterable

from django import template
from django.templatetags.static import static
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from designer.core import figures, sentences
from designer.core.grid import Piece, template_pieces

register = template.Library()

register.filter("bytes", figures.size)
register.filter("money", figures.money)
register.filter("figure", figures.number)
register.filter("summary", sentences.summary)
register.filter("choice", sentences.choice_text)


@register.simple_tag
def icon(name: str, css_class: str = "") -> SafeString:
    """An icon of static/img/icons.svg. It is silent: the words beside it, or an `.sr` text, speak."""
    return format_html(
        '<svg class="icon {}" aria-hidden="true"><use href="{}#{}"/></svg>',
        css_class,
        static("img/icons.svg"),
        name,
    )


@register.filter
def pieces(parts: Iterable[Piece]) -> SafeString:
    """Pieces of a key text: constant ones quiet, variable ones strong."""
    return format_html_join(
        "",
        '<span class="{}">{}</span>',
        (("constant" if part.constant else "variable", part.text) for part in parts),
    )


@register.filter
def key_template(text: str) -> SafeString:
    """A key template as it is stored, `USER#{userId}`, in pieces."""
    return pieces(template_pieces(text))
