"""What would change a recommendation: something is stated otherwise, planned anew, and judged again."""

from dataclasses import dataclass
from itertools import zip_longest

from designer.core.comparison.compare import Comparison, compared
from designer.core.comparison.criteria import in_order
from designer.core.comparison.criteria.base import Supposition
from designer.core.design.document import Design
from designer.core.plan import ALL_STYLES, Plan, Style
from designer.core.planner.pipeline import outlined

VERSION = "5"
"""Goes up whenever the same design may turn at something else, though its plans are the same."""

MOST_TRIED = 1500
"""Entities and patterns of all designs that are tried for one: some seconds of planning."""


@dataclass(frozen=True)
class Turn:
    """Something that was tried, and the style that is then recommended."""

    words: str
    """What follows "if": `pattern 3 were asked 40 times a second on average instead of 10`."""
    style: Style
    because: str
    """What is then true of it, by the criterion that decides last of all; empty where none tells it from another."""


@dataclass(frozen=True)
class Turning:
    """All that was tried."""

    changes: tuple[Turn, ...]
    """After which another style is recommended."""
    stays: tuple[Turn, ...]
    """After which it stays as it is."""
    not_tried: int = 0
    """Things that there was no time for, as the design is large."""


def turning(design: Design) -> Turning:
    """What would change the recommendation for a design, and what would not."""
    comparison = compared(design, _plans(design))
    now = comparison.recommendation.style
    supposed = _suppositions(comparison)
    size = len(design.entities) + len(design.patterns)
    most = max(1, MOST_TRIED // max(1, size))
    found = [_tried(each) for each in supposed[:most]]
    return Turning(
        tuple(turn for turn in found if turn.style != now),
        tuple(turn for turn in found if turn.style == now),
        max(0, len(supposed) - most),
    )


def _suppositions(comparison: Comparison) -> list[Supposition]:
    """In the order of the criteria: first one of each, then a second of those that have one."""
    design = comparison.design
    of_each = (one.suppositions(design, comparison.sides) for one in in_order(design))
    turns = zip_longest(*of_each)
    return [each for turn in turns for each in turn if each is not None]


def _tried(supposed: Supposition) -> Turn:
    found = compared(supposed.design, _plans(supposed.design)).recommendation
    because = found.reasons[-1].better if found.reasons else ""
    return Turn(supposed.words, found.style, because)


def _plans(design: Design) -> dict[Style, Plan]:
    """Without the reasons for keys, which nobody asks for here."""
    return {style: outlined(design, style, reasons="findings") for style in ALL_STYLES}
