"""An identifier of which nothing says that a generator makes it, so that its items cannot lie under their parent."""

from collections.abc import Iterator

from designer.core.design.attributes import Attribute
from designer.core.design.document import Design
from designer.core.design.entities import Entity
from designer.core.edits.attributes import attribute_of, change_attribute
from designer.core.edits.replacing import replaced
from designer.core.lint.base import (
    Fix,
    Found,
    Plans,
    Rule,
    at_attribute,
    attribute_at,
    brought_along,
    changes,
    conditions,
    keyed,
    reads,
)
from designer.core.messages import say
from designer.core.patterns.base import Read
from designer.core.plan import keys


class IdentifierNotGenerated(Rule):
    id = "P111"
    severity = "advice"
    title = "Identifier without a format"
    of_many = "identifiers do not say whether they are generated"
    about = "attribute"
    what = (
        "Items are found through their parent, never by their own identifier, which is a string with no stated "
        "format."
    )
    why = (
        "DynamoDB enforces uniqueness only for the whole key of a table. Under the key of a parent, two items with the "
        "same identifier could exist, so the plan keys the table by the identifier and reads the items from an index. "
        "If the identifier is a generated UUID or ULID, no two are the same, so the items can be in the partition of "
        "their parent."
    )
    source = "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-sort-keys.html"
    cure = (
        "State the format, if the identifier is a UUID, a ULID or a KSUID. If it is unique within its parent only, "
        "make the parent a part of the identifier. If neither applies, ignore this finding."
    )
    offers = {
        "ulid": "Makes the identifier a ULID, which sorts by creation time.",
    }

    def check(self, design: Design, plans: Plans) -> Iterator[Found]:
        for entity in design.entities:
            attribute = _free_text(design, entity)
            if attribute is None or not _is_keyed_by(plans, entity, attribute):
                continue
            for parent, by in _parents(design, entity):
                if _is_read_by(design, entity, parent, by) and not _is_named(design, entity, by):
                    yield Found(
                        at_attribute(entity.name, attribute.name),
                        say(
                            "identifier-not-generated",
                            entity=entity.name,
                            attribute=attribute.name,
                            parent=parent,
                        ),
                        say("state-format-or-parent", attribute=attribute.name, parent=parent),
                    )
                    break

    def fixes(self, design: Design, plans: Plans, where: str) -> Iterator[Fix]:
        entity, name = attribute_at(where)
        yield Fix("ulid", "Make it a ULID", lambda now: _generated(now, entity, name))


def _free_text(design: Design, entity: Entity) -> Attribute | None:
    """The identifier, where it is one text of no format that refers to nothing, and items of it are created."""
    *others, last = entity.identifier
    attribute = entity.by_name[last]
    is_free = attribute.type == "S" and attribute.format is None and attribute.values is None
    is_created = any(change.create == entity.name for _, change in changes(design))
    if others or not is_free or not is_created or (entity.name, last) in design.referred:
        return None
    return attribute


def _is_keyed_by(plans: Plans, entity: Entity, attribute: Attribute) -> bool:
    """Whether a plan keys the table by the identifier alone."""
    return any(
        index is None
        and shape.role == "entity"
        and shape.entity == entity.name
        and keys.names(template) == (attribute.name,)
        for _, _, index, shape, template in keyed(plans)
    )


def _parents(design: Design, entity: Entity) -> Iterator[tuple[str, frozenset[str]]]:
    """The parents of an entity's items, with the attributes that refer to them."""
    for held in design.held[entity.name]:
        if len(held.by) == 1 and all(held.parts):
            yield held.of, frozenset(min(part) for part in held.parts)


def _is_read_by(design: Design, entity: Entity, parent: str, by: frozenset[str]) -> bool:
    """Whether a read asks for the items of a parent, by themselves or with the parent."""
    return any(
        (entity.name in read.entities and by <= _given(read))
        or (parent in read.entities and entity.name in _brought(design, read))
        for read in reads(design)
    )


def _is_named(design: Design, entity: Entity, by: frozenset[str]) -> bool:
    """Whether a read or a write asks for an item by its identifier without its parent's."""
    name = entity.identifier[0]
    asked = [_given(read) for read in reads(design) if entity.name in read.entities]
    asked += [
        frozenset(change.by or entity.identifier)
        for _, change in changes(design)
        if entity.name in (change.update, change.delete, change.check)
    ]
    is_brought = any(
        entity.name in _brought(design, read)
        for read in reads(design)
        if not any(design.relationship[one.relationship].child == entity.name for one in read.with_)
    )
    return is_brought or any(name in given and not by <= given for given in asked)


def _given(read: Read) -> frozenset[str]:
    return frozenset(one.attribute for one in conditions(read) if one.is_ is not None)


def _brought(design: Design, read: Read) -> set[str]:
    return {name for name, _ in brought_along(design, read)}


def _generated(design: Design, entity: str, name: str) -> Design:
    attribute = replaced(attribute_of(design, entity, name), format="ulid", bytes=None)
    return change_attribute(design, entity, name, attribute)
