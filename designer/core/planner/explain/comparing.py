"""Two plans of one design side by side: money, indexes, and the requests of each pattern."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, get_args

from designer.core.messages import Message, say
from designer.core.plan import Finding, Plan
from designer.core.planner.explain.amounts import CENT, dearer

WARNED = frozenset({"hot-partition", "key-too-long", "too-many-indexes", "too-many-requests"})
"""Findings for which no saving makes up."""
Served = Literal["well", "in pages", "on average"]
"""How a pattern is served, best first: also in the worst case; only in many pages; only on average."""
Case = tuple[int, tuple[str, ...] | None]
"""A pattern's number, and of its optional parameters those that are given; None for a pattern without any."""


def requests_of(plan: Plan) -> dict[int, float]:
    """For each pattern the requests that it takes at the most; 0 for what is not served, or answered elsewhere."""
    found: dict[int, float] = {}
    for operation in plan.operations:
        found[operation.pattern] = max(found.get(operation.pattern, 0.0), operation.requests)
    return found


def _cases(plan: Plan) -> dict[Case, float]:
    """For each case of each pattern the requests that it takes; 0 for what is not served, or answered elsewhere."""
    return {(one.pattern, one.given): one.requests for one in plan.operations}


def served(plan: Plan) -> dict[int, Served]:
    """How each pattern is served that the plan answers, in its least served case."""
    found: dict[int, Served] = {}
    for operation in plan.operations:
        if operation.answer in ("not served", "elsewhere"):
            continue
        on_average = bool({*operation.beyond} - {"answer"})
        how: Served = "on average" if on_average else "in pages" if operation.beyond else "well"
        if found.get(operation.pattern) != "on average" and how != "well":
            found[operation.pattern] = how
        found.setdefault(operation.pattern, how)
    return found


def indexes_of(plan: Plan) -> int:
    """How many indexes all tables have together."""
    return sum(len(table.indexes) for table in plan.tables)


def copies_of(plan: Plan) -> int:
    """How many whole copies of items all tables have together, of each entity as many as there are of an item."""
    return sum(shape.role == "copy" for table in plan.tables for shape in table.items)


def warned_of(plan: Plan) -> tuple[Finding, ...]:
    """The findings about overloaded partitions and violated limits, but for limits that only the worst case exceeds."""
    return tuple(one for one in plan.findings if one.rule in WARNED and one.severity != "advice")


def fails(plan: Plan) -> tuple[int, int]:
    """How many operations a plan does not serve, and its number of warnings, which no saving outweighs."""
    unserved = sum(operation.answer == "not served" for operation in plan.operations)
    return unserved, len(warned_of(plan))


@dataclass(frozen=True)
class Difference:
    """What one plan has that another has not."""

    plan: Plan
    other: Plan

    @cached_property
    def usd(self) -> float:
        """US dollars a month that the plan costs more than the other."""
        return round(self.plan.cost.per_month - self.other.cost.per_month, 4)

    @cached_property
    def indexes(self) -> int:
        """Indexes that it has more."""
        return indexes_of(self.plan) - indexes_of(self.other)

    @cached_property
    def copies(self) -> int:
        """Whole copies of items that it has more."""
        return copies_of(self.plan) - copies_of(self.other)

    @cached_property
    def requests(self) -> tuple[tuple[int, float, float], ...]:
        """(pattern, requests in the other plan, requests in this one), where both answer it differently."""
        now, before = _cases(self.plan), _cases(self.other)
        most: dict[int, tuple[float, float]] = {}
        for case, requests in now.items():
            if requests and before.get(case):
                was, becomes = most.get(case[0], (0.0, 0.0))
                most[case[0]] = max(was, before[case]), max(becomes, requests)
        return tuple((number, was, now) for number, (was, now) in most.items() if was != now)

    @cached_property
    def lost(self) -> tuple[Case, ...]:
        """Cases of patterns that only the other plan answers."""
        now, before = _cases(self.plan), _cases(self.other)
        return tuple(case for case in before if before[case] and not now.get(case))

    @cached_property
    def broken(self) -> tuple[int, ...]:
        """Patterns that only the other plan answers, or of which only the other answers each case."""
        return tuple(dict.fromkeys(number for number, _ in self.lost))

    @cached_property
    def less(self) -> tuple[tuple[int, Served], ...]:
        """Patterns that both plans answer, and this one less well: only in many pages, or only on average."""
        now, before = served(self.plan), served(self.other)
        ranks = {how: rank for rank, how in enumerate(get_args(Served))}
        return tuple(
            (number, how)
            for number, how in now.items()
            if number in before and ranks[how] > ranks[before[number]]
        )

    @cached_property
    def warnings(self) -> tuple[Message, ...]:
        """The warnings of this plan alone: overloaded partitions and violated limits."""
        before = {(one.rule, one.where) for one in warned_of(self.other)}
        return tuple(
            one.problem for one in warned_of(self.plan) if (one.rule, one.where) not in before
        )

    def messages(self) -> tuple[Message, ...]:
        """The differences, with the warnings of this plan alone."""
        warned = (say("has-warning", warning=warning) for warning in self.warnings)
        return (*self.figures(), *warned)

    def figures(self) -> Iterator[Message]:
        """The differences in what can be counted: those of the whole plan, and of its patterns."""
        yield from self.sums()
        for number, before, now in self.requests:
            yield say("takes-other-requests", pattern=number, before=before, now=now)
        yield from self.losses()
        yield from self.served_less()
        back = Difference(self.other, self.plan)
        yield from back.losses("is-served", "is-served-given")
        if back.less:
            yield say("is-served-better", patterns=tuple(number for number, _ in back.less))

    def served_less(self) -> Iterator[Message]:
        """What this plan serves less well: "pattern 2 is served only on average"."""
        for how, id in (("on average", "is-served-on-average"), ("in pages", "is-served-in-pages")):
            patterns = tuple(number for number, found in self.less if found == how)
            if patterns:
                yield say(id, patterns=patterns)

    def losses(
        self, id: str = "not-served", given_id: str = "not-served-given"
    ) -> Iterator[Message]:
        """What only the other plan answers: "patterns 1 and 3 are not served". By default, said of this plan."""
        answered = {case for case, requests in _cases(self.other).items() if requests}
        whole = tuple(n for n in self.broken if all(c in self.lost for c in answered if c[0] == n))
        if whole:
            yield say(id, patterns=whole)
        for number, given in self.lost:
            if number not in whole:
                yield say(given_id, pattern=number, given=given or ())

    def sums(self) -> Iterator[Message]:
        """The differences of the whole plan: "costs $41 a month more", "has 1 fewer index"."""
        if abs(self.usd) >= CENT:
            yield dearer(self.other.cost.per_month, self.plan.cost.per_month)
        if self.indexes:
            yield say(
                "more-indexes" if self.indexes > 0 else "fewer-indexes", count=abs(self.indexes)
            )
        if self.copies:
            yield say("more-copies" if self.copies > 0 else "fewer-copies", count=abs(self.copies))
