"""Attributes as people list them: `hotelId uuid, name, stars 1-5, price 2 decimals, state FREE|HELD`."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from designer.core.capacity.sizes import attribute_value_bytes
from designer.core.design.attributes import Attribute
from designer.core.edits.replacing import first_reason
from designer.core.errors import MisfitError, Problem
from designer.core.messages import Message, say
from designer.core.outline.guesses import Kind, guessed_kind
from designer.core.words.spoken import one_word

MOST = 500
"""Attributes in one list; what is longer was meant for another place."""
LONGEST = 400
"""Characters of one attribute with its words."""

KINDS: dict[str, Kind] = {
    "text": ("S", None),
    "string": ("S", None),
    "str": ("S", None),
    "char": ("S", None),
    "varchar": ("S", None),
    "character varying": ("S", None),
    "long text": ("S", "text"),
    "ulid": ("S", "ulid"),
    "uuid": ("S", "uuid"),
    "guid": ("S", "uuid"),
    "ksuid": ("S", "ksuid"),
    "email": ("S", "email"),
    "e-mail": ("S", "email"),
    "url": ("S", "url"),
    "link": ("S", "url"),
    "date": ("S", "date"),
    "datetime": ("S", "datetime"),
    "timestamp": ("S", "datetime"),
    "timestamptz": ("S", "datetime"),
    "date and time": ("S", "datetime"),
    "json": ("S", "json"),
    "jsonb": ("S", "json"),
    "number": ("N", None),
    "integer": ("N", "integer"),
    "int": ("N", "integer"),
    "bigint": ("N", "integer"),
    "smallint": ("N", "integer"),
    "serial": ("N", "integer"),
    "whole number": ("N", "integer"),
    "decimal": ("N", "decimal"),
    "numeric": ("N", "decimal"),
    "float": ("N", "decimal"),
    "double": ("N", "decimal"),
    "money": ("N", "decimal"),
    "epoch": ("N", "epoch"),
    "version": ("N", "version"),
    "boolean": ("BOOL", None),
    "bool": ("BOOL", None),
    "true or false": ("BOOL", None),
    "bytes": ("B", None),
    "binary": ("B", None),
    "blob": ("B", None),
    "string set": ("SS", None),
    "set of texts": ("SS", None),
    "set of strings": ("SS", None),
    "number set": ("NS", None),
    "set of numbers": ("NS", None),
    "list": ("L", None),
    "list of texts": ("L", None),
    "list of strings": ("L", None),
    "map": ("M", None),
}
"""What people call a kind of value, in lower case."""
LONGEST_KIND = max(len(words.split()) for words in KINDS)

NAME = re.compile(r"(\*?)([A-Za-z_][A-Za-z0-9_-]{0,126})(\*?)(?:\s*:)?(?=\s|$)")
APART = re.compile(r"[,;](?!\s?\d{1,2}\s?\))")
"""A comma within `decimal(10,2)` parts nothing."""
COLUMN = re.compile(r"\s?\(\s?(\d{1,6})\s?(?:,\s?(\d{1,2})\s?)?\)")
IN_PARENTHESES = re.compile(r"(?<=\s)\(([A-Za-z][A-Za-z -]{0,20})\)")


@dataclass(frozen=True)
class Entry:
    """One attribute of a list. `guessed`: its kind follows from its name alone; `identifies`: the list marks it as a
    part of the identifier, by `key` or an asterisk.
    """

    attribute: Attribute
    guessed: bool
    identifies: bool


def read_attributes(text: str, line: int = 1) -> tuple[list[Entry], list[Problem]]:
    """The attributes that a list names, parted by commas, semicolons or line ends, and what cannot be read in it.

    `line`: the number of its first line, for the problems.
    """
    entries: list[Entry] = []
    problems: list[Problem] = []
    known: set[str] = set()
    for number, part in parts_of(text, line):
        if len(entries) + len(problems) >= MOST:
            problems.append(Problem("", say("list-of-attributes-too-long", most=MOST), number))
            break
        try:
            entry = _entry(part)
        except MisfitError as error:
            problems.append(Problem("", error.reason, number))
            continue
        if entry.attribute.name in known:
            problems.append(Problem("", say("listed-twice", name=entry.attribute.name), number))
            continue
        known.add(entry.attribute.name)
        entries.append(entry)
    return entries, problems


def parts_of(text: str, line: int = 1) -> Iterator[tuple[int, str]]:
    """What stands between commas, semicolons and line ends, each with its line."""
    for offset, row in enumerate(text.split("\n")):
        for part in APART.split(row):
            if part.strip():
                yield line + offset, part.strip()


def _entry(text: str) -> Entry:
    """MisfitError with a finished sentence where the words mean nothing."""
    if len(text) > LONGEST:
        raise MisfitError(say("attribute-too-long", start=text[:30]))
    text = COLUMN.sub(lambda size: f"({','.join(filter(None, size.groups()))})", text)
    text = IN_PARENTHESES.sub(r"\1", text)
    found = NAME.match(text)
    if found is None:
        raise MisfitError(say("begins-without-name", words=_short(text)))
    before, name, after = found.groups()
    said = _Said(name)
    words = text[found.end() :].split()
    taken_before = False
    while words:
        taken = said.take(words)
        if not taken:
            one = None if taken_before else _as_one(name, words[0])
            raise MisfitError(_not_understood(_short(words[0]), name, one))
        words, taken_before = words[taken:], True
    return said.entry(identifies=bool(before or after))


def _not_understood(words: str, name: str, one: str | None) -> Message:
    """`one`: the name that both may have been meant to be."""
    if one is None:
        return say("attribute-words", words=words, name=name)
    return say("attribute-words-or-one-name", words=words, name=name, one=one)


def _as_one(name: str, word: str) -> str | None:
    """A name and the word behind it as one name, where that can be one."""
    made = one_word(f"{name} {word}", capital=False)
    return made if re.fullmatch(r"[A-Za-z_][\w-]*", made) else None


class _Said:
    """What the words after a name say, one after another."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.kind: Kind | None = None
        self.values: dict[str, Any] = {}
        self.most: float | None = None
        """The largest number, or the bytes of the largest value where its kind is no number."""
        self.identifies = False

    def take(self, words: list[str]) -> int:
        """How many of the words say one thing more; 0 where they say nothing known."""
        for count in range(min(LONGEST_KIND, len(words)), 0, -1):
            kind = KINDS.get(" ".join(words[:count]).lower())
            if kind is not None and self.kind is None:
                self.kind = kind
                return count
        for count, form, read in FORMS:
            found = form.fullmatch(" ".join(words[:count])) if len(words) >= count else None
            if found is not None:
                read(self, found)
                return count
        return 0

    def entry(self, identifies: bool) -> Entry:
        guessed = self.kind is None
        type, format = self.kind or guessed_kind(self.name)
        if self.most is not None and type == "N":
            self.values["maximum"] = int(self.most) if self.most.is_integer() else self.most
        elif self.most is not None:
            self.values |= _at_most(self.most, format)
        try:
            attribute = Attribute.model_validate(
                {"name": self.name, "type": type, "format": format, **self.values}
            )
        except ValidationError as error:
            problem = first_reason(error)
            raise MisfitError(say("of-attribute", name=self.name, problem=problem)) from None
        return Entry(attribute, guessed, identifies or self.identifies)

    def range(self, found: re.Match[str]) -> None:
        low, high = int(found[1]), int(found[2])
        if low >= high:
            raise MisfitError(say("range-from-least", name=self.name))
        self.kind = ("N", "integer")
        self.values |= {"minimum": low, "maximum": high, "distinct": high - low + 1}

    def decimals(self, found: re.Match[str]) -> None:
        if int(found[1]) > 37:
            raise MisfitError(say("most-decimals", name=self.name))
        self.kind = ("N", "decimal")
        self.values["scale"] = int(found[1])

    def precision(self, found: re.Match[str]) -> None:
        digits, scale = int(found[1]), int(found[2] or 0)
        if not 1 <= digits <= 38:
            raise MisfitError(say("most-digits", name=self.name))
        self.kind = ("N", "decimal" if scale else "integer")
        self.values |= {"digits": digits, "scale": scale} if scale else {"digits": digits}

    def digits(self, found: re.Match[str]) -> None:
        if not 1 <= int(found[1]) <= 38:
            raise MisfitError(say("most-digits", name=self.name))
        self.kind = self.kind or ("N", "integer")
        self.values["digits"] = int(found[1])

    def size(self, found: re.Match[str]) -> None:
        self.values["bytes"] = float(found[1]) * (1024 if found[2].lower() == "kb" else 1)

    def up_to(self, found: re.Match[str]) -> None:
        is_in_kb = found.lastindex == 2 and found[2].lower() == "kb"
        self.most = float(found[1]) * (1024 if is_in_kb else 1)

    def as_column(self, found: re.Match[str]) -> None:
        self.kind = self.kind or ("S", None)
        self.most = float(found[1])

    def one_of(self, found: re.Match[str]) -> None:
        self.kind = ("S", "enum")
        self.values["values"] = tuple(found[0].split("|"))

    def refers(self, found: re.Match[str]) -> None:
        self.values["refers_to"] = found[1]

    def share(self, found: re.Match[str]) -> None:
        self.values["present"] = float(found[1]) / 100

    def unique(self, found: re.Match[str]) -> None:
        self.values["unique"] = True

    def unique_within(self, found: re.Match[str]) -> None:
        self.values["unique_within"] = tuple(found[1].split("+"))

    def changes(self, found: re.Match[str]) -> None:
        self.values["mutable"] = True

    def ends(self, found: re.Match[str]) -> None:
        self.kind = ("N", "epoch")
        self.values["ttl"] = True

    def key(self, found: re.Match[str]) -> None:
        self.identifies = True

    def is_there(self, found: re.Match[str]) -> None:
        """An attribute is on each item unless a share is stated."""

    def optional(self, found: re.Match[str]) -> None:
        raise MisfitError(say("share-of-optional", name=self.name))


def _at_most(most: float, format: str | None) -> dict[str, Any]:
    """The largest size in bytes. The average is half of it where the format's own would be larger."""
    usual = attribute_value_bytes(Attribute.model_validate({"name": "any", "format": format}))
    return {"most_bytes": most, **({"bytes": float(-(-most // 2))} if usual > most else {})}


_NAMES = r"[A-Za-z_][\w-]{0,126}(?:\+[A-Za-z_][\w-]{0,126}){0,4}"
"""One name, or several with a plus between them."""
_SIZE = r"(\d{1,6}(?:\.\d{1,3})?)"
_UNIT = r"(kb|bytes?|characters?|chars?)"

FORMS: tuple[tuple[int, re.Pattern[str], Callable[[_Said, re.Match[str]], None]], ...] = tuple(
    (count, re.compile(form, re.IGNORECASE), read)
    for count, form, read in (
        (2, r"(\d{1,2}) (?:decimals?|places?)", _Said.decimals),
        (2, r"(\d{1,2}) digits?", _Said.digits),
        (2, rf"{_SIZE} {_UNIT}", _Said.size),
        (4, rf"(?:up to|at most) {_SIZE} {_UNIT}", _Said.up_to),
        (3, rf"(?:max|maximum) {_SIZE} {_UNIT}", _Said.up_to),
        (3, rf"(?:up to|at most) {_SIZE}", _Said.up_to),
        (2, rf"(?:max|maximum) {_SIZE}", _Said.up_to),
        (1, r"(?:decimal|numeric|number)\((\d{1,2})(?:,(\d{1,2}))?\)", _Said.precision),
        (1, r"(?:(?:var)?char|string|text)\((\d{1,6})\)", _Said.as_column),
        (2, r"(\d{1,3}(?:\.\d{1,3})?) %", _Said.share),
        (2, r"->? ?([A-Za-z]\w{0,63}\.[A-Za-z_][\w-]{0,126})", _Said.refers),
        (2, r"may change", _Said.changes),
        (1, r"(\d{1,15})(?:-|\u2013|\.\.)(\d{1,15})", _Said.range),
        (1, r"(\d{1,3}(?:\.\d{1,3})?)%", _Said.share),
        (1, r"->([A-Za-z]\w{0,63}\.[A-Za-z_][\w-]{0,126})", _Said.refers),
        (1, r"[^\s|]{1,200}(?:\|[^\s|]{1,200}){1,99}", _Said.one_of),
        (3, rf"unique within ({_NAMES})", _Said.unique_within),
        (1, r"unique", _Said.unique),
        (1, r"changes|mutable", _Said.changes),
        (1, r"ttl", _Said.ends),
        (2, r"primary key", _Said.key),
        (1, r"key|pk", _Said.key),
        (2, r"not null", _Said.is_there),
        (1, r"optional|nullable|\?", _Said.optional),
    )
)
"""How many words a form takes, the form, and what it says."""


def _short(text: str) -> str:
    return text if len(text) <= 40 else f"{text[:39]}…"
