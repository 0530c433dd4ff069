"""Whether an attribute can be unique within the scope that is stated for it."""

from collections.abc import Iterator

from designer.core.design.attributes import KEY_TYPES, Attribute
from designer.core.design.changes import counted_attributes
from designer.core.design.check_patterns.flaws import unknown
from designer.core.design.document import Design
from designer.core.design.entities import Entity
from designer.core.design.text import Path


def unfit_scopes(
    design: Design, entity: Entity, attribute: Attribute
) -> Iterator[tuple[Path, str]]:
    """What is wrong with `unique_within` of an attribute, each with the place in it and a remedy."""
    scope = attribute.unique_within
    if not scope:
        return
    if attribute.unique:
        yield (
            ("unique_within",),
            f"`{attribute.name}` is unique among all items, and so within every scope; remove `unique` or "
            "`unique_within`",
        )
    elif attribute.type not in KEY_TYPES:
        yield (
            ("unique_within",),
            f"`{attribute.name}` has type {attribute.type}; a unique attribute has type S, N or B",
        )
    for at in range(len(scope)):
        said = _unfit(entity, attribute, at)
        if said:
            yield ("unique_within", at), said
    for name in sorted(counted_attributes(design, entity) & {*scope, attribute.name}):
        if entity.by_name[name].aggregate is not None:
            continue  # said of the attribute itself
        yield (
            ("unique_within",),
            f"a write adds to `{name}`, and a guard's key cannot follow that; let the write `set` it, or leave it out "
            "of the scope",
        )
    if set(entity.identifier) <= {*scope, attribute.name}:
        known = ", ".join(f"`{name}`" for name in entity.identifier)
        yield (
            ("unique_within",),
            f"{known} already identifies one {entity.name}; remove `unique_within`, or leave part of the identifier "
            "out of it",
        )


def _unfit(entity: Entity, attribute: Attribute, at: int) -> str:
    """What is wrong with one attribute of the scope; empty where nothing is."""
    name = attribute.unique_within[at]
    found = entity.by_name.get(name)
    if found is None:
        return unknown("attribute", name, entity.by_name, entity.name)
    if name == attribute.name:
        return f"`{name}` cannot be its own scope; name the attribute whose items have different values"
    if name in attribute.unique_within[:at]:
        return f"the scope names `{name}` twice; name it once"
    if found.derived is not None:
        return f"`{name}` is derived and not stored; name an attribute that is stored"
    if found.aggregate is not None:
        return f"`{name}` is an aggregate over children; name an attribute that writes set"
    if found.type not in KEY_TYPES:
        return f"`{name}` has type {found.type}; a scope is of type S, N or B"
    return ""
