"""What a plan assumes, in words: a figure that nobody stated, and what another one would change."""

from collections.abc import Iterator

from designer.core.plan import Assumed, Effect, Plan, Sized
from designer.core.planner.model.wording import sentence
from designer.core.words import figures
from designer.core.words.english import joined, when_given

EVEN = "Where no share is stated, traffic is assumed to be even over all values."
"""What all heat rests on. A plan lists it of an attribute only where another share could overload a key."""

SAID = {
    "share": "State the share of the items that meet the condition, or how many the access pattern expects.",
    "values": "State how many values it has.",
    "children": "State how many there are on average.",
    "items": "State how many items there are.",
    "list": "State how many values are in the list.",
    "together": "State how many items the access pattern expects.",
    "size": "State its average size.",
    "flag": "State in what share of the items that have it the flag is true.",
    "value": "State the shares of its values.",
    "busiest": "State the share of its busiest value.",
    "moves": "State an access pattern for each change, with the new value as a constant.",
}
"""What to state instead of an assumption."""


def assumption(one: Assumed) -> str:
    """An assumption as a sentence."""
    value = amount(one, one.value)
    number = one.where.removeprefix("patterns.")
    return {
        "share": f"The condition on {one.of} in pattern {number} keeps {value} of the items.",
        "values": f"{one.of} has {figures.count(one.value, 'value')}.",
        "children": (
            f"Each parent in the relationship “{one.of}” has {figures.count(one.value, 'child', 'children')}."
        ),
        "items": f"There are {value} items of {one.of}.",
        "together": (
            f"Pattern {number} finds {figures.count(one.value, 'item')} by {joined(one.of.split(', '))}."
        ),
        "list": f"A caller of pattern {number} gives {figures.count(one.value, 'value')} of {one.of} at once.",
        "size": f"A value of {one.of} takes {value} on average.",
        "flag": f"{one.of} is true in {value} of the items that have it.",
        "value": (
            f"{one.of} is {one.has} in {value} of the items that have it."
            if one.has
            else f"The most common value of {one.of} is in {value} of the items that have it."
        ),
        "moves": f"Pattern {number} sets {one.of} to {one.has} in {value} of its runs.",
        "busiest": f"The busiest value of {one.of} has {value} of the items and of the requests.",
    }[one.what]


def amount(one: Assumed, value: float) -> str:
    """A value of what is assumed, in its unit."""
    if one.what == "size":
        return figures.binary_size(value)
    return (
        figures.share(value)
        if one.what in ("share", "flag", "value", "busiest", "moves")
        else figures.number(value)
    )


def effects(one: Assumed, pattern: int | None = None) -> tuple[str, ...]:
    """What each pattern, or one of them, takes with the lowest and the highest plausible value, where they differ.

    Of a size, first what the items and the whole plan take.
    """
    whole = () if pattern is not None else tuple(_whole(one))
    return whole + tuple(
        f"{_start(use.given)} {amount(one, one.low)}, pattern {use.pattern} takes {_taken(use.low)}; with "
        f"{amount(one, one.high)}, it takes {_taken(use.high)}."
        for use in one.used
        if use.low != use.high and pattern in (None, use.pattern)
    )


def _whole(one: Assumed) -> Iterator[str]:
    """The average item and the bill with the lowest and the highest value of a size."""
    if one.at_low is None or one.at_high is None:
        return
    if one.what == "moves":
        yield (
            f"With a value of {amount(one, one.low)}, the plan costs {_per_month(one.at_low)}; "
            f"with {amount(one, one.high)}, it costs {_per_month(one.at_high)}."
        )
        return
    entity = one.of.partition(".")[0]
    low, high = _sized(one.at_low), _sized(one.at_high)
    yield (
        f"With a value of {amount(one, one.low)}, an item of {entity} takes {low}; "
        f"with {amount(one, one.high)}, an item takes {high}."
    )


def _sized(sized: Sized) -> str:
    exceeds = " and exceeds a limit" if sized.exceeds else ""
    item = figures.binary_size(sized.item_bytes)
    return f"{item}, and the plan costs {_per_month(sized)}{exceeds}"


def _per_month(sized: Sized) -> str:
    return f"{figures.money(sized.per_month)} a month for requests and storage"


def worth(one: Assumed) -> str:
    """What lies between the lowest and the highest value, a month; empty where that is nothing or not known."""
    return f"{figures.money(one.usd_per_month)} a month" if one.usd_per_month else ""


def of_pattern(plan: Plan, number: int) -> tuple[Assumed, ...]:
    """What the figures of a read assume, what could change most first."""
    return tuple(one for one in plan.assumed if any(use.pattern == number for use in one.used))


def _start(given: tuple[str, ...] | None) -> str:
    """How an effect begins: `With a value of`, or `When only since is given: with a value of`."""
    start = "with a value of"
    return sentence(start) if given is None else f"{sentence(when_given(given))}: {start}"


def _taken(effect: Effect) -> str:
    units = [figures.count(effect.units, "read unit")]
    if effect.write_units:
        units = [*(units if effect.units else ()), figures.count(effect.write_units, "write unit")]
    return joined([figures.count(effect.requests, "request"), *units])
