"""How many findings there are, in words: pages and documents count them alike."""

from collections import Counter
from collections.abc import Iterable, Mapping

from designer.core.plan import Finding
from designer.core.words import figures
from designer.core.words.english import joined

WORDS = {"error": "error", "warning": "warning", "advice": "piece"}
"""By severity, the gravest first."""


def rows_of(findings: Iterable[Finding]) -> dict[str, int]:
    """By severity, the gravest first, how many rules find something. Of a rule the gravest finding counts."""
    gravest: dict[str, str] = {}
    for finding in sorted(findings, key=lambda each: list(WORDS).index(each.severity)):
        gravest.setdefault(finding.rule, finding.severity)
    return dict(Counter(gravest.values()))


def places_of(findings: Iterable[Finding]) -> int:
    """At how many places the rules find something, each rule for itself."""
    return len({(finding.rule, finding.where) for finding in findings})


def in_short(rows: Mapping[str, int], places: int) -> str:
    """`1 error and 2 warnings, in 30 places`."""
    said = joined(
        [
            figures.count(number, WORDS[severity]) + (" of advice" if severity == "advice" else "")
            for severity, number in rows.items()
        ]
    )
    return said if sum(rows.values()) == places else f"{said}, in {places} places"
