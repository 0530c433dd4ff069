"""Whether the members of a transaction can be written together."""

from collections.abc import Iterator

from designer.core.design.check_patterns.conditions import Parameters
from designer.core.design.check_patterns.flaws import unknown
from designer.core.design.check_patterns.writes import change_flaws
from designer.core.design.document import Design
from designer.core.design.entities import Entity
from designer.core.design.text import Flaw, Path
from designer.core.dynamodb.limits import TRANSACTION_ITEMS
from designer.core.messages import say
from designer.core.patterns.base import Member


def transaction_flaws(design: Design, members: tuple[Member, ...]) -> Iterator[Flaw]:
    """What is wrong with the members of a transaction, with paths inside its pattern."""
    shared = Parameters()
    rows: dict[str, int] = {}
    of_rows: dict[str, Parameters] = {}
    items: dict[tuple[object, ...], int] = {}
    # Members without `times` come first: their parameters are the whole transaction's.
    for i in sorted(range(len(members)), key=lambda at: members[at].times is not None):
        member = members[i]
        path: Path = ("members", i)
        entity = design.entity.get(member.entity)
        if entity is None:
            yield (*path, member.verb), unknown("entity", member.entity, design.entity)
            continue
        each = None if member.times is None else member.each or entity.name
        parameters = shared
        if each is not None:
            first = members[rows.setdefault(each, i)]
            if first.times != member.times:
                yield (
                    (*path, "times"),
                    say("times-differ", rows=each),
                )
            parameters = of_rows.setdefault(each, Parameters(dict(shared.meaning)))
        for inner, message in change_flaws(design, entity, member.verb, member, parameters):
            yield (*path, *inner), message
        if member.verb == "delete" and member.exists is not None:
            yield (*path, "exists"), say("exists-of-check")
        same = (entity.name, each, _identity(entity, member))
        if same in items:
            yield (
                path,
                say("written-twice", entity=entity.name, member=items[same] + 1),
            )
        items.setdefault(same, i)
    for each in rows:
        if each in shared.meaning:
            yield (
                ("members", rows[each], "each"),
                say("rows-are-parameter", rows=each),
            )
    most = sum(member.times.most if member.times else 1 for member in members)
    if most > TRANSACTION_ITEMS:
        yield (
            ("members",),
            say("transaction-too-large", most=most, limit=TRANSACTION_ITEMS),
        )


def _identity(entity: Entity, member: Member) -> tuple[object, ...]:
    """What the parameters say about which item it is."""
    named = member.by or entity.identifier
    given = [
        (name, member.set[name]) if name in member.set and member.writes_whole else (name, name)
        for name in named
    ]
    return tuple(sorted(given, key=lambda pair: pair[0]))
