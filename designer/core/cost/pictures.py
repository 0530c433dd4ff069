"""Bills as pictures. The numbers stand beside them as tables; colours are the page's, through classes."""

from collections.abc import Sequence
from html import escape

from designer.core.cost.growth import MONTHS, Point
from designer.core.words import figures

WIDTH, HEIGHT = 640, 200
LEFT, RIGHT, TOP, BOTTOM = 72, 12, 12, 28
BAR, GAP = 22, 10
LABEL = 256


def growth_picture(points: Sequence[Point]) -> str:
    """What a month costs over the months to come, as an SVG line that begins at nothing."""
    top = max(float(point.usd) for point in points) or 1.0
    places = [_place(point, top) for point in points]
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
    dots = "".join(f'<circle class="cost-dot" cx="{x:.1f}" cy="{y:.1f}" r="3"/>' for x, y in places)
    floor = HEIGHT - BOTTOM
    area = f"{LEFT},{floor} {line} {WIDTH - RIGHT},{floor}"
    months = "".join(
        f'<text class="cost-text" x="{x:.1f}" y="{HEIGHT - 8}" text-anchor="middle">{point.month}</text>'
        for point, (x, _) in zip(points, places, strict=True)
    )
    heights = "".join(
        f'<line class="cost-rule" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}"/>'
        f'<text class="cost-text" x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{figures.money(usd)}</text>'
        for usd, y in ((share * top, _height(share)) for share in (0, 0.5, 1))
    )
    said = (
        f"{figures.money(float(points[0].usd))} a month now, "
        f"{figures.money(float(points[-1].usd))} in {points[-1].month} months"
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="cost-growth" role="img" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'aria-label="{escape(said)}">{heights}<polygon class="cost-area" points="{area}"/>'
        f'<polyline class="cost-line" points="{line}"/>{dots}{months}</svg>'
    )


def _place(point: Point, top: float) -> tuple[float, float]:
    return (
        LEFT + (WIDTH - LEFT - RIGHT) * point.month / MONTHS,
        _height(float(point.usd) / top),
    )


def _height(share: float) -> float:
    return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * share


def bars(rows: Sequence[tuple[str, float]], chosen: int) -> str:
    """US dollars of several ways to pay, as SVG bars side by side. `chosen`: the place of the one that is looked at."""
    most = max((usd for _, usd in rows), default=0.0) or 1.0
    room = WIDTH - LABEL - 90
    height = len(rows) * (BAR + GAP) + GAP
    drawn = ""
    for at, (label, usd) in enumerate(rows):
        y = GAP + at * (BAR + GAP)
        width = max(1.0, room * usd / most)
        mark = " is-chosen" if at == chosen else ""
        drawn += (
            f'<text class="cost-text" x="{LABEL - 8}" y="{y + 15}" text-anchor="end">{escape(label)}</text>'
            f'<rect class="cost-bar{mark}" x="{LABEL}" y="{y}" width="{width:.1f}" height="{BAR}" rx="3"/>'
            f'<text class="cost-text is-strong" x="{LABEL + width + 8:.1f}" y="{y + 15}">{figures.money(usd)}</text>'
        )
    said = "; ".join(f"{label}: {figures.money(usd)}" for label, usd in rows)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="cost-bars" role="img" viewBox="0 0 {WIDTH} {height}" '
        f'aria-label="{escape(said)}">{drawn}</svg>'
    )
