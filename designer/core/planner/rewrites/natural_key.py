"""A unique attribute in the place of a generated identifier that nobody asks by (rule 1).

What has a user name and a generated number is named by the number, and a guard then keeps the name unique. Where
every item has its name for ever, all who ask for one item give the name, and nothing refers to the number, the name
can be the key: the item is its own guard, and the number, which its generator keeps unique, an attribute like others.

See docs/modelling-rules.md.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from designer.core.design.attributes import KEY_TYPES, Attribute
from designer.core.design.document import Design
from designer.core.design.entities import Entity
from designer.core.design.pins import key_text
from designer.core.messages import Message, say
from designer.core.patterns import AnyPattern
from designer.core.patterns.base import Condition, Member, Order, Read, Write
from designer.core.plan import Decision, Style
from designer.core.planner.model.pins import obeyed
from designer.core.planner.rewrites.rewriting import Tried, asking
from designer.core.planner.rewrites.rewritten import Variant


@dataclass(frozen=True)
class Identified(Variant):
    """An entity's items named by one of its unique attributes."""

    whole: Entity
    attribute: str
    style: Style

    @property
    def concerns(self) -> tuple[str, ...]:
        return (self.whole.name,)

    @cached_property
    def renamed(self) -> Entity:
        """The entity with the attribute as its identifier."""
        return self.whole.model_copy(
            update={
                "identifier": (self.attribute,),
                "attributes": tuple(map(self._restated, self.whole.attributes)),
            }
        )

    def _restated(self, attribute: Attribute) -> Attribute:
        if attribute.name == self.attribute:
            return attribute.model_copy(update={"unique": False})
        if attribute.name == self.whole.identifier[-1]:
            return attribute.model_copy(update={"distinct": self.whole.items or attribute.distinct})
        return attribute

    def blocking_pin(self, design: Design) -> Message | None:
        """What a pin says of a key without the attribute; None where there is no such pin."""
        for _, pin in obeyed(design, self.style):
            if pin.entity == self.whole.name and pin.index is None and pin.key is not None:
                texts = [key_text(self.whole, template) for template in pin.key.templates]
                if not any(self.attribute in text.attributes for text in texts):
                    return say("pinned-without", attribute=self.attribute)
        return None

    def rewritten(self, design: Design) -> Design | None:
        """The design with the other identifier; None where something lies in the entity's items already."""
        if design.entity.get(self.whole.name) != self.whole:
            return None
        entities = tuple(
            self.renamed if entity.name == self.whole.name else entity for entity in design.entities
        )
        return design.model_copy(update={"entities": entities})

    def decision(self, design: Design, tried: Tried) -> Decision:
        """By what items are named, with both prices."""
        name, stated = self.whole.name, self.whole.identifier
        reasons = (
            say("asked-by-unique", entity=name, identifier=stated, attribute=self.attribute),
            say("named-by-unique", identifier=stated)
            if tried.kept
            else say("could-be-named-by-unique"),
        )
        choices = (say("identifier", names=stated), say("identifier", names=(self.attribute,)))
        return tried.decided(f"identifier {name}", choices, asking(design, name), reasons)


def identities(design: Design, style: Style) -> Iterator[Identified]:
    """For each entity whose generated identifier nobody asks by, the unique attributes that could name its items."""
    referred = set(design.referred.values())
    for entity in design.entities:
        own = entity.identifier[-1]
        is_free = design.is_generated(entity) and (entity.name, own) not in referred
        if not is_free or any(
            _asks_by(design, pattern, entity, own) for pattern in design.patterns
        ):
            continue
        for attribute in entity.unique_attributes:
            if _may_name(design, entity, attribute):
                yield Identified(entity, attribute.name, style)


def _asks_by(design: Design, pattern: AnyPattern, entity: Entity, own: str) -> bool:
    """Whether a pattern finds, keeps or sorts items by an identifier, or writes the item that it names."""
    if isinstance(pattern, Write):
        found = pattern.collection
        return any(each.attribute == own for each in found) or any(
            _writes_by(change, own) and not found
            for change in pattern.changes
            if change.entity == entity.name
        )
    if not isinstance(pattern, Read):
        return False
    tested: list[Condition | Order] = []
    if entity.name in pattern.entities:
        tested += [*pattern.conditions, *pattern.orders]
    for along in pattern.with_:
        if design.relationship[along.relationship].brings(pattern.entities[0]) == entity.name:
            tested += [*along.keep, *along.orders]
    return any(each.attribute == own for each in tested)


def _writes_by(change: Member, own: str) -> bool:
    """Whether a write names its item by an identifier; what is made new is not looked for."""
    tested = {condition.attribute for condition in change.conditions}
    is_named = change.may_replace or not change.by or own in {*change.by, *change.given}
    return change.verb != "create" and (is_named or own in tested)


def _may_name(design: Design, entity: Entity, attribute: Attribute) -> bool:
    """Whether an attribute can be a base key by itself: in every item, the same for ever, not taken from elsewhere."""
    is_changed = any(
        attribute.name in change.written and change.verb != "create"
        for pattern in design.patterns
        if isinstance(pattern, Write)
        for change in pattern.changes
        if change.entity == entity.name
    )
    return (
        attribute.present == 1
        and attribute.type in KEY_TYPES
        and attribute.derived is None
        and not (attribute.mutable or is_changed or attribute.ttl)
        and (entity.name, attribute.name) not in design.referred
    )
