"""What SQL's types and checks say of the values that a column holds."""

from collections.abc import Mapping

from sqlglot import exp

from designer.core.importers.relational import Family, Type

_FAMILIES: dict[Family, str] = {
    "integer": "TINYINT UTINYINT SMALLINT USMALLINT MEDIUMINT UMEDIUMINT INT UINT BIGINT UBIGINT INT128 SERIAL "
    "SMALLSERIAL BIGSERIAL YEAR",
    "decimal": "DECIMAL UDECIMAL BIGDECIMAL MONEY SMALLMONEY DECIMAL32 DECIMAL64 DECIMAL128",
    "float": "FLOAT DOUBLE UDOUBLE",
    "boolean": "BOOLEAN",
    "date": "DATE DATE32",
    "datetime": "DATETIME DATETIME2 DATETIME64 SMALLDATETIME TIMESTAMP TIMESTAMPTZ TIMESTAMPLTZ TIMESTAMPNTZ "
    "TIMESTAMP_S TIMESTAMP_MS TIMESTAMP_NS",
    "time": "TIME TIMETZ TIME_NS INTERVAL",
    "uuid": "UUID",
    "json": "JSON JSONB HSTORE MAP STRUCT OBJECT VARIANT GEOMETRY GEOGRAPHY POINT",
    "list": "ARRAY LIST SET",
    "binary": "BINARY VARBINARY BLOB TINYBLOB MEDIUMBLOB LONGBLOB BIT ROWVERSION IMAGE",
    "search": "TSVECTOR",
    "text": "CHAR NCHAR BPCHAR VARCHAR NVARCHAR TEXT TINYTEXT MEDIUMTEXT LONGTEXT ENUM ENUM8 ENUM16 INET CIDR "
    "IPADDRESS IPV4 IPV6 XML NAME",
}
_OF = {word: family for family, words in _FAMILIES.items() for word in words.split()}
_DIGITS = {
    "TINYINT": 3, "UTINYINT": 3, "SMALLINT": 5, "USMALLINT": 5, "SMALLSERIAL": 5, "MEDIUMINT": 8, "UMEDIUMINT": 8,
    "INT": 10, "UINT": 10, "SERIAL": 10, "BIGINT": 19, "UBIGINT": 20, "BIGSERIAL": 19, "YEAR": 4,
}  # fmt: skip
"""Digits of the largest number that a type holds."""
_MONEY = (19, 2)
_BY_NAME: dict[str, Family] = {
    "citext": "text", "macaddr": "text", "macaddr8": "text", "tsvector": "search", "polygon": "json", "box": "json",
    "bool": "boolean", "oid": "integer", "int4range": "json", "tstzrange": "json", "daterange": "json",
    "tsrange": "json", "bytea": "binary", "regclass": "text", "number": "decimal", "clob": "text",
}  # fmt: skip
"""Types that the parser knows by their names only."""


def type_of(kind: exp.DataType, own: Mapping[str, Type]) -> Type:
    """The type of a column; `own` are those that the file made, by their names in small letters."""
    word = str(kind.this.value if hasattr(kind.this, "value") else kind.this)
    written = kind.sql()
    named = str(kind.args.get("kind") or "") or written
    name = named.replace('"', "").rpartition(".")[2].lower()
    if name in own:
        return own[name]
    if word == "SET":
        return Type("list", written)
    if kind.args.get("values") or word.startswith("ENUM"):
        return Type("text", "enum", values=tuple(each.name for each in kind.expressions))
    family = _OF.get(word) or _BY_NAME.get(name.partition("(")[0], "unknown")
    numbers = [int(each.name) for each in kind.expressions if each.name.isdigit()]
    if (word == "TINYINT" and numbers == [1]) or (word == "BIT" and numbers in ([], [1])):
        return Type("boolean", written)
    if family == "decimal":
        return _decimal(written, list(_MONEY) if "MONEY" in word else numbers)
    if family == "integer":
        return Type(family, written, digits=_DIGITS.get(word))
    fixed = word in ("CHAR", "NCHAR", "BPCHAR")
    length = numbers[0] if numbers and family == "text" else None
    if fixed and length is None and numbers == []:
        length = 1
    return Type(family, written, length, fixed)


def _decimal(written: str, numbers: list[int]) -> Type:
    digits, scale = (*numbers, 0, 0)[:2] if numbers else (0, 0)
    if not 0 < digits <= 38 or scale >= digits:
        return Type("decimal", written)
    if scale == 0:
        return Type("integer", written, digits=digits)
    return Type("decimal", written, digits=digits, scale=scale)


def listed_values(check: exp.Expression) -> tuple[str, tuple[str, ...]]:
    """The column and the values of a check that lists them: `status IN ('a', 'b')`, `status = ANY (ARRAY[...])`."""
    inner = _bare(check)
    if isinstance(inner, exp.Or):
        return _either(inner)
    if isinstance(inner, exp.EQ) and isinstance(_bare(inner.expression), exp.Literal):
        of, listed = _bare(inner.this), [inner.expression]
    elif isinstance(inner, exp.In) and inner.expressions:
        of, listed = _bare(inner.this), list(inner.expressions)
    elif isinstance(inner, exp.EQ) and isinstance(inner.expression, exp.Any):
        array = _bare(inner.expression.this)
        of, listed = _bare(inner.this), list(array.expressions)
    else:
        return "", ()
    values = [_bare(each) for each in listed]
    if not isinstance(of, exp.Column | exp.Identifier) or not all(
        isinstance(v, exp.Literal) for v in values
    ):
        return "", ()
    return of.name, tuple(dict.fromkeys(value.name for value in values))


def _either(check: exp.Or) -> tuple[str, tuple[str, ...]]:
    """`status = 'a' OR status = 'b'`, which is what SQL Server makes of a list."""
    found = [listed_values(each) for each in check.flatten() if isinstance(each, exp.Expression)]
    names = {name.lower() for name, _ in found}
    if len(names) > 1 or not all(values for _, values in found):
        return "", ()
    # It writes the last of the list first.
    return found[0][0], tuple(dict.fromkeys(value for _, values in found for value in values))


def _bare(part: exp.Expression) -> exp.Expression:
    """Without brackets and casts around it."""
    while isinstance(part, exp.Paren | exp.Cast):
        part = part.this
    return part
