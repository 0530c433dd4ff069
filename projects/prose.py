"""What people write in comments: Markdown, made into the little HTML that a comment may have.

Raw HTML and headings stay the text that they are; an image becomes a link to it, so that nothing is fetched from
elsewhere.
"""

import re
from collections.abc import Collection, Iterator
from contextlib import suppress
from html import unescape
from threading import Lock

import nh3
from cachetools import LRUCache
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt
from markdown_it.token import Token

from designer.core.messages import Message, say

TAGS = {
    *("p", "br", "hr", "em", "strong", "s", "code", "pre", "blockquote", "ul", "ol", "li", "a"),
    *("span", "table", "thead", "tbody", "tr", "th", "td"),
}
_MARKDOWN = MarkdownIt("commonmark", {"html": False, "breaks": True})
_MARKDOWN.enable(["table", "strikethrough"]).disable(["image", "heading", "lheading", "html_block"])
_WITHOUT_TABLES = MarkdownIt("commonmark", {"html": False, "breaks": True})
_WITHOUT_TABLES.enable("strikethrough").disable(["image", "heading", "lheading", "html_block"])

_NAME = re.compile(r"(?<![\w.@+-])@([\w.@+-]+)")
_ENDS = ".-+@"
"""Signs that names may contain, and that may as well end a sentence."""

MOST_LINKS = 50
LARGEST = 100_000
"""Characters of a text as HTML. Of ten thousand characters, cells of tables make 0.7 MB, which take 0.4 s each time
that somebody looks.
"""

_made: LRUCache[tuple[str, frozenset[str]], SafeString] = LRUCache(
    4_000_000, getsizeof=lambda made: 4 * len(made) + LARGEST // 10
)
"""Texts as HTML, by the text and the names that it may call: a page shows the same ones each time."""
_lock = Lock()


def html(text: str, names: Collection[str] = ()) -> SafeString:
    """A text as HTML, with those of the names that it calls, `@ana`, marked."""
    key = text, frozenset(names)
    with _lock:
        known: SafeString | None = _made.get(key)
    if known is None:
        known = _html(text, names)
        with _lock, suppress(ValueError):  # it is larger than all that is kept
            _made[key] = known
    return known


def _html(text: str, names: Collection[str]) -> SafeString:
    tokens = _parsed(text)
    for token in tokens:
        if token.children:
            token.children = list(_marked(token.children, names))
    made = _MARKDOWN.renderer.render(tokens, _MARKDOWN.options, {})
    return mark_safe(  # nh3 lets nothing else through
        nh3.clean(
            made,
            tags=TAGS,
            attributes={"a": {"href"}, "ol": {"start"}},
            allowed_classes={"span": {"mention"}},
            url_schemes={"http", "https", "mailto"},
            link_rel="nofollow noopener",
        )
    )


MOST_CELLS = 10_000
"""Cells of tables: so many empty ones are as long as a text may be. A row has all cells of its head, though it writes
none, so that ten thousand characters state a quarter of a million.
"""
_HEAD = re.compile(r"[-:|>*+0-9.)\s]*")
"""The line under the head of a table, in a list or a quote as well."""


def _parsed(text: str) -> list[Token]:
    """What a text says; where its tables would have too many cells, it has none."""
    return (_WITHOUT_TABLES if _has_too_many_cells(text) else _MARKDOWN).parse(text)


def _has_too_many_cells(text: str) -> bool:
    lines = text.splitlines()
    columns = max((line.count("|") + 1 for line in lines if _HEAD.fullmatch(line)), default=0)
    return columns * len(lines) > MOST_CELLS


def too_much(text: str) -> Message | None:
    """What of a text is more than a comment may hold; None where it may stand."""
    if _has_too_many_cells(text):
        return say("table-too-large")
    tokens = _MARKDOWN.parse(text)
    links = sum(child.type == "link_open" for token in tokens for child in token.children or ())
    if links > MOST_LINKS:
        return say("links-at-most", most=MOST_LINKS)
    if len(_MARKDOWN.renderer.render(tokens, _MARKDOWN.options, {})) > LARGEST:
        return say("table-too-large")
    return None


def plain(text: str) -> str:
    """The same as words alone, for where there is one line for it."""
    made = _MARKDOWN.renderer.render(_parsed(text), _MARKDOWN.options, {})
    return unescape(nh3.clean(made, tags=set())).strip()


def line(text: str) -> str:
    """A text in one line, with single spaces."""
    return " ".join(text.split())


def mentioned(text: str, names: Collection[str]) -> frozenset[str]:
    """Those of the names that a text calls. In code nobody is called."""
    children = (child for token in _parsed(text) for child in token.children or ())
    return frozenset(
        name
        for child in children
        if child.type == "text"
        for _, name in _calls(child.content, names)
    )


def _calls(text: str, names: Collection[str]) -> Iterator[tuple[re.Match[str], str]]:
    """Each place of a text that calls one of the names, and which."""
    known = {name.casefold(): name for name in names}
    longest = max(map(len, names), default=0)
    for match in _NAME.finditer(text):
        # Any of the signs at the end may belong to the name or not; what is longer than every name is none.
        shortest = len(match[1].rstrip(_ENDS))
        for end in range(min(len(match[1]), longest), shortest - 1, -1):
            called = match[1][:end].casefold()
            if called in known:
                yield match, known[called]
                break


def _marked(children: list[Token], names: Collection[str]) -> Iterator[Token]:
    for child in children:
        if child.type != "text":
            yield child
            continue
        at = 0
        for match, name in _calls(child.content, names):
            end = match.start(1) + len(name)
            yield Token("text", "", 0, content=child.content[at : match.start()])
            called = escape(child.content[match.start() : end])
            yield Token("html_inline", "", 0, content=f'<span class="mention">{called}</span>')
            at = end
        yield Token("text", "", 0, content=child.content[at:])
