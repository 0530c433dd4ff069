"""What is wrong with a pattern, and the words that several rules share."""

from collections.abc import Iterable

from designer.core.design.entities import Entity
from designer.core.design.text import Path
from designer.core.design.wording import close_to
from designer.core.messages import Message, say, text

Flaw = tuple[Path, str]
"""Where it is, and what is wrong."""

MOST_LISTED = 8
"""Names that are listed where another one was written."""


def unknown(what: str, name: str, known: Iterable[str], where: str | None = None) -> str:
    """There is no such thing, and what may have been meant.

    >>> unknown("attribute", "emial", ["email"], "User")
    'User has no attribute `emial`; did you mean `email`?'
    """
    return text(no_such(what, name, known, where))


def no_such(what: str, name: str, known: Iterable[str], where: str | None = None) -> Message:
    """The same as a message."""
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


def either_of(entities: list[Entity]) -> str:
    """Which entities have no such thing, as `unknown` says it."""
    return (
        entities[0].name if len(entities) == 1 else "none of " + ", ".join(e.name for e in entities)
    )


def quoted(names: Iterable[str]) -> str:
    """Several names in a sentence."""
    return " and ".join(f"`{name}`" for name in names)


def or_what_is_unique(entity: Entity) -> str:
    """The first other way to name one item, after the identifier; empty where there is none."""
    for unique in entity.uniques[:1]:
        together = "which are unique together" if unique.within else "which is unique"
        return f", or {quoted(unique.names)}, {together},"
    return ""
