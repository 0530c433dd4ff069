"""What a design could say and does not: what checklists name, and what the workspace asks for next."""

from designer.core.design.document import Design
from designer.core.design.entities import Relationship
from designer.core.patterns.base import Pattern
from designer.core.patterns.elsewhere import Elsewhere


def purpose(design: Design) -> tuple[str, ...]:
    """Of domain, business and scale, what the context leaves out."""
    context = design.context
    said = {
        "domain": context.domain if context else None,
        "business": context.business if context else "",
        "scale": context.scale if context else "",
    }
    return tuple(name for name, text in said.items() if not text)


def counts(design: Design) -> tuple[str, ...]:
    """Entities that do not say how many items there are."""
    return tuple(entity.name for entity in design.entities if entity.items is None)


def references(design: Design) -> tuple[tuple[str, str, str], ...]:
    """Attributes that refer to an entity to which no relationship leads: entity, attribute, and the other entity."""
    found = []
    for entity in design.entities:
        targets = [
            (attribute.name, attribute.refers_to.partition(".")[0])
            for attribute in entity.attributes
            if attribute.refers_to is not None
        ]
        if targets:
            reached = _reached(design, entity.name)
            found += [(entity.name, name, to) for name, to in targets if to not in reached]
    return tuple(found)


def fan_out(design: Design) -> tuple[str, ...]:
    """Relationships that do not say how many there are of each other, on average and at the most."""
    return tuple(one.name for one in design.relationships if how_many(one))


def how_many(one: Relationship) -> tuple[str, ...]:
    """What a relationship does not say of how many there are of each other: `on average`, `at most`."""
    if one.cardinality == "1:1":
        return ()
    known = {"on average": one.averages or one.average, "at most": one.mosts or one.most}
    return tuple(words for words, figure in known.items() if figure is None)


def rates(design: Design) -> tuple[int, ...]:
    """Patterns asked of DynamoDB that have no rate."""
    return tuple(p.number for p in asked(design) if p.rate is None)


def lacks_rates(design: Design) -> bool:
    """Whether no pattern asked of DynamoDB has a rate, so that nothing that is asked has a price."""
    return len(rates(design)) == len(asked(design))


def peaks(design: Design) -> tuple[int, ...]:
    """Those that have an average and no peak."""
    return tuple(p.number for p in asked(design) if p.rate is not None and p.rate.peak is None)


def asked(design: Design) -> tuple[Pattern, ...]:
    """The patterns that DynamoDB is to answer."""
    return tuple(p for p in design.patterns if not isinstance(p, Elsewhere))


def _reached(design: Design, entity: str) -> set[str]:
    """The entity, and those to which relationships lead up from it, also by way of others."""
    reached, ways = {entity}, [entity]
    for name in ways:
        for relationship in design.of_child.get(name, ()):
            new = [parent for parent in relationship.parents if parent not in reached]
            reached.update(new)
            ways += new
    return reached
