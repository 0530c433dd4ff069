"""What a plan costs: bills worked by hand from Amazon's rules, and what every bill keeps to."""

from fractions import Fraction

import pytest

from designer.core.cost.account import Account, bill
from designer.core.cost.bill import Bill
from designer.core.cost.break_even import break_evens
from designer.core.cost.growth import growth, growth_of
from designer.core.cost.modes import MODES
from designer.core.cost.options import Changes, Options, Rate
from designer.core.cost.steps import near_steps
from designer.core.cost.usage import Place
from designer.core.cost.whole import whole
from designer.core.design import gallery
from designer.core.design.document import Design
from designer.core.design.load import load_plain
from designer.core.dynamodb.prices import REGIONS, prices_of
from designer.core.plan import STYLES, Plan, Style
from designer.core.planner import plan
from tests.core.priced import numbered, rated


def designed(entity: dict, *patterns: dict, **more: object) -> Design:
    return load_plain(
        {
            "keywright": 1,
            "name": "Billed",
            "entities": [entity],
            "patterns": numbered(patterns),
            **more,
        }
    )


def by(attribute: str) -> list[dict]:
    return [{"attribute": attribute, "is": {"param": attribute}}]


def cents(usd: Fraction) -> float:
    return float(round(usd, 2))


def of(made: Bill, label: str) -> list[float]:
    return [float(charge.usd) for charge in made.charges if charge.label == label]


NOTE = {
    "name": "Note",
    "identifier": ["noteId"],
    "items": 1_000_000,
    "attributes": [{"name": "noteId", "format": "uuid"}, {"name": "text", "bytes": 2950}],
}


def test_a_bill_on_demand_worked_by_hand() -> None:
    """Notes by their identifier, in a table without indexes, in us-east-1.

    A note: `noteId` 6 + 36 bytes, `text` 4 + 2,950: 2,996 bytes.
    Reads: one item to 4 KB, eventually consistent: half a unit, 100 times a second.
        100 x 0.5 x 2,592,000 s = 129,600,000 units at 0.125 a million         $16.20
    Writes: 2,996 bytes are 3 KB begun: 3 units, 10 times a second.
        10 x 3 x 2,592,000 s = 77,760,000 units at 0.625 a million             $48.60
    Storage: 1,000,000 x (2,996 + 100) bytes = 3.096 GB at 0.25                $ 0.774
                                                                               $65.574
    At the peak (300 reads a second): 3 x 16.20 + 48.60 + 0.774              = $97.974
    """
    design = designed(
        NOTE,
        rated(100, 300, kind="get", returns="Note", where=by("noteId")),
        rated(10, kind="create", entity="Note"),
    )
    made = bill(design, plan(design, "multi"))
    assert [cents(usd) for usd in (made.usd_reads, made.usd_writes)] == [16.20, 48.60]
    assert float(made.usd_storage) == 0.774
    assert float(made.usd) == 65.574
    assert float(made.usd_at_peak) == 97.974


ORDER = {
    "name": "Order",
    "identifier": ["orderId"],
    "items": 2_000_000,
    "attributes": [
        {"name": "orderId", "format": "uuid"},
        {"name": "userId", "format": "uuid", "distinct": 100_000},
        {"name": "placedAt", "format": "datetime"},
        {"name": "body", "bytes": 887},
    ],
}
ORDERS = (
    rated(40, 200, kind="get", returns="Order", consistency="strong", where=by("orderId")),
    rated(
        30,
        90,
        kind="list",
        returns="Order",
        where=by("userId"),
        order=["placedAt descending"],
        limit=10,
    ),
    rated(12, 50, kind="create", entity="Order"),
)


def test_a_provisioned_bill_with_an_index_worked_by_hand() -> None:
    """Orders by identifier, strongly, and ten of a user from an index that holds them whole; 70 % in use; us-east-1.

    An order: 7 + 36, 6 + 36, 8 + 20 and 4 + 887: 1,004 bytes, one write unit; in the index the same.
    Table reads: 40 a second of one unit: 40 / 0.7 = 57.1, so 58 units x 0.00013 x 720 h    $ 5.4288
    Index reads: 10 x 1,004 = 10,040 bytes, 3 steps of 4 KB begun, half each: 1.5 units,
        30 a second: 45 / 0.7 = 64.3, so 65 units x 0.00013 x 720 h                         $ 6.084
    Writes, table and index alike: 12 / 0.7 = 17.1, so 18 units x 0.00065 x 720 h = 8.424   $16.848
    Storage: 2,000,000 x 1,104 bytes = 2.208 GB, twice, at 0.25                             $ 1.104
    Recovery of the table, without its global index: 2.208 GB at 0.20                       $ 0.4416
                                                                                            $29.9064
    For the peak instead: 200 / 0.7 -> 286 and 90 x 1.5 / 0.7 -> 193 read units, 50 / 0.7 -> 72 write units twice:
        (286 + 193) x 0.0936 + 2 x 72 x 0.468 + 1.104 + 0.4416                             = $113.772
    """
    design = designed(ORDER, *ORDERS)
    made_plan = plan(design, "multi")
    made = bill(design, made_plan, Options(mode="autoscaled", recovery="on"))
    assert [(line.read_capacity, line.write_capacity) for line in made.structures] == [
        (58, 18),
        (65, 18),
    ]
    assert [float(line.usd_reads) for line in made.structures] == [5.4288, 6.084]
    assert [float(line.usd_storage) for line in made.structures] == [0.552, 0.552]
    assert of(made, "Point-in-time recovery") == [0.4416]
    assert float(made.usd) == 29.9064
    peak = bill(design, made_plan, Options(mode="provisioned", recovery="on"))
    assert cents(peak.usd) == 113.77
    assert made.usd_at_peak == peak.usd


def test_a_bill_with_transactions_and_a_replica_worked_by_hand() -> None:
    """Members with a unique e-mail address, whose guard lies in a table of its own; a replica in us-west-2.

    A member: 8 + 36, 5 + 24 and 7 + 1,200: 1,280 bytes, two write units. A guard: 5 + 24 and 8 + 36: 73 bytes, one.
    Reads: half a unit, 50 a second: 64,800,000 units at 0.125 a million                     $  8.10
    Joining, 5 a second, is a transaction, which doubles: 4 units on members, 2 on guards.
    A changed profile, 20 a second: 2 units.
        Members: 5 x 4 + 20 x 2 = 60 a second: 155,520,000 units at 0.625 a million          $ 97.20
        Guards: 5 x 2 = 10 a second: 25,920,000 units                                        $ 16.20
    Storage: 5,000,000 x 1,380 = 6.9 GB and 5,000,000 x 173 = 0.865 GB, at 0.25              $  1.94125
    The replica: the same writes, 113.40; 48 bytes more an item, in both Regions, are 0.24 GB for each table:
        0.48 x 0.25 here; (7.14 + 1.105) x 0.25 there: 0.12 + 2.06125                        $115.58125
    A reader of the members' stream that asks four times a second: 10,368,000 at 0.02 a hundred thousand
                                                                                             $  2.0736
                                                                                             $241.0961
    """
    member = {
        "name": "Member",
        "identifier": ["memberId"],
        "items": 5_000_000,
        "needs": {"stream": "new"},
        "attributes": [
            {"name": "memberId", "format": "uuid"},
            {"name": "email", "format": "email", "unique": True},
            {"name": "profile", "bytes": 1200, "mutable": True},
        ],
    }
    design = designed(
        member,
        rated(50, kind="get", returns="Member", where=by("memberId")),
        rated(5, kind="create", entity="Member"),
        rated(20, kind="update", entity="Member", set={"profile": {"param": "profile"}}),
    )
    asked = Options(replicas=("us-west-2",), stream_reads=Fraction(4))
    made = bill(design, plan(design, "multi"), asked)
    assert [float(line.usd_writes) for line in made.structures] == [97.20, 16.20]
    assert float(made.usd_storage) == 1.94125
    assert sum(of(made, "Global table replicas")) == 115.58125
    assert made.usd_at_peak == made.usd
    busy = Changes({2: Rate(Fraction(5), Fraction(10))})
    # At the peak 5 more joinings a second, 6 units each, here and there: 155,520,000 units more.
    busier = bill(design, plan(design, "multi"), asked, busy)
    assert float(busier.usd_at_peak - made.usd) == 97.20
    assert of(made, "Stream reads") == [2.0736]
    assert float(made.usd) == 241.0961


@pytest.fixture(scope="module")
def planned() -> dict[tuple[str, Style], tuple[Design, Plan]]:
    designs = {card.slug: gallery.load(card.slug) for card in gallery.cards()}
    return {
        (slug, style): (design, plan(design, style))
        for slug, design in designs.items()
        for style in STYLES
    }


def test_every_bill_of_the_gallery_agrees_with_its_plan_to_the_cent(planned: dict) -> None:
    for at, (design, made) in planned.items():
        found = bill(design, made)
        assert abs(float(found.usd) - made.cost.per_month) < 0.005, at
        assert abs(float(found.usd_reads) - made.cost.reads_per_month) < 0.005, at
        assert abs(float(found.usd_storage) - made.cost.storage_per_month) < 0.005, at
        assert abs(float(found.usd_at_peak) - made.cost.peak_per_month) < 0.005, at
        assert found.without_patterns == made.cost.without_patterns, at


def test_patterns_share_what_is_paid_for_requests(planned: dict) -> None:
    for at, (design, made) in planned.items():
        found = bill(design, made)
        assert sum(line.usd for line in found.patterns) == found.usd_reads + found.usd_writes, at
        for line in found.patterns:
            if not line.upkeep:
                (number,) = line.patterns
                usd = sum(each.usd_per_month or 0.0 for each in made.operations_for(number))
                assert abs(float(line.usd) - usd) < 0.005, (at, number)


def test_a_pattern_without_a_rate_is_left_out_until_somebody_says_one() -> None:
    design = designed(
        NOTE,
        {"kind": "get", "returns": "Note", "where": by("noteId")},
        rated(10, kind="create", entity="Note"),
    )
    made = plan(design, "multi")
    assert bill(design, made).without_patterns == (1,)
    changed = bill(design, made, changes=Changes({1: Rate(Fraction(100), Fraction(300))}))
    assert changed.without_patterns == ()
    assert float(changed.usd) == 65.574


def test_what_if_counts_were_others() -> None:
    design = designed(NOTE, rated(10, kind="create", entity="Note"))
    made = plan(design, "multi")
    assert (
        float(bill(design, made, changes=Changes(items={"Note": 4_000_000})).usd_storage) == 3.096
    )


def test_upkeep_runs_as_often_as_the_changes_that_it_follows(planned: dict) -> None:
    followed = [
        (design, made, kept)
        for design, made in planned.values()
        for kept in made.upkeep
        if kept.per_second
    ]
    assert followed
    for design, made, kept in followed:
        rates = {n: design.pattern(n).rate for n in kept.patterns}
        doubled = {
            n: Rate(Fraction(2 * rate.average), Fraction(2 * (rate.peak or rate.average)))
            for n, rate in rates.items()
            if rate is not None
        }
        before, after = bill(design, made), bill(design, made, changes=Changes(doubled))
        usd = [
            next(float(line.usd) for line in each.patterns if line.upkeep == kept.event)
            for each in (before, after)
        ]
        assert usd[1] == pytest.approx(2 * usd[0])


def test_standard_ia_stores_for_less_and_asks_for_more() -> None:
    """0.155 and 0.78 a million, 0.10 a GB: 16.20 x 0.155 / 0.125, 48.60 x 0.78 / 0.625, 3.096 x 0.10."""
    design = designed(
        NOTE,
        rated(100, kind="get", returns="Note", where=by("noteId")),
        rated(10, kind="create", entity="Note"),
    )
    made = bill(design, plan(design, "multi"), Options(table_class="infrequent-access"))
    assert [float(made.usd_reads), float(made.usd_writes)] == [20.088, 60.6528]
    assert float(made.usd_storage) == 0.3096


def test_a_bill_of_another_region_worked_by_hand() -> None:
    """The same notes in Ireland, with a replica in Tokyo.

    Reads: 129,600,000 units at 0.1415 a million                                             $ 18.3384
    Writes: 77,760,000 units at 0.705 a million                                              $ 54.8208
    Storage: 3.096 GB at 0.283                                                               $  0.876168
    Recovery: 3.096 GB at 0.22                                                               $  0.68112
    The replica: 77,760,000 units at 0.715; 48 bytes more for each of a million notes: 0.048 GB at 0.283 here and
        3.144 GB at 0.285 there: 55.5984 + 0.013584 + 0.89604                                $ 56.508024
    """
    design = designed(
        NOTE,
        rated(100, kind="get", returns="Note", where=by("noteId")),
        rated(10, kind="create", entity="Note"),
    )
    asked = Options(region="eu-west-1", recovery="on", replicas=("ap-northeast-1",))
    made = bill(design, plan(design, "multi"), asked)
    assert [float(made.usd_reads), float(made.usd_writes)] == [18.3384, 54.8208]
    assert float(made.usd_storage) == 0.876168
    assert of(made, "Point-in-time recovery") == [0.68112]
    assert of(made, "Global table replicas") == [56.508024]


def test_no_region_borrows_what_another_asks() -> None:
    for region, prices in REGIONS.items():
        assert prices.region == region
        design = designed(NOTE, rated(10, kind="create", entity="Note"))
        asked = Options(region=region, table_class="infrequent-access", recovery="on")
        made = bill(design, plan(design, "multi"), asked)
        said = " ".join(made.left_out)
        assert made.region == region
        assert ("Standard-IA" in said) == ("infrequent-access" not in prices.classes)
        assert ("recovery" in said) == (prices.recovery_byte_month is None)


def test_what_has_no_price_is_left_out_and_said() -> None:
    design = designed(NOTE, rated(10, kind="create", entity="Note"))
    made = plan(design, "multi")
    asked = Options(
        region="us-east-2", table_class="infrequent-access", recovery="on", replicas=("us-east-1",)
    )
    found = bill(design, made, asked)
    assert of(found, "Point-in-time recovery") == []
    assert [words.split(":")[0] for words in found.left_out] == [
        "We have no Standard-IA prices for us-east-2",
        "We have no price for point-in-time recovery in us-east-2",
        "Not included",
    ]
    elsewhere = bill(design, made, Options(region="eu-south-2"))
    assert elsewhere.region == "us-east-1"
    assert "eu-south-2" in elsewhere.left_out[0]


def test_a_local_index_uses_the_capacity_of_its_table() -> None:
    """Ten orders of a user, strongly: only a local index can answer, and its reads and writes count on the table."""
    few = {
        "name": "userId",
        "format": "uuid",
        "distinct": 100,
    }  # so many orders each that none sorts them itself
    own = [few if each["name"] == "userId" else each for each in ORDER["attributes"]]
    entity = {**ORDER, "identifier": ["userId", "orderId"], "attributes": own}
    strong = {"consistency": "strong", "where": by("userId"), "limit": 10}
    design = designed(
        entity,
        rated(30, 90, kind="list", returns="Order", order=["placedAt descending"], **strong),
        rated(40, kind="list", returns="Order", order=["orderId ascending"], **strong),
        rated(12, 50, kind="create", entity="Order"),
        planner={
            "pins": [{"entity": "Order", "key": {"partition": "{userId}", "sort": "{orderId}"}}]
        },
    )
    made = plan(design, "multi")
    found = bill(design, made, Options(mode="autoscaled"))
    table, index = found.structures
    assert index.kind == "local index"
    assert (index.read_capacity, index.write_capacity) == (None, None)
    # 30 x 3 + 40 x 3 = 210 read units and 12 x 2 = 24 write units a second, of 70 %: 300 and 35 units.
    assert (table.read_capacity, table.write_capacity) == (300, 35)
    assert float(found.usd_reads) == pytest.approx(300 * 0.0936)
    assert table.usd_reads * 3 == index.usd_reads * 4
    assert {line.place for line in break_evens(found)} == {Place(made.tables[0].name)}


def test_provisioned_pays_from_28_9_per_cent_in_use() -> None:
    """An hour of a write unit is 0.00065, and 3,600 writes are 0.00225: 28.9 %; of reads it is the same."""
    design = designed(ORDER, *ORDERS)
    made = plan(design, "multi")
    found = list(break_evens(bill(design, made)))
    assert {round(float(each.needed), 4) for each in found} == {0.2889}
    # 40 reads a second of 286 units for the peak are 14 %; 45 of 193 are 23 %; 12 writes of 72 are 17 %.
    assert {each.cheaper for each in found} == {"on demand"}
    steady = bill(design, made, changes=Changes({1: Rate(Fraction(200), Fraction(200))}))
    reads = next(each for each in break_evens(steady) if each.kind == "reads")
    assert (reads.capacity, reads.cheaper) == (286, "provisioned")


def test_a_class_without_prices_of_the_replicas_says_that_they_are_left_out() -> None:
    design = designed(NOTE, rated(10, kind="create", entity="Note"))
    made = whole(design, plan(design, "multi"), Options(replicas=("us-west-2",)), Changes())
    without = {name: total.without for (name, _), total in made.ways.items()}
    assert without == {"standard": (), "infrequent-access": ("without the replicas",)}
    alone = whole(design, plan(design, "multi"), Options(), Changes())
    assert not any(total.without for total in alone.ways.values())


def test_a_count_that_nobody_states_is_not_none() -> None:
    unstated = {name: value for name, value in NOTE.items() if name != "items"}
    (created,) = growth_of(designed(unstated), Changes())
    assert (created.stated, created.items) == (None, 0)
    (known,) = growth_of(designed(unstated), Changes(items={"Note": 0}))
    assert known.stated == 0


def test_storage_grows_with_what_is_stated_or_else_created() -> None:
    """10 notes a second are 25,920,000 a month of 3,096 bytes: 80.24832 GB, $20.06208 more each month."""
    design = designed(NOTE, rated(10, kind="create", entity="Note"))
    account = Account(design, plan(design, "multi"))
    points = growth(account, Options(), Changes())
    assert [point.month for point in points] == [0, 6, 12, 18, 24, 30, 36]
    assert float(points[-1].usd - points[0].usd) == pytest.approx(36 * 20.06208)
    (created,) = growth_of(design, Changes())
    assert (created.because, created.per_month) == ("created", 25_920_000)
    deleting = designed(
        NOTE, rated(10, kind="create", entity="Note"), rated(4, kind="delete", entity="Note")
    )
    assert [each.per_month for each in growth_of(deleting, Changes())] == [15_552_000]
    stated = designed({**NOTE, "growth_per_month": 1000}, rated(10, kind="create", entity="Note"))
    assert [each.per_month for each in growth_of(stated, Changes())] == [1000]
    ttl = {"name": "expiresAt", "type": "N", "format": "epoch", "ttl": True}
    expiring = designed(
        {**NOTE, "attributes": [*NOTE["attributes"], ttl]}, rated(10, kind="create", entity="Note")
    )
    assert [each.because for each in growth_of(expiring, Changes())] == ["expires"]


def test_near_a_step_both_sides_are_shown() -> None:
    """1,004 bytes are within a tenth of 1 KB: one unit or two, 12 times a second."""
    design = designed(ORDER, *ORDERS)
    near = list(near_steps(design, plan(design, "multi"), prices_of("us-east-1"), Changes()))
    assert [(each.pattern, each.what, each.step) for each in near] == [(3, "Order", 1024)]
    assert (near[0].below, near[0].above) == (1, 2)
    assert near[0].usd_below is not None
    assert float(near[0].usd_below) == pytest.approx(12 * 2_592_000 * 0.625e-6)
    assert near[0].usd_above == 2 * near[0].usd_below


def test_the_modes_are_found_in_the_order_in_which_they_are_shown() -> None:
    assert list(MODES) == ["on-demand", "autoscaled", "provisioned"]
