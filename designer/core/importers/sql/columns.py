"""What the constraints of a column say of its values, besides their type."""

import re

from sqlglot import exp

from designer.core.importers.relational import Column

_COUNTS = re.compile(r"\bnextval\b", re.IGNORECASE)
_SERIAL = re.compile(r"SERIAL$", re.IGNORECASE)
_LONGEST = 60
"""Characters of an expression that the report cites."""


def note_value(column: Column, part: object, dialect: str) -> None:
    """Keep where a value comes from that the application does not give."""
    if isinstance(part, exp.DefaultColumnConstraint):
        note_default(column, part.this, dialect)
    elif isinstance(
        part, exp.AutoIncrementColumnConstraint | exp.GeneratedAsIdentityColumnConstraint
    ):
        column.counts_up = True
    elif isinstance(part, exp.ComputedColumnConstraint):
        column.made_of = _cited(part.this, dialect)
    elif isinstance(part, exp.OnUpdateColumnConstraint):
        column.default = f"{_cited(part.this, dialect)} with each change"


def note_default(column: Column, value: exp.Expression, dialect: str) -> None:
    """Keep the value that a column has where none is given: the next of a sequence, or any other."""
    written = value.sql(dialect)
    if _COUNTS.search(written):
        column.counts_up = True
    elif not isinstance(value, exp.Null):
        column.default = _cited(value, dialect)


def counts_by_type(kind: exp.DataType) -> bool:
    return bool(_SERIAL.search(str(getattr(kind.this, "value", kind.this))))


def _cited(value: exp.Expression, dialect: str) -> str:
    inner = value
    while isinstance(inner, exp.Cast | exp.Paren):
        inner = inner.this
    written = " ".join(inner.sql(dialect).split())
    return written if len(written) <= _LONGEST else f"{written[: _LONGEST - 1]}\u2026"
