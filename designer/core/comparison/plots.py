"""Totals of the styles as small pictures: bars beside each other. Colours are the page's, through classes."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from html import escape

from designer.core.comparison.compare import Comparison
from designer.core.comparison.side import Side
from designer.core.words import figures

WIDTH, BAR, GAP = 320, 16, 8
LABEL, ROOM = 112, 130


@dataclass(frozen=True)
class Plot:
    """One total of every style."""

    label: str
    svg: str


def plots(found: Comparison) -> tuple[Plot, ...]:
    """What it costs, how much is asked, and how hot it runs; not what no rate is stated for."""
    return tuple(_plots(found))


def _plots(found: Comparison) -> Iterator[Plot]:
    for label, of, said in TOTALS:
        values = [of(side) for side in found.sides]
        if any(values):
            yield Plot(label, _bars(found, label, values, said))


def _hottest(side: Side) -> float:
    return float(side.hottest.used) if side.hottest is not None else 0.0


TOTALS: tuple[tuple[str, Callable[[Side], float], Callable[[float], str]], ...] = (
    ("Total per month", lambda side: float(side.usd), figures.money),
    ("Requests per second", lambda side: side.per_second, figures.number),
    ("Hottest key at peak", _hottest, figures.little_share),
)
"""Each total's label, its figure of a style, and how that is written."""


def _bars(found: Comparison, label: str, values: list[float], said: Callable[[float], str]) -> str:
    most = max(values)
    drawn = ""
    for at, (side, value) in enumerate(zip(found.sides, values, strict=True)):
        y = at * (BAR + GAP)
        width = max(2.0, ROOM * value / most)
        mark = " is-chosen" if side.style == found.recommendation.style else ""
        drawn += (
            f'<text class="plot-text" x="0" y="{y + 12}">{escape(side.label)}</text>'
            f'<rect class="plot-bar{mark}" x="{LABEL}" y="{y}" width="{width:.1f}" height="{BAR}" rx="2"/>'
            f'<text class="plot-text is-strong" x="{LABEL + width + 6:.1f}" y="{y + 12}">{escape(said(value))}</text>'
        )
    words = "; ".join(
        f"{side.label}: {said(value)}" for side, value in zip(found.sides, values, strict=True)
    )
    height = len(values) * (BAR + GAP)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="plot" role="img" viewBox="0 0 {WIDTH} {height}" '
        f'aria-label="{escape(f"{label}. {words}")}">{drawn}</svg>'
    )
