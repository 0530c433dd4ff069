"""Whether everything asked is answered, and nothing runs hot."""

from collections.abc import Iterator, Sized

from designer.core.comparison.criteria.base import Answer, Criterion, Sides, Supposition, listed
from designer.core.comparison.side import Side
from designer.core.design.document import Design
from designer.core.rational import Fraction
from designer.core.words.english import clause, joined


class Served(Criterion):
    """What a style does not serve, or fails at, no saving makes up for."""

    slug = "served"
    title = "Unserved patterns, request limits and hot keys"
    rank = 10

    def answer(self, design: Design, sides: Sides) -> Answer:
        if not design.patterns:
            return Answer("There is no access pattern yet.", is_stated=False)
        # One that is not served weighs more than any number of failings.
        scores = {
            side.style: Fraction(len(side.unserved) * 10**6 + len(side.failings)) for side in sides
        }
        failing = _failing(sides)
        if not failing:
            return Answer(
                "Every style serves each access pattern, at least on average, stays within every request limit, and "
                "has no hot key.",
                scores,
            )
        worse, better = _compared(sides)
        return Answer(" ".join(failing), scores, because=worse, better=better)

    def suppositions(self, design: Design, sides: Sides) -> Iterator[Supposition]:
        """That those patterns might take more requests which some style cannot answer in as few."""
        broken = [
            one.number
            for one in design.patterns
            if one.at_most_requests is not None
            and any(side.requests.get(one.number, 0.0) > one.at_most_requests for side in sides)
        ]
        if broken:
            freed = tuple(
                one.model_copy(update={"at_most_requests": None}) if one.number in broken else one
                for one in design.patterns
            )
            words = f"{listed(broken)} were allowed more requests than stated"
            yield Supposition(words, design.model_copy(update={"patterns": freed}))


def _compared(sides: Sides) -> tuple[str, str]:
    """In what some style does worse than the best, and what is true of the best."""
    if len({len(side.unserved) for side in sides}) > 1:
        one = max(len(side.unserved) for side in sides) == 1
        worse = (
            "an access pattern that is not served" if one else "access patterns that are not served"
        )
        return worse, "more access patterns are served"
    best = min(sides, key=lambda side: len(side.failings))
    hot, violated = (
        max(len(side.hot) for side in sides),
        max(len(side.violations) for side in sides),
    )
    found: list[tuple[str, str]] = []
    if hot > len(best.hot):
        found.append(("a hot key" if hot == 1 else "hot keys", f"{_fewer(best.hot)} keys are hot"))
    if violated > len(best.violations):
        limits = "a limit" if violated == 1 else "limits"
        found.append(
            (f"{limits} that would be exceeded", f"{_fewer(best.violations)} limits are exceeded")
        )
    return " and ".join(one for one, _ in found), " and ".join(other for _, other in found)


def _fewer(left: Sized) -> str:
    return "fewer" if len(left) else "no"


def _are(numbers: tuple[int, ...]) -> str:
    return "is" if len(numbers) == 1 else "are"


def _failing(sides: Sides) -> list[str]:
    """What fails, each once with the styles in which it does."""
    failing: dict[str, list[Side]] = {}
    for side in sides:
        for said in _fails(side):
            failing.setdefault(said, []).append(side)
    return [f"In {_places(found, sides)}, {said}." for said, found in failing.items()]


def _places(found: list[Side], sides: Sides) -> str:
    if len(found) > 1 and len(found) == len(sides):
        return "every style"
    return joined([side.words for side in found])


def _fails(side: Side) -> Iterator[str]:
    if side.unserved:
        yield f"{listed(side.unserved)} {_are(side.unserved)} not served"
    if side.failings:
        more = len(side.failings) - 1
        are = "is 1 more such problem" if more == 1 else f"are {more} more such problems"
        yield f"{clause(side.failings[0])}{f'. There {are}' if more else ''}"
