"""A sentence while it is read, and the words that join its parts."""

from dataclasses import dataclass, field
from typing import Any

from designer.core.design.document import Design
from designer.core.design.entities import Entity
from designer.core.errors import MisfitError
from designer.core.messages import say
from designer.core.outline.naming import Found, Named
from designer.core.proposing import Parts
from designer.core.words.spoken import spoken, spoken_many

ARTICLES = frozenset(
    ["a", "an", "the", "all", "one", "each", "every", "some", "its", "their", "this", "any"]
)
OF = frozenset({"of", "for", "in", "at", "from", "belonging", "on"})
BY = frozenset({"by", "with", "where", "whose", "having", "and"})
IS = frozenset({"is", "are", "=", "equals", "as", "to"})


@dataclass
class Asked:
    """A sentence while it is read."""

    design: Design
    tokens: list[str]
    named: Named
    """What its words may name."""
    kind: str = ""
    figure: str = ""
    """`sum`, `greatest` or `least` where a number is asked for instead of items."""
    searches: bool = False
    """The sentence says `search`, which can mean words within a text."""
    entity: Entity | None = None
    where: list[Parts] = field(default_factory=list)
    set: list[str] = field(default_factory=list)
    values: dict[str, Any] = field(default_factory=dict)
    said: list[str] = field(default_factory=list)
    """The words of its name so far."""

    @property
    def of(self) -> Entity:
        assert self.entity is not None
        return self.entity

    def take(self, count: int = 1, instead: str | None = None) -> None:
        self.said += [" ".join(self.tokens[:count])] if instead is None else [instead]
        del self.tokens[:count]

    def skip(self, some: frozenset[str]) -> None:
        while self.tokens and self.tokens[0].lower() in some:
            self.take()

    def name_entity(self, found: Found) -> None:
        """Take the words of an entity; the pattern's name says it as people do."""
        self.take(found.count, spoken_many(found.name) if found.is_many else spoken(found.name))


def no_attribute(asked: Asked, said: str = "") -> MisfitError:
    known = tuple(each.name for each in asked.of.attributes)[:12]
    what = short(said or " ".join(asked.tokens)) or "Nothing"
    return MisfitError(
        say("sentence-names-no-attribute", words=what, entity=asked.of.name, known=known)
    )


def short(text: str) -> str:
    return text if len(text) <= 40 else f"{text[:39]}…"
