"""Who mentions a name, and all mentions renamed in one go.

What uses a thing is what would change if the thing were renamed; so there is one list of the places
where names occur, this module.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from designer.core.design.attributes import Attribute
from designer.core.design.document import Design
from designer.core.design.entities import Entity, Relationship
from designer.core.design.settings import IgnoredFinding, Pin
from designer.core.edits.names import renamed_names
from designer.core.edits.replacing import each, replaced
from designer.core.messages import Message, say
from designer.core.patterns import AnyPattern
from designer.core.patterns.base import Change, Condition, Member, Read, SingleWrite, With, Write
from designer.core.patterns.elsewhere import Elsewhere
from designer.core.plan import keys

GONE = "Gone_9f3c"
"""A name that no design has, for asking who would notice."""


@dataclass(frozen=True)
class Renaming:
    """Old names and their new ones, read against the design that has the old ones."""

    design: Design
    entities: Mapping[str, str] = field(default_factory=dict)
    attributes: Mapping[tuple[str, str], str] = field(default_factory=dict)
    """(entity, attribute): the attribute's new name."""
    relationships: Mapping[str, str] = field(default_factory=dict)

    def entity(self, name: str) -> str:
        return self.entities.get(name, name)

    def relationship(self, name: str) -> str:
        return self.relationships.get(name, name)

    def attribute(self, entity: str, name: str) -> str:
        return self.attributes.get((entity, name), name)

    def shared(self, entities: Iterable[str], name: str) -> str:
        """An attribute of whichever of the entities has it."""
        return next(
            (new for entity in entities if (new := self.attribute(entity, name)) != name), name
        )

    def path(self, entities: tuple[str, ...], path: str) -> str:
        """`seller.regionId`: relationships towards one, then an attribute."""
        *segments, name = path.split(".")
        here = entities
        for segment in segments:
            here = self.beyond(here, segment)
        return ".".join([*map(self.relationship, segments), self.shared(here, name)])

    def beyond(self, entities: tuple[str, ...], relationship: str) -> tuple[str, ...]:
        """The other side of a relationship, seen from the one of the entities that has it."""
        known = self.design.relationship.get(relationship)
        if known is None:
            return ()
        for entity in entities:
            if other := other_side(known, entity):
                return (other,)
        return ()


def other_side(relationship: Relationship, entity: str) -> str | None:
    """What `entity` reaches by the relationship; None when it has no part in it.

    From a parent its children (of an N:M relationship the edge), from a child its parent.
    """
    sides = relationship.many if relationship.cardinality == "N:M" else (relationship.parent,)
    assert isinstance(sides, tuple)
    if entity in sides:
        return relationship.child
    return relationship.parent if entity == relationship.child else None


def renamed(renaming: Renaming) -> Design:
    """The design with every mention renamed."""
    design = renaming.design
    return replaced(
        design,
        entities=each(design.entities, lambda entity: _entity(renaming, entity)),
        relationships=each(design.relationships, lambda each: _relationship(renaming, each)),
        patterns=tuple(_pattern(renaming, pattern) for pattern in design.patterns),
        planner=replaced(
            design.planner, pins=each(design.planner.pins, lambda pin: _pin(renaming, pin))
        ),
        ignored_findings=each(design.ignored_findings, lambda ignored: _ignored(renaming, ignored)),
        names=renamed_names(design.names, renaming.entity, renaming.attribute),
    )


@dataclass(frozen=True)
class Users:
    """What mentions a name: the numbers of patterns, relationships, and attributes as
    `Entity.attribute`.
    """

    patterns: tuple[int, ...] = ()
    relationships: tuple[str, ...] = ()
    attributes: tuple[tuple[str, str], ...] = ()
    scopes: tuple[tuple[str, str], ...] = ()
    """Attributes that are unique within it."""
    identifiers: tuple[str, ...] = ()
    """Entities whose identifier mentions it."""
    pins: tuple[int, ...] = ()
    """Places in the list of pins."""

    def __bool__(self) -> bool:
        return bool(
            self.patterns
            or self.relationships
            or self.attributes
            or self.scopes
            or self.identifiers
            or self.pins
        )

    def named(self, design: Design) -> tuple[Message, ...]:
        """Each of them: "pattern 2 (A user's orders)", "relationship “places”"."""
        words = [say("identifier-of", entity=name) for name in self.identifiers]
        words += [
            say("pattern-called", number=number, name=design.pattern(number).name)
            for number in self.patterns
        ]
        words += [say("relationship-called", name=name) for name in self.relationships]
        words += [say("attribute-of", entity=entity, name=name) for entity, name in self.attributes]
        words += [say("scope-of", entity=entity, name=name) for entity, name in self.scopes]
        words += [say("pin-number", number=place + 1) for place in self.pins]
        return tuple(words)


def users(renaming: Renaming) -> Users:
    """What mentions the names that the renaming would change; the named things themselves don't
    count.
    """
    design, after = renaming.design, renamed(renaming)
    return Users(
        patterns=tuple(
            old.number
            for old, new in zip(design.patterns, after.patterns, strict=True)
            if old != new
        ),
        relationships=tuple(
            old.name
            for old, new in zip(design.relationships, after.relationships, strict=True)
            if old != replaced(new, name=old.name)
        ),
        attributes=tuple(
            (entity.name, old.name)
            for entity, changed in zip(design.entities, after.entities, strict=True)
            if entity.name not in renaming.entities
            for old, new in zip(entity.attributes, changed.attributes, strict=True)
            if old != replaced(new, name=old.name, unique_within=old.unique_within)
        ),
        scopes=tuple(
            (entity.name, old.name)
            for entity, changed in zip(design.entities, after.entities, strict=True)
            if entity.name not in renaming.entities
            for old, new in zip(entity.attributes, changed.attributes, strict=True)
            if old.unique_within != new.unique_within
        ),
        identifiers=tuple(
            old.name
            for old, new in zip(design.entities, after.entities, strict=True)
            if old.identifier != new.identifier and old.name not in renaming.entities
        ),
        pins=tuple(
            place
            for place, (old, new) in enumerate(
                zip(design.planner.pins, after.planner.pins, strict=True)
            )
            if old != new
        ),
    )


def _entity(renaming: Renaming, entity: Entity) -> Entity:
    def own(name: str) -> str:
        return renaming.attribute(entity.name, name)

    needs = entity.needs
    if needs is not None and needs.tenant is not None:
        needs = replaced(needs, tenant=own(needs.tenant))
    return replaced(
        entity,
        name=renaming.entity(entity.name),
        identifier=tuple(map(own, entity.identifier)),
        attributes=each(entity.attributes, lambda each: _attribute(renaming, entity, each)),
        needs=needs,
    )


def _attribute(renaming: Renaming, entity: Entity, attribute: Attribute) -> Attribute:
    fields: dict[str, Any] = {"name": renaming.attribute(entity.name, attribute.name)}
    if attribute.refers_to is not None:
        target, _, name = attribute.refers_to.partition(".")
        fields["refers_to"] = f"{renaming.entity(target)}.{renaming.attribute(target, name)}"
    if attribute.unique_within:
        fields["unique_within"] = tuple(
            renaming.attribute(entity.name, name) for name in attribute.unique_within
        )
    if attribute.source is not None:
        form, source = attribute.source
        fields["derived"] = f"{form}({renaming.attribute(entity.name, source)})"
    if attribute.aggregate is not None:
        figure, _, of = attribute.aggregate.partition(" of ")
        relationship, dot, name = of.partition(".")
        children = renaming.beyond((entity.name,), relationship)
        new = f"{figure} of {renaming.relationship(relationship)}{dot}"
        fields["aggregate"] = new + (renaming.shared(children, name) if name else "")
    return replaced(attribute, **fields)


def _relationship(renaming: Renaming, relationship: Relationship) -> Relationship:
    def side(names: Any) -> Any:
        if isinstance(names, tuple):
            return tuple(map(renaming.entity, names))
        return None if names is None else renaming.entity(names)

    references = tuple(
        renaming.attribute(relationship.child, name) for name in relationship.references
    )
    return replaced(
        relationship,
        name=renaming.relationship(relationship.name),
        one=side(relationship.one),
        many=side(relationship.many),
        through=side(relationship.through),
        by=references[0] if isinstance(relationship.by, str) else references or None,
    )


def _pattern(renaming: Renaming, pattern: AnyPattern) -> Any:
    if isinstance(pattern, Elsewhere):
        return replaced(pattern, returns=_names(renaming, pattern.returns))
    if isinstance(pattern, Write) and pattern.is_transaction:
        return replaced(pattern, members=each(pattern.changes, lambda m: _member(renaming, m)))
    if isinstance(pattern, SingleWrite):
        changed = replaced(
            pattern,
            entity=renaming.entity(pattern.entity),
            **_change(renaming, pattern.entity, pattern),
        )
        if pattern.collection:
            found = _conditions(renaming, (pattern.entity,), pattern.collection)
            return replaced(changed, where=found)
        return changed
    return _read(renaming, pattern)


def _read(renaming: Renaming, pattern: Any) -> Any:
    assert isinstance(pattern, Read)
    entities = pattern.entities
    fields: dict[str, Any] = {
        "returns": _names(renaming, pattern.returns),
        "where": _conditions(renaming, entities, pattern.where),
        "keep": _conditions(renaming, entities, pattern.keep),
        "with_": each(pattern.with_, lambda along: _with(renaming, entities, along)),
        "attributes": _attributes(renaming, entities, pattern.attributes),
        "order": _order(renaming, entities, pattern.order),
    }
    if pattern.after_limit:
        fields["then_keep"] = _conditions(renaming, entities, pattern.after_limit)
    if pattern.aggregate is not None:
        figure = pattern.aggregate
        fields["result"] = replaced(
            figure,
            **{
                name: renaming.path(entities, value)
                for name in type(figure).model_fields
                if (value := getattr(figure, name)) is not None
            },
        )
    return replaced(pattern, **fields)


def _with(renaming: Renaming, entities: tuple[str, ...], along: With) -> With:
    there = renaming.beyond(entities, along.relationship)
    return replaced(
        along,
        relationship=renaming.relationship(along.relationship),
        attributes=_attributes(renaming, there, along.attributes),
        keep=_conditions(renaming, there, along.keep),
        order=_order(renaming, there, along.order),
    )


def _member(renaming: Renaming, member: Member) -> Member:
    return replaced(
        member,
        **{member.verb: renaming.entity(member.entity)},
        **_change(renaming, member.entity, member),
    )


def _change(renaming: Renaming, entity: str, change: Change) -> dict[str, Any]:
    def names(attributes: Iterable[str]) -> tuple[str, ...]:
        return tuple(renaming.attribute(entity, name) for name in attributes)

    def keyed(values: Mapping[str, Any]) -> dict[str, Any]:
        return {renaming.attribute(entity, name): value for name, value in values.items()}

    return {
        "by": names(change.by),
        "given": names(change.given),
        "remove": names(change.remove),
        "set": keyed(change.set),
        "add": keyed(change.add),
        "greatest": keyed(change.greatest),
        "append": keyed(change.append),
        "include": keyed(change.include),
        "exclude": keyed(change.exclude),
        "if_": _conditions(renaming, (entity,), change.if_),
        "or_": each(change.or_, lambda way: _conditions(renaming, (entity,), way)),
    }


def _conditions(
    renaming: Renaming, entities: tuple[str, ...], conditions: tuple[Condition, ...]
) -> tuple[Condition, ...]:
    return each(
        conditions,
        lambda condition: replaced(
            condition, attribute=renaming.path(entities, condition.attribute)
        ),
    )


def _attributes(
    renaming: Renaming, entities: tuple[str, ...], names: tuple[str, ...] | None
) -> tuple[str, ...] | None:
    return None if names is None else tuple(renaming.shared(entities, name) for name in names)


def _order(
    renaming: Renaming, entities: tuple[str, ...], lines: tuple[str, ...]
) -> tuple[str, ...]:
    split = (line.partition(" ") for line in lines)
    return tuple(f"{renaming.path(entities, name)} {way}" for name, _, way in split)


def _names(renaming: Renaming, names: Any) -> Any:
    if isinstance(names, str):
        return renaming.entity(names)
    return tuple(map(renaming.entity, names))


def _pin(renaming: Renaming, pin: Pin) -> Pin:
    fields: dict[str, Any] = {}
    if pin.table is not None:
        fields["table"] = tuple(map(renaming.entity, pin.table))
    entity = pin.entity
    if entity is not None:
        fields["entity"] = renaming.entity(entity)
        if pin.names is not None:
            fields["names"] = replaced(
                pin.names,
                **{
                    part: renaming.attribute(entity, name)
                    for part in ("partition", "sort")
                    if (name := getattr(pin.names, part)) is not None
                },
            )
        if pin.key is not None:
            fields["key"] = replaced(
                pin.key,
                **{
                    part: keys.rename(template, lambda old: renaming.attribute(entity, old))
                    for part in ("partition", "sort")
                    if (template := getattr(pin.key, part)) is not None
                },
            )
    return replaced(pin, **fields)


def _ignored(renaming: Renaming, ignored: IgnoredFinding) -> IgnoredFinding:
    kind, _, name = ignored.place.partition(".")
    if kind == "entities":
        entity, inside, attribute = name.partition(".attributes.")
        new = renaming.entity(entity) + inside + renaming.attribute(entity, attribute)
    elif kind == "relationships":
        new = renaming.relationship(name)
    else:
        return ignored
    return replaced(ignored, about=f"{kind}.{new}") if new != name else ignored
