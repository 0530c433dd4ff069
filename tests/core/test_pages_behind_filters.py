"""Pages of a read with a limit and a filter: none is shorter than the 4 KB that DynamoDB charges for at least."""

from fractions import Fraction
from itertools import pairwise
from math import ceil, comb, floor
from random import Random

import pytest

from designer.core.capacity.units import read_units
from designer.core.design.load import load
from designer.core.planner.pipeline import outlined
from designer.core.planner.pricing.pages import Pages, _fewer_than, _pages
from designer.core.sentences.steps import served_by
from tests.core.test_at_worst import MAIL, changed
from tests.memory import Memory
from tests.runner import Runner

TEXT = "{name: text, bytes: 900}"


def read_of(*changes):
    """The table's own items, which hold what is asked: no index is made, and no key can serve the condition."""
    design = load(changed(MAIL, *changes), name="mail")
    made = outlined(design, "multi")
    (operation,) = made.operations_for(2)
    (step,) = operation.steps
    size = step.expects.bytes / step.expects.read
    return made, operation, step, size


def _pages_of(limit: int, needed: float, there: float, size: float) -> Pages:
    """The pages of a collection whose values are all as common as one another."""
    return _pages(limit, needed, there, size, ((1.0, needed, there, 0.0),), True)


def test_a_page_of_small_items_fills_the_least_that_is_charged():
    _, operation, step, size = read_of((TEXT, "{name: text, bytes: 20}"))
    assert step.limit == floor(4096 / size) > 20
    assert step.until == {"rows": 10}
    # All items of the page are read, and cost as much as the 20 that give 10 on average.
    assert (step.expects.read, step.expects.returned) == (step.limit, 10)
    assert operation.read_units == read_units(step.limit * size) == read_units(20 * size) == 0.5
    assert operation.worst.requests == 60_000 // step.limit + 1
    assert operation.worst.units == operation.worst.requests * 0.5


def test_a_page_of_large_items_is_the_one_that_costs_least_with_all_that_follow():
    """Half of the letters pass: 20 give 10 on average, and a second page follows in 41 of 100 cases."""
    _, operation, step, size = read_of(("", ""))

    def costs(items):
        seldom = sum(comb(items, many) for many in range(10)) / 2**items
        return 1 + seldom, (1 + seldom) * float(read_units(items * size))

    found = {items: costs(items) for items in (20, 24, 28)}
    assert found[20][0] == pytest.approx(1.41, abs=0.005)
    assert step.limit == min(found, key=lambda items: found[items][1]) == 24
    assert (operation.requests, operation.read_units) == pytest.approx(found[24], abs=1e-5)
    assert step.expects.read == pytest.approx(24 * operation.requests, abs=1e-4)
    assert operation.answer == "in one request"


@pytest.mark.parametrize(
    ("limit", "passing", "there", "size"), [(10, 0.5, 500, 900), (5, 0.1, 400, 300)]
)
def test_the_average_is_that_of_reads_over_items_that_pass_by_chance(limit, passing, there, size):
    random, asked = Random(5), 0
    said = _pages_of(limit, limit / passing, there, size)
    for _ in range(2000):
        passed = pages = 0
        while passed < limit and pages * said.items < there:
            page = min(said.items, there - pages * said.items)
            passed += sum(random.random() < passing for _ in range(page))
            pages += 1
        asked += pages
    assert said.requests > 1.05
    assert asked / 2000 == pytest.approx(said.requests, rel=0.02)


IN_TABLE = ("    rate: {average: 3}\n", "    rate: {average: 3}\nplanner: {max_gsis: 0}\n")


def of_value(stated, field):
    """Letters with a value that the caller gives, in the table: a filter tests it."""
    tested = "      - {attribute: subject, contains: {param: word}}\n"
    given = tested.replace("contains: {param: word}", "is: {param: subject}")
    if field == "keep":
        given = "    keep:\n" + given
    return read_of(("format: text", stated), (tested, given), IN_TABLE)


@pytest.mark.parametrize(
    ("stated", "shares", "field"),
    [
        ("values: [NEW, READ, KEPT], shares: [0.04, 0.9, 0.06]", [0.04, 0.9, 0.06], "keep"),
        ("distinct: 6, busiest: 0.8", [0.8, *[0.04] * 5], "keep"),
        ("distinct: 6, busiest: 0.8", [0.8, *[0.04] * 5], "where"),
    ],
)
def test_a_rare_value_is_looked_for_in_more_pages_than_a_common_one(stated, shares, field):
    """The average is that over the calls: of a common value one page is enough, of a rare one all may be read."""
    _, operation, step, _ = of_value(stated, field)
    random, asked = Random(7), 0
    for _ in range(3000):
        share = random.choices(shares, shares)[0]
        passed = pages = 0
        while passed < 10 and pages * step.limit < 500:
            page = min(step.limit, 500 - pages * step.limit)
            passed += sum(random.random() < share for _ in range(page))
            pages += 1
        asked += pages
    assert operation.requests == pytest.approx(asked / 3000, rel=0.05)
    assert operation.requests > 2 * 10 / sum(share**2 for share in shares) / step.limit
    assert step.expects.read == pytest.approx(step.limit * operation.requests, rel=0.05)
    assert operation.worst.requests == 60_000 // step.limit + 1


def test_values_that_are_alike_take_what_the_average_share_of_them_says():
    _, alike, step, _ = of_value("values: [NEW, READ], shares: [0.5, 0.5]", "keep")
    assert alike.requests == pytest.approx(
        _pages_of(10, 20.0, 500.0, round(step.expects.bytes / step.expects.read, 6)).requests,
        abs=1e-5,
    )


@pytest.mark.parametrize(("limit", "needed"), [(10, 20.0), (3, 40.0), (250, 300.0)])
def test_smaller_items_cost_no_more(limit, needed):
    costs = []
    for size in range(40, 2400, 40):
        pages = _pages_of(limit, needed, 1000.0, float(size))
        costs.append(pages.requests * ceil(pages.items * size / 4096))
    assert all(one <= 1.01 * other for one, other in pairwise(costs))
    assert costs[0] < costs[-1]


def test_a_page_reads_no_more_than_there_is():
    _, _, step, size = read_of(
        (TEXT, "{name: text, bytes: 20}"), ("average: 500, most: 60000", "average: 12, most: 12")
    )
    assert step.limit == floor(4096 / size)
    assert step.expects.read == 12


def test_no_page_is_longer_than_a_page_can_be():
    """A long list takes as many requests as the plan says, since no shorter page cuts it."""
    _, operation, step, size = read_of(
        (TEXT, "{name: text, bytes: 20}"),
        ("    limit: 10\n", "    limit: 8000\n"),
        ("average: 500, most: 60000", "average: 20000, most: 20000"),
    )
    assert operation.requests == ceil(16_000 * size / 2**20) == 2
    assert step.limit == floor(2**20 / size)


@pytest.mark.parametrize(
    ("limit", "items", "passing"),
    [
        (1, 1, 0.5),
        (30, 60, 0.5),
        (200, 205, 0.97),
        pytest.param(200, 9000, 0.001, marks=pytest.mark.slow),
        (3, 4000, 0.6),
        (7, 40, 0.2),
    ],
)
def test_how_often_too_few_pass_is_added_up_exactly(limit, items, passing):
    share = Fraction(passing).limit_denominator(1000)
    each = (
        comb(items, many) * share**many * (1 - share) ** (items - many) for many in range(limit)
    )
    assert _fewer_than(limit, items, passing) == pytest.approx(float(sum(each)), abs=1e-9)


def test_the_sentence_and_the_plan_say_the_same_page():
    made, operation, step, _ = read_of((TEXT, "{name: text, bytes: 20}"))
    said = served_by(made, operation)
    assert f"{step.limit} items a page" in said
    assert "further pages while fewer than 10 rows are found and more follow" in said
    (document,) = (one for one in made.as_json()["operations"] if one["pattern"] == 2)
    assert document["steps"][0]["limit"] == step.limit


@pytest.mark.parametrize(("every", "items"), [(2, 20), (10, 91), (40, 250)])
def test_an_engine_reads_as_many_pages_as_hold_what_is_wanted(every, items):
    """Of 250 letters, those with the word are spread evenly; with few of them, all letters are read."""
    made, _, step, _ = read_of((TEXT, "{name: text, bytes: 20}"))
    client = Memory()
    runner = Runner(client, made.as_json())
    runner.create_tables()
    for at in range(250):
        letter = {"personId": "p", "letterId": f"{at:026}", "text": "x" * 20}
        runner.put("Letter", {**letter, "subject": "the word" if at % every == 0 else "another"})
    client.units = 0.0
    found = runner.run(2, {"personId": "p", "word": "word"})["rows"]
    assert len(found) == min(10, ceil(250 / every))
    assert client.units == ceil(items / step.limit) * 0.5
