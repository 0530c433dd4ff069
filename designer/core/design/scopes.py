"""Whether an attribute can be unique within the scope that is stated for it."""

from collections.abc import Iterator

from designer.core.design.attributes import KEY_TYPES, Attribute
from designer.core.design.changes import counted_attributes
from designer.core.design.check_patterns.flaws import unknown
from designer.core.design.document import Design
from designer.core.design.entities import Entity
from designer.core.design.text import Flaw
from designer.core.messages import Message, say


def unfit_scopes(design: Design, entity: Entity, attribute: Attribute) -> Iterator[Flaw]:
    """What is wrong with `unique_within` of an attribute, each with the place in it and a remedy."""
    scope = attribute.unique_within
    if not scope:
        return
    if attribute.unique:
        yield (
            ("unique_within",),
            say("unique-everywhere", name=attribute.name),
        )
    elif attribute.type not in KEY_TYPES:
        yield (
            ("unique_within",),
            say("unique-type", name=attribute.name, type=attribute.type),
        )
    for at in range(len(scope)):
        said = _unfit(entity, attribute, at)
        if said is not None:
            yield ("unique_within", at), said
    for name in sorted(counted_attributes(design, entity) & {*scope, attribute.name}):
        if entity.by_name[name].aggregate is not None:
            continue  # said of the attribute itself
        yield (
            ("unique_within",),
            say("scope-is-added-to", name=name),
        )
    if set(entity.identifier) <= {*scope, attribute.name}:
        yield (
            ("unique_within",),
            say("scope-identifies", known=entity.identifier, entity=entity.name),
        )


def _unfit(entity: Entity, attribute: Attribute, at: int) -> Message | None:
    """What is wrong with one attribute of the scope; None where nothing is."""
    name = attribute.unique_within[at]
    found = entity.by_name.get(name)
    if found is None:
        return unknown("attribute", name, entity.by_name, entity.name)
    if name == attribute.name:
        return say("scope-of-itself", name=name)
    if name in attribute.unique_within[:at]:
        return say("scope-twice", name=name)
    if found.derived is not None:
        return say("scope-derived", name=name)
    if found.aggregate is not None:
        return say("scope-aggregate", name=name)
    if found.type not in KEY_TYPES:
        return say("scope-type", name=name, type=found.type)
    return None
