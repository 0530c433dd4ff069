"""The attributes that a new item lacks, as the conditions of updates show."""

from collections.abc import Iterator, Sequence

from designer.core.patterns.base import Condition
from designer.core.planner.model.reads_and_writes import EntityWrite


def set_later(writes: Sequence[EntityWrite]) -> Iterator[str]:
    """The attributes that updates set on leaving the state of a new item.

    `writes`: all of one entity. An update leaves that state if it requires what every create sets, such as a status of
    `NEW` or an attribute `waiting`, and ends it; or sets what it requires to be missing. What a create itself sets is
    not among these.
    """
    for update in writes:
        if any(_leaves_first(writes, update)):
            yield from update.change.set.keys() - _given(writes)


def set_once(writes: Sequence[EntityWrite], update: EntityWrite) -> Iterator[str]:
    """The attributes of these that no item has before such an update.

    They are set on leaving that state alone, and no item returns to it: no other write changes what tells the state.
    """
    told_by = _told_by(writes, update)
    others = [one for one in writes if one.verb not in ("create", "delete", "check")]
    others = [one for one in others if not told_by <= _told_by(writes, one)]
    if told_by and not any(told_by & one.changed for one in others):
        for name in update.change.set.keys() - _given(writes):
            if not any(name in one.changed for one in others):
                yield name


def _told_by(writes: Sequence[EntityWrite], update: EntityWrite) -> set[str]:
    return {test.attribute for test in _leaves_first(writes, update)}


def _given(writes: Sequence[EntityWrite]) -> set[str]:
    """What some create sets by itself."""
    return {name for write in writes if write.writes_whole for name in write.change.set}


def _leaves_first(writes: Sequence[EntityWrite], update: EntityWrite) -> Iterator[Condition]:
    """The conditions of an update that tell the state of a new item, which it ends."""
    if update.verb != "update":
        return
    creates = [write for write in writes if write.writes_whole]
    given = _given(writes)
    for test in update.change.if_:
        if test.missing and test.attribute in update.change.set.keys() - given:
            yield test
    for test in update.change.required:
        if _leaves(update, test, creates):
            yield test


def _leaves(update: EntityWrite, test: Condition, creates: Sequence[EntityWrite]) -> bool:
    """Whether what meets an update's condition is the state of every new item, and no longer that of the updated."""
    name = test.attribute
    after = update.constant(name)
    is_ended = name in update.change.remove or (after is not None and not _is_met(test, after))
    return is_ended and all(_is_met(test, create.constant(name)) for create in creates)


def _is_met(test: Condition, value: str | None) -> bool:
    """Whether a constant meets a condition that names the values it allows, or any."""
    allowed = () if test.any_of is None else test.any_of.value or ()
    if test.is_ is not None and test.is_.value is not None:
        allowed = (test.is_.value,)
    return value is not None and (test.exists is True or value in map(str, allowed))
