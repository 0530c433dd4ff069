"""Small plots: bars for cost and heat, a line for growth. Each says its figures in text too."""

from collections.abc import Iterable, Sequence

from designer.core.cost.growth import growth
from designer.core.cost.options import Changes
from designer.core.exporters.pdf.html import Html, tag
from designer.core.report.facts import Facts
from designer.core.sentences.templates import template_text
from designer.core.words import figures

MOST_BARS = 10
"""Bars of one plot; what is less is added up or left to the table."""
WIDTH, HEIGHT = 240, 100
"""Of the line of growth, in its own units."""
ROOM = 22
"""Beside and under the line, for its labels."""


def cost(facts: Facts) -> list[Html]:
    """The plots of the bill, which stand beside each other."""
    return [each for each in (cost_by_pattern(facts), cost_in_three_years(facts)) if each]


def cost_by_pattern(facts: Facts) -> Html | None:
    """What the dearest access patterns take of the bill a month; nothing where none has a rate."""
    lines = sorted(facts.bill.patterns, key=lambda line: (-line.usd, line.patterns))
    named = [
        (
            line.upkeep_label
            if line.upkeep
            else f"{line.patterns[0]} {facts.design.pattern(line.patterns[0]).name}",
            float(line.usd),
        )
        for line in lines
        if line.usd
    ]
    others = named[MOST_BARS:]
    shown = named[:MOST_BARS] + (
        [(figures.count(len(others), "other"), sum(usd for _, usd in others))] if others else []
    )
    return _bars(
        "Cost per month by access pattern", [(name, usd, figures.money(usd)) for name, usd in shown]
    )


def heat_by_key(facts: Facts) -> Html | None:
    """What the hottest value of each key uses of what a partition serves."""
    keys = sorted(facts.heat.keys, key=lambda key: -key.used)[:MOST_BARS]
    return _bars(
        "Share of a partition's limit used by the hottest value of each key",
        [
            (
                f"{key.name}  {template_text(key.key)}",
                float(key.used),
                figures.little_share(float(key.used)),
            )
            for key in keys
        ],
        whole=1.0,
    )


def cost_in_three_years(facts: Facts) -> Html:
    """The bill a month every half year, as a line that begins at nothing."""
    points = growth(facts.account, facts.bill.options, Changes())
    most = max(float(point.usd) for point in points) or 1.0
    last = points[-1].month or 1
    at = [
        (
            ROOM + point.month / last * (WIDTH - 2 * ROOM),
            HEIGHT - ROOM - float(point.usd) / most * (HEIGHT - 2 * ROOM),
        )
        for point in points
    ]
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in at)
    marks = [
        [
            tag("circle", cx=f"{x:.1f}", cy=f"{y:.1f}", r="1.8", fill="#0b6e69"),
            _label(x, y - 5, figures.money(float(point.usd))),
            _label(x, HEIGHT - 8, f"month {point.month}" if point.month else "now"),
        ]
        for point, (x, y) in zip(points, at, strict=True)
        if point.month % 12 == 0
    ]
    said = ", ".join(
        f"{figures.money(float(point.usd))} in month {point.month}"
        for point in points
        if point.month % 12 == 0
    )
    ground = HEIGHT - ROOM
    axis = tag(
        "line",
        x1=str(ROOM),
        x2=str(WIDTH - ROOM),
        y1=str(ground),
        y2=str(ground),
        stroke="#8b8f96",
        stroke_width="0.6",
    )
    return tag(
        "svg",
        tag("title", f"Monthly bill: {said}"),
        _label(WIDTH / 2, 8, "Monthly bill over three years"),
        axis,
        tag("polyline", points=path, fill="none", stroke="#0b6e69", stroke_width="1.4"),
        marks,
        viewBox=f"0 0 {WIDTH} {HEIGHT}",
        class_="line",
        role="img",
    )


def _label(x: float, y: float, text: str) -> Html:
    return tag(
        "text",
        text,
        x=f"{x:.1f}",
        y=f"{y:.1f}",
        text_anchor="middle",
        font_size="7",
        font_family="IBM Plex Sans",
        fill="#566170",
    )


def _bars(
    title: str, lines: Sequence[tuple[str, float, str]], whole: float | None = None
) -> Html | None:
    """A row for each line: its name, a bar, its figure. `whole`: what a full bar stands for; without it the longest."""
    most = max([value for _, value, _ in lines], default=0.0)
    if not most:
        return None
    full = max(whole or 0.0, most)
    head = tag("tr", tag("th", title, scope="col", colspan=3))
    return tag("table", tag("thead", head), tag("tbody", _rows(lines, full)), class_="bars")


def _rows(lines: Iterable[tuple[str, float, str]], full: float) -> Iterable[Html]:
    for name, value, figure in lines:
        yield tag(
            "tr",
            tag("th", name, scope="row"),
            tag("td", tag("div", class_="bar", style=f"width:{max(value / full * 100, 0.4):.1f}%")),
            tag("td", figure, class_="number"),
        )
