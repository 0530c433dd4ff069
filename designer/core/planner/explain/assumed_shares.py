"""Which shares of an attribute's values a plan assumes: of true and false, and of the values that it lists."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from math import prod

from designer.core.design.attributes import FLAGS, Attribute
from designer.core.design.document import Design
from designer.core.design.entities import Entity
from designer.core.patterns.base import Condition
from designer.core.plan import Assumed, Constant, Expression
from designer.core.plan.keys import plain_text
from designer.core.planner.explain.repricing import Changes, Repricing
from designer.core.planner.model.reads_and_writes import EntityRead
from designer.core.planner.model.shares import (
    HIGHEST_SHARE,
    LOWEST_SHARE,
    share_asked,
    share_kept,
    times_in_list,
)
from designer.core.planner.model.structures import Access
from designer.core.planner.rewrites.rewritten import Rewritten

COMMONEST = ""
"""Stands for the value that most items have, where no constant says which value is asked for."""


def assumed_shares(pricing: Repricing, found: Rewritten) -> Iterator[Assumed]:
    """The shares that nobody stated and that matter."""
    asked = _asked(pricing)
    for entity in found.stated.entities:
        for attribute in entity.stored:
            values = _values(found.stated, entity, attribute, asked)
            if values and pricing.stores(entity.name, attribute.name):
                for value in values:
                    one = _listed(pricing, entity, attribute, value)
                    if one is not None:
                        yield one


def _asked(pricing: Repricing) -> Mapping[tuple[str, str], frozenset[str]]:
    """The values that patterns ask for by constants, by entity and attribute; none for what callers give."""
    found: dict[tuple[str, str], set[str]] = {}
    for pattern_read in pricing.context.search.requirements.pattern_reads:
        pattern = pattern_read.pattern
        where = (*getattr(pattern, "where", ()), *getattr(pattern, "keep", ()))
        related = {one.relationship: one.keep for one in getattr(pattern, "with_", ())}
        for entity_read in pattern_read.entity_reads:
            for condition in (*where, *related.get(entity_read.part, ())):
                texts = found.setdefault((entity_read.entity, condition.attribute), set())
                texts.update(_constants(condition))
    return {of: frozenset(texts) for of, texts in found.items()}


def _constants(condition: Condition) -> Iterator[str]:
    """The values that a condition compares with, as texts."""
    for side in (condition.is_, condition.not_):
        if side is not None and side.value is not None:
            yield plain_text(side.value)
    if condition.listed is not None:
        yield from map(plain_text, condition.listed.value or ())


def _values(
    design: Design,
    entity: Entity,
    attribute: Attribute,
    asked: Mapping[tuple[str, str], frozenset[str]],
) -> tuple[str, ...]:
    """The values whose shares are taken to be equal, as nothing says them, of those that reads ask for."""
    if attribute.shares is not None or attribute.busiest is not None:
        return ()
    if attribute.type == "BOOL":
        return FLAGS[:1]
    constants = asked.get((entity.name, attribute.name))
    if constants is None or len(attribute.listed) < 2:
        return ()
    if design.origin(entity, attribute)[1] is not attribute:
        return ()
    return tuple(one for one in attribute.listed if one in constants) or (COMMONEST,)


def _listed(pricing: Repricing, entity: Entity, attribute: Attribute, value: str) -> Assumed | None:
    """The share of one value, the others being as common as one another; None where it does not matter."""
    is_flag = attribute.type == "BOOL"
    of = FLAGS if is_flag else attribute.listed
    even = 1 / len(of)
    low = even if value == COMMONEST else min(even, LOWEST_SHARE)
    high = 1 - LOWEST_SHARE if is_flag else max(even, HIGHEST_SHARE)
    planned = (
        pricing.context.search.design
    )  # reads of it may ask for copies of other items' attributes
    asked = planned.entity.get(entity.name, entity)
    ends = []
    for share in (low, high):
        rest = (1 - share) / (len(of) - 1)
        shares = tuple(share if one == (value or of[0]) else rest for one in of)
        other = attribute.model_copy(update={"shares": shares})
        change: Changes = {(entity.name, attribute.name): {"shares": shares}}
        ends.append(pricing.with_(change, Other(planned, asked, attribute, other).of))
    lower, upper = ends
    return pricing.assumed(
        "flag" if is_flag else "value",
        (entity.name, attribute.name),
        (even, low, high),
        (lower, upper),
        "" if is_flag else value,
    )


@dataclass(frozen=True)
class Other:
    """An attribute whose values have other shares of the items."""

    design: Design
    entity: Entity
    was: Attribute
    now: Attribute

    def of(self, entity_read: EntityRead, access: Access) -> tuple[EntityRead, float] | None:
        """See `Finds`. What the team expects says itself how many there are."""
        if entity_read.entity != self.entity.name or entity_read.expected is not None:
            return None
        matched, kept = self._matched(entity_read), self._kept(entity_read)
        if matched == kept == 1:
            return None
        other = replace(
            entity_read,
            matched=entity_read.matched * matched,
            kept=min(1.0, entity_read.kept * kept),
            uneven=entity_read.uneven_in(self.design, self._with(self.now)),
            unlike=self._unlike(entity_read),
            others=(),
        )
        return other, matched if self._finds_by(access) else 1.0

    def _matched(self, entity_read: EntityRead) -> float:
        """How many times as many items have the values that are known."""
        asked = entity_read.equals.get(self.was.name)
        if asked is None or self.was.name in entity_read.said:
            return 1.0
        each: tuple[Expression, ...] = (asked,)
        listed = entity_read.lists.get(self.was.name)
        if listed is not None and listed.always:
            each = tuple(Constant(value=one) for one in listed.always)
        before, after = (
            sum(share_asked(self.design, self.entity, one, value) for value in each)
            for one in (self.was, self.now)
        )
        return after / before if before else 1.0

    def _kept(self, entity_read: EntityRead) -> float:
        """How many times as many of these pass what is tested."""
        tests = [
            one
            for one in entity_read.filters
            if one.attribute == self.was.name and one.share is None
        ]
        before, after = (
            prod(share_kept(self.design, self._with(one), test) for test in tests)
            for one in (self.was, self.now)
        )
        return after / before if before else 1.0

    def _unlike(self, entity_read: EntityRead) -> tuple[float, ...]:
        """How the values of a fixed list differ in how many items have them."""
        if entity_read.list_of is None or not entity_read.always:
            return ()
        other = self._with(self.now)
        return times_in_list(self.design, other, entity_read.list_of, entity_read.always)

    def _with(self, attribute: Attribute) -> Entity:
        attributes = tuple(
            attribute if one.name == attribute.name else one for one in self.entity.attributes
        )
        return self.entity.model_copy(update={"attributes": attributes})

    def _finds_by(self, access: Access) -> bool:
        """Whether the key by which items are found has the attribute, or its index holds those of one value."""
        structure = access.structure
        if structure is None:
            return True
        limited = (name for name, _ in structure.only)
        fixed = {*structure.partition, *structure.sort[: access.bound], access.prefix, *limited}
        return self.was.name in fixed
