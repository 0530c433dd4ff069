"""Example items while they are made, and what refers to what."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from designer.core.design.document import Design
from designer.core.design.entities import Entity, Relationship
from designer.core.plan.keys import FORMS, Form, Value

Item = dict[str, Value]
"""An item's stored attributes by name; what is missing is not in it. Numbers are Decimal."""

Examples = dict[str, tuple[Item, ...]]
ROOTS = 3
_FIRST_DAY = datetime(2026, 3, 2, 9, 30, tzinfo=UTC)
"""A Monday, like any other."""


@dataclass
class Draft:
    """An item being made: its place among its siblings and the moment it is about."""

    item: Item
    place: int
    moment: datetime


def derived(entity: Entity, item: Item) -> Item:
    """The item with its derived attributes worked out: what keys and conditions may name."""
    whole = dict(item)
    for attribute in entity.attributes:
        if attribute.source is not None:
            form, source = attribute.source
            value = item.get(source)
            if value is not None:
                whole[attribute.name] = FORMS[form](Form(form, source), value)
    return whole


@dataclass(frozen=True)
class Link:
    """How an entity refers to another: pairs (its attribute, the other's attribute)."""

    target: str
    pairs: tuple[tuple[str, str], ...]
    relationship: Relationship | None = None


def links(design: Design, entity: Entity) -> tuple[Link, ...]:
    """What an entity refers to, the one its items belong to first."""
    found: list[Link] = []
    covered: set[str] = set()
    for relationship in design.of_child.get(entity.name, ()):
        for target in dict.fromkeys(relationship.parents):
            if target not in design.entity:
                continue
            pairs = design.references(relationship, target)
            if pairs:
                found.append(Link(target, pairs, relationship))
                covered.update(mine for mine, _ in pairs)
    for attribute in entity.attributes:
        target, _, theirs = (attribute.refers_to or "").partition(".")
        known = design.entity.get(target)
        if attribute.name not in covered and known is not None and theirs in known.by_name:
            found.append(Link(target, ((attribute.name, theirs),)))

    def belonging(link: Link) -> tuple[bool, bool]:
        identifying = link.relationship is not None and link.relationship.identifying
        in_identifier = all(mine in entity.identifier for mine, _ in link.pairs)
        return not identifying, not in_identifier

    return tuple(sorted(found, key=belonging))


def root_moment(place: int) -> datetime:
    """When an item that belongs to nobody came to be, by its place among its kind from 0."""
    return _FIRST_DAY + timedelta(days=3 * place, hours=place)
