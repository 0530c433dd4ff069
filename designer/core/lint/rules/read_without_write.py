"""A read that asks by something that changes, where no write changes it."""

from collections.abc import Iterator
from functools import reduce

from designer.core.design.document import Design
from designer.core.edits import add_pattern
from designer.core.lint.base import (
    Fix,
    Found,
    Plans,
    Rule,
    at_pattern,
    changes,
    conditions,
    reads,
    spoken,
    with_attribute,
)
from designer.core.messages import say
from designer.core.patterns import Update
from designer.core.patterns.base import Operand, Read


class ReadWithoutWrite(Rule):
    id = "P104"
    severity = "warning"
    title = "Mutable attribute never changed"
    of_many = "mutable attributes never change"
    about = "pattern"
    misses_patterns = True
    what = (
        "A read queries by, sorts by or tests an attribute that the design marks as mutable, but no access pattern "
        "changes it."
    )
    why = (
        "The plan lacks the write that changes it and keeps keys with this attribute up to date. The bill lacks the "
        "cost of that write, including its cost on the indexes that hold the attribute."
    )
    source = "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-general-nosql-design.html"
    cure = "Add the access pattern that changes it, or mark the attribute as immutable."
    offers = {
        "add-change": "Adds an access pattern that changes the attribute. State its rate afterwards.",
        "never-changes": "Marks the attribute as immutable.",
    }

    def check(self, design: Design, plans: Plans) -> Iterator[Found]:
        for pattern, entity, name in _unchanged(design):
            number = pattern.number
            yield Found(
                at_pattern(number),
                say("read-without-write", pattern=number, entity=entity, attribute=name)
                if name in _queried(pattern)
                else say("test-without-write", pattern=number, entity=entity, attribute=name),
                say("change-or-mark-immutable", attribute=name),
            )

    def fixes(self, design: Design, plans: Plans, where: str) -> Iterator[Fix]:
        missing = [
            (entity, name)
            for pattern, entity, name in _unchanged(design)
            if at_pattern(pattern.number) == where
        ]
        said = spoken([f"{entity}.{name}" for entity, name in missing])
        yield Fix(
            "add-change",
            f"Add an access pattern that changes {said}",
            lambda now: reduce(_changing, missing, now),
        )
        yield Fix(
            "never-changes",
            f"Mark {said} as immutable",
            lambda now: reduce(_fixed, missing, now),
        )


def _queried(pattern: Read) -> set[str]:
    """What it queries or sorts by, so that a key may hold it."""
    asked = [condition.attribute for condition in pattern.where]
    return {*asked, *(order.attribute for order in pattern.orders)}


def _unchanged(design: Design) -> Iterator[tuple[Read, str, str]]:
    """Patterns that ask by an attribute of an entity that is said to change, and is changed by nothing."""
    changed = {
        (change.entity, name)
        for _, change in changes(design)
        for name in change.written
        if change.verb == "update"
    }
    replaced = {change.entity for _, change in changes(design) if change.may_replace}
    for pattern in reads(design):
        asked = _queried(pattern) | {c.attribute for c in conditions(pattern)}
        for entity in (design.entity[name] for name in pattern.entities):
            for attribute in entity.attributes:
                if (
                    attribute.name in asked
                    and attribute.mutable
                    and entity.name not in replaced
                    and (entity.name, attribute.name) not in changed
                ):
                    yield pattern, entity.name, attribute.name


def _fixed(design: Design, missing: tuple[str, str]) -> Design:
    return with_attribute(design, *missing, mutable=False)


def _changing(design: Design, missing: tuple[str, str]) -> Design:
    entity, name = missing
    new = Operand(param=f"new{name[:1].upper()}{name[1:]}")
    update = Update(number=1, name=f"Change {name} of {entity}", entity=entity, set={name: new})
    return add_pattern(design, update)
