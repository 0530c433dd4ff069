"""Ignored findings with a reason, and brought back."""

from designer.core.design.document import Design
from designer.core.design.settings import IgnoredFinding
from designer.core.edits.replacing import checked, replaced
from designer.core.errors import DesignError
from designer.core.messages import say


def ignore_finding(design: Design, ignored: IgnoredFinding) -> Design:
    """A newer reason takes the place of an older one for the same."""
    if not ignored.because:
        raise DesignError("no-reason", say("say-why-ignored"))
    others = tuple(
        each
        for each in design.ignored_findings
        if (each.rule, each.about) != (ignored.rule, ignored.about)
    )
    return checked(design, replaced(design, ignored_findings=(*others, ignored)))


def heed_finding(design: Design, ignored: IgnoredFinding) -> Design:
    """Bring back what was set aside; refused when it is not there any more."""
    if ignored not in design.ignored_findings:
        raise DesignError("gone", say("no-longer-ignored"))
    others = tuple(each for each in design.ignored_findings if each != ignored)
    return checked(design, replaced(design, ignored_findings=others))
