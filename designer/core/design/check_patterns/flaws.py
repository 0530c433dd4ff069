"""What is wrong with a pattern, and the words that several rules share."""

from collections.abc import Iterable

from designer.core.design.entities import Entity
from designer.core.design.wording import close_to
from designer.core.messages import Message, say

MOST_LISTED = 8
"""Names that are listed where another one was written."""


def unknown(
    what: str, name: str, known: Iterable[str], where: str | Message | None = None
) -> Message:
    """There is no such thing, and what may have been meant.

    >>> from designer.core.messages import text
    >>> text(unknown("attribute", "emial", ["email"], "User"))
    'User has no attribute `emial`; did you mean `email`?'
    """
    choices = tuple(known)
    close = close_to(name, choices)
    if close is not None:
        instead = say("did-you-mean", name=close)
    elif choices:
        listed = choices[:MOST_LISTED]
        instead = say("there-are" if listed == choices else "there-are-many", names=listed)
    else:
        instead = say("add-it-first", what=what)
    if where is None:
        return say("unknown", what=what, name=name, instead=instead)
    return say("unknown-in", where=where, what=what, name=name, instead=instead)


def attribute_names(entities: list[Entity]) -> list[str]:
    """The attributes that any of these entities has."""
    return list(dict.fromkeys(name for entity in entities for name in entity.by_name))


def either_of(entities: list[Entity]) -> str | Message:
    """Which entities have no such thing, as `unknown` says it."""
    if len(entities) == 1:
        return entities[0].name
    return say("none-of", entities=tuple(entity.name for entity in entities))
