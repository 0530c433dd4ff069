"""An expired item that is taken over by an update, where the write that creates it could do so."""

from collections.abc import Iterator
from functools import partial

from designer.core.design.attributes import Attribute
from designer.core.design.document import Design
from designer.core.edits.patterns import change_pattern, pattern_of, remove_pattern
from designer.core.lint.base import Fix, Found, Plans, Rule, at_pattern
from designer.core.messages import say
from designer.core.patterns import Create, Update, Upsert


class ExpiredTakenOver(Rule):
    id = "P110"
    severity = "advice"
    title = "Expired items taken over by a second write"
    about = "pattern"
    what = (
        "One access pattern creates an item of an entity with a time to live, and another updates it on the sole "
        "condition that the time to live has passed."
    )
    why = (
        "DynamoDB deletes an item some time after it expires. Until then the create is refused, and the caller has to "
        "send the update: two requests, and the refused one costs write units, too. One conditional PutItem covers "
        "both cases: it succeeds if there is no item or if the item has expired."
    )
    source = "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Expressions.ConditionExpressions.html"
    cure = (
        "Make the create an upsert with the condition of the update, and remove the update. The upsert replaces the "
        "whole item, so nothing of the expired item remains. If the item may also be taken over for another reason, "
        "for example because a caller stopped, state that reason as an alternative condition (`or`)."
    )
    offers = {
        "upsert-if-expired": (
            "Makes the create an upsert that succeeds if there is no item or if it has expired, and removes the update."
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

    def fixes(self, design: Design, plans: Plans, where: str) -> Iterator[Fix]:
        for create, update, _ in _taken_over(design):
            if at_pattern(update.number) == where:
                yield Fix(
                    "upsert-if-expired",
                    f"Write in pattern {create.number} if there is no item or it has expired, and remove pattern "
                    f"{update.number}",
                    partial(_as_one, number=create.number, other=update.number),
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
    if len(update.if_) != 1 or update.or_:
        return False
    (condition,) = update.if_
    ends = condition.below or condition.to
    starts = condition.from_ or condition.after
    return (
        condition.attribute == ttl.name and starts is None and ends is not None and bool(ends.param)
    )


def _as_one(design: Design, number: int, other: int) -> Design:
    """The design with one upsert in the place of a create and an update."""
    create, update = pattern_of(design, number), pattern_of(design, other)
    assert isinstance(update, Update)
    stated = {name: getattr(create, name) for name in Create.model_fields if name != "kind"}
    upsert = Upsert(**{**stated, "if_": update.if_})
    return remove_pattern(change_pattern(design, number, upsert), other)
