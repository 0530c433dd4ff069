"""What the figures of a plan rest on that nobody stated."""

from designer.core.plan import Assumed
from designer.core.report.blocks import Paragraph, Section, Table
from designer.core.report.facts import Facts
from designer.core.sentences.assumptions import EVEN, assumption, effects, worth

TITLE = "What is assumed"


def assumed(facts: Facts) -> Section:
    """Each assumption once, what could change most first."""
    found = facts.plan.assumed
    if not found:
        said = f"Each figure that matters is stated or follows from stated figures. {EVEN}"
        return Section("assumed", TITLE, (Paragraph(said),))
    rows = tuple(_row(one) for one in found)
    head = ("Assumed", "With the lowest and the highest plausible value", "Difference")
    said = (
        "Nobody stated these figures, and they do not follow from stated ones. Those with the largest effect come "
        "first. The table prices the requests of this plan; with another value the planner might choose another plan. "
        f"{EVEN}"
    )
    return Section("assumed", TITLE, (Paragraph(said), Table(head, rows, (36, 48, 16))))


def _row(one: Assumed) -> tuple[str, str, str]:
    said = " ".join(effects(one))
    if not said:
        return assumption(one), "The same requests and units with both.", "none"
    return assumption(one), said, worth(one)
