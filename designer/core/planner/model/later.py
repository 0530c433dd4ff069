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
    creates = [write for write in writes if write.writes_whole]
    given = {name for create in creates for name in create.change.set}
    for update in writes:
        if update.verb != "update":
            continue
        awaited = {test.attribute for test in update.change.if_ if test.missing} - given
        is_first = bool(awaited & update.change.set.keys()) or any(
            _leaves(update, test, creates) for test in update.change.required
        )
        if is_first:
            yield from update.change.set.keys() - given


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
