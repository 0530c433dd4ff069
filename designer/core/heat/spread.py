"""How traffic on a partition key spreads over partitions: a simulation, second by second, the same every time.

What AWS says, and is done here:

- A partition serves 3,000 read and 1,000 write units a second; a value of the partition key is placed by its hash.
  https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-design.html
- Burst capacity: up to 300 seconds of unused capacity are kept and can be used at once, at best effort, but never
  above what a partition serves. Adaptive capacity: a partition gets more than its part of the table's throughput at
  once, as long as the table has some left and the partition is below its own limit.
  https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/burst-adaptive-capacity.html
- A partition whose traffic stays near its limit is split, and partitions are never merged again.
  https://aws.amazon.com/blogs/database/part-3-scaling-dynamodb-how-partitions-hot-keys-and-split-for-heat-impact-performance/
- No split helps a single item, nor writes to one partition key value in the order of an increasing sort key.

What AWS does not publish, and is assumed here: the hash (MD5 of the key's text); how long traffic has to last and
where a split cuts (`SUSTAINED` seconds above the limit, and where it divides the traffic best); that a split takes
effect at once; that a partition's burst capacity is what is left of its even part of the table's throughput, and starts
empty. Throttled requests are not tried again. So the figures tell how keys compare, not what a table does to a request.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from hashlib import md5
from itertools import accumulate
from typing import Literal, NamedTuple

from designer.core.dynamodb.limits import PARTITION_READS, PARTITION_WRITES
from designer.core.heat.traffic import MOST_KEYS, Traffic, key_text

BURST_SECONDS = 300
"""Of unused capacity that is kept."""
SUSTAINED = 300
"""Our assumption: seconds above its limit after which a partition is split."""
RING = 2**64
"""Hashes are below it."""
MOST_PARTITIONS = 200
"""No more splits than to so many."""


def hashed(text: str) -> int:
    """Where a key lies: the first eight bytes of the MD5 of its text."""
    return int.from_bytes(md5(text.encode(), usedforsecurity=False).digest()[:8], "big")


class Segment(NamedTuple):
    """Part of the items under one key: all of them, or those between two places of its sort keys."""

    place: int
    value: int
    low: float = 0.0
    high: float = 1.0


@dataclass
class _Partition:
    number: int
    segments: list[Segment]
    reads: float = 0.0
    writes: float = 0.0
    """Units a second that are asked of it."""
    burst: list[float] = field(default_factory=lambda: [0.0, 0.0])
    hot_seconds: int = 0
    throttled: float = 0.0
    """Units, over all seconds."""
    asked: float = 0.0


@dataclass(frozen=True)
class Split:
    """A partition that was split for heat."""

    second: int
    partition: int
    into: int
    """The number of the new one."""


@dataclass(frozen=True)
class PartitionLoad:
    """A partition as it was, or is at the end. Units are those of a second."""

    partition: int
    keys: int
    """Key values in it, those of which it has a part included."""
    reads: float
    writes: float
    throttled: float
    """Share of its units over all the time."""

    @property
    def used(self) -> float:
        """Share of the nearer limit that is asked of it; above 1 it throttles."""
        return max(self.reads / PARTITION_READS, self.writes / PARTITION_WRITES)


@dataclass(frozen=True)
class Moment:
    """A minute: units a second on average."""

    minute: int
    asked_reads: float
    asked_writes: float
    throttled_reads: float
    throttled_writes: float
    from_burst: float
    """Read and write units a second that burst capacity served."""
    partitions: int

    @property
    def throttled(self) -> float:
        """Share of the units of this minute."""
        asked = self.asked_reads + self.asked_writes
        return (self.throttled_reads + self.throttled_writes) / asked if asked else 0.0


Verdict = Literal["within the limits", "helped by splits", "too much for the table", "hot"]


@dataclass(frozen=True)
class Spread:
    """What came of it."""

    traffic: Traffic
    first: tuple[PartitionLoad, ...]
    """The partitions with the first second's traffic."""
    last: tuple[PartitionLoad, ...]
    moments: tuple[Moment, ...]
    splits: tuple[Split, ...]

    @cached_property
    def throttled_reads(self) -> float:
        """Share of the read units."""
        return _share((m.throttled_reads, m.asked_reads) for m in self.moments)

    @cached_property
    def throttled_writes(self) -> float:
        return _share((m.throttled_writes, m.asked_writes) for m in self.moments)

    @property
    def hottest_key(self) -> float:
        """Share of the nearer limit that the hottest key takes, suffix included."""
        share = max(self.traffic.shares(0)) / self.traffic.shards
        reads, writes = self.traffic.read_demand, self.traffic.write_demand
        return max(reads * share / PARTITION_READS, writes * share / PARTITION_WRITES)

    @property
    def verdict(self) -> Verdict:
        """In a word: by what is throttled in the whole time, and in its last minute."""
        if max(self.throttled_reads, self.throttled_writes) < 0.0005:
            return "within the limits"
        if self.splits and self.moments[-1].throttled < 0.0005:
            return "helped by splits"
        if self.is_over_capacity:
            return "too much for the table"
        return "hot"

    @property
    def is_over_capacity(self) -> bool:
        """Whether more is asked than the table was provisioned for."""
        both = (
            (self.traffic.read_demand, self.traffic.read_capacity),
            (self.traffic.write_demand, self.traffic.write_capacity),
        )
        return any(capacity is not None and asked > capacity for asked, capacity in both)


def _share(pairs: Iterator[tuple[float, float]]) -> float:
    both = list(pairs)
    asked = sum(one for _, one in both)
    return sum(one for one, _ in both) / asked if asked else 0.0


def spread(traffic: Traffic) -> Spread:
    """Simulate some traffic; ValueError for more keys than are simulated."""
    return _Simulation(traffic).run()


class _Simulation:
    def __init__(self, traffic: Traffic) -> None:
        if traffic.count * traffic.shards > MOST_KEYS:
            raise ValueError(f"at most {MOST_KEYS:,} keys are simulated")
        self.traffic = traffic
        self.shares: list[float] = []
        self.splits: list[Split] = []
        self.partitions = self._begin()

    def run(self) -> Spread:
        traffic = self.traffic
        moments: list[Moment] = []
        first: tuple[PartitionLoad, ...] = ()
        minute = [0.0] * 5
        for second in range(traffic.seconds):
            if second == 0 or (traffic.shape == "time" and second % traffic.period_seconds == 0):
                self.shares = traffic.shares(second)
                self._ask()
                first = first or self._loads()
            minute = [was + now for was, now in zip(minute, self._serve(), strict=True)]
            self._split(second)
            if second % 60 == 59:
                reads, writes, lost_reads, lost_writes, burst = (each / 60 for each in minute)
                moments.append(
                    Moment(
                        second // 60,
                        reads,
                        writes,
                        lost_reads,
                        lost_writes,
                        burst,
                        len(self.partitions),
                    )
                )
                minute = [0.0] * 5
        return Spread(
            traffic,
            tuple(replace(load, throttled=0.0) for load in first),
            self._loads(),
            tuple(moments),
            tuple(self.splits),
        )

    def _begin(self) -> list[_Partition]:
        traffic = self.traffic
        found: list[list[Segment]] = [[] for _ in range(traffic.partitions)]
        for value in range(traffic.count):
            text = key_text(traffic.key, value)
            for shard in range(traffic.shards):
                place = hashed(f"{text}#{shard}" if traffic.shards > 1 else text)
                found[place * traffic.partitions // RING].append(Segment(place, value))
        return [_Partition(number + 1, sorted(mine)) for number, mine in enumerate(found)]

    def _weight(self, segment: Segment) -> float:
        return self.shares[segment.value] * (segment.high - segment.low) / self.traffic.shards

    def _ask(self, *only: _Partition) -> None:
        """Lay the traffic upon the partitions."""
        for partition in only or self.partitions:
            share = sum(map(self._weight, partition.segments))
            partition.reads = self.traffic.read_demand * share
            partition.writes = self.traffic.write_demand * share

    def _serve(self) -> list[float]:
        """A second: units asked for reading and writing, throttled likewise, and served from burst capacity."""
        partitions = self.partitions
        reads = [partition.reads for partition in partitions]
        writes = [partition.writes for partition in partitions]
        bursts = [0.0, 0.0]
        lost: list[list[float]] = []
        for at, (asked, limit, capacity) in enumerate(
            (
                (reads, PARTITION_READS, self.traffic.read_capacity),
                (writes, PARTITION_WRITES, self.traffic.write_capacity),
            )
        ):
            kept = [partition.burst[at] for partition in partitions]
            served, left, bursts[at] = serve(asked, kept, float(limit), capacity)
            lost.append([want - got for want, got in zip(asked, served, strict=True)])
            for partition, burst in zip(partitions, left, strict=True):
                partition.burst[at] = burst
        for at, partition in enumerate(partitions):
            partition.asked += reads[at] + writes[at]
            partition.throttled += lost[0][at] + lost[1][at]
        return [sum(reads), sum(writes), sum(lost[0]), sum(lost[1]), sum(bursts)]

    def _split(self, second: int) -> None:
        for partition in list(self.partitions):
            is_over = partition.reads > PARTITION_READS or partition.writes > PARTITION_WRITES
            partition.hot_seconds = partition.hot_seconds + 1 if is_over else 0
            if partition.hot_seconds < SUSTAINED or len(self.partitions) >= MOST_PARTITIONS:
                continue
            partition.hot_seconds = 0
            halves = cut(partition.segments, self._weight, self.traffic.collection == "spread")
            if halves is None:
                continue
            new = _Partition(len(self.partitions) + 1, halves[1])
            partition.segments = halves[0]
            new.burst = [burst / 2 for burst in partition.burst]
            partition.burst = list(new.burst)
            self.partitions.append(new)
            self.splits.append(Split(second, partition.number, new.number))
            self._ask(partition, new)

    def _loads(self) -> tuple[PartitionLoad, ...]:
        return tuple(
            PartitionLoad(
                partition.number,
                len({segment.place for segment in partition.segments}),
                partition.reads,
                partition.writes,
                partition.throttled / partition.asked if partition.asked else 0.0,
            )
            for partition in self.partitions
        )


def serve(
    asked: Sequence[float], burst: Sequence[float], limit: float, capacity: float | None
) -> tuple[list[float], list[float], float]:
    """One second of reads or of writes: what each partition serves, its burst capacity after it, and the use of that.

    `capacity`: the table's provisioned units, of which each partition has an even part; None: as much as it serves.
    """
    part = limit if capacity is None else min(limit, capacity / len(asked))
    wanted = [min(units, limit) for units in asked]
    served = [min(units, part) for units in wanted]
    if capacity is None:
        return served, list(burst), 0.0
    # Adaptive capacity: what some leave of their part goes to those that want more, as far as it lasts.
    spare = max(0.0, capacity - sum(served))
    short = [want - got for want, got in zip(wanted, served, strict=True)]
    lent = min(1.0, spare / sum(short)) if sum(short) else 0.0
    adapted = [got + more * lent for got, more in zip(served, short, strict=True)]
    lending = sum(short) * lent / spare if spare else 0.0
    # Burst capacity: what is still wanted comes from what was left in the five minutes before.
    used = [min(want - got, kept) for want, got, kept in zip(wanted, adapted, burst, strict=True)]
    left = [
        min(part * BURST_SECONDS, kept - taken + (part - got) * (1 - lending))
        for kept, taken, got in zip(burst, used, served, strict=True)
    ]
    return [got + more for got, more in zip(adapted, used, strict=True)], left, sum(used)


def cut(
    segments: list[Segment], weight: Callable[[Segment], float], within: bool
) -> tuple[list[Segment], list[Segment]] | None:
    """A partition's segments in two, where the hotter part is coolest; None where no cut makes anything cooler.

    `within`: a key's items may be divided by their sort keys.
    """
    sums = list(accumulate(map(weight, segments), initial=0.0))
    half = sums[-1] / 2
    if within:
        at = next(i for i in range(len(segments)) if sums[i + 1] >= half)
        segment = segments[at]
        middle = segment.low + (segment.high - segment.low) * (half - sums[at]) / (
            sums[at + 1] - sums[at]
        )
        before, after = segment._replace(high=middle), segment._replace(low=middle)
        return [*segments[:at], before], [
            *([after] if middle < segment.high else []),
            *segments[at + 1 :],
        ]
    at = min(range(len(sums)), key=lambda i: max(sums[i], sums[-1] - sums[i]))
    if max(sums[at], sums[-1] - sums[at]) >= sums[-1]:
        return None
    return segments[:at], segments[at:]
