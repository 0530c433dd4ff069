"""What in a design makes planning it take long, for people who wait for it."""

from collections.abc import Iterator

from designer.core.design.document import Design
from designer.core.messages import Message, say
from designer.core.patterns.base import Read

MOST_SAID = 3


def heavy(design: Design) -> tuple[Message, ...]:
    """Sentences about what makes planning long, the worst first: at least one, at most three."""
    found = sorted(_found(design), key=lambda each: -each[0])
    said = tuple(sentence for weight, sentence in found if weight >= 1)[:MOST_SAID]
    return said or (found[0][1],)


def _found(design: Design) -> Iterator[tuple[float, Message]]:
    """What there is much of, with how many times as much as plans within a second or two."""
    reads = [each for each in design.patterns if isinstance(each, Read)]
    for read in reads:
        conditions = len(read.where)
        optional = sum(each.optional for each in read.conditions)
        if optional > 2:
            yield (
                2.0 ** (optional - 2),
                say("heavy-optional-conditions", pattern=read.number, count=optional),
            )
        elif conditions > 4:
            said = say("heavy-conditions", pattern=read.number, count=conditions)
            yield 2.0 ** (conditions - 4), said
        if len(read.entities) > 8:
            returned = len(read.entities)
            said = say("heavy-entities-returned", pattern=read.number, count=returned)
            yield returned / 8, said
    asked: dict[str, int] = {}
    for read in reads:
        for name in read.entities:
            asked[name] = asked.get(name, 0) + 1
    if asked:
        name = max(asked, key=lambda each: asked[each])
        yield asked[name] / 40, say("heavy-reads-of-entity", entity=name, count=asked[name])
    pins = len(design.planner.pins)
    if pins:
        yield pins / 10, say("heavy-pins", count=pins)
    patterns, entities = len(design.patterns), len(design.entities)
    yield patterns / 300, say("heavy-design", patterns=patterns, entities=entities)
