"""What is derived of a time lies in no item: it is tested and sorted by through the time itself."""

from typing import Any

import pytest

from designer.core.design.document import Design
from designer.core.examples import examples
from designer.core.examples.simulate import run
from designer.core.examples.stored_items import stored_items
from designer.core.grid.answer import request
from designer.core.plan import STYLES, Plan, Step
from designer.core.planner.pipeline import outlined
from designer.core.sentences.steps import item_condition
from designer.proof.engine import Engine
from designer.proof.prove import prove_on
from tests.core.priced import numbered
from tests.memory import Memory
from tests.messages import reasons_of

pytestmark = pytest.mark.slow

GUEST = {
    "name": "Guest",
    "identifier": ["guestId"],
    "items": 5_000,
    "attributes": [
        {"name": "guestId", "format": "ulid"},
        {"name": "bornOn", "format": "date"},
        {"name": "bornIn", "derived": "year(bornOn)"},
    ],
}
VISIT = {
    "name": "Visit",
    "identifier": ["visitId"],
    "items": 200_000,
    "attributes": [
        {"name": "visitId", "format": "ulid"},
        {"name": "guestId", "format": "ulid", "refers_to": "Guest.guestId"},
        {"name": "room", "bytes": 8, "distinct": 2_000},
        {"name": "at", "format": "datetime", "present": 0.7},
        {"name": "hour", "derived": "hour(at)"},
        {"name": "day", "derived": "date(at)"},
        {"name": "rank", "type": "N", "format": "integer", "digits": 4},
    ],
}
BILL = {
    "name": "Bill",
    "identifier": ["billId"],
    "items": 100_000,
    "attributes": [
        {"name": "billId", "format": "ulid"},
        {"name": "guestId", "format": "ulid", "refers_to": "Guest.guestId"},
        {"name": "room", "bytes": 8, "distinct": 2_000},
        {"name": "rank", "type": "N", "format": "integer", "digits": 4},
        {"name": "sentAt", "format": "datetime"},
        {"name": "day", "derived": "date(sentAt)"},
    ],
}
RELATIONSHIPS = [
    {"name": f"{name}sOf", "one": "Guest", "many": name, "by": "guestId", "average": 20}
    for name in ("Visit", "Bill")
]
ROOM = {"attribute": "room", "is": {"param": "room"}}
OWN = {"attribute": "guestId", "is": {"param": "guestId"}}


def day(*tests: str, **more: Any) -> dict[str, Any]:
    return {"attribute": "day", **{test: {"param": f"{test}Day"} for test in tests}, **more}


def visits(*patterns: dict[str, Any]) -> Design:
    """Visits and bills of guests, and patterns about visits."""
    return Design.model_validate(
        {
            "name": "Visits",
            "entities": [GUEST, VISIT, BILL],
            "relationships": RELATIONSHIPS,
            "patterns": numbered([{"kind": "list", "returns": "Visit", **one} for one in patterns]),
        }
    )


def asked(**pattern: Any) -> Design:
    """The same with one pattern."""
    return visits(pattern)


def served(design: Design, style: Any) -> Plan:
    """The plan of a design that is proven to find what is asked."""
    made = outlined(design, style)
    (said,) = prove_on(Engine("memory", Memory()), design, made).patterns
    assert (said.status, said.difference) == ("passed", "")
    return made


def steps(made: Plan) -> tuple[Step, ...]:
    return made.operations_for(1)[0].steps


TESTS = [
    day("from"),
    day("after"),
    day("to"),
    day("below"),
    day("after", "to"),
    day("begins_with"),
    day("any_of"),
    day("not"),
    day("is"),
    day("contains"),
    {"attribute": "day", "exists": True},
    {"attribute": "day", "missing": True},
]


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("test", TESTS, ids=lambda test: "-".join(list(test)[1:]))
def test_a_filter_on_a_part_of_a_time_finds_what_it_says(style, test):
    served(asked(where=[ROOM], keep=[test]), style)
    served(asked(kind="count", where=[ROOM, test]), style)
    along = {"relationship": "VisitsOf", "keep": [test], "limit": 3}
    served(asked(kind="get", returns="Guest", where=[OWN], **{"with": [along]}), style)


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize(
    "where",
    [
        [ROOM, day("to"), {"attribute": "rank", "from": {"param": "least"}, "share": 0.001}],
        [ROOM, day("any_of"), {"attribute": "guestId", "any_of": {"param": "guests"}}],
        [ROOM, day("after"), {"attribute": "hour", "to": {"param": "hour"}}],
        [{"attribute": "rank", "to": {"param": "most"}}, day("from", "to")],
    ],
)
def test_so_does_a_range_or_list_that_is_not_the_key_s(style, where):
    made = served(asked(where=where, order=["rank descending"], limit=3), style)
    assert steps(made)


@pytest.mark.parametrize("style", STYLES)
def test_rows_are_sorted_by_a_part_of_a_time(style):
    for order in (["day descending"], ["day ascending", "rank descending"]):
        made = served(asked(where=[OWN], order=order, attributes=["rank"]), style)
        assert made.operations_for(1)[0].result.parts[0].order[0].startswith("date(at) ")
        assert "day" not in (steps(made)[-1].project or ())
    figure = asked(where=[ROOM], result={"greatest": "day"})
    assert served(figure, style).operations_for(1)[0].result.attribute == "date(at)"


@pytest.mark.parametrize("style", STYLES)
def test_a_part_of_a_parent_s_time_is_that_of_its_copy(style):
    born = {"attribute": "VisitsOf.bornIn", "is": {"param": "year"}}
    served(asked(where=[ROOM, born], order=["rank ascending"]), style)
    served(asked(where=[ROOM], order=["VisitsOf.bornIn descending", "rank ascending"]), style)


@pytest.mark.parametrize("style", STYLES)
def test_what_is_worked_out_otherwise_of_each_entity_is_asked_of_its_own_items(style):
    both = {"returns": ["Visit", "Bill"], "where": [OWN]}
    served(asked(**both, keep=[day("to")]), style)
    (alone,) = outlined(asked(**both, order=["day ascending"]), style).operations_for(1)
    assert alone.answer == "not served"
    said = reasons_of(alone)["no-common-order"]
    meanings = [tuple(one.values.values()) for one in said["meanings"]]
    assert (said["attribute"], meanings) == (
        "day",
        [("date(at)", "Visit"), ("date(sentAt)", "Bill")],
    )
    served(asked(**both, order=["rank ascending"]), style)


@pytest.mark.parametrize(
    ("test", "expression", "words"),
    [
        ("to", "(#at < :at OR begins_with(#at, :at))", "date of at <= <toDay>"),
        ("after", "(#at > :at AND NOT begins_with(#at, :at))", "date of at > <afterDay>"),
        ("any_of", "(begins_with(#at, :at) OR …)", "date of at in <any_ofDay>"),
        (
            "not",
            "(attribute_not_exists(#at) OR NOT begins_with(#at, :at))",
            "date of at is not <notDay>",
        ),
    ],
)
def test_a_request_asks_for_it_by_the_time(test, expression, words):
    made = outlined(asked(where=[ROOM], keep=[day(test)]), "multi")
    (step,) = steps(made)
    assert request(made, step)["FilterExpression"] == expression
    assert item_condition(step.filter[0]) == words


@pytest.mark.parametrize("style", STYLES)
def test_the_rows_of_the_grid_are_tested_and_sorted_so(style):
    design = asked(where=[OWN], keep=[day("to")], order=["day descending"])
    made, rows = outlined(design, style), examples(design)
    tables = {table.name: stored_items(design, made, rows, table) for table in made.tables}
    visits = rows["Visit"]
    dates = sorted({one["at"][:10] for one in visits if "at" in one})
    given = {"guestId": visits[0]["guestId"], "toDay": dates[-1]}
    (operation,) = made.operations_for(1)
    mine = [
        f"Visit-{number}"
        for number, one in enumerate(visits, 1)
        if one["guestId"] == given["guestId"] and "at" in one
    ]
    assert set(run(design, made, tables, operation, given).returned) == set(mine) != set()
