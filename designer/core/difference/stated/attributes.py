"""The attributes of one entity in two designs."""

from collections.abc import Iterator
from typing import Any

from designer.core.design.attributes import Attribute
from designer.core.design.entities import Entity
from designer.core.design.matching import paired
from designer.core.difference.base import About, Change, line
from designer.core.difference.fields import Wording, Words, field_changes
from designer.core.difference.mentions import Mentions
from designer.core.difference.stated.order import reordered

WORDS: Words = {
    "description": "the description",
    "type": "the type",
    "format": "the format",
    "digits": "the number of digits",
    "scale": "the number of digits after the decimal point",
    "minimum": "the smallest number",
    "maximum": "the largest number",
    "bytes": "the average size in bytes",
    "most_bytes": "the largest size in bytes",
    "elements": "the number of elements",
    "distinct": "the number of different values",
    "values": "the values",
    "shares": "the shares of the values",
    "busiest": "the share of the busiest value",
    "present": "the share of the items that have it",
    "later": ("now comes after the item was created", "can now be there from the start"),
    "mutable": ("may now change", "no longer changes"),
    "unique": ("is now unique", "is no longer unique"),
    "unique_within": "the attributes within which it is unique",
    "ttl": ("now says when an item expires", "no longer says when an item expires"),
    "refers_to": "what it refers to",
    "derived": "what it is derived from",
    "aggregate": "the aggregate that it holds",
    "kept": "how the aggregate is kept",
    "examples": "the examples",
}


def _of_type(was: Any, now: Any) -> str:
    return "Every value has to be rewritten in the new type."


def _of_ttl(was: Any, now: Any) -> str:
    if now:
        return "Expired items are deleted, including those already there."
    return "Expired items are no longer deleted by it."


def _of_unique(was: Any, now: Any) -> str:
    return (
        "Values that already occur more than once have to be found and made unique." if now else ""
    )


STAKES = {"type": _of_type, "ttl": _of_ttl, "unique": _of_unique, "unique_within": _of_unique}


def changes(
    entity: About, old: Entity, followed: Entity, new: Entity, was: Mentions, now: Mentions
) -> Iterator[Change]:
    pairs = paired(old.attributes, new.attributes)
    for at in pairs.gone:
        yield _gone(entity, old, old.attributes[at], was)
    for i, j in pairs.both:
        one, other = old.attributes[i], new.attributes[j]
        about = _about(entity, new, other, other.id == one.id)
        patterns = now.attribute(new.name, other.name)
        if one.name != other.name:
            yield Change(
                about,
                "renamed",
                f"{new.name}.{one.name} is now called {new.name}.{other.name}.",
                "name",
                one.name,
                other.name,
                patterns,
                "Each item keeps the old name until it is rewritten.",
            )
        wording = Wording(about, f"{new.name}.{other.name}", WORDS, patterns, STAKES)
        yield from field_changes(wording, followed.attributes[i], other)
    for at in pairs.come:
        yield _come(entity, new, new.attributes[at], now)
    yield from reordered(entity, f"The attributes of {new.name}", "attributes", pairs)


def _about(entity: About, of: Entity, attribute: Attribute, by_id: bool = True) -> About:
    own = attribute.id if by_id and attribute.id else attribute.name
    return About("attribute", f"{entity.id}/{own}", f"{of.name}.{attribute.name}")


def _gone(entity: About, of: Entity, attribute: Attribute, mentions: Mentions) -> Change:
    is_stored = attribute.derived is None
    return Change(
        _about(entity, of, attribute),
        "removed",
        f"{of.name} no longer has the attribute {attribute.name}.",
        before=line(attribute),
        patterns=mentions.attribute(of.name, attribute.name),
        at_stake="Its values are no longer kept." if is_stored else "",
    )


def _come(entity: About, of: Entity, attribute: Attribute, mentions: Mentions) -> Change:
    return Change(
        _about(entity, of, attribute),
        "added",
        f"{of.name} has a new attribute {attribute.name}.",
        after=line(attribute),
        patterns=mentions.attribute(of.name, attribute.name),
    )
