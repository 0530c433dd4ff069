"""How hot a partition key is known to be, for the rules that say what may make one hot."""

from collections.abc import Hashable, Iterable, Iterator
from functools import cached_property
from typing import NamedTuple, TypeVar

from designer.core.design.document import Design
from designer.core.heat.keys import plan_heat
from designer.core.lint.base import gathered
from designer.core.messages import Message, say
from designer.core.plan import Plan, Step

COOL = 0.1
"""Share of what a partition serves up to which a key may stay as it is, as its traffic can grow tenfold."""


class HeatOfKeys:
    """The heat of the keys of a plan."""

    def __init__(self, design: Design, plan: Plan) -> None:
        self.plan = plan
        self._heat = plan_heat(design, plan)

    def of(self, table: str, index: str | None, entity: str, template: str) -> float | None:
        """The share of a partition that the busiest value takes at peak; None if rates are missing, or nothing."""
        if table in self._unknown:
            return None
        here = [key for key in self._heat.keys if (key.table, key.index) == (table, index)]
        here = [key for key in here if entity in key.entities]
        same = [key for key in here if "#".join(key.templates) == template] or here
        return float(max((key.used for key in same), default=0)) or None

    @cached_property
    def _unknown(self) -> frozenset[str]:
        """The tables that a pattern or an upkeep without a rate reads or writes."""
        return frozenset(name for step in self._without_rate() for name in _tables(step))

    def _without_rate(self) -> Iterator[Step]:
        for operation in self.plan.operations:
            if operation.pattern in self._heat.without_rate:
                yield from operation.steps
        for upkeep in self.plan.upkeep:
            if upkeep.per_second is None:
                yield from upkeep.steps


def _tables(step: Step) -> Iterator[str]:
    yield step.table
    yield from (member.table for member in step.members)


T = TypeVar("T", bound=Hashable)


class Places(NamedTuple):
    """Where something was found, and the share of a partition that the hottest of these keys takes, if it is known."""

    named: tuple[Message, ...]
    used: float | None

    def remedy(self, usual: Message) -> Message:
        """What helps: nothing needs to change while the key is cool."""
        if self.used is None:
            return usual
        if self.used <= COOL:
            return say("key-can-stay", used=self.used)
        return say("as-hot-as", used=self.used, remedy=usual)


def gathered_with_heat(
    found: Iterable[tuple[T, Message, float | None]],
) -> dict[T, Places]:
    """For each thing, all the places it was found at, as `gathered` does, with their heat."""
    each = list(found)
    heat: dict[T, list[float | None]] = {}
    for thing, _, used in each:
        heat.setdefault(thing, []).append(used)
    places = gathered((thing, place) for thing, place, _ in each)
    return {thing: Places(named, _greatest(heat[thing])) for thing, named in places.items()}


def _greatest(used: list[float | None]) -> float | None:
    known = [one for one in used if one is not None]
    return max(known) if len(known) == len(used) else None
