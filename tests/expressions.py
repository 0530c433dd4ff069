"""What the templates and conditions of a plan document say, with boto3 and nothing of Keywright's.

Written from docs/plan-format.md alone, for tests/runner.py.
"""

import json
import operator
import re
import zlib
from decimal import Decimal
from functools import reduce

from boto3.dynamodb.conditions import Attr
from boto3.dynamodb.types import Binary, TypeDeserializer, TypeSerializer

PART = re.compile(r'\{\{|\}\}|\{([\w.-]+)\}|\{([a-z]+)\(((?:[^"()]|"(?:[^"\\]|\\.)*")*)\)\}')
ARGUMENT = re.compile(r'("(?:[^"\\]|\\.)*")|(\d+)|([\w.-]+)')
SERIALIZER, DESERIALIZER = TypeSerializer(), TypeDeserializer()
MISSING = (None, "", b"")


# Values and templates


def wire(item):
    return {n: SERIALIZER.serialize(v) for n, v in item.items() if v is not None}


def unwire(wired):
    item = {name: DESERIALIZER.deserialize(value) for name, value in wired.items()}
    return {n: bytes(v.value) if isinstance(v, Binary) else v for n, v in item.items()}


def comparable(value):
    return value.encode() if isinstance(value, str) else value


def text(value):
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Decimal):
        digits = f"{value:f}"
        return (digits.rstrip("0").rstrip(".") if "." in digits else digits) if value else "0"
    return value.hex() if isinstance(value, bytes) else value


def pad(value, digits, scale):
    whole = f"{abs(int(value.scaleb(scale))):0{digits}}"
    if value < 0:
        whole = whole.translate(str.maketrans("0123456789", "9876543210"))
    return "-" * (value < 0) + (f"{whole[:-scale]}.{whole[-scale:]}" if scale else whole)


def inverse(value, numbers, texts):
    if texts:
        last = len(texts) - 1
        found = text(value) in texts
        return str(last - texts.index(text(value))).zfill(len(str(last))) if found else None
    nines = str.maketrans("0123456789", "9876543210")
    return pad(-value, *numbers) if numbers else value.translate(nines)


FORMS = {
    "inverse": inverse,
    "pad": lambda value, numbers, _: pad(value, *numbers),
    "shard": lambda value, numbers, _: str(zlib.crc32(text(value).encode()) % numbers[0]),
    "text": lambda value, *_: text(value),
    "only": lambda value, _, texts: text(value) if text(value) in texts else None,
    "when": lambda value, _, texts: "" if not texts or text(value) in texts else None,
    "year": lambda value, *_: value[:4],
    "month": lambda value, *_: value[:7],
    "date": lambda value, *_: value[:10],
    "hour": lambda value, *_: value[:13],
}


def of_rows(figure):
    """A figure over a field of the rows of a list parameter."""

    def worked_out(rows, _, texts):
        values = [row[texts[0]] for row in rows if row.get(texts[0]) is not None]
        return figure(values) if values or figure is sum else None

    return worked_out


OF_ROWS = {
    "count": lambda rows, *_: Decimal(len(rows)),
    "sum": of_rows(sum),
    "greatest": of_rows(lambda values: max(values, key=comparable)),
    "least": of_rows(lambda values: min(values, key=comparable)),
}
FORMS |= OF_ROWS


def value_of(part, look):
    """The value of one part of a template in braces."""
    if part[1]:
        return look(part[1])
    found = ARGUMENT.findall(part[3])
    value = look(next(name for _, _, name in found if name))
    numbers = [int(number) for _, number, _ in found if number]
    texts = [json.loads(quoted) for quoted, _, _ in found if quoted]
    if part[2] == "absent":
        return "".join(texts) if value is None else None
    return None if value is None else FORMS[part[2]](value, numbers, texts)


def sum_of(said, look):
    """What one expression, or several together, come to; those that start with a minus take away."""
    found = None
    for one in said if isinstance(said, list) else [said]:
        minus = isinstance(one, str) and one.startswith("-{")
        value = render(one[1:] if minus else one, look)
        if value is not None:
            found = (found or 0) + (-value if minus else value)
    return found


def render(expression, look):
    if isinstance(expression, dict):
        value = expression["value"]
        return Decimal(str(value)) if type(value) in (int, float) else value
    alone = PART.fullmatch(expression)
    if alone and (alone[1] or alone[2] in OF_ROWS):
        return value_of(alone, look)
    missing = []

    def written(part):
        if part[0] in ("{{", "}}"):
            return part[0][0]
        value = value_of(part, look)
        missing.extend([part] if value is None else [])
        return re.sub(r"[\x00-\x24]", lambda c: "$" + chr(ord(c[0]) + 64), text(value) or "")

    whole = PART.sub(written, expression)
    return None if missing else whole


def read_back(template, whole):
    """The values in a key's text: no value has a delimiter in it."""
    pattern, names, at = "", [], 0
    for part in PART.finditer(template):
        pattern += re.escape(template[at : part.start()])
        at = part.end()
        if part[2] != "when":
            pattern += "([^#]*)"
            names.append(part[1] or part[0][1:-1].removeprefix("text(").removesuffix(")"))
    values = re.fullmatch(pattern + re.escape(template[at:]), whole, re.DOTALL).groups()
    plain = (re.sub(r"\$(.)", lambda c: chr(ord(c[1]) - 64), value) for value in values)
    return dict(zip(names, plain, strict=True))


# Conditions: for the engine, and for rows that were read

TESTS = {
    "is": (Attr.eq, operator.eq),
    "equals": (Attr.eq, operator.eq),
    "from": (Attr.gte, operator.ge),
    "after": (Attr.gt, operator.gt),
    "to": (Attr.lte, operator.le),
    "below": (Attr.lt, operator.lt),
    "begins_with": (Attr.begins_with, lambda one, other: one.startswith(other)),
    "contains": (Attr.contains, lambda one, other: other in one),
    "any_of": (Attr.is_in, lambda one, others: one in others),
    "not": (lambda a, v: a.not_exists() | a.ne(v), operator.ne),
    "below_or_missing": (lambda a, v: a.not_exists() | a.lt(v), operator.lt),
    "above_or_missing": (lambda a, v: a.not_exists() | a.gt(v), operator.gt),
}

# A time sorts as its leading part does, but above it.
TESTS_OF_LEADING = {
    **TESTS,
    "is": (Attr.begins_with, operator.eq),
    "after": (lambda a, v: a.gt(v) & ~a.begins_with(v), operator.gt),
    "to": (lambda a, v: a.lt(v) | a.begins_with(v), operator.le),
    "any_of": (lambda a, vs: reduce(operator.or_, map(a.begins_with, vs)), TESTS["any_of"][1]),
    "not": (lambda a, v: a.not_exists() | ~a.begins_with(v), operator.ne),
}
LEADING = re.compile(r"(\w+)\((.+)\)")
"""The leading part of a time, where a condition or an order names it."""


def found_in(item, name):
    """An attribute of an item, or the leading part of a time that it has; None when it is missing."""
    part = LEADING.fullmatch(name)
    if part is None or item.get(part[2]) is None:
        return item.get(name)
    return FORMS[part[1]](item[part[2]])


HIDDEN = str.maketrans(".[]", "\ue000\ue001\ue002")
SHOWN = str.maketrans("\ue000\ue001\ue002", ".[]")


def named(path):
    """An attribute for boto3, which takes points and brackets in names for its own."""
    return Attr(".".join(name.translate(HIDDEN) for name in path))


def demand(conditions, look, path=()):
    """What must hold of an item, or of what lies at a path in it, as boto3 says it; None for nothing."""
    every = None
    for condition in conditions:
        part = LEADING.fullmatch(condition["attribute"])
        tests = TESTS if part is None else TESTS_OF_LEADING
        attribute = named((*path, condition["attribute"] if part is None else part[2]))
        never = attribute.exists() & attribute.not_exists()
        for test, said in condition.items():
            if test == "attribute":
                continue
            if test == "exists":
                one = attribute.exists() if said else attribute.not_exists()
            elif test == "same_as":
                value = look(f"{said}.{condition['attribute']}")
                one = attribute.not_exists() if value is None else attribute.eq(value)
            else:
                value = look(said) if test == "any_of" else render(said, look)
                if test == "not" and value is None:
                    continue
                one = never if value in (None, []) else tests[test][0](attribute, value)
            every = one if every is None else every & one
    return every


def holds(condition, item, look):
    value = comparable(found_in(item, condition["attribute"]))
    for test, said in condition.items():
        if test == "exists" and (value is not None) != said:
            return False
        if test in ("attribute", "shape", "exists") or (
            value is None and test in ("not", "below_or_missing", "above_or_missing")
        ):
            continue
        other = look(said) if test == "any_of" else render(said, look)
        other = [comparable(one) for one in other] if test == "any_of" else comparable(other)
        if isinstance(value, set):
            value = {comparable(one) for one in value}
        if value is None or (other is None) != (test == "not" and other is None):
            return False
        if not TESTS[test][1](value, other):
            return False
    return True


def expressed(builder, condition, request, argument, is_key=False):
    """Put a condition into a request; one builder keeps the placeholders of a request apart."""
    if condition is not None:
        built = builder.build_expression(condition, is_key)
        request[argument] = built.condition_expression
        names = request.setdefault("ExpressionAttributeNames", {})
        names.update({n: v.translate(SHOWN) for n, v in built.attribute_name_placeholders.items()})
        if built.attribute_value_placeholders:
            values = request.setdefault("ExpressionAttributeValues", {})
            values.update(wire(built.attribute_value_placeholders))
