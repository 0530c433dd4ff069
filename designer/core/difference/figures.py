"""Designs that differ in their figures only: how far apart these are, and whether the plan is still the same."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from designer.core.design.document import Design
from designer.core.design.meaning import canonical
from designer.core.difference.planned.operations import UNITS
from designer.core.difference.planned.sides import Side
from designer.core.difference.plans import plan_difference
from designer.core.plan import Plan, Style

FIGURES = frozenset(
    ("average", "averages", "bytes", "count", "distinct", "growth_per_month", "items", "most", "most_bytes", "mosts",
     "peak", "present", "share", "values")
)  # fmt: skip
"""Fields that say how many, how large or how often. Of `values` it is the shares."""

Plans = Mapping[Style, Plan]


def figures_changed(before: Design, after: Design) -> float | None:
    """The largest change of a figure as a share of what it was, where figures alone differ; None where more does.

    A figure that was not stated, is not any more, or was 0 is more than a change of a figure. So is the order of parts.
    """
    was, now = (json.loads(canonical(each, is_ordered=True)) for each in (before, after))
    changes = list(_changes(was, now, is_figure=False))
    return None if None in changes else max((each for each in changes if each), default=0.0)


@dataclass(frozen=True)
class Compared:
    """What `figures_changed` says, as something that is there even where it says None."""

    change: float | None


def figures_compared(before: Design, after: Design) -> Compared:
    return Compared(figures_changed(before, after))


def same_plans(before: Design, old: Plans, after: Design, new: Plans) -> bool:
    """Whether tables, indexes, items and requests are the same in every style; units, cost and heat may differ."""
    return all(
        change.about.kind in ("cost", "heat") or change.field == UNITS
        for style, plan in old.items()
        for change in plan_difference(Side(before, plan), Side(after, new[style]))
    )


def _changes(was: Any, now: Any, is_figure: bool) -> Iterator[float | None]:
    """How far each figure changed; None for whatever else differs."""
    if was == now and type(was) is type(now):
        return
    if isinstance(was, dict) and isinstance(now, dict) and was.keys() == now.keys():
        for name, value in was.items():
            yield from _changes(value, now[name], name in FIGURES)
    elif isinstance(was, list) and isinstance(now, list) and len(was) == len(now):
        for one, other in zip(was, now, strict=True):
            yield from _changes(one, other, is_figure)
    elif is_figure and _is_number(was) and _is_number(now) and was:
        yield abs(now - was) / abs(was)
    else:
        yield None


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
