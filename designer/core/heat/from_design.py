"""The traffic of a design's key as the analyser takes it: the key without its shards, and what comes in at peak."""

from dataclasses import replace

from designer.core.heat.keys import KeyHeat
from designer.core.heat.shares import is_shard
from designer.core.heat.traffic import MOST_KEYS, Traffic
from designer.core.plan.keys import parse, write

VALUES = 10_000
"""No more values are simulated of a design's key: what is left of more is even."""
SHARDS = 10
"""What is compared where a key needs none."""
UNEVEN = 1.5
"""A value with so many times the even share is a hot key."""


def traffic_on(key: KeyHeat) -> Traffic:
    """What a key of a plan takes at peak, in one piece.

    An item is taken to be of one write unit and half a read unit, so that the units are the plan's own.
    """
    reads, writes = sum(load.reads for load in key.loads), sum(load.writes for load in key.loads)
    hot, whole = (key.writes, writes) if key.is_bound_by_writes else (key.reads, reads)
    hottest = float(hot * key.shards / whole) if whole else 0.0
    values = max(1, min(VALUES, round(key.values)))
    return Traffic(
        without_shards(key.templates),
        values=values,
        shape="hot" if hottest * values > UNEVEN else "uniform",
        hot_share=min(1.0, hottest) or 0.5,
        reads=float(reads * 2),
        writes=float(writes),
    )


def compared(key: KeyHeat) -> Traffic:
    """The same with the shards that it has, or needs; with fewer values where they would be too many with these."""
    found, shards = traffic_on(key), key.shards if key.shards > 1 else key.needs_shards
    if shards < 2:
        shards = SHARDS
    return replace(found, shards=shards, values=min(found.values, MOST_KEYS // shards))


def without_shards(templates: tuple[str, ...]) -> str:
    """A partition key's template in one piece.

    >>> without_shards(("REACTION#POST#{postId}#SHARD#{shard(2, reactionId)}",))
    'REACTION#POST#{postId}'
    """
    parts = []
    for template in templates:
        for part in parse(template):
            if not is_shard(part):
                parts.append(part)
            elif parts and isinstance(parts[-1], str):
                parts[-1] = parts[-1].removesuffix("SHARD#").removesuffix("#")
    return write(tuple(parts)) or "ALL"
