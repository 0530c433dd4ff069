"""What example items hold: a value for each attribute, by its name, type and format."""

import math
import zlib
from collections.abc import Callable
from datetime import datetime, timedelta
from decimal import Decimal

from designer.core.design.attributes import Attribute
from designer.core.design.document import Design
from designer.core.design.entities import Entity
from designer.core.examples.identities import made
from designer.core.examples.items import ROOTS, Draft, links, root_moment
from designer.core.examples.words import by_name, person
from designer.core.plan.keys import Value, plain_text
from designer.core.words.spoken import words


def fill(design: Design, entity: Entity, rows: list[Draft]) -> list[Draft]:
    """Give every item its attributes, in the order of the entity, and drop what repeats an
    identifier.
    """
    inside = {
        mine
        for link in links(design, entity)
        if link.target == entity.name
        for mine, _ in link.pairs
    }
    for attribute in entity.stored:
        if attribute.type == "NULL" or attribute.aggregate:
            continue
        for number, row in enumerate(rows):
            if not _is_present(entity, attribute, number, len(rows)):
                row.item.pop(attribute.name, None)
            elif attribute.name not in row.item and not (
                attribute.name in inside and attribute.name not in entity.identifier
            ):
                row.item[attribute.name] = value_of(entity, attribute, row, number, len(rows))
    kept: list[Draft] = []
    seen: set[tuple[str, ...]] = set()
    for row in rows:
        identity = tuple(plain_text(row.item.get(name)) for name in entity.identifier)
        if identity not in seen:
            seen.add(identity)
            in_order = [a.name for a in entity.stored if a.name in row.item]
            row.item = {name: row.item[name] for name in in_order}
            kept.append(row)
    return kept


def _is_present(entity: Entity, attribute: Attribute, number: int, of: int) -> bool:
    """Whether the item of that number has the attribute: about its share of the items, at least one
    of them.
    """
    if attribute.present >= 1 or attribute.name in entity.identifier:
        return True
    if attribute.examples:
        return number < len(attribute.examples)
    if attribute.present <= 0:
        return False
    having = min(max(1, round(attribute.present * of)), max(1, of - 1))
    return number * having % of < having


def value_of(entity: Entity, attribute: Attribute, row: Draft, number: int, of: int) -> Value:
    """The value of an attribute of an example item."""
    if number < len(attribute.examples):
        return typed(attribute, attribute.examples[number])
    if attribute.listed:
        return typed(attribute, _by_shares(attribute, number))
    kinds = min(attribute.distinct or of, of) if not _must_differ(entity, attribute) else of
    turn = number % max(1, kinds)
    value = _FORMATS.get(attribute.format or "", _plain)(entity, attribute, row, turn)
    is_unique = attribute.unique or attribute.unique_within
    if is_unique and attribute.type == "S" and attribute.format in (None, "text"):
        value = f"{value}{number + 1}" if turn != number else value
    return value


def _must_differ(entity: Entity, attribute: Attribute) -> bool:
    return attribute.unique or bool(attribute.unique_within) or attribute.name in entity.identifier


def typed(attribute: Attribute, value: bool | float | str) -> Value:
    """The team's own example as a value of the attribute's type."""
    if attribute.type == "N" and not isinstance(value, bool):
        number = Decimal(str(value))
        return number if number.is_finite() else Decimal(0)  # as old designs may have it
    if attribute.type == "B":
        return str(value).encode()
    if attribute.type in ("SS", "L"):
        words = [word.strip() for word in str(value).split(",")]
        return set(words) if attribute.type == "SS" else words
    if attribute.type == "S":
        return str(value)
    return value == "true" if isinstance(value, str) and attribute.type == "BOOL" else value


def _by_shares(attribute: Attribute, number: int) -> str:
    """The value of the item of that number: frequent values often, but rare ones too.

    Shares are flattened, because in a handful of rows a value of 2 % would never be seen.
    """
    values = attribute.listed
    shares = attribute.shares or (1 / len(values),) * len(values)
    weights = [share**0.4 for share in shares]
    whole = sum(weights) or 1
    used = [0] * len(values)
    chosen = 0
    for turn in range(1, number + 2):
        chosen = max(
            range(len(values)), key=lambda i: (round(weights[i] / whole * turn - used[i], 9), -i)
        )
        used[chosen] += 1
    return values[chosen]


ARRIVES = frozenset({"in", "arrival", "arrives", "checkin"})
DEPARTS = frozenset({"out", "departure", "departs", "checkout"})
"""Words of times that a stay begins and ends with, some days after it was booked."""


def is_moment(attribute: Attribute) -> bool:
    """Whether it holds a moment: by its format, and a text without one by its name."""
    if attribute.format in ("date", "datetime", "epoch"):
        return True
    name = attribute.name.lower()
    is_plain = attribute.type == "S" and attribute.format not in _FORMATS
    return (
        is_plain
        and name.endswith(("at", "date", "time"))
        and not name.endswith(("cat", "flat", "format", "seat"))
    )


def moment_of(attribute: Attribute, row: Draft) -> datetime:
    """When it happened: later the later the attribute's name speaks of."""
    name = attribute.name.lower()
    said = words(attribute.name)
    days = 0
    if ARRIVES.intersection(said):
        days = 10
    elif DEPARTS.intersection(said):
        days = 12 + row.place % 3
    elif (
        attribute.ttl
        or any(word in name for word in ("expire", "until", "due", "end", "renew"))
        or {"to", "till"}.intersection(said)
    ):
        days = 30
    elif any(word in name for word in ("deliver", "clos", "complet", "finish")):
        days = 4
    elif any(word in name for word in ("updat", "chang", "ship", "last", "modif", "paid", "seen")):
        days = 1
    elif any(word in name for word in ("birth", "joined", "hired", "since")):
        days = -400
    return row.moment + timedelta(days=days)


def _identity(entity: Entity, attribute: Attribute, row: Draft, number: int) -> str:
    """Short and readable where no format is stated: u1, oi2."""
    del row
    word = _identified(entity, attribute)
    initials = word[0] + "".join(c for c in word[1:] if c.isupper())
    return f"{initials.lower()}{number + 1}"


def _made(entity: Entity, attribute: Attribute, row: Draft, number: int) -> str:
    """As its format says. What is made in time order says when its item came to be, and sorts so.

    What identifies something else names one of the first items of that, also where no relationship says which.
    """
    moment = row.moment
    if not _must_differ(entity, attribute):
        number %= ROOTS
        moment = root_moment(number)
    about = _identified(entity, attribute)
    return made(attribute.format or "uuid", about.lower(), number + 1, moment)


def _identified(entity: Entity, attribute: Attribute) -> str:
    """What an identifier is of: `customer` of a customerId, else the entity."""
    name = attribute.name.removesuffix("Id").removesuffix("ID").removesuffix("_id")
    return name if name and name != attribute.name else entity.name


def _decimal(entity: Entity, attribute: Attribute, row: Draft, number: int) -> Decimal:
    cents = 490 + _mixed(entity, attribute, number) % 290 * 25 + row.place * 100
    scale = attribute.scale if attribute.scale is not None else 0 if attribute.digits else 2
    if attribute.span is not None:
        scale = attribute.behind_the_point
    return _fitting(attribute, Decimal(cents).scaleb(-2), scale)


def _integer(entity: Entity, attribute: Attribute, row: Draft, number: int) -> Decimal:
    if attribute.name in entity.identifier:
        return Decimal(row.place + math.ceil(1 if attribute.minimum is None else attribute.minimum))
    name = attribute.name.lower()
    mixed = _mixed(entity, attribute, number)
    if any(word in name for word in ("quantity", "rating", "stars", "score", "level", "priority")):
        value = 1 + mixed % 5
    elif {"beds", "bedrooms", "adults", "nights"}.intersection(words(attribute.name)):
        value = 1 + mixed % 4
    elif any(word in name for word in ("year",)):
        value = row.moment.year
    elif any(word in name for word in ("inventory", "stock", "views", "likes", "points")):
        value = 12 + mixed % 180
    elif any(word in name for word in ("line", "position", "sequence", "number", "index")):
        value = row.place + 1
    elif any(word in name for word in ("temperature", "humidity", "percent", "age")):
        value = 18 + mixed % 45
    else:
        value = 1 + mixed % 40
    return _fitting(attribute, Decimal(value), 0)


def _fitting(attribute: Attribute, value: Decimal, scale: int) -> Decimal:
    """The number within the digits and the range that the attribute states."""
    step = Decimal(1).scaleb(-scale)
    value = value.quantize(step) if scale else Decimal(int(value))
    digits = (attribute.digits or 38) - (attribute.scale or 0)
    value = value % Decimal(10) ** digits if abs(value) >= Decimal(10) ** digits else value
    bounds = (attribute.minimum, attribute.maximum)
    least, most = (None if bound is None else Decimal(str(bound)) for bound in bounds)
    if least is not None and most is not None and not least <= value <= most:
        return least + (value - least) % (most - least + step)
    if least is not None and value < least:
        return least + abs(value)
    return most - abs(value) if most is not None and value > most else value


def _plain(entity: Entity, attribute: Attribute, row: Draft, number: int) -> Value:
    """A value by type, and for texts by the attribute's name."""
    mixed = _mixed(entity, attribute, number)
    match attribute.type:
        case "N":
            money = attribute.scale or any(
                word in attribute.name.lower() for word in ("price", "total", "amount", "cost")
            )
            return (_decimal if money else _integer)(entity, attribute, row, number)
        case "BOOL":
            return mixed % 2 == 0
        case "B":
            return mixed.to_bytes(4, "big")
        case "SS":
            return {"red", "blue"} if mixed % 2 else {"green"}
        case "NS":
            return {Decimal(1), Decimal(2 + mixed % 7)}
        case "BS":
            return {mixed.to_bytes(4, "big")}
        case "L":
            return ["first", "second"][: 1 + mixed % 2]
        case "M":
            return {"size": "M", "colour": ("blue", "green", "red")[mixed % 3]}
    if is_moment(attribute):
        return moment_of(attribute, row).strftime("%Y-%m-%dT%H:%M:%SZ")
    if attribute.name in entity.identifier and attribute.name.lower().endswith("id"):
        return _identity(entity, attribute, row, number)
    text = by_name(entity.name, attribute.name, number)
    if text is None and _must_differ(entity, attribute):
        return _identity(entity, attribute, row, number)
    return text if text is not None else f"{_spaced(attribute.name)} {number + 1}"


def _spaced(name: str) -> str:
    words = "".join(f" {c.lower()}" if c.isupper() else c for c in name).replace("_", " ")
    return words.strip()


def _mixed(entity: Entity, attribute: Attribute, number: int) -> int:
    """A number that looks like chance and is the same every time."""
    return zlib.crc32(f"{entity.name}.{attribute.name}.{number}".encode())


_FORMATS: dict[str, Callable[[Entity, Attribute, Draft, int], Value]] = {
    "uuid": _made,
    "ulid": _made,
    "ksuid": _made,
    "email": lambda entity, attribute, row, number: (
        f"{person(number).split()[0].lower()}@example.com"
    ),
    "url": lambda entity, attribute, row, number: (
        f"https://example.com/{entity.name.lower()}/{number + 1}"
    ),
    "date": lambda entity, attribute, row, number: f"{moment_of(attribute, row):%Y-%m-%d}",
    "datetime": lambda entity, attribute, row, number: (
        f"{moment_of(attribute, row):%Y-%m-%dT%H:%M:%SZ}"
    ),
    "epoch": lambda entity, attribute, row, number: Decimal(
        int(moment_of(attribute, row).timestamp())
    ),
    "integer": _integer,
    "decimal": _decimal,
    "version": lambda entity, attribute, row, number: Decimal(1 + row.place),
    "json": lambda entity, attribute, row, number: f'{{"v":{number + 1}}}',
}
