"""Statements without what the parser stumbles at, of the same lines; most of it is SQL Server's."""

import re
from collections.abc import Iterator

_NAME = r"(?:\[(?:[^\]]|\]\])*+\]|[\w$#@]+)"
_FULL_NAME = rf"{_NAME}(?:\s*\.\s*{_NAME}){{0,2}}"
_STRING_OR = r"(?P<kept>N?'(?:[^']|'')*+')|"
_LEFT_OUT = re.compile(
    _STRING_OR
    + r"(?<!\[)\b(?:NON)?CLUSTERED\b(?!\])|\bWITH\s*\([^()]*+\)|\b(?:TEXTIMAGE_|FILESTREAM_)?ON\s*\[\w+\](?!\s*[.(])|"
    r"\bWITH\s+(?:NO)?CHECK\b(?=\s+ADD\b)|\bROWGUIDCOL\b|\bSPARSE\b|\bNOT\s+FOR\s+REPLICATION\b|\bPERSISTED\b|"
    r"\s(?:ASC|DESC)\b(?=\s*[,)])|"
    r"\bGENERATED\s+ALWAYS\s+AS\s+ROW\s+(?:START|END)\b(?:\s+HIDDEN\b)?|,\s*PERIOD\s+FOR\s+SYSTEM_TIME\s*\([^()]*+\)",
    re.IGNORECASE,
)
_INDEX_WITHIN = re.compile(
    _STRING_OR
    + rf",\s*INDEX\s+(?P<name>{_NAME})\s+(?P<unique>UNIQUE\s+)?(?:(?:NON)?CLUSTERED\s*)?(?P<columns>\([^()]*+\))",
    re.IGNORECASE,
)
_OF_TABLE = re.compile(rf"CREATE\s+TABLE\s+(?P<table>{_FULL_NAME})", re.IGNORECASE)
_DEFAULT = re.compile(
    rf"ALTER\s+TABLE\s+(?P<table>{_FULL_NAME})\s+(?:WITH\s+(?:NO)?CHECK\s+)?ADD\s+(?:CONSTRAINT\s+{_NAME}\s+)?"
    rf"DEFAULT\s+(?P<value>.+)\bFOR\s+(?P<column>{_NAME})\s*$",
    re.IGNORECASE | re.DOTALL,
)

_DOMAIN = re.compile(r"CREATE\s+DOMAIN\s+(\S+)\s+(?:AS\s+)?(.*)", re.IGNORECASE | re.DOTALL)
_LITE_TAIL = re.compile(
    r"\)\s*(?:WITHOUT\s+ROWID|STRICT)(?:\s*,\s*(?:WITHOUT\s+ROWID|STRICT))?\s*$", re.IGNORECASE
)
_SUB_TYPE = re.compile(r"\bSUB_TYPE\s+\w+", re.IGNORECASE)
_INDEX_ONLY = re.compile(r"\bON\s+ONLY\b", re.IGNORECASE)
_LONGEST_DEFAULT = 10_000
"""Characters of a statement that may give a default."""


def plain(text: str, dialect: str) -> str:
    """The statement without what the parser does not read: of SQL Server's, where a table is stored and how its indexes
    are built.
    """
    if dialect != "tsql":
        return _plain(text)
    return _LEFT_OUT.sub(_only_lines, _INDEX_WITHIN.sub(_only_lines, text))


def _plain(text: str) -> str:
    domain = _DOMAIN.match(text)
    if domain is not None:
        return f"CREATE TABLE {domain[1]} (VALUE {domain[2]})"
    if re.match(r"CREATE\s+(?:UNIQUE\s+)?INDEX", text, re.IGNORECASE):
        return _INDEX_ONLY.sub("ON", text, count=1)
    return _SUB_TYPE.sub("", _LITE_TAIL.sub(")", text))


def indexes_within(text: str) -> Iterator[str]:
    """The indexes that a statement of a table makes, as statements of their own."""
    table = _OF_TABLE.match(text)
    for found in _INDEX_WITHIN.finditer(text) if table is not None else ():
        if table is not None and found["kept"] is None:
            unique = "UNIQUE " if found["unique"] else ""
            yield f"CREATE {unique}INDEX {found['name']} ON {table['table']} {found['columns']}"


def default_of(text: str) -> tuple[str, str, str] | None:
    """Table, column and value of a statement that gives a column a default."""
    found = _DEFAULT.match(text) if len(text) <= _LONGEST_DEFAULT else None
    return (found["table"], found["column"], found["value"]) if found is not None else None


def _only_lines(found: re.Match[str]) -> str:
    return found["kept"] or "\n" * found[0].count("\n")
