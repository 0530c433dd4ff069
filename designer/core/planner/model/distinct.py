"""How many values an attribute has in use: as stated, as follows from what is stated, or as is usual."""

from math import prod

from designer.core.design.attributes import GENERATED_FORMATS, Attribute
from designer.core.design.document import Design
from designer.core.design.entities import Entity

ITEMS = 1000.0
"""Of an entity that does not say how many there are."""
CHARACTERS = 64.0
"""That a place in a short text can have: letters, digits and a few signs."""
SHORT = 4
"""Bytes of a text that is too short to have many values."""
PERIODS_IN_A_MONTH = {"year": 1 / 12, "month": 1.0, "date": 30.0, "hour": 720.0}
"""Of the time that an entity's items have come in, as far as its growth says."""
MONTHS = 120.0
"""That dates lie in, where nothing says how many: a date has no value for each item, however many items there are."""


def distinct_values(design: Design, entity: Entity, attribute: Attribute) -> float:
    """How many values of an attribute are in use."""
    known = known_values(design, entity, attribute)
    if known is not None:
        return known
    target, original = design.origin(entity, attribute)
    if original is attribute:
        return _usual_values(design, entity, attribute)
    # What refers to something has no more values than that, which are guessed there.
    most = distinct_values(design, target, original)
    return max(1.0, min(most, float(entity.items or ITEMS) * attribute.present))


def known_values(design: Design, entity: Entity, attribute: Attribute) -> float | None:
    """How many values of an attribute are in use, as stated or as follows from it; None where nothing says so."""
    known = _own_values(design, entity, attribute)
    if known is None and _period(attribute) is None:
        known = _left_by_others(design, entity, attribute)
    span = attribute.span
    if span is None or attribute.distinct is not None:
        return known
    if known is None:
        return span if span <= _usual_values(design, entity, attribute) else None
    return min(known, span)


def _own_values(design: Design, entity: Entity, attribute: Attribute) -> float | None:
    """The same without what the rest of the identifier leaves, and before a stated range bounds it."""
    if attribute.distinct is not None:
        return float(attribute.distinct)
    if attribute.values:
        return float(len(attribute.values))
    items = float(entity.items or ITEMS)
    if attribute.unique or entity.identifier == (attribute.name,):
        return max(items, 1.0)
    target, original = design.origin(entity, attribute)
    if original is not attribute:
        most = known_values(design, target, original)
        return None if most is None else max(1.0, min(most, items * attribute.present))
    if attribute.source is not None and entity.growth_per_month:
        months = items / entity.growth_per_month
        return max(1.0, min(months * PERIODS_IN_A_MONTH[attribute.source[0]], items))
    if attribute.type == "BOOL":
        return 2.0
    if is_of_each(entity, attribute):
        return max(items, 1.0)
    return None


def is_of_each(entity: Entity, attribute: Attribute) -> bool:
    """Whether each item gets a value of its own by when it comes in, or as it is made up for it."""
    return attribute.format in ("datetime", "epoch") or _is_made_for_each(entity, attribute)


def _is_made_for_each(entity: Entity, attribute: Attribute) -> bool:
    """Whether each item gets a value of its own: elsewhere what is generated is the identifier of something else."""
    return attribute.format in GENERATED_FORMATS and entity.identifier[-1] == attribute.name


def _left_by_others(design: Design, entity: Entity, attribute: Attribute) -> float | None:
    """Values of a part of an identifier: as many as it takes to tell the items apart that the other parts do not."""
    if attribute.name not in entity.identifier or not entity.items:
        return None
    if _names_items(design, entity, attribute):
        return None
    others = [
        _own_values(design, entity, entity.by_name[name])
        for name in entity.identifier
        if name != attribute.name
    ]
    known = [values for values in others if values is not None]
    if not known or len(known) < len(others) or prod(known) >= entity.items:
        return None
    return entity.items / prod(known)


def _names_items(design: Design, entity: Entity, attribute: Attribute) -> bool:
    """Whether a part of an identifier is taken to tell all items apart by itself, as others refer to it alone."""
    return (entity.name, attribute.name) in design.referred_to_alone and is_open_text(attribute)


def _period(attribute: Attribute) -> str | None:
    """What an attribute is: a date, or the year, month, date or hour of a time; None where it is no such period."""
    period = attribute.format if attribute.source is None else attribute.source[0]
    return period if period in PERIODS_IN_A_MONTH else None


def _new_in_a_month(design: Design, entity: Entity, attribute: Attribute) -> float | None:
    """Items that come in a month, so that the periods of all are those of the time in which they came.

    A date is taken to follow that time only as a part of the identifier: elsewhere it may be a birthday.
    """
    if attribute.source is not None:
        return design.created.get(entity.name)
    return entity.growth_per_month if attribute.name in entity.identifier else None


def fewest_values(design: Design, entity: Entity, attribute: Attribute) -> float | None:
    """The fewest dates that are likely in an identifier: those of a month, and as many as tell the items apart.

    None for everything else. Each room may have all of its 200 nights on the same 200 dates, but each case of court has
    its three hearings on other dates than most.
    """
    period = _period(attribute)
    if period is None or attribute.name not in entity.identifier:
        return None
    few = min(PERIODS_IN_A_MONTH[period], distinct_values(design, entity, attribute))
    return max(few, _left_by_others(design, entity, attribute) or 0.0)


def _usual_values(design: Design, entity: Entity, attribute: Attribute) -> float:
    """How many values an attribute is taken to have where nothing says so."""
    items = float(entity.items or ITEMS)
    if attribute.format == "email" or _names_items(design, entity, attribute):
        return max(items, 1.0)
    period = _period(attribute)
    if period is not None:
        new = _new_in_a_month(design, entity, attribute)
        months = min(MONTHS, items / new) if new else MONTHS
        usual = min(items if new else items / 10, months * PERIODS_IN_A_MONTH[period])
        return max(1.0, usual, _left_by_others(design, entity, attribute) or 0.0)
    if attribute.format == "enum":
        return max(1.0, min(10.0, items))
    return max(1.0, min(_values_by_name(design, entity, attribute) or items / 10, items))


def _values_by_name(design: Design, entity: Entity, attribute: Attribute) -> float | None:
    """Values that a text is taken to have by its name, where another entity has one of the same name; or by its length.

    A site is mostly the same site wherever it is written, and a text of two characters has few values.
    """
    if not is_open_text(attribute):
        return None
    found = [
        values
        for other in design.entities
        if other is not entity
        and (same := other.by_name.get(attribute.name)) is not None
        and same.type == attribute.type
        and (same.distinct or same.values or same.name in other.identifier)
        and (values := known_values(design, other, same)) is not None
    ]
    if found:
        return max(found)
    if attribute.bytes is not None and attribute.bytes <= SHORT:
        return min(float(entity.items or ITEMS) / 10, float(CHARACTERS**attribute.bytes))
    return None


def is_open_text(attribute: Attribute) -> bool:
    """Whether an attribute holds text of which nobody lists the values, and no time."""
    is_text = attribute.type == "S" and attribute.format in (None, "text", "url")
    return is_text and attribute.values is None and attribute.source is None


def says_its_values(attribute: Attribute) -> bool:
    return attribute.distinct is not None or bool(attribute.listed)
