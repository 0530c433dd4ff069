"""Which attributes the access patterns make use of."""

from designer.core.design.document import Design, Entity
from designer.core.lint.base import asked_elsewhere, brought_along, changes, conditions, reads
from designer.core.patterns.delete import Delete
from designer.core.patterns.list import List


def is_read(design: Design, entity: Entity, name: str) -> bool:
    """Whether a pattern returns an attribute, asks by it, or makes a write depend on it."""
    for pattern in reads(design):
        if entity.name in pattern.entities:
            if pattern.kind not in ("count", "exists") and not _figure(pattern):
                if pattern.attributes is None or name in pattern.attributes:
                    return True
            elif name in _figure(pattern):
                return True
            if name in {c.attribute for c in conditions(pattern)} | {
                o.attribute for o in pattern.orders
            }:
                return True
        for condition in conditions(pattern):
            # A path ends at an attribute of the entity it leads to.
            *through, last = condition.attribute.split(".")
            if through and last == name and design.relationship[through[-1]].parent == entity.name:
                return True
        for (along, asked), part in zip(brought_along(design, pattern), pattern.with_, strict=True):
            used = {c.attribute for c in part.keep} | {o.attribute for o in part.orders}
            if along == entity.name and (asked is None or name in asked or name in used):
                return True
    deletes = [p for p in design.patterns if isinstance(p, Delete) and p.entity == entity.name]
    if any(name == condition.attribute for delete in deletes for condition in delete.where):
        return True
    if entity.name in asked_elsewhere(design):
        return True
    return any(
        change.entity == entity.name
        and name in {*change.by, *change.given, *(c.attribute for c in change.if_)}
        for _, change in changes(design)
    )


def _figure(pattern: object) -> tuple[str, ...]:
    if not isinstance(pattern, List) or pattern.result is None:
        return ()
    return tuple(
        n
        for n in (pattern.result.sum, pattern.result.greatest, pattern.result.least)
        if n is not None
    )
