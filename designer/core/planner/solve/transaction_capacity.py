"""Transactions have room for the copies of several entities together.

Each entity is chosen as if of all others as few items were written as can be. Where a transaction would then write more
than it takes, one of its entities after the other gets by with what the rest leave, the one for which that costs least.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace

from designer.core.dynamodb.limits import TRANSACTION_ITEMS
from designer.core.planner.model.chosen import Choice
from designer.core.planner.pricing.structures import keys_bytes
from designer.core.planner.pricing.write_costs import (
    items_allowed,
    least_together,
    write_costs,
    written_together,
)
from designer.core.planner.solve.search import Search


def with_room_in_transactions(
    search: Search, best: Callable[[Search], Choice]
) -> tuple[Search, Choice]:
    """The best choice with as many copies as transactions have room for, and the search that found it.

    The bound stays that of the choice before, which allows no less.
    """
    choice = best(search)
    bound = choice.bound
    while trials := [(less, best(less)) for less in _with_less(search, choice)]:
        search, choice = min(trials, key=lambda one: one[1].score.key)
    return search, replace(choice, bound=bound)


def _with_less(search: Search, choice: Choice) -> Iterator[Search]:
    """For the first transaction that would write too much, searches in which one of its entities takes less."""
    for number, items in _written(search, choice).items():
        over = sum(items.values()) - TRANSACTION_ITEMS
        found = False
        for name, mine in items.items() if over > 0 else ():
            model = search.models[name]
            less = max(mine - over, least_together(model, number))
            if less < min(mine, items_allowed(model, number)):
                found = True
                yield search.with_room(name, number, less)
        if found:
            return


def _written(search: Search, choice: Choice) -> dict[int, dict[str, int]]:
    """For each transaction by its number, how many items of each entity it writes at the most."""
    found: dict[int, dict[str, int]] = {}
    for name, chosen in choice.entities.items():
        model = search.models[name]
        if not any(write.pattern.is_transaction for write in model.writes):
            continue
        size = keys_bytes(model, chosen.base, chosen.projections)
        costs = write_costs(model, chosen.base, chosen.projections, chosen.guard, size)
        for number, items in written_together(costs).items():
            found.setdefault(number, {})[name] = items
    return found
