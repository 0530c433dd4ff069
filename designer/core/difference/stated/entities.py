"""The entities of two designs."""

from collections.abc import Iterator

from designer.core.design.document import Design
from designer.core.design.entities import Entity
from designer.core.design.matching import paired
from designer.core.difference.base import About, Change, line
from designer.core.difference.fields import Wording, Words, field_changes
from designer.core.difference.mentions import Mentions
from designer.core.difference.stated import attributes
from designer.core.difference.stated.order import reordered
from designer.core.words import figures

WORDS: Words = {
    "description": "the description",
    "prefix": "the prefix of its keys",
    "identifier": "the attributes of the identifier",
    "items": "the number of items",
    "growth_per_month": "the number of new items in a month",
    "needs.team": "the team",
    "needs.tenant": "the attribute that holds the tenant",
    "needs.stream": "what its stream tells",
    "needs.recovery_days": "the days of recovery",
    "needs.table_class": "the table class",
    "needs.billing": "the billing of its table",
    "needs.personal_data": ("now holds personal data", "no longer holds personal data"),
    "drawn_at": "its place in the diagram",
}
STAKES = {
    "identifier": lambda was, now: "Every item gets another key, so all have to be rewritten.",
}


def changes(
    before: Design, followed: Design, after: Design, was: Mentions, now: Mentions
) -> Iterator[Change]:
    """`followed`: the first design with the names of the second, its parts in their old places."""
    pairs = paired(before.entities, after.entities)
    for at in pairs.gone:
        yield _gone(before.entities[at], was)
    for i, j in pairs.both:
        yield from _between(before.entities[i], followed.entities[i], after.entities[j], was, now)
    for at in pairs.come:
        yield _come(after.entities[at], now)
    about = About("design", "", after.name)
    yield from reordered(about, "The entities", "entities", pairs)


def _gone(entity: Entity, mentions: Mentions) -> Change:
    items = f"Its {figures.count(entity.items, 'item')}" if entity.items else "Its items"
    return Change(
        About("entity", entity.id or entity.name, entity.name),
        "removed",
        f"{entity.name} is no longer stored.",
        before=line(entity),
        patterns=mentions.entity(entity.name),
        at_stake=f"{items} {'is' if entity.items == 1 else 'are'} no longer kept.",
    )


def _come(entity: Entity, mentions: Mentions) -> Change:
    return Change(
        About("entity", entity.id or entity.name, entity.name),
        "added",
        f"{entity.name} is now stored.",
        after=line(entity),
        patterns=mentions.entity(entity.name),
    )


def _between(
    old: Entity, followed: Entity, new: Entity, was: Mentions, now: Mentions
) -> Iterator[Change]:
    if old == followed == new:
        return
    # Where the ids differ, it is known by its name.
    about = About("entity", new.id if new.id and new.id == old.id else new.name, new.name)
    patterns = now.entity(new.name)
    if old.name != new.name:
        sentence = f"{old.name} is now called {new.name}."
        yield Change(about, "renamed", sentence, "name", old.name, new.name, patterns)
    wording = Wording(about, new.name, WORDS, patterns, STAKES)
    yield from field_changes(wording, followed, new)
    yield from attributes.changes(about, old, followed, new, was, now)
