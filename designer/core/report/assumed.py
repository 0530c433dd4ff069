"""What the figures of a plan rest on that nobody stated."""

from designer.core.assumptions import assumption, effects, worth
from designer.core.report.blocks import Paragraph, Section, Table
from designer.core.report.facts import Facts

TITLE = "What is assumed"


def assumed(facts: Facts) -> Section:
    """Each assumption once, what could change most first."""
    found = facts.plan.assumed
    if not found:
        said = "No figure of a read is assumed: each is stated, or follows from what is stated."
        return Section("assumed", TITLE, (Paragraph(said),))
    rows = tuple((assumption(one), " ".join(effects(one)), worth(one)) for one in found)
    head = ("Assumed", "With the lowest and the highest plausible value", "Between them")
    said = (
        "Nobody stated these, and they do not follow from what is stated. What could change most comes first. The "
        "plan's own requests are priced with other values; another value might choose another plan."
    )
    return Section("assumed", TITLE, (Paragraph(said), Table(head, rows, (36, 48, 16))))
