"""The list of findings: a line for each, and a row for each rule."""

from collections.abc import Iterable
from dataclasses import dataclass

from designer.core.design.document import Design
from designer.core.design.settings import IgnoredFinding
from designer.core.evaluation.evaluate import Evaluation
from designer.core.lint import TOPICS, set_aside
from designer.core.lint.base import Fix
from designer.core.plan import Finding, Style
from designer.core.words.english import joined
from designer.views.addresses import Urls
from designer.views.finding_fixes import offered


@dataclass(frozen=True)
class FindingLine:
    """A finding of the list."""

    finding: Finding
    where: str
    """Its place as people call it: `pattern 3`, `User.email`."""
    url: str
    """The address of its field; empty where there is none."""
    ignored: IgnoredFinding | None
    """What the team said to ignore it."""
    only_in: tuple[Style, ...]
    """Of the styles shown, those that have it, where not all do."""
    fixes: tuple[Fix, ...] = ()
    """What one click can do about it."""


def finding_lines(
    design: Design, evaluation: Evaluation, urls: Urls | None
) -> tuple[list[FindingLine], list[FindingLine]]:
    """Findings, worst first, and those set aside."""
    order = ("error", "warning", "advice")
    found = sorted(evaluation.findings, key=lambda each: order.index(each.severity))
    said = [set_aside(design, finding) for finding in found]
    shown = [finding for finding, ignored in zip(found, said, strict=True) if ignored is None]
    clicks = offered(evaluation, shown)

    def line(finding: Finding, ignored: IgnoredFinding | None, at: int = -1) -> FindingLine:
        return FindingLine(
            finding,
            in_words(finding.where),
            urls.of(finding.where) if urls is not None else "",
            ignored,
            evaluation.only_in(finding),
            clicks.get(at, ()),
        )

    return (
        [line(finding, None, at) for at, finding in enumerate(shown)],
        [line(each, why) for each, why in zip(found, said, strict=True) if why is not None],
    )


MOST_LINES = 50
"""Findings of one rule that its row unfolds to."""
MOST_PLACES = 4
"""Of what one rule finds in many places, so many are named in its row."""


@dataclass(frozen=True)
class FindingGroup:
    """What one rule finds, at one place or at several."""

    lines: tuple[FindingLine, ...]

    @property
    def shown(self) -> tuple[FindingLine, ...]:
        return self.lines[:MOST_LINES]

    @property
    def more(self) -> int:
        return len(self.lines) - len(self.shown)

    @property
    def finding(self) -> Finding:
        return self.lines[0].finding

    @property
    def title(self) -> str:
        topic = TOPICS.get(self.finding.rule)
        title = self.finding.rule if topic is None else topic.title
        if self.count == 1:
            return f"{title}, {len(self.lines)} findings"
        if topic is not None and topic.of_many:
            return f"{self.count} {topic.of_many}"
        return f"{title}, in {self.count} places"

    @property
    def is_folded(self) -> bool:
        """Whether it is one row, which unfolds."""
        return len(self.lines) > 1

    @property
    def count(self) -> int:
        """Its places. At one of them a rule may find several things, in different styles for example."""
        return len({line.finding.where for line in self.lines})

    @property
    def places(self) -> list[str]:
        """Each once, of one kind with its word said once: `patterns 1`, `2`."""
        every = list(dict.fromkeys(line.where for line in self.lines))
        kind, _, name = every[0].partition(" ")
        if not name or len(every) == 1 or not all(each.startswith(f"{kind} ") for each in every):
            return every
        first, *others = (each.removeprefix(f"{kind} ") for each in every)
        return [f"{kind}s {first}", *others]

    @property
    def places_in_short(self) -> str:
        """The first of them in words: `patterns 1, 2 and 4`."""
        shown = self.places[:MOST_PLACES]
        return joined(shown) if len(shown) == len(self.places) else f"{', '.join(shown)} …"


def grouped(lines: Iterable[FindingLine]) -> list[FindingGroup]:
    """Findings by their rules, in the order in which each rule comes first: its gravest tells how grave it is."""
    groups: dict[str, list[FindingLine]] = {}
    for line in lines:
        groups.setdefault(line.finding.rule, []).append(line)
    return [FindingGroup(tuple(each)) for each in groups.values()]


def in_words(where: str) -> str:
    """A place as people call it."""
    if where.startswith("relationships."):
        _, name, *rest = where.split(".")
        return ".".join((f"relationship “{name}”", *rest))
    for path, words in (
        ("patterns.", "pattern "),
        ("planner.pins.", "pin "),
        (".attributes.", "."),
    ):
        where = where.replace(path, words)
    return PARTS.get(where) or where.removeprefix("entities.")


PARTS = {
    "planner.pins": "Pins",
    "planner.max_gsis": "Index limit",
    "billing": "Capacity mode",
    "region": "AWS Region",
    "entities": "Entities",
}
"""Places that no part of a design has a name for."""
FIELDS = {
    "where": "Found by",
    "keep": "Returned only if",
    "then_keep": "Then only if",
    "limit": "At most",
    "kind": "Type",
    "consistency": "Consistency",
    "at_most_requests": "Request limit",
    "if": "Only if",
    "or": "Or if",
    "refers_to": "Refers to",
    "mutable": "May change",
    "bytes": "Average size",
    "kept": "Updated",
    "billing": "Capacity mode",
}
"""What the forms call the fields of the format that fixes change."""
