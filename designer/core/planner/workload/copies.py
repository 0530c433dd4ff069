"""Which attributes of a parent its children carry, and the design as it is with them.

A key holds attributes of its own item only. A condition on a parent's attribute (`seller.regionId`) is therefore asked
of a copy that each child carries (`sellerRegionId`), and the passes after this one see a design in which the child
has that attribute and the pattern asks for it. A path over two relationships is a copy of a copy: the first child
carries it too, so each copy is kept right by what happens to one parent.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import prod
from typing import TypeVar

from designer.core.design.attributes import Attribute
from designer.core.design.document import Design
from designer.core.design.entities import Entity
from designer.core.dynamodb.limits import MOST_DROPPED
from designer.core.patterns import AnyPattern
from designer.core.patterns.base import Condition, Read, With, Write
from designer.core.patterns.document import Document
from designer.core.planner.model.copies import Brought, Copied
from designer.core.planner.model.distinct import distinct_values
from designer.core.planner.model.shares import share_kept

Asking = TypeVar("Asking", bound=Document)
Reading = TypeVar("Reading", bound=Read)

SELDOM_MISSING = 1 - 2**-20
"""Share of the children that have a copy where nothing says less: a parent can always be missing."""


@dataclass(frozen=True)
class Carrying:
    """A design in which children carry attributes of their parents."""

    design: Design
    copies: tuple[Copied, ...] = ()
    """Copies of copies come after what they are copied from."""
    brought: tuple[Brought, ...] = ()
    tested: tuple[tuple[int, str], ...] = ()
    """(pattern, relationship) where the parent that comes along is tested."""


def with_copies(
    design: Design,
    along: frozenset[str] = frozenset(),
    tested: frozenset[str] = frozenset(),
) -> Carrying:
    """The design with the copies that conditions on parents' attributes ask for.

    `along`: relationships by which parents come along from copies instead of a read of their own, where they can;
    `tested`: those by which parents that come along are tested themselves, where they can.
    """
    making = _Making(design, along, tested)
    patterns = tuple(making.pattern(pattern) for pattern in design.patterns)
    if not making.copies and not making.tests:
        return Carrying(design)
    entities = tuple(making.entities.values())
    carrying = design.model_copy(update={"entities": entities, "patterns": patterns})
    return Carrying(
        carrying, tuple(making.copies.values()), tuple(making.brought), tuple(making.tests)
    )


def may_be_brought(design: Design, pattern: Document, along: With) -> bool:
    """Whether what a pattern brings along can come from copies: some attributes of the one parent, as they are.

    Of rows that are crossed, what they have in common is left, and the copies are no part of that.
    """
    if not isinstance(pattern, Read) or len(pattern.entities) > 1 or pattern.crossing is not None:
        return False
    relationship = design.relationship[along.relationship]
    entity = pattern.entities[0]
    towards_one = relationship.child == entity and relationship.parent != entity
    if not towards_one or relationship.cardinality == "N:M" or pattern.consistency != "eventual":
        return False
    if not along.attributes or along.keep or along.order or along.limit:
        return False
    parent = design.entity[relationship.parent]
    named = [parent.by_name[name] for name in along.attributes if name not in parent.identifier]
    return any(one.present == 1 for one in named) and not any(one.derived for one in named)


def asked_of_parent(design: Design, pattern: Document, along: With) -> tuple[Condition, ...]:
    """The conditions of a pattern that may be tested on a parent it brings along, once all rows are read.

    None where a limit would cut the rows before, where they are in the parents' order, where a row without the parent
    may be wanted, or where more than nine tenths would be read in vain (modelling rule 3, docs/modelling-rules.md).
    """
    if not isinstance(pattern, Read) or pattern.by_identifier or len(pattern.entities) > 1:
        return ()
    relationship = design.relationship[along.relationship]
    entity, path = pattern.entities[0], f"{along.relationship}."
    towards_one = relationship.child == entity and relationship.parent != entity
    if not towards_one or relationship.cardinality == "N:M" or along.keep or along.limit:
        return ()
    if (
        pattern.limit
        or not pattern.returns_items
        or any(line.startswith(path) for line in pattern.order)
    ):
        return ()
    found = tuple(c for c in (*pattern.where, *pattern.keep) if c.attribute.startswith(path))
    for one in found:
        if one.attribute.count(".") > 1 or one.optional or one.missing or one.not_ is not None:
            return ()
    kept = _kept(design, design.entity[relationship.parent], found)
    return found if kept >= 1 - MOST_DROPPED else ()


def _kept(design: Design, parent: Entity, conditions: tuple[Condition, ...]) -> float:
    """The share of the children whose parent meets conditions that speak of it by a path."""
    return prod(share_kept(design, parent, _own(condition)) for condition in conditions)


def _own(condition: Condition) -> Condition:
    """A condition on a parent as the parent would say it."""
    return condition.model_copy(update={"attribute": condition.attribute.partition(".")[2]})


class _Making:
    def __init__(self, design: Design, along: frozenset[str], tested: frozenset[str]) -> None:
        self.design = design
        self.along = along
        self.tested = tested
        self.tests: list[tuple[int, str]] = []
        self.brought: list[Brought] = []
        self.entities = {entity.name: entity for entity in design.entities}
        self.copies: dict[tuple[str, str], Copied] = {}

    # Patterns, with each path replaced by the copy of what it leads to

    def pattern(self, pattern: AnyPattern) -> AnyPattern:
        if isinstance(pattern, Write) and pattern.collection:
            found = self._asked(pattern.changes[0].entity, pattern.collection)
            return self._with(pattern, where=found)
        if isinstance(pattern, Read) and len(pattern.entities) == 1:
            return self._read(pattern)
        return pattern

    def _read(self, pattern: Reading) -> Reading:
        for along in pattern.with_:
            if along.relationship in self.tested:
                pattern = self._tested(pattern, along)
        entity = pattern.entities[0]
        copied = [
            along
            for along in pattern.with_
            if along.relationship in self.along and may_be_brought(self.design, pattern, along)
        ]
        apart = [along for along in pattern.with_ if along not in copied]
        carried = dict.fromkeys(name for along in copied for name in self._bring(pattern, along))
        return self._with(
            pattern,
            where=self._asked(entity, pattern.where),
            keep=self._asked(entity, pattern.keep),
            order=tuple(self._line(entity, line) for line in pattern.order),
            with_=tuple(self._along(entity, along) for along in apart),
            attributes=None if pattern.attributes is None else (*pattern.attributes, *carried),
        )

    def _tested(self, pattern: Reading, along: With) -> Reading:
        """The pattern with what it asks of a parent asked of what comes along instead."""
        moved = asked_of_parent(self.design, pattern, along)
        if not moved:
            return pattern
        self.tests.append((pattern.number, along.relationship))
        asked = along.model_copy(update={"keep": tuple(map(_own, moved))})
        kept = _kept(
            self.design,
            self.design.entity[self.design.relationship[along.relationship].parent],
            moved,
        )
        return self._with(
            pattern,
            where=tuple(c for c in pattern.where if c not in moved),
            keep=tuple(c for c in pattern.keep if c not in moved),
            with_=tuple(asked if one is along else one for one in pattern.with_),
            # What is expected to be returned is what is left of the rows.
            expects=None if pattern.expects is None else pattern.expects / kept,
        )

    def _bring(self, pattern: Read, along: With) -> tuple[str, ...]:
        """Let a parent come along from copies; what the rows must carry for it."""
        relationship = self.design.relationship[along.relationship]
        parent = self.design.entity[relationship.parent]
        pairs = self._pairs(along.relationship)
        take = {theirs: own for own, theirs in pairs}
        sure = []
        for name in along.attributes or ():
            if name not in take:
                take[name] = self.name(relationship.child, f"{along.relationship}.{name}")
                sure += [take[name]] if parent.by_name[name].present == 1 else []
        self.brought.append(
            Brought(
                pattern.number, along.relationship, parent.name, tuple(take.items()), tuple(sure)
            )
        )
        return tuple(take.values())

    @staticmethod
    def _with(part: Asking, **fields: object) -> Asking:
        changed = {name: value for name, value in fields.items() if value != getattr(part, name)}
        return part.model_copy(update=changed) if changed else part

    def _along(self, entity: str, along: With) -> With:
        other = self.design.relationship[along.relationship].brings(entity)
        return self._with(
            along,
            keep=self._asked(other, along.keep),
            order=tuple(self._line(other, line) for line in along.order),
        )

    def _asked(self, entity: str, conditions: tuple[Condition, ...]) -> tuple[Condition, ...]:
        return tuple(
            condition.model_copy(update={"attribute": self.name(entity, condition.attribute)})
            if "." in condition.attribute
            else condition
            for condition in conditions
        )

    def _line(self, entity: str, line: str) -> str:
        path, _, way = line.partition(" ")
        return f"{self.name(entity, path)} {way}" if "." in path else line

    # Copies

    def name(self, entity: str, path: str) -> str:
        """The name of the copy of what a path leads to; it is made when it is not there.

        What the child refers by is no copy: the identifier of a line's order is its own.
        """
        first, _, rest = path.partition(".")
        for own, theirs in self._pairs(first):
            if theirs == rest:
                return own
        relationship = self.design.relationship[first]
        parent = relationship.parent
        attribute = self.name(parent, rest) if "." in rest else rest
        derived = self.entities[parent].by_name[attribute]
        if derived.source is not None:
            return self._derived(entity, first, derived, derived.source)
        found = self.copies.get((entity, first))
        for name, copied in found.attributes if found is not None else ():
            if copied == attribute:
                return name
        name = self._free_name(entity, first, attribute)
        if found is None:
            per = tuple((theirs, own) for own, theirs in self._pairs(first))
            found = Copied(entity, first, parent, per, ())
        # A copy of a copy comes after what it is copied from.
        self.copies.pop((entity, first), None)
        pairs = (*found.attributes, (name, attribute))
        self.copies[entity, first] = replace(found, attributes=pairs)
        self._carry(entity, name, found, attribute)
        return name

    def _derived(
        self, entity: str, relationship: str, original: Attribute, source: tuple[str, str]
    ) -> str:
        """The name of what is worked out from the copy of what it is worked out from on the parent."""
        form, time = source
        derived = f"{form}({self.name(entity, f'{relationship}.{time}')})"
        child = self.entities[entity]
        for attribute in child.attributes:
            if attribute.derived == derived:
                return attribute.name
        parent = self.design.relationship[relationship].parent
        distinct = distinct_values(self.design, self.entities[parent], original)
        made = original.model_copy(
            update={
                "name": self._free_name(entity, relationship, original.name),
                "id": None,
                "description": "",
                "derived": derived,
                "distinct": max(1, round(distinct)),
            }
        )
        self.entities[entity] = child.model_copy(update={"attributes": (*child.attributes, made)})
        return made.name

    def _free_name(self, entity: str, relationship: str, attribute: str) -> str:
        """`sellerRegionId` for what `sellerId` refers to; the relationship's name where several attributes refer."""
        by = [own for own, _ in self._pairs(relationship)]
        stem = re.sub(r"(?<=[A-Za-z0-9])_?[Ii]d$", "", by[0]) if len(by) == 1 else relationship
        wanted = f"{stem}{attribute[:1].upper()}{attribute[1:]}"
        parent = self.design.relationship[relationship].parent
        taken = {*self.entities[entity].by_name, *self.design.entity[parent].identifier}
        return next(name for name in _numbered(wanted) if name not in taken)

    def _pairs(self, name: str) -> tuple[tuple[str, str], ...]:
        relationship = self.design.relationship[name]
        return self.design.references(relationship, relationship.parent)

    def _carry(self, entity: str, name: str, copied: Copied, attribute: str) -> None:
        child, parent = self.entities[entity], self.entities[copied.parent]
        original = parent.by_name[attribute]
        present = original.present
        for own in copied.references:
            present *= child.by_name[own].present
        # Of an order's customer the lines are as many as its orders have: the copy says so by what it is a copy of.
        is_reference = original.refers_to is not None or (
            (parent.name, attribute) in self.design.referred
        )
        carried = original.model_copy(
            update={
                "name": name,
                "id": None,
                "description": "",
                "unique": False,
                "unique_within": (),
                "ttl": False,
                "aggregate": None,
                "mutable": False,  # what it really is follows from the writes, see `requirements`
                "refers_to": f"{parent.name}.{attribute}" if is_reference else original.refers_to,
                "distinct": max(1, round(distinct_values(self.design, parent, original))),
                "present": min(present, SELDOM_MISSING),
            }
        )
        self.entities[entity] = child.model_copy(
            update={"attributes": (*child.attributes, carried)}
        )


def _numbered(wanted: str) -> Iterator[str]:
    yield wanted
    number = 2
    while True:
        yield f"{wanted}{number}"
        number += 1
