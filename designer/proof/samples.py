"""Values that are hard on keys: for each attribute as many as are wanted, the worst first.

Texts of which one begins another, with the delimiter, with what an escape is made of, with a space
and beyond ASCII; numbers negative, zero and as great as their digits allow; times on both sides of
an hour, a day and a year.
"""

import hashlib
import uuid
from collections.abc import Iterator
from datetime import date, datetime, timedelta
from decimal import Decimal
from functools import lru_cache
from itertools import chain, count, islice

from designer.core.answers import Value, canonical
from designer.core.design.attributes import Attribute
from designer.core.examples.identities import BASE62, CROCKFORD, in_base

TEXTS = (
    "m", "m#", "m#a", "ma", "m a", "m$", "m$`", "mé", "M", "m\U0001f375", "0", "日本", "m-1", "m~",
    "m!", "m%}",
)  # fmt: skip
EMAILS = (
    "ann@example.org",
    "ann@example.org.uk",
    "ann#1@example.org",
    "an@example.org",
    "zoë@example.org",
    "Ann@example.org",
    "ann$`@example.org",
)
URLS = (
    "https://example.org/a",
    "https://example.org/a/b",
    "https://example.org/a#b",
    "https://example.org/a b",
    "https://example.org/",
)
TIMES = (
    datetime(2025, 12, 31, 23, 59, 59),
    datetime(2026, 1, 1),
    datetime(2026, 1, 1, 0, 0, 1),
    datetime(2026, 1, 1, 0, 59, 59),
    datetime(2026, 1, 1, 1),
    datetime(2025, 12, 31, 22, 59, 59),
    datetime(2025, 12, 31, 23),
    datetime(2026, 1, 2, 9, 9, 9),
)
"""On both sides of an hour, a day, a month and a year; close together, as a range of time may be read hour by hour."""
DATES = (
    "2026-01-31", "2026-02-01", "2025-12-31", "2026-01-01", "2026-10-09", "2026-02-28", "2026-03-01",
)  # fmt: skip
INTEGERS = (10, 9, -1, -9, 100, 2, -2, -8, 0, 1, 99, 500, -10)
"""In pairs that as text would sort the other way round."""
BYTES = (b"m", b"m#", b"m\x00", b"ma", b"\xff\x00", b"\x00", b"M")
FAR = 4_102_444_800
"""The year 2100 in epoch seconds: no engine deletes what expires then."""
DIGITS_WHEN_UNSTATED = 15


def worst(attribute: Attribute) -> tuple[Value, ...]:
    """The values that most likely break something; all of them where there are few."""
    return tuple(islice(distinct(attribute), len(_worst(attribute))))


@lru_cache(maxsize=4096)
def _first(attribute: Attribute, most: int) -> tuple[Value, ...]:
    return tuple(islice(distinct(attribute), most))


def nth(attribute: Attribute, at: int) -> Value:
    """One of an attribute's values, counted from 0; around again where there are fewer."""
    values = _first(attribute, 1 << max(6, at.bit_length()))
    return values[at % len(values)]


def unknown(attribute: Attribute) -> Value:
    """A value that no item has."""
    return nth(attribute, 900)


def nobodys(attribute: Attribute) -> Value:
    """A value that only a reference to nothing has."""
    return nth(attribute, 901)


def distinct(attribute: Attribute) -> Iterator[Value]:
    """An attribute's values, each once, the worst first."""
    seen = set()
    for value in chain(_worst(attribute), _more(attribute)):
        key = canonical(value)
        if key not in seen:
            seen.add(key)
            yield value


def _worst(attribute: Attribute) -> tuple[Value, ...]:
    kind, form = attribute.type, attribute.format
    if attribute.values is not None:
        if kind == "N":
            return tuple(Decimal(value) for value in attribute.values)
        return attribute.values
    if kind == "S":
        if form == "date":
            return DATES
        if form == "datetime":
            return tuple(_iso(attribute, time) for time in TIMES)
        if form in ("uuid", "ulid", "ksuid"):
            return ()
        return {"email": EMAILS, "url": URLS}.get(form or "", TEXTS)
    return {
        "N": _numbers(attribute),
        "B": BYTES,
        "BOOL": (True, False),
        "L": (["m"], [], ["m#", Decimal(1)]),
        "M": ({"m": "a"}, {}, {"m#": Decimal(-1)}),
        "SS": ({"m"}, {"m", "ma"}, {"m#", "mé"}),
        "NS": ({Decimal(1)}, {Decimal(0), Decimal("-1.5")}),
        "BS": ({b"m"}, {b"m", b"\x00"}),
    }.get(kind, ())


def _more(attribute: Attribute) -> Iterator[Value]:
    """Further values; none for what has only so many."""
    if attribute.values is not None:
        return iter(())
    kind, form = attribute.type, attribute.format
    if kind == "S":
        return (_text(attribute, form, at) for at in count())
    if kind == "N":
        return _further_numbers(attribute)
    if kind == "B":
        return (b"m" + str(at).encode() for at in count())
    return iter(())


def _text(attribute: Attribute, form: str | None, at: int) -> str:
    digest = hashlib.sha256(f"{attribute.name} {at}".encode()).digest()
    if form == "uuid":
        return str(uuid.UUID(bytes=digest[:16], version=4))
    if form == "ulid":  # Two share each millisecond.
        return in_base(1_770_000_000_000 + 7 * (at // 2), 10, CROCKFORD) + in_base(
            int.from_bytes(digest[:10], "big"), 16, CROCKFORD
        )
    if form == "ksuid":
        return in_base(
            (200_000_000 + at // 2 << 128) + int.from_bytes(digest[:16], "big"), 27, BASE62
        )
    if form == "date":
        return (date(2023, 1, 1) + timedelta(days=at)).isoformat()
    if form == "datetime":
        return _iso(attribute, datetime(2025, 12, 31, 2) + timedelta(minutes=17 * at))
    if form == "email":
        return f"ann{at}@example.org"
    if form == "url":
        return f"https://example.org/a{at}"
    return f"m{at}"


def _iso(attribute: Attribute, time: datetime) -> str:
    """A time in UTC, as precise as the attribute's examples are."""
    example = next((one for one in attribute.examples if isinstance(one, str)), "")
    _, point, fraction = example.rstrip("Z").partition(".")
    return time.isoformat() + (point + "0" * len(fraction) if point else "") + "Z"


def _numbers(attribute: Attribute) -> tuple[Decimal, ...]:
    form = attribute.format
    if form == "epoch":
        return tuple(Decimal(FAR + at) for at in (0, 1, 59, 60, 86_400, 3_600))
    if form == "version":
        return tuple(map(Decimal, (1, 2, 10, 9)))
    least, greatest, step = bounds(attribute)
    numbers = [Decimal(number) for number in INTEGERS]
    if step != 1:
        numbers[9:9] = [step, -step, 10 - step, Decimal("0.5").quantize(step)]
    numbers[8:8] = [greatest, least]
    return tuple(number for number in numbers if least <= number <= greatest)


def bounds(attribute: Attribute) -> tuple[Decimal, Decimal, Decimal]:
    """The least and the greatest number of the attribute's range and digits, and the smallest step between two."""
    step = Decimal(1).scaleb(-attribute.behind_the_point)
    most = (Decimal(10) ** (attribute.width or DIGITS_WHEN_UNSTATED) - 1) * step
    least, greatest = attribute.minimum, attribute.maximum
    return (
        -most if least is None else Decimal(str(least)),
        most if greatest is None else Decimal(str(greatest)),
        step,
    )


def _further_numbers(attribute: Attribute) -> Iterator[Decimal]:
    if attribute.format == "epoch":
        yield from (Decimal(FAR + 7 * at) for at in count())
    least, greatest, step = bounds(attribute)
    if attribute.minimum is not None:
        yield from _upwards(least, greatest, step)
        return
    signs = (1,) if attribute.format == "version" else (1, -1)
    for at in count(3):
        number = at * 3 * step if greatest > 9000 * step else at * step
        if number > greatest:
            return
        yield from (sign * number for sign in signs)


def _upwards(least: Decimal, greatest: Decimal, step: Decimal) -> Iterator[Decimal]:
    """The numbers of a stated range from its least on; some are left out where there are many."""
    wide = 3 if greatest - least > 9000 * step else 1
    for at in count():
        number = least + at * wide * step
        if number > greatest:
            return
        yield number
