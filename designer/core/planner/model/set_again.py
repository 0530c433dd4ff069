"""How often an update sets a constant that an item has already."""

from collections.abc import Iterable

from designer.core.plan.keys import plain_text
from designer.core.planner.model.reads_and_writes import EntityWrite


def share_set_again(writes: Iterable[EntityWrite], write: EntityWrite, name: str) -> float:
    """Of the items that an update sets an attribute to a constant of, the share that has this value before.

    An item can get a value again only after another write has taken it away, and each new item can get it once. So in
    the long run an update that runs more often than that finds the value there. 0 where a rate is missing, or nothing
    creates items, so that nobody can say. `writes`: all of the entity.
    """
    value = write.constant(name)
    if write.verb != "update" or value is None or _required(write, name) is not None:
        return 0.0
    setting = free = 0.0
    has_new = False
    for other in writes:
        if other.verb == "check" or (other.verb == "update" and name not in other.changed):
            continue
        if other.average is None:
            return 0.0
        rate = other.average * other.times
        before, after = _required(other, name), other.constant(name)
        has_new = has_new or other.writes_whole
        if other.verb == "update" and after == value:
            if before is None:
                setting += rate
            elif before != value:
                free -= rate
        elif before in (None, value) and not (other.verb == "create" and after == value):
            free += rate
    return max(0.0, 1 - max(free, 0.0) / setting) if has_new and setting else 0.0


def _required(write: EntityWrite, name: str) -> str | None:
    """The value that a write's conditions demand of an attribute before it; another than any where it must lack one."""
    for test in write.change.required:
        if test.attribute == name and test.missing:
            return ""
        if test.attribute == name and test.is_ is not None and test.is_.value is not None:
            return plain_text(test.is_.value)
    return None
