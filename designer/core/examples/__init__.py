"""Example items that hang together: the same user in every place, orders that belong to users,
dates in order.

They are worked out from the design alone, without chance, so the same design always shows the same
rows. The team's own example values come first. Nothing here is proof: that makes rows of its own.
"""

import math
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from decimal import Decimal

from designer.core.design.document import Attribute, Design, Entity, Relationship
from designer.core.examples.asked import constants_of, meet
from designer.core.examples.identities import made
from designer.core.examples.words import by_name, person
from designer.core.keys import FORMS, Form, Value, plain_text
from designer.core.spoken import words

Item = dict[str, Value]
"""An item's stored attributes by name; what is missing is not in it. Numbers are Decimal."""

Examples = dict[str, tuple[Item, ...]]

MOST_ITEMS = 300
"""Example items of a whole design, so that a page stays light."""

_MOST_OWN = 12
_ROOTS = 3
_CHILDREN = (3, 1, 0, 2)
"""Children of the first, second, third ... parent: one has many, one has one, one has none."""
_FIRST_DAY = datetime(2026, 3, 2, 9, 30, tzinfo=UTC)
"""A Monday, like any other."""


@dataclass
class _Draft:
    """An item being made: its place among its siblings and the moment it is about."""

    item: Item
    place: int
    moment: datetime


def examples(design: Design) -> Examples:
    """Example items of each entity, by entity name, in the order in which they came to be.

    Three items of an entity that belongs to nobody; of others a few for each parent, unevenly.
    """
    drafts: dict[str, list[_Draft]] = {}
    most = max(1, min(6, MOST_ITEMS // max(1, len(design.entities))))
    for entity in _parents_first(design):
        drafts[entity.name] = _fill(design, entity, _rows(design, entity, drafts, most))
        _meet_constants(design, entity, drafts[entity.name])
    for entity in design.entities:
        _aggregate(design, entity, drafts)
    return {
        entity.name: tuple(draft.item for draft in drafts[entity.name])
        for entity in design.entities
    }


def _meet_constants(design: Design, entity: Entity, rows: list[_Draft]) -> None:
    """What patterns always ask for occurs, so that none of them finds nothing for want of an example."""
    items = [row.item for row in rows]
    claimed: list[set[str]] = [set() for _ in items]
    for constants in constants_of(design, entity):
        meet(constants, items, claimed, lambda attribute, number: number < len(attribute.examples))


def derived(entity: Entity, item: Item) -> Item:
    """The item with its derived attributes worked out: what keys and conditions may name."""
    whole = dict(item)
    for attribute in entity.attributes:
        if attribute.source is not None:
            form, source = attribute.source
            value = item.get(source)
            if value is not None:
                whole[attribute.name] = FORMS[form](Form(form, source), value)
    return whole


@dataclass(frozen=True)
class Link:
    """How an entity refers to another: pairs (its attribute, the other's attribute)."""

    target: str
    pairs: tuple[tuple[str, str], ...]
    relationship: Relationship | None = None


def links(design: Design, entity: Entity) -> tuple[Link, ...]:
    """What an entity refers to, the one its items belong to first."""
    found: list[Link] = []
    covered: set[str] = set()
    for relationship in design.relationships:
        if relationship.child != entity.name:
            continue
        for target in dict.fromkeys(relationship.parents):
            if target not in design.entity:
                continue
            pairs = design.references(relationship, target)
            if pairs:
                found.append(Link(target, pairs, relationship))
                covered.update(mine for mine, _ in pairs)
    for attribute in entity.attributes:
        target, _, theirs = (attribute.refers_to or "").partition(".")
        known = design.entity.get(target)
        if attribute.name not in covered and known is not None and theirs in known.by_name:
            found.append(Link(target, ((attribute.name, theirs),)))

    def belonging(link: Link) -> tuple[bool, bool]:
        identifying = link.relationship is not None and link.relationship.identifying
        in_identifier = all(mine in entity.identifier for mine, _ in link.pairs)
        return not identifying, not in_identifier

    return tuple(sorted(found, key=belonging))


def _parents_first(design: Design) -> Iterator[Entity]:
    """The entities, each after what it refers to; a circle is entered where the design names it
    first.
    """
    done: set[str] = set()

    def visit(entity: Entity, above: frozenset[str]) -> Iterator[Entity]:
        if entity.name in done or entity.name in above:
            return
        for link in links(design, entity):
            yield from visit(design.entity[link.target], above | {entity.name})
        done.add(entity.name)
        yield entity

    for entity in design.entities:
        yield from visit(entity, frozenset())


# Which items there are ---------------------------------------------------------------------------


def _rows(
    design: Design, entity: Entity, drafts: dict[str, list[_Draft]], most: int
) -> list[_Draft]:
    """The items of an entity with the team's own values and their references filled in, and nothing
    else yet.
    """
    all_links = links(design, entity)
    ready = [link for link in all_links if drafts.get(link.target)]
    own = _own_rows(entity)
    if own:
        rows = own
        for number, row in enumerate(rows):
            _adopt(ready, drafts, row, number)
    elif ready:
        rows = list(_children(entity, ready, drafts))[: _fewer(entity, most)]
    else:
        rows = [
            _Draft({}, place, _root_moment(place))
            for place in range(_fewer(entity, min(most, _ROOTS)))
        ]
    for link in all_links:
        if link.target == entity.name:
            _refer_to_itself(entity, link, rows)
    return rows


def _root_moment(place: int) -> datetime:
    """When an item that belongs to nobody came to be, by its place among its kind from 0."""
    return _FIRST_DAY + timedelta(days=3 * place, hours=place)


def _fewer(entity: Entity, most: int) -> int:
    return min(most, entity.items) if entity.items else most


def _own_rows(entity: Entity) -> list[_Draft]:
    """Where each part of the identifier has examples, those are the items: the first value of each
    attribute makes the first item, and so on.
    """
    identifying = [entity.by_name[name] for name in entity.identifier if name in entity.by_name]
    number = min((len(attribute.examples) for attribute in identifying), default=0)
    rows = []
    for place in range(min(number, _MOST_OWN)):
        item = {
            attribute.name: _typed(attribute, attribute.examples[place])
            for attribute in entity.stored
            if place < len(attribute.examples)
        }
        rows.append(_Draft(item, place, _root_moment(place)))
    return rows


def _adopt(ready: list[Link], drafts: dict[str, list[_Draft]], row: _Draft, number: int) -> None:
    """Find the parents of a row of the team's own, and give it parents where it names none."""
    for link in ready:
        candidates = drafts[link.target]
        named = [
            draft
            for draft in candidates
            if all(row.item.get(mine) == draft.item.get(theirs) for mine, theirs in link.pairs)
        ]
        parent = (named or candidates)[0 if named else number % len(candidates)]
        for mine, theirs in link.pairs:
            if theirs in parent.item:
                row.item.setdefault(mine, parent.item[theirs])
        row.moment = max(row.moment, parent.moment + timedelta(days=1, hours=2))


def _children(
    entity: Entity, ready: list[Link], drafts: dict[str, list[_Draft]]
) -> Iterator[_Draft]:
    first, *others = ready
    one_each = first.relationship is not None and first.relationship.cardinality == "1:1"
    at = 0
    for number, parent in enumerate(drafts[first.target]):
        children = (
            int(number < max(1, len(drafts[first.target]) - 1))
            if one_each
            else _CHILDREN[number % len(_CHILDREN)]
        )
        for place in range(children):
            item = {
                mine: parent.item[theirs] for mine, theirs in first.pairs if theirs in parent.item
            }
            moment = parent.moment + timedelta(days=1 + 2 * place, hours=2 + 3 * place)
            for link in others:
                chosen = _other_parent(entity, link, drafts, parent, place, at)
                moment = max(moment, chosen.moment + timedelta(hours=5))
                for mine, theirs in link.pairs:
                    if mine in item:
                        continue
                    known = _through_parent(entity, first, parent.item, mine)
                    value = chosen.item.get(theirs) if known is None else known
                    if value is not None:
                        item[mine] = value
            yield _Draft(item, place, moment)
            at += 1


def _other_parent(
    entity: Entity,
    link: Link,
    drafts: dict[str, list[_Draft]],
    parent: _Draft,
    place: int,
    at: int,
) -> _Draft:
    """The item that a further reference points to: a different one for each sibling, the first one
    most often.
    """
    candidates = drafts[link.target]
    different = [draft for draft in candidates if draft is not parent] or candidates
    in_identifier = all(mine in entity.identifier for mine, _ in link.pairs)
    turn = place if in_identifier else (0, 1, 0, 0, 1, 0)[at % 6]
    return different[turn % len(different)]


def _through_parent(entity: Entity, first: Link, parent: Item, name: str) -> Value:
    """What the parent already says about the same thing: an order item's user is its order's user."""
    refers_to = entity.by_name[name].refers_to if name in entity.by_name else None
    if refers_to is None or name not in parent or name in {mine for mine, _ in first.pairs}:
        return None
    return parent[name]


def _refer_to_itself(entity: Entity, link: Link, rows: list[_Draft]) -> None:
    """References inside one entity point to an earlier item; the first item has none to point to.

    The identifier must be known for that, so it is filled here.
    """
    for number, row in enumerate(rows):
        for name in entity.identifier:
            if name not in row.item and name in entity.by_name:
                row.item[name] = _value(entity, entity.by_name[name], row, number, len(rows))
    for number, row in enumerate(rows):
        if number == 0:
            continue
        earlier = rows[(number - 1) // 2]
        for mine, theirs in link.pairs:
            if theirs in earlier.item and mine not in row.item:
                row.item[mine] = earlier.item[theirs]


# What they hold ----------------------------------------------------------------------------------


def _fill(design: Design, entity: Entity, rows: list[_Draft]) -> list[_Draft]:
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
                row.item[attribute.name] = _value(entity, attribute, row, number, len(rows))
    kept: list[_Draft] = []
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


def _value(entity: Entity, attribute: Attribute, row: _Draft, number: int, of: int) -> Value:
    if number < len(attribute.examples):
        return _typed(attribute, attribute.examples[number])
    if attribute.values:
        return _typed(attribute, _by_shares(attribute, number))
    kinds = min(attribute.distinct or of, of) if not _must_differ(entity, attribute) else of
    turn = number % max(1, kinds)
    value = _FORMATS.get(attribute.format or "", _plain)(entity, attribute, row, turn)
    is_unique = attribute.unique or attribute.unique_within
    if is_unique and attribute.type == "S" and attribute.format in (None, "text"):
        value = f"{value}{number + 1}" if turn != number else value
    return value


def _must_differ(entity: Entity, attribute: Attribute) -> bool:
    return attribute.unique or bool(attribute.unique_within) or attribute.name in entity.identifier


def _typed(attribute: Attribute, value: bool | float | str) -> Value:
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
    return value


def _by_shares(attribute: Attribute, number: int) -> str:
    """The value of the item of that number: frequent values often, but rare ones too.

    Shares are flattened, because in a handful of rows a value of 2 % would never be seen.
    """
    values = attribute.values or ()
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


def _moment(attribute: Attribute, row: _Draft) -> datetime:
    """When it happened: later the later the attribute's name speaks of."""
    name = attribute.name.lower()
    said = words(attribute.name)
    days = 0
    if ARRIVES.intersection(said):
        days = 10
    elif DEPARTS.intersection(said):
        days = 12 + row.place % 3
    elif attribute.ttl or any(word in name for word in ("expire", "until", "due", "end", "renew")):
        days = 30
    elif any(word in name for word in ("deliver", "clos", "complet", "finish")):
        days = 4
    elif any(word in name for word in ("updat", "chang", "ship", "last", "modif", "paid", "seen")):
        days = 1
    elif any(word in name for word in ("birth", "joined", "hired", "since")):
        days = -400
    return row.moment + timedelta(days=days)


def _identity(entity: Entity, attribute: Attribute, row: _Draft, number: int) -> str:
    """Short and readable where no format is stated: u1, oi2."""
    del row
    word = _identified(entity, attribute)
    initials = word[0] + "".join(c for c in word[1:] if c.isupper())
    return f"{initials.lower()}{number + 1}"


def _made(entity: Entity, attribute: Attribute, row: _Draft, number: int) -> str:
    """As its format says. What is made in time order says when its item came to be, and sorts so.

    What identifies something else names one of the first items of that, also where no relationship says which.
    """
    moment = row.moment
    if not _must_differ(entity, attribute):
        number %= _ROOTS
        moment = _root_moment(number)
    about = _identified(entity, attribute)
    return made(attribute.format or "uuid", about.lower(), number + 1, moment)


def _identified(entity: Entity, attribute: Attribute) -> str:
    """What an identifier is of: `customer` of a customerId, else the entity."""
    name = attribute.name.removesuffix("Id").removesuffix("ID").removesuffix("_id")
    return name if name and name != attribute.name else entity.name


def _decimal(entity: Entity, attribute: Attribute, row: _Draft, number: int) -> Decimal:
    cents = 490 + _mixed(entity, attribute, number) % 290 * 25 + row.place * 100
    scale = attribute.scale if attribute.scale is not None else 0 if attribute.digits else 2
    if attribute.span is not None:
        scale = attribute.behind_the_point
    return _fitting(attribute, Decimal(cents).scaleb(-2), scale)


def _integer(entity: Entity, attribute: Attribute, row: _Draft, number: int) -> Decimal:
    if attribute.name in entity.identifier:
        return Decimal(row.place + math.ceil(1 if attribute.minimum is None else attribute.minimum))
    name = attribute.name.lower()
    mixed = _mixed(entity, attribute, number)
    if any(word in name for word in ("quantity", "rating", "stars", "score", "level", "priority")):
        value = 1 + mixed % 5
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


def _plain(entity: Entity, attribute: Attribute, row: _Draft, number: int) -> Value:
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
    name = attribute.name.lower()
    if name.endswith(("at", "date", "time")) and not name.endswith(
        ("cat", "flat", "format", "seat")
    ):
        return _moment(attribute, row).strftime("%Y-%m-%dT%H:%M:%SZ")
    if attribute.name in entity.identifier and name.endswith("id"):
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


_FORMATS: dict[str, Callable[[Entity, Attribute, _Draft, int], Value]] = {
    "uuid": _made,
    "ulid": _made,
    "ksuid": _made,
    "email": lambda entity, attribute, row, number: (
        f"{person(number).split()[0].lower()}@example.com"
    ),
    "url": lambda entity, attribute, row, number: (
        f"https://example.com/{entity.name.lower()}/{number + 1}"
    ),
    "date": lambda entity, attribute, row, number: f"{_moment(attribute, row):%Y-%m-%d}",
    "datetime": lambda entity, attribute, row, number: (
        f"{_moment(attribute, row):%Y-%m-%dT%H:%M:%SZ}"
    ),
    "epoch": lambda entity, attribute, row, number: Decimal(
        int(_moment(attribute, row).timestamp())
    ),
    "integer": _integer,
    "decimal": _decimal,
    "version": lambda entity, attribute, row, number: Decimal(1 + row.place),
    "json": lambda entity, attribute, row, number: f'{{"v":{number + 1}}}',
}


# Figures over children ---------------------------------------------------------------------------


def _aggregate(design: Design, entity: Entity, drafts: dict[str, list[_Draft]]) -> None:
    """Counts, sums, greatest and least over a relationship's children, from the children there are."""
    for attribute in entity.attributes:
        if attribute.aggregate is None:
            continue
        form, _, path = attribute.aggregate.partition(" of ")
        name, _, of = path.partition(".")
        relationship = design.relationship.get(name)
        if relationship is None or relationship.child not in drafts:
            continue
        pairs = design.references(relationship, entity.name)
        for draft in drafts[entity.name]:
            values = [
                child.item.get(of) if of else 1
                for child in drafts[relationship.child]
                if pairs and all(child.item.get(m) == draft.item.get(t) for m, t in pairs)
            ]
            known = [value for value in values if value is not None]
            figure: Value = None
            if form == "count":
                figure = Decimal(len(known))
            elif form == "sum":
                figure = sum((Decimal(str(value)) for value in known), Decimal(0))
            elif known:
                figure = max(known) if form == "greatest" else min(known)
            if figure is not None:
                draft.item[attribute.name] = figure
