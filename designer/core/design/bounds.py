"""How much a design may state of what multiplies work: sizes that no design needs, and nothing after this copes with.

A design that was stored before a bound was set still opens, so that it can be mended; it is not saved beyond it again.
"""

from collections.abc import Iterator
from math import prod
from typing import NamedTuple

from designer.core.design.document import Design
from designer.core.design.names import StyleNames
from designer.core.design.text import Flaw, Path
from designer.core.messages import say
from designer.core.patterns.base import Condition, Pattern, Read, With, Write
from designer.core.patterns.document import Document


class Bound(NamedTuple):
    """The most that something may have of something else."""

    id: str
    """Of the message that says it."""
    most: int

    def flaw(self, path: Path, count: float) -> Iterator[Flaw]:
        if count > self.most:
            yield path, say(self.id, most=self.most, count=count)


ENTITIES = Bound("most-entities", 500)
RELATIONSHIPS = Bound("most-relationships", 1_000)
PATTERNS = Bound("most-patterns", 2_000)
TOGETHER = Bound("most-entities-in-pins", 2_000)
NAMED_ITEMS = Bound("most-recorded-names", 5_000)
NAMED_HERE = Bound("most-recorded-attributes", 1_000)
KEY_PARTS = Bound("most-recorded-parts", 8)
PINS = Bound("most-pins", 200)
IGNORED = Bound("most-ignored", 500)
WORK = Bound("most-nodes", 200_000)
WORTH = Bound("most-worth", 10**9)
ATTRIBUTES = Bound("most-attributes", 500)
ATTRIBUTES_IN_ALL = Bound("most-attributes-in-all", 5_000)
"""Each page of a design lists them all."""
EXAMPLES = Bound("most-examples", 50)
VALUES = Bound("most-values", 1_000)
CONDITIONS = Bound("most-conditions", 16)
KEPT = Bound("most-conditions-of-kind", 40)
LISTS = Bound("most-combinations", 1_000_000)
"""A plan asks with one request for each."""
ORDER = Bound("most-order", 100)
WANTED = Bound("most-wanted", 500)
REFERENCES = Bound("most-references", 12)
"""Of both sides of N:M."""
OPTIONAL = Bound("most-optional", 6)
CASES = Bound("most-cases", 4_000)
ALONG = Bound("most-along", 20)
RETURNED = Bound("most-returned", 50)
CHANGED = Bound("most-changed", 200)
"""An UpdateExpression has 300 operators at the most."""
WAYS = Bound("most-alternatives", 20)
NAMED = Bound("most-named", 50)
SAID = Bound("most-said", 500)
RATE = Bound("most-rate", 10_000_000)
"""https://aws.amazon.com/blogs/aws/ (Prime Day 2025). One table is given 40,000 units a second unless asked."""
LEAST_RATE = 1e-12
"""Runs a second; the planner's arithmetic does not tell far smaller ones from none."""

LEAST_SHARE = 1e-12
"""Smaller shares would multiply to nothing, which nothing can be divided by."""

DISTINCT = Bound("most-distinct", 10**15)
"""As many as there may be items of an entity; so for all figures that count items."""
CHILDREN = Bound("most-children", 10**15)
EXPECTED = Bound("most-expected", 10**15)
LATENCY = Bound("most-latency", 86_400_000)


def excesses(design: Design) -> Iterator[Flaw]:
    """Where a design states more than it may."""
    yield from ENTITIES.flaw(("entities",), len(design.entities))
    yield from RELATIONSHIPS.flaw(("relationships",), len(design.relationships))
    yield from PATTERNS.flaw(("patterns",), len(design.patterns))
    yield from WORTH.flaw(("planner", "worth"), design.planner.worth or 0)
    yield from WORK.flaw(("planner", "work_limit"), design.planner.work_limit)
    yield from PINS.flaw(("planner", "pins"), len(design.planner.pins))
    together = sum(len(pin.table or ()) for pin in design.planner.pins)
    yield from TOGETHER.flaw(("planner", "pins"), together)
    yield from IGNORED.flaw(("ignored_findings",), len(design.ignored_findings))
    in_all = sum(len(entity.attributes) for entity in design.entities)
    yield from ATTRIBUTES_IN_ALL.flaw(("entities",), in_all)
    for at, entity in enumerate(design.entities):
        yield from ATTRIBUTES.flaw(("entities", at, "attributes"), len(entity.attributes))
        for number, attribute in enumerate(entity.attributes):
            here: Path = ("entities", at, "attributes", number)
            yield from EXAMPLES.flaw((*here, "examples"), len(attribute.examples))
            yield from VALUES.flaw((*here, "values"), len(attribute.values or ()))
            yield from DISTINCT.flaw((*here, "distinct"), attribute.distinct or 0)
            yield from _shares(attribute, here, "busiest", "present", "shares")
    for at, relationship in enumerate(design.relationships):
        yield from REFERENCES.flaw(("relationships", at, "by"), len(relationship.references))
        for field in ("average", "most", "averages", "mosts"):
            figures = getattr(relationship, field) or 0
            for figure in figures if isinstance(figures, tuple) else (figures,):
                yield from CHILDREN.flaw(("relationships", at, field), figure)
    cases = 0
    for at, pattern in enumerate(design.patterns):
        yield from _of_pattern(("patterns", at), pattern)
        optional = sum(each.optional for each in _conditions(pattern))
        cases += 2 ** min(optional, OPTIONAL.most) if optional else 0
    yield from CASES.flaw(("patterns",), cases)
    for style in ("single", "multi", "grouped"):
        yield from _named(("names", style), design.names.of(style))


def _conditions(pattern: Pattern) -> tuple[Condition, ...]:
    """All that a read tests, also of what comes along."""
    if not isinstance(pattern, Read):
        return ()
    along = (condition for each in pattern.with_ for condition in each.keep)
    return (*pattern.conditions, *along)


def _shares(of: Document, here: Path, *fields: str) -> Iterator[Flaw]:
    for field in fields:
        stated = getattr(of, field) or 0
        if any(0 < s < LEAST_SHARE for s in (stated if isinstance(stated, tuple) else (stated,))):
            yield (*here, field), say("share-is-none")


def _named(here: Path, style: StyleNames) -> Iterator[Flaw]:
    yield from NAMED_ITEMS.flaw((*here, "items"), len(style.items))
    yield from NAMED_ITEMS.flaw((*here, "indexes"), len(style.indexes))
    named = {"items": style.items}
    for at, index in enumerate(style.indexes):
        there: Path = (*here, "indexes", at)
        yield from NAMED_ITEMS.flaw((*there, "of"), len(index.of) + len(index.was))
        yield from NAMED_HERE.flaw((*there, "holds"), len(index.holds))
        parts = max(len(index.keys.partition), len(index.keys.sort))
        yield from KEY_PARTS.flaw((*there, "keys"), parts)
        named |= {f"indexes.{at}.of": index.of, f"indexes.{at}.was": index.was}
    for where, keys in named.items():
        for shape, key in keys.items():
            parts = max(len(key.partition), len(key.sort))
            yield from KEY_PARTS.flaw((*here, *where.split("."), shape), parts)


def _of_pattern(here: Path, pattern: Pattern) -> Iterator[Flaw]:
    if pattern.rate is not None:
        for name in ("average", "peak"):
            rate = getattr(pattern.rate, name) or 0
            yield from RATE.flaw((*here, "rate", name), rate)
            if 0 < rate < LEAST_RATE:
                yield (*here, "rate", name), say("rate-is-never")
    yield from _shares(pattern, here, "hottest")
    yield from LATENCY.flaw((*here, "latency_ms"), pattern.latency_ms or 0)
    if isinstance(pattern, Read):
        yield from EXPECTED.flaw((*here, "expects"), pattern.expects or 0)
        conditions = _conditions(pattern)
        yield from CONDITIONS.flaw((*here, "where"), len(pattern.where))
        yield from KEPT.flaw((*here, "keep"), len(pattern.keep))
        yield from KEPT.flaw((*here, "then_keep"), len(pattern.after_limit))
        yield from OPTIONAL.flaw((*here, "where"), sum(each.optional for each in conditions))
        yield from ALONG.flaw((*here, "with"), len(pattern.with_))
        lists = [each.listed.length or 1 for each in pattern.where if each.listed is not None]
        yield from LISTS.flaw((*here, "where"), prod(lists))
        tested = {"where": pattern.where, "keep": pattern.keep, "then_keep": pattern.after_limit}
        for part, some in tested.items():
            for at, condition in enumerate(some):
                yield from _shares(condition, (*here, part, at), "share")
        yield from _of_answer(here, pattern)
        for at, along in enumerate(pattern.with_):
            yield from KEPT.flaw((*here, "with", at, "keep"), len(along.keep))
            for number, condition in enumerate(along.keep):
                yield from _shares(condition, (*here, "with", at, "keep", number), "share")
            yield from _of_answer((*here, "with", at), along)
        yield from RETURNED.flaw((*here, "returns"), len(pattern.entities))
        orders = (pattern.order, *(along.order for along in pattern.with_))
        yield from SAID.flaw(here, len(conditions) + sum(map(len, orders)))
    elif isinstance(pattern, Write):
        for at, change in enumerate(pattern.changes):
            where = (*here, "members", at) if pattern.is_transaction else here
            yield from NAMED.flaw((*where, "by"), len(change.by))
            yield from NAMED.flaw((*where, "given"), len(change.given))
            yield from CHANGED.flaw(where, len(change.written))
            for way in (change.if_, *change.or_):
                yield from KEPT.flaw((*where, "if"), len(way))
            yield from WAYS.flaw((*where, "or"), len(change.or_))
        rows = sum(len(each.written) + len(each.conditions) for each in pattern.changes)
        yield from SAID.flaw(here, rows + len(pattern.collection))


def _of_answer(here: Path, asked: Read | With) -> Iterator[Flaw]:
    yield from ORDER.flaw((*here, "order"), len(asked.order))
    yield from WANTED.flaw((*here, "attributes"), len(asked.attributes or ()))
