"""What would change a recommendation: something is stated otherwise, planned anew, and judged again."""

from dataclasses import dataclass
from itertools import zip_longest

from designer.core.comparison.compare import Comparison, compared
from designer.core.comparison.criteria import in_order
from designer.core.comparison.criteria.base import Supposition
from designer.core.comparison.recommending import Recommendation
from designer.core.design.document import Design
from designer.core.grid.shown import STYLE_LABELS
from designer.core.plan import ALL_STYLES, Plan, Style
from designer.core.planner.pipeline import outlined
from designer.core.words.english import joined, spoken

VERSION = "6"
"""Goes up whenever the same design may turn at something else, though its plans are the same."""

MOST_TRIED = 1500
"""Entities and patterns of all designs that are tried for one: some seconds of planning."""


@dataclass(frozen=True)
class Turn:
    """Something that was tried, and what is then recommended."""

    words: str
    """What follows "if": `pattern 3 were asked 40 times a second on average instead of 10`."""
    style: Style
    because: str
    """What is then true of it, by the criterion that decides last of all; of more styles than now, which criterion no
    longer decides. Empty where there is nothing to say."""
    as_good: tuple[Style, ...] = ()
    """Others that no criterion then tells from it."""
    is_tie: bool = False
    """Whether no criterion then rules any style out."""

    @property
    def verdict(self) -> str:
        """`Single table`, `Multi table and Grouped tables`, `all styles equally good`."""
        if self.is_tie:
            return f"{'both' if len(self.as_good) == 1 else 'all'} styles equally good"
        return spoken(tuple(STYLE_LABELS[style] for style in (self.style, *self.as_good)))

    @property
    def best(self) -> frozenset[Style]:
        """All styles that are then left."""
        return frozenset((self.style, *self.as_good))


@dataclass(frozen=True)
class Turning:
    """All that was tried."""

    changes: tuple[Turn, ...]
    """After which other styles are recommended, or more or fewer of them."""
    stays: tuple[Turn, ...]
    """After which it stays as it is."""
    not_tried: int = 0
    """Things that there was no time for, as the design is large."""


def turning(design: Design) -> Turning:
    """What would change the recommendation for a design, and what would not."""
    comparison = compared(design, _plans(design))
    now = comparison.recommendation
    supposed = _suppositions(comparison)
    size = len(design.entities) + len(design.patterns)
    most = max(1, MOST_TRIED // max(1, size))
    found = [_tried(each, now) for each in supposed[:most]]
    return Turning(
        tuple(turn for turn in found if turn.best != frozenset(now.best)),
        tuple(turn for turn in found if turn.best == frozenset(now.best)),
        max(0, len(supposed) - most),
    )


def _suppositions(comparison: Comparison) -> list[Supposition]:
    """In the order of the criteria: first one of each, then a second of those that have one."""
    design = comparison.design
    of_each = (one.suppositions(design, comparison.sides) for one in in_order(design))
    turns = zip_longest(*of_each)
    return [each for turn in turns for each in turn if each is not None]


def _tried(supposed: Supposition, now: Recommendation) -> Turn:
    found = compared(supposed.design, _plans(supposed.design)).recommendation
    return Turn(supposed.words, found.style, _because(found, now), found.as_good, found.is_tie)


def _because(found: Recommendation, now: Recommendation) -> str:
    """Why styles are recommended, or more of them than now."""
    if set(found.best) > set(now.best):
        deciding = {one.criterion.slug for one in found.reasons}
        no_longer = [one.cause for one in now.reasons if one.criterion.slug not in deciding]
        if no_longer:
            decide = "decides" if len(no_longer) == 1 else "decide"
            return f"{joined(no_longer)} no longer {decide}"
    return found.reasons[-1].better if found.reasons else ""


def _plans(design: Design) -> dict[Style, Plan]:
    """Without the reasons for keys, which nobody asks for here."""
    return {style: outlined(design, style, reasons="findings") for style in ALL_STYLES}
