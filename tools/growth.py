"""Measure how planning time grows with a design: `python -m tools.growth` writes docs/planning-times.md and its plot.

`python -m tools.growth 10` measures designs of up to 10 entities alone, and writes nothing.

Processor time of one process, from nothing remembered, without the reasons for the plan; and the largest memory. Parts:
the candidates with their prices, the integer programs, the layout, and the operations; what is left is the rest.
"""

import os
import resource
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from designer.core.design.document import Design
from designer.core.design.load import load
from designer.core.design.settings import PlannerSettings
from designer.core.plan import Style
from designer.core.planner.operations import context, priced
from designer.core.planner.pipeline import VERSION, outlined
from designer.core.planner.solve import candidate_lists, search
from designer.core.planner.solve import milp as program
from tests.bench.workloads import workload

SIZES = ((10, 30), (25, 125), (50, 250), (100, 500))
STYLES: tuple[Style, ...] = ("multi", "single")
OBJECTIVE = PlannerSettings().objective
"""What is measured unless a line says something else: what a design has that states nothing."""
PARTS = ("candidates", "solve", "layout", "operations", "rest")
COLOURS = {"multi": "#0f766e", "single": "#b45309"}
DOCS = Path(__file__).resolve().parent.parent / "docs"


@contextmanager
def watched(spent: dict[str, float]) -> Iterator[None]:
    """Add the time of each part's functions to `spent`, those of others inside them not counted twice."""
    places: list[tuple[object, str, str]] = [
        (search.Search, "options", "candidates"),
        (search.Search, "bases", "candidates"),
        (program.Program, "solve", "solve"),
        (context, "lay_out", "layout"),
        (priced, "_operations", "operations"),
    ]
    kept = [(holder, name, getattr(holder, name)) for holder, name, _ in places]
    for holder, name, part in places:
        setattr(holder, name, _timed(getattr(holder, name), spent, part))
    try:
        yield
    finally:
        for holder, name, function in kept:
            setattr(holder, name, function)


def _timed(function: Callable[..., object], spent: dict[str, float], part: str) -> object:
    def timing(*args: object, **named: object) -> object:
        start, others = time.process_time(), sum(spent.values())
        found = function(*args, **named)
        inside = sum(spent.values()) - others
        spent[part] = spent.get(part, 0.0) + time.process_time() - start - inside
        return found

    return timing


def measure(entities: int, patterns: int, style: Style) -> dict[str, float]:
    """Seconds of each part for one size and style; and the gap, as a share of the cost."""
    design = workload(entities, patterns)
    candidate_lists.CACHED.clear()
    spent: dict[str, float] = {}
    start = time.process_time()
    with watched(spent):
        found = outlined(design, style)
    whole = time.process_time() - start
    rest = whole - sum(spent.values())
    return {**spent, "rest": rest, "whole": whole, "gap": found.cost.gap}


def other_times() -> Iterator[tuple[str, float, float]]:
    """What else is timed, with its seconds and its gap."""
    large = workload(100, 500)
    pattern = large.patterns[7]
    assert pattern.rate is not None
    rate = pattern.rate.model_copy(update={"average": pattern.rate.average + 1})
    edited = pattern.model_copy(update={"rate": rate})
    after = {"patterns": (*large.patterns[:7], edited, *large.patterns[8:])}
    library = load((DOCS.parent / "tests" / "published" / "electrodb-library.yaml").read_bytes())
    for style in STYLES:
        _timed_plan(large, style)
        yield (
            f"100 entities, {style}: again, after a change of one pattern's rate",
            *_timed_plan(large.model_copy(update=after), style, forget=False),
        )
    for objective, meaning in (
        ("cost", "lowest cost"),
        ("indexes", "fewest indexes, at most 5 % more expensive"),
    ):
        other = {"planner": large.planner.model_copy(update={"objective": objective})}
        for style in STYLES:
            yield (
                f"100 entities, {style}: {meaning} (objective `{objective}`)",
                *_timed_plan(large.model_copy(update=other), style),
            )
    yield "200 entities with 1,000 patterns, multi", *_timed_plan(workload(200, 1000), "multi")
    for style in STYLES:
        yield (
            f"the published library (4 entities, 17 patterns), {style}",
            *_timed_plan(library, style),
        )


def _timed_plan(design: Design, style: Style, forget: bool = True) -> tuple[float, float]:
    if forget:
        candidate_lists.CACHED.clear()
    start = time.process_time()
    found = outlined(design, style)
    return time.process_time() - start, found.cost.gap


def table(
    rows: list[tuple[int, int, Style, dict[str, float]]],
    others: list[tuple[str, float, float]],
    megabytes: float,
) -> str:
    """The page."""
    lines = [
        "# How planning time grows",
        "",
        "The table shows processor seconds of one process for generated designs, with version "
        f"{VERSION} of the planner. The cache is empty, the times exclude the reasons for the plan, and the "
        f"objective is `{OBJECTIVE}`, the default. The gap is the share by which the lowest cost that was found "
        f"exceeds its bound. The process needed at most {megabytes:.0f} MB of memory. "
        "`python -m tools.growth` writes this page.",
        "",
        "![Seconds against entities, for both styles](planning-times.svg)",
        "",
        "| entities | patterns | style | " + " | ".join(PARTS) + " | total | gap |",
        "|---:|---:|---|" + "---:|" * (len(PARTS) + 2),
    ]
    for entities, patterns, style, spent in rows:
        figures = " | ".join(f"{spent.get(part, 0.0):.2f}" for part in (*PARTS, "whole"))
        lines.append(f"| {entities} | {patterns} | {style} | {figures} | {spent['gap']:.2%} |")
    lines += [
        "",
        f"Other plans, with the objective `{OBJECTIVE}` where the line names no other. With fewer indexes, the "
        "extra cost that is allowed is part of the gap:",
        "",
        "| plan | gap | seconds |",
        "|---|---:|---:|",
    ]
    lines += [f"| {what} | {gap:.2%} | {seconds:.2f} |" for what, seconds, gap in others]
    return "\n".join(lines) + "\n"


def plot(rows: list[tuple[int, int, Style, dict[str, float]]]) -> str:
    """Seconds against entities, as SVG."""
    width, height, left, bottom = 640, 360, 56, 44
    most = max(spent["whole"] for *_, spent in rows) * 1.1
    largest = max(entities for entities, *_ in rows)

    def at(entities: int, seconds: float) -> tuple[float, float]:
        x = left + entities / largest * (width - left - 90)
        return x, height - bottom - seconds / most * (height - bottom - 24)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" '
        'font-family="system-ui, sans-serif" font-size="12">',
        "<title>Planning time against the number of entities</title>",
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
    ]
    step = 10 ** (len(str(int(most))) - 1)
    step = step if most / step >= 3 else step / 2
    for count in range(int(most / step) + 1):
        _, y = at(0, count * step)
        parts.append(f'<path d="M{left} {y:.1f}H{width - 90}" stroke="#e5e7eb"/>')
        parts.append(
            f'<text x="{left - 8}" y="{y + 4:.1f}" text-anchor="end" fill="#374151">{count * step:g} s</text>'
        )
    for entities in sorted({entities for entities, *_ in rows}):
        x, y = at(entities, 0)
        parts.append(
            f'<text x="{x:.1f}" y="{y + 18:.1f}" text-anchor="middle" fill="#374151">{entities}</text>'
        )
    parts.append(
        f'<text x="{(width - 90 + left) / 2}" y="{height - 6}" text-anchor="middle" fill="#374151">'
        "entities, with five patterns each</text>"
    )
    for style in STYLES:
        points = [at(entities, spent["whole"]) for entities, _, of, spent in rows if of == style]
        path = "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
        colour = COLOURS[style]
        parts.append(f'<path d="M{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>' for x, y in points]
        x, y = points[-1]
        parts.append(f'<text x="{x + 8:.1f}" y="{y + 4:.1f}" fill="{colour}">{style}-table</text>')
    return "\n".join([*parts, "</svg>"]) + "\n"


def main() -> None:
    """Measure every size and write the page and the plot; or measure small sizes alone."""
    most = int(sys.argv[1]) if len(sys.argv) > 1 else None
    rows = []
    for entities, patterns in SIZES:
        if most is not None and entities > most:
            continue
        for style in STYLES:
            rows.append((entities, patterns, style, measure(entities, patterns, style)))
            print(entities, patterns, style, f"{rows[-1][3]['whole']:.2f} s", flush=True)
    if most is not None:
        print(table(rows, [], _megabytes()))
        return
    others = []
    for what, seconds, gap in other_times():
        others.append((what, seconds, gap))
        print(f"{what}: {seconds:.2f} s", flush=True)
    (DOCS / "planning-times.md").write_text(table(rows, others, _megabytes()))
    (DOCS / "planning-times.svg").write_text(plot(rows))


def _megabytes() -> float:
    """The most memory that the process had."""
    scale = 1024**2 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / scale


if __name__ == "__main__":
    os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
    import django

    django.setup()  # as the site plans: it searches for garbage less often
    main()
