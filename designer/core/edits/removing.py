"""Removing what is in use: refused with the users named, or together with them."""

from typing import Any

from designer.core.design.attributes import Attribute
from designer.core.design.document import Design
from designer.core.design.entities import Entity
from designer.core.edits.references import Users
from designer.core.edits.replacing import each, replaced
from designer.core.errors import DesignError
from designer.core.messages import Message, say


def refuse_if_used(design: Design, what: Message | str, needed_by: Users) -> None:
    """`what`: as a sentence begins with it."""
    if needed_by:
        raise DesignError(
            "in-use",
            say("in-use", what=what, users=needed_by.named(design)),
        )


def heeding_gone(before: Design, after: Design) -> Design:
    """`after` without what is set aside about parts of `before` that it does not have: the next part of that name or
    number is another one.
    """
    gone = _places(before) - _places(after)
    kept = tuple(
        ignored
        for ignored in after.ignored_findings
        if gone.isdisjoint((ignored.place, ignored.place.partition(".attributes.")[0]))
    )
    return replaced(after, ignored_findings=kept) if kept != after.ignored_findings else after


def _places(design: Design) -> set[str]:
    """The paths of all parts of a design, as findings have them."""
    attributes = {
        f"entities.{entity.name}.attributes.{attribute.name}"
        for entity in design.entities
        for attribute in entity.attributes
    }
    return (
        attributes
        | {f"entities.{entity.name}" for entity in design.entities}
        | {f"relationships.{relationship.name}" for relationship in design.relationships}
        | {f"patterns.{pattern.number}" for pattern in design.patterns}
    )


_CLEARED: dict[str, Any] = {
    "refers_to": None, "derived": None, "aggregate": None, "kept": "at-once",
}  # fmt: skip


def _pointing_nowhere(gone: Users, entity: Entity, attribute: Attribute) -> Attribute:
    own = (entity.name, attribute.name)
    cleared = _CLEARED if own in gone.attributes else {}
    scope = {"unique_within": ()} if own in gone.scopes else {}
    return replaced(attribute, **cleared, **scope) if cleared or scope else attribute


def without_users(design: Design, gone: Users) -> Design:
    """The design without these patterns, relationships and pins, and with these attributes
    pointing nowhere.
    """
    if gone.identifiers:
        raise DesignError(
            "identifier",
            say("in-identifier", entity=gone.identifiers[0]),
        )
    return replaced(
        design,
        entities=each(
            design.entities,
            lambda entity: replaced(
                entity,
                attributes=each(
                    entity.attributes,
                    lambda attribute: _pointing_nowhere(gone, entity, attribute),
                ),
            ),
        ),
        relationships=tuple(
            each for each in design.relationships if each.name not in gone.relationships
        ),
        patterns=tuple(each for each in design.patterns if each.number not in gone.patterns),
        planner=replaced(
            design.planner,
            pins=tuple(
                pin
                for place, pin in enumerate(design.planner.pins)
                if place not in gone.pins and pin.pattern not in gone.patterns
            ),
        ),
    )
