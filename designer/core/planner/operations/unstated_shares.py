"""Which shares of conditions, that nobody stated, decide that a read is not served."""

from collections.abc import Iterator
from dataclasses import dataclass

from designer.core.messages import Message, say
from designer.core.patterns.base import Condition
from designer.core.planner.model.changed import changed
from designer.core.planner.model.reads_and_writes import EntityRead
from designer.core.planner.model.shares import (
    HIGHEST_SHARE,
    LOWEST_SHARE,
    presence,
    share_kept,
    stated_share,
    stored_name,
)
from designer.core.planner.operations.context import Context
from designer.core.planner.pricing.access_paths import accesses


@dataclass(frozen=True)
class Unstated:
    """A share that is assumed, and another one with which a key serves the read."""

    attribute: str
    share: float
    most: float
    """Of the items that can pass at all."""
    serves: float


def deciding_shares(context: Context, entity_read: EntityRead) -> Iterator[Unstated]:
    """The shares that nobody stated, with each of which alone a key would serve an entity read that none serves."""
    if entity_read.expected is not None or entity_read.entity not in context.search.design.entity:
        return
    design, entity = context.search.design, context.search.design.entity[entity_read.entity]
    tests = [one for way in entity_read.ways for one in (way.range, *way.filters) if one]
    for at, test in enumerate(tests):
        if test in tests[:at]:
            continue
        if test.attribute not in entity.by_name or stated_share(design, entity, test) is not None:
            continue
        share = share_kept(design, entity, test)
        name = stored_name(entity, test.attribute)
        most = presence(entity, (name,)) if test.needs_a_value else 1.0
        for other in (most * LOWEST_SHARE, most * HIGHEST_SHARE):
            if share and _is_served(context, _with_share(entity_read, test, share, other)):
                yield Unstated(test.attribute, share, most, other)
                break


def share_to_state(context: Context, entity_read: EntityRead) -> Message | None:
    """What to state so that a key serves a read that none serves as far as the design says; None where nothing does."""
    for one in deciding_shares(context, entity_read):
        return say(
            "state-smaller-share" if one.serves < one.share else "state-larger-share",
            attribute=one.attribute,
            assumed=one.share,
            share=one.serves,
        )
    return None


def _with_share(
    entity_read: EntityRead, test: Condition, share: float, other: float
) -> tuple[EntityRead, ...]:
    """The ways of an entity read where a condition states another share."""
    stated, times = test.model_copy(update={"share": other}), other / share
    return tuple(
        changed(
            way,
            range=stated if way.range == test else way.range,
            range_share=min(1.0, way.range_share * (times if way.range == test else 1.0)),
            filters=tuple(stated if one == test else one for one in way.filters),
            kept=min(1.0, way.kept * times),
        )
        for way in entity_read.ways
    )


def _is_served(context: Context, ways: tuple[EntityRead, ...]) -> bool:
    """Whether a key serves an entity read in one of its ways."""
    name = ways[0].entity
    base, model = context.choice.entities[name].base, context.model(name)
    return any(
        True
        for way in ways
        for structure in (base, *context.search.indexes(name))
        for _ in accesses(model, base, structure, way, 0.0)
    )
