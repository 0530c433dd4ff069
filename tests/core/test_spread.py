"""The key analyser: against a simulation written apart from it, and against what can be worked out by hand."""

from dataclasses import replace
from fractions import Fraction

import pytest

from designer.core.heat.from_design import without_shards
from designer.core.heat.spread import (
    BURST_SECONDS,
    RING,
    SUSTAINED,
    Segment,
    Spread,
    cut,
    hashed,
    serve,
    spread,
)
from designer.core.heat.traffic import Traffic, check_template, key_text, with_shards
from tests.independent.spread import simulate

PLAIN = Traffic("ORDER#{orderId}", values=200, reads=4000, writes=3000, minutes=12)


def _independent(traffic: Traffic) -> tuple[Fraction, Fraction, int]:
    keys, shares = [], []
    for value, share in enumerate(traffic.shares(0)):
        for shard in range(traffic.shards):
            text = f"ORDER#orderId-{value}"
            keys.append(f"{text}#{shard}" if traffic.shards > 1 else text)
            shares.append(Fraction(share) / traffic.shards)
    capacity = [
        None if c is None else int(c) for c in (traffic.read_capacity, traffic.write_capacity)
    ]
    return simulate(
        keys,
        shares,
        Fraction(traffic.read_demand),
        Fraction(traffic.write_demand),
        traffic.partitions,
        traffic.seconds,
        (capacity[0], capacity[1]),
    )


@pytest.mark.parametrize(
    "traffic",
    [
        replace(PLAIN, writes=5000, values=40),
        replace(PLAIN, shape="zipf", exponent=1.2, values=40),
        replace(PLAIN, shape="hot", hot_share=0.45, values=20, shards=3),
        replace(PLAIN, shape="hot", hot_share=0.6, values=30, reads=9000, is_strong=True),
        replace(PLAIN, values=15, partitions=5, write_capacity=2600, read_capacity=1500),
        replace(PLAIN, values=9, partitions=7, writes=900, write_capacity=1000, shape="zipf"),
    ],
    ids=["uniform", "zipf", "hot over shards", "strong reads", "provisioned", "adaptive"],
)
def test_an_independent_simulation_comes_to_the_same(traffic: Traffic) -> None:
    reads, writes, splits = _independent(traffic)
    found = spread(traffic)
    assert sum(m.throttled_reads for m in found.moments) * 60 == pytest.approx(
        float(reads), abs=1e-3
    )
    assert sum(m.throttled_writes for m in found.moments) * 60 == pytest.approx(
        float(writes), abs=1e-3
    )
    assert len(found.splits) == splits


def _keys_per_partition(traffic: Traffic) -> list[int]:
    places = [hashed(key_text(traffic.key, value)) for value in range(traffic.values)]
    return [
        sum(place * traffic.partitions // RING == partition for place in places)
        for partition in range(traffic.partitions)
    ]


def test_uniform_traffic_loads_a_partition_by_the_keys_in_it() -> None:
    counts = _keys_per_partition(PLAIN)
    found = spread(PLAIN)
    assert sum(counts) == PLAIN.values and len(set(counts)) > 1
    for load, count in zip(found.first, counts, strict=True):
        assert load.keys == count
        assert load.writes == pytest.approx(3000 * count / 200)
        assert load.reads == pytest.approx(4000 * 0.5 * count / 200)


def test_uniform_traffic_within_every_partition_throttles_nothing() -> None:
    found = spread(replace(PLAIN, writes=2000))
    assert max(load.used for load in found.first) < 1
    assert (found.verdict, found.throttled_writes, found.splits) == ("within the limits", 0, ())


def test_one_item_is_served_up_to_the_limit_whatever_is_split() -> None:
    # 5,000 writes on one item: 1,000 are served, four in five are throttled, from the first minute to the last.
    found = spread(Traffic("COUNTER", writes=5000))
    assert found.throttled_writes == pytest.approx(0.8)
    assert found.moments[-1].throttled == pytest.approx(0.8)
    assert (found.verdict, found.splits) == ("hot", ())


def test_a_hot_key_stays_hot_among_others_though_its_partition_is_split() -> None:
    found = spread(replace(PLAIN, shape="hot", hot_share=0.5, writes=4000, minutes=60))
    # In the end the hot key has a partition with little else: 2,000 of its 4,000 writes, of which 1,000 are served.
    assert found.splits
    assert found.hottest_key == pytest.approx(2)
    assert found.moments[-1].throttled_writes == pytest.approx(1000, rel=0.2)
    assert found.verdict == "hot"


def test_items_with_their_own_sort_keys_can_be_divided_and_increasing_ones_cannot() -> None:
    even = spread(Traffic("LOG#{name}", values=1, writes=3000, collection="spread", minutes=30))
    # Halved twice: 3,000, then 1,500 each, then 750 each.
    assert sorted(load.writes for load in even.last if load.writes) == pytest.approx([750] * 4)
    assert even.verdict == "helped by splits"
    increasing = spread(replace(even.traffic, collection="increasing"))
    assert (increasing.splits, increasing.verdict) == ((), "hot")


def test_a_split_comes_after_five_minutes_above_the_limit() -> None:
    found = spread(replace(PLAIN, values=40, writes=5000))
    assert found.splits[0].second == SUSTAINED - 1


@pytest.mark.parametrize("shards", [2, 5, 10])
def test_shards_divide_the_hottest_key(shards: int) -> None:
    traffic = Traffic("COUNTER", writes=4000)
    assert spread(traffic).hottest_key == 4
    assert spread(with_shards(traffic, shards)).hottest_key == pytest.approx(4 / shards)


def test_reads_that_ask_all_shards_are_so_many_more() -> None:
    traffic = replace(PLAIN, shards=10)
    assert replace(traffic, reads_ask_all=True).read_demand == 10 * traffic.read_demand


def test_by_time_all_goes_to_the_newest_value_and_then_to_the_next() -> None:
    traffic = Traffic("{hour(at)}", shape="time", period_seconds=300, writes=2000, minutes=10)
    found = spread(traffic)
    assert traffic.shares(299) == [1, 0] and traffic.shares(300) == [0, 1]
    assert found.throttled_writes == pytest.approx(0.5)
    # Other values are no cooler: each is the newest once.
    assert [moment.throttled for moment in found.moments] == pytest.approx([0.5] * 10)


def test_burst_capacity_lasts_as_long_as_in_amazons_own_example() -> None:
    """150 units provisioned and nothing used for five minutes: 200 are served for 45,000 / (200 - 150) seconds.

    https://repost.aws/knowledge-center/dynamodb-spiky-workloads-short-intervals
    """
    burst = [0.0]
    for _ in range(400):
        _, burst, _ = serve([0], burst, 3000, 150)
    assert burst == [150 * BURST_SECONDS]
    served_all = []
    for _ in range(1000):
        served, burst, _ = serve([200], burst, 3000, 150)
        served_all.append(served[0])
    assert served_all == [200] * 900 + [150] * 100


def test_burst_capacity_does_not_help_above_what_a_partition_serves() -> None:
    served, burst, _ = serve([1500], [9000.0], 1000, 400)
    assert (served, burst) == ([1000], [8400])


def test_adaptive_capacity_lends_what_others_leave_and_no_more_than_the_table_has() -> None:
    # 100 each of 400: the first wants 250 more than its part, the others leave 90 each.
    served, _, _ = serve([350, 10, 10, 10], [0.0] * 4, 1000, 400)
    assert served == pytest.approx([350, 10, 10, 10])
    served, _, _ = serve([600, 10, 10, 10], [0.0] * 4, 1000, 400)
    assert served == pytest.approx([370, 10, 10, 10])


@pytest.mark.parametrize(
    ("weights", "first"),
    [([4, 1, 1, 2], 1), ([1, 8, 1], 1), ([1, 1, 5], 2), ([7], None), ([0, 7, 0], None)],
)
def test_a_cut_makes_the_hotter_half_as_cool_as_it_can(
    weights: list[int], first: int | None
) -> None:
    segments = [Segment(place, place) for place in range(len(weights))]
    halves = cut(segments, lambda segment: weights[segment.value], within=False)
    assert (None if halves is None else len(halves[0])) == first


def test_a_cut_within_a_key_halves_the_traffic() -> None:
    segments = [Segment(0, 0), Segment(1, 1)]
    halves = cut(segments, lambda one: (1, 3)[one.value] * (one.high - one.low), within=True)
    assert halves is not None
    # A quarter lies under the first key, so a third of the second stays with it.
    assert halves[0][1].high == halves[1][0].low == pytest.approx(1 / 3)


def test_the_same_traffic_always_spreads_the_same_way() -> None:
    found: list[Spread] = [spread(replace(PLAIN, shape="zipf")) for _ in range(2)]
    assert found[0] == found[1]


@pytest.mark.parametrize(
    ("template", "fault"),
    [("ORDER#{orderId}", ""), ("ONE", ""), ("{pad(6, 0, price)}", ""), ("A#{", "cannot be read")],
)
def test_a_key_that_cannot_be_read_is_refused_in_words(template: str, fault: str) -> None:
    assert (fault in check_template(template)) and bool(check_template(template)) == bool(fault)


@pytest.mark.parametrize(
    ("templates", "plain"),
    [
        (("EVENT#SHARD#{shard(7, eventId)}",), "EVENT"),
        (("COUNT#POST#{postId}#SHARD#{each.number}",), "COUNT#POST#{postId}"),
        (("{status}", "{shard(3, orderId)}"), "{status}"),
        (("{shard(3, orderId)}",), "ALL"),
    ],
)
def test_a_key_of_a_plan_is_taken_in_one_piece(templates: tuple[str, ...], plain: str) -> None:
    assert without_shards(templates) == plain


def test_more_keys_than_can_be_simulated_are_refused() -> None:
    with pytest.raises(ValueError, match="50,000"):
        spread(replace(PLAIN, values=10_000, shards=6))
