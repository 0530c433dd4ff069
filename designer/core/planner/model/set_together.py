"""How often items that have one attribute have another one, because the same updates set both."""

from collections.abc import Iterable
from typing import NamedTuple

from designer.core.planner.model.reads_and_writes import EntityWrite


class SetTogether(NamedTuple):
    """What a write does to two attributes of an item."""

    write: EntityWrite
    now: float
    then: float
    """The share of its items that have the one, before and after it."""
    other: float | None
    """The share that has the other one after it, where it says so."""


def share_set_together(found: Iterable[SetTogether]) -> float:
    """Of the items that come to have one attribute, the share that gets another one by the same write.

    0 where a rate is missing, or some update takes the other one away alone. `found`: of all writes of the entity.
    """
    entering = both = 0.0
    for write, now, then, other in found:
        if write.verb in ("check", "delete") or not then:
            continue
        if write.verb == "update" and other == 0:
            return 0.0
        gained = then if write.writes_whole else max(0.0, then - now)
        if gained and write.average is None:
            return 0.0
        rate = gained * (write.average or 0.0) * write.times
        entering += rate
        both += rate * (other or 0.0)
    return both / entering if entering else 0.0
