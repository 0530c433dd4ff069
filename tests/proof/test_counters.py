"""Counters in several items: sums are right after any additions, and each mistake in a plan of them is found."""

import secrets
from collections.abc import Callable
from decimal import Decimal
from random import Random

import pytest

from designer.core.design.document import Design
from designer.core.patterns.base import Write
from designer.core.patterns.figures import Rate
from designer.core.plan import ALL_STYLES, STYLES, Operation, Plan
from designer.proof.engine import Engine
from designer.proof.prove import prove_on
from tests.core.test_counters import (
    DELETE,
    EVERYTHING,
    LISTED,
    PAGE,
    PUBLISH,
    TITLED,
    adding,
    counter,
    videos,
)
from tests.designs_generated import generated
from tests.memory import Memory
from tests.planned import outlined
from tests.runner import Runner

both_styles = pytest.mark.parametrize("style", STYLES)


def video(number: int) -> dict:
    return {
        "videoId": f"01KGE3H9{number:018}",
        "channel": "maps",
        "publishedAt": f"2026-05-03T09:30:{number:02}Z",
        "state": "OPEN",
        "title": "Locks",
        "views": Decimal(10),
        "likes": Decimal(0),
    }


@both_styles
@pytest.mark.parametrize("peak", [2400, 97 * 800], ids=["3 counters", "97 counters"])
def test_many_additions_are_all_in_the_sum_and_go_with_the_item(style, peak):
    """Drawn at random, by a program that knows the plan alone; of 97 counters and the item, one transaction has 98."""
    made = outlined(videos(PAGE, PUBLISH, adding(peak), DELETE, LISTED), style)
    one, other = video(1), video(2)
    runner = Runner(Memory(), made.as_json(), f"{secrets.token_hex(4)}-")
    runner.create_tables()
    assert runner.run(2, one) and runner.run(2, other)
    assert not runner.run(2, one)
    for _ in range(40):
        assert runner.run(3, {"videoId": one["videoId"]})
    page = runner.run(1, {"videoId": one["videoId"]})
    assert [item["views"] for _, item in page["rows"]] == [50]
    listed = runner.run(5, {"channel": "maps"})
    assert [item["views"] for _, item in listed["rows"]] == [10, 50]
    assert runner.run(4, {"videoId": one["videoId"]})
    assert not runner.run(3, {"videoId": one["videoId"]})
    assert runner.run(1, {"videoId": one["videoId"]})["rows"] == []
    left = [
        item
        for name in runner.tables
        for item in runner.client.scan(TableName=runner.prefix + name)["Items"]
    ]
    assert len(left) == 1 + counter(made).shards


def changed(made: Plan, number: int, change: Callable[[Operation], Operation]) -> Plan:
    operations = (change(one) if one.pattern == number else one for one in made.operations)
    return made.model_copy(update={"operations": tuple(operations)})


def member_of(operation: Operation, **update) -> Operation:
    """An operation with another last member in its last step."""
    *steps, last = operation.steps
    *members, one = last.members
    changed_step = last.model_copy(update={"members": (*members, one.model_copy(update=update))})
    return operation.model_copy(update={"steps": (*steps, changed_step)})


def without_sums(operation: Operation) -> Operation:
    assert operation.result is not None
    parts = tuple(part.model_copy(update={"adds": ()}) for part in operation.result.parts)
    result = operation.result.model_copy(update={"parts": parts})
    return operation.model_copy(update={"result": result})


def fewer(operation: Operation) -> Operation:
    """All counters but the last are read, made or deleted."""
    *steps, last = operation.steps
    if last.members:
        return member_of(
            operation, for_each=last.members[-1].for_each.model_copy(update={"numbers": 2})
        )
    each = last.for_each.model_copy(update={"numbers": 2})
    return operation.model_copy(
        update={"steps": (*steps, last.model_copy(update={"for_each": each}))}
    )


WRONG = {
    "no sums": (1, without_sums),
    "a counter is not read": (1, fewer),
    "a counter is not made": (2, fewer),
    "an addition makes a counter": (3, lambda one: member_of(one, if_=())),
    "an addition is lost": (3, lambda one: member_of(one, add={}, set={})),
    "a counter is left": (4, fewer),
}


@both_styles
@pytest.mark.parametrize("mistake", WRONG)
def test_a_plan_with_a_mistake_is_found_out(style, mistake):
    design = videos(PAGE, PUBLISH, adding(2400), DELETE)
    made = outlined(design, style)
    number, change = WRONG[mistake]
    engine = Engine("memory", Memory())
    assert prove_on(engine, design, made).passed
    verdict = prove_on(engine, design, changed(made, number, change))
    assert [one.pattern for one in verdict.patterns if one.status == "failed"] == [number]


@pytest.mark.parametrize("style", ALL_STYLES)
def test_reads_and_writes_of_all_kinds_are_right(style):
    design = videos(*EVERYTHING, video=TITLED)
    made = outlined(design, style)
    assert (counter(made).counts, counter(made).shards) == (("views", "seconds"), 4)
    verdict = prove_on(Engine("memory", Memory()), design, made)
    assert verdict.passed, [one for one in verdict.patterns if one.status != "passed"]


@pytest.mark.parametrize("style", ALL_STYLES)
def test_each_copy_of_the_item_has_what_its_number_began_with(style):
    page, listed = ({**one, "consistency": "strong"} for one in (PAGE, LISTED))
    design = videos(page, PUBLISH, adding(2400), DELETE, listed)
    made = outlined(design, style)
    assert [s.role for t in made.tables for s in t.items if "views" in s.attributes] == [
        "entity",
        "copy",
        "counter",
    ]
    verdict = prove_on(Engine("memory", Memory()), design, made)
    assert verdict.passed, [one for one in verdict.patterns if one.status != "passed"]


def test_made_up_designs_with_hot_counters_are_right():
    sharded = 0
    for seed in range(80):
        design = heated(generated(Random(seed)))
        for style in STYLES if design is not None else ():
            made = outlined(design, style)
            if any(shape.shards for table in made.tables for shape in table.items):
                sharded += 1
                verdict = prove_on(Engine("memory", Memory()), design, made)
                statuses = {one.status for one in verdict.patterns}
                assert statuses <= {"passed", "not served", "elsewhere"}, f"design {seed}, {style}"
                assert verdict.problem == ""
    assert sharded > 5


def heated(design: Design) -> Design | None:
    """A design in which all that is added to anything is added to one item, and too often; None where nothing is."""
    patterns = tuple(
        pattern.model_copy(update={"hottest": 1.0, "rate": Rate(average=10, peak=2500)})
        if isinstance(pattern, Write) and any(change.add for change in pattern.changes)
        else pattern
        for pattern in design.patterns
    )
    return None if patterns == design.patterns else design.model_copy(update={"patterns": patterns})
