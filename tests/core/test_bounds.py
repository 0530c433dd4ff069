"""What a design may state at the most, and that what it may state is shown without end in sight."""

from typing import Any

import pytest

from designer.core.design import gallery
from designer.core.design.check import check
from designer.core.design.document import Design
from designer.core.design.load import load_plain, plain
from designer.core.evaluation.heaviness import heavy
from designer.core.examples.simulate import _Run
from designer.core.grid.sheets import Look, sheets
from designer.core.messages import say
from designer.core.plan import keys
from designer.core.planner import plan
from designer.core.planner.candidates import sharding as scale

SHOP = plain(gallery.load("shop"))


def changed(**parts: Any) -> Design:
    return load_plain({**SHOP, **parts})


def said(design: Design) -> str:
    (problem, *_) = check(design)
    return problem.message


def first_read(**fields: Any) -> Design:
    """The shop with its first pattern that lists something changed."""
    patterns = [dict(each) for each in SHOP["patterns"]]
    patterns[1] |= fields
    return changed(patterns=patterns)


def related(**fields: Any) -> Design:
    """The shop with other figures of its first relationship to many."""
    relationships = [dict(each) for each in SHOP["relationships"]]
    one = next(each for each in relationships if isinstance(each.get("many"), str))
    one.pop("average", None)
    one.pop("most", None)
    one |= fields
    return changed(relationships=relationships)


def with_number(**fields: Any) -> Design:
    """The shop with an entity's attribute that is a number."""
    (first, *others) = SHOP["entities"]
    attribute = {"name": "figure", "type": "N", **fields}
    return changed(entities=[{**first, "attributes": [*first["attributes"], attribute]}, *others])


def conditions(count: int, **fields: Any) -> list[dict[str, Any]]:
    name = SHOP["patterns"][1]["where"][0]["attribute"]
    return [{"attribute": name, "is": {"param": f"p{at}"}, **fields} for at in range(count)]


WIDE = [{"name": f"a{at}"} for at in range(499)]


@pytest.mark.parametrize(
    ("design", "words"),
    [
        (
            first_read(rate={"average": 1.0, "peak": 1e9}),
            "a pattern runs at most 10,000,000 times a second, but this one runs 1,000,000,000; check the figure",
        ),
        (
            first_read(where=conditions(17)),
            "`where` has at most 16 conditions, but this one has 17",
        ),
        (first_read(keep=conditions(41)), "a pattern has at most 40 conditions of this kind"),
        (
            first_read(keep=conditions(7, optional=True)),
            "at most 6 optional conditions, but this one has 7; split it into several patterns",
        ),
        (
            changed(planner={"work_limit": 10**9}),
            "`work_limit` is at most 200,000 nodes of the search, but here it is 1,000,000,000",
        ),
        (
            changed(planner={"pins": [{"table": ["User", "Order"]}] * 201}),
            "a design has at most 200 pins, but this one has 201",
        ),
        (
            changed(
                entities=[
                    {"name": f"E{at}", "identifier": ["id"], "attributes": [{"name": "id"}, *WIDE]}
                    for at in range(11)
                ]
            ),
            "a design has at most 5,000 attributes in all, but this one has 5,500",
        ),
        (
            changed(ignored_findings=[{"rule": "K101", "because": "so"}] * 501),
            "a design has at most 500 ignored findings",
        ),
    ],
)
def test_what_is_too_much_is_refused_with_place_and_remedy(design: Design, words: str) -> None:
    assert words in said(design)


def writes(count: int, **fields: Any) -> Design:
    """An entity of many attributes, and a transaction that writes it so many times in the same way."""
    attributes = [{"name": "id"}, *({"name": f"a{at}", "mutable": True} for at in range(300))]
    member = {"update": "Thing", "times": {"average": 1, "most": 1}, **fields}
    members = [{**member, "each": f"rows{at}"} for at in range(count)]
    return load_plain(
        {
            "keywright": 1,
            "name": "Wide",
            "entities": [{"name": "Thing", "identifier": ["id"], "attributes": attributes}],
            "patterns": [{"number": 1, "name": "Write", "kind": "transaction", "members": members}],
        }
    )


def sets(count: int) -> dict[str, Any]:
    return {f"a{at}": {"param": f"p{at}"} for at in range(count)}


ONE = {"attribute": "a299", "exists": True}


def along(**fields: Any) -> Design:
    return first_read(**{"with": [{"relationship": "x", **fields}]})


MANY = [f"a{at}" for at in range(501)]
SORTED = [f"a{at} ascending" for at in range(101)]
LIST = [{"attribute": "a", "any_of": {"value": [f"v{at}" for at in range(100)]}}]
KEY = {"partition": ["x"] * 9}


@pytest.mark.parametrize(
    ("design", "words"),
    [
        (writes(1, set=sets(201)), "a write changes at most 200 attributes, but"),
        (writes(1, remove=[*sets(201)]), "a write changes at most 200 attributes"),
        (writes(1, set=sets(1), given=["a1"] * 51), "a write has at most 50 attributes of this"),
        (writes(1, set=sets(1), by=["a1"] * 51), "a write has at most 50 attributes of this"),
        (writes(1, set=sets(1), **{"if": [ONE] * 41}), "at most 40 conditions of this kind"),
        (writes(1, set=sets(1), **{"or": [[ONE] * 41]}), "at most 40 conditions of this kind"),
        (
            writes(1, set=sets(1), **{"or": [[ONE]] * 21}),
            "at most 20 lists under `or`, but this one has",
        ),
        (
            writes(100, set=sets(3), **{"if": [ONE] * 3}),
            "conditions, sorted attributes and changes in all, but this one has 600; split it",
        ),
        (
            first_read(**{"with": [{"relationship": "places", "keep": conditions(30)}] * 20}),
            "at most 500 conditions, sorted attributes and changes in all",
        ),
    ],
)
def test_a_pattern_says_no_more_than_its_form_has_rows_for(design: Design, words: str) -> None:
    problems = [problem.message for problem in check(design)]
    assert any(words in each for each in problems), problems[:3]


def test_a_wide_update_and_a_full_transaction_are_within_the_bounds() -> None:
    for design in (writes(1, set=sets(200)), writes(100, set=sets(2), **{"if": [ONE] * 3})):
        assert not [each for each in check(design) if "at most" in each.message]


@pytest.mark.parametrize(
    ("design", "words"),
    [
        (along(keep=conditions(41)), "a pattern has at most 40 conditions of this kind"),
        (
            along(keep=conditions(7, optional=True)),
            "at most 6 optional conditions, but this one has 7",
        ),
        (along(order=SORTED), "`order` has at most 100 attributes, but this one has 101"),
        (along(attributes=MANY), "a pattern needs at most 500 attributes"),
        (first_read(order=SORTED), "`order` has at most 100 attributes, but this one has 101"),
        (first_read(attributes=MANY), "a pattern needs at most 500 attributes"),
        (
            first_read(where=LIST * 4),
            "at most 1,000,000 combinations of the values of its lists, but this one has 100,000,000",
        ),
        (related(by=MANY[:13]), "a relationship has at most 12 attributes under `by`"),
        (
            changed(planner={"pins": [{"table": ["User", "Order"] * 50}] * 21}),
            "the pins of tables in a design name at most 2,000 entities, but these name 2,100",
        ),
        (
            changed(
                patterns=[
                    {**SHOP["patterns"][1], "number": at + 1, "where": conditions(6, optional=True)}
                    for at in range(63)
                ]
            ),
            "a design has at most 4,000 cases with and without its optional conditions",
        ),
        (
            changed(names={"multi": {"items": {f"E{at}": {} for at in range(5001)}}}),
            "a style has at most 5,000 recorded names of this kind, but this one has 5,001",
        ),
        (
            changed(names={"multi": {"items": {"User": KEY}}}),
            "a key has at most 8 recorded parts, but this one has 9",
        ),
        (
            changed(names={"single": {"indexes": [{"name": "G", "keys": KEY, "holds": MANY * 2}]}}),
            "an index is recorded to hold at most 1,000 attributes, but this one holds 1,002",
        ),
        (
            changed(planner={"worth": 1e308}),
            "`worth` is at most 1,000,000,000 US dollars a month, but here it is far more",
        ),
        (first_read(hottest=1e-300), "a share this small is practically zero; write 0"),
        (
            first_read(keep=conditions(1, share=1e-300)),
            "a share this small is practically zero; write 0",
        ),
    ],
)
def test_lists_that_multiply_work_are_bounded(design: Design, words: str) -> None:
    assert words in said(design)


def dear(number: float, part: str = "where", **attribute: Any) -> Design:
    """Orders of a user that cost as much as a number, or more."""
    by_user = {"attribute": "userId", "is": {"param": "userId"}}
    more = {"attribute": "cost", "from": {"value": number}}
    where = [by_user, more] if part == "where" else [by_user]
    return load_plain(
        {
            "keywright": 1,
            "name": "Orders",
            "entities": [
                {
                    "name": "Order",
                    "identifier": ["orderId"],
                    "items": 1000,
                    "attributes": [
                        {"name": "orderId", "format": "uuid"},
                        {"name": "userId", "distinct": 90},
                        {"name": "cost", "type": "N", **attribute},
                    ],
                }
            ],
            "patterns": [
                {
                    "number": 1, "name": "Dear", "kind": "list", "returns": "Order",
                    "where": where, "keep": [more] if part == "keep" else [], "rate": {"average": 9},
                }
            ],
        }
    )  # fmt: skip


@pytest.mark.parametrize(
    ("number", "attribute"),
    [
        (0.5, {}),
        (1e-130, {}),
        (1e125, {}),
        (5e-324, {}),
        (100, {"digits": 2}),
        (0.5, {"values": ["1"]}),
    ],
)
def test_a_number_that_no_key_can_hold_is_refused_under_where_and_tested_under_keep(
    number: float, attribute: dict[str, Any]
) -> None:
    words = "state the `digits` and the `scale` of the attribute, or put the condition under `keep`"
    assert words in said(dear(number, **attribute))
    kept = dear(number, "keep", **attribute)
    assert not check(kept)
    assert plan(kept, "single", reasons="findings").tables


def test_a_number_that_keys_can_hold_is_planned() -> None:
    for design in (
        dear(0.5, scale=1, digits=4),
        dear(-0.0),
        dear(10**37),
        dear(0.25, format="decimal"),
    ):
        assert not check(design)
        assert plan(design, "single", reasons="findings").tables


INFINITE, NO_NUMBER = float("inf"), float("nan")


@pytest.mark.parametrize(
    ("design", "words"),
    [
        (
            changed(planner={"work_limit": 10**400}),
            "200,000 nodes of the search, but here it is far more",
        ),
        (first_read(expects=INFINITE), "a pattern returns at most 1,000,000,000,000,000 items"),
        (first_read(expects=2e15), "but this one returns 2,000,000,000,000,000; check the figure"),
        (first_read(latency_ms=INFINITE), "at most 86,400,000 milliseconds"),
        (
            first_read(rate={"average": 5e-324}),
            "once in thousands of years is practically never; write 0",
        ),
        *(
            (related(average=figure), "one item has at most 1,000,000,000,000,000 items")
            for figure in (INFINITE, 1e18)
        ),
        (
            related(most=10**400),
            "items on the other side of a relationship, but this one has far more",
        ),
    ],
)
def test_figures_beyond_all_sense_are_refused(design: Design, words: str) -> None:
    assert words in said(design)


@pytest.mark.parametrize("number", [INFINITE, -INFINITE, NO_NUMBER, 1e127, 10**400])
def test_numbers_that_dynamodb_does_not_keep_are_refused(number: float) -> None:
    design = with_number(examples=[number])
    assert "more than DynamoDB can store; write a number below 1e126" in said(design)
    made = plan(design, "single", reasons="findings")  # as it may lie in the database
    assert sheets(design, (made,), Look(1)).sheets


def test_how_many_values_an_attribute_has_is_bounded() -> None:
    assert "at most 1,000,000,000,000,000 different values" in said(with_number(distinct=10**400))


def test_planning_counts_no_shards_one_by_one() -> None:
    """A range of very many is gone through in as few steps as one of few, and to the same numbers."""
    for first, last in ((1, 1), (1, 40), (7, 5000), (1, 100_000)):
        few = scale._far_apart_between(first, last)
        assert list(few) == scale._far_apart(range(first, last + 1))
    assert len(list(scale._far_apart_between(1, 10**30))) < 400


def test_planning_copes_with_answers_of_very_many_items() -> None:
    document = plain(gallery.load("sensor-readings"))
    for pattern in document["patterns"]:
        if pattern["kind"] == "list":
            pattern["expects"] = 1e15
    design = load_plain(document)
    assert not check(design)
    assert plan(design, "single", reasons="findings").tables


def test_what_an_attribute_says_is_bounded() -> None:
    entities = [dict(each) for each in SHOP["entities"]]
    attributes = [dict(each) for each in entities[0]["attributes"]]
    for field, count in (("examples", 51), ("values", 1001)):
        text = next(each for each in attributes if each.get("type", "S") == "S")
        now = [
            {**each, field: [f"v{at}" for at in range(count)]} if each is text else each
            for each in attributes
        ]
        design = changed(entities=[{**entities[0], "attributes": now}, *entities[1:]])
        assert f"an attribute has at most {count - 1:,} {field}" in said(design)


def hot_leaderboards(peak: float) -> Design:
    """The gallery's, with a write that is asked so often that its index is spread over very many shards."""
    document = plain(gallery.load("leaderboards"))
    for pattern in document["patterns"]:
        if pattern["number"] == 2:
            pattern["rate"] = {"average": 1.0}
        if pattern["number"] == 9:
            pattern["rate"]["peak"] = peak
    return load_plain(document)


def test_of_a_million_shards_those_are_looked_into_that_hold_something(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    design = hot_leaderboards(1e9)  # as it may lie in the database from before there was a bound
    made = plan(design, "single", reasons="findings")
    shards = [
        step.for_each.numbers or 0
        for operation in made.operations_for(2)
        for step in operation.steps
        if step.for_each is not None
    ]
    assert max(shards) > 1_000_000
    looked = 0
    look_into = _Run.__init__

    def counted(*args: Any) -> None:
        nonlocal looked
        looked += 1
        look_into(*args)

    monkeypatch.setattr(_Run, "__init__", counted)
    shown = sheets(design, (made,), Look(2))
    assert 0 < looked < 100
    reading = shown.sheets[0].reading
    assert reading is not None and reading.returned > 0
    few = hot_leaderboards(100.0)
    same = sheets(few, (plan(few, "single", reasons="findings"),), Look(2)).sheets[0].reading
    assert same is not None and same.returned == reading.returned


def test_after_the_last_hour_there_is_no_period() -> None:
    for form in ("date", "hour"):
        with pytest.raises(keys.TemplateError, match=f"no {form} follows 9999-12-31"):
            keys.periods(form, "9999-12-31T23:00:00Z", ":")


def test_what_makes_planning_long_is_named_worst_first() -> None:
    patterns, entities = len(SHOP["patterns"]), len(SHOP["entities"])
    assert heavy(gallery.load("shop")) == (
        say("heavy-design", patterns=patterns, entities=entities),
    )
    design = first_read(where=conditions(8), keep=conditions(6, optional=True))
    assert heavy(design)[:1] == (say("heavy-optional-conditions", pattern=2, count=6),)
    assert heavy(first_read(where=conditions(8)))[:1] == (
        say("heavy-conditions", pattern=2, count=8),
    )
