"""How hot every key of a plan runs: against the planner's own reckoning, and against figures worked by hand."""

from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest

from designer.core.capacity.units import read_units
from designer.core.design import gallery
from designer.core.design.document import Design
from designer.core.design.load import load as load_text
from designer.core.design.load import load_plain, plain
from designer.core.dynamodb.limits import PARTITION_READS, PARTITION_WRITES
from designer.core.heat.from_design import compared
from designer.core.heat.keys import KeyHeat, PlanHeat, plan_heat
from designer.core.heat.picture import bars, reach
from designer.core.heat.remedies import remedy, sharded
from designer.core.heat.traffic import check_template
from designer.core.messages import KeyWords, say
from designer.core.patterns import Delete
from designer.core.plan import ALL_STYLES, STYLES, Decision, Plan, Rejected, Style
from designer.core.planner import plan
from designer.core.planner.explain.heat import Heat, heat
from designer.core.planner.operations.context import context_of
from designer.core.planner.rewrites.simplest import planned_as
from designer.core.planner.rewrites.variants import requirements_for
from designer.core.planner.solve.choice import choose
from tests.designs_generated import generated
from tests.messages import said_in
from tests.planned import planned

Place = tuple[str, str | None, str]
"""Table, index and the item type."""

CLICKS = """
keywright: 1
name: Clicks
entities:
  - name: Page
    identifier: [pageId]
    items: 400
    attributes:
      - {name: pageId, format: uuid, busiest: 0.25}
      - {name: title, bytes: 500}
patterns:
  - number: 1
    name: A page
    kind: get
    returns: Page
    where: [{attribute: pageId, is: {param: pageId}}]
    rate: {average: 100, peak: 8000}
  - number: 2
    name: New title
    kind: update
    entity: Page
    set: {title: {param: title}}
    rate: {average: 10, peak: 200}
  - {number: 3, name: Open, kind: create, entity: Page}
"""


@pytest.fixture(scope="module")
def clicks() -> tuple[Design, Plan, PlanHeat]:
    design = load_text(CLICKS, name="clicks")
    made = plan(design, "single")
    return design, made, plan_heat(design, made)


def test_the_hottest_value_takes_its_share_of_what_every_pattern_needs_at_peak(
    clicks: tuple[Design, Plan, PlanHeat],
) -> None:
    # 8,000 eventual reads of less than 4 KB are 4,000 units, a quarter of them on the busiest page;
    # 200 writes of less than 1 KB are 200 units, a quarter of them too.
    (key,) = clicks[2].keys
    assert (key.reads, key.writes) == (1000, 50)
    assert key.used == Fraction(1000, 3000)
    assert key.level == "cool"
    assert {load.pattern: key.share_of(load) for load in key.loads} == {1: 1, 2: 1}


def test_a_pattern_without_a_rate_is_named_and_left_out(
    clicks: tuple[Design, Plan, PlanHeat],
) -> None:
    assert clicks[2].without_rate == (3,)


@pytest.mark.parametrize(
    ("busiest", "level", "shards"), [("0.6", "cool", 1), ("0.61", "warm", 2), ("0.8", "hot", 2)]
)
def test_above_four_fifths_of_a_limit_a_key_is_warm_and_above_it_hot(
    busiest: str, level: str, shards: int
) -> None:
    design = load_text(CLICKS.replace("busiest: 0.25", f"busiest: {busiest}"), name="clicks")
    (key,) = plan_heat(design, plan(design, "single")).keys
    assert (key.level, key.needs_shards) == (level, shards)


def test_entities_under_one_key_heat_it_together() -> None:
    design = gallery.load("social-network")
    together = [
        key for key in plan_heat(design, plan(design, "single")).keys if len(key.entities) > 1
    ]
    assert together
    for key in together:
        assert key.reads == sum(load.reads * load.share for load in key.loads)


def _planner(design: Design, style: Style) -> dict[Place, Heat]:
    found = planned_as(design, style)
    searched = found.searched or choose(requirements_for(found, None), style)
    context = context_of(*searched)
    found = {}
    for name in context.choice.entities:
        for structure, units in heat(context, name).items():
            layout = context.layout
            is_base = structure.kind == "base"
            place = layout.bases[name] if is_base else layout.others[name, structure]
            found[place.table, place.index, name] = units
    return found


def _ours(design: Design, found: PlanHeat) -> dict[Place, tuple[Fraction, Fraction]]:
    finding = {one.number for one in design.patterns if isinstance(one, Delete) and one.where}
    sums: dict[Place, tuple[Fraction, Fraction]] = {}
    for key in found.keys:
        for load in key.loads:
            if load.is_direct or load.pattern in finding:
                place = key.table, key.index, load.shape
                reads, writes = sums.get(place, (Fraction(0), Fraction(0)))
                sums[place] = reads + load.hot_reads, writes + load.hot_writes
    return sums


def _alone(made: Plan) -> frozenset[str]:
    """The kinds of items of which each step that reads them reads nothing else.

    The planner gives the heat of a Query of several kinds to the first of them, and we give it to the step.
    """
    steps = [s for one in (*made.operations, *made.upkeep) for s in one.steps]
    shared = {shape for step in steps if len(step.shapes) > 1 for shape in step.shapes}
    return frozenset(shape.shape for table in made.tables for shape in table.items) - shared


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("slug", gallery.SLUGS)
def test_the_page_and_the_planner_agree(slug: str, style: Style) -> None:
    design = gallery.load(slug)
    _agree(design, planned(design, style), style)


def _agree(design: Design, made: Plan, style: Style) -> None:
    ours, alone = _ours(design, plan_heat(design, made)), _alone(made)
    guarded = {s.entity for table in made.tables for s in table.items if s.role == "guard"}
    for place, theirs in _planner(design, style).items():
        reads, writes = ours.get(place, (Fraction(0), Fraction(0)))
        # What the plan says is rounded to thousandths of a unit.
        if (
            place[2] in guarded
        ):  # whose guards the planner lays upon the item itself, and we upon their own keys
            assert float(writes) <= float(theirs.writes) * 1.001, place
        else:
            assert float(writes) == pytest.approx(float(theirs.writes), rel=1e-3, abs=1e-6), place
        if place[2] in alone:
            assert float(reads) == pytest.approx(float(theirs.reads), rel=2e-2, abs=2e-5), place


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("slug", gallery.SLUGS)
def test_what_the_plan_warns_of_is_hot_on_the_page_and_nothing_else(
    slug: str, style: Style
) -> None:
    design = gallery.load(slug)
    made = planned(design, style)
    warned = {f.where for f in made.findings if f.rule == "hot-partition"}
    hot = [key for key in plan_heat(design, made).keys if key.level == "hot"]
    assert {f"entities.{entity}" for key in hot for entity in key.entities} == warned


def _no_unit_is_lost(design: Design, style: Style) -> None:
    """What every pattern takes at peak, by the plan's own sums, lies on some key, and every key can be spoken of."""
    made = planned(design, style)
    found = plan_heat(design, made)
    reads = writes = 0.0
    for operation in made.operations:
        rate = design.pattern(operation.pattern).rate
        if rate is not None and operation.steps:
            peak = (rate.peak or rate.average) / len(made.operations_for(operation.pattern))
            reads += peak * operation.read_units
            writes += peak * operation.write_units
    for upkeep in made.upkeep:
        peak = upkeep.peak_per_second or upkeep.per_second or 0.0
        reads += peak * upkeep.read_units
        writes += peak * upkeep.write_units
    loads = [load for key in found.keys for load in key.loads]
    assert float(sum(load.reads for load in loads)) == pytest.approx(reads, rel=1e-2, abs=1e-2)
    assert float(sum(load.writes for load in loads)) == pytest.approx(writes, rel=1e-2, abs=1e-2)
    for key in found.keys:
        assert min((load.share for load in key.loads), default=0) >= 0
        assert max((load.share for load in key.loads), default=0) <= 1
        assert bool(remedy(made, key).words) == (key.level != "cool" or key.shards > 1)
        assert check_template(compared(key).key) == ""


@pytest.mark.parametrize("style", ALL_STYLES)
@pytest.mark.parametrize("slug", gallery.SLUGS)
def test_no_unit_is_lost(slug: str, style: Style) -> None:
    _no_unit_is_lost(gallery.load(slug), style)


@pytest.mark.parametrize("seed", range(8))
def test_no_unit_of_a_made_up_design_is_lost(seed: int) -> None:
    design = generated(Random(seed))
    for style in STYLES:
        _no_unit_is_lost(design, style)


def _hot_key(slug: str) -> tuple[Plan, KeyHeat]:
    design = gallery.load(slug)
    made = planned(design, "single")
    found = plan_heat(design, made).hottest
    assert found is not None
    return made, found


def test_a_hot_key_has_the_plans_own_figures_and_remedy() -> None:
    made, key = _hot_key("leaderboards")
    (finding,) = (f for f in made.findings if f.rule == "hot-partition")
    peak = said_in(finding.problem)["units-a-second"]
    assert peak == pytest.approx({"writes": float(key.writes), "reads": float(key.reads)})
    found = remedy(made, key)
    assert (found.kind, found.words) == ("act", (finding.remedy,))


def test_a_key_over_shards_says_what_these_cost_and_what_it_would_be_in_one_piece() -> None:
    made, key = _hot_key("event-log")
    assert key.shards == 2
    found = remedy(made, key)
    # In the plan's decision: $159.50 over two shards, $126.30 in one piece, which takes 1,500 writes a second.
    assert found.kind == "spread"
    assert found.more_per_month == pytest.approx(33.2)
    # No reads to speak of: 0 would contradict the page, which shows under 0.01.
    assert found.words[0] == (
        "Spread over 2 shards. Without shards, its hottest value would take 1,500 write units a second, more than a "
        "partition serves."
    )


PINNED = "{entity: Reaction, key: {partition: '%s', sort: 'R#{reactedAt}#{reactionId}'}}"


def _with_pin(partition: str) -> tuple[Plan, KeyHeat]:
    pins = f"\nplanner:\n  pins:\n    - {PINNED % partition}\n"
    design = load_text(gallery.text("event-log") + pins, name="pinned")
    made = plan(design, "single")
    keys = [key for key in plan_heat(design, made).keys if "Reaction" in key.entities]
    return made, max(keys, key=lambda key: key.used)


def test_a_hot_key_that_is_pinned_says_so_and_what_the_plan_costs_without_the_pin() -> None:
    made, key = _with_pin("REACTION#{postId}")
    found = remedy(made, key)
    assert (key.level, found.kind) == ("hot", "act")
    assert found.words[0].startswith("This key is pinned.")
    (pin,) = (one for one in made.decisions if one.about == "pin 1")
    assert pin.per_month is not None and pin.instead_of[0].per_month is not None
    assert found.others[0].choice == "the plan without the pin"
    assert found.others[0].more_per_month == pin.instead_of[0].per_month - pin.per_month


def test_keys_that_would_be_hot_themselves_are_not_offered() -> None:
    made, key = _with_pin("REACTION#{postId}")
    hot = say("overloads-partition", writes=1000, reads=3000)
    reasons = {
        "hot": hot,
        "hot, with other reads": say("served-instead", reason=hot, places=(say("guard-item"),)),
        "cool": say("costs-more", usd=2),
    }
    decision = Decision(
        about="key Reaction",
        per_month=5,
        instead_of=tuple(
            Rejected(
                chosen=say("key-by-in-short", key=KeyWords(partition=(name,))),
                reasons=(reason,),
                per_month=7,
            )
            for name, reason in reasons.items()
        ),
    )
    found = remedy(made.model_copy(update={"decisions": (decision,)}), key)
    assert [(one.choice, one.more_per_month) for one in found.others] == [("by cool", 2)]


def test_the_key_that_is_advised_is_cool_once_it_is_pinned() -> None:
    _, key = _with_pin("REACTION#{postId}")
    advised = sharded(key)
    assert advised == "REACTION#{postId}#SHARD#{shard(2, reactionId)}"
    assert _with_pin(advised)[1].level == "cool"


def test_shards_are_not_advised_for_one_item_nor_for_reads() -> None:
    _, scores = _hot_key("leaderboards")
    assert (scores.level, sharded(scores)) == ("hot", None)
    design = load_text(CLICKS.replace("peak: 200", "peak: 8000"), name="clicks")
    (page,) = plan_heat(design, plan(design, "single")).keys
    assert (page.level, page.is_bound_by_writes, sharded(page)) == ("hot", True, None)


def test_the_bars_stand_in_proportion_to_the_limits(clicks: tuple[Design, Plan, PlanHeat]) -> None:
    (key,) = clicks[2].keys
    whole = reach((key,))
    drawn = bars(key, whole)
    said = (
        "Reads at 33.3 % of 3,000 read units a second, writes at 5 % of 1,000 write units a second"
    )
    assert f'aria-label="{said}"' in drawn
    # Of 240 points 192 are the limit: reads are at a third of it, writes at a twentieth.
    assert whole == Fraction(5, 4)
    assert 'class="heat-reads" x="0" y="4" width="64.00"' in drawn
    assert 'class="heat-writes" x="0" y="17" width="9.60"' in drawn
    assert "is-over" not in drawn
    assert (PARTITION_READS, PARTITION_WRITES) == (3000, 1000)


def test_a_little_is_not_said_to_be_nothing(clicks: tuple[Design, Plan, PlanHeat]) -> None:
    (key,) = clicks[2].keys
    loads = tuple(replace(load, reads=load.reads / 10_000) for load in key.loads)
    said = bars(replace(key, loads=loads), Fraction(2))
    assert "Reads at under 0.1 % of 3,000 read units a second" in said


def test_a_read_of_several_items_is_as_hot_as_the_hottest_of_them() -> None:
    """The busiest thread has 0.4 % of the posts. Who opens it reads them, beside it or in another table."""
    design = gallery.load("discussion")
    for style, place in (("single", "forum-app"), ("multi", "forum-Posts")):
        (key,) = (key for key in plan_heat(design, plan(design, style)).keys if key.name == place)
        (opened,) = (load for load in key.loads if load.pattern == 1)
        assert opened.share == Fraction(4, 1000), style


def test_a_query_over_several_items_is_hot_in_the_plan_as_on_the_page() -> None:
    """270,000 a second open a thread at peak, 0.4 % of them the busiest, which takes 4 units instead of 2."""
    stated = plain(gallery.load("discussion"))
    opens = next(pattern for pattern in stated["patterns"] if pattern["number"] == 1)
    opens["rate"] = {"average": 45_000, "peak": 270_000}
    design = load_plain(stated)
    made = plan(design, "single")
    (key,) = (key for key in plan_heat(design, made).keys if key.level == "hot")
    (warned,) = (found for found in made.findings if found.rule == "hot-partition")
    assert warned.where == "entities.Thread"
    assert sum(load.hot_reads for load in key.loads if load.pattern == 1) == 4320
    _agree(design, made, "single")
    context = context_of(*planned_as(design, "single").searched or ())
    assert heat(context, "Thread")[context.choice.entities["Thread"].base].reads == 4320


def test_a_key_has_no_more_values_than_items() -> None:
    """A thousand hotels with a hundred numbers of rooms each would be 100,000 values, and there are 1,000 rooms."""
    design = load_text(ROOMS, name="rooms")
    (key,) = plan_heat(design, plan(design, "multi")).keys
    assert key.key == "{hotelId}#{roomNo}" and key.values == 1000


ROOMS = """
keywright: 1
name: Rooms
entities:
  - name: Room
    identifier: [hotelId, roomNo]
    attributes:
      - {name: hotelId, distinct: 1000}
      - {name: roomNo, distinct: 100}
patterns:
  - number: 1
    name: A room
    kind: get
    returns: Room
    where:
      - {attribute: hotelId, is: {param: hotelId}}
      - {attribute: roomNo, is: {param: roomNo}}
    rate: {average: 1, peak: 2}
planner:
  pins:
    - {style: multi, entity: Room, key: {partition: "{hotelId}#{roomNo}"}}
"""
DEVICES = """
keywright: 1
name: Devices
entities:
  - name: Device
    identifier: [tenantId, deviceId]
    items: 300000
    attributes:
      - {name: tenantId, format: ulid, distinct: 3000, busiest: 0.05}
      - {name: deviceId, format: uuid}
      - {name: label, bytes: 20}
patterns:
  - number: 1
    name: Devices of a tenant
    kind: list
    returns: Device
    where: [{attribute: tenantId, is: {param: tenantId}}]
    rate: {average: 100, peak: 300}
"""


def _devices(*changes: tuple[str, str]) -> tuple[Plan, KeyHeat]:
    text = DEVICES
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    design = load_text(text, name="devices")
    made = plan(design, "multi")
    (key,) = plan_heat(design, made).keys
    return made, key


def test_the_busiest_value_is_read_with_all_its_items() -> None:
    made, key = _devices()
    (step,) = made.operations[0].steps
    # 15,000 items of 103 bytes are 1,545,000 bytes: 378 times 4 KB, half a unit each.
    assert step.expects.busiest_units == 189
    assert key.reads == 300 * Fraction(5, 100) * 189
    assert key.used == Fraction("0.945")


EVENTS = """
keywright: 1
name: Events
entities:
  - name: Event
    identifier: [eventId]
    items: 1000000
    attributes:
      - {name: eventId, format: uuid}
      - {name: kind, values: [VIEW, BUY], shares: [0.8, 0.2]}
      - {name: actor, bytes: 8}
      - {name: at, format: datetime}
      - {name: day, derived: date(at)}
patterns:
  - {number: 1, name: Of what is asked, kind: list, returns: Event, limit: 20, order: [at descending],
     where: [{attribute: ASKED, is: {param: asked}}], hottest: 0.1, rate: {average: 20}}
  - {number: 2, name: Record, kind: create, entity: Event, hottest: 0.01, rate: {average: 300}}
"""


@pytest.mark.parametrize("style", ["single", "multi"])
@pytest.mark.parametrize(
    ("asked", "written"),
    [
        ("kind", 0.8),  # most items have one kind, whatever the pattern's hottest key is
        ("day", 1.0),  # and all that are recorded at one time one day
        ("actor", 0.01),  # of which nothing else is known
    ],
)
def test_a_key_is_no_cooler_than_its_attributes_say_but_for_what_a_read_asks(
    asked: str, written: float, style: Style
) -> None:
    design = load_text(EVENTS.replace("ASKED", asked), name="events")
    made = plan(design, style)
    (key,) = (key for key in plan_heat(design, made).keys if len(key.loads) == 2)
    shares = {load.pattern: float(load.share) for load in key.loads}
    assert shares == {1: 0.1, 2: pytest.approx(written)}
    _agree(design, made, style)


CALLS = """
keywright: 1
name: Calls for help
entities:
  - name: Call
    identifier: [callId]
    items: 40000
    attributes:
      - {name: callId, format: ulid}
      - {name: state, values: [NEW, OPEN, DONE], shares: [0.0005, 0.01, 0.9895], mutable: true}
      - {name: at, format: datetime}
      - {name: words, bytes: 900}
patterns:
  - {number: 1, name: Not done, kind: list, returns: Call,
     where: [{attribute: state, TEST}], rate: {average: 4, peak: 10}}
  - {number: 2, name: In a state, kind: list, returns: Call, order: [at descending], limit: 10,
     where: [{attribute: state, is: {param: state}}], rate: {average: 0.01}}
  - {number: 3, name: Call, kind: create, entity: Call, rate: {average: 1}}
  - {number: 4, name: Move, kind: update, entity: Call, set: {state: {param: state}},
     rate: {average: 2}}
planner:
  pins:
    - {entity: Call, index: CallsByState, key: {partition: "{state}", sort: "{at}"}}
    - {pattern: 1, index: CallsByState}
"""


@pytest.mark.parametrize("style", ["single", "multi"])
@pytest.mark.parametrize("test", ["any_of: {value: [NEW, OPEN]}", "not: {value: DONE}"])
def test_each_time_all_of_a_list_is_asked_for_its_largest_value_is_hottest(
    style: Style, test: str
) -> None:
    """400 calls are open and 20 new. Most are done, which nobody asks for here."""
    design = load_text(CALLS.replace("TEST", test), name="calls")
    made = plan(design, style)
    step = made.operations[0].steps[0]
    assert step.for_each is not None
    assert step.expects.read == pytest.approx(420)
    assert step.expects.busiest_units is not None
    assert step.expects.busiest_units == pytest.approx(step.expects.units * 400 / 420, rel=0.05)
    loads = [
        (key, load)
        for key in plan_heat(design, made).keys
        for load in key.loads
        if load.pattern == 1 and key.index == step.index
    ]
    ((key, load),) = loads
    assert load.share * key.shards == 1
    assert load.hot_reads == pytest.approx(10 * step.expects.busiest_units * float(load.share))
    _agree(design, made, style)


def test_a_collection_that_is_too_hot_for_its_partition_is_spread_over_shards() -> None:
    _, key = _devices(("busiest: 0.05", "busiest: 0.1"))
    assert key.shards == 7  # 376 % of a partition in one piece
    assert key.level == "cool"


def test_what_is_expected_of_all_that_is_asked_bounds_the_busiest() -> None:
    made, _ = _devices(("    rate:", "    expects: 400\n    rate:"))
    (step,) = made.operations[0].steps
    # 400 on average, of which a twentieth of the questions asks for at most 8,000: 824,000 bytes.
    assert step.expects.busiest_units == 101


def test_a_read_that_ends_at_a_limit_reads_no_more_of_the_busiest() -> None:
    limited = ("    rate:", "    order: [deviceId ascending]\n    limit: 20\n    rate:")
    made, _ = _devices(limited)
    (step,) = made.operations[0].steps
    assert step.expects.busiest_units in (None, step.expects.units)


def _simulated(values: int, busiest: float, items: int, asked: int) -> Fraction:
    """Read units on the busiest value for so many questions, each of which reads all items of a value of 103 bytes."""
    random = Random(7)
    weights = [busiest, *[(1 - busiest) / (values - 1)] * (values - 1)]
    of_value = [0] * values
    for value in random.choices(range(values), weights, k=items):
        of_value[value] += 1
    times = random.choices(range(values), weights, k=asked).count(0)
    return times * read_units(of_value[0] * 103)


@pytest.mark.parametrize(
    ("values", "busiest"), [(3000, 0.02), (3000, 0.05), (400, 0.03), (20, 0.06)]
)
def test_the_heat_is_what_traffic_over_generated_items_comes_to(
    values: int, busiest: float
) -> None:
    stated = f"distinct: {values}, busiest: {busiest}"
    _, key = _devices(
        ("distinct: 3000, busiest: 0.05", stated),
        ("peak: 300", "peak: 100"),
        ("items: 300000", "items: 100000"),
    )
    assert key.shards == 1
    asked = 20_000
    found = _simulated(values, busiest, 100_000, asked) * 100 / asked
    assert float(key.reads) == pytest.approx(float(found), rel=0.1)


def test_a_key_that_several_kinds_of_items_share_has_the_values_of_all() -> None:
    """A million users have their keys, though only some have something in a cart."""
    design = gallery.load("shop")
    keys = plan_heat(design, plan(design, "single")).keys
    of_users = [key.values for key in keys if key.key == "USER#{userId}"]
    assert of_users and set(of_users) == {float(design.entity["User"].items or 0)}


STALLS = """
keywright: 1
name: Stalls of fairs
entities:
  - name: Stall
    identifier: [fairId, stall]
    items: 60000
    attributes:
      - {name: fairId, format: ulid, distinct: 300}
      - {name: stall, bytes: 4}
      - {name: visits, type: N, digits: 8, mutable: true}
      - {name: notice, bytes: 40, mutable: true}
patterns:
  - {number: 1, name: Stall, kind: get, returns: Stall,
     where: [{attribute: fairId, is: {param: fair}}, {attribute: stall, is: {param: stall}}], rate: {average: 20}}
  - {number: 2, name: Told, kind: update, entity: Stall, CHANGE, rate: {average: 20, peak: 6000}, hottest: 0.4}
"""


@pytest.mark.parametrize("style", STYLES)
def test_shards_by_a_part_of_the_identifier_do_not_cool_one_item(style):
    """Of 6,000 changes 2,400 a second are of one stall, which lies in one shard of its fair."""
    design = load_text(STALLS.replace("CHANGE", "set: {notice: {param: text}}"), name="stalls")
    made = plan(design, style)
    assert not any(
        "shard(" in text
        for table in made.tables
        for one in table.items
        for text in one.set.values()
    )
    assert "hot-partition" in {finding.rule for finding in made.findings}
    (hottest,) = (key for key in plan_heat(design, made).keys if key.writes)
    assert (hottest.writes, sharded(hottest)) == (2400, None)


@pytest.mark.parametrize("style", STYLES)
def test_what_is_added_to_one_of_several_items_under_a_key_is_counted_in_several(style):
    design = load_text(STALLS.replace("CHANGE", "add: {visits: {value: 1}}"), name="stalls")
    made = plan(design, style)
    (counter,) = (one for table in made.tables for one in table.items if one.role == "counter")
    assert counter.shards == 3
    assert {key.level for key in plan_heat(design, made).keys} == {"cool"}
    assert max(key.writes for key in plan_heat(design, made).keys) == 800


@pytest.mark.parametrize("style", STYLES)
def test_shards_cool_what_is_one_item_only_by_its_pin(style):
    """Pinned to shards, the key is as hot as without them."""
    text = STALLS.replace("CHANGE", "set: {notice: {param: text}}")
    pin = "planner: {pins: [{entity: Stall, key: {partition: '{fairId}#{shard(4, stall)}', sort: '{stall}'}}]}\n"
    design = load_text(text.replace("entities:", pin + "entities:", 1), name="stalls")
    (hottest,) = (key for key in plan_heat(design, plan(design, style)).keys if key.writes)
    assert (hottest.shards, hottest.writes) == (4, 2400)


REPLACED = """
keywright: 1
name: Stages of races
entities:
  - name: Lead
    identifier: [raceId, bib]
    items: 90000
    attributes:
      - {name: raceId, format: ulid, distinct: 500}
      - {name: bib, type: N, minimum: 1, maximum: 180}
      - {name: gap, type: N, digits: 5, mutable: true}
patterns:
  - {number: 1, name: Lead of a rider, kind: get, returns: Lead,
     where: [{attribute: raceId, is: {param: race}}, {attribute: bib, is: {param: bib}}], READ}
  - {number: 2, name: Measured, kind: upsert, entity: Lead, WRITE}
"""
STILL = "rate: {average: 20}"


def replaced(read: str = STILL, write: str = STILL, pin: str = "") -> Design:
    text = REPLACED.replace("READ", read).replace("WRITE", write)
    return load_text(text.replace("entities:", f"{pin}entities:", 1), name="leads")


PINNED_LEADS = "planner: {pins: [{entity: Lead, key: {partition: '{raceId}#{shard(4, bib)}', sort: '{bib}'}}]}\n"


@pytest.mark.parametrize("style", STYLES)
def test_no_shard_cools_the_one_item_that_is_written_whether_it_is_there_or_not(style):
    """Of 5,000 puts 2,500 a second are of one rider; whole identifiers are one item's, too."""
    hot = "rate: {average: 20, peak: 5000}, hottest: 0.5"
    for pin in ("", PINNED_LEADS):
        design = replaced(write=hot, pin=pin)
        made = plan(design, style)
        assert "hot-partition" in {finding.rule for finding in made.findings}
        (hottest,) = (key for key in plan_heat(design, made).keys if key.writes)
        assert (hottest.shards, hottest.writes, sharded(hottest)) == (4 if pin else 1, 2500, None)


@pytest.mark.parametrize("style", STYLES)
def test_no_shard_cools_the_one_item_that_is_read(style):
    """Of 16,000 reads of half a unit each a half is of one rider: 4,000 units a second of one partition."""
    hot = "rate: {average: 20, peak: 16000}, hottest: 0.5"
    for pin in ("", PINNED_LEADS):
        design = replaced(read=hot, pin=pin)
        made = plan(design, style)
        assert "hot-partition" in {finding.rule for finding in made.findings}
        (hottest,) = (key for key in plan_heat(design, made).keys if key.reads)
        assert (hottest.shards, hottest.reads) == (4 if pin else 1, 4000)


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("bib", ["format: datetime", "format: ulid"])
def test_shards_cool_what_is_put_once_by_its_time_or_a_made_up_identifier(style, bib):
    """Each put is of another item: what is hot is the race."""
    text = REPLACED.replace("type: N, minimum: 1, maximum: 180", bib).replace("READ", STILL)
    text = text.replace("WRITE", "rate: {average: 20, peak: 5000}, hottest: 0.5")
    pinned = text.replace("entities:", f"{PINNED_LEADS}entities:", 1)
    design = load_text(pinned, name="leads")
    (hottest,) = (key for key in plan_heat(design, plan(design, style)).keys if key.writes)
    assert (hottest.shards, hottest.writes) == (4, 625)
