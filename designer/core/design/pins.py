"""Pins: decisions taken by hand. What a pinned key template says, and which pins can't be kept."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from designer.core.design.changes import mutable_attributes
from designer.core.design.check_patterns import unknown
from designer.core.design.document import Attribute, Design, Entity, Pin
from designer.core.design.text import Path
from designer.core.patterns.base import Read

Flaw = tuple[Path, str]

TABLE_OR_INDEX = re.compile(r"[a-zA-Z0-9_.-]{3,255}")
KEY_ATTRIBUTE = re.compile(r"[A-Za-z_][A-Za-z0-9_-]{0,126}")
DELIMITER = "#"
DERIVING = frozenset({"year", "month", "date", "hour"})


@dataclass(frozen=True)
class KeyText:
    """One attribute of a key as it was pinned: pieces of text and attributes, in order."""

    pieces: tuple[tuple[str, str], ...]
    """("text", ...) or ("attribute", ...), as the planner's own keys have them."""
    only: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """Attributes that must have one of these values, or the key is missing: a sparse index."""

    @property
    def attributes(self) -> tuple[str, ...]:
        return tuple(value for kind, value in self.pieces if kind == "attribute")

    @property
    def token(self) -> str:
        """The text that it begins with, before any value."""
        kind, value = self.pieces[0]
        return value if kind == "text" else ""

    @property
    def lone(self) -> str | None:
        """The attribute that the key is, if it is nothing else."""
        kinds = [kind for kind, _ in self.pieces]
        return self.pieces[0][1] if kinds == ["attribute"] and not self.only else None


class MisfitError(ValueError):
    """A key template that can't be kept; the message says why and names the rule."""


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
    only: list[tuple[str, tuple[str, ...]]] = []
    at = 0
    while at < len(template):
        part = _PART.match(template, at)
        if part is None:
            raise MisfitError(f"no part of a key template can be read at character {at + 1}")
        at = part.end()
        if part["text"]:
            pieces.append(("text", part["text"].replace("{{", "{").replace("}}", "}")))
        elif part["name"]:
            pieces.append(("attribute", _attribute(entity, part["name"]).name))
        else:
            name, values = _formed(entity, part["form"], _ARGUMENT.findall(part["arguments"]))
            pieces.append(("attribute", name))
            only += [(name, values)] if values else []
    text = KeyText(tuple(pieces), tuple(only))
    if len(set(text.attributes)) < len(text.attributes):
        raise MisfitError("an attribute stands in it twice")
    _delimited(text)
    return text


def _attribute(entity: Entity, name: str) -> Attribute:
    attribute = entity.by_name.get(name)
    if attribute is None:
        raise MisfitError(unknown("attribute", name, entity.by_name, entity.name))
    if attribute.type not in ("S", "N", "B", "BOOL"):
        raise MisfitError(f"{name} is of type {attribute.type}, and no key can hold that")
    return attribute


def _formed(entity: Entity, form: str, arguments: list[str]) -> tuple[str, tuple[str, ...]]:
    """(the attribute of a form, the values that `only` leaves)."""
    names = [argument for argument in arguments if argument[0] != '"' and not argument.isdigit()]
    if len(names) != 1:
        raise MisfitError(f"`{form}` names one attribute")
    (name,) = names
    values = tuple(json.loads(argument) for argument in arguments if argument[0] == '"')
    if form in DERIVING:
        derived = f"{form}({name})"
        found = next((a.name for a in entity.attributes if a.derived == derived), None)
        if found is None:
            raise MisfitError(
                f"add an attribute `derived: {derived}` to {entity.name}, and use its name"
            )
        return found, ()
    attribute = _attribute(entity, name)
    digits, scale = attribute.padding
    if form == "pad" and (attribute.type != "N" or arguments != [f"{digits}", f"{scale}", name]):
        raise MisfitError(
            f"numbers are padded to their stated digits; write `{{{name}}}`, which becomes "
            f"`{{pad({digits}, {scale}, {name})}}`, or state other digits at the attribute"
        )
    if form not in ("pad", "only", "text") or (form == "only") != bool(values):
        raise MisfitError(f"`{form}` is written by the planner, where it is needed; leave it out")
    return name, values


def _delimited(text: KeyText) -> None:
    """Rule 4: a key matches as its components do only when the delimiter parts them."""
    for (kind, value), (following, words) in pairwise(text.pieces):
        if kind == following == "attribute":
            raise MisfitError(
                f"`#` must stand between {value} and {words}, or their values run together"
            )
        if kind == "attribute" and not words.startswith(DELIMITER):
            raise MisfitError(
                f"what follows {value} must begin with `#`, or it sorts as part of the value"
            )
    for (_, _), (kind, value), (following, words) in zip(
        text.pieces, text.pieces[1:], text.pieces[2:], strict=False
    ):
        if kind == "text" and following == "attribute" and not value.endswith(DELIMITER):
            raise MisfitError(
                f"what stands before {words} must end with `#`, or values run together"
            )


# What keeps pins from being kept


def pin_flaws(design: Design) -> Iterator[Flaw]:
    """What is wrong with each pin, and where two contradict each other."""
    mutable = mutable_attributes(design)
    for at, pin in enumerate(design.planner.pins):
        here: Path = ("planner", "pins", at)
        for path, message in _flaws_of(design, pin, mutable):
            yield (*here, *path), message
        for other in design.planner.pins[:at]:
            for path, message in _contradictions(other, pin):
                yield (*here, *path), message


def _flaws_of(design: Design, pin: Pin, mutable: dict[str, frozenset[str]]) -> Iterator[Flaw]:
    numbers = {pattern.number for pattern in design.patterns}
    if pin.entity is not None and pin.entity not in design.entity:
        yield ("entity",), unknown("entity", pin.entity, design.entity)
    if pin.pattern is not None and pin.pattern not in numbers:
        yield (
            ("pattern",),
            f"there is no access pattern {pin.pattern}; name one that is there, or remove the pin",
        )
    elif pin.pattern is not None and not isinstance(design.pattern(pin.pattern), Read):
        yield ("pattern",), f"pattern {pin.pattern} reads nothing, so no index answers it"
    for i, name in enumerate(pin.table or ()):
        if name not in design.entity:
            yield ("table", i), unknown("entity", name, design.entity)
    if (pin.key or pin.names) and pin.entity is None:
        yield (), "a pinned key belongs to an entity; name it with `entity`"
    if pin.index is not None and pin.pattern is None and pin.entity is None:
        yield (), "a pinned index serves an access pattern; name it with `pattern`"
    if pin.projection is not None and pin.index is None and pin.pattern is None:
        yield (
            ("projection",),
            "an index holds a projection; name it with `index`, or the `pattern` it answers",
        )
    if pin.name is not None and not (pin.index or pin.pattern or pin.entity or pin.table):
        yield (
            ("name",),
            "say what is called so: an `index`, an `entity` for its table, or a `table`",
        )
    if not any((pin.key, pin.names, pin.index, pin.projection, pin.name, pin.table)):
        yield (
            (),
            "the pin says nothing; give `key`, `names`, `index`, `projection`, `name` or `table`",
        )
    for field in ("index", "name"):
        name = getattr(pin, field)
        if name is not None and not TABLE_OR_INDEX.fullmatch(name):
            yield (
                (field,),
                f"the name `{name}` can't stand in DynamoDB: 3 to 255 of a-z, A-Z, 0-9, `_`, `.` and `-`",
            )
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
                yield ("key", part), str(error)
                continue
            yield from (
                (("key", part), said) for said in _unfit(design, entity, pin, texts[part], mutable)
            )
        name = getattr(pin.names, part, None)
        if name is not None and not KEY_ATTRIBUTE.fullmatch(name):
            yield ("names", part), f"`{name}` can't be the name of a key attribute"
        elif name in entity.by_name and part in texts and texts[part].lone != name:
            yield (
                ("names", part),
                f"{name} is an attribute of {entity.name}, and a key of that name holds its value and nothing else",
            )
    if pin.index is not None or len(texts) < 2:
        return
    held = {name for text in texts.values() for name in text.attributes}
    missing = [name for name in entity.identifier if name not in held]
    if missing:
        yield (
            ("key",),
            f"two items could have one key: it lacks {', '.join(missing)}, which the identifier of {entity.name} "
            "needs",
        )


def _unfit(
    design: Design, entity: Entity, pin: Pin, text: KeyText, mutable: frozenset[str]
) -> Iterator[str]:
    for name in text.attributes:
        attribute = entity.by_name[name]
        if pin.index is None:
            if name in mutable:
                yield f"{name} changes, and an item's own key never does; put it into an index"
            elif attribute.present < 1:
                yield f"not every {entity.name} has {name}, and every item needs its key; put it into an index"
            elif attribute.derived is not None or attribute.type == "BOOL":
                yield f"{name} can stand in the key of an index only"
    if pin.index is None and text.only:
        yield "only an index leaves items out"
    kind, last = text.pieces[-1]
    if (
        kind == "attribute"
        and not (pin.style == "multi" and text.lone)
        and _is_ranged(design, entity, last)
    ):
        yield (
            f"patterns ask for a range of {last}, so it is never the last of a composed key; let `#` or the "
            "identifier follow"
        )


def _is_ranged(design: Design, entity: Entity, name: str) -> bool:
    return any(
        condition.attribute == name and condition.below is not None
        for pattern in design.patterns
        if isinstance(pattern, Read) and entity.name in pattern.entities
        for condition in pattern.where
    )


def _contradictions(one: Pin, other: Pin) -> Iterator[Flaw]:
    """Where two pins that hold for one style say two things of one thing."""
    if one.style is not None and other.style is not None and one.style != other.style:
        return
    said = "an earlier pin says something else; remove one of them"
    if one.entity is not None and (one.entity, one.index) == (other.entity, other.index):
        for field in ("key", "names"):
            for part in ("partition", "sort"):
                before, now = (getattr(getattr(pin, field), part, None) for pin in (one, other))
                if before is not None and now is not None and before != now:
                    yield (field, part), said
    same_index = one.index is not None and one.index == other.index
    same_pattern = one.pattern is not None and one.pattern == other.pattern
    same_table = one.index is None and one.entity is not None and one.entity == other.entity
    if same_index or (same_pattern and None in (one.index, other.index)):
        yield from _differing(one, other, ("projection", "name"), said)
    elif same_table and other.index is None and one.pattern is None and other.pattern is None:
        yield from _differing(one, other, ("name",), said)
    if same_pattern:
        yield from _differing(one, other, ("index",), said)
    if one.table and other.table and set(one.table) & set(other.table):
        yield from _differing(one, other, ("name",), said)


def _differing(one: Pin, other: Pin, fields: tuple[str, ...], said: str) -> Iterator[Flaw]:
    for field in fields:
        before, now = getattr(one, field), getattr(other, field)
        if before is not None and now is not None and before != now:
            yield (field,), said
