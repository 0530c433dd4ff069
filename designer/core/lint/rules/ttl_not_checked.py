"""Items that are over, and are still returned."""

from collections.abc import Iterator

from designer.core.design.attributes import Attribute
from designer.core.design.document import Design
from designer.core.design.entities import Entity
from designer.core.edits.patterns import pattern_of
from designer.core.lint.base import (
    Fix,
    Found,
    Plans,
    Rule,
    at_pattern,
    changes,
    conditions,
    number_at,
    reads,
    with_pattern,
)
from designer.core.messages import say
from designer.core.patterns.base import Condition, Operand, Read
from designer.core.words.figures import share

LIVING = 0.99
"""Share of the items that are not over: what is waits a few days at the most, and is gone."""


class TtlNotChecked(Rule):
    id = "P107"
    severity = "advice"
    title = "Expired items still returned"
    about = "pattern"
    what = (
        "A read returns items that have a time to live, but tests neither the time to live nor an attribute that is "
        "set and removed with it."
    )
    why = (
        "DynamoDB deletes an item some time after it expires, typically within a few days. Until then, reads "
        "return it like any other item. If an expired session or offer must not be used, a condition has to "
        "exclude it."
    )
    source = "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/TTL.html"
    cure = (
        "If expired items matter, return only items that have not expired: under “Returned only if”, test that the "
        "time to live is later than a parameter such as `now`. Items without the attribute never meet this condition. "
        "If some items never expire, let the caller check the time instead."
    )
    offers = {
        "ask-for-the-living": (
            "Adds the condition that the time to live is later than the parameter `now`, and assumes that "
            f"{share(LIVING)} of the items meet it. Available if all items have the attribute and the average number "
            "of returned items is not stated."
        ),
    }

    def check(self, design: Design, plans: Plans) -> Iterator[Found]:
        for pattern, entity, ttl in _unasked(design):
            yield Found(
                at_pattern(pattern.number),
                say(
                    "ttl-not-checked",
                    pattern=pattern.number,
                    entity=entity.name,
                    attribute=ttl.name,
                ),
                say(
                    "keep-unexpired" if ttl.present == 1 else "let-caller-check-ttl",
                    attribute=ttl.name,
                ),
            )

    def fixes(self, design: Design, plans: Plans, where: str) -> Iterator[Fix]:
        at = [each for each in _unasked(design) if at_pattern(each[0].number) == where]
        # One condition must hold for the items of every entity that the pattern returns.
        names = {ttl.name for _, _, ttl in at}
        # `expects` is then taken for what is left of more, of which the plan might drop too much.
        if len(names) == 1 and all(
            ttl.present == 1 and len(read.entities) == 1 and read.expects is None
            for read, _, ttl in at
        ):
            (name,) = names
            yield Fix(
                "ask-for-the-living",
                f"Return only items whose {name} is in the future",
                lambda now: _living(now, number_at(where), name),
            )


def _unasked(design: Design) -> Iterator[tuple[Read, Entity, Attribute]]:
    """Reads of entities with a time to live, of which they ask nothing."""
    for pattern in reads(design):
        asked = {condition.attribute for condition in conditions(pattern)}
        for entity in (design.entity[name] for name in pattern.entities):
            ttl = next((attribute for attribute in entity.attributes if attribute.ttl), None)
            if ttl is None or ttl.name in asked:
                continue
            lacking = [one.attribute for one in conditions(pattern) if one.missing]
            if not any(_come_together(design, entity, ttl, marker) for marker in lacking):
                yield pattern, entity, ttl


def _come_together(design: Design, entity: Entity, ttl: Attribute, marker: str) -> bool:
    """Whether items have a time to live only while they have another attribute, such as the time of their deletion.

    An update gives both to an item that lacks the other one, as a new item does; each write that sets the time to live
    sets that one too, and none takes away that one alone.
    """
    written = [change for _, change in changes(design) if change.entity == entity.name]
    setting = [change for change in written if ttl.name in change.set]
    removing = [change for change in written if marker in change.remove]
    is_later = any(
        change.verb == "update"
        and any(one.missing and one.attribute == marker for one in change.if_)
        for change in setting
    )
    return (
        is_later
        and not any(change.verb == "upsert" for change in written)
        and all(marker in change.set for change in setting)
        and all(ttl.name in change.remove for change in removing)
    )


def _living(design: Design, number: int, name: str) -> Design:
    read = pattern_of(design, number)
    assert isinstance(read, Read)
    taken = {parameter for condition in conditions(read) for parameter in condition.parameters}
    param = next(word for word in ("now", "atTime", f"{name}Now") if word not in taken)
    living = Condition(attribute=name, after=Operand(param=param), share=LIVING)
    return with_pattern(design, number, keep=(*read.keep, living))
