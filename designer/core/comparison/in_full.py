"""The styles compared with all that is said of them worked out at once."""

from collections.abc import Mapping
from dataclasses import dataclass

from designer.core.comparison.compare import Comparison, compared
from designer.core.comparison.plots import Plot, plots
from designer.core.comparison.totals import Total, totals
from designer.core.design.document import Design
from designer.core.plan import Plan, Style


@dataclass(frozen=True)
class InFull:
    """A comparison, of which nothing is left to be worked out where it is shown, its totals, and some as pictures."""

    comparison: Comparison
    totals: tuple[Total, ...]
    plots: tuple[Plot, ...]


def compared_in_full(design: Design, plans: Mapping[Style, Plan]) -> InFull:
    """The comparison of a design's plans, one of each style, in their order."""
    found = compared(design, plans)
    # Each of these is worked out when it is first asked for, and kept with it.
    _ = found.rows, found.coupling, found.recommendation, found.still, found.technologies
    return InFull(found, totals(found), plots(found))
