"""An attribute that a pattern asks by, of which nobody stated how many values it has."""

from collections.abc import Iterator

from designer.core.design.attributes import GENERATED_FORMATS, Attribute
from designer.core.design.document import Design
from designer.core.design.entities import Entity
from designer.core.lint.base import (
    Found,
    Plans,
    Rule,
    at_attribute,
    conditions,
    distinct_values,
    reads,
)
from designer.core.messages import say
from designer.core.patterns.base import Read


class ValuesNotCounted(Rule):
    id = "P109"
    severity = "warning"
    title = "Number of values not stated"
    of_many = "attributes do not say how many values they have"
    about = "attribute"
    what = (
        "An access pattern finds items by the value of an attribute, but the design does not state how many "
        "values the attribute has."
    )
    why = (
        "This number decides how many items an access pattern finds, what it costs, and how the load spreads "
        "over partitions. Without it, Keywright assumes one value for every ten items, which is far too many for a "
        "status."
    )
    source = "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-uniform-load.html"
    cure = "State its values or their number. If the values belong to another entity, state the reference."

    def check(self, design: Design, plans: Plans) -> Iterator[Found]:
        for entity, attribute in _asked_by(design):
            if _is_anybodys_guess(design, entity, attribute):
                yield Found(
                    at_attribute(entity.name, attribute.name),
                    say("values-not-counted", entity=entity.name, attribute=attribute.name),
                    say("state-values"),
                )


def _asked_by(design: Design) -> Iterator[tuple[Entity, Attribute]]:
    """What a pattern gives a value of."""
    for read in reads(design):
        for entity in (design.entity[name] for name in read.entities):
            for condition in conditions(read):
                attribute = entity.by_name.get(condition.attribute)
                if attribute is None or condition.is_ is None:
                    continue
                if not _names_one_by(attribute, read):
                    yield entity, attribute


def _names_one_by(attribute: Attribute, read: Read) -> bool:
    """Whether a value is given with its scope, and so belongs to one item at the most."""
    given = {condition.attribute for condition in conditions(read) if condition.is_ is not None}
    return bool(attribute.unique_within) and given.issuperset(
        (attribute.name, *attribute.unique_within)
    )


def _is_anybodys_guess(design: Design, entity: Entity, attribute: Attribute) -> bool:
    """Whether neither the design nor the kind of value says how many there are."""
    is_known = (
        attribute.unique
        or attribute.name in entity.identifier
        or attribute.format not in (None, *GENERATED_FORMATS)
        or attribute.source is not None
        or attribute.aggregate is not None
        or (entity.name, attribute.name) in design.referred
    )
    return not is_known and distinct_values(design, entity, attribute) is None
