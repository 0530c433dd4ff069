"""Two designs, whole."""

from collections.abc import Iterator

from designer.core.design.document import Design
from designer.core.design.matching import Names, names
from designer.core.difference.base import About, Change, in_order, quoted
from designer.core.difference.fields import Wording, Words, field_changes
from designer.core.difference.mentions import Mentions
from designer.core.difference.stated import (
    entities,
    ignored,
    named,
    patterns,
    pins,
    planner,
    relationships,
)
from designer.core.edits.references import Renaming, renamed
from designer.core.words.english import ended

WORDS: Words = {
    "description": "the description",
    "context.domain": "what the application is for",
    "context.business": "what the business asks",
    "context.scale": "the scale",
    "region": "the Region",
    "billing": "the billing",
    "table_prefix": "the prefix of the tables' names",
}
STAKES = {
    "region": lambda was, now: (
        "Every table there is new: the items of the old ones have to be copied."
    )
}


def difference(before: Design, after: Design) -> tuple[Change, ...]:
    """What is stated otherwise in `after`; nothing where both state the same.

    What destroys comes first, mere wording last. A part that is called otherwise is told so once: what mentions it
    under its new name is not told of.
    """
    called = names(before, after)
    followed = _followed(before, called)
    said = (
        *_own(before, after),
        *entities.changes(before, followed, after, Mentions(before), Mentions(after)),
        *relationships.changes(before, followed, after, Mentions(before), Mentions(after)),
        *patterns.changes(followed, after),
        *planner.changes(followed, after),
        *pins.changes(followed, after),
        *ignored.changes(before, after),
        *named.changes(followed, after),
    )
    return in_order(said)


def _followed(before: Design, called: Names) -> Design:
    """The first design with the names of the second; its parts are in their old places."""
    if not called:
        return before
    return renamed(Renaming(before, called.entities, called.attributes, called.relationships))


def _own(before: Design, after: Design) -> Iterator[Change]:
    about = About("design", "", after.name)
    if before.name != after.name:
        called = f"The design is called {quoted(after.name)} instead of {quoted(before.name)}"
        yield Change(about, "renamed", ended(called), "name", before.name, after.name)
    yield from field_changes(Wording(about, "The design", WORDS, stakes=STAKES), before, after)
