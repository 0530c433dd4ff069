"""Attributes added, changed, renamed and removed."""

from designer.core.design.attributes import Attribute
from designer.core.design.document import Design
from designer.core.design.entities import Entity
from designer.core.edits.entities import entity_of
from designer.core.edits.references import GONE, Renaming, Users, renamed, users
from designer.core.edits.removing import heeding_gone, refuse_if_used, without_users
from designer.core.edits.replacing import checked, each, replaced
from designer.core.errors import DesignError
from designer.core.messages import say


def add_attribute(design: Design, entity: str, attribute: Attribute) -> Design:
    owner = entity_of(design, entity)
    _refuse_taken(owner, attribute.name)
    changed = replaced(owner, attributes=(*owner.attributes, replaced(attribute, id=None)))
    return checked(design, _with_entity(design, changed))


def change_attribute(design: Design, entity: str, name: str, attribute: Attribute) -> Design:
    """A new name is followed wherever the old one was mentioned."""
    attribute_of(design, entity, name)
    after = design
    if attribute.name != name:
        _refuse_taken(design.entity[entity], attribute.name)
        after = renamed(Renaming(design, attributes={(entity, name): attribute.name}))
    owner = after.entity[entity]
    changed = replaced(
        owner,
        attributes=each(
            owner.attributes, lambda old: attribute if old.name == attribute.name else old
        ),
    )
    return checked(design, _with_entity(after, changed))


def remove_attribute(design: Design, entity: str, name: str, *, and_users: bool = False) -> Design:
    """Without `and_users`, refused while anything mentions it; never removed from an identifier."""
    attribute_of(design, entity, name)
    needed_by = attribute_users(design, entity, name)
    if not and_users:
        refuse_if_used(design, f"{entity}.{name}", needed_by)
    after = without_users(design, needed_by)
    owner = after.entity[entity]
    kept = tuple(attribute for attribute in owner.attributes if attribute.name != name)
    left = _with_entity(after, replaced(owner, attributes=kept))
    return checked(design, heeding_gone(design, left))


def attribute_users(design: Design, entity: str, name: str) -> Users:
    return users(Renaming(design, attributes={(entity, name): GONE}))


def attribute_of(design: Design, entity: str, name: str) -> Attribute:
    """The attribute of a name; refused when it is not there any more."""
    attribute = entity_of(design, entity).by_name.get(name)
    if attribute is None:
        raise DesignError("gone", say("attribute-gone", entity=entity, name=name))
    return attribute


def same_attribute(design: Design, entity: Entity, old: Attribute) -> Attribute:
    """The attribute as it is now, whatever it is called; refused when it is not there any more."""
    same = (each for each in entity.attributes if old.id is not None and each.id == old.id)
    return next(same, None) or attribute_of(design, entity.name, old.name)


def _with_entity(design: Design, changed: Entity) -> Design:
    return replaced(
        design,
        entities=each(design.entities, lambda old: changed if old.name == changed.name else old),
    )


def _refuse_taken(entity: Entity, name: str) -> None:
    if name in entity.by_name:
        raise DesignError("name-taken", say("attribute-called-so", entity=entity.name, name=name))
