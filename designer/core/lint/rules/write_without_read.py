"""A write of an attribute that no read asks for."""

from collections.abc import Iterator

from designer.core.design.document import Design
from designer.core.edits.patterns import pattern_of
from designer.core.edits.replacing import replaced
from designer.core.lint.base import (
    Fix,
    Found,
    Plans,
    Rule,
    at_pattern,
    changes,
    number_at,
    spoken,
    with_pattern,
)
from designer.core.lint.usage import attributes_read
from designer.core.messages import say
from designer.core.patterns.base import Member, Write


class WriteWithoutRead(Rule):
    id = "P105"
    severity = "advice"
    title = "Attribute written, never read"
    of_many = "attributes are written, but never read"
    about = "pattern"
    misses_patterns = True
    what = "An update changes an attribute that no access pattern returns, queries by or tests."
    why = "Either you pay for a write that nobody needs, or a read is missing."
    source = "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-general-nosql-design.html"
    cure = "Add the access pattern that reads the attribute, or remove the change."
    offers = {
        "leave-out": (
            "Removes the attribute from the update. Available if the update also changes other "
            "attributes."
        ),
    }

    def check(self, design: Design, plans: Plans) -> Iterator[Found]:
        for number, entity, name in _unread(design):
            yield Found(
                at_pattern(number),
                say("write-without-read", pattern=number, entity=entity, attribute=name),
                say("read-or-remove-change", attribute=name),
            )

    def fixes(self, design: Design, plans: Plans, where: str) -> Iterator[Fix]:
        number = number_at(where)
        unread = {(entity, name) for n, entity, name in _unread(design) if n == number}
        pattern = design.pattern(number)
        updates = [c for each, c in changes(design) if each is pattern and c.verb == "update"]
        if all({(c.entity, name) for name in c.written} - unread for c in updates):
            said = spoken(sorted(name for _, name in unread))
            yield Fix(
                "leave-out",
                f"Remove {said} from the update",
                lambda now: _without(now, number, unread),
            )


def _unread(design: Design) -> Iterator[tuple[int, str, str]]:
    """Patterns with the entity and the attribute that they change and nothing reads."""
    read = attributes_read(design)
    for pattern, change in changes(design):
        entity = design.entity[change.entity]
        for name in change.written:
            if (
                change.verb == "update"
                and not entity.by_name[name].ttl
                and (entity.name, name) not in read
            ):
                yield pattern.number, entity.name, name


def _without(design: Design, number: int, unread: set[tuple[str, str]]) -> Design:
    pattern = pattern_of(design, number)
    assert isinstance(pattern, Write)
    if pattern.is_transaction:
        members = tuple(replaced(each, **_left(each, unread)) for each in pattern.changes)
        return with_pattern(design, number, members=members)
    (change,) = pattern.changes
    return with_pattern(design, number, **_left(change, unread))


def _left(change: Member, unread: set[tuple[str, str]]) -> dict[str, object]:
    """What a write says of attributes, without those that nothing reads; other verbs than update say it of none."""
    kept = {name for name in change.written if (change.entity, name) not in unread}
    if change.verb != "update":
        return {}
    return {
        "set": {name: value for name, value in change.set.items() if name in kept},
        "remove": tuple(name for name in change.remove if name in kept),
        "add": {name: value for name, value in change.add.items() if name in kept},
        "greatest": {name: value for name, value in change.greatest.items() if name in kept},
        "append": {name: value for name, value in change.append.items() if name in kept},
        "include": {name: value for name, value in change.include.items() if name in kept},
        "exclude": {name: value for name, value in change.exclude.items() if name in kept},
    }
