"""How much a design may state of what multiplies work: sizes that no design needs, and nothing after this copes with.

A design that was stored before a bound was set still opens, so that it can be mended; it is not saved beyond it again.
"""

from collections.abc import Iterator
from typing import NamedTuple

from designer.core.design.document import Design
from designer.core.design.text import Path
from designer.core.patterns.base import Pattern, Read, Write
from designer.core.patterns.transaction import Transaction

Flaw = tuple[Path, str]


class Bound(NamedTuple):
    """The most that something may have of something else."""

    whose: str
    most: int
    of: str
    remedy: str

    def flaw(self, path: Path, count: float) -> Iterator[Flaw]:
        if count > self.most:
            has = f"{self.whose} has at most {self.most:,} {self.of}, and here are {count:,.0f}"
            yield path, f"{has}; {self.remedy}"


_SPLIT = "split it in several designs"
ENTITIES = Bound("a design", 500, "entities", _SPLIT)
RELATIONSHIPS = Bound("a design", 1_000, "relationships", _SPLIT)
PATTERNS = Bound("a design", 2_000, "patterns", _SPLIT)
PINS = Bound("a design", 200, "pins", "remove some: each is priced by a plan without it")
IGNORED = Bound("a design", 500, "ignored findings", "ignore a rule everywhere instead")
WORK = Bound("`work_limit`", 200_000, "nodes", "more would take minutes")
ATTRIBUTES = Bound("an entity", 500, "attributes", "keep details together in one of type M")
EXAMPLES = Bound("an attribute", 50, "examples", "leave some out: tables show a handful")
VALUES = Bound(
    "an attribute", 1_000, "values", "leave them out and say how many there are as `distinct`"
)
CONDITIONS = Bound(
    "`where`", 16, "conditions", "put those that only drop items under `keep`: a key has few parts"
)
KEPT = Bound("a pattern", 40, "conditions of this kind", "ask for less at once")
OPTIONAL = Bound(
    "a pattern", 6, "optional conditions", "split it in several patterns: each doubles the cases"
)
ALONG = Bound("a pattern", 20, "relationships under `with`", "ask for less at once")
RETURNED = Bound("a pattern", 50, "entities that it returns", "ask for fewer at once")
RATE = Bound(
    "a pattern",
    10_000_000,
    "requests a second",
    "check the figure: all of Amazon's own shops took 151 million on their busiest day",
)
"""https://aws.amazon.com/blogs/aws/ (Prime Day 2025). One table is given 40,000 units a second unless asked."""


def excesses(design: Design) -> Iterator[Flaw]:
    """Where a design states more than it may."""
    yield from ENTITIES.flaw(("entities",), len(design.entities))
    yield from RELATIONSHIPS.flaw(("relationships",), len(design.relationships))
    yield from PATTERNS.flaw(("patterns",), len(design.patterns))
    yield from WORK.flaw(("planner", "work_limit"), design.planner.work_limit)
    yield from PINS.flaw(("planner", "pins"), len(design.planner.pins))
    yield from IGNORED.flaw(("ignored_findings",), len(design.ignored_findings))
    for at, entity in enumerate(design.entities):
        yield from ATTRIBUTES.flaw(("entities", at, "attributes"), len(entity.attributes))
        for number, attribute in enumerate(entity.attributes):
            here: Path = ("entities", at, "attributes", number)
            yield from EXAMPLES.flaw((*here, "examples"), len(attribute.examples))
            yield from VALUES.flaw((*here, "values"), len(attribute.values or ()))
    for at, pattern in enumerate(design.patterns):
        yield from _of_pattern(("patterns", at), pattern)


def _of_pattern(here: Path, pattern: Pattern) -> Iterator[Flaw]:
    if pattern.rate is not None:
        for name in ("average", "peak"):
            yield from RATE.flaw((*here, "rate", name), getattr(pattern.rate, name) or 0)
    if isinstance(pattern, Read):
        conditions = (*pattern.where, *pattern.keep)
        yield from CONDITIONS.flaw((*here, "where"), len(pattern.where))
        yield from KEPT.flaw((*here, "keep"), len(pattern.keep))
        yield from OPTIONAL.flaw((*here, "where"), sum(each.optional for each in conditions))
        yield from ALONG.flaw((*here, "with"), len(pattern.with_))
        yield from RETURNED.flaw((*here, "returns"), len(pattern.entities))
    elif isinstance(pattern, Write):
        for at, change in enumerate(pattern.changes):
            where = (*here, "members", at) if isinstance(pattern, Transaction) else here
            yield from KEPT.flaw((*where, "if"), len(change.if_))
