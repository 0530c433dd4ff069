"""Sorted one attribute up and another down: keys in which a part sorts the other way round."""

from decimal import Decimal

import pytest

from designer.core.plan import keys
from designer.core.planner import plan
from designer.core.sentences.steps import served_by
from tests.core.test_planner import design, indexes, is_, operation
from tests.messages import reasons_of

TASK = {
    "name": "Task",
    "identifier": ["taskId"],
    "items": 1_000_000,
    "attributes": [
        {"name": "taskId", "format": "uuid"},
        {"name": "teamId", "bytes": 10, "distinct": 1000},
        {"name": "rank", "type": "N", "format": "integer", "digits": 3, "mutable": True},
        {"name": "cost", "type": "N", "format": "decimal", "digits": 6, "scale": 2},
        {"name": "dueAt", "format": "datetime", "mutable": True},
        {"name": "state", "values": ["B", "AB", "A"], "mutable": True},
        {"name": "title", "bytes": 20},
        {"name": "label", "bytes": 20},
    ],
}
OTHERS = [
    {"kind": "get", "returns": "Task", "where": [is_("taskId")], "rate": {"average": 1}},
    {"kind": "create", "entity": "Task", "rate": {"average": 0.1}},
    {"kind": "delete", "entity": "Task", "rate": {"average": 0.1}},
    {
        "kind": "update",
        "entity": "Task",
        "set": {"rank": {"param": "rank"}, "state": {"param": "state"}},
        "rate": {"average": 0.1},
    },
]


def listed(*order: str, where: tuple[dict, ...] = ()) -> dict:
    asked = {"kind": "list", "returns": "Task", "where": [is_("teamId"), *where]}
    return {**asked, "order": list(order), "limit": 5, "rate": {"average": 20}}


@pytest.mark.parametrize(
    ("template", "values"),
    [
        (
            "{inverse(5, 2, x)}",
            [Decimal(n) for n in ("-999.99", "-7", "-0.01", "0", "0.5", "12", "999.99")],
        ),
        ("{inverse(x)}", ["0999-12-31", "2026-05-03", "2026-05-04", "2026-11-01", "9999-01-01"]),
        ("{inverse(x)}", ["2026-05-03T00:00:00Z", "2026-05-03T00:00:01Z", "2026-05-03T10:00:00Z"]),
        ('{inverse(x, "A", "AB", "B")}', ["A", "AB", "B"]),
        (
            "{inverse(x, " + ", ".join(f'"v{at:02}"' for at in range(11)) + ")}",
            [f"v{at:02}" for at in range(11)],
        ),
    ],
)
def test_what_is_inverse_sorts_the_other_way_round(template, values):
    written = [keys.render(f"K#{template}#id", {"x": value}.get) for value in values]
    assert sorted(written, key=str.encode) == written[::-1]
    assert len(set(written)) == len(values)


def test_the_forms_to_the_byte():
    assert keys.render("{inverse(4, 0, x)}", {"x": Decimal(7)}.get) == "-9992"
    assert keys.render("{inverse(4, 0, x)}", {"x": Decimal(-7)}.get) == "0007"
    assert keys.render("{inverse(x)}", {"x": "2026-05-03T09:30:00Z"}.get) == "7973-94-96T90:69:99Z"
    assert keys.render('{inverse(x, "A", "AB", "B")}', {"x": "A"}.get) == "2"
    assert keys.render('{inverse(x, "A", "AB", "B")}', {"x": "C"}.get) is None


@pytest.mark.parametrize(
    ("order", "piece", "forward"),
    [
        (("rank ascending", "dueAt descending"), "{pad(3, 0, rank)}#{inverse(dueAt)}", True),
        (("title ascending", "cost descending"), "{title}#{inverse(6, 2, cost)}", True),
        (("cost ascending", "title descending"), "{inverse(6, 2, cost)}#{title}", False),
        (
            ("dueAt descending", "state ascending"),
            '{dueAt}#{inverse(state, "A", "AB", "B")}',
            False,
        ),
    ],
)
@pytest.mark.parametrize("style", ["single", "multi"])
def test_one_up_and_one_down_is_one_query_of_as_many_as_are_asked_for(style, order, piece, forward):
    made = plan(design([TASK], [listed(*order), *OTHERS]), style)
    (index,) = indexes(made)
    (table,) = made.tables
    assert piece in table.items[0].set[index.sort[0].name]
    (step,) = operation(made, 1).steps
    assert (step.forward, step.limit, step.pages) == (forward, 5, "until")
    # A page of 5 x at most 350 bytes is half a unit: 20 a second at $0.125 a million.
    assert operation(made, 1).usd_per_month == pytest.approx(3.24)


@pytest.mark.parametrize("style", ["single", "multi"])
def test_a_range_of_what_is_inverse_has_its_ends_the_other_way_round(style):
    between = {"attribute": "cost", "from": {"param": "low"}, "below": {"param": "high"}}
    up = listed("title ascending", "cost descending")
    asked = listed("cost descending", where=(is_("title"), between))
    made = plan(design([TASK], [up, asked, *OTHERS]), style)
    (index,) = indexes(made)
    (step,) = operation(made, 2).steps
    low, high = step.where[-1].between
    assert low.endswith("{title}#{inverse(6, 2, high)}$")
    assert high.endswith("{title}#{inverse(6, 2, low)}$")
    assert step.index == index.name and not step.filter


@pytest.mark.parametrize("test", ["from", "after"])
def test_a_range_that_is_open_above_has_no_upper_end_at_the_beginning_of_a_key(test):
    """The key is the cost and then the due date, so nothing is above all keys but what sorts last."""
    dear = {"attribute": "cost", test: {"param": "least"}, "share": 0.1}
    asked = listed("cost ascending", "dueAt ascending", where=(dear,))
    made = plan(design([TASK], [asked, *OTHERS]), "multi")
    (index,) = indexes(made)
    (step,) = operation(made, 1).steps
    assert (step.index, step.where[-1].between, step.filter) == (index.name, None, ())
    said = served_by(made, operation(made, 1))
    assert ">= <least" in said and said.isascii()


@pytest.mark.parametrize("style", ["single", "multi"])
def test_two_texts_are_sorted_by_the_caller_when_there_are_few(style):
    few = {**TASK, "items": 50_000}
    made = plan(design([few], [listed("title ascending", "label descending"), *OTHERS]), style)
    (part,) = operation(made, 1).result.parts
    assert part.order == ("title ascending", "label descending")


@pytest.mark.parametrize("style", ["single", "multi"])
def test_two_texts_are_refused_with_the_reason_when_there_are_many(style):
    many = {**TASK, "items": 10_000_000}
    made = plan(design([many], [listed("title ascending", "label descending"), *OTHERS]), style)
    refused = operation(made, 1)
    assert refused.answer == "not served"
    assert "mixed-order" in reasons_of(refused)


@pytest.mark.parametrize("style", ["single", "multi"])
def test_the_table_itself_can_have_a_part_the_other_way_round(style):
    kept = {
        **TASK,
        "attributes": [
            {k: v for k, v in one.items() if k != "mutable"} for one in TASK["attributes"]
        ],
    }
    asked = {**listed("title ascending", "dueAt descending"), "consistency": "strong"}
    made = plan(design([kept], [asked, OTHERS[1]]), style)
    assert indexes(made) == []
    (step,) = operation(made, 1).steps
    assert step.consistent and step.forward and step.limit == 5
