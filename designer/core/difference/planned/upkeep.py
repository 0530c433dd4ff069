"""What consumers of streams do."""

from collections.abc import Iterator

from designer.core.difference.base import About, Change, code
from designer.core.difference.planned.sides import Sides
from designer.core.plan import Upkeep


def changes(sides: Sides) -> Iterator[Change]:
    old = {sides.said_now(key): each for key, each in _by_what(sides.before.plan.upkeep).items()}
    new = _by_what(sides.after.plan.upkeep)
    for key, upkeep in old.items():
        if key not in new:
            numbers = tuple(sides.names.pattern(number) for number in upkeep.patterns)
            sentence = f"No consumer of the stream of {code(upkeep.table)} runs after {upkeep.event} any more."
            yield Change(About("upkeep", key, key), "removed", sentence, patterns=numbers)
    for key, upkeep in new.items():
        if key not in old:
            sentence = (
                f"A consumer of the stream of {code(upkeep.table)} runs after {upkeep.event}."
            )
            yield Change(About("upkeep", key, key), "added", sentence, patterns=upkeep.patterns)


def _by_what(every: tuple[Upkeep, ...]) -> dict[str, Upkeep]:
    found: dict[str, Upkeep] = {}
    for each in every:
        found.setdefault(f"{each.after} in {each.table}", each)
    return found
