"""Pages of a read with a limit and a filter: none is shorter than the 4 KB that DynamoDB charges for at least."""

from math import ceil, floor

import pytest

from designer.core.capacity.units import read_units
from designer.core.design.load import load
from designer.core.planner.pipeline import outlined
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


def test_a_page_of_small_items_fills_the_least_that_is_charged():
    _, operation, step, size = read_of((TEXT, "{name: text, bytes: 20}"))
    assert step.limit == floor(4096 / size) > 20
    assert step.until == {"rows": 10}
    # All items of the page are read, and cost as much as the 20 that give 10 on average.
    assert (step.expects.read, step.expects.returned) == (step.limit, 10)
    assert operation.read_units == read_units(step.limit * size) == read_units(20 * size) == 0.5
    assert operation.worst.requests == ceil(60_000 / step.limit)
    assert operation.worst.units == operation.worst.requests * 0.5


def test_a_page_of_large_items_is_as_long_as_needed_on_average():
    _, operation, step, size = read_of(("", ""))
    assert (step.limit, step.expects.read, operation.requests) == (20, 20, 1)
    assert 20 * size > 4096
    assert operation.read_units == read_units(20 * size)


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


def test_the_sentence_and_the_plan_say_the_same_page():
    made, operation, step, _ = read_of((TEXT, "{name: text, bytes: 20}"))
    said = served_by(made, operation)
    assert f"{step.limit} items a page" in said
    assert "further pages until there are 10 rows" in said
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
