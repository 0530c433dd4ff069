"""Entities added, changed, renamed and removed."""

from designer.core.design.document import Design
from designer.core.design.entities import Entity
from designer.core.edits.references import GONE, Renaming, Users, renamed, users
from designer.core.edits.removing import heeding_gone, refuse_if_used, without_users
from designer.core.edits.replacing import checked, each, replaced
from designer.core.errors import DesignError
from designer.core.messages import say


def add_entity(design: Design, entity: Entity) -> Design:
    _refuse_taken(design, entity.name)
    added = (*design.entities, replaced(entity, id=None))
    return checked(design, replaced(design, entities=added))


def change_entity(design: Design, name: str, entity: Entity) -> Design:
    """All of an entity but its attributes; a new name is followed wherever the old one was
    mentioned.
    """
    entity_of(design, name)
    after = design
    if entity.name != name:
        _refuse_taken(design, entity.name)
        after = renamed(Renaming(design, entities={name: entity.name}))
    attributes = after.entity[entity.name].attributes
    changed = replaced(entity, attributes=attributes)
    return checked(
        design,
        replaced(
            after,
            entities=each(after.entities, lambda old: changed if old.name == entity.name else old),
        ),
    )


def remove_entity(design: Design, name: str, *, and_users: bool = False) -> Design:
    """Without `and_users`, refused while a pattern, a relationship or a reference needs it."""
    entity_of(design, name)
    needed_by = entity_users(design, name)
    if not and_users:
        refuse_if_used(design, name, needed_by)
    after = without_users(design, needed_by)
    kept = tuple(entity for entity in after.entities if entity.name != name)
    return checked(design, heeding_gone(design, replaced(after, entities=kept)))


def entity_users(design: Design, name: str) -> Users:
    """What mentions the entity, or a relationship of the entity's."""
    entities = {name: GONE}
    own = users(Renaming(design, entities=entities)).relationships
    gone = {relationship: f"{GONE}{at}" for at, relationship in enumerate(own)}
    return users(Renaming(design, entities=entities, relationships=gone))


def entity_of(design: Design, name: str) -> Entity:
    """The entity of a name; refused when it is not there any more."""
    if name not in design.entity:
        raise DesignError("gone", say("part-gone", what=name))
    return design.entity[name]


def same_entity(design: Design, old: Entity) -> Entity:
    """The entity as it is now, whatever it is called; refused when it is not there any more."""
    same = (each for each in design.entities if old.id is not None and each.id == old.id)
    return next(same, None) or entity_of(design, old.name)


def _refuse_taken(design: Design, name: str) -> None:
    taken = {entity.name.lower(): entity.name for entity in design.entities}
    if name.lower() in taken:
        raise DesignError("name-taken", say("entity-called-so", name=taken[name.lower()]))
