"""Reads take no more than the worst case of a plan, and what it says on average, also where one owner has most.

Where a figure is not stated, that holds of each value of it that the plan calls plausible.
"""

import pytest

from designer.core.plan import STYLES
from designer.core.planner.pipeline import outlined
from tests import traffic, traffic_together, traffic_unstated
from tests.traffic import Simulated, wrong


# With the last seed, three requests read rows that almost fill their last 4 KB.
@pytest.mark.parametrize("seed", [*range(12), 287, 5016])
def test_simulated_traffic_takes_what_the_plan_says(seed: int) -> None:
    assert [said for style in STYLES for said in wrong(seed, style)] == []


def test_traffic_that_takes_more_would_be_found(monkeypatch: pytest.MonkeyPatch) -> None:
    took = {3: Simulated(average=900.0, most=90_000.0)}
    for name in ("simulated", "in_other_orders"):
        monkeypatch.setattr(traffic, name, lambda of, plan, *_: took)
    assert [said.split(" takes ")[0] for said in wrong(11, "multi")] == [
        "seed 11, multi, pattern 3",
        "seed 11, multi, pattern 3",
    ]


# With these, a limit ends a Query that tests rows; with 29, many notes come before; 51 has few rows on the last page.
@pytest.mark.parametrize("seed", [3, 15, 16, 17, 19, 21, 22, 29, 51])
@pytest.mark.parametrize("style", STYLES)
def test_what_comes_with_its_owner_takes_what_the_plan_says(seed, style):
    of = traffic_together.made(seed)
    assert traffic.wrong(seed, style, of) == []


@pytest.mark.slow
@pytest.mark.parametrize("seed", [283, 367])
def test_a_last_page_that_few_owners_need_is_no_fault_of_the_plan(seed):
    """Of the rows in eight orders, one owner of 32 needs it, or nine do: on average it is one in seven."""
    assert traffic.wrong(seed, "multi", traffic_together.made(seed)) == []


def test_owners_and_what_is_theirs_come_in_one_query_of_one_table():
    """Else the test above tries nothing of that."""
    shared = 0
    for seed in (15, 16, 17, 19, 21, 22, 29, 51):
        made = outlined(traffic_together.made(seed).design, "single")
        steps = [step for one in made.operations for step in one.steps]
        shared += sum(len(step.shapes) > 1 and step.pages == "until" for step in steps)
    assert shared >= 8


@pytest.mark.parametrize(
    ("seed", "style", "what"),
    [
        (2, "multi", "values"),
        (8, "single", "children"),
        (10, "grouped", "items"),
        (14, "multi", "share"),
        (50, "single", "share"),  # each of two states brings more than the limit
        (0, "single", "list"),
        (147, "multi", "list"),  # a rare state is looked for in many pages
        (8119, "multi", "values"),  # the busiest owner has as many rows, of however many others
        (1299, "multi", "values"),  # what an index's key holds is tested before the items are got
        (12319, "multi", "share"),  # the newest are read first, and a range keeps these
        (12323, "multi", "share"),  # of what two states bring, the first few of all are got
        (14615, "multi", "values"),  # a limit ends what the busiest owner has of a list of states
        (1369, "single", "share"),  # the last page of a collection that is read whole is shorter
    ],
)
def test_what_nobody_stated_is_assumed_and_traffic_takes_what_the_plan_says_of_it(
    seed, style, what
):
    assert traffic_unstated.without(seed).what == what
    assert traffic_unstated.wrong(seed, style) == []


def test_traffic_that_takes_more_of_an_unstated_figure_would_be_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    took = {number: Simulated(average=900.0, most=90_000.0) for number in (3, 4, 5)}
    for name in ("simulated", "in_other_orders"):
        monkeypatch.setattr(traffic_unstated, name, lambda of, plan, *_: took)
    found = traffic_unstated.wrong(14, "multi")
    assert len([said for said in found if "at the worst" in said]) == 9  # at three shares each
    assert len([said for said in found if "on average" in said]) == 6  # at both ends
