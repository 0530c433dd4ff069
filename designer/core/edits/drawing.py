"""Where boxes stand in the diagram: kept where somebody put them, or left to be laid out."""

from designer.core.design.document import Design
from designer.core.design.entities import Entity
from designer.core.edits.entities import entity_of
from designer.core.edits.replacing import each, replaced
from designer.core.errors import DesignError
from designer.core.messages import say

FURTHEST = 20_000
"""Pixels from the corner of the diagram; what is put further stands there."""


def move_entity(design: Design, name: str, x: float, y: float) -> Design:
    """Keep the left upper corner of an entity's box at a place, in pixels right and down."""
    entity_of(design, name)
    at = (_within(x), _within(y))

    def moved(entity: Entity) -> Entity:
        return replaced(entity, drawn_at=at) if entity.name == name else entity

    return replaced(design, entities=each(design.entities, moved))


def arrange(design: Design) -> Design:
    """Keep no box anywhere: all are laid out automatically."""
    if not any(entity.drawn_at for entity in design.entities):
        raise DesignError("nothing-moved", say("no-box-moved"))
    entities = each(design.entities, lambda entity: replaced(entity, drawn_at=None))
    return replaced(design, entities=entities)


def _within(length: float) -> int:
    return round(min(max(length, -FURTHEST), FURTHEST))
