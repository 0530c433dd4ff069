"""What the variants share: patterns put in other words, and how often an entity is asked for and written."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from designer.core.design.document import Design, Relationship
from designer.core.patterns import Create, Delete, Update
from designer.core.patterns.base import Change, Member, Pattern, Read, Write
from designer.core.plan import Decision, Rejected


class StaysError(Exception):
    """A pattern asks for an entity, or writes it, in a way that needs its items as they are stated."""


def common(pattern: Pattern) -> dict[str, Any]:
    """What a pattern says that every kind can say."""
    return {name: getattr(pattern, name) for name in Pattern.model_fields if name != "kind"}


def said(change: Change) -> dict[str, Any]:
    """What a change does, without to what."""
    return {name: getattr(change, name) for name in Change.model_fields}


def alone(pattern: Write, change: Member) -> Write:
    """A write of one change, no check, as a pattern of its own kind."""
    kinds: dict[str, Any] = {"create": Create, "update": Update, "delete": Delete}
    made: Write = kinds[change.verb](**common(pattern), entity=change.entity, **said(change))
    return made


def asking(design: Design, entity: str) -> tuple[int, ...]:
    """The numbers of the patterns that read an entity's items, bring them along, or write them."""
    return tuple(
        pattern.number
        for pattern in design.patterns
        if (isinstance(pattern, Write) and any(c.entity == entity for c in pattern.changes))
        or (
            isinstance(pattern, Read)
            and (
                entity in pattern.entities
                or any(design.relationship[a.relationship].child == entity for a in pattern.with_)
            )
        )
    )


def ones(relationship: Relationship) -> tuple[str, ...]:
    """The entities on the side that a relationship's child refers to."""
    return relationship.many if isinstance(relationship.many, tuple) else (relationship.parent,)


def per_second(pattern: Write, change: Member) -> float:
    """How many items a change writes in a second; 0 where nobody says how often the pattern runs."""
    average = pattern.rate.average if pattern.rate else 0.0
    return average * (change.times.average if change.times else 1)


@dataclass(frozen=True)
class Tried:
    """What came of a variant: the exact cost of the search without and with it."""

    kept: bool
    before: Fraction
    """US dollars a month, of the patterns that it may change."""
    after: Fraction
    kept_by: str = ""
    """What a pin says that the variant, cheaper though it is, can't obey."""

    def told(
        self, about: str, choices: tuple[str, str], serves: tuple[int, ...], because: str
    ) -> Decision:
        """The decision. `choices`: as it is stated, and varied."""
        prices = (self.before, self.after)
        choice, other = (choices[at] for at in (self.kept, not self.kept))
        price, instead = (float(round(prices[at], 4)) for at in (self.kept, not self.kept))
        reason = f"costs less, but {self.kept_by}" if self.kept_by else "costs more"
        return Decision(
            about=about,
            choice=choice,
            serves=serves,
            because=because,
            per_month=price,
            instead_of=(Rejected(choice=other, because=reason, per_month=instead),),
        )
