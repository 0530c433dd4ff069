"""Relationships added, changed, renamed and removed."""

from designer.core.design.attributes import Attribute
from designer.core.design.document import Design
from designer.core.design.entities import Entity, Relationship
from designer.core.edits.references import GONE, Renaming, Users, renamed, users
from designer.core.edits.removing import heeding_gone, refuse_if_used, without_users
from designer.core.edits.replacing import checked, each, replaced
from designer.core.errors import DesignError
from designer.core.messages import say


def add_relationship(design: Design, relationship: Relationship) -> Design:
    """An attribute that the relationship is joined by is made where the child has none."""
    _refuse_taken(design, relationship.name)
    after = _joined(design, relationship)
    added = (*after.relationships, replaced(relationship, id=None))
    return checked(design, replaced(after, relationships=added))


def change_relationship(design: Design, name: str, relationship: Relationship) -> Design:
    """A new name is followed wherever the old one was mentioned."""
    relationship_of(design, name)
    after = design
    if relationship.name != name:
        _refuse_taken(design, relationship.name)
        after = renamed(Renaming(design, relationships={name: relationship.name}))
    changed = each(
        after.relationships, lambda old: relationship if old.name == relationship.name else old
    )
    return checked(design, replaced(after, relationships=changed))


def remove_relationship(design: Design, name: str, *, and_users: bool = False) -> Design:
    """Without `and_users`, refused while a pattern or an attribute follows it."""
    relationship_of(design, name)
    needed_by = relationship_users(design, name)
    if not and_users:
        refuse_if_used(design, say("the-relationship", name=name), needed_by)
    after = without_users(design, needed_by)
    kept = tuple(each for each in after.relationships if each.name != name)
    return checked(design, heeding_gone(design, replaced(after, relationships=kept)))


def relationship_users(design: Design, name: str) -> Users:
    return users(Renaming(design, relationships={name: GONE}))


def relationship_of(design: Design, name: str) -> Relationship:
    """The relationship of a name; refused when it is not there any more."""
    if name not in design.relationship:
        raise DesignError("gone", say("part-gone", what=say("the-relationship", name=name)))
    return design.relationship[name]


def same_relationship(design: Design, old: Relationship) -> Relationship:
    """The relationship as it is now, whatever its name; refused when it is not there any more."""
    same = (each for each in design.relationships if old.id is not None and each.id == old.id)
    return next(same, None) or relationship_of(design, old.name)


def child_joined(design: Design, relationship: Relationship) -> Entity | None:
    """The child with the attributes that the relationship is joined by; None where the design has no such entity."""
    return _joined(design, relationship).entity.get(relationship.child)


def _joined(design: Design, relationship: Relationship) -> Design:
    """The design with the references that the relationship needs, made where there are none."""
    parents = relationship.parents
    for side, parent in enumerate(parents):
        child = design.entity.get(relationship.child)
        if child is None or any(name not in design.entity for name in parents):
            continue
        pairs = design.sides(relationship)[side][1]
        if pairs and all(own in child.by_name for own, _ in pairs):
            continue
        identifier = design.entity[parent].identifier
        wanted = relationship.references or identifier
        if side and parent in parents[:side]:
            # An entity with itself: the other side needs names of its own.
            wanted = wanted[len(identifier) :] or tuple(
                f"other{name[:1].upper()}{name[1:]}" for name in identifier
            )
        if len(wanted) != len(identifier):
            continue
        made = dict(zip(wanted, design.entity[parent].identifier, strict=True))
        design = _referring(design, child, parent, made)
    return design


def _referring(design: Design, child: Entity, parent: str, made: dict[str, str]) -> Design:
    """The child with attributes that refer to the parent's: those it has, and new ones."""
    attributes = {each.name: each for each in child.attributes}
    for name, target in made.items():
        like = design.entity[parent].by_name[target]
        own = attributes.get(name)
        if own is None:
            own = Attribute(
                name=name,
                type=like.type,
                format=like.format,
                digits=like.digits,
                scale=like.scale,
                minimum=like.minimum,
                maximum=like.maximum,
                bytes=like.bytes,
            )
        if own.refers_to is None and child.name != parent:
            own = replaced(own, refers_to=f"{parent}.{target}")
        attributes[name] = own
    changed = replaced(child, attributes=tuple(attributes.values()))
    return replaced(
        design,
        entities=each(design.entities, lambda old: changed if old.name == child.name else old),
    )


def _refuse_taken(design: Design, name: str) -> None:
    if name in design.relationship:
        raise DesignError("name-taken", say("relationship-called-so", name=name))
