"""SQL that makes tables: what pg_dump and mysqldump write, and what people do."""

import re
from pathlib import PurePath

from designer.core.errors import DesignError
from designer.core.importers.base import Imported, Importer, Line
from designer.core.importers.modelling import imported
from designer.core.importers.sql.reading import relational
from designer.core.messages import say

_LOOKED_AT = 300_000
"""Characters that the dialect is guessed from."""
_MARKS = {
    "mysql": r"`\w+`|\bENGINE\s*=|\bAUTO_INCREMENT\b|\bUNSIGNED\b|^DELIMITER\b|^#|\bON UPDATE CURRENT_TIMESTAMP",
    "sqlite": r"\bAUTOINCREMENT\b|^PRAGMA\b|\bROWID\b|\bDATETIME\('now'|\bSTRICT\s*;",
    "postgres": r"::|\bSERIAL\b|\bBIGSERIAL\b|\bJSONB\b|\bTIMESTAMPTZ\b|\bcharacter varying\b|\$\$|"
    r"\bCREATE EXTENSION\b|\bOWNER TO\b|\bFROM stdin\b|\bBYTEA\b|\bCOMMENT ON\b|\bUSING btree\b|\bwithout time zone\b",
    "tsql": r"^[ \t]*GO[ \t]*$|\[\w+\]\.\[|\bIDENTITY\s*\(\s*\d|\bNVARCHAR\b|\bUNIQUEIDENTIFIER\b|\bDATETIME2\b|"
    r"\bDATETIMEOFFSET\b|\b(?:NON)?CLUSTERED\b|\bSYSUTCDATETIME\b|\bGETDATE\b|\bNEWID\(|^[ \t]*\[\w+\][ \t]+\[?\w",
}
_DUMPS = (
    ("-- PostgreSQL database dump\n", "-- PostgreSQL database dump complete"),
    ("-- MySQL dump ", "-- Dump completed"),
    ("-- MariaDB dump ", "-- Dump completed"),
)
"""What the dumps of databases begin and end with."""
_MAKES_TABLES = re.compile(r"\bCREATE\s+(?:\w+\s+){0,2}TABLE\b", re.IGNORECASE)


class Sql(Importer):
    slug = "sql"
    label = "SQL schema"
    suffixes = (".sql", ".ddl", ".psql", ".pgsql", ".mysql")
    variants = {
        "postgres": "PostgreSQL",
        "mysql": "MySQL or MariaDB",
        "sqlite": "SQLite",
        "tsql": "SQL Server",
    }

    def sniff(self, text: str) -> bool:
        return _MAKES_TABLES.search(text) is not None

    def read(self, text: str, name: str, variant: str = "") -> Imported:
        dialect = variant or _guessed(text[:_LOOKED_AT])
        if text.startswith("PGDMP"):
            raise DesignError("no-text", say("sql-own-format", name=name))
        found = relational(text, dialect)
        if not found.tables:
            raise DesignError(
                "no-tables",
                say("sql-no-tables", name=name, dialects=tuple(self.variants.values())),
            )
        said = say("sql-read-as", dialect=self.variants[dialect])
        kind = "taken" if variant else "guessed"
        found.lines.insert(0, Line("taken" if kind == "taken" else "guessed", said))
        if any(begin in text and end not in text for begin, end in _DUMPS):
            found.lines.insert(0, Line("missing", say("sql-dump-cut-off")))
        return imported(found, _title(name))


def _guessed(text: str) -> str:
    """The dialect with the most marks of its own; PostgreSQL where there are none."""
    flags = re.IGNORECASE | re.MULTILINE
    marks = {dialect: len(re.findall(of, text, flags)) for dialect, of in _MARKS.items()}
    best = max(marks, key=lambda dialect: marks[dialect])
    return best if marks[best] else "postgres"


def _title(name: str) -> str:
    """The design's name from the file's."""
    stem = re.sub(r"[^\w]+|_+", " ", PurePath(name).stem).strip()
    return (stem[:1].upper() + stem[1:])[:100] or "Imported"
