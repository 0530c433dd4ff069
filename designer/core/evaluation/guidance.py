"""What is stated, what is still missing and what to do next: the seven steps of modelling as a checklist.

Nothing is ticked by hand and nothing blocks: every step is worked out from the design, from what follows from it, and
from what was proven. Findings of some weight count as missing at the step that their rule is about.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from designer.core.design import unstated
from designer.core.design.document import Design
from designer.core.design.entities import Relationship
from designer.core.evaluation.evaluate import Evaluation
from designer.core.lint import set_aside
from designer.core.lint.rules.pattern_without_rate import PatternWithoutRate
from designer.core.plan import Finding, Plan, Style
from designer.core.words import figures
from designer.core.words.english import joined, plural

State = Literal["done", "missing", "ahead"]
"""`ahead`: there is nothing yet that it could be judged by."""
Proven = Literal["passed", "failed", "running", "stale", "never"]
"""How the newest proof of a style stands."""


@dataclass(frozen=True)
class Gap:
    """Something that is missing."""

    words: str
    where: str
    """Path of the part of the design that lacks it, as findings have it: `entities.User`; `entities` alone for a new
    one, `figures` for numbers of many parts, `proof` for what no part of the design can say."""
    is_finding: bool = False
    """Whether the words state a problem, and not what to do."""


@dataclass(frozen=True)
class Step:
    """One of the seven."""

    slug: str
    title: str
    stated: str
    """What there is, in a few words; empty where there is nothing."""
    gaps: tuple[Gap, ...]
    is_running: bool = False
    """Whether what it is judged by is still being worked out."""

    @property
    def state(self) -> State:
        if self.gaps:
            return "missing"
        return "done" if self.stated and not self.is_running else "ahead"


@dataclass(frozen=True)
class Guide:
    """The seven steps of a design."""

    steps: tuple[Step, ...]

    @property
    def done(self) -> int:
        return sum(step.state == "done" for step in self.steps)

    @property
    def is_running(self) -> bool:
        """Whether a proof of what is stated is under way."""
        return any(step.is_running for step in self.steps)

    @property
    def next(self) -> tuple[Step, Gap] | None:
        """The first thing that is missing; None when nothing is, or the rest is still being worked out.

        What is stored, how it belongs together and what is asked come before the figures of any of these.
        """
        lacking = [step for step in self.steps if step.gaps]
        bare = [step for step in lacking if not step.stated and step.slug in _STATED_FIRST]
        return next(((step, step.gaps[0]) for step in (*bare, *lacking)), None)


_STATED_FIRST = ("entities", "relationships", "patterns")


def guide(
    design: Design, evaluation: Evaluation | None, proven: Mapping[Style, Proven] | None = None
) -> Guide:
    """The steps of a design. `evaluation`: None while it is being worked out; `proven`: of each style."""
    known = _Known(design, evaluation, proven or {})
    return Guide(tuple(step(known) for step in STEPS))


class _Known:
    """What the steps are worked out from."""

    def __init__(
        self, design: Design, evaluation: Evaluation | None, proven: Mapping[Style, Proven]
    ) -> None:
        self.design = design
        self.plans: tuple[Plan, ...] = ()
        if evaluation is not None and design.patterns:
            self.plans = tuple(evaluation.plans.values())
        self.proven = proven
        self._evaluation = evaluation

    @cached_property
    def weighty(self) -> tuple[Finding, ...]:
        """Errors and warnings that the team has not set aside, the errors first."""
        found = (
            ()
            if self._evaluation is None or not self.design.patterns
            else self._evaluation.findings
        )
        kept = (f for f in found if f.severity != "advice" and set_aside(self.design, f) is None)
        return tuple(sorted(kept, key=lambda finding: finding.severity != "error"))

    def findings(self, subject: str) -> Iterator[Gap]:
        """Those about a step; that a rate is missing is known without a plan, and said there."""
        for finding in self.weighty:
            if subject_of(finding) == subject and finding.rule != PatternWithoutRate.id:
                yield Gap(finding.message, finding.where, is_finding=True)


_OF_RULES = {
    "P": "patterns",
    "K": "keys",
    "I": "indexes",
    "C": "items",
    "L": "items",
    "N": "items",
}
"""The step that rules are about, by the letter of their ids: see `lint.base.Rule`."""
_OF_THE_PLANNER = {
    "too-many-indexes": "indexes",
    "key-too-long": "items",
    "figure": "items",
    "copy": "items",
    "not-served": "keys",
    "served-on-average": "keys",
    "many-pages": "keys",
    "too-many-requests": "keys",
    "hot-partition": "keys",
    "number-without-digits": "keys",
    "local-index-collection": "keys",
    "pin": "keys",
    "needs-differ": "keys",
}
"""The same of the planner's own findings, by what their names begin with."""


def subject_of(finding: Finding) -> str:
    """The step that a finding is about; the last one when nothing says."""
    if finding.rule[1:].isdigit():
        return _OF_RULES.get(finding.rule[0], "test")
    starts = (step for name, step in _OF_THE_PLANNER.items() if finding.rule.startswith(name))
    return next(starts, "test")


def _entities(known: _Known) -> Step:
    design = known.design
    gaps = [Gap("List the things that the application stores.", "entities")]
    if design.entities:
        gaps = _each_or_all(
            "State how many {} items there are.",
            "entities",
            unstated.counts(design),
            "State how many items there are of each of {} entities.",
        )
        missing = unstated.purpose(design)
        if missing:
            gaps.append(Gap(f"State the purpose of the design: {joined(missing)}.", "context"))
    return Step("entities", "Entities", _count(design.entities, "entity", "entities"), tuple(gaps))


FEW = 2
"""Figures that are asked for one by one; more are asked for where all of them are stated."""


def _each_or_all(of_one: str, where: str, lacking: Sequence[object], of_all: str) -> list[Gap]:
    """A gap for each of a few that lack a figure; one for all of them where they are more."""
    if len(lacking) > FEW:
        return [Gap(of_all.format(len(lacking)), "figures")]
    return [Gap(of_one.format(each), f"{where}.{each}") for each in lacking]


def _relationships(known: _Known) -> Step:
    design = known.design
    gaps = [
        Gap(
            f"{entity}.{name} refers to {other}: state how they are related.",
            f"entities.{entity}.attributes.{name}",
        )
        for entity, name, other in unstated.references(design)
    ]
    gaps += [
        Gap(f"State how many {_each(design.relationship[name])}.", f"relationships.{name}")
        for name in unstated.fan_out(design)
    ]
    stated = _count(design.relationships, "relationship")
    if not stated and len(design.entities) == 1:
        stated = "one entity, nothing to relate"
    if not stated and not gaps and len(design.entities) > 1:
        # What reads entities together needs a relationship, so once the patterns are stated, none is missing.
        if design.patterns:
            return Step("relationships", "Relationships", "none: no entity refers to another", ())
        gaps = [Gap("State how the entities are related.", "relationships")]
    return Step("relationships", "Relationships", stated, tuple(gaps))


def _each(one: Relationship) -> str:
    """`Orders each User has on average and at most, in the relationship “places”`: of the two, what is missing."""
    if isinstance(one.many, tuple):
        first, second = one.many
        said = f"{plural(second)} each {first}, and how many {plural(first)} each {second}, has"
    else:
        said = f"{plural(one.child)} each {one.parent} has"
    return f"{said} {joined(unstated.how_many(one))}, in the relationship “{one.name}”"


def _patterns(known: _Known) -> Step:
    design = known.design
    gaps: list[Gap] = []
    if design.entities and not design.patterns:
        gaps = [Gap("List what the application reads and writes.", "patterns")]
    gaps += _each_or_all(
        "State how often pattern {} runs.",
        "patterns",
        unstated.rates(design),
        "State the rates of {} access patterns.",
    )
    gaps += _each_or_all(
        "State how often pattern {} runs at its peak.",
        "patterns",
        unstated.peaks(design),
        "State the peak rates of {} access patterns.",
    )
    gaps += known.findings("patterns")
    return Step(
        "patterns", "Access patterns", _count(design.patterns, "access pattern"), tuple(gaps)
    )


def _keys(known: _Known) -> Step:
    stated = ", ".join(figures.count(len(plan.tables), "table") for plan in known.plans)
    return Step("keys", "Keys", stated, tuple(known.findings("keys")))


def _indexes(known: _Known) -> Step:
    numbers = [sum(len(table.indexes) for table in plan.tables) for plan in known.plans]
    stated = ", ".join(figures.count(number, "index", "indexes") for number in numbers)
    return Step("indexes", "Indexes", stated, tuple(known.findings("indexes")))


def _items(known: _Known) -> Step:
    shapes = [shape for plan in known.plans for table in plan.tables for shape in table.items]
    largest = max(shapes, key=lambda shape: shape.bytes, default=None)
    stated = ""
    if largest is not None:
        stated = f"the largest is {largest.shape}, {figures.binary_size(largest.bytes)} on average"
    return Step("items", "Items", stated, tuple(known.findings("items")))


_PROOFS: dict[Proven, str] = {
    "never": "Run every access pattern on an engine.",
    "stale": "Run every access pattern again: the design has changed since it was proven.",
    "failed": "The last proof did not pass. See which patterns differ or are not served.",
}


def _test(known: _Known) -> Step:
    gaps = list(known.findings("test"))
    proven = [known.proven.get(plan.style, "never") for plan in known.plans]
    gaps += [Gap(_PROOFS[one], "proof") for one in dict.fromkeys(proven) if one in _PROOFS]
    runs = "running" in proven
    stated = "proven" if set(proven) == {"passed"} else "being proven" if runs else ""
    return Step("test", "Validate and test", stated, tuple(gaps), runs)


STEPS: tuple[Callable[[_Known], Step], ...] = (
    _entities,
    _relationships,
    _patterns,
    _keys,
    _indexes,
    _items,
    _test,
)
"""In the order in which a design is made: what there is, what is asked, and only then how it is kept."""


def _count(things: Iterable[object], noun: str, nouns: str | None = None) -> str:
    number = len(tuple(things))
    return figures.count(number, noun, nouns) if number else ""
