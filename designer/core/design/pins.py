"""Pins: decisions taken by hand. What a pinned key template says, and which pins can't be kept."""

import json
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from itertools import pairwise

from designer.core.design.attributes import KEY_TYPES, Attribute
from designer.core.design.changes import counted_attributes, mutable_attributes
from designer.core.design.check_patterns.flaws import unknown
from designer.core.design.document import Design
from designer.core.design.entities import Entity
from designer.core.design.settings import Pin
from designer.core.design.text import Flaw, Path
from designer.core.errors import MisfitError
from designer.core.messages import Message, say
from designer.core.patterns.base import Read
from designer.core.words.lacking import absence, absence_text, lacking

TABLE_OR_INDEX = re.compile(r"[a-zA-Z0-9_.-]{3,255}")
KEY_ATTRIBUTE = re.compile(r"[A-Za-z_][A-Za-z0-9_-]{0,126}")
DELIMITER = "#"
DERIVING = frozenset({"year", "month", "date", "hour"})
MOST_SHARDS = 1000
"""A read asks each of them."""


@dataclass(frozen=True)
class KeyText:
    """One attribute of a key as it was pinned: pieces of text and attributes, in order."""

    pieces: tuple[tuple[str, str], ...]
    """("text", ...), ("attribute", ...) or ("inverse", ...), as the planner's own keys have them."""
    only: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """Attributes that must have one of these values, or the key is missing: a sparse index."""
    when: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """Attributes of the index's other key that this one waits for: that they are there, or have one of these values."""

    @property
    def attributes(self) -> tuple[str, ...]:
        """The attributes in it; a shard as the planner calls it: `shard(4, orderId)`."""
        return tuple(value for kind, value in self.pieces if kind != "text")

    @property
    def inverse(self) -> tuple[str, ...]:
        """Those that are written the other way round."""
        return tuple(value for kind, value in self.pieces if kind == "inverse")

    @property
    def token(self) -> str:
        """The text that it begins with, before any value."""
        kind, value = self.pieces[0]
        return value if kind == "text" else ""

    @property
    def lone(self) -> str | None:
        """The attribute that the key is, if it is nothing else."""
        kinds = [kind for kind, _ in self.pieces]
        is_plain = kinds == ["attribute"] and not self.only and not self.when
        return self.pieces[0][1] if is_plain else None


_PART = re.compile(
    r"(?P<text>(?:[^{}]|\{\{|\}\})+)"
    r"|\{(?P<name>[A-Za-z_][A-Za-z0-9_-]*)\}"
    r"|\{(?P<form>[a-z]+)\((?P<arguments>(?:[^\"(){}]|\"(?:[^\"\\]|\\.)*\")*)\)\}"
)
_ARGUMENT = re.compile(r"\d+|\"(?:[^\"\\]|\\.)*\"|[A-Za-z_][A-Za-z0-9_-]*")


def key_text(entity: Entity, template: str) -> KeyText:
    """What a pinned template says, over an entity's attributes; MisfitError where it can't be kept.

    >>> order = Entity(name="Order", identifier=("id",), attributes=(Attribute(name="id"),))
    >>> key_text(order, "ORDER#{id}").pieces
    (('text', 'ORDER#'), ('attribute', 'id'))
    """
    pieces: list[tuple[str, str]] = []
    limits: dict[str, list[tuple[str, tuple[str, ...]]]] = {"only": [], "when": []}
    at = 0
    while at < len(template):
        part = _PART.match(template, at)
        if part is None:
            raise MisfitError(say("template-unreadable", at=at + 1))
        at = part.end()
        if part["text"]:
            pieces.append(("text", part["text"].replace("{{", "{").replace("}}", "}")))
        elif part["name"]:
            pieces.append(("attribute", _attribute(entity, part["name"]).name))
        else:
            form, arguments = part["form"], _ARGUMENT.findall(part["arguments"])
            name, values = _formed(entity, form, arguments)
            is_condition = form == "when" or (form == "absent" and not values)
            if is_condition or form == "only":
                limits["when" if is_condition else "only"].append((name, values))
            if not is_condition:
                pieces.append(("inverse" if form == "inverse" else "attribute", name))
    key = KeyText(tuple(pieces), tuple(limits["only"]), tuple(limits["when"]))
    if len(set(key.attributes)) < len(key.attributes):
        raise MisfitError(say("attribute-twice-in-key"))
    if not pieces:
        raise MisfitError(say("key-says-nothing"))
    _delimited(key)
    return key


def _attribute(entity: Entity, name: str) -> Attribute:
    attribute = entity.by_name.get(name)
    if attribute is None:
        raise MisfitError(unknown("attribute", name, entity.by_name, entity.name))
    if attribute.type not in (*KEY_TYPES, "BOOL"):
        raise MisfitError(say("type-not-in-key", attribute=name, type=attribute.type))
    return attribute


def _formed(entity: Entity, form: str, arguments: list[str]) -> tuple[str, tuple[str, ...]]:
    """(the attribute of a form, the values that `only` leaves)."""
    names = [argument for argument in arguments if argument[0] != '"' and not argument.isdigit()]
    if len(names) != 1:
        raise MisfitError(say("form-names-one-attribute", form=form))
    (name,) = names
    values = tuple(json.loads(argument) for argument in arguments if argument[0] == '"')
    if form in DERIVING:
        derived = f"{form}({name})"
        found = next((a.name for a in entity.attributes if a.derived == derived), None)
        if found is None:
            raise MisfitError(say("state-derived-attribute", derived=derived, entity=entity.name))
        return found, ()
    if form == "shard":
        return _shard(entity, arguments), ()
    if form == "absent":
        return _absence(entity, name, values), values
    attribute = _attribute(entity, name)
    digits, scale = attribute.padding
    if form == "pad" and (attribute.type != "N" or arguments != [f"{digits}", f"{scale}", name]):
        raise MisfitError(say("padded-as-stated", attribute=name, digits=digits, scale=scale))
    if form == "inverse":
        inverted = attribute.inverted(name)
        if inverted is None:
            raise MisfitError(say("cannot-be-inverted", attribute=name))
        if _written(form, arguments) != inverted:
            raise MisfitError(say("inverted-is-written", attribute=name, template=inverted))
    elif form not in ("pad", "only", "text", "when", "absent"):
        raise MisfitError(say("no-form-of-keys", form=form, attribute=name))
    elif form == "only" and not values:
        raise MisfitError(say("only-lists-values", attribute=name))
    return name, values


def _absence(entity: Entity, name: str, texts: tuple[str, ...]) -> str:
    """The planner's name for the absence of an attribute; MisfitError if the text for it is another."""
    if name not in entity.by_name:
        raise MisfitError(unknown("attribute", name, entity.by_name, entity.name))
    words = absence_text(name)
    if texts not in ((), (words,)):
        raise MisfitError(say("absent-is-written", attribute=name, words=words))
    return absence(name)


def _written(form: str, arguments: list[str]) -> str:
    return f"{{{form}({', '.join(arguments)})}}"


def _shard(entity: Entity, arguments: list[str]) -> str:
    """The name of the shard that a form says."""
    if not (
        len(arguments) == 2 and arguments[0].isdigit() and 2 <= int(arguments[0]) <= MOST_SHARDS
    ):
        raise MisfitError(
            say("shard-out-of-range", most=MOST_SHARDS, attribute=entity.identifier[-1])
        )
    if arguments[1] not in entity.identifier:
        templates = tuple(f"{{shard({arguments[0]}, {name})}}" for name in entity.identifier)
        raise MisfitError(say("shard-by-identifier", templates=templates))
    return f"shard({int(arguments[0])}, {arguments[1]})"


def _delimited(text: KeyText) -> None:
    """Rule 4: a key matches as its components do only when the delimiter parts them."""
    for (kind, value), (following, words) in pairwise(text.pieces):
        if "text" not in (kind, following):
            raise MisfitError(say("delimiter-between", value=value, following=words))
        if kind != "text" and not words.startswith(DELIMITER):
            raise MisfitError(say("delimiter-after", value=value))
    for (_, _), (kind, value), (following, words) in zip(
        text.pieces, text.pieces[1:], text.pieces[2:], strict=False
    ):
        if kind == "text" and following != "text" and not value.endswith(DELIMITER):
            raise MisfitError(say("delimiter-before", following=words))


# What keeps pins from being kept


def pin_flaws(design: Design) -> Iterator[Flaw]:
    """What is wrong with each pin, and where two contradict each other."""
    mutable = mutable_attributes(design)
    for at, pin in enumerate(design.planner.pins):
        here: Path = ("planner", "pins", at)
        for path, message in _flaws_of(design, pin, mutable):
            yield (*here, *path), message
        for other in design.planner.pins[:at]:
            for path, message in (*_contradictions(other, pin), *_halves(design, other, pin)):
                yield (*here, *path), message


def _flaws_of(design: Design, pin: Pin, mutable: dict[str, frozenset[str]]) -> Iterator[Flaw]:
    numbers = {pattern.number for pattern in design.patterns}
    if pin.entity is not None and pin.entity not in design.entity:
        yield ("entity",), unknown("entity", pin.entity, design.entity)
    if pin.pattern is not None and pin.pattern not in numbers:
        yield ("pattern",), say("no-such-pattern", pattern=pin.pattern)
    elif pin.pattern is not None and not isinstance(design.pattern(pin.pattern), Read):
        yield ("pattern",), say("pattern-reads-nothing", pattern=pin.pattern)
    for i, name in enumerate(pin.table or ()):
        if name not in design.entity:
            yield ("table", i), unknown("entity", name, design.entity)
    if (pin.key and pin.entity is None) or (pin.names and not (pin.entity or pin.pattern)):
        yield (), say("key-without-entity")
    if pin.index is not None and pin.pattern is None and pin.entity is None:
        yield (), say("index-without-pattern")
    if pin.projection is not None and pin.index is None and pin.pattern is None:
        yield ("projection",), say("projection-without-index")
    if pin.name is not None and not (pin.index or pin.pattern or pin.entity or pin.table):
        yield ("name",), say("name-of-nothing")
    if not any((pin.key, pin.names, pin.index, pin.projection, pin.name, pin.table)):
        yield (), say("empty-pin")
    for field in ("index", "name"):
        name = getattr(pin, field)
        if name is not None and not TABLE_OR_INDEX.fullmatch(name):
            yield (field,), say("name-not-allowed", name=name)
    for part in ("partition", "sort"):
        called = getattr(pin.names, part, None)
        if called is not None and not KEY_ATTRIBUTE.fullmatch(called):
            yield ("names", part), say("key-name-not-allowed", name=called)
    entity = design.entity.get(pin.entity or "")
    if entity is not None:
        yield from _key_flaws(design, entity, pin, mutable[entity.name])


def _key_flaws(design: Design, entity: Entity, pin: Pin, mutable: frozenset[str]) -> Iterator[Flaw]:
    texts: dict[str, KeyText] = {}
    for part in ("partition", "sort"):
        template = getattr(pin.key, part, None)
        if template is not None:
            try:
                texts[part] = key_text(entity, template)
            except MisfitError as error:
                yield ("key", part), error.reason
                continue
            yield from (
                (("key", part), said)
                for said in (
                    *_unfit(design, entity, pin, texts[part], mutable),
                    *(_unfit_to_range(design, entity, pin, texts[part]) if part == "sort" else ()),
                )
            )
        name = getattr(pin.names, part, None)
        if name in entity.by_name and part in texts and texts[part].lone != name:
            yield ("names", part), say("key-named-like-attribute", name=name, entity=entity.name)
    held = {name for text in texts.values() for name in text.attributes}
    for part, key in texts.items():
        yield from ((("key", part), said) for said in _unfit_part(entity, part, key, held))
    if len(texts) == 2 and set(texts["partition"].attributes) == set(texts["sort"].attributes):
        yield from _unfit_twice(pin, texts["partition"], texts["sort"])
    if pin.index is not None or len(texts) < 2:
        return
    yield from _not_apart(entity, held, pins=1)


def _not_apart(entity: Entity, held: Collection[str], pins: int) -> Iterator[Flaw]:
    """What of its identifier a whole key of an entity leaves out. `pins`: how many say the key."""
    missing = tuple(name for name in entity.identifier if name not in held)
    unique = next((one.names for one in entity.uniques if set(one.names) <= set(held)), ())
    if missing and not unique:
        yield ("key",), say("key-of-two-items", entity=entity.name, pins=pins, missing=missing)
    elif missing:
        yield (
            ("key",),
            say(
                "key-lacks-identifier",
                entity=entity.name,
                pins=pins,
                missing=missing,
                unique=unique,
            ),
        )


def _unfit(
    design: Design, entity: Entity, pin: Pin, text: KeyText, mutable: frozenset[str]
) -> Iterator[Message]:
    for name in text.attributes:
        attribute = entity.by_name.get(name)
        if attribute is None or pin.index is not None:
            continue  # a shard, or in an index, which need not hold each item
        source = entity.by_name[attribute.source[1]] if attribute.source else attribute
        if source.name in mutable:
            yield say("changes-in-key", attribute=name)
        elif source.present < 1:
            yield say("missing-in-key", entity=entity.name, attribute=name)
        elif attribute.type == "BOOL":
            yield say("only-in-index-key", attribute=name)
        elif attribute.values and name in text.inverse:
            yield say("other-value-has-no-key", attribute=name)
    lacks = any(lacking(name) is not None for name in text.attributes)
    if pin.index is None and (text.only or text.when or lacks):
        yield say("only-index-leaves-out")
    for name in sorted(counted_attributes(design, entity) & set(text.attributes)):
        if not _is_own(pin, text):
            yield say("added-in-composed-key", attribute=name)


def _unfit_to_range(design: Design, entity: Entity, pin: Pin, text: KeyText) -> Iterator[Message]:
    """What is wrong with the end of a sort key; a partition key is asked for whole."""
    kind, last = text.pieces[-1]
    if (
        kind != "text"
        and not (text.lone and (pin.style == "multi" or _name_of_sort(pin) == text.lone))
        and _is_ranged(design, entity, last)
    ):
        flaw = say("range-at-end-of-key", attribute=last)
        yield say("or-pin-for-multi", flaw=flaw) if text.lone else flaw


def _unfit_twice(pin: Pin, partition: KeyText, sort: KeyText) -> Iterator[Flaw]:
    """What is wrong with a sort key that has the same attributes as the partition key."""
    if not sort.attributes:
        return
    if pin.style != "single":
        yield ("key", "sort"), say("repeats-partition-key")
    elif partition.pieces != sort.pieces:
        yield ("key", "sort"), say("partition-key-in-other-words")


def _name_of_sort(pin: Pin) -> str | None:
    return None if pin.names is None else pin.names.sort


def _unfit_part(entity: Entity, part: str, text: KeyText, held: set[str]) -> Iterator[Message]:
    """What cannot stand in this part of a key, of which all parts hold some attributes."""
    shards = [
        name for name in text.attributes if name not in entity.by_name and lacking(name) is None
    ]
    if part == "sort" and shards:
        yield say("shards-in-sort-key")
    elif len(shards) > 1:
        yield say("several-shards")
    if part == "partition" and text.inverse:
        yield say("inverted-partition-key")
    known = held | {one.source[1] for n in held if (one := entity.by_name.get(n)) and one.source}
    for name, values in text.when:
        if name not in known and not values:
            yield say("when-not-in-key", attribute=name)


def _is_own(pin: Pin, text: KeyText) -> bool:
    """Whether a key is the item's own attribute, and not its text: called so, or in a table of its own."""
    named = {getattr(pin.names, part, None) for part in ("partition", "sort")}
    return text.lone is not None and (text.lone in named or pin.style == "multi")


def _is_ranged(design: Design, entity: Entity, name: str) -> bool:
    return any(
        condition.attribute == name and condition.below is not None
        for pattern in design.patterns
        if isinstance(pattern, Read) and entity.name in pattern.entities
        for condition in pattern.where
    )


def _contradictions(one: Pin, other: Pin) -> Iterator[Flaw]:
    """Where two pins that hold for one style say two things of one thing."""
    if not _meet(one, other):
        return
    said = say("contradicts-earlier-pin")
    same_pattern = one.pattern is not None and one.pattern == other.pattern
    same_key = one.entity is not None and (one.entity, one.index) == (other.entity, other.index)
    if same_key or same_pattern:
        for field in ("key", "names"):
            for part in ("partition", "sort"):
                before, now = (getattr(getattr(pin, field), part, None) for pin in (one, other))
                if before is not None and now is not None and before != now:
                    yield (field, part), said
    # Tables of their own may have indexes of one name.
    apart = None not in (one.entity, other.entity) and one.entity != other.entity
    one_table = not (apart and {one.style, other.style} & {"multi", "grouped"})
    same_index = one.index is not None and one.index == other.index and one_table
    same_table = one.index is None and one.entity is not None and one.entity == other.entity
    if same_index or (same_pattern and None in (one.index, other.index)):
        yield from _differing(one, other, ("projection", "name"), said)
    elif same_table and other.index is None and one.pattern is None and other.pattern is None:
        yield from _differing(one, other, ("name",), said)
    if same_pattern:
        yield from _differing(one, other, ("index",), said)
    if one.table and other.table and set(one.table) & set(other.table):
        yield from _differing(one, other, ("name",), said)


def _halves(design: Design, one: Pin, other: Pin) -> Iterator[Flaw]:
    """Where one pin gives the partition key of an entity and another one its sort key, and together they don't do."""
    entity = design.entity.get(one.entity or "")
    own = one.index is None and other.index is None and one.entity == other.entity
    if entity is None or not own or not _meet(one, other) or one.key is None or other.key is None:
        return
    for first, second in ((one.key, other.key), (other.key, one.key)):
        # A pin of both halves is judged by itself.
        if first.partition and second.sort and not first.sort and not second.partition:
            try:
                texts = key_text(entity, first.partition), key_text(entity, second.sort)
            except MisfitError:
                return  # said of the pin itself
            held = {name for text in texts for name in text.attributes}
            yield from _not_apart(entity, held, pins=2)


def _meet(one: Pin, other: Pin) -> bool:
    """Whether two pins hold for one style."""
    return one.style is None or other.style is None or one.style == other.style


def _differing(one: Pin, other: Pin, fields: tuple[str, ...], said: Message) -> Iterator[Flaw]:
    for field in fields:
        before, now = getattr(one, field), getattr(other, field)
        if before is not None and now is not None and before != now:
            yield (field,), said
