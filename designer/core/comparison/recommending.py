"""Which style a design speaks for: the criteria one after the other, each leaving out what it speaks against."""

from collections.abc import Mapping
from dataclasses import dataclass

from designer.core.comparison.criteria import Answer, Criterion, in_order
from designer.core.comparison.criteria.base import Sides
from designer.core.design.document import Design
from designer.core.grid.shown import STYLE_LABELS, STYLE_WORDS
from designer.core.plan import Style
from designer.core.planner.explain.amounts import CENT
from designer.core.rational import Fraction
from designer.core.words import figures
from designer.core.words.english import spoken


@dataclass(frozen=True)
class Answered:
    """A criterion with what the design says on it."""

    criterion: Criterion
    answer: Answer
    leaves_out: tuple[Style, ...] = ()
    """The styles that are out because of it."""
    favours: tuple[Style, ...] = ()
    """The styles that it favours: of those that were left where it rules one out, else of all."""

    @property
    def title(self) -> str:
        return self.criterion.title

    @property
    def cause(self) -> str:
        """What speaks, as it follows "because of": `cost`."""
        return self.answer.because or self.criterion.by or self.title.lower()

    @property
    def ruled_out(self) -> str:
        """`The single-table and grouped styles are ruled out because of cost.`"""
        verb = "are" if len(self.leaves_out) > 1 else "is"
        if chosen := self.criterion.chosen:
            named = _named(self.leaves_out)
            return (
                f"No other criterion decides between the remaining styles, so {chosen} is preferred. "
                f"{named} {verb} ruled out."
            )
        return f"{_named(self.leaves_out)} {verb} ruled out because of {self.cause}."

    @property
    def better(self) -> str:
        """What is true of the styles that it favours, as it follows "because": `the cost is lower`."""
        scores = self.answer.scores
        is_none = not min((scores[one] for one in self.favours or scores), default=Fraction(1))
        words = self.answer.better or self.criterion.better
        return words.format(fewer="no" if is_none else "fewer")

    @property
    def favoured(self) -> str:
        """`In the multi-table style, the cost is lower.`"""
        named = _named(self.favours)
        return f"In {named[:1].lower()}{named[1:]}, {self.better}."


@dataclass(frozen=True)
class Recommendation:
    """The style that the criteria leave, and why."""

    style: Style
    as_good: tuple[Style, ...]
    """Others that no criterion tells from it."""
    answered: tuple[Answered, ...]
    """Every criterion, in the order in which they decide."""
    is_one_plan: bool = False
    """Whether the plans of all styles that are left are the same."""

    @property
    def best(self) -> tuple[Style, ...]:
        """All that the criteria leave."""
        return (self.style, *self.as_good)

    @property
    def is_tie(self) -> bool:
        """Whether the criteria leave every style."""
        return bool(self.as_good) and not self.reasons

    @property
    def verdict(self) -> str:
        """`Best for this design: Single table`."""
        if self.is_tie:
            which = "Both" if len(self.best) == 2 else "All"
            return f"{which} styles are equally good for this design"
        return f"Best for this design: {spoken(tuple(STYLE_LABELS[style] for style in self.best))}"

    @property
    def undecided(self) -> str:
        """Of several that are left, that nothing tells them apart; criteria may well favour all of them over others."""
        if self.is_one_plan:
            return f"{'Both' if len(self.best) == 2 else 'All of them'} come to the same plan."
        other = "the other" if len(self.best) == 2 else "another"
        return f"No criterion favours one of them over {other}." if self.as_good else ""

    @property
    def in_short(self) -> str:
        """`Single table fits best`."""
        if self.is_tie:
            return "all styles fit equally well"
        label = spoken(tuple(STYLE_LABELS[style] for style in self.best))
        is_one = len(self.best) == 1 and not label.endswith("s")
        return f"{label} {'fits' if is_one else 'fit'} best"

    @property
    def _priced(self) -> Answer | None:
        """What the design says on cost, if that tells prices."""
        return next((one.answer for one in self.answered if one.answer.least), None)

    @property
    def counted(self) -> str:
        """`Bills count as equal if they differ by less than $1.00 a month or by no more than 5 %.`"""
        if (priced := self._priced) is None:
            return ""
        least = figures.money(float(priced.least))
        share = (
            f" or by no more than {figures.share(float(priced.margin))}" if priced.margin else ""
        )
        return f"Bills count as equal if they differ by less than {least} a month{share}."

    @property
    def why_equal(self) -> str:
        """Why none is ruled out: `No criterion tells the styles apart: the bills differ by $0.79 a month, …`"""
        scores = self._priced.scores.values() if self._priced else ()
        apart = figures.money_apart(float(max(scores)), float(min(scores))) if scores else 0.0
        if apart < CENT:
            return "No criterion tells the styles apart."
        return (
            f"No criterion tells the styles apart: the bills differ by at most {figures.money(apart)} a month, too "
            "little to count."
        )

    @property
    def reasons(self) -> tuple[Answered, ...]:
        """Those that left a style out."""
        return tuple(one for one in self.answered if one.leaves_out)

    @property
    def against(self) -> tuple[Answered, ...]:
        """Those that speak for other styles, and came too late: none of those that ruled a style out."""
        return tuple(
            one
            for one in self.answered
            if one.favours and self.style not in one.favours and not one.leaves_out
        )

    @property
    def not_stated(self) -> tuple[Answered, ...]:
        """Those on which the design says nothing."""
        return tuple(one for one in self.answered if not one.answer.is_stated)


def _named(styles: tuple[Style, ...]) -> str:
    """As a sentence begins: `The single-table and grouped styles`."""
    names = spoken(tuple(STYLE_WORDS[style].removesuffix(" style") for style in styles))
    return f"The {names} {'style' if len(styles) == 1 else 'styles'}"


def recommend(design: Design, sides: Sides) -> Recommendation:
    """What the criteria leave, in their order. Of what none tells apart, the first style."""
    return judged({one: one.answer(design, sides) for one in in_order(design)}, sides)


def judged(answers: Mapping[Criterion, Answer], sides: Sides) -> Recommendation:
    """The same, of answers in the order in which they decide."""
    left = tuple(side.style for side in sides)
    found = []
    for criterion, answer in answers.items():
        best = answer.best_of(left)
        out = tuple(one for one in left if one not in best)
        found.append(Answered(criterion, answer, out, best if out else answer.favours))
        left = best
    first, *others = (side for side in sides if side.style in left)
    is_one = bool(others) and all(first.is_same_plan(other) for other in others)
    return Recommendation(left[0], left[1:], tuple(found), is_one)
