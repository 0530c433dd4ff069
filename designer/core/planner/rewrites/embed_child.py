"""Together (rule 17): a child that lives in its parent's item, as an entry of a map or as a map of its own.

`embeddings` lists the children that may. `rewritten` is the design with one of them inside its parent, which is
searched and priced like any other; `mapped_back` puts its plan back into the words of the design as it is stated.

What is embedded is an identifying relationship's child: it cannot exist without its parent, so it cannot be
there before the parent is, and goes with it.

See docs/modelling-rules.md.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from designer.core.capacity.sizes import entity_bytes
from designer.core.design.document import Design
from designer.core.design.settings import Pin
from designer.core.dynamodb.limits import EMBEDDED_BYTES, ITEM_BYTES
from designer.core.messages import Value, say
from designer.core.patterns.base import Read, Write
from designer.core.plan import Decision, Plan, Style
from designer.core.planner.model.cardinality import children_of
from designer.core.planner.model.pins import obeyed
from designer.core.planner.model.wording import plural
from designer.core.planner.operations.context import Stated
from designer.core.planner.rewrites.embed_mapping import mapped_back
from designer.core.planner.rewrites.embed_rewriting import rewritten
from designer.core.planner.rewrites.embedded_items import EmbeddedItems
from designer.core.planner.rewrites.rewriting import Tried, asking, per_second
from designer.core.planner.rewrites.rewritten import Variant


@dataclass(frozen=True)
class Embedding(EmbeddedItems, Variant):
    """A child inside its parent's item."""

    def rewritten(self, design: Design) -> Design | None:
        """The design as if the child were an attribute of its parent; None where a pattern needs it apart."""
        return rewritten(design, self)

    def mapped_back(self, plan: Plan, stated: Stated) -> Plan:
        """The plan of the rewritten design in the words of the one before. `stated`: its models and patterns."""
        return mapped_back(plan, self, stated)

    def decision(self, design: Design, tried: Tried) -> Decision:
        """Together or apart: how often both are asked for, how big they are and how often they change."""
        parent, child = design.entity[self.parent], self.child
        figures: dict[str, Value] = {
            "share": _share_of_both(design, self),
            "parent": parent.name,
            "child": child.name,
            "parent_bytes": float(entity_bytes(parent)),
            "parent_writes": _writes_of(design, parent.name),
            "child_writes": _writes_of(design, child.name),
        }
        if self.rest:
            count = children_of(design, self.relationship, parent.name)
            size = float(self.bytes_of(count))
            reasons = [say("read-with-children", **figures, count=count, child_bytes=size)]
        else:
            reasons = [say("read-with-child", **figures, child_bytes=float(self.bytes_of(1)))]
        if tried.kept:
            reasons.append(say("child-inside-parent", parent=parent.name, child=child.name))
        inside = say("inside-parent", parent=parent.name, attribute=self.attribute)
        return tried.decided(
            f"together {parent.name} {child.name}",
            (say("item-of-its-own"), inside),
            asking(design, child.name),
            tuple(reasons),
        )


def _share_of_both(design: Design, found: Embedding) -> float:
    """Of the reads that ask for the parent or the child, by their rates, the share that ask for both."""
    both = all_of_them = 0.0
    for pattern in design.patterns:
        if isinstance(pattern, Read) and pattern.rate is not None:
            asked = set(pattern.entities)
            if any(along.relationship == found.relationship.name for along in pattern.with_):
                asked |= {found.child.name, found.parent}
            common = asked & {found.child.name, found.parent}
            all_of_them += pattern.rate.average * bool(common)
            both += pattern.rate.average * (len(common) == 2)
    return both / all_of_them if all_of_them else 0.0


def _writes_of(design: Design, entity: str) -> float:
    """How often an entity's items are written in a second."""
    return sum(
        per_second(pattern, change)
        for pattern in design.patterns
        if isinstance(pattern, Write)
        for change in pattern.changes
        if change.entity == entity and change.verb != "check"
    )


def embeddings(design: Design, style: Style) -> Iterator[Embedding]:
    """The children that may live in their parent's item, whatever the patterns ask."""
    pins = [pin for _, pin in obeyed(design, style)]
    for relationship in design.relationships:
        if not relationship.identifying or relationship.cardinality == "N:M":
            continue
        child, parent = design.entity[relationship.child], design.entity[relationship.parent]
        same = design.references(relationship, parent.name)
        one = relationship.cardinality == "1:1"
        taken = {a.name for entity in design.entities for a in entity.attributes}
        name = child.name if one else plural(child.name)
        attribute = name[:1].lower() + name[1:]
        while attribute in taken:
            attribute += "_"
        found = Embedding(relationship, child, parent.name, attribute, same)
        most = 1 if one else relationship.most
        if most is None or bool(found.rest) == one or not _may_lie_inside(design, found, pins):
            continue
        whole = found.bytes_of(most)
        if whole <= EMBEDDED_BYTES and entity_bytes(parent) + whole <= ITEM_BYTES:
            yield found


def _may_lie_inside(design: Design, found: Embedding, pins: Iterable[Pin]) -> bool:
    child, parent = found.child, design.entity[found.parent]
    others = [r for r in design.relationships if r.name != found.relationship.name]
    edges = {r.through for r in others}
    return (
        child.name != parent.name
        and all(own == theirs and own in child.identifier for own, theirs in found.same)
        and not child.uniques
        and not child.expires
        and child.needs in (None, parent.needs)
        and not any(child.name in other.parents for other in others)
        and not edges & {child.name, parent.name}
        and not _has_figures(design, found)
        and not any(_needs_item(design, child.name, pin) for pin in pins)
    )


def _needs_item(design: Design, child: str, pin: Pin) -> bool:
    """Whether a pin speaks of a child's own items: of its keys or its table, or of what finds it first."""
    if pin.pattern is None:
        return child in (pin.entity, *(pin.table or ()))
    pattern = design.pattern(pin.pattern)
    return isinstance(pattern, Read) and pattern.entities[0] == child


def _has_figures(design: Design, found: Embedding) -> bool:
    """Whether a figure is kept on the parent or the child, or over the child's items: writes of items keep it."""
    for entity in design.entities:
        for attribute in entity.attributes:
            _, _, path = (attribute.aggregate or "").partition(" of ")
            over = design.relationship.get(path.partition(".")[0])
            if over is not None and {entity.name, over.child} & set(found.concerns):
                return True
    return False
