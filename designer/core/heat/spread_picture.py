"""What came of traffic on a key, as pictures: the load of each partition, and what was throttled, minute by minute.

The numbers stand beside them as text, so that the pictures may take any width; colours are the page's, through classes.
"""

from html import escape

from designer.core.heat.spread import Moment, PartitionLoad
from designer.core.words import figures

WIDTH = 480
HEIGHT = 96


def reach(*several: tuple[PartitionLoad, ...]) -> float:
    """What the whole height stands for, in limits, so that pictures side by side can be compared."""
    return max(1.25, *(load.used * 1.05 for loads in several for load in loads))


def partitions(loads: tuple[PartitionLoad, ...], whole: float) -> str:
    """A bar for each partition: what is asked of it against what it serves. `whole`: see `reach`."""
    limit = HEIGHT - HEIGHT / whole
    step = WIDTH / len(loads)
    hot = sum(load.used > 1 for load in loads)
    hottest = max(load.used for load in loads)
    said = (
        f"{figures.count(len(loads), 'partition')}, {hot} above the limit, the hottest at "
        f"{figures.little_share(hottest)}"
    )
    bars = "".join(
        f'<rect class="heat-writes{" is-over" if load.used > 1 else ""}" x="{at * step + step * 0.1:.2f}" '
        f'y="{HEIGHT - load.used / whole * HEIGHT:.2f}" width="{step * 0.8:.2f}" '
        f'height="{load.used / whole * HEIGHT:.2f}"/>'
        for at, load in enumerate(loads)
    )
    line = f'<line class="heat-limit" x1="0" x2="{WIDTH}" y1="{limit:.2f}" y2="{limit:.2f}"/>'
    return _svg(said, f"{bars}{line}")


def minutes(moments: tuple[Moment, ...]) -> str:
    """A bar for each minute: what was served, and on top of it what was throttled."""
    most = max((one.asked_reads + one.asked_writes for one in moments), default=0.0) or 1.0
    step = WIDTH / len(moments)
    bars = ""
    for at, one in enumerate(moments):
        asked = (one.asked_reads + one.asked_writes) / most * HEIGHT
        lost = asked * one.throttled
        place = f'x="{at * step:.2f}" width="{step * 0.9:.2f}"'
        bars += f'<rect class="heat-reads" {place} y="{HEIGHT - asked + lost:.2f}" height="{asked - lost:.2f}"/>'
        if lost:
            bars += f'<rect class="heat-reads is-over" {place} y="{HEIGHT - asked:.2f}" height="{lost:.2f}"/>'
    said = (
        f"{figures.count(len(moments), 'minute')}: {figures.little_share(moments[0].throttled)} of the units throttled "
        f"in the first, {figures.little_share(moments[-1].throttled)} in the last"
    )
    return _svg(said, bars)


def _svg(said: str, drawn: str) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="heat-bars is-tall" role="img" '
        f'viewBox="0 0 {WIDTH} {HEIGHT}" preserveAspectRatio="none" aria-label="{escape(said)}">'
        f'<rect class="heat-room" width="{WIDTH}" height="{HEIGHT}"/>{drawn}</svg>'
    )
