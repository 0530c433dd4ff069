"""Steps that repeat for the shards of a key and the periods of a time, on a plan written by hand."""

import pytest

from designer.core.design.document import Design
from designer.core.examples import examples
from designer.core.examples.simulate import run
from designer.core.examples.stored_items import stored_items
from designer.core.plan import Plan, keys
from designer.core.plan.keys import TemplateError
from designer.core.sentences.steps import step_sentence
from designer.proof import prove
from designer.proof.engine import PREFIX, engine
from tests import runner

TIMES = [
    "2026-05-03T23:59:59Z", "2026-05-04T00:00:00Z", "2026-05-04T10:30:00Z", "2026-05-06T12:15:00Z",
]  # fmt: skip
BETWEEN = {"attribute": "readAt", "from": {"param": "since"}, "below": {"param": "until"}}
OF_DEVICE = {"attribute": "deviceId", "is": {"param": "deviceId"}}
DESIGN = Design.model_validate(
    {
        "name": "Readings",
        "entities": [
            {
                "name": "Reading",
                "identifier": ["readingId"],
                "attributes": [
                    {"name": "readingId", "format": "ulid"},
                    {"name": "deviceId", "bytes": 4, "examples": ["d1", "d1", "d1", "d1"]},
                    {"name": "readAt", "format": "datetime", "examples": TIMES},
                    {"name": "readDay", "derived": "date(readAt)"},
                ],
            }
        ],
        "patterns": [
            {
                "number": 1,
                "name": "The newest readings of a device in a time",
                "kind": "list",
                "returns": "Reading",
                "where": [OF_DEVICE, BETWEEN],
                "order": ["readAt descending"],
                "limit": 2,
            },
            {"number": 2, "name": "Store", "kind": "create", "entity": "Reading"},
        ],
    }
)
SET = {
    "PK": "{deviceId}#{date(readAt)}#{shard(3, readingId)}",
    "SK": "{readAt}#{readingId}",
    "Type": "Reading",
}
STORED = ("readingId", "deviceId", "readAt")
DAYS = {"form": "date", "from": "{since}", "to": "{until}", "newest_first": True}


def readings(**days: object) -> Plan:
    """Readings under device, day and shard; the pattern reads every shard of every day."""
    step = {
        "id": "s1",
        "call": "Query",
        "table": "readings",
        "for_each": {"periods": {**DAYS, **days}, "numbers": 3},
        "where": [
            {"attribute": "PK", "equals": "{deviceId}#{each.period}#{each.number}"},
            {"attribute": "SK", "between": ["{since}", "{until}"]},
        ],
        "forward": False,
        "limit": 2,
        "pages": "until",
        "until": {"rows": 2},
        "shapes": ["Reading"],
    }
    rows = {
        "name": "rows",
        "steps": ["s1"],
        "shapes": ["Reading"],
        "order": ["readAt descending"],
        "limit": 2,
    }
    put = {
        "put": "Reading",
        "table": "readings",
        "values": {**{name: f"{{{name}}}" for name in STORED}, **SET},
        "if": [{"attribute": "PK", "exists": False}],
    }
    return Plan.model_validate(
        {
            "design": {"name": "Readings", "meaning": "sha256:0"},
            "style": "single",
            "planner": "by hand",
            "cost": {"per_month": 1.0, "bound": 1.0, "gap": 0.0},
            "tables": [
                {
                    "name": "readings",
                    "key": {
                        "partition": {"name": "PK", "type": "S"},
                        "sort": {"name": "SK", "type": "S"},
                    },
                    "items": [
                        {
                            "shape": "Reading",
                            "entity": "Reading",
                            "attributes": {name: {"type": "S"} for name in STORED},
                            "set": SET,
                        }
                    ],
                }
            ],
            "operations": [
                {
                    "pattern": 1,
                    "answer": "in several requests",
                    "parameters": [{"name": n} for n in ("deviceId", "since", "until")],
                    "steps": [step],
                    "result": {"kind": "rows", "parts": [rows]},
                },
                {
                    "pattern": 2,
                    "answer": "in one request",
                    "parameters": [{"name": name} for name in STORED],
                    "steps": [
                        {"id": "w", "call": "PutItem", "table": "readings", "members": [put]}
                    ],
                },
            ],
        }
    )


def failures(verdict) -> list[str]:
    return [one.difference for one in verdict.patterns if one.status != "passed"]


@pytest.mark.parametrize("until_enough", [False, True])
def test_every_shard_of_every_day_is_read(until_enough):
    verdict = prove(DESIGN, readings(until_enough=until_enough), patterns=[1])
    assert (verdict.problem, failures(verdict)) == ("", [])


def test_reading_ends_with_the_day_in_which_there_are_enough():
    """Fewer requests for the same answers."""
    all_, some = (prove(DESIGN, readings(until_enough=e), patterns=[1]) for e in (False, True))
    assert some.patterns[0].requests < all_.patterns[0].requests


def test_days_read_in_the_wrong_order_are_found():
    wrong = readings(until_enough=True, newest_first=False)
    assert failures(prove(DESIGN, wrong, patterns=[1])) != []


ASKED = {"deviceId": "d1", "since": TIMES[0], "until": TIMES[3]}


def test_a_stranger_and_the_pages_read_the_same():
    made = readings(until_enough=True)
    items = [{k: v for k, v in one.items() if k in STORED} for one in examples(DESIGN)["Reading"]]
    those = [item for item in items if item["deviceId"] == "d1" and item["readAt"] in TIMES[:3]]
    newest = sorted((item["readAt"] for item in those), reverse=True)[:2]
    stored = {"readings": stored_items(DESIGN, made, examples(DESIGN), made.table("readings"))}
    trace = run(DESIGN, made, stored, made.operations[0], ASKED)
    by_id = {item.id: item.values["readAt"] for item in stored["readings"]}
    assert [by_id[one] for one in trace.returned] == newest
    other = runner.Runner(engine().client, made.as_json(), f"{PREFIX}repeats-")
    other.create_tables()
    try:
        for item in items:
            other.put("Reading", item)
        rows = other.run(1, ASKED)["rows"]
    finally:
        other.delete_tables()
    assert [item["readAt"] for _, item in rows] == newest


def test_it_is_said_in_words():
    (step,) = readings(until_enough=True).operations[0].steps
    said = step_sentence(readings(), step)
    assert "PK = <deviceId>#<period>#<shard>" in said
    assert said.endswith(
        "for each day from <since> to <until>, newest first, until there are enough, for each of 3 shards"
    )


@pytest.mark.parametrize(
    ("form", "first", "last", "found"),
    [
        ("year", "2026-05-03", "2028-01-01", ("2026", "2027", "2028")),
        ("month", "2026-11-30", "2027-01-01", ("2026-11", "2026-12", "2027-01")),
        ("date", "2028-02-28T23:00:00Z", "2028-03-01", ("2028-02-28", "2028-02-29", "2028-03-01")),
        (
            "hour",
            "2026-12-31T23:59:59Z",
            "2027-01-01T00:00:00Z",
            ("2026-12-31T23", "2027-01-01T00"),
        ),
        ("hour", "2027-01-01T00:00:00Z", "2026-12-31T23:59:59Z", ()),
    ],
)
def test_the_periods_of_a_time(form, first, last, found):
    """Ours and the stranger's agree."""
    assert keys.periods(form, first, last) == found
    said = {"form": form, "from": "{first}", "to": "{last}"}
    stranger = runner.Runner(None, {"tables": []})
    assert tuple(stranger.periods(said, {"first": first, "last": last}.get)) == found


@pytest.mark.parametrize(
    ("first", "last", "said"),
    [
        ("0001-01-01", "9998-01-01", "more than 100,000"),
        ("m", "m~", "“m”"),
        ("9999-12-31T23", "9999-12-31T23", ""),
    ],
)
def test_what_is_no_range_of_time_is_refused(first, last, said):
    if not said:
        assert keys.periods("hour", first, last) == (first,)
        return
    with pytest.raises(TemplateError, match=said):
        keys.periods("hour", first, last)
