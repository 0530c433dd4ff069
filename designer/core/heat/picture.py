"""The heat of a key as a picture: its reads and its writes as two bars against the limits of a partition.

The numbers and the names stand beside it, as text, so that the picture may take any width. Colours are those of the
page, through classes.
"""

from html import escape

from designer.core.dynamodb.limits import PARTITION_READS, PARTITION_WRITES
from designer.core.heat.keys import KeyHeat
from designer.core.rational import Fraction
from designer.core.words import figures

WIDTH = 240
BAR = 9
GAP = 4
HEIGHT = 2 * BAR + 3 * GAP
LEAST = Fraction(1)
"""A bar of anything at all is as wide as this, so that it is seen."""


def reach(keys: tuple[KeyHeat, ...]) -> Fraction:
    """What the whole width stands for, in limits: a little more than the limit, or than the hottest key of all."""
    return max((Fraction(5, 4), *(key.used * Fraction(21, 20) for key in keys)))


def bars(key: KeyHeat, whole: Fraction) -> str:
    """Two bars as an SVG element: reads above writes, with a line where the limits are. `whole`: see `reach`."""
    reads, writes = key.reads / PARTITION_READS, key.writes / PARTITION_WRITES
    limit = float(WIDTH / whole)
    said = (
        f"Reads at {figures.little_share(float(reads))} of {PARTITION_READS:,} read units a second, "
        f"writes at {figures.little_share(float(writes))} of {PARTITION_WRITES:,} write units a second"
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="heat-bars" role="img" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'preserveAspectRatio="none" aria-label="{escape(said)}">'
        f'<rect class="heat-room" x="0" y="0" width="{limit:.2f}" height="{HEIGHT}"/>'
        f"{_bar('reads', reads, whole, GAP)}{_bar('writes', writes, whole, 2 * GAP + BAR)}"
        f'<line class="heat-limit" x1="{limit:.2f}" x2="{limit:.2f}" y1="0" y2="{HEIGHT}"/></svg>'
    )


def _bar(what: str, used: Fraction, whole: Fraction, y: int) -> str:
    if not used:
        return ""
    width = max(LEAST, used * WIDTH / whole)
    over = " is-over" if used > 1 else ""
    return (
        f'<rect class="heat-{what}{over}" x="0" y="{y}" width="{float(width):.2f}" height="{BAR}"/>'
    )
