"""What a month costs: in all, and by access pattern."""

from collections.abc import Iterator

from designer.core.cost.price import price
from designer.core.difference.base import About, Change
from designer.core.difference.planned.sides import Side, Sides
from designer.core.planner.explain.amounts import CENT
from designer.core.words import figures


def changes(sides: Sides) -> Iterator[Change]:
    was, now = (price(each.design, each.plan).usd for each in (sides.before, sides.after))
    if _differ(was, now):
        yield _change(About("cost", "", "Cost"), "A month", "per_month", was, now, ())
    before = {sides.names.pattern(each): usd for each, usd in _by_pattern(sides.before).items()}
    after = _by_pattern(sides.after)
    both = [number for number in after if number in before]
    for number in sorted(both, key=lambda each: -abs(after[each] - before[each])):
        if _differ(before[number], after[number]):
            name = sides.after.design.pattern(number).name
            about = About("cost", str(number), f"{number} {name}")
            of = (before[number], after[number], (number,))
            yield _change(about, f"Pattern {number} ({name})", "usd_per_month", *of)


def _differ(was: float, now: float) -> bool:
    return abs(now - was) >= CENT


def _change(
    about: About, subject: str, field: str, was: float, now: float, patterns: tuple[int, ...]
) -> Change:
    a_month = " a month" if patterns else ""
    before, after, more = figures.money_changed(was, now)
    sentence = f"{subject} costs {after}{a_month} instead of {before}: {more}."
    return Change(about, "changed", sentence, field, before, after, patterns)


def _by_pattern(side: Side) -> dict[int, float]:
    found: dict[int, float] = {}
    for operation in side.plan.operations:
        if operation.usd_per_month is not None:
            usd = found.get(operation.pattern, 0.0) + operation.usd_per_month
            found[operation.pattern] = usd
    return found
