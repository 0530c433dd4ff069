"""The relationships of two designs."""

from collections.abc import Iterator

from designer.core.design.document import Design
from designer.core.design.matching import paired
from designer.core.difference.base import About, Change, line
from designer.core.difference.fields import Wording, Words, field_changes
from designer.core.difference.mentions import Mentions
from designer.core.difference.stated.order import reordered

WORDS: Words = {
    "description": "the description",
    "one": "the one side",
    "many": "the many side",
    "through": "the entity between them",
    "by": "the attributes that the child refers by",
    "identifying": (
        "is now part of its children's identifier",
        "is no longer part of its children's identifier",
    ),
    "average": "the average number of children",
    "most": "the largest number of children",
    "averages": "the average numbers of both sides",
    "mosts": "the largest numbers of both sides",
}


def changes(
    before: Design, followed: Design, after: Design, was: Mentions, now: Mentions
) -> Iterator[Change]:
    """`followed`: the first design with the names of the second, its parts in their old places."""
    pairs = paired(before.relationships, after.relationships)
    for at in pairs.gone:
        gone = before.relationships[at]
        about = About("relationship", gone.id or gone.name, gone.name)
        sentence = f"Relationship “{gone.name}” ({_between(gone.parent, gone.child)}) was removed."
        mentioned = was.relationship(gone.name)
        yield Change(about, "removed", sentence, before=line(gone), patterns=mentioned)
    for i, j in pairs.both:
        old, new = before.relationships[i], after.relationships[j]
        if old == followed.relationships[i] == new:
            continue
        about = About("relationship", new.id if new.id and new.id == old.id else new.name, new.name)
        patterns = now.relationship(new.name)
        if old.name != new.name:
            sentence = f"Relationship “{old.name}” is now called “{new.name}”."
            yield Change(about, "renamed", sentence, "name", old.name, new.name, patterns)
        wording = Wording(about, f"Relationship “{new.name}”", WORDS, patterns)
        yield from field_changes(wording, followed.relationships[i], new)
    for at in pairs.come:
        come = after.relationships[at]
        about = About("relationship", come.id or come.name, come.name)
        sentence = f"Relationship “{come.name}” ({_between(come.parent, come.child)}) is new."
        yield Change(
            about, "added", sentence, after=line(come), patterns=now.relationship(come.name)
        )
    about = About("design", "", after.name)
    yield from reordered(about, "The relationships", "relationships", pairs)


def _between(parent: str, child: str) -> str:
    return f"from {parent} to {child}"
