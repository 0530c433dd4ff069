"""Key templates: how the values of attributes become the text of a key.

A template is literal text, `{name}`, and `{form(arguments)}`; `{{` and `}}` stand for braces. A template that is one
`{name}` alone passes the value on unchanged, with its type. In every other template each value is written as text and
escaped: every character up to and including `$` becomes `$` and the character 64 places higher, so that the
delimiter `#` sorts below every character of a value and can never occur in one, and texts keep their order. If any
value that a template names is missing, the whole template is missing: the attribute is then left out of a put and
removed by an update.

>>> render("ORDER#{placedAt}#{orderId}", {"placedAt": "2026-05-03", "orderId": "A 1"}.get)
'ORDER#2026-05-03#A$`1'
>>> render("PRICE#{pad(6, 2, price)}#", {"price": Decimal("-12.5")}.get)
'PRICE#-9987.49#'
>>> render("{inverse(6, 2, price)}#{inverse(day)}", {"price": Decimal("12.5"), "day": "2026-05-03"}.get)
'-9987.49#7973-94-96'
"""

import json
import re
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from functools import lru_cache
from typing import Any

from designer.core.errors import SaidError
from designer.core.messages import say

DELIMITER = "#"
ABOVE = "$"
"""The character after the delimiter: `v$` is above every key that continues `v` with the delimiter."""

Value = Any
"""A value of an attribute: str, Decimal or int, bool, bytes, list, dict, set or None; None is missing."""

Lookup = Callable[[str], Value]


@dataclass(frozen=True)
class Reference:
    """`{name}`."""

    name: str


@dataclass(frozen=True)
class Form:
    """`{form(arguments)}`; the last or only name is what it is applied to."""

    form: str
    name: str
    numbers: tuple[int, ...] = ()
    texts: tuple[str, ...] = ()


Part = str | Reference | Form

_NAME = r"[A-Za-z_][A-Za-z0-9_-]*(?:\.[A-Za-z_][A-Za-z0-9_-]*)?"
_TOKEN = re.compile(
    rf"(?P<brace>\{{\{{|\}}\}})|\{{(?P<name>{_NAME})\}}"
    rf"|\{{(?P<form>[a-z]+)\((?P<arguments>(?:[^\"(){{}}]|\"(?:[^\"\\]|\\.)*\")*)\)\}}"
)
_ARGUMENT = re.compile(
    rf"\s*(?:(?P<number>\d+)|(?P<text>\"(?:[^\"\\]|\\.)*\")|(?P<name>{_NAME}))\s*(?:,|$)"
)


class TemplateError(SaidError, ValueError):
    """A template that cannot be read, or a value that does not fit it."""


@lru_cache(maxsize=4096)
def parse(template: str) -> tuple[Part, ...]:
    """Read a template into its parts."""
    parts: list[Part] = []
    literal = ""
    at = 0
    while at < len(template):
        if template[at] not in "{}":
            literal += template[at]
            at += 1
            continue
        match = _TOKEN.match(template, at)
        if match is None:
            raise TemplateError(
                say("template-part-unreadable", template=template, character=at + 1)
            )
        at = match.end()
        if match["brace"]:
            literal += match["brace"][0]
            continue
        if literal:
            parts.append(literal)
            literal = ""
        parts.append(
            Reference(match["name"]) if match["name"] else _form(match["form"], match["arguments"])
        )
    if literal or not parts:
        parts.append(literal)
    return tuple(parts)


def _form(form: str, text: str) -> Form:
    if form not in FORMS:
        raise TemplateError(say("not-a-form-of-keys", form=form))
    numbers: list[int] = []
    texts: list[str] = []
    names: list[str] = []
    at = 0
    while at < len(text):
        match = _ARGUMENT.match(text, at)
        if match is None or match.end() == at:
            raise TemplateError(say("form-argument-unreadable", form=f"{form}({text})"))
        at = match.end()
        if match["number"]:
            numbers.append(int(match["number"]))
        elif match["text"]:
            texts.append(json.loads(match["text"]))
        else:
            names.append(match["name"])
    if len(names) != 1:
        raise TemplateError(say("form-needs-one-value", form=f"{form}({text})"))
    return Form(form, names[0], tuple(numbers), tuple(texts))


def write(parts: tuple[Part, ...]) -> str:
    """The template of some parts; the inverse of `parse`."""
    return "".join(_write(part) for part in parts)


def _write(part: Part) -> str:
    if isinstance(part, str):
        return part.replace("{", "{{").replace("}", "}}")
    if isinstance(part, Reference):
        return f"{{{part.name}}}"
    arguments = [str(number) for number in part.numbers]
    names_last = (
        [*arguments, part.name]
        if part.form in ("pad", "shard", "inverse")
        else [part.name, *arguments]
    )
    return (
        f"{{{part.form}({', '.join([*names_last, *(json.dumps(text) for text in part.texts)])})}}"
    )


def names(template: str) -> tuple[str, ...]:
    """The values a template names, in order, each once."""
    return tuple(dict.fromkeys(part.name for part in parse(template) if not isinstance(part, str)))


def written(template: str) -> tuple[str, ...]:
    """The values that a template writes, in order, each once: a condition names one and writes nothing.

    >>> written('{when(flaggedAt)}ROOM#{roomId}')
    ('roomId',)
    """
    return names(write(tuple(part for part in parse(template) if not is_condition(part))))


def is_condition(part: Part) -> bool:
    """Whether a part writes nothing, and only decides whether there is a key."""
    return isinstance(part, Form) and (
        part.form == "when" or (part.form == "absent" and not part.texts)
    )


def lone(template: str) -> str | None:
    """The name of a template that passes one value on unchanged, else None."""
    parts = parse(template)
    return parts[0].name if len(parts) == 1 and isinstance(parts[0], Reference) else None


def as_text(template: str) -> str:
    """The template as one that always writes text: a lone `{name}` becomes `{text(name)}`."""
    name = lone(template)
    return template if name is None else f"{{text({name})}}"


def rename(template: str, new: Callable[[str], str | None]) -> str:
    """The template with each name replaced; a name that maps to None stays."""

    def part(old: Part) -> Part:
        if isinstance(old, str):
            return old
        name = new(old.name) or old.name
        return (
            Reference(name)
            if isinstance(old, Reference)
            else Form(old.form, name, old.numbers, old.texts)
        )

    return write(tuple(part(old) for old in parse(template)))


def bind(template: str, known: Callable[[str], Value]) -> str | None:
    """The template with the values that are known now written into it; None when one of the forms makes it missing.

    A lone `{name}` whose value is known must not be bound: its type would be lost.
    """
    parts: list[Part] = []
    for part in parse(template):
        value = None if isinstance(part, str) else known(part.name)
        if isinstance(part, str) or value is None:
            parts.append(part)
            continue
        text = _text(part, value)
        if text is None:
            return None
        parts.append(escape(text))
    return write(tuple(parts))


def render(template: str, lookup: Lookup) -> Value:
    """The value of a template; None when it is missing."""
    parts = parse(template)
    if len(parts) == 1 and not isinstance(parts[0], str):
        value = lookup(parts[0].name)
        if isinstance(parts[0], Reference):
            return value
        if value is None and parts[0].form != "absent":
            return None
        if parts[0].form in OF_ROWS:
            return of_rows(parts[0], value)
        written = _text(parts[0], value)
        return None if written is None else escape(written)
    text = ""
    for part in parts:
        if isinstance(part, str):
            text += part
            continue
        value = lookup(part.name)
        is_known = value is not None or (isinstance(part, Form) and part.form == "absent")
        written = _text(part, value) if is_known else None
        if written is None:
            return None
        text += escape(written)
    return text


def escape(text: str) -> str:
    """The text with every character up to `$` as `$` and the character 64 places higher.

    >>> escape("a b#c$")
    'a$`b$cc$d'
    """
    if all(character > ABOVE for character in text):
        return text
    return "".join(c if c > ABOVE else ABOVE + chr(ord(c) + 64) for c in text)


def unescape(text: str) -> str:
    """What `escape` was given."""
    return re.sub(r"\$(.)", lambda match: chr(ord(match[1]) - 64), text, flags=re.DOTALL)


def read_back(template: str, text: str) -> dict[str, str]:
    """The values that a template wrote whole, as texts, from what it wrote; none where one may not end at `#`.

    >>> read_back("ORDER#{placedAt}#{orderId}", "ORDER#2026-05-03#A$`1")
    {'placedAt': '2026-05-03', 'orderId': 'A 1'}
    >>> read_back("{year(placedAt)}#{orderId}", "2026#A1"), read_back("{shop}-{orderId}", "s-A1")
    ({'orderId': 'A1'}, {})
    """
    pattern, found = _reading(template)
    match = pattern.fullmatch(text) if found else None
    return {} if match is None else dict(zip(found, map(unescape, match.groups()), strict=True))


@lru_cache(maxsize=4096)
def _reading(template: str) -> tuple[re.Pattern[str], tuple[str, ...]]:
    parts = [part for part in parse(template) if not is_condition(part)]
    pattern, found = "", []
    for part, following in zip(parts, (*parts[1:], DELIMITER), strict=True):
        if isinstance(part, str):
            pattern += re.escape(part)
            continue
        if not isinstance(following, str) or not following.startswith(DELIMITER):
            return re.compile(""), ()
        is_whole = isinstance(part, Reference) or part.form == "text"
        is_new = is_whole and part.name not in found
        pattern += f"([^{DELIMITER}]*)" if is_new else f"[^{DELIMITER}]*"
        found += [part.name] * is_new
    return re.compile(pattern, re.DOTALL), tuple(found)


def _text(part: Reference | Form, value: Value) -> str | None:
    return plain_text(value) if isinstance(part, Reference) else FORMS[part.form](part, value)


def plain_text(value: Value) -> str:
    """A value as text: numbers without exponent or trailing zeros, booleans in lower case, bytes in hexadecimal."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (bytes, bytearray)):
        return bytes(value).hex()
    if isinstance(value, (int, float, Decimal)):
        text = format(Decimal(str(value)), "f")
        text = text.rstrip("0").rstrip(".") if "." in text else text
        return "0" if text in ("-0", "") else text
    return str(value)


def pad(value: Value, digits: int, scale: int) -> str:
    """A number as text of fixed width that sorts as numbers do.

    `digits` significant digits, `scale` of them after the decimal point. A negative number is `-`
    (which sorts below `0`) and the nines' complement of its digits.

    >>> pad(7, 4, 0), pad(Decimal("-0.5"), 4, 2), pad(Decimal("-7"), 4, 0)
    ('0007', '-99.49', '-9992')
    """
    number = Decimal(str(value))
    scaled = number.scaleb(scale)
    if scaled != scaled.to_integral_value() or abs(scaled) >= Decimal(10) ** digits:
        said = say("number-too-long-for-key", value=plain_text(value), digits=digits, scale=scale)
        raise TemplateError(said)
    text = str(abs(int(scaled))).zfill(digits)
    if scaled < 0:
        text = "".join(str(9 - int(digit)) for digit in text)
    if scale:
        text = f"{text[:-scale]}.{text[-scale:]}"
    return f"-{text}" if scaled < 0 else text


def shard(value: Value, shards: int) -> int:
    """CRC-32 of the value's UTF-8 text, modulo the number of shards."""
    return zlib.crc32(plain_text(value).encode()) % shards


_COMPLEMENT = str.maketrans("0123456789", "9876543210")


def _inverse(part: Form, value: Value) -> str | None:
    """A value as text of one width that sorts the other way round."""
    if part.texts:
        text = plain_text(value)
        if text not in part.texts:
            return None
        last = len(part.texts) - 1
        return str(last - part.texts.index(text)).zfill(len(str(last)))
    if part.numbers:
        return pad(-Decimal(str(value)), *part.numbers)
    return str(value).translate(_COMPLEMENT)


MOST_PERIODS = 100_000
"""Of one request for a range; hours of more than eleven years."""


def periods(form: str, first: Value, last: Value) -> tuple[str, ...]:
    """The periods from one ISO 8601 time to another, both included; none where the last is before the first.

    >>> periods("hour", "2026-12-31T23:59:59Z", "2027-01-01T00:00:00Z")
    ('2026-12-31T23', '2027-01-01T00')
    """
    start, end = (str(time)[: PERIODS[form]] for time in (first, last))
    found: list[str] = []
    while start <= end:
        found.append(start)
        if len(found) > MOST_PERIODS:
            said = say("too-many-periods", first=str(first), last=str(last), most=MOST_PERIODS)
            raise TemplateError(said)
        if start == end:
            break
        start = _following(form, start)
    return tuple(found)


def _following(form: str, period: str) -> str:
    """The next year, month, date or hour."""
    try:
        time = datetime.fromisoformat(f"{period}{'2000-01-01T00:00:00'[len(period) :]}")
    except ValueError:
        raise TemplateError(say("not-an-iso-time", text=period)) from None
    if form == "year":
        return f"{time.year + 1:04}"
    if form == "month":
        return f"{time.year + time.month // 12:04}-{time.month % 12 + 1:02}"
    try:
        return (time + timedelta(hours=24 if form == "date" else 1)).isoformat()[: PERIODS[form]]
    except OverflowError:
        raise TemplateError(say("no-period-follows", form=form, period=period)) from None


def _when(part: Form, value: Value) -> str | None:
    return "" if not part.texts or plain_text(value) in part.texts else None


def _absent(part: Form, value: Value) -> str | None:
    return "".join(part.texts) if value is None else None


def _only(part: Form, value: Value) -> str | None:
    text = plain_text(value)
    return text if text in part.texts else None


PERIODS = {"year": 4, "month": 7, "date": 10, "hour": 13}
"""The forms that are leading parts of an ISO 8601 time, with how many characters they are."""


def leading(name: str) -> Form | None:
    """What a plan calls the leading part of a time in an attribute; None for an attribute itself.

    >>> leading("date(readAt)"), leading("readAt")
    (Form(form='date', name='readAt', numbers=(), texts=()), None)
    """
    form, _, rest = name.partition("(")
    return Form(form, rest.removesuffix(")")) if form in PERIODS and rest else None


def stored(name: str) -> str:
    """The attribute that has what a plan calls so: of `date(readAt)`, `readAt`."""
    part = leading(name)
    return name if part is None else part.name


def value(name: str, lookup: Lookup) -> Value:
    """What a plan calls so: an attribute's value, or how the time in it begins; None when it is missing."""
    part, found = leading(name), lookup(stored(name))
    return found if part is None or found is None else FORMS[part.form](part, found)


OF_ROWS = ("count", "sum", "greatest", "least")


def of_rows(part: Form, rows: Value) -> Value:
    """A figure over the rows of a list parameter; rows without the field do not count.

    >>> render('{sum(lines, "price")}', {"lines": [{"price": 2}, {"price": Decimal("1.5")}, {}]}.get)
    Decimal('3.5')
    """
    if part.form == "count":
        return Decimal(len(rows))
    found = [value for row in rows if (value := row.get(part.texts[0])) is not None]
    if part.form == "sum":
        return sum((Decimal(str(value)) for value in found), Decimal(0))
    best = max if part.form == "greatest" else min
    return best(found, key=lambda v: v.encode() if isinstance(v, str) else v) if found else None


FORMS: dict[str, Callable[[Form, Value], str | None]] = {
    **dict.fromkeys(OF_ROWS, lambda part, value: plain_text(of_rows(part, value))),
    "pad": lambda part, value: pad(value, *part.numbers),
    "shard": lambda part, value: str(shard(value, part.numbers[0])),
    "text": lambda part, value: plain_text(value),
    "inverse": _inverse,
    "only": _only,
    "when": _when,
    "absent": _absent,
    **dict.fromkeys(PERIODS, lambda part, value: str(value)[: PERIODS[part.form]]),
}
"""`pad(digits, scale, name)`, `inverse(digits, scale, name)` (what `pad` gives for minus the number), `inverse(name)`
(an ISO 8601 time of fixed width with nine minus each digit), `inverse(name, "value", ...)` (the place of the value
counted from the last of these), `shard(n, name)`, `text(name)` (what `{name}` writes, where it would stand alone and
pass the value on), `only(name, "value", ...)` (missing unless it is one of the values), `when(name, "value", ...)`
(the same, but writes nothing; without values: missing unless there is one), `absent(name, "text")` (the text, and
missing where there is a value; without a text it writes nothing), and the leading parts of an ISO 8601 time: `year`,
`month`, `date`, `hour`."""
