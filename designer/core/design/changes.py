"""What the writes of a design change: an attribute that some write sets is mutable (rule 2).

See docs/modelling-rules.md.
"""

from designer.core.design.document import Design
from designer.core.design.entities import Entity
from designer.core.design.kept import kept_figures
from designer.core.patterns.base import Member, Write


def mutable_attributes(design: Design) -> dict[str, frozenset[str]]:
    """For each entity, the attributes that change: as stated, as some write sets, and what is derived from those."""
    found = {e.name: {a.name for a in e.attributes if a.mutable} for e in design.entities}
    for pattern in design.patterns:
        if not isinstance(pattern, Write) or pattern.status == "declined":
            continue
        for change in pattern.changes:
            # A design may be asked before it is known whether its parts hang together.
            if (change.verb == "update" or change.may_replace) and change.entity in found:
                entity = design.entity[change.entity]
                found[change.entity] |= changed_attributes(entity, change)
    for figure in kept_figures(design):
        found[figure.entity].add(figure.name)
    for entity in design.entities:
        mutable = found[entity.name]
        mutable |= {a.name for a in entity.attributes if a.source and a.source[1] in mutable}
        mutable -= set(entity.identifier)
    return {name: frozenset(names) for name, names in found.items()}


def counted_attributes(design: Design, entity: Entity) -> frozenset[str]:
    """The numbers of an entity that some write adds to, and the figures it keeps: no composed key can follow these."""
    counted = {figure.name for figure in kept_figures(design) if figure.entity == entity.name}
    for pattern in design.patterns:
        if isinstance(pattern, Write) and pattern.status != "declined":
            for change in pattern.changes:
                counted |= set(change.add) if change.entity == entity.name else set()
    return frozenset(counted)


def left_out(entity: Entity, change: Member) -> frozenset[str]:
    """The attributes that a new item does not have, as only a later update sets them: nobody gives them to a create."""
    if change.verb != "create":
        return frozenset()
    later = {one.name for one in entity.attributes if one.later}
    return frozenset(later - change.set.keys())


def changed_attributes(entity: Entity, change: Member) -> frozenset[str]:
    """The attributes that a write may change."""
    if change.writes_whole or change.verb == "delete":
        changed = set(entity.stored_names.difference(entity.identifier))
    elif change.verb == "check":
        changed = set()
    else:
        changed = set(change.written)
    return frozenset(
        changed | {a.name for a in entity.attributes if a.source and a.source[1] in changed}
    )
