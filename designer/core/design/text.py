"""Text of a design, YAML or JSON, read into plain data that remembers where each part stands.

YAML is read by the core schema of YAML 1.2: only `true` and `false` are booleans, dates and `NO` are
text. Anchors, aliases, tags, merge keys, several documents and keys written twice are refused where
they stand, before anything is built, so that no text can grow in memory.
"""

import json
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import yaml

from designer.core.errors import DesignError, MisfitError, Problem
from designer.core.messages import Message, say

MAX_BYTES = 1_000_000
MAX_DEPTH = 30
MAX_NODES = 100_000

Path = tuple[str | int, ...]
"""Where a part stands: `("entities", 2, "name")`."""
Flaw = tuple[Path, Message]
"""Where something is wrong in a design, and what, with its remedy."""


class Position(NamedTuple):
    """Counted from 1, as editors do."""

    line: int
    column: int


@dataclass
class Reading:
    """Plain data (dict, tuple, str, int, float, bool, None) and where its parts stand."""

    data: Any = None
    keys: dict[Path, Position] = field(default_factory=dict)
    """Where the key of a field stands, or an element of a list begins."""
    values: dict[Path, Position] = field(default_factory=dict)
    """Where the text of a scalar stands."""

    def position(self, path: Path, of_key: bool = False) -> Position | None:
        """Where a part stands; the part around it when it is not in the text."""
        for length in range(len(path), -1, -1):
            here = path[:length]
            if not of_key and length == len(path) and here in self.values:
                return self.values[here]
            if here in self.keys:
                return self.keys[here]
        return None


class _Start(NamedTuple):
    at: Position
    is_map: bool


class _End(NamedTuple):
    at: Position


class _Scalar(NamedTuple):
    at: Position
    text: str
    plain: bool


_Event = _Start | _End | _Scalar


def read(text: str | bytes, name: str = "design") -> Reading:
    """Read text; DesignError when it is too large, no text, or neither YAML nor JSON."""
    decoded = _decode(text, name)
    return _build(_json(decoded) if _is_json(decoded) else _yaml(decoded, name), name)


def _decode(text: str | bytes, name: str) -> str:
    size = len(text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass"))
    if size > MAX_BYTES:
        raise DesignError(
            "too-large",
            say("document-too-large", name=name, megabytes=MAX_BYTES / 1e6),
        )
    if isinstance(text, bytes):
        try:
            return text.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            before = text[: error.start].decode("utf-8", "replace")
            raise _refusal(
                "not-text",
                name,
                _position_in(before, len(before)),
                say("byte-not-utf8", byte=f"{text[error.start]:02x}"),
            ) from None
    return text.removeprefix("\ufeff")


def _position_in(text: str, at: int) -> Position:
    return Position(text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at))


def _refusal(code: str, name: str, at: Position | None, reason: Message) -> DesignError:
    return refuse(code, name, [Problem("", reason, *(at or (None, None)))])


# JSON. It needs a reader of its own: YAML's knows neither surrogate pairs nor every use of tabs.

_JSON_TOKEN = re.compile(
    r'(?P<text>"(?:[^"\\]|\\.)*")|(?P<mark>[{}\[\]])|(?P<plain>[^\s,:{}\[\]"]+)'
)


def _is_json(text: str) -> bool:
    if not text.lstrip().startswith("{"):
        return False
    try:
        json.loads(text, parse_int=str, parse_float=str)
    except (ValueError, RecursionError):
        return False
    return True


def _json(text: str) -> Iterator[_Event]:
    line, line_start, seen = 1, 0, 0
    for token in _JSON_TOKEN.finditer(text):
        newlines = text.count("\n", seen, token.start())
        if newlines:
            line += newlines
            line_start = text.rfind("\n", seen, token.start()) + 1
        seen = token.start()
        at = Position(line, token.start() - line_start + 1)
        if token["text"]:
            yield _Scalar(at, _json_text(token["text"]), plain=False)
        elif token["plain"]:
            yield _Scalar(at, token["plain"], plain=True)
        elif token["mark"] in "{[":
            yield _Start(at, token["mark"] == "{")
        else:
            yield _End(at)


def _json_text(quoted: str) -> str:
    return json.loads(quoted, strict=False) if "\\" in quoted else quoted[1:-1]


# YAML

_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

_IN_PLAIN_WORDS = (
    (
        "mapping values are not allowed",
        say("yaml-colon"),
    ),
    ("could not find expected ':'", say("yaml-field-without-colon")),
    (
        "cannot start any token",
        say("yaml-first-character"),
    ),
    (
        "did not find expected key",
        say("yaml-no-field"),
    ),
    (
        "did not find expected '-' indicator",
        say("yaml-no-element"),
    ),
    ("did not find expected ',' or '}'", say("yaml-unclosed-brace")),
    ("did not find expected ',' or ']'", say("yaml-unclosed-bracket")),
    ("unexpected end of stream", say("yaml-unclosed-quote")),
    ("tab character", say("yaml-tab")),
    ("Unicode character escape", say("yaml-escape-is-no-character")),
    ("control characters are not allowed", say("yaml-control-character")),
    (
        "unknown escape character",
        say("yaml-no-such-escape"),
    ),
    (
        "did not find expected alphabetic or numeric",
        say("yaml-anchor-or-alias"),
    ),
    (
        "did not find expected <document start>",
        say("yaml-after-end"),
    ),
)


def _yaml(text: str, name: str) -> Iterator[_Event]:
    mark: Any
    begun = False
    try:
        for event in yaml.parse(text, Loader=_LOADER):
            mark = event.start_mark
            at = Position(mark.line + 1, mark.column + 1)
            forbidden = _forbidden(event, begun)
            if forbidden is not None:
                raise _refusal("not-yaml", name, at, forbidden)
            if isinstance(event, yaml.DocumentStartEvent):
                begun = True
            elif isinstance(event, yaml.ScalarEvent):
                yield _Scalar(at, event.value, plain=event.style in (None, ""))
            elif isinstance(event, yaml.CollectionStartEvent):
                yield _Start(at, isinstance(event, yaml.MappingStartEvent))
            elif isinstance(event, yaml.CollectionEndEvent):
                yield _End(at)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        where = None if mark is None else Position(mark.line + 1, mark.column + 1)
        said = str(error.problem)
        otherwise = say("not-yaml", problem=said)
        words = next((words for part, words in _IN_PLAIN_WORDS if part in said), otherwise)
        raise _refusal("not-yaml", name, where, words) from None
    except yaml.reader.ReaderError as error:
        spot = error.position if isinstance(error.position, int) else 0
        where = _position_in(text, min(spot, len(text)))
        raise _refusal(
            "not-yaml", name, where, say("yaml-remove-character", problem=error.reason)
        ) from None
    except UnicodeEncodeError as error:
        where = _position_in(text, error.start)
        raise _refusal("not-text", name, where, _HALF_A_CHARACTER) from None


def _forbidden(event: yaml.Event, begun: bool) -> Message | None:
    """Why a design may not say this, though YAML may; `begun`: a document has begun before."""
    if isinstance(event, yaml.DocumentStartEvent):
        if begun:
            return say("yaml-second-document")
        if event.tags or event.version:
            return say("yaml-directives")
    anchor = getattr(event, "anchor", None)
    if isinstance(event, yaml.AliasEvent):
        return say("yaml-alias", anchor=shorten(anchor, 30))
    if anchor:
        return say("yaml-anchor", anchor=shorten(anchor, 30))
    tag = getattr(event, "tag", None)
    if tag is not None:
        return say("yaml-tag", tag=shorten(tag, 30))
    return None


# Plain data

_HALF_A_CHARACTER = say("half-a-character")
_NULL = frozenset(("", "~", "null", "Null", "NULL"))
_BOOLEAN = {
    "true": True,
    "True": True,
    "TRUE": True,
    "false": False,
    "False": False,
    "FALSE": False,
}
_INTEGER = re.compile(r"[-+]?[0-9]+")
_OTHER_INTEGER = re.compile(r"0o[0-7]+|0x[0-9a-fA-F]+")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_NOT_FINITE = re.compile(r"[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)")
_MOST_DIGITS = 38
"""Digits of a number in DynamoDB."""


def resolve(text: str) -> Any:
    """The value of an unquoted scalar by YAML's core schema; MisfitError for numbers no design can
    hold.

    >>> resolve("NO"), resolve("2026-05-03"), resolve("0.5"), resolve("1e3"), resolve("true")
    ('NO', '2026-05-03', 0.5, 1000, True)
    """
    if text in _NULL:
        return None
    if text in _BOOLEAN:
        return _BOOLEAN[text]
    if _INTEGER.fullmatch(text):
        if len(text.lstrip("+-0")) > _MOST_DIGITS:
            raise MisfitError(say("too-many-digits", most=_MOST_DIGITS))
        return int(text)
    if _OTHER_INTEGER.fullmatch(text) and len(text) <= _MOST_DIGITS:
        return int(text, 0)
    if _NOT_FINITE.fullmatch(text):
        raise MisfitError(say("not-finite", value=text))
    if _FLOAT.fullmatch(text):
        number = float(text)
        if not math.isfinite(number):
            raise MisfitError(say("number-out-of-range", value=shorten(text)))
        return int(number) if number.is_integer() and abs(number) < 2**53 else number
    return text


def shorten(value: object, length: int = 60) -> str:
    """A value as it may stand in a message: one line, control characters written out, cut to a
    length."""
    text = value if isinstance(value, str) else json.dumps(value, default=str)
    text = "".join(
        c if c.isprintable() else c.encode("unicode_escape", "backslashreplace").decode()
        for c in text
    )
    return text if len(text) <= length else f"{text[:length]}…"


@dataclass
class _Open:
    """A collection being read."""

    path: Path
    fields: dict[str, Any] | None
    elements: list[Any]
    key: str | None = None


def _build(events: Iterator[_Event], name: str) -> Reading:
    reading = Reading()
    complaints: list[tuple[Position, Path, Message]] = []
    stack: list[_Open] = []
    nodes = 0

    def put(value: Any) -> None:
        if not stack:
            reading.data = value
        elif (inside := stack[-1]).fields is None:
            inside.elements.append(value)
        else:
            assert inside.key is not None
            inside.fields[inside.key] = value
            inside.key = None

    for event in events:
        if isinstance(event, _End):
            closed = stack.pop()
            if closed.fields is None:
                put(tuple(closed.elements))
            continue
        nodes += 1
        if nodes > MAX_NODES:
            raise _refusal(
                "too-large",
                name,
                event.at,
                say("too-many-parts", most=MAX_NODES),
            )
        inside = stack[-1] if stack else None
        expects_key = inside is not None and inside.fields is not None and inside.key is None
        if inside is not None and expects_key:
            if not isinstance(event, _Scalar):
                raise _refusal(
                    "not-yaml",
                    name,
                    event.at,
                    say("yaml-field-not-a-word"),
                )
            key = event.text
            assert inside.fields is not None
            if unfit := _unfit(key):
                raise _refusal("not-text", name, event.at, unfit)
            here = (*inside.path, key)
            if key == "<<" and event.plain:
                raise _refusal(
                    "not-yaml",
                    name,
                    event.at,
                    say("yaml-merge-key"),
                )
            if key in inside.fields:
                first = reading.keys[here].line
                said = say("field-twice", line=first)
                complaints.append((event.at, here, said))
            else:
                reading.keys[here] = event.at
            inside.key = key
            continue
        path: Path = ()
        if inside is not None:
            if inside.fields is None:
                path = (*inside.path, len(inside.elements))
                reading.keys[path] = event.at
            else:
                assert inside.key is not None
                path = (*inside.path, inside.key)
        if isinstance(event, _Scalar):
            reading.values[path] = event.at
            try:
                value = resolve(event.text) if event.plain else event.text
            except MisfitError as error:
                complaints.append((event.at, path, error.reason))
                value = 0
            if isinstance(value, str) and (unfit := _unfit(value)):
                complaints.append((event.at, path, unfit))
                value = ""
            put(value)
            continue
        if len(stack) >= MAX_DEPTH:
            raise _refusal(
                "too-large",
                name,
                event.at,
                say("nested-too-deep", most=MAX_DEPTH),
            )
        opened = _Open(path, {} if event.is_map else None, [])
        if opened.fields is not None:
            put(opened.fields)
        stack.append(opened)

    if complaints:
        problems = [Problem(place(path, reading.data), said, *at) for at, path, said in complaints]
        raise refuse("not-yaml", name, problems)
    return reading


def _unfit(text: str) -> Message | None:
    """Why a text that was written with escapes cannot be kept; None where it can."""
    if "\0" in text:
        return say("nul-character")
    try:
        text.encode()
    except UnicodeEncodeError:
        return _HALF_A_CHARACTER
    return None


def refuse(code: str, name: str, problems: list[Problem]) -> DesignError:
    """The error of a document with these problems, in the order of their lines."""
    ordered = sorted(problems, key=lambda p: (p.line or 0, p.column or 0, p.place))
    kept = tuple(ordered[:MAX_PROBLEMS])
    if len(ordered) == 1:
        return DesignError(code, say("in-document", name=name, problem=kept[0].located), kept)
    reason = say(
        "many-problems" if len(ordered) <= MAX_PROBLEMS else "too-many-problems",
        name=name,
        count=len(kept),
        problem=kept[0].located,
    )
    return DesignError(code, reason, kept)


MAX_PROBLEMS = 50


def place(path: Path, data: Any) -> str:
    """A path as people read it, with the name of the entity, relationship or pattern it lies in.

    >>> place(("entities", 0, "items"), {"entities": [{"name": "User", "items": -1}]})
    'entities[0].items (User)'
    """
    text = "".join(
        f"[{part}]" if isinstance(part, int) else f".{shorten(part)}" for part in path
    ).lstrip(".")
    names: list[str] = []
    for depth in (2, 4):
        item = _at(data, path[:depth]) if len(path) >= depth else None
        if not isinstance(item, dict):
            break
        if path[0] == "patterns":
            number = item.get("number")
            if type(number) is int:
                names.append(f"pattern {number}")
            break
        name = item.get("name")
        if path[0] not in ("entities", "relationships") or not isinstance(name, str):
            break
        names.append(shorten(name, 40))
    return f"{text} ({'.'.join(names)})" if names else text


def _at(data: Any, path: Path) -> Any:
    for part in path:
        if isinstance(part, int) and isinstance(data, (list, tuple)) and part < len(data):
            data = data[part]
        elif isinstance(part, str) and isinstance(data, dict):
            data = data.get(part)
        else:
            return None
    return data
