"""What lines of text say, as an edit of a design: all of it or nothing."""

from designer.core.design.document import Design, Relationship
from designer.core.edits import add_attribute, add_entity, add_relationship
from designer.core.edits.replacing import replaced
from designer.core.errors import DesignError, Problem
from designer.core.outline.attributes import Entry
from designer.core.outline.model import Outline


def add_attributes(design: Design, entity: str, entries: list[Entry]) -> Design:
    """DesignError where the entity has one of them already."""
    for entry in entries:
        design = add_attribute(design, entity, entry.attribute)
    return design


def add_outline(design: Design, outline: Outline) -> Design:
    """The design with the entities and relationships of an outline.

    An entity that the design has already gets the attributes that are new. DesignError with every problem and its line.
    """
    problems = list(outline.problems)
    after = design
    for outlined in outline.entities:
        try:
            if outlined.name in design.entity:
                known = design.entity[outlined.name].by_name
                new = [each for each in outlined.entries if each.attribute.name not in known]
                after = add_attributes(after, outlined.name, new)
            else:
                after = add_entity(after, outlined.entity)
        except DesignError as error:
            problems.append(Problem("", error.message, outlined.line))
    for line, relationship in outline.relationships:
        try:
            after = add_relationship(after, _named_apart(after, relationship))
        except DesignError as error:
            problems.append(Problem("", error.message, line))
    if problems:
        problems.sort(key=lambda each: each.line or 0)
        raise DesignError("outline", problems[0].message, tuple(problems))
    return after


def _named_apart(design: Design, relationship: Relationship) -> Relationship:
    """The relationship with a name that the design has not given: `rooms`, `hotelRooms`, `hotelRooms2`."""
    name, parent = relationship.name, relationship.parent
    longer = f"{parent[:1].lower()}{parent[1:]}{name[:1].upper()}{name[1:]}"[:60]
    names = (name, longer, *(f"{longer}{number}" for number in range(2, 100)))
    free = next((each for each in names if each not in design.relationship), name)
    return replaced(relationship, name=free)
