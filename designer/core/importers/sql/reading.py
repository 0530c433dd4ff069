"""Statements of SQL, parsed one by one, put together to tables."""

import logging
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from designer.core.design.bounds import ENTITIES
from designer.core.errors import DesignError
from designer.core.importers.base import Line
from designer.core.importers.relational import (
    Column,
    ForeignKey,
    Index,
    Key,
    Relational,
    Table,
    Type,
)
from designer.core.importers.sql.columns import counts_by_type, note_default, note_value
from designer.core.importers.sql.plain import default_of, indexes_within, plain
from designer.core.importers.sql.scanning import Rows, Statement, scan
from designer.core.importers.sql.types import listed_values, type_of
from designer.core.messages import Message, say

logging.getLogger("sqlglot").setLevel(logging.ERROR)  # what it falls back on is in the report

LONGEST = 300_000
"""Characters of one statement that is parsed: a table of 500 columns with comments has a tenth."""
DEEPEST = 60
"""Brackets inside each other in a statement that is parsed."""
MOST = 20_000
"""Statements that are parsed."""

_PARSED = re.compile(
    r"CREATE\s+(?:GLOBAL\s+|LOCAL\s+|TEMP(?:ORARY)?\s+|UNLOGGED\s+|FOREIGN\s+)*TABLE\b|CREATE\s+TYPE\b|CREATE\s+DOMAIN\b|"
    r"CREATE\s+(?:UNIQUE\s+|FULLTEXT\s+|SPATIAL\s+|CLUSTERED\s+|NONCLUSTERED\s+)*INDEX\b|ALTER\s+TABLE\b|COMMENT\s+ON\s+(?:TABLE|COLUMN)\b",
    re.IGNORECASE,
)
_LEFT_OUT = re.compile(
    r"CREATE\b[^;]{0,400}?\b(?P<what>MATERIALIZED\s+VIEW|VIEW|FUNCTION|PROCEDURE|AGGREGATE|TRIGGER|EVENT|RULE|POLICY)"
    r"\s+(?:IF\s+NOT\s+EXISTS\s+)?(?P<name>[^\s(]+)",
    re.IGNORECASE,
)
_TABLE = re.compile(r"CREATE\s+\w*\s*TABLE", re.IGNORECASE)
_CONDITIONAL = re.compile(r"/\*!\d*\s?|\*/")
_OWNER = re.compile(
    r"ALTER\s+TABLE\s+(?:ONLY\s+|IF\s+EXISTS\s+)*\S+\s+(?:OWNER\s+TO|ENABLE|DISABLE|REPLICA|CLUSTER|ATTACH|FORCE|(?:NO)?CHECK|"
    r"ALTER\s+COLUMN\s+\S+\s+SET\s+(?:STATISTICS|STORAGE|COMPRESSION|\())",
    re.IGNORECASE,
)
_IDENTITY = re.compile(
    r"ALTER\s+TABLE\s+(?:ONLY\s+)?(\S+)\s+ALTER\s+(?:COLUMN\s+)?(\S+)\s+ADD\s+GENERATED\b",
    re.IGNORECASE,
)
_ON_DELETE = ("ON DELETE CASCADE", "ON DELETE SET NULL", "ON DELETE SET DEFAULT")
_BRACKETS = re.compile(r"[()]")
_TEXT = re.compile(r"'(?:[^']|'')*+'")
_MARKS = str.maketrans("", "", '`"[]')
_USUAL_SCHEMAS = ("", "public", "dbo", "main")
_INSTEAD_OF = {
    "view": say("sql-view-instead"),
    "materialized view": say("sql-view-instead"),
    "trigger": say("sql-trigger-instead"),
}


def relational(text: str, dialect: str) -> Relational:
    """The tables that a text of SQL makes. DesignError where it has none, too much, or cannot be read."""
    return _Reader(dialect).read(text)


class _Reader:
    def __init__(self, dialect: str) -> None:
        self._dialect = dialect
        self._found = Relational()
        self._types: dict[str, Type] = {}
        self._rows: dict[str, int] = {}
        self._partitions: set[str] = set()
        self._passed: Counter[str] = Counter()
        self._parsed = 0

    def read(self, text: str) -> Relational:
        for part in scan(text, self._dialect):
            if isinstance(part, Rows):
                name = _folded(part.table)
                self._rows[name] = self._rows.get(name, 0) + part.count
            else:
                self._statement(part)
        self._count_rows()
        if self._passed:
            kinds = tuple(
                say("sql-skipped-kind", what=word, count=count)
                for word, count in self._passed.most_common(8)
            )
            self._drop(say("sql-skipped", statements=kinds))
        return self._found

    def _drop(self, said: Message, name: str = "", line: int | None = None) -> None:
        self._found.lines.append(Line("dropped", said, name, line))

    def _count_rows(self) -> None:
        for name, count in self._rows.items():
            table = self._found.find(name)
            if table is not None:
                table.rows = count

    # Statements -----------------------------------------------------------------------------------

    def _statement(self, statement: Statement) -> None:
        text = statement.text
        if text.startswith("/*!"):
            text = _CONDITIONAL.sub("", text).strip()
        left_out = _LEFT_OUT.match(text) if not _PARSED.match(text) else None
        if left_out is not None:
            what = " ".join(left_out["what"].lower().split())
            instead = _INSTEAD_OF.get(what, say("sql-code-instead"))
            said = say("sql-left-out", what=what, instead=instead)
            self._drop(said, _bare(left_out["name"]), statement.line)
        elif statement.is_routine or not _PARSED.match(text) or _OWNER.match(text):
            word = " ".join(re.findall(r"[A-Za-z_]+", text[:60])[:2]).upper()
            self._passed[word or "other"] += 1
        elif identity := _IDENTITY.match(text):
            self._counts_up(_folded(identity[1]), _bare(identity[2]).lower())
        elif self._dialect == "tsql" and (default := default_of(text)):
            self._default(*default)
        else:
            self._parse(text, statement.line)

    def _parse(self, text: str, line: int) -> None:
        self._parsed += 1
        if self._parsed > MOST:
            raise DesignError("too-large", say("sql-too-many-statements", most=MOST))
        _measure(text, line)
        try:
            trees = sqlglot.parse(plain(text, self._dialect), read=self._dialect)
        except SqlglotError as error:
            self._unread(text, line, error)
            return
        except RecursionError:
            raise DesignError("too-deep", _too_deep(line)) from None
        for tree in trees:
            self._take(tree, text, line)
        for index in indexes_within(text) if self._dialect == "tsql" else ():
            self._parse(index, line)

    def _unread(self, text: str, line: int, error: SqlglotError) -> None:
        """A table that cannot be read is the end of it: a design without it would be another one."""
        details = getattr(error, "errors", None) or [{}]
        at = line + int(details[0].get("line") or 1) - 1
        if _TABLE.match(text):
            near = str(details[0].get("highlight") or "").strip()[:60]
            bare = _TEXT.sub("", text)
            if bare.count("(") > bare.count(")"):
                raise DesignError("cut-off", say("sql-table-unended", line=line))
            said = say("sql-table-unreadable", line=line, at=at)
            if near:
                said = say("sql-table-unreadable-near", line=line, at=at, near=near)
            raise DesignError("not-sql", said)
        self._drop(say("sql-unread-statement"), " ".join(text.split())[:60], line)

    def _take(self, tree: object, text: str, line: int) -> None:
        if isinstance(tree, exp.Create) and tree.kind == "TABLE":
            if text[:14].upper().split()[1:2] == ["DOMAIN"]:
                self._domain(tree, line)
            else:
                self._table(tree, line)
        elif isinstance(tree, exp.Create) and tree.kind == "TYPE":
            self._type(tree, line)
        elif isinstance(tree, exp.Command) and _TABLE.match(text):
            raise DesignError("not-sql", say("sql-table-unreadable", line=line, at=line))
        elif isinstance(tree, exp.Create) and tree.kind == "INDEX":
            self._index(
                tree.this, line, bool(tree.args.get("unique")), "FULLTEXT" in text[:30].upper()
            )
        elif isinstance(tree, exp.Alter):
            self._alter(tree, line)
        elif isinstance(tree, exp.Comment):
            self._comment(tree)
        else:
            self._drop(say("sql-unread-statement"), " ".join(text.split())[:60], line)

    def _type(self, tree: exp.Create, line: int) -> None:
        kind = tree.expression
        values = (
            tuple(each.name for each in kind.expressions) if isinstance(kind, exp.DataType) else ()
        )
        if values:
            self._types[tree.this.name.lower()] = Type("text", tree.this.name, values=values)
        else:
            self._drop(say("fields-as-map"), tree.this.name, line)
            self._types[tree.this.name.lower()] = Type("json", tree.this.name)

    def _domain(self, tree: exp.Create, line: int) -> None:
        for column in tree.this.expressions:
            if isinstance(column, exp.ColumnDef) and column.kind is not None:
                made = type_of(column.kind, self._types)
                for check in column.find_all(exp.CheckColumnConstraint):
                    values = listed_values(check.this)[1]
                    made = replace(made, values=values or made.values)
                    if not values:
                        self._drop(self._unchecked(check), tree.this.this.name, line)
                self._types[tree.this.this.name.lower()] = replace(
                    made, written=tree.this.this.name
                )

    # Tables ---------------------------------------------------------------------------------------

    def _table(self, tree: exp.Create, line: int) -> None:
        shape = tree.this
        named = shape.this if isinstance(shape, exp.Schema) else shape
        table = Table(named.name, line, _schema(named))
        if tree.find(exp.TemporaryProperty) is not None:
            self._drop(say("temporary-table"), table.full_name, line)
            self._partitions.add(table.full_name.lower())
            return
        parent = tree.find(exp.InheritsProperty, exp.PartitionedOfProperty)
        of = parent.find(exp.Table) if parent is not None else None
        has_own = isinstance(shape, exp.Schema) and shape.find(exp.ColumnDef) is not None
        if isinstance(parent, exp.InheritsProperty) and has_own:
            self._copy(table, of, line)
        elif parent is not None:
            said = say("partition-of", table=of.name) if of else say("partition")
            self._drop(said, table.full_name, line)
            self._partitions.add(table.full_name.lower())
            return
        if not isinstance(shape, exp.Schema):
            self._drop(say("table-of-query"), table.full_name, line)
            return
        if len(self._found.tables) >= ENTITIES.most:
            raise DesignError("too-large", say("sql-too-many-tables", most=ENTITIES.most))
        self._found.tables[table.full_name.lower()] = table
        for part in shape.expressions:
            self._part(table, part, line)
        comment = tree.find(exp.SchemaCommentProperty)
        if comment is not None:
            table.comment = comment.this.name

    def _part(self, table: Table, part: exp.Expression, line: int, name: str = "") -> None:
        """A column, or a constraint of the table."""
        at = _line_of(part, line)
        if isinstance(part, exp.Constraint):
            for each in part.expressions:
                self._part(table, each, line, part.name)
        elif isinstance(part, exp.ColumnDef):
            self._column(table, part, at)
        elif isinstance(part, exp.PrimaryKey):
            table.primary = Key(tuple(_columns(part.expressions)), at, name)
        elif isinstance(part, exp.ForeignKey):
            reference = part.args.get("reference")
            if reference is not None:
                table.foreign.append(
                    _foreign(tuple(_columns(part.expressions)), reference, at, name)
                )
        elif isinstance(part, exp.UniqueColumnConstraint) and isinstance(part.this, exp.Schema):
            table.uniques.append(
                Key(tuple(_columns(part.this.expressions)), at, name or part.this.name)
            )
        elif isinstance(part, exp.IndexColumnConstraint):
            full_text = str(part.args.get("kind") or "").upper() == "FULLTEXT"
            table.indexes.append(Index(tuple(_columns(part.expressions)), at, part.name, full_text))
        elif isinstance(part, exp.CheckColumnConstraint):
            self._check(table, part, at, name)
        elif isinstance(part, exp.LikeProperty):
            self._copy(table, part.find(exp.Table), at)
        elif isinstance(part, exp.Column | exp.Identifier):  # SQLite lets columns have no type
            column = part.name
            table.columns[column.lower()] = Column(column, Type("unknown", ""), at)
        else:
            check = " ".join(part.sql(self._dialect).split())[:120]
            self._drop(say("check-not-kept", check=check), name or table.full_name, at)

    def _copy(self, table: Table, of: exp.Table | None, line: int) -> None:
        """The columns of another table, for one that is like it or inherits from it."""
        other = self._found.find(_full(of)) if of is not None else None
        if of is None or other is None:
            said = (
                say("columns-of-unnamed") if of is None else say("columns-of-absent", table=of.name)
            )
            self._drop(said, table.full_name, line)
            return
        table.columns.update((name, replace(each)) for name, each in other.columns.items())
        table.primary = table.primary or other.primary
        said = say("columns-of", table=of.name)
        self._found.lines.append(Line("guessed", said, table.full_name, line))

    def _column(self, table: Table, part: exp.ColumnDef, line: int) -> None:
        kind = part.kind
        made = type_of(kind, self._types) if isinstance(kind, exp.DataType) else Type("unknown", "")
        column = Column(part.name, made, line)
        column.counts_up = isinstance(kind, exp.DataType) and counts_by_type(kind)
        name = part.name.lower()
        table.columns[name] = column
        for constraint in part.constraints:
            what = constraint.kind
            if isinstance(what, exp.PrimaryKeyColumnConstraint):
                table.primary = Key((name,), line)
            elif isinstance(what, exp.NotNullColumnConstraint):
                column.nullable = bool(what.args.get("allow_null"))
            elif isinstance(what, exp.UniqueColumnConstraint):
                table.uniques.append(Key((name,), line, constraint.name))
            elif isinstance(what, exp.Reference):
                table.foreign.append(_foreign((name,), what, line, constraint.name))
            elif isinstance(what, exp.CommentColumnConstraint):
                column.comment = what.this.name
            elif isinstance(what, exp.CheckColumnConstraint):
                self._check(table, what, line, constraint.name)
            else:
                note_value(column, what, self._dialect)

    def _check(self, table: Table, check: exp.CheckColumnConstraint, line: int, name: str) -> None:
        of, values = listed_values(check.this)
        column = table.columns.get(of.lower())
        if column is not None and values:
            column.type = replace(column.type, values=values)
        else:
            self._drop(self._unchecked(check), name or table.full_name, line)

    def _unchecked(self, check: exp.CheckColumnConstraint) -> Message:
        return say("check-not-kept", check=f"CHECK ({check.this.sql(self._dialect)[:120]})")

    def _counts_up(self, of: str, name: str) -> None:
        table = self._found.find(of)
        if table is not None and name in table.columns:
            table.columns[name].counts_up = True

    def _default(self, of: str, name: str, value: str) -> None:
        table = self._found.find(_folded(of))
        column = table.columns.get(_bare(name).lower()) if table is not None else None
        with suppress(SqlglotError, RecursionError):
            made = sqlglot.parse_one(value, read=self._dialect)
            if column is not None and isinstance(made, exp.Expression):
                note_default(column, made, self._dialect)

    def _alter(self, tree: exp.Alter, line: int) -> None:
        if _full(tree.this) in self._partitions:
            return
        table = self._found.find(_full(tree.this))
        for action in tree.args.get("actions") or ():
            if table is None:
                self._drop(say("absent-table-changed"), _full(tree.this), line)
            elif isinstance(action, exp.AddConstraint):
                for part in action.expressions:
                    self._part(table, part, line)
            elif isinstance(action, exp.ColumnDef):
                self._column(table, action, line)
            elif isinstance(action, exp.AlterColumn) and action.name.lower() in table.columns:
                self._change(table, table.columns[action.name.lower()], action, line)
            else:
                self._drop(say("sql-unread-table-change"), table.full_name, line)

    def _change(self, table: Table, column: Column, action: exp.AlterColumn, line: int) -> None:
        """What a statement of its own says of a column that is there."""
        of_type, default = action.args.get("dtype"), action.args.get("default")
        if action.args.get("allow_null") is not None:
            column.nullable = bool(action.args["allow_null"])
        elif isinstance(default, exp.Expression):
            note_default(column, default, self._dialect)
        elif isinstance(of_type, exp.DataType):
            column.type = type_of(of_type, self._types)
        elif not action.args.get("drop"):
            self._drop(say("sql-unread-column-change"), f"{table.full_name}.{column.name}", line)

    def _index(self, index: exp.Index, line: int, is_unique: bool, is_full_text: bool) -> None:
        on = index.args.get("table")
        table = self._found.find(_full(on)) if isinstance(on, exp.Table) else None
        if isinstance(on, exp.Table) and _full(on) in self._partitions:
            return
        if table is None:
            self._drop(say("index-of-absent-table"), index.name, line)
            return
        params = index.args.get("params")
        parts = params.args.get("columns") if params is not None else None
        columns = tuple(_columns(parts or ()))
        of_some = params.args.get("where") if params is not None else None
        where = " ".join(of_some.this.sql(self._dialect).split())[:120] if of_some else ""
        using = str(params.args.get("using") or "").lower() if params is not None else ""
        search = is_full_text or (
            using in ("gin", "gist") and self._searches(table, columns, list(parts or ()))
        )
        if len(columns) != len(parts or ()) and not search:
            said = say("unique-index-of-expression" if is_unique else "index-of-expression")
            self._drop(said, index.name, line)
        elif is_unique and not where:
            table.uniques.append(Key(columns, line, index.name))
        else:
            if is_unique:
                said = say("unique-where", columns=columns, condition=where)
                self._drop(said, index.name, line)
            table.indexes.append(Index(columns, line, index.name, search, where))

    def _searches(
        self, table: Table, columns: tuple[str, ...], parts: list[exp.Expression]
    ) -> bool:
        """Whether an index is for words in texts: of a search vector, or of what makes one."""
        held = [table.columns[each].type.family for each in columns if each in table.columns]
        made = any("tsvector" in part.sql().lower() for part in parts)
        return made or "search" in held or "text" in held

    def _comment(self, tree: exp.Comment) -> None:
        on, said = tree.this, tree.expression.name if tree.expression is not None else ""
        # The parser gives this word as it is written.
        kind = str(tree.args.get("kind") or "").upper()
        if kind == "TABLE":
            table = self._found.find(_full(on))
            if table is not None:
                table.comment = said
        if kind != "COLUMN" or not isinstance(on, exp.Column):
            return
        schema = on.args.get("db")
        of = f"{schema.name}.{on.table}" if schema is not None else on.table
        table = self._found.find(_folded(of))
        if table is not None and on.name.lower() in table.columns:
            table.columns[on.name.lower()].comment = said


def _measure(text: str, line: int) -> None:
    """DesignError where a statement is larger or deeper than any that people write."""
    if len(text) > LONGEST:
        raise DesignError("too-large", say("sql-statement-too-long", line=line, most=LONGEST))
    depth = deepest = 0
    for bracket in _BRACKETS.finditer(_TEXT.sub("", text)):
        depth += 1 if bracket[0] == "(" else -1
        deepest = max(deepest, depth)
    if deepest > DEEPEST:
        raise DesignError("too-deep", _too_deep(line))


def _too_deep(line: int) -> Message:
    return say("sql-too-deep", line=line, most=DEEPEST)


def _columns(parts: object) -> Iterator[str]:
    """The columns that parts of a key are, in small letters; what is no column is left out."""
    for part in parts if isinstance(parts, list | tuple) else ():
        inner = part.this if isinstance(part, exp.Ordered) else part
        inner = inner.this if isinstance(inner, exp.ColumnPrefix) else inner
        if isinstance(inner, exp.Column | exp.Identifier):
            yield inner.name.lower()


def _foreign(
    columns: tuple[str, ...], reference: exp.Expression, line: int, name: str
) -> ForeignKey:
    shape = reference.this
    table = shape.this if isinstance(shape, exp.Schema) else shape
    target = tuple(_columns(shape.expressions)) if isinstance(shape, exp.Schema) else ()
    options = [str(option) for option in reference.args.get("options") or ()]
    rules = tuple(option for option in map(str.upper, options) if option in _ON_DELETE)
    is_followed = "ON UPDATE CASCADE" in map(str.upper, options)
    return ForeignKey(columns, _full(table), target, line, name, rules, is_followed)


def _schema(table: exp.Expression) -> str:
    schema = table.args.get("db")
    name = schema.name if schema is not None else ""
    return "" if name.lower() in _USUAL_SCHEMAS else name


def _full(table: exp.Expression) -> str:
    schema = _schema(table)
    return f"{schema}.{table.name}".lower() if schema else table.name.lower()


def _bare(name: str) -> str:
    return name.translate(_MARKS)


def _folded(name: str) -> str:
    schema, _, bare = _bare(name).lower().rpartition(".")
    return bare if schema in _USUAL_SCHEMAS else f"{schema}.{bare}"


def _line_of(part: exp.Expression, line: int) -> int:
    """The line of the first name in a part; the parser counts from the statement's first line."""
    for name in part.find_all(exp.Identifier):
        if "line" in name.meta:
            return line + int(name.meta["line"]) - 1
    return line
