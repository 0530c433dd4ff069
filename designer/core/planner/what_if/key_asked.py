"""What there is to say of a key that somebody types: why it was not chosen, and which access patterns it answers."""

from dataclasses import dataclass
from typing import Literal

from designer.core.design.document import Design
from designer.core.design.entities import Entity
from designer.core.design.pins import key_text
from designer.core.errors import MisfitError
from designer.core.plan import Style
from designer.core.planner.what_if.patterns_of_key import AskedOfKey, KeyAsked, patterns_of_key
from designer.core.planner.what_if.why_not import WhyNot, why_not


@dataclass(frozen=True)
class KeyAnswer:
    """What there is to say of a key that was typed."""

    error: str = ""
    why: WhyNot | None = None
    asked: tuple[AskedOfKey, ...] = ()


def answer_of_key(
    design: Design, style: Style, entity: str, partition: str, sort: str, as_: str
) -> KeyAnswer:
    """Of a key of an entity: names of attributes, or templates. `as_` is "index", or of the table."""
    parts = _parts(partition, sort)
    wanted = KeyAsked(entity, parts[0], parts[1], index=as_ == "index")
    try:
        for part in parts:
            shard = _shard_in(design.entity[entity], part)
            if shard:
                return KeyAnswer(
                    f"A read cannot name the shard `{{{shard}}}`; it queries every shard. Leave the shard out to see "
                    f"which access patterns the key serves."
                )
        asked = patterns_of_key(design, style, entity, parts[0], parts[1])
        return KeyAnswer("", why_not(design, style, wanted), asked)
    except (MisfitError, KeyError, ValueError) as error:
        return KeyAnswer(str(error))


def why_of(design: Design, style: Style, about: str) -> WhyNot | Literal["nothing"]:
    """What could stand in place of what a decision is about; "nothing" where the plan has no such thing."""
    try:
        return why_not(design, style, about)
    except (KeyError, ValueError):
        return "nothing"


def _shard_in(entity: Entity, part: tuple[str, ...] | str) -> str:
    """The shard that a part of a key is written with, if any: `shard(7, eventId)`."""
    named = key_text(entity, part).attributes if isinstance(part, str) and part else ()
    return next((name for name in named if name.startswith("shard(")), "")


def _parts(partition: str, sort: str) -> tuple[tuple[str, ...] | str, tuple[str, ...] | str]:
    """Partition and sort key: templates when there is a brace in one of them, else names of attributes."""
    if "{" in partition or "{" in sort:
        return partition, sort
    return _names(partition), _names(sort)


def _names(text: str) -> tuple[str, ...]:
    return tuple(text.replace(",", " ").split())
