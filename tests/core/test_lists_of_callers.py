"""Lists that callers give, of attributes of which some values are commoner: a value is in a list once."""

from random import Random

import pytest

from designer.core.capacity.units import read_units
from designer.core.design.load import load
from designer.core.heat.keys import plan_heat
from designer.core.plan import STYLES, Operation, Style
from designer.core.planner.model.shares import in_list, largest_in_list, shares_of_lists
from designer.core.planner.pipeline import outlined
from designer.proof.execute import execute
from designer.proof.tables import Tables
from designer.proof.values import item_to_wire
from tests.memory import Memory
from tests.runner import Runner

pytestmark = pytest.mark.slow

WARDS = 80
BUSIEST = 0.4
BEDS = 16000
HOSPITAL = f"""
keywright: 1
name: Hospital
entities:
  - name: Bed
    identifier: [bedId]
    items: {BEDS}
    attributes:
      - {{name: bedId, bytes: 6}}
      - {{name: ward, bytes: 4, distinct: {WARDS}, busiest: {BUSIEST}}}
      - {{name: kind, values: [PLAIN, CHILD, CARE], shares: [0.6, 0.3, 0.1]}}
      - {{name: note, bytes: 400}}
patterns:
  - number: 1
    name: Beds of wards
    kind: count
    returns: Bed
    where: [{{attribute: ward, any_of: {{param: wards, count: COUNT}}}}]
    rate: {{average: 10}}
"""
TESTED = """
    where: [{attribute: ward, is: {param: ward}}]
    keep: [{attribute: kind, any_of: {param: kinds, count: 2}}]"""


def _different(random: Random, shares: list[float], length: int) -> list[int]:
    """So many different values, each of which is asked for as often as it occurs."""
    found: list[int] = []
    while len(found) < length:
        one = random.choices(range(len(shares)), shares)[0]
        if one not in found:
            found.append(one)
    return found


def _wards() -> list[float]:
    return [BUSIEST] + [(1 - BUSIEST) / (WARDS - 1)] * (WARDS - 1)


SHARES = (
    (0.7, 0.25, 0.05),
    (0.5, 0.2, 0.15, 0.1, 0.05),
    (0.6, *(0.01,) * 40),
    (0.4, 0.3, *(0.006,) * 50),
    (0.25, *(0.75 / 299,) * 299),
)


@pytest.mark.parametrize("length", [1, 2, 4, 20])
@pytest.mark.parametrize("shares", SHARES)
def test_a_list_finds_as_much_as_lists_that_are_drawn_at_random(
    shares: tuple[float, ...], length: int
) -> None:
    random, many = Random(7), min(length, len(shares))
    found = first = 0.0
    for _ in range(times := 3000):
        # Who waits as long as chance says for each value gets the common ones first, as who draws one after the other.
        waits = sorted((random.expovariate(share), at) for at, share in enumerate(shares))[:many]
        found += sum(shares[at] for _, at in waits) / times
        first += any(at == 0 for _, at in waits) / times
    there = in_list(tuple((share, share) for share in shares), many)
    assert sum(there) == pytest.approx(many, rel=1e-6)
    assert sum(s * t for s, t in zip(shares, there, strict=True)) == pytest.approx(found, rel=0.06)
    assert there[0] == pytest.approx(first, rel=0.06)


def test_values_that_are_alike_are_counted_together() -> None:
    apart = in_list(tuple((share, share) for share in _wards()), 7)
    together = in_list(((BUSIEST, BUSIEST), (1 - BUSIEST, (1 - BUSIEST) / (WARDS - 1))), 7)
    assert together == pytest.approx(apart[:2])


def test_a_list_of_a_hundred_thousand_values_is_an_average_one_and_comes_to_an_end() -> None:
    """How it is made up is worked out in a bounded number of steps, and goes on from that of shorter lists."""
    shares = ((0.5, 0.5 / 1e6), (0.5, 0.5 / 3e6))
    common, rare = in_list(shares, 100_000.0)
    assert common * 1e6 + rare * 3e6 == pytest.approx(100_000)
    assert common == pytest.approx(3 * rare, rel=0.1)
    some = ((0.3, 0.3), (0.5, 0.5 / 300), (0.2, 0.2 / 1000))
    assert in_list(some, 101.0) == pytest.approx(in_list(some, 100.0), rel=0.02)


def test_half_a_value_more_is_between_both_lengths() -> None:
    shares = ((0.7, 0.7), (0.25, 0.25), (0.05, 0.05))
    one, between, two = (in_list(shares, length)[0] for length in (1, 1.5, 2))
    assert one == pytest.approx(0.7)
    assert between == pytest.approx((one + two) / 2, rel=0.03)
    assert in_list(shares, 9) == (1.0, 1.0, 1.0)


def test_the_largest_values_of_a_list_are_each_there_once() -> None:
    assert largest_in_list(((0.2, 0.2), (0.5, 0.5), (0.3, 0.01)), 4.5) == (
        (0.5, 1.0),
        (0.2, 1.0),
        (0.01, 2.5),
    )


def _operation(style: Style, length: int, text: str = HOSPITAL) -> tuple[Operation, Tables, Memory]:
    plan = outlined(load(text.replace("COUNT", str(length))), style)
    client, random = Memory(), Random(11)
    runner = Runner(client, plan.as_json())
    runner.create_tables()
    stored: dict[str, list[dict[str, object]]] = {}
    for n, ward in enumerate(random.choices(range(WARDS), _wards(), k=BEDS)):
        kind = random.choices(["PLAIN", "CHILD", "CARE"], [0.6, 0.3, 0.1])[0]
        bed = {"bedId": f"b{n:05}", "ward": f"w{ward:03}", "kind": kind, "note": "x" * 400}
        for table, item in runner.items("Bed", bed, {}):
            stored.setdefault(table, []).append(item_to_wire(item))
    for table, items in stored.items():
        client.fill(table, items)
    return plan.operations[0], Tables(client, plan, ""), client


@pytest.mark.slow
@pytest.mark.parametrize("length", [3, 30])
@pytest.mark.parametrize("style", STYLES)
def test_it_costs_what_lists_that_are_drawn_at_random_take(style: Style, length: int) -> None:
    operation, tables, client = _operation(style, length)
    random, took = Random(5), []
    for _ in range(60):
        client.units = 0.0
        wards = [f"w{one:03}" for one in _different(random, _wards(), length)]
        execute(tables, operation, {"wards": wards})
        took.append(client.units)
    assert operation.read_units == pytest.approx(sum(took) / len(took), rel=0.1)
    assert operation.worst is not None
    largest = sum(sorted(_wards())[-length:]) * BEDS
    assert operation.worst.read == pytest.approx(largest, rel=0.001)
    assert operation.worst.units >= max(took) * 0.95


@pytest.mark.parametrize("style", STYLES)
def test_the_busiest_value_is_asked_once_of_a_request(style: Style) -> None:
    design = load(HOSPITAL.replace("COUNT", "30"))
    plan = outlined(design, style)
    hottest = plan_heat(design, plan).hottest
    assert hottest is not None
    # Ten requests a second, nearly all of which count the entries of the busiest ward, once.
    (step,) = plan.operations[0].steps
    size = step.expects.bytes / step.expects.read
    assert float(hottest.reads) == pytest.approx(10 * BUSIEST * BEDS * size / 4096 / 2, rel=0.05)
    assert hottest.shards == 1


@pytest.mark.parametrize("style", STYLES)
def test_a_list_that_is_tested_keeps_what_its_values_have(style: Style) -> None:
    where = "\n    where: [{attribute: ward, any_of: {param: wards, count: COUNT}}]"
    text = HOSPITAL.replace(where, TESTED).replace("kind: count", "kind: list")
    (step,) = outlined(load(text), style).operations[0].steps
    # Different kinds: 0.6 and 0.3 more often than others, 0.82 together.
    assert step.expects.returned / step.expects.read == pytest.approx(0.82, rel=0.02)


@pytest.mark.parametrize("length", [1, 1.5, 4, 20])
@pytest.mark.parametrize("shares", SHARES)
def test_lists_are_as_unlike_as_lists_that_are_drawn_at_random(
    shares: tuple[float, ...], length: float
) -> None:
    """As many items are read on average as it takes until enough have one of the values: so many times one by share."""
    random, took = Random(7), 0.0
    for _ in range(times := 2000):
        waits = sorted((random.expovariate(share), share) for share in shares)
        many = int(length) + (random.random() < length - int(length))
        took += 1 / sum(share for _, share in waits[:many]) / times
    lists = shares_of_lists(tuple((share, share) for share in shares), length) or ((1.0, 1.0),)
    assert sum(often for often, _ in lists) == pytest.approx(1)
    assert sum(often / share for often, share in lists) == pytest.approx(took, rel=0.07)
    assert len(lists) < 16


FEW_OF_THEM = """kind: list
    returns: Bed
    where:
      - {attribute: ward, any_of: {param: wards, count: COUNT}}
      - {attribute: kind, not: {value: PLAIN}}
    order: [bedId ascending]
    limit: LIMIT"""
WARDS_OF_TOWNS = "bytes: 4, distinct: 400, busiest: 0.3, mutable: true"
MOVE = """  - number: 2
    name: Move
    kind: update
    entity: Bed
    set: {ward: {param: ward}}
    rate: {average: 5}
"""
IN_ORDER = '{partition: "BED", sort: "{bedId}"}'
BY_WARD = '{partition: "{ward}", sort: "{bedId}"}'


def _limited(length: int, limit: int, key: str = "") -> str:
    """Some beds of wards, in the order of all beds or of each ward's."""
    start = HOSPITAL.index("kind: count")
    text = HOSPITAL[:start] + FEW_OF_THEM + HOSPITAL[HOSPITAL.index("\n    rate") :]
    if key:
        text += f"planner: {{pins: [{{entity: Bed, index: OfOrder, key: {key}}}, {{pattern: 1, index: OfOrder}}]}}"
    return text.replace("COUNT", str(length)).replace("LIMIT", str(limit))


def _pages(random: Random, limit: int, page: int, there: int, passing: float) -> list[int]:
    """Items of each page that is asked for until enough have passed, or all are read."""
    found: list[int] = []
    passed = 0
    while passed < limit and sum(found) < there:
        found.append(min(page, there - sum(found)))
        passed += sum(random.random() < passing for _ in range(found[-1]))
    return found or [0]


@pytest.mark.parametrize("key", [IN_ORDER, BY_WARD])
@pytest.mark.parametrize(("length", "limit"), [(2, 30), (3, 100), (6, 5)])
@pytest.mark.parametrize("style", STYLES)
def test_pages_are_those_of_lists_with_and_without_the_busiest_value(
    style: Style, length: int, limit: int, key: str
) -> None:
    """Not those of the average list: without the busiest ward, far more beds are read before enough are found."""
    operation = outlined(load(_limited(length, limit, key)), style).operations[0]
    step, random, wards = operation.steps[0], Random(5), _wards()
    assert step.limit is not None
    size = step.expects.bytes / step.expects.read
    took: list[int] = []
    for _ in range(times := 3000):
        listed = [wards[one] for one in _different(random, wards, length)]
        asked = [(BEDS, 0.4 * sum(listed))]
        if key == BY_WARD:
            asked = [(round(BEDS * share), 0.4) for share in listed]
        for there, passing in asked:
            took += _pages(random, limit, step.limit, there, passing)
    assert step.expects.requests == pytest.approx(len(took) / times, rel=0.08)
    units = sum(float(read_units(items * size)) for items in took) / times
    assert step.expects.units == pytest.approx(units, rel=0.08)


def test_an_index_is_made_by_what_is_listed_if_lists_of_rare_values_would_read_much() -> None:
    """In the order of all beds, few lists need more than a page, and these far more than what the others save.

    In tables, an index of the few kinds that are asked for takes fewer requests for nearly the same cost.
    """
    text = _limited(6, 30).replace("bytes: 4, distinct: 80, busiest: 0.4", WARDS_OF_TOWNS)
    plan = outlined(load(text + MOVE), "single")
    step = plan.operations[0].steps[0]
    assert step.for_each is not None
    assert step.for_each.values == "wards"


MOST, OF_FEW = 5000, 60
CROSSED = f"""
keywright: 1
name: Articles
entities:
  - name: Tag
    identifier: [tag]
    items: 400
    attributes: [{{name: tag, bytes: 4}}]
  - name: Bearing
    identifier: [tag, articleId]
    items: 40000
    attributes:
      - {{name: tag, bytes: 4, busiest: {MOST / 40000}, refers_to: Tag.tag}}
      - {{name: articleId, bytes: 6}}
      - {{name: title, bytes: 500}}
relationships:
  - {{name: bears, one: Tag, many: Bearing, by: tag, average: 100, most: {MOST}}}
patterns:
  - number: 1
    name: Articles with both tags
    kind: list
    returns: Bearing
    where: [{{attribute: tag, all_of: {{param: tags, count: 2}}}}]
    attributes: [articleId, title]
    order: [articleId descending]
    limit: 20
    rate: {{average: 2}}
    expects: 12
"""


@pytest.mark.parametrize("style", STYLES)
def test_each_parent_of_a_list_may_have_the_most_children(style: Style) -> None:
    """Two tags that are as common as stated take what the plan says for the worst case."""
    plan = outlined(load(CROSSED), style)
    client = Memory()
    runner = Runner(client, plan.as_json())
    runner.create_tables()
    stored: dict[str, list[dict[str, object]]] = {}
    for tag, many in (("aaaa", MOST), ("bbbb", MOST), ("cccc", OF_FEW)):
        for n in range(many):
            bearing = {"tag": tag, "articleId": f"a{n:05}", "title": "x" * 500}
            for table, item in runner.items("Bearing", bearing, {}):
                stored.setdefault(table, []).append(item_to_wire(item))
    for table, items in stored.items():
        client.fill(table, items)
    (operation,), tables, took = plan.operations, Tables(client, plan, ""), []
    for tags in (["aaaa", "bbbb"], ["aaaa", "cccc"]):
        client.units = 0.0
        execute(tables, operation, {"tags": tags})
        took.append(client.units)
    assert operation.worst is not None
    assert operation.worst.requests == 2 * 3  # pages of 1 MB
    assert operation.worst.read == 2 * MOST
    assert operation.worst.units == pytest.approx(took[0], rel=0.01)
    assert took[1] < 0.6 * took[0]
