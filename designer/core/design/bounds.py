"""How much a design may state of what multiplies work: sizes that no design needs, and nothing after this copes with.

A design that was stored before a bound was set still opens, so that it can be mended; it is not saved beyond it again.
"""

from collections.abc import Iterator
from math import prod
from typing import NamedTuple

from designer.core.design.document import Design
from designer.core.design.names import StyleNames
from designer.core.design.text import Path
from designer.core.patterns.base import Condition, Document, Pattern, Read, With, Write

Flaw = tuple[Path, str]


class Bound(NamedTuple):
    """The most that something may have of something else."""

    whose: str
    most: int
    of: str
    remedy: str

    def flaw(self, path: Path, count: float) -> Iterator[Flaw]:
        if count > self.most:
            here = f"{count:,.0f}" if count <= _WRITTEN_OUT else "far more"
            has = f"{self.whose} has at most {self.most:,} {self.of}, and here are {here}"
            yield path, f"{has}; {self.remedy}"


_WRITTEN_OUT = 10**18
"""Larger counts are not written out in messages."""

_SPLIT = "split it into several designs"
ENTITIES = Bound("a design", 500, "entities", _SPLIT)
RELATIONSHIPS = Bound("a design", 1_000, "relationships", _SPLIT)
PATTERNS = Bound("a design", 2_000, "patterns", _SPLIT)
TOGETHER = Bound(
    "a design", 2_000, "entities named by its pins of tables", "pin fewer of them together"
)
NAMED_ITEMS = Bound("a style", 5_000, "recorded names of this kind", "record names anew")
NAMED_HERE = Bound("an index", 1_000, "attributes that it is recorded to hold", "record names anew")
KEY_PARTS = Bound("a key", 8, "recorded parts", "record names anew")
PINS = Bound("a design", 200, "pins", "remove some: each is priced by a plan without it")
IGNORED = Bound("a design", 500, "ignored findings", "ignore a rule everywhere instead")
WORK = Bound("`work_limit`", 200_000, "nodes", "more would take minutes")
WORTH = Bound("`worth`", 10**9, "US dollars a month", "check the figure")
ATTRIBUTES = Bound("an entity", 500, "attributes", "keep details together in one of type M")
EXAMPLES = Bound("an attribute", 50, "examples", "leave some out: tables show a handful")
VALUES = Bound(
    "an attribute", 1_000, "values", "leave them out and say how many there are as `distinct`"
)
CONDITIONS = Bound(
    "`where`", 16, "conditions", "put those that only drop items under `keep`: a key has few parts"
)
KEPT = Bound("a pattern", 40, "conditions of this kind", "ask for less at once")
LISTS = Bound(
    "`where`",
    1_000_000,
    "combinations of the values of its lists",
    "a Query reads one of them: shorten the lists, or put some under `keep`",
)
"""A plan asks with one request for each."""
ORDER = Bound("`order`", 100, "attributes", "leave out those that decide nothing any more")
WANTED = Bound("a pattern", 500, "attributes that it needs", "leave them out to ask for all")
REFERENCES = Bound("a relationship", 12, "attributes under `by`", "name each once")
"""Of both sides of N:M."""
OPTIONAL = Bound(
    "a pattern", 6, "optional conditions", "split it into several patterns: each doubles the cases"
)
CASES = Bound(
    "a design",
    4_000,
    "cases with and without its optional conditions",
    "make some conditions firm, or split it in several designs",
)
ALONG = Bound("a pattern", 20, "relationships under `with`", "ask for less at once")
RETURNED = Bound("a pattern", 50, "entities that it returns", "ask for fewer at once")
CHANGED = Bound(
    "a write", 200, "attributes that it changes", "keep details together in one of type M"
)
"""An UpdateExpression has 300 operators at the most."""
WAYS = Bound("a write", 20, "lists under `or`", "split it in several patterns")
NAMED = Bound("a write", 50, "attributes of this kind", "name those that find the item")
SAID = Bound(
    "a pattern",
    500,
    "conditions, sorted attributes and changes in all",
    "split it in several patterns: its form has a row for each",
)
RATE = Bound(
    "a pattern",
    10_000_000,
    "requests a second",
    "check the figure: all of Amazon's own shops took 151 million on their busiest day",
)
"""https://aws.amazon.com/blogs/aws/ (Prime Day 2025). One table is given 40,000 units a second unless asked."""
LEAST_RATE = 1e-12
"""Requests a second; the planner's arithmetic does not tell far smaller ones from none."""

LEAST_SHARE = 1e-12
"""Smaller shares would multiply to nothing, which nothing can be divided by."""

_CHECK = "check the figure"
DISTINCT = Bound("an attribute", 10**15, "different values in use", _CHECK)
"""As many as there may be items of an entity; so for all figures that count items."""
CHILDREN = Bound("one item", 10**15, "items on the other side of a relationship", _CHECK)
EXPECTED = Bound("a pattern", 10**15, "items that it returns", _CHECK)
LATENCY = Bound("`latency_ms`", 86_400_000, "milliseconds", "answers take less than a day")


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
            yield (*here, field), "a share this small is none; write 0"


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
                said = "once in thousands of years is never; write 0"
                yield (*here, "rate", name), said
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
