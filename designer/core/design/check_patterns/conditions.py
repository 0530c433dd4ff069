"""Whether conditions and the parameters in them fit the attributes they are about."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from designer.core.design.attributes import Attribute
from designer.core.design.check_patterns.flaws import unknown
from designer.core.design.check_patterns.values import SETS, beyond, fits, unwritable
from designer.core.design.document import Design
from designer.core.design.entities import Entity
from designer.core.design.text import Flaw
from designer.core.messages import Message, say
from designer.core.patterns.base import RANGE_OPERATORS, Condition

LISTED = ("any_of", "all_of")
"""The tests that compare with a list."""
MOST_ABOVE = 50
"""Entities above another that are looked at for a path."""


@dataclass
class Parameters:
    """What the caller gives to one pattern: each name means one thing."""

    meaning: dict[str, tuple[str, bool, str]] = field(default_factory=dict)

    def use(self, name: str, kind: str, is_list: bool, about: str) -> Message | None:
        """Note a use; says what is wrong when the name is used for something of another type."""
        before = self.meaning.setdefault(name, (kind, is_list, about))
        if before[1] != is_list:
            return say("parameter-list-and-single", name=name)
        if before[0] != kind:
            return say(
                "parameter-types",
                name=name,
                before=before[0],
                before_about=before[2],
                type=kind,
                about=about,
            )
        return None


def condition_flaws(
    design: Design,
    entities: list[Entity],
    condition: Condition,
    parameters: Parameters,
    *,
    in_keys: bool = False,
    may_cross: bool = False,
) -> Iterator[Flaw]:
    """What is wrong with a condition.

    `in_keys`: keys may be chosen for it, so that they must be able to hold what it compares with.
    `may_cross`: several items may meet it together (`all_of`).
    """
    if condition.all_of is not None and not may_cross:
        yield ("all_of",), say("all-of-in-where")
    found: list[Attribute] = []
    for entity in entities:
        there = follow(design, entity, condition.attribute)
        if isinstance(there, Message):
            yield ("attribute",), there
            return
        found.append(there)
    attribute = found[0]
    if any(other.type != attribute.type for other in found):
        yield (
            ("attribute",),
            say(
                "different-types",
                attribute=condition.attribute,
                entities=tuple(e.name for e in entities),
            ),
        )
    is_ordered = condition.is_range and condition.begins_with is None
    if is_ordered and attribute.type not in ("S", "N", "B"):
        yield (
            ("attribute",),
            say("range-without-order", attribute=condition.attribute, type=attribute.type),
        )
    if condition.begins_with is not None and attribute.type not in ("S", "B"):
        yield (
            ("begins_with",),
            say("prefix-of-text", attribute=condition.attribute, type=attribute.type),
        )
    if condition.contains is not None and attribute.type not in ("S", "L", *SETS):
        yield (
            ("contains",),
            say("contains-type", attribute=condition.attribute, type=attribute.type),
        )
    for name in ("is_", "any_of", "all_of", *RANGE_OPERATORS, "contains", "not_"):
        operand = getattr(condition, name)
        if operand is None:
            continue
        key = Condition.model_fields[name].alias or name
        kind = (
            SETS.get(attribute.type, "S")
            if name == "contains" and attribute.type != "S"
            else attribute.type
        )
        if operand.param is not None:
            said = parameters.use(operand.param, kind, name in LISTED, condition.attribute)
            if said is not None:
                yield (key, "param"), said
        elif name in LISTED:
            parameters.use(condition.list_name, kind, True, condition.attribute)
            for i, value in enumerate(operand.value):
                said = fits(attribute, value) or beyond(attribute, value)
                said = said or (unwritable(found, value) if in_keys else None)
                if said is not None:
                    yield (key, "value", i), said
        elif name == "begins_with":
            if attribute.type == "S" and not isinstance(operand.value, str):
                yield (key, "value"), say("prefix-in-quotes")
        elif name in ("is_", "not_") or (
            name != "contains" and (attribute.values is None or attribute.type == "N")
        ):
            said = fits(attribute, operand.value)
            if said is None and name in ("is_", "not_"):
                said = beyond(attribute, operand.value)
            if said is None and in_keys and name != "not_":
                said = unwritable(found, operand.value)
            if said is not None:
                yield (key, "value"), said
    if condition.optional and not list(condition.parameters):
        yield (
            ("optional",),
            say("nothing-to-leave-out"),
        )


def follow(design: Design, entity: Entity, path: str) -> Attribute | Message:
    """The attribute that a path leads to, or what is wrong with the path."""
    *through, last = path.split(".")
    start = entity
    for name in through:
        relationship = design.relationship.get(name)
        if relationship is None:
            found = unknown("relationship", name, design.relationship)
            return _or_by_path(design, start, last, found)
        if relationship.child != entity.name or relationship.cardinality == "N:M":
            found = say("path-not-to-one", name=name, entity=entity.name)
            return _or_by_path(design, start, last, found)
        if relationship.parent not in design.entity:
            return unknown("entity", relationship.parent, design.entity)
        entity = design.entity[relationship.parent]
    if last in entity.by_name:
        return entity.by_name[last]
    found = unknown("attribute", last, entity.by_name, entity.name)
    return _or_by_path(design, start, last, found)


def _or_by_path(design: Design, entity: Entity, name: str, flaw: Message) -> Message:
    """What is wrong with a path, and one that leads to an attribute of the same name."""
    path = path_to(design, entity, name)
    return flaw if path is None else say("path-instead", flaw=flaw, path=path)


def path_to(design: Design, entity: Entity, name: str) -> str | None:
    """The shortest path from an entity to an attribute of this name, of a parent or of what is above it."""
    seen, ways = {entity.name}, [(entity.name, "")]
    for child, path in ways:
        for relationship in design.leading_up.get(child, ()) if len(ways) <= MOST_ABOVE else ():
            above = relationship.parent
            if above not in seen:
                seen.add(above)
                ways.append((above, f"{path}{relationship.name}."))
                if name in design.entity[above].by_name:
                    return f"{path}{relationship.name}.{name}"
    return None
