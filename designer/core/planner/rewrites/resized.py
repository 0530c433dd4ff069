"""How large attributes are in a design with variants, where one is stated with another size in the design before."""

from collections.abc import Mapping
from dataclasses import replace

from designer.core.design.document import Design
from designer.core.planner.model.cardinality import children_of
from designer.core.planner.model.changed import with_attributes
from designer.core.planner.model.copies import Copied
from designer.core.planner.rewrites.counter_items import CounterItems
from designer.core.planner.rewrites.embedded_items import EmbeddedItems
from designer.core.planner.rewrites.rewritten import Taken
from designer.core.planner.rewrites.split_items import SplitItems

Sizes = Mapping[tuple[str, str], float]
"""Average bytes of the values of attributes, by entity and attribute."""


def resized(
    entity: str, attribute: str, size: float, taken: tuple[Taken, ...], copies: tuple[Copied, ...]
) -> Sizes:
    """The sizes that follow from the size of one stated attribute: its own, those of its copies, of what holds it."""
    sizes = {(entity, attribute): size}
    for one in taken:
        variant = one.variant
        if isinstance(variant, SplitItems | CounterItems):
            for name in variant.part.by_name:
                if (variant.whole.name, name) in sizes:
                    sizes[variant.name, name] = sizes[variant.whole.name, name]
        elif isinstance(variant, EmbeddedItems):
            of_child = {
                name: value for (of, name), value in sizes.items() if of == variant.child.name
            }
            if of_child:
                sizes[variant.parent, variant.attribute] = _embedded(one.before, variant, of_child)
    for copied in copies:
        for name, original in copied.attributes:
            if (copied.parent, original) in sizes:
                sizes[copied.entity, name] = sizes[copied.parent, original]
    return sizes


def _embedded(design: Design, variant: EmbeddedItems, sizes: Mapping[str, float]) -> float:
    """Bytes that all children take in their parent's item, with other sizes of these attributes."""
    child = with_attributes(variant.child, {name: {"bytes": size} for name, size in sizes.items()})
    count = children_of(design, variant.relationship, variant.parent) if variant.rest else 1
    return replace(variant, child=child).bytes_of(count)
