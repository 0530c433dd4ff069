"""Alarms: their thresholds, worked out by hand, and what is said where there is none."""

from collections.abc import Mapping
from typing import Any

import pytest

from designer.core.design import gallery
from designer.core.design.document import Design
from designer.core.monitoring import KINDS, Alarm, alarms, essential, not_set, usd_per_month
from designer.core.monitoring.base import MOST_SUMMED
from designer.core.patterns.figures import Rate
from designer.core.plan import Plan
from designer.core.planner import plan
from tests import planned as plans

_OF_TABLE = frozenset({"TableName"})
_OF_INDEX = frozenset({"TableName", "GlobalSecondaryIndexName"})
_OF_CALL = frozenset({"TableName", "Operation"})
DIMENSIONS: Mapping[str, frozenset[frozenset[str]]] = {
    "ConditionalCheckFailedRequests": frozenset({_OF_TABLE}),
    "ConsumedReadCapacityUnits": frozenset({_OF_TABLE, _OF_INDEX}),
    "ConsumedWriteCapacityUnits": frozenset({_OF_TABLE, _OF_INDEX}),
    "IteratorAge": frozenset({frozenset({"FunctionName"})}),
    "ReadThrottleEvents": frozenset({_OF_TABLE, _OF_INDEX}),
    "SuccessfulRequestLatency": frozenset({_OF_CALL}),
    "SystemErrors": frozenset({_OF_CALL}),
    "TransactionConflict": frozenset({_OF_TABLE}),
    "WriteThrottleEvents": frozenset({_OF_TABLE, _OF_INDEX}),
}
"""By metric, each set of dimensions under which it is sent: an alarm on any other set never sounds.

Source: METRICS of `monitoring/base.py`. It says "all dimensions" of SystemErrors, which come with an operation only:
https://github.com/aws/aws-cdk/issues/11269. `IteratorAge`: Lambda's, by function.
"""

NOTES = Design.model_validate(
    {
        "name": "Notes",
        "entities": [
            {
                "name": "Note",
                "identifier": ["noteId"],
                "items": 1000,
                "attributes": [
                    {"name": "noteId", "format": "uuid"},
                    {"name": "title", "bytes": 20, "unique": True, "mutable": True},
                    {"name": "text", "bytes": 90, "mutable": True},
                ],
            }
        ],
        "patterns": [
            {
                "number": 1,
                "name": "Read",
                "kind": "get",
                "returns": "Note",
                "where": [{"attribute": "noteId", "is": {"param": "noteId"}}],
                "rate": {"average": 5, "peak": 30},
                "latency_ms": 25,
            },
            {
                "number": 2,
                "name": "Change the text",
                "kind": "update",
                "entity": "Note",
                "set": {"text": {"param": "text"}},
                "rate": {"average": 1, "peak": 12},
            },
            {
                "number": 3,
                "name": "Write",
                "kind": "create",
                "entity": "Note",
                "rate": {"average": 0.5, "peak": 2},
            },
        ],
    }
)


def planned(design: Design = NOTES, style: Any = "multi") -> tuple[Design, Plan]:
    return design, plans.planned(design, style)


def of(kind: str, found: tuple[Alarm, ...]) -> dict[tuple[str, str], int]:
    """Thresholds by what is watched and the metric."""
    return {(a.watches, a.metric): a.threshold for a in found if a.kind == kind}


def changed(number: int, **fields: Any) -> Design:
    patterns = tuple(
        p.model_copy(update=fields) if p.number == number else p for p in NOTES.patterns
    )
    return NOTES.model_copy(update={"patterns": patterns})


def test_consumed_capacity_is_that_of_all_peaks_in_a_minute() -> None:
    # 30 eventual reads of under 4 KB are 15 units a second, and 12 updates of under 1 KB are 12. A creation writes the
    # note and its title's guard, both doubled: 2 units on each table; 2 creations are 4.
    design, made = planned()
    guards = next(table.name for table in made.tables if table.items[0].role == "guard")
    assert of("consumed", alarms(design, made)) == {
        ("Notes", "ConsumedReadCapacityUnits"): 15 * 60,
        ("Notes", "ConsumedWriteCapacityUnits"): (12 + 4) * 60,
        (guards, "ConsumedWriteCapacityUnits"): 4 * 60,
    }


def test_one_unit_a_second_is_said_in_the_singular() -> None:
    design = changed(1, rate=Rate(average=1, peak=2))
    said = {a.metric: a.because for a in alarms(*planned(design)) if a.kind == "consumed"}
    assert said["ConsumedReadCapacityUnits"].endswith(": 1 unit a second.")


def test_the_rate_that_is_said_makes_the_threshold_that_is_set() -> None:
    design = changed(1, rate=Rate(average=1, peak=245))
    (found,) = (
        a
        for a in alarms(*planned(design))
        if a.kind == "consumed" and a.metric == "ConsumedReadCapacityUnits"
    )
    assert (found.threshold, found.because) == (
        7350, "All patterns at their peaks at once: 122.5 units a second.",
    )  # fmt: skip


def test_provisioned_capacity_sounds_at_four_fifths_of_it() -> None:
    design = NOTES.model_copy(update={"billing": "provisioned"})
    found = of("consumed", alarms(*planned(design)))
    # 15 and 16 units a second are seven tenths of 22 and 23; the alarm is above what the peaks take.
    assert found["Notes", "ConsumedReadCapacityUnits"] == 1056 > 15 * 60
    assert found["Notes", "ConsumedWriteCapacityUnits"] == 1104 > 16 * 60


def test_no_throttle_is_expected_where_no_key_is_hot() -> None:
    found = [a for a in alarms(*planned()) if a.kind == "throttles"]
    assert {a.threshold for a in found} == {0}
    assert {(a.watches, a.metric) for a in found} >= {
        ("Notes", "ThrottleEvents"),
    }
    (notes,) = [a for a in found if a.table == "Notes"]
    assert notes.looks_at == "ReadThrottleEvents + WriteThrottleEvents"
    assert all(a.because.startswith("At the stated peaks no key") for a in found)
    storm = changed(1, rate=NOTES.pattern(1).rate.model_copy(update={"peak": 1e8}))  # type: ignore[union-attr]
    hot = [a for a in alarms(*planned(storm)) if a.kind == "throttles"]
    assert any("exceeds what a partition serves" in alarm.because for alarm in hot)


def errors_of_notes(design: Design) -> list[Alarm]:
    found = alarms(*planned(design))
    return [a for a in found if (a.kind, a.table) == ("system-errors", "Notes")]


def test_errors_leave_room_for_one_request_in_ten_thousand() -> None:
    # 30 + 12 + 2 requests a second are 2,640 a minute: less than one may fail.
    design, made = planned()
    assert of("system-errors", alarms(design, made))["Notes", "SystemErrors"] == 1
    # A thousand times the reads: 30,014 a second, 1,800,840 a minute, 180.084 of them.
    busy = changed(1, rate=NOTES.pattern(1).rate.model_copy(update={"peak": 30_000}))  # type: ignore[union-attr]
    (alarm,) = errors_of_notes(busy)
    assert alarm.threshold == 181
    assert alarm.because == "One in 10,000 of 1,800,840 requests a minute at peak, rounded up."
    even = changed(1, rate=NOTES.pattern(1).rate.model_copy(update={"peak": 29_986}))  # type: ignore[union-attr]
    (alarm,) = errors_of_notes(even)
    assert alarm.because == "One in 10,000 of 1,800,000 requests a minute at peak."


def test_latency_is_what_a_pattern_may_take_shared_by_its_steps() -> None:
    design, made = planned()
    assert of("latency", alarms(design, made)) == {
        ("Notes, GetItem", "SuccessfulRequestLatency"): 25
    }
    step = made.operations_for(1)[0].steps[0]
    twice = made.operations_for(1)[0].model_copy(update={"steps": (step, step)})
    others = tuple(one for one in made.operations if one.pattern != 1)
    found = alarms(design, made.model_copy(update={"operations": (twice, *others)}))
    (alarm,) = [one for one in found if one.kind == "latency"]
    assert (alarm.threshold, alarm.because) == (
        12,
        "The maximum latency of pattern 1, divided among the steps.",
    )


def test_a_tenth_of_the_conditional_writes_may_be_refused() -> None:
    # The update is conditional, 720 times a minute; the creation is part of a transaction, which the metric leaves out.
    assert of("conditions", alarms(*planned())) == {("Notes", "ConditionalCheckFailedRequests"): 72}


def test_one_transaction_in_a_hundred_may_meet_another() -> None:
    # 2 a second are 600 in five minutes.
    design, made = planned()
    found = [alarm for alarm in alarms(design, made) if alarm.kind == "conflicts"]
    assert {alarm.watches for alarm in found} == {table.name for table in made.tables}
    assert {(alarm.threshold, alarm.period) for alarm in found} == {(6, 300)}


def test_the_age_of_stream_records_depends_on_who_reads_them() -> None:
    shop = planned(gallery.load("shop"), "single")
    (alarm,) = [one for one in alarms(*shop) if one.kind == "stream-age"]
    assert (alarm.threshold, alarm.namespace) == (24 * 3600 * 1000 // 10, "AWS/Lambda")
    design, made = shop
    upkeep = {"after": "change of User.name", "table": made.tables[0].name, "entity": "User"}
    kept = Plan.model_validate(made.as_json() | {"upkeep": [upkeep]})
    (alarm,) = [one for one in alarms(design, kept) if one.kind == "stream-age"]
    assert alarm.threshold == 60_000
    assert "change of User.name" in alarm.because


def test_what_is_not_set_is_said() -> None:
    design, made = planned(changed(1, latency_ms=None))
    assert [text.split(":")[0] for text in not_set(design, made)] == [
        "Latency",
        "Replication lag",
        "Age of stream records",
    ]
    silent = NOTES.model_copy(
        update={"patterns": tuple(p.model_copy(update={"rate": None}) for p in NOTES.patterns)}
    )
    assert [a.kind for a in alarms(*planned(silent))] == ["latency"]


def test_a_condition_is_said_in_words() -> None:
    alarm = next(one for one in alarms(*planned()) if one.kind == "conflicts")
    assert alarm.condition == "Sum over 5 minutes above 6 requests, 3 times in a row"
    error = next(one for one in alarms(*planned()) if one.kind == "system-errors")
    assert error.condition == "Sum over 1 minute above 1 error, 15 times in a row"


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.slug)
def test_every_kind_says_what_to_do_and_where_it_is_written(kind: Any) -> None:
    assert kind.title
    assert kind.then.endswith(".")
    assert kind.source.startswith("https://docs.aws.amazon.com/")
    assert kind.otherwise.startswith(kind.title)


@pytest.mark.parametrize("slug", gallery.SLUGS)
def test_alarms_of_the_gallery_watch_what_is_there(slug: str) -> None:
    design = gallery.load(slug)
    for style in ("single", "multi"):
        made = plans.planned(design, style)
        places = {(table.name, None) for table in made.tables}
        places |= {(table.name, i.name) for table in made.tables for i in table.indexes}
        found = alarms(design, made)
        for metric in (metric for alarm in found for metric in alarm.metrics):
            assert frozenset(metric.dimensions) in DIMENSIONS[metric.name]
            assert metric.table is None or (metric.table, metric.index) in places
        assert all(len(alarm.metrics) <= MOST_SUMMED for alarm in found)
        assert set(essential(design, made)) <= set(found)
        assert {(a.table, a.index) for a in found if a.table} <= places
        watched = [(a.watches, a.metric) for a in found]
        assert len(watched) == len(set(watched))
        assert all(a.threshold >= 0 and a.because for a in found)


def test_errors_are_added_up_over_the_calls_that_a_table_gets() -> None:
    design, made = planned()
    (alarm,) = [a for a in alarms(design, made) if a.kind == "system-errors" and a.table == "Notes"]
    assert alarm.looks_at == "SystemErrors (GetItem, TransactWriteItems, UpdateItem)"


def test_throttles_of_many_indexes_take_several_alarms() -> None:
    design = gallery.load("shop")
    made = plan(design, "single")
    (table,) = made.tables
    index = table.indexes[0]
    step = next(s for o in made.operations for s in o.steps if s.index == index.name)
    names = [f"GSI{number}" for number in range(1, 13)]
    indexes = tuple(index.model_copy(update={"name": name}) for name in names)
    operation = next(o for o in made.operations if step in o.steps)
    steps = tuple(step.model_copy(update={"index": name}) for name in names)
    many = made.model_copy(
        update={
            "tables": (table.model_copy(update={"indexes": indexes}),),
            "operations": (operation.model_copy(update={"steps": steps}),),
            "upkeep": (),
        }
    )
    found = [alarm for alarm in alarms(design, many) if alarm.kind == "throttles"]
    assert [(alarm.metric, len(alarm.metrics)) for alarm in found] == [
        ("ThrottleEvents", 10),
        ("ThrottleEvents2", 2),
    ]


def test_each_metric_of_an_alarm_is_paid_for() -> None:
    found = essential(*planned())
    assert usd_per_month(found) * 10 == sum(len(alarm.metrics) for alarm in found)
