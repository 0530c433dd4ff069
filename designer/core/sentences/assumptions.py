"""What a plan assumes, in words: a figure that nobody stated, and what another one would change."""

from designer.core.plan import Assumed, Effect, Plan
from designer.core.words import figures
from designer.core.words.english import joined, when_given

SAID = {
    "share": "State the share of the items that meet the condition, or how many the access pattern expects.",
    "values": "State how many values it has.",
    "children": "State how many there are on average.",
    "items": "State how many items there are.",
    "list": "State how many values are in the list.",
    "together": "State how many items the access pattern expects.",
}
"""What to state instead of an assumption."""


def assumption(one: Assumed) -> str:
    """An assumption as a sentence."""
    value = amount(one, one.value)
    number = one.where.removeprefix("patterns.")
    return {
        "share": f"The condition on {one.of} in pattern {number} keeps {value} of the items.",
        "values": f"{one.of} has {value} values.",
        "children": f"One parent has {value} children by {one.of}.",
        "items": f"There are {value} items of {one.of}.",
        "together": (
            f"Pattern {number} finds {figures.count(one.value, 'item')} by {joined(one.of.split(', '))}."
        ),
        "list": f"A caller of pattern {number} gives {value} values of {one.of} at once.",
    }[one.what]


def amount(one: Assumed, value: float) -> str:
    """A value of what is assumed, in its unit."""
    return figures.share(value) if one.what == "share" else figures.number(value)


def effects(one: Assumed, pattern: int | None = None) -> tuple[str, ...]:
    """What each read, or one pattern, takes with the lowest and the highest plausible value, where they differ."""
    return tuple(
        f"Pattern {use.pattern}{_case(use.given)} at {amount(one, one.low)}: {_taken(use.low)}; at "
        f"{amount(one, one.high)}: {_taken(use.high)}."
        for use in one.used
        if use.low != use.high and pattern in (None, use.pattern)
    )


def worth(one: Assumed) -> str:
    """What lies between the lowest and the highest value, a month; empty where that is nothing or not known."""
    return f"{figures.money(one.usd_per_month)} a month" if one.usd_per_month else ""


def of_pattern(plan: Plan, number: int) -> tuple[Assumed, ...]:
    """What the figures of a read assume, what could change most first."""
    return tuple(one for one in plan.assumed if any(use.pattern == number for use in one.used))


def _case(given: tuple[str, ...] | None) -> str:
    return "" if given is None else f" ({when_given(given)})"


def _taken(effect: Effect) -> str:
    return f"{figures.count(effect.requests, 'request')} and {figures.count(effect.units, 'read unit')}"
