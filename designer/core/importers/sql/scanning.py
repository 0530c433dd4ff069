"""SQL cut into statements with their lines, without understanding them: rows of data are counted and let go.

One pass from front to back, in time that grows with the text alone, whatever stands in it.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from designer.core.errors import DesignError
from designer.core.messages import say

_QUOTED = r"'(?:[^']|'')*+'"
_ESCAPED = r"'(?:[^'\\]|\\.|'')*+'"
"""MySQL's text, in which a backslash hides the quote that follows it; PostgreSQL's `E'...'`."""
_TOKEN = r"""
(?P<comment>--[^\n]*+|/\*(?:[^*]|\*(?!/))*+\*/{hash})
|(?P<string>{string})
|(?P<dollar>\$(?P<tag>[A-Za-z_]*)\$)
|(?P<name>"(?:[^"]|"")*+"|`[^`]*+`{bracket})
|(?P<open>['"`{opens}]|/\*)
|(?P<end>;)
"""
_ESCAPES = re.compile(
    _TOKEN.format(string=_ESCAPED, hash=r"|\#[^\n]*+", bracket="", opens=""), re.VERBOSE | re.DOTALL
)
_PLAIN = re.compile(
    _TOKEN.format(string=rf"[eE]{_ESCAPED}|{_QUOTED}", hash="", bracket="", opens=""),
    re.VERBOSE | re.DOTALL,
)
_BRACKETED = re.compile(
    _TOKEN.format(string=_QUOTED, hash="", bracket=r"|\[(?:[^\]]|\]\])*+\]", opens=r"\["),
    re.VERBOSE | re.DOTALL,
)
_GO = re.compile(r"^[ \t]*GO(?:[ \t]+\d{1,6})?[ \t]*;?[ \t]*$", re.IGNORECASE | re.MULTILINE)
_BATCH_END = ";/*GO*/"
"""What stands for a line `GO` while the text is scanned."""
_SKIPPED = re.compile(r"(?:\s|--[^\n]*+(?:\n|$)|/\*(?!!)(?:[^*]|\*(?!/))*+\*/)*+")
_META = re.compile(r"\\[^\n]*|(?:USE|SOURCE)\s[^\n;]*$", re.IGNORECASE | re.MULTILINE)
_DELIMITER = re.compile(r"DELIMITER[ \t]+(\S+)[^\n]*", re.IGNORECASE)
_ROUTINE = re.compile(
    r"(?:/\*!\d*\s*)?CREATE\b[^;]{0,2000}?\b(?:TRIGGER|PROCEDURE|FUNCTION|EVENT)\b", re.IGNORECASE
)
_BODY_END = re.compile(r"\bEND\s*(?:\*/)?\s*;", re.IGNORECASE)
_BEGIN = re.compile(r"\bBEGIN\b", re.IGNORECASE)
_COPY = re.compile(r"COPY\s+(?P<table>[^\s(]+)[^;]*?\bFROM\s+stdin\b", re.IGNORECASE)
_INSERT = re.compile(
    r"(?:INSERT(?:\s+(?:LOW_PRIORITY|DELAYED|HIGH_PRIORITY|IGNORE))*(?:\s+OR\s+\w+)?\s+INTO|REPLACE\s+INTO|INSERT(?=\s+\[))"
    r"\s+(?P<table>(?:\[[^\]]*+\]|[^\s(])++)",
    re.IGNORECASE,
)
_ROW_BREAK = re.compile(r"\)\s*,\s*\(")
_STRINGS = re.compile(_ESCAPED, re.DOTALL)


@dataclass(frozen=True)
class Statement:
    """One statement without what stands before it."""

    text: str
    line: int
    is_routine: bool = False
    """Whether it has a body of statements, which nobody reads."""


@dataclass(frozen=True)
class Rows:
    """So many rows of a table, as the statement names it."""

    table: str
    line: int
    count: int


def scan(text: str, dialect: str = "") -> Iterator[Statement | Rows]:
    """Each statement; rows instead of what writes them. DesignError where a quote or a comment never ends.

    In MySQL a backslash hides the quote after it, and `#` begins a comment. In SQL Server names stand in square
    brackets, and a line `GO` ends a statement, of a routine nothing else.
    """
    if dialect == "tsql":
        return _Scanner(_GO.sub(_BATCH_END, text), _BRACKETED, has_batches=True).run()
    return _Scanner(text, _ESCAPES if dialect == "mysql" else _PLAIN).run()


class _Scanner:
    def __init__(self, text: str, token: re.Pattern[str], has_batches: bool = False) -> None:
        self._text = text
        self._token = token
        self._has_batches = has_batches
        self._delimiter = ";"
        self._counted_to = 0
        self._line = 1

    def run(self) -> Iterator[Statement | Rows]:
        at = 0
        while True:
            at = self._after(_SKIPPED, at)
            if at >= len(self._text):
                return
            if (directive := _DELIMITER.match(self._text, at)) is not None:
                self._delimiter, at = directive[1], directive.end()
            elif (meta := _META.match(self._text, at)) is not None:
                at = meta.end()
            else:
                found, at = self._statement(at)
                if found is not None:
                    yield found

    def _after(self, pattern: re.Pattern[str], at: int) -> int:
        found = pattern.match(self._text, at)
        return found.end() if found is not None else at

    def _statement(self, at: int) -> tuple[Statement | Rows | None, int]:
        """What begins here, and where the next one may begin."""
        line = self._line_at(at)
        if self._delimiter != ";":
            end = self._text.find(self._delimiter, at)
            end = len(self._text) if end < 0 else end
            return self._read(at, end, line, True), end + len(self._delimiter)
        is_routine = _ROUTINE.match(self._text, at, at + 4000) is not None
        if is_routine and self._has_batches:
            end = self._text.find(_BATCH_END, at)
            end = len(self._text) if end < 0 else end
            return self._read(at, end, line, is_routine=True), end + 1
        end = self._end(at, line)
        if is_routine and _BEGIN.search(self._text, at, end) is not None:
            last = _BODY_END.search(self._text, end)
            after_body = _BODY_END.search(self._text, at, end + 1)
            end = last.end() - 1 if last is not None and after_body is None else end
        copied = _COPY.match(self._text, at, end)
        if copied is not None:
            return self._copied(copied["table"], end, line)
        return self._read(at, end, line, is_routine), end + 1

    def _read(self, at: int, end: int, line: int, is_routine: bool) -> Statement | Rows | None:
        into = _INSERT.match(self._text, at, end)
        if into is not None:
            body = _STRINGS.sub("''", self._text[into.end() : end])
            return Rows(into["table"], line, len(_ROW_BREAK.findall(body)) + 1)
        text = self._text[at:end].strip()
        return Statement(text, line, is_routine) if text else None

    def _copied(self, table: str, end: int, line: int) -> tuple[Rows, int]:
        begins = self._text.find("\n", end) + 1
        if begins == 0:
            return Rows(table, line, 0), len(self._text)
        ends = self._text.find("\n\\.", begins - 1)
        if ends < 0:
            raise DesignError("cut-off", say("sql-rows-unended", table=table, line=line))
        count = self._text.count("\n", begins, ends + 1)
        after = self._text.find("\n", ends + 1)
        return Rows(table, line, count), len(self._text) if after < 0 else after

    def _end(self, at: int, line: int) -> int:
        """Where the `;` of the statement stands that begins here."""
        while (found := self._token.search(self._text, at)) is not None:
            if found["end"] is not None:
                return found.start()
            at = found.end()
            if found["open"] is not None:
                raise self._unended(found[0], found.start())
            if found["dollar"] is not None:
                closed = self._text.find(found["dollar"], at)
                if closed < 0:
                    raise self._unended(found[0], found.start())
                at = closed + len(found["dollar"])
        return len(self._text)

    def _unended(self, mark: str, at: int) -> DesignError:
        line = self._text.count("\n", 0, at) + 1
        return DesignError(
            "cut-off",
            say(
                "sql-comment-unended" if mark == "/*" else "sql-quote-unended", mark=mark, line=line
            ),
        )

    def _line_at(self, at: int) -> int:
        self._line += self._text.count("\n", self._counted_to, at)
        self._counted_to = at
        return self._line
