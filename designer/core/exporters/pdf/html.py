"""HTML as Python calls. Every text is escaped; only what these functions made is taken as it is."""

from collections.abc import Iterable
from html import escape


class Html(str):
    """Text that is HTML already."""

    __slots__ = ()


Child = str | Html | None | Iterable["Child"]

_EMPTY = frozenset({"link", "meta", "br"})


def text(child: Child) -> str:
    """A child as HTML: texts escaped, lists one after the other, None nothing."""
    if child is None:
        return ""
    if isinstance(child, Html):
        return str(child)
    if isinstance(child, str):
        return escape(child)
    return "".join(text(part) for part in child)


def tag(name: str, /, *children: Child, **attributes: str | int | None) -> Html:
    """An element. `class_` is class; an attribute that is None is left out.

    >>> tag("p", "a < b", tag("strong", "!"), class_="note")
    '<p class="note">a &lt; b<strong>!</strong></p>'
    """
    said = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(str(value))}"'
        for key, value in attributes.items()
        if value is not None and value != ""
    )
    if name in _EMPTY:
        return Html(f"<{name}{said}>")
    return Html(f"<{name}{said}>{text(children)}</{name}>")
