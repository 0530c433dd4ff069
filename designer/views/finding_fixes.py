"""What one click can do about findings, for as many of them as a page has time to look into."""

from collections.abc import Iterable

from designer.core.design.document import Design
from designer.core.evaluation.evaluate import Evaluation
from designer.core.lint import TOPICS, fixes
from designer.core.lint.base import Fix, Topic
from designer.core.plan import Finding

LOOKS = 30_000
"""Parts of designs that a page looks at for fixes, in about a third of a second: for each finding at all of them."""


def offered(evaluation: Evaluation, findings: Iterable[Finding]) -> dict[int, tuple[Fix, ...]]:
    """The fixes of findings, by their place in the list: of a large design for the first that have any. Those of the
    others come up when these are mended.
    """
    most = max(1, LOOKS // max(1, _parts(evaluation.design)))
    fixable = [(at, each) for at, each in enumerate(findings) if _has_fixes(each)]
    return {at: fixes(evaluation.design, evaluation.plans, each) for at, each in fixable[:most]}


def _has_fixes(finding: Finding) -> bool:
    topic = TOPICS.get(finding.rule)
    return topic is not None and topic.fixes is not Topic.fixes


def _parts(design: Design) -> int:
    return len(design.patterns) + sum(len(each.attributes) for each in design.entities)
