"""Figures over a relationship's children that follow what is written of them: how many, their sum, the greatest."""

from dataclasses import dataclass
from typing import Literal

from designer.core.design.document import Design
from designer.core.patterns.base import Member, Write


@dataclass(frozen=True)
class Figure:
    """An attribute of a parent that follows what is written of its children."""

    entity: str
    """The parent."""
    name: str
    form: str
    """`count`, `sum`, `greatest` or `least`."""
    relationship: str
    child: str
    target: str
    """The child's attribute; empty for a count."""
    per: tuple[tuple[str, str], ...]
    """What joins them: pairs of the parent's attribute and the child's."""
    kept: Literal["at-once", "by-stream", "by-price"] = "at-once"

    @property
    def group(self) -> tuple[str, str]:
        """The figures of one parent over one relationship are kept alike."""
        return self.entity, self.relationship

    @property
    def is_added(self) -> bool:
        """Kept by adding to it; the greatest and the least are set."""
        return self.form in ("count", "sum")

    @property
    def references(self) -> frozenset[str]:
        return frozenset(own for _, own in self.per)

    def is_touched_by(self, change: Member) -> bool:
        """Whether a write of a child concerns it: the greatest and the least never go back."""
        if change.entity != self.child or change.verb == "check":
            return False
        if change.may_replace:
            return self.kept != "at-once"  # which of them it makes is told by the stream alone
        if change.verb == "create":
            return True
        if change.verb == "delete":
            return self.is_added
        changed = set(change.written)
        return bool(changed & {self.target, *self.references})


def kept_figures(design: Design) -> tuple[Figure, ...]:
    """The aggregates that follow the writes of the children: those that no pattern changes by itself."""
    changes = [change for pattern in _writes(design) for change in pattern.changes]
    own = {
        (change.entity, name)
        for change in changes
        if change.verb == "update"
        for name in change.written
    }
    found = [figure for figure in _figures(design) if (figure.entity, figure.name) not in own]
    # A figure over figures is left to the team: one write would be followed by another.
    over = {(figure.entity, figure.name) for figure in found}
    return tuple(
        figure
        for figure in found
        if (figure.child, figure.target) not in over
        and any(figure.is_touched_by(change) for change in changes)
    )


def _figures(design: Design) -> list[Figure]:
    found = []
    for entity in design.entities:
        for attribute in entity.attributes:
            if attribute.aggregate is None:
                continue
            form, _, path = attribute.aggregate.partition(" of ")
            name, _, target = path.partition(".")
            relationship = design.relationship.get(name)
            # A design may be asked before it is known whether its parts hang together.
            if relationship is None or relationship.child not in design.entity:
                continue
            pairs = design.references(relationship, entity.name)
            per = tuple((theirs, mine) for mine, theirs in pairs)
            child = design.entity[relationship.child]
            if per and (
                not target or (target in child.by_name and not child.by_name[target].derived)
            ):
                over = (name, relationship.child, target, per)
                found.append(Figure(entity.name, attribute.name, form, *over, attribute.kept))
    return found


def _writes(design: Design) -> list[Write]:
    return [
        pattern
        for pattern in design.patterns
        if isinstance(pattern, Write) and pattern.status != "declined"
    ]


def needs_stream(design: Design, figure: Figure) -> bool:
    """Whether no transaction can keep a figure: a write of its children does not know which there are before it, or
    they expire."""
    for pattern in _writes(design):
        if pattern.collection and pattern.changes[0].entity == figure.child:
            return True
        if any(c.may_replace and c.entity == figure.child for c in pattern.changes):
            return True
    return loses_expired(design, figure)


def loses_expired(design: Design, figure: Figure) -> bool:
    """Whether items leave a count or a sum when their time to live has passed, which no transaction sees.

    The figures of a parent over one relationship are kept alike, so the others need a stream as well.
    """
    return design.entity[figure.child].expires and any(
        one.is_added and one.group == figure.group for one in kept_figures(design)
    )
