"""An expired item that is taken over by an update, where the write that creates it could do so."""

from collections.abc import Iterator
from functools import partial

from designer.core.design.attributes import Attribute
from designer.core.design.document import Design
from designer.core.edits.patterns import change_pattern, pattern_of, remove_pattern
from designer.core.lint.base import Fix, Found, Plans, Rule, at_pattern
from designer.core.messages import say
from designer.core.patterns import Create, Update, Upsert
from designer.core.patterns.base import Condition


class ExpiredTakenOver(Rule):
    id = "P110"
    severity = "advice"
    title = "Expired items replaced by a second write"
    about = "pattern"
    what = (
        "One access pattern creates an item of an entity with a time to live, and another updates it on the sole "
        "condition that the time to live has passed. The finding also appears if an upsert replaces expired "
        "items, and an update takes over abandoned items. An item is abandoned if another of its times, such as the "
        "end of a lease, has passed and nobody has changed the item since the upsert."
    )
    why = (
        "DynamoDB deletes an item some time after it expires. Until then the first write is refused, and the caller "
        "has to send the update: two requests, and the refused one costs write units, too. One conditional PutItem "
        "covers all cases: it succeeds if there is no item or if the item may be replaced."
    )
    source = "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Expressions.ConditionExpressions.html"
    cure = (
        "Make the create an upsert with the condition of the update, and remove the update. The upsert replaces the "
        "whole item, so nothing of the expired item remains. If the item may also be replaced for another reason, "
        "for example because a caller crashed, state that reason as an alternative condition (`or`), and remove the "
        "update that replaces the item for that reason."
    )
    offers = {
        "upsert-if-expired": (
            "Makes the create an upsert that succeeds if there is no item, or only an expired one, and removes the "
            "update."
        ),
        "upsert-if-stopped": (
            "Adds the condition of the update to the upsert as an alternative, and removes the update."
        ),
    }

    def check(self, design: Design, plans: Plans) -> Iterator[Found]:
        for create, update, ttl in _taken_over(design):
            yield Found(
                at_pattern(update.number),
                say(
                    "expired-taken-over",
                    pattern=update.number,
                    other=create.number,
                    entity=create.entity,
                    attribute=ttl.name,
                ),
                say("upsert-if-expired", pattern=create.number, other=update.number),
            )
        for upsert, update, time in _started_again(design):
            yield Found(
                at_pattern(update.number),
                say(
                    "stopped-taken-over",
                    pattern=update.number,
                    other=upsert.number,
                    entity=upsert.entity,
                    attribute=time,
                ),
                say("upsert-if-stopped", pattern=upsert.number, other=update.number),
            )

    def fixes(self, design: Design, plans: Plans, where: str) -> Iterator[Fix]:
        for create, update, _ in _taken_over(design):
            if at_pattern(update.number) == where:
                yield Fix(
                    "upsert-if-expired",
                    f"Write in pattern {create.number} if there is no item or it has expired, and remove pattern "
                    f"{update.number}",
                    partial(_as_one, number=create.number, other=update.number),
                )
        for upsert, update, _ in _started_again(design):
            if at_pattern(update.number) == where:
                yield Fix(
                    "upsert-if-stopped",
                    f"Let pattern {upsert.number} also write on the condition of pattern {update.number}, and remove "
                    f"pattern {update.number}",
                    partial(_with_another, number=upsert.number, other=update.number),
                )


def _taken_over(design: Design) -> Iterator[tuple[Create, Update, Attribute]]:
    """Creates with updates that do nothing but give the item to another once its time to live has passed."""
    active = [one for one in design.patterns if one.status != "declined"]
    for entity in design.entities:
        ttl = next((one for one in entity.attributes if one.ttl), None)
        if ttl is None or entity.uniques:
            continue  # what is unique has to be moved from the expired item
        creates = [one for one in active if isinstance(one, Create) and one.entity == entity.name]
        if len(creates) != 1 or creates[0].times is not None:
            continue
        for update in active:
            if not isinstance(update, Update) or update.entity != entity.name:
                continue
            if update.times is None and ttl.name in update.set and _tests_only(update, ttl):
                yield creates[0], update, ttl


def _tests_only(update: Update, ttl: Attribute) -> bool:
    """Whether the condition of an update is that the time to live has passed, and nothing else."""
    return len(update.if_) == 1 and not update.or_ and _has_passed(update.if_[0], ttl.name)


def _has_passed(condition: Condition, name: str) -> bool:
    """Whether a condition is that the time an attribute holds lies before the one that a caller gives."""
    ends = condition.below or condition.to
    starts = condition.from_ or condition.after
    return condition.attribute == name and starts is None and ends is not None and bool(ends.param)


def _started_again(design: Design) -> Iterator[tuple[Upsert, Update, str]]:
    """Upserts that replace what has expired, with updates that start again what a caller left as the upsert wrote it.

    The third is the attribute with the time that has passed.
    """
    active = [one for one in design.patterns if one.status != "declined"]
    for upsert in active:
        if not isinstance(upsert, Upsert) or upsert.times is not None:
            continue
        entity = design.entity[upsert.entity]
        ttl = next((one for one in entity.attributes if one.ttl), None)
        if ttl is None or entity.uniques or not _replaces_expired(upsert, ttl):
            continue
        for update in active:
            if isinstance(update, Update) and update.entity == upsert.entity:
                time = _starts_again(upsert, update)
                if time is not None:
                    yield upsert, update, time


def _replaces_expired(upsert: Upsert, ttl: Attribute) -> bool:
    return any(len(way) == 1 and _has_passed(way[0], ttl.name) for way in upsert.ways)


def _starts_again(upsert: Upsert, update: Update) -> str | None:
    """The attribute with the time that an update waits for, if it does no more than the upsert would do.

    The item has to be as the upsert wrote it, so that replacing it loses nothing; and the update sets that time anew.
    """
    does_more = set(update.written) - set(update.set)
    if update.times is not None or update.or_ or does_more:
        return None
    constants = {name: said.value for name, said in upsert.set.items() if said.value is not None}
    if any(
        said.value is not None and said.value != constants.get(name)
        for name, said in update.set.items()
    ):
        return None
    times = [one.attribute for one in update.if_ if _has_passed(one, one.attribute)]
    states = [one for one in update.if_ if one.attribute not in times]
    is_as_written = states and all(
        one.is_ is not None
        and one.is_.value is not None
        and one.is_.value == constants.get(one.attribute)
        for one in states
    )
    return times[0] if is_as_written and len(times) == 1 and times[0] in update.set else None


def _as_one(design: Design, number: int, other: int) -> Design:
    """The design with one upsert in the place of a create and an update."""
    create, update = pattern_of(design, number), pattern_of(design, other)
    assert isinstance(update, Update)
    stated = {name: getattr(create, name) for name in Create.model_fields if name != "kind"}
    upsert = Upsert(**{**stated, "if_": update.if_})
    return remove_pattern(change_pattern(design, number, upsert), other)


def _with_another(design: Design, number: int, other: int) -> Design:
    """The design where an upsert has the condition of an update as an alternative, without that update."""
    upsert, update = pattern_of(design, number), pattern_of(design, other)
    assert isinstance(upsert, Upsert) and isinstance(update, Update)
    changed = upsert.model_copy(update={"or_": (*upsert.or_, update.if_)})
    return remove_pattern(change_pattern(design, number, changed), other)
