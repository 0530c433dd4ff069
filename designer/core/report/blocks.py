"""The parts of documents: headings, paragraphs, lists and tables, as plain data.

Texts are plain text; what stands between backticks is code (`sentences.plans.with_code`).
"""

from dataclasses import dataclass

from designer.core.sentences.templates import only_if, without_condition
from designer.core.words.english import spoken

NOT_STATED = "not stated"


@dataclass(frozen=True)
class Heading:
    """Of a part of a section."""

    text: str


@dataclass(frozen=True)
class Paragraph:
    text: str


@dataclass(frozen=True)
class Listed:
    """Things one below the other."""

    items: tuple[str, ...]


@dataclass(frozen=True)
class Table:
    """Rows under a head. The first cell names its row."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    widths: tuple[int, ...]
    """Shares of a page's width in per cent, where a format takes some."""
    numbers: frozenset[int] = frozenset()
    """Columns whose cells are figures."""


Block = Heading | Paragraph | Listed | Table


@dataclass(frozen=True)
class Section:
    """A part of a document."""

    name: str
    """Stands in links to it."""
    title: str
    blocks: tuple[Block, ...]


def code(text: str) -> str:
    """A text as code; backticks of its own would end it."""
    return f"`{text.replace('`', chr(39))}`" if text else ""


def template_code(template: str) -> str:
    """A key template as code, and behind it the conditions under which it is written.

    >>> template_code('STATE#{only(state, "PAID")}')
    '`STATE#<state>`, only if state is PAID'
    """
    conditions = only_if(template)
    text = key_code(template)
    return f"{text}, only if {conditions}" if conditions else text


def key_code(template: str) -> str:
    """A key template as code, without the conditions under which it is written."""
    return code(without_condition(template))


def numbered(patterns: tuple[int, ...]) -> str:
    """`pattern 3`, `patterns 3 and 4`."""
    noun = "pattern" if len(patterns) == 1 else "patterns"
    return f"{noun} {spoken(tuple(map(str, patterns)))}"
