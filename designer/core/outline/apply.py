"""What lines of text say, as an edit of a design: all of it or nothing."""

from pydantic import TypeAdapter, ValidationError

from designer.core.design.document import Design
from designer.core.design.entities import Relationship
from designer.core.edits import (
    add_attribute,
    add_entity,
    add_pattern,
    add_relationship,
    change_attribute,
    next_number,
)
from designer.core.edits.replacing import (
    checked,
    each,
    first_reason,
    in_one_go,
    is_in_one_go,
    replaced,
)
from designer.core.errors import DesignError, Problem
from designer.core.messages import say
from designer.core.outline.at_once import added_at_once, emptied
from designer.core.outline.attributes import Entry
from designer.core.outline.model import Outline
from designer.core.patterns import AnyPattern
from designer.core.proposing import Parts, relationship_name

PATTERN: TypeAdapter[AnyPattern] = TypeAdapter(AnyPattern)


def add_attributes(design: Design, entity: str, entries: list[Entry]) -> Design:
    """DesignError where the entity has one of them already."""
    with in_one_go(design, len(entries)):
        if is_in_one_go() and entity in design.entity:
            own = _with_attributes(emptied(design, design.entity[entity]), entity, entries)
            changed = own.entity[entity]
            every = each(design.entities, lambda old: changed if old.name == entity else old)
            after = replaced(design, entities=every)
        else:
            after = _with_attributes(design, entity, entries)
    return checked(design, after)


def _with_attributes(design: Design, entity: str, entries: list[Entry]) -> Design:
    for entry in entries:
        design = add_attribute(design, entity, entry.attribute)
    return design


def add_outline(design: Design, outline: Outline) -> Design:
    """The design with the entities and relationships of an outline.

    An entity that the design has already gets the attributes that are new. DesignError with every problem and its line.
    """
    problems = list(outline.problems)
    steps = sum(1 + len(each.entries) for each in outline.entities) + len(outline.relationships)
    with in_one_go(design, steps):
        add = added_at_once if is_in_one_go() else _added
        after = add(design, outline, problems)
    if not problems:
        try:
            checked(design, after)
        except DesignError as error:
            problems.append(Problem("", error.reason))
    if problems:
        problems.sort(key=lambda each: each.line or 0)
        raise DesignError("outline", problems[0].reason, tuple(problems))
    return after


def _added(design: Design, outline: Outline, problems: list[Problem]) -> Design:
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
            problems.append(Problem("", error.reason, outlined.line))
    for line, relationship in outline.relationships:
        try:
            after = add_relationship(after, _named_apart(after, relationship))
        except DesignError as error:
            problems.append(Problem("", error.reason, line))
    return after


def _named_apart(design: Design, relationship: Relationship) -> Relationship:
    """The relationship with a name that the design has not given."""
    if relationship.name not in design.relationship:
        return relationship
    is_one = relationship.cardinality == "1:1"
    free = relationship_name(design, relationship.parent, relationship.child, is_one=is_one)
    return replaced(relationship, name=free)


def add_asked(design: Design, pattern: Parts) -> Design:
    """The design with an access pattern that a sentence or a proposal says. What it sets may change from now on."""
    try:
        made: AnyPattern = PATTERN.validate_python({"number": next_number(design), **pattern})
    except ValidationError as error:
        raise DesignError(
            "not-valid",
            say("sentence", problem=say("without-marks", problem=first_reason(error))),
        ) from None
    entity = design.entity.get(str(pattern.get("entity")))
    for name in pattern.get("set", {}):
        own = entity.by_name.get(name) if entity is not None else None
        if entity is not None and own is not None and not own.mutable:
            design = change_attribute(design, entity.name, name, replaced(own, mutable=True))
    return add_pattern(design, made)
