"""Which sizes of attributes a plan assumes."""

from collections.abc import Iterator

from designer.core.capacity.sizes import attribute_value_bytes, is_guessed
from designer.core.design.attributes import Attribute
from designer.core.design.document import Design
from designer.core.design.entities import Entity
from designer.core.plan import Assumed
from designer.core.planner.explain.guessed import FACTOR
from designer.core.planner.explain.repricing import Changes, Repricing
from designer.core.planner.rewrites.resized import resized
from designer.core.planner.rewrites.rewritten import Rewritten


def assumed_sizes(pricing: Repricing, found: Rewritten) -> Iterator[Assumed]:
    """The sizes that nobody stated and that matter."""
    for entity in found.stated.entities:
        for attribute in entity.stored:
            if is_guessed(attribute) and not _follows(found.stated, entity, attribute):
                one = _listed(pricing, entity, attribute, found)
                if one is not None:
                    yield one


def _follows(design: Design, entity: Entity, attribute: Attribute) -> bool:
    """Whether what an attribute refers to says how large its values are."""
    return not is_guessed(design.origin(entity, attribute)[1])


def _listed(
    pricing: Repricing, entity: Entity, attribute: Attribute, found: Rewritten
) -> Assumed | None:
    """The size of one attribute; None where it does not matter."""
    value = attribute_value_bytes(attribute)
    low, high = max(1.0, float(round(value / FACTOR))), float(round(value * FACTOR))
    if attribute.most_bytes is not None:
        high = max(value, min(high, attribute.most_bytes))

    def at(size: float) -> Changes:
        copies = pricing.context.search.requirements.copies
        sizes = resized(entity.name, attribute.name, size, found.taken, copies)
        return {name: {"bytes": bytes_} for name, bytes_ in sizes.items()}

    ends = pricing.with_(at(low)), pricing.with_(at(high))
    return pricing.assumed("size", (entity.name, attribute.name), (value, low, high), ends)
