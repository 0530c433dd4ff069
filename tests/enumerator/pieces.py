"""What some reads cost on one structure, and when they run hot."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from math import ceil

from designer.core.dynamodb.limits import (
    PARTITION_READS,
    PARTITION_WRITES,
    SHARD_READS,
    SHARD_WRITES,
    WRITE_UNIT_BYTES,
)
from tests.enumerator.model import Key
from tests.enumerator.pages import steps_read, takes_no_more

HOT = 1e9
"""US dollars for a partition that runs hot: more than anything else costs."""


@dataclass(frozen=True)
class Piece:
    """What some reads cost on one structure, with all that keeping the structure takes.

    Key attributes of every index lie on the item itself, so what touches whole items is kept apart: it is priced once
    the keys are known.
    """

    reads: int
    """The reads it answers, a bit for each."""
    usd: float
    """Whatever the other keys are."""
    key_bytes: float = 0.0
    """What it adds to each item, on average."""
    first: int = 0
    """The writes that must read the item first for it, a bit for each."""
    items_read: tuple[tuple[float, float], ...] = ()
    """(whole items in one request, US dollars a month for each unit of such requests)."""
    items_written: tuple[tuple[float, float], ...] = ()
    """(bytes that the item of a write has more than the average, US dollars a month for each unit that it takes)."""
    bytes_kept: float = 0.0
    """US dollars a month for each byte of an item."""
    of_table: bool = False
    """It reads the table by its key."""
    peak: float = 0.0
    """Read units a second of the table, for each unit of a request, where these may be too many together."""
    heavy: tuple[tuple[float, float], ...] = ()
    """How often a request that reads the table reads so many items of its busiest partition."""
    got: tuple[float, ...] = ()
    """For each read with a second read the same, for each unit of an item that the second read gets from the table."""
    key: Key | None = None
    """The index; None for the table and its guards."""
    names: frozenset[str] | None = None
    """What the index holds besides keys; None for all."""
    fuller: float = 0.0
    """Bytes that its items have more than the average item, where it holds all of them."""
    joined: float = 0.0
    """Bytes of an entry, at the least, where a pattern about two entities reads it."""
    swollen: "Callable[[float], Iterable[Piece]] | None" = None
    """Of shards that are read and written whole: the same with so many bytes of other indexes' keys on each item."""

    @property
    def is_copy(self) -> bool:
        return self.key is not None and self.key.kind == "copy"

    def has_keys_of(self, other: "Piece") -> bool:
        """Whether two indexes have the same keys."""
        keys = [one.key and replace(one.key, shards=1) for one in (self, other)]
        return keys[0] is not None and keys[0] == keys[1]

    def cost(self, size: float) -> float:
        """US dollars a month where an item has so many bytes on average."""
        size += self.fuller
        usd = self.usd + self.bytes_kept * size
        for more, dollars in self.items_written:
            usd += dollars * steps(size + more, WRITE_UNIT_BYTES)
        for count, dollars in self.items_read:
            usd += dollars * steps_read(count, size)
        return usd

    def beats(self, other: "Piece", size: float) -> bool:
        """Whether it is at least as good whatever else is chosen. `size`: bytes of an item, at the least."""
        if self.key_bytes > other.key_bytes or self.first & ~other.first:
            return False
        if self.peak > other.peak or (self.is_copy and not other.is_copy):
            return False
        if self.peak and self.heavy != other.heavy:
            return False
        if sum(self.got) > sum(other.got) or max(self.got, default=0) > max(other.got, default=0):
            return False
        if (
            self.fuller > other.fuller
            or self.joined > other.joined
            or (self.names is None and other.names is not None)
        ):
            return False
        if not self.items_read and not self.items_written and not self.bytes_kept:
            return self.cost(size) <= other.cost(size)
        return (
            self.usd <= other.usd
            and len(self.items_written) == len(other.items_written)
            and all(
                mine[0] <= theirs[0] and mine[1] <= theirs[1]
                for mine, theirs in zip(self.items_written, other.items_written, strict=True)
            )
            and self.bytes_kept <= other.bytes_kept
            and len(self.items_read) == len(other.items_read)
            and all(
                takes_no_more(mine[0], theirs[0]) and mine[1] <= theirs[1]
                for mine, theirs in zip(self.items_read, other.items_read, strict=True)
            )
        )


def undominated(pieces: list[Piece], size: float) -> list[Piece]:
    kept: list[Piece] = []
    for piece in sorted(pieces, key=lambda one: (one.cost(size), one.key_bytes)):
        if not any(other.beats(piece, size) for other in kept):
            kept.append(piece)
    return kept


def steps(size: float, step: int) -> int:
    return max(1, ceil(round(size, 6) / step))


def heat_of(heavy: Sequence[tuple[float, float]], size: float) -> float:
    """Units that one request takes of a busiest partition, where an item has so many bytes."""
    return sum(often * steps_read(items, size) for often, items in heavy)


def too_many(heats: Sequence[float]) -> int:
    """How many reads are by themselves too much for a partition, else whether all together are."""
    alone = sum(heat > PARTITION_READS for heat in heats)
    return alone or int(sum(heats) > PARTITION_READS)


def shards_for(writes: float, reads: float, now: int = 1) -> int:
    """Over how many partitions so many units a second on each of those there are now are spread (rule 18).

    One partition takes what DynamoDB lets it; of several, each has a fifth to spare.
    """
    most_written, most_read = PARTITION_WRITES, PARTITION_READS
    if now > 1:
        most_written, most_read = SHARD_WRITES, SHARD_READS
    return max(
        ceil(round(now * writes / SHARD_WRITES, 6)) if writes > most_written else 1,
        ceil(round(now * reads / SHARD_READS, 6)) if reads > most_read else 1,
    )
