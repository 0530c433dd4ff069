"""Patterns and operations in plain English."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from pydantic import TypeAdapter

from designer.core.cost.price import Price
from designer.core.design import gallery
from designer.core.design.document import Design
from designer.core.design.load import load
from designer.core.grid.answer import answer, operation_for
from designer.core.patterns import KINDS, AnyPattern
from designer.core.plan import STYLES, KeyCondition, Plan
from designer.core.planner import plan as planned
from designer.core.sentences.patterns import reads_as
from designer.core.sentences.plans import at_once, summary
from designer.core.sentences.steps import key_condition, served_by

from .orders import ORDERS, PLAN

PATTERN: TypeAdapter[Any] = TypeAdapter(AnyPattern)


def said(**pattern: Any) -> str:
    return reads_as(ORDERS, PATTERN.validate_python({"number": 9, "name": "It", **pattern}))


MINE = {"attribute": "userId", "is": {"param": "userId"}}
SENTENCES = {
    "get": (
        {
            "returns": "User",
            "where": [MINE],
            "with": [{"relationship": "places", "limit": 3, "order": ["placedAt descending"]}],
        },
        "The app gets one User by userId, with its 3 newest Orders; eventually consistent.",
    ),
    "batch_get": (
        {"returns": "User", "where": [{"attribute": "userId", "any_of": {"param": "ids"}}]},
        "The app gets several Users whose userId is in a given list; eventually consistent.",
    ),
    "list": (
        {"returns": "Order", "where": [MINE], "order": ["placedAt descending"], "limit": 20, "rate": {"average": 120}},
        "The app lists Orders of one User, newest first, 20 a page, 120 times a second on average; eventually "
        "consistent.",
    ),
    "count": (
        {"returns": "Order", "where": [{"attribute": "status", "is": {"value": "PAID"}}], "consistency": "strong"},
        "The app counts Orders whose status is PAID; strongly consistent.",
    ),
    "exists": (
        {"returns": "User", "where": [{"attribute": "email", "is": {"param": "email"}}]},
        "The app checks for a User by email; eventually consistent.",
    ),
    "create": (
        {"entity": "User"},
        "The app creates a User; refused if the User already exists or its email is already taken.",
    ),
    "update": (
        {"entity": "Order", "set": {"status": {"param": "status"}}, "add": {"total": {"value": 1}}},
        "The app updates an Order (sets status and adds 1 to total); refused if the Order does not exist.",
    ),
    "upsert": ({"entity": "Order"}, "The app creates or replaces an Order."),
    "delete": (
        {"entity": "Order", "where": [MINE], "rate": {"average": 0.001}},
        "The app deletes all Orders of one User, 86.4 times a day on average.",
    ),
    "transaction": (
        {"members": [{"check": "User", "exists": True}, {"create": "Order", "times": {"average": 3, "most": 9}}]},
        "All or nothing: the app checks that a User exists and creates 3 Orders (at most 9).",
    ),
    "elsewhere": (
        {"returns": "Order", "because": "analytics"},
        "The app looks for Orders; this is analytics, which DynamoDB should not serve.",
    ),
}  # fmt: skip


def test_a_delete_of_some_does_not_first_say_all() -> None:
    sentence = said(kind="delete", entity="Order", where=[MINE, PAID])
    assert sentence == "The app deletes all those Orders of one User whose status is PAID."
    sentence = said(kind="delete", entity="Order", where=[MINE, PLACED])
    assert sentence == "The app deletes all those Orders of one User that have placedAt."
    sentence = said(kind="delete", entity="Order", where=[MINE, GIVEN, DEAR])
    assert sentence == (
        "The app deletes all those Orders of one User that have a given status and whose total is at least 100."
    )


def test_what_is_given_of_an_item_is_not_said_of_the_one_that_it_belongs_to() -> None:
    """A seat has a row and a place; its hall has neither."""
    design = load((Path(__file__).parents[1] / "designs" / "scoped_seats.yaml").read_text())
    assert "gets one Seat of one Hall by row and place," in reads_as(design, design.pattern(7))


def test_what_changed_last_is_not_the_newest() -> None:
    design = gallery.load("folder-tree")
    assert ", latest changedAt first, 20 a page" in reads_as(design, design.pattern(4))


def test_a_list_of_one_folder_is_not_by_folder() -> None:
    design = gallery.load("folder-tree")
    said = "lists Nodes of one Drive, those with a given folder, sorted by name"
    assert said in reads_as(design, design.pattern(1))


def test_the_ways_of_a_condition_are_each_said_with_if() -> None:
    design = gallery.load("idempotency")
    made = planned(design, "single")
    assert (
        "put Claim, if it does not exist yet, or if forgetAt < <now>, "
        "or if both state = CLAIMED and claimedAt < <aMinuteAgo>"
    ) in served_by(made, made.operations_for(4)[0])


def test_a_batch_job_reads_the_whole_table() -> None:
    sentence = said(kind="elsewhere", returns="Order", because="batch job")
    assert (
        sentence == "A batch job looks for Orders in the whole table, for which no key is needed."
    )


def test_every_kind_has_a_sentence_here() -> None:
    assert set(SENTENCES) == set(KINDS)


@pytest.mark.parametrize("kind", SENTENCES)
def test_a_pattern_reads_as_a_sentence(kind: str) -> None:
    fields, sentence = SENTENCES[kind]
    assert said(kind=kind, **fields) == sentence


@pytest.mark.parametrize(
    ("condition", "words"),
    [
        (
            {"from": {"param": "since"}, "below": {"param": "until"}},
            "whose placedAt is at or after a given time (since) and before a given time (until)",
        ),
        ({"begins_with": {"value": "2026"}}, "whose placedAt begins with 2026"),
        ({"contains": {"param": "part"}}, "whose placedAt contains a given part"),
        ({"not": {"value": "x"}}, "whose placedAt is not x"),
        ({"exists": True}, "that have placedAt"),
        ({"missing": True}, "without placedAt"),
        ({"is": {"param": "day"}, "optional": True}, "with a given placedAt (optional)"),
        (
            {"below": {"param": "until"}, "optional": True},
            "whose placedAt is before a given time (until, optional)",
        ),
        (
            {"from": {"param": "since"}, "below": {"param": "until"}, "optional": True},
            "whose placedAt is at or after a given time (since) and before a given time (until, both optional)",
        ),
    ],
)  # fmt: skip
def test_conditions_are_said_in_words(condition: dict[str, Any], words: str) -> None:
    sentence = said(kind="list", returns="Order", where=[{"attribute": "placedAt", **condition}])
    assert sentence == f"The app lists Orders {words}; eventually consistent."


def test_a_date_is_on_another_and_a_time_at_another() -> None:
    text = """
keywright: 1
name: Visits
entities:
  - name: Visit
    identifier: [visitId]
    attributes: [{name: visitId}, {name: day, format: date}, {name: hour}]
patterns:
  - {number: 1, name: By day, kind: list, returns: Visit,
     where: [{attribute: day, from: {param: first}, to: {param: last}}]}
  - {number: 2, name: By hour, kind: list, returns: Visit,
     where: [{attribute: hour, from: {param: first}, to: {param: last}}]}
"""
    design = load(text)
    assert "whose day is on or after a given date (first) and on or before a given date (last)" in (
        reads_as(design, design.pattern(1))
    )
    assert "whose hour is at least a given value (first) and at most a given value (last)" in (
        reads_as(design, design.pattern(2))
    )


PAID = {"attribute": "status", "is": {"value": "PAID"}}
DEAR = {"attribute": "total", "from": {"value": 100}}
GIVEN = {"attribute": "status", "is": {"param": "status"}}
PLACED = {"attribute": "placedAt", "exists": True}
NUMBER = {"attribute": "orderId", "is": {"param": "orderId"}}


@pytest.mark.parametrize(
    ("tested", "words"),
    [
        ({"if": [PAID]}, "checks that an Order exists and status is PAID"),
        ({"if": [PAID], "or": [[DEAR]]},
         "checks that an Order exists and either status is PAID, or total is at least 100"),
        ({"if": [MINE]}, "checks that an Order exists and its User is the given one"),
    ],
)  # fmt: skip
def test_what_a_check_tests_is_no_condition_of_the_check(
    tested: dict[str, Any], words: str
) -> None:
    assert f"the app {words}" in said(kind="transaction", members=[{"check": "Order", **tested}])


@pytest.mark.parametrize(
    ("where", "words"),
    [
        ([MINE, PAID], "of one User, those whose status is PAID"),
        ([PAID, MINE], "of one User, those whose status is PAID"),
        ([MINE, PLACED], "of one User, those that have placedAt"),
        ([MINE, PAID, DEAR], "of one User, those whose status is PAID and whose total is at least 100"),
        ([MINE, DEAR, GIVEN], "of one User, those with a given status and whose total is at least 100"),
        ([GIVEN, DEAR], "with a given status, whose total is at least 100"),
        ([GIVEN, PLACED], "with a given status that have placedAt"),
        ([NUMBER], "with a given orderId"),
        ([NUMBER, PLACED], "with a given orderId that have placedAt"),
        ([NUMBER, PAID], "with a given orderId, whose status is PAID"),
    ],
)  # fmt: skip
def test_clauses_follow_what_the_items_are_found_by(
    where: list[dict[str, Any]], words: str
) -> None:
    assert said(kind="list", returns="Order", where=where) == (
        f"The app lists Orders {words}; eventually consistent."
    )


def test_an_item_of_another_that_is_found_by_its_number_is_said_without_and() -> None:
    design = gallery.load("starter")
    assert " one Task of one Project by number" in reads_as(design, design.pattern(2))


def test_elements_of_a_set_are_said_to_be_given() -> None:
    design = gallery.load("tags")
    assert "adds the given elements (added) to tags in an Article" in reads_as(
        design, design.pattern(7)
    )
    assert "removes the given elements (removed) from tags in an Article" in reads_as(
        design, design.pattern(8)
    )


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"set": {"status": {"param": "status"}}}, "sets status in an Order"),
        ({"remove": ["status"]}, "removes status from an Order"),
    ],
)
def test_a_change_names_its_attribute_without_an_article(
    changes: dict[str, Any], words: str
) -> None:
    sentence = said(kind="update", entity="Order", **changes)
    assert sentence == f"The app {words}; refused if the Order does not exist."


@pytest.mark.parametrize(
    ("rate", "words"),
    [
        ({"average": 150, "peak": 600}, "150 times a second on average, 600 at peak"),
        ({"average": 1, "peak": 5}, "once a second on average, 5 times at peak"),
        ({"average": 0, "peak": 5}, "5 times a second at peak"),
        ({"average": 1 / 60, "peak": 1 / 60}, "once a minute on average, once at peak"),
        ({"average": 1 / 86_400, "peak": 2}, "once a day on average, 2 times a second at peak"),
        (
            {"average": 4e-7, "peak": 0.01},
            "1.04 times a month on average, 36 times an hour at peak",
        ),
        (
            {"average": 1e-8, "peak": 1e-5},
            "0.315 times a year on average, 25.9 times a month at peak",
        ),
    ],
)
def test_a_rate_is_said_in_times(rate: dict[str, float], words: str) -> None:
    sentence = said(kind="upsert", entity="Order", rate=rate)
    assert sentence == f"The app creates or replaces an Order, {words}."


@pytest.mark.parametrize(
    ("result", "words"),
    [
        ({"sum": "total"}, "adds up the total of the Orders"),
        ({"greatest": "total"}, "finds the maximum total of the Orders"),
    ],
)
def test_a_figure_is_said_of_the_items(result: dict[str, str], words: str) -> None:
    assert said(kind="list", returns="Order", where=[MINE], result=result) == (
        f"The app {words} of one User; eventually consistent."
    )


AUCTIONS = load(
    """\
keywright: 1
name: Auctions
entities:
  - {name: Region, identifier: [regionId], attributes: [{name: regionId}, {name: name}]}
  - name: User
    identifier: [userId]
    attributes: [{name: userId}, {name: regionId, refers_to: Region.regionId}, {name: email}]
  - name: Bid
    identifier: [bidId]
    attributes: [{name: bidId}, {name: by, refers_to: User.userId}, {name: of, refers_to: User.userId}]
relationships:
  - {name: lives, one: Region, many: User, by: regionId}
  - {name: makes, one: User, many: Bid, by: by}
  - {name: gets, one: User, many: Bid, by: of}
"""
)


@pytest.mark.parametrize(
    ("returns", "condition", "words"),
    [
        ("User", {"attribute": "lives.name", "not": {"value": "EU"}}, "whose Region's name is not EU"),
        ("Bid", {"attribute": "makes.email", "is": {"param": "email"}}, "whose User (makes) has a given email"),
        ("Bid", {"attribute": "gets.lives.name", "exists": True}, "whose Region of the User (gets) has name"),
        ("Bid", {"attribute": "loses.name", "exists": True}, "that have loses.name"),
    ],
)  # fmt: skip
def test_an_attribute_of_another_item_is_said_with_what_that_is(
    returns: str, condition: dict[str, Any], words: str
) -> None:
    pattern = {"number": 1, "name": "It", "kind": "list", "returns": returns, "keep": [condition]}
    said = reads_as(AUCTIONS, PATTERN.validate_python(pattern))
    assert said == f"The app lists {returns}s, keeping those {words}; eventually consistent."


def test_a_number_with_a_plural_name_takes_a_plural_verb() -> None:
    design = gallery.load("leaderboards")
    assert "whose points are at least a given number (least)" in reads_as(design, design.pattern(2))


@pytest.mark.parametrize(
    ("order", "words"),
    [
        (["status ascending", "total ascending"], "sorted by status, then by total, lowest first"),
        (["status ascending", "placedAt descending"], "sorted by status, then by placedAt, newest first"),
        (["total descending", "status ascending"], "highest total first, then by status"),
        (["total descending", "placedAt ascending"], "highest total first, then oldest first"),
    ],
)  # fmt: skip
def test_an_order_goes_on_in_the_way_in_which_it_began(order: list[str], words: str) -> None:
    assert said(kind="list", returns="Order", order=order) == (
        f"The app lists Orders, {words}; eventually consistent."
    )


def test_what_comes_along_in_another_order_says_so_in_brackets() -> None:
    along = {"relationship": "places", "order": ["total descending"]}
    assert said(kind="get", returns="User", where=[MINE], **{"with": [along]}) == (
        "The app gets one User by userId, with its Orders (highest total first); eventually consistent."
    )


def test_a_limit_of_what_comes_along_holds_of_nothing_else() -> None:
    along = [
        {"relationship": "places", "limit": 3, "order": ["total descending"], "keep": [PAID]},
        {"relationship": "places"},
    ]
    assert said(kind="get", returns="User", where=[MINE], **{"with": along}) == (
        "The app gets one User by userId, with at most 3 of its Orders whose status is PAID (highest total first) and"
        " with its Orders; eventually consistent."
    )


@pytest.mark.parametrize(
    ("stated", "words"),
    [
        ({"kind": "exists", "returns": "Order"}, "checks for an Order of one User, one whose status is PAID"),
        ({"kind": "get", "returns": "Order"}, "gets one Order of one User, the one whose status is PAID"),
    ],
)  # fmt: skip
def test_a_clause_is_about_the_item_and_not_what_it_is_of(
    stated: dict[str, Any], words: str
) -> None:
    assert words in said(where=[MINE, PAID], **stated)


@pytest.mark.parametrize(
    ("stated", "words"),
    [
        ({"kind": "exists", "where": [PLACED]}, "checks for an Order that has placedAt"),
        ({"kind": "exists", "where": [MINE, PLACED]}, "an Order of one User, one that has placedAt"),
        ({"kind": "list", "where": [PLACED]}, "lists Orders that have placedAt"),
    ],
)  # fmt: skip
def test_an_item_has_what_several_have(stated: dict[str, Any], words: str) -> None:
    assert words in said(returns="Order", **stated)


def test_a_condition_on_what_a_write_sets_is_about_another_given_value() -> None:
    moved = {"update": "Order", "set": {"status": {"param": "status"}}}
    was = {**GIVEN, "is": {"param": "was"}}
    assert "sets status in an Order if its current status is a given one (was)" in said(
        kind="transaction", members=[{**moved, "if": [was]}]
    )
    assert "in an Order if its User is the given one" in said(
        kind="transaction", members=[{**moved, "if": [MINE]}]
    )


def test_what_comes_along_newest_first_says_its_conditions_too() -> None:
    along = {
        "relationship": "places",
        "limit": 3,
        "order": ["placedAt descending"],
        "keep": [{"attribute": "status", "is": {"value": "PAID"}}],
    }
    assert said(kind="get", returns="User", where=[MINE], **{"with": [along]}) == (
        "The app gets one User by userId, with its 3 newest Orders whose status is PAID; eventually consistent."
    )


def test_of_several_times_the_one_that_is_sorted_by_is_named() -> None:
    design = gallery.load("discussion")
    board = next(one for one in design.patterns if one.number == 3)
    assert "given board, latest lastPostAt first, 30 a page" in reads_as(design, board)
    first = next(one for one in design.patterns if one.number == 1)
    assert "with its 50 oldest Posts" in reads_as(design, first)  # a Post has one time


@pytest.mark.parametrize(
    ("pattern", "sentence"),
    [
        (
            1,
            "Query on the table, PK = USER#<userId>, SK begins with ORDER#, backwards,"
            " filtered to items where total >= <least> (1 request)",
        ),
        (2, "Query on index GSI1, GSI1PK = STATUS#<status> (1 request)"),
        (
            3,
            "GetItem on the table, PK = EMAIL#<email>, SK = GUARD, strongly consistent;"
            " then GetItem on the table, PK = USER#<guard.userId>, SK = PROFILE (2 requests)",
        ),
        (4, "PutItem: put Order, if it does not exist yet (1 request)"),
        (5, "Served without keys: Send the table's stream to a search index"),
    ],
)  # fmt: skip
def test_an_operation_is_told_in_one_sentence(pattern: int, sentence: str) -> None:
    operation = operation_for(PLAN, pattern)
    assert operation is not None
    assert served_by(PLAN, operation) == sentence


@pytest.mark.parametrize(
    ("usd", "units", "words"),
    [(0, 0.5, "less than $0.01"), (0, 0, "$0.00"), (3.2, 0.5, "$3.20")],
)
def test_what_runs_is_never_said_to_cost_nothing(usd: float, units: float, words: str) -> None:
    """A plan rounds: of something that takes units it says nothing where that is a few millionths of a dollar."""
    document = PLAN.as_json()
    operation = next(each for each in document["operations"] if each["pattern"] == 1)
    operation |= {"usd_per_month": usd, "read_units": units}
    told = answer(ORDERS, Plan.model_validate(document), 1)
    assert told is not None
    assert [each.value for each in told.figures if each.label == "a month"] == [words]


def with_changes(number: int, *, step: dict[str, Any], part: dict[str, Any]) -> str:
    """What serves a pattern of the plan whose first step and first part are changed."""
    document = PLAN.as_json()
    operation = next(each for each in document["operations"] if each["pattern"] == number)
    operation["steps"][0] |= step
    operation["result"]["parts"][0] |= part
    plan = Plan.model_validate(document)
    return served_by(plan, plan.operations_for(number)[0])


@pytest.mark.parametrize(
    ("step", "part", "words"),
    [
        ({"pages": "all"}, {}, ", all pages (1 request)"),
        (
            {"pages": "all"},
            {"order": ["total descending", "placedAt ascending"], "limit": 1000},
            ", all pages, sorted by total in descending order and placedAt and cut to 1,000 in the application"
            " (1 request)",
        ),
        (
            {"pages": "all"},
            {"name": "places", "keep": [{"attribute": "total", "from": "{least}"}], "limit": 5},
            ", all pages, related items of the relationship “places” kept in the application only if total >= <least> "
            "and cut to 5 (1 request)",
        ),
        ({"pages": "all"}, {"limit": 5}, ", all pages, cut to 5 in the application (1 request)"),
        # The pages themselves are the cut.
        (
            {"pages": "until", "limit": 5, "until": {"rows": 5}},
            {"limit": 5},
            ", 5 items a page, further pages while fewer than 5 rows are found and more follow (1 request)",
        ),
    ],
)  # fmt: skip
def test_what_is_left_to_the_application_is_said(
    step: dict[str, Any], part: dict[str, Any], words: str
) -> None:
    start = "Query on index GSI1, GSI1PK = STATUS#<status>"
    assert with_changes(2, step=step, part=part) == f"{start}{words}"


def test_a_plan_is_summed_up_in_one_line() -> None:
    said = (
        "1 table, 1 index, $12.50 a month for requests, storage and stream reads; 5 of 5 served, 4 of them in one "
        "request; 1 served without keys"
    )
    assert summary(PLAN, Price(12.5, ("requests", "storage", "stream reads"))) == said


def test_an_answer_has_the_request_as_the_sdk_takes_it() -> None:
    found = answer(ORDERS, PLAN, 1)
    assert found is not None
    [request] = found.requests
    assert request.call == "Query"
    assert '"KeyConditionExpression": "#PK = :PK AND begins_with(#SK, :SK)"' in request.text
    assert '":PK": "USER#<userId>"' in request.text
    assert '"FilterExpression": "#total >= :total"' in request.text


def test_a_pattern_the_plan_does_not_know_has_no_answer() -> None:
    assert answer(ORDERS, PLAN, 77) is None


@pytest.mark.parametrize("slug", gallery.SLUGS)
def test_every_gallery_pattern_and_answer_can_be_said(slug: str) -> None:
    design = gallery.load(slug)
    for style in STYLES:
        plan = planned(design, style)
        for pattern in design.patterns:
            found = answer(design, plan, pattern.number)
            assert found is not None
            for sentence in (found.reads_as, found.served_by):
                assert sentence.endswith(".")
                assert "{" not in sentence and "None" not in sentence


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize(
    ("slug", "number", "read", "returned"),
    [("event-log", 1, "400", "50"), ("order-lines", 3, "8", "8"), ("video-views", 1, "2", "1")],
)
def test_only_items_of_the_answer_are_returned(
    style: str, slug: str, number: int, read: str, returned: str
) -> None:
    """Keys that lead to the items are none of the answer, and neither is what completes one; what comes along is."""
    design = gallery.load(slug)
    found = answer(design, planned(design, style), number)
    assert found is not None
    values = {figure.label: figure.value for figure in found.figures}
    assert (values["items read"], values["returned"]) == (read, returned)


def hotels() -> Design:
    return Design.model_validate(
        {
            "name": "Hotels",
            "entities": [
                {"name": "Hotel", "identifier": ["hotelId"], "attributes": [{"name": "hotelId"}]},
                {
                    "name": "Room",
                    "identifier": ["hotelId", "number"],
                    "attributes": [
                        {"name": "hotelId", "refers_to": "Hotel.hotelId"},
                        {"name": "number"},
                    ],
                },
                {
                    "name": "Guest",
                    "identifier": ["guestId"],
                    "attributes": [{"name": "guestId"}, {"name": "email", "unique": True}],
                },
                {
                    "name": "Booking",
                    "identifier": ["bookingId"],
                    "attributes": [
                        {"name": "bookingId"},
                        {"name": "hotelId", "refers_to": "Room.hotelId"},
                        {"name": "number", "refers_to": "Room.number"},
                        {"name": "email", "refers_to": "Guest.email"},
                        {"name": "day", "format": "date"},
                    ],
                },
            ],
        }
    )


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (("hotelId", "day"), "of one Hotel, those with a given day"),
        (("number", "day"), "with a given number and a given day"),
        (("hotelId", "number"), "of one Room"),
        (("day", "number", "hotelId"), "of one Room, those with a given day"),
        (("hotelId", "number?"), "of one Hotel, those with a given number (optional)"),
        (("email", "hotelId"), "of one Guest and one Hotel"),
    ],
)
def test_an_item_is_one_where_all_is_given_that_refers_to_it(
    given: tuple[str, ...], words: str
) -> None:
    where = [
        {
            "attribute": name.rstrip("?"),
            "is": {"param": name.rstrip("?")},
            "optional": name.endswith("?"),
        }
        for name in given
    ]
    pattern = {"number": 1, "name": "It", "kind": "list", "returns": "Booking", "where": where}
    sentence = reads_as(hotels(), PATTERN.validate_python(pattern))
    assert sentence == f"The app lists Bookings {words}; eventually consistent."


def test_what_identifies_an_item_says_so_where_part_of_it_refers_to_another() -> None:
    where = [{"attribute": name, "is": {"param": name}} for name in ("hotelId", "number")]
    pattern = {"number": 1, "name": "It", "kind": "get", "returns": "Room", "where": where}
    sentence = reads_as(hotels(), PATTERN.validate_python(pattern))
    assert sentence == "The app gets one Room of one Hotel by number; eventually consistent."


@pytest.mark.parametrize(("pattern", "label"), [(3, "read unit"), (1, "item read")])
def test_one_of_a_kind_is_said_in_the_singular(pattern: int, label: str) -> None:
    design = gallery.load("tea-shop")
    shown = answer(design, planned(design, "single"), pattern)
    assert shown is not None
    assert {each.label: each.value for each in shown.figures}[label] == "1"


@pytest.mark.parametrize(
    ("slug", "pattern", "words"),
    [
        (
            "shop",
            28,
            "delete CartItem (PK = USER#<userId found>, SK = CART#<productId found>) for each row found",
        ),
        (
            "shop",
            21,
            "if it exists and email is unchanged since it was read; delete the guard of User's email (PK = "
            "USER#EMAIL#<old email>, ",
        ),
        ("shop", 31, "if it exists and status is not SHIPPED, DELIVERED or CANCELLED; "),
        ("sessions", 4, "filtered to items where deletedAt is present and purgeAt > <now>"),
        ("inbox", 4, "filtered to items where topic is ORDER or PAYMENT"),
        ("inbox", 6, "BatchWriteItem: put each given Message "),
        ("user-preferences", 4, "put User with an embedded Preferences, if it does not exist yet"),
        ("appointments", 5, "check that Customer (PK = CUSTOMER#<customerId>, SK = A) exists; put Appointment, if"),
        ("workspaces", 10, "put the guard of Member's workspaceId + email, if"),
        ("courses", 8, "put Lesson for each given row of lessons, if it does not exist yet"),
        ("order-lines", 5, "strongly consistent, with a key for each given row of OrderLine"),
        ("shop", 16, "PK = PRODUCT#<productIds>, SK = A, with a key for each value of productIds"),
        ("inbox", 7, "SK = MESSAGE#<messageId>), removing GSI1PK and GSI1SK, if it exists"),
        ("shop", 30, "PK = ORDER#<orderId>, SK = A), setting GSI2PK = STATUS#<status>, if it exists and"),
        ("order-lines", 2, ", the Product comes from the copies in the rows"),
    ],
)  # fmt: skip
def test_requests_are_said_without_names_of_the_plan_alone(
    slug: str, pattern: int, words: str
) -> None:
    made = planned(gallery.load(slug), "single")
    assert words in served_by(made, made.operations_for(pattern)[0])


def test_conditions_of_a_transaction_stay_with_their_own_step() -> None:
    design = gallery.load("shop")
    assert reads_as(design, design.pattern(31)).startswith(
        "All or nothing: the app sets status to CANCELLED in an Order if status is not SHIPPED, DELIVERED or"
        " CANCELLED; creates an OrderStatusChange; and adds quantity to onHand in 3 Stocks (at most 25), "
    )


def test_a_transaction_says_a_verb_of_several_steps_once() -> None:
    made = [{"create": "User"}, {"create": "Order"}]
    assert said(kind="transaction", members=made) == (
        "All or nothing: the app creates a User and an Order."
    )
    lower = {"update": "User", "add": {"total": {"value": -1}}}
    assert said(kind="transaction", members=[*made, lower]) == (
        "All or nothing: the app creates a User and an Order, and subtracts 1 from total in a User."
    )


def test_two_steps_are_joined_by_a_comma_and_as_many_as_at_most_are_exact() -> None:
    shop = gallery.load("shop")
    assert ", and creates an OrderStatusChange, 42 times" in reads_as(shop, shop.pattern(30))
    friends = gallery.load("social-network")
    assert "the app creates exactly 2 Friendships, 30 times" in reads_as(
        friends, friends.pattern(8)
    )


def test_a_figure_of_all_items_is_not_said_as_one_for_each_value() -> None:
    by_id = [{"attribute": "orderId", "is": {"param": "orderId"}}]
    counted = said(kind="count", returns="Order", where=by_id)
    assert counted == "The app counts Orders with a given orderId; eventually consistent."
    added = said(kind="list", returns="Order", where=by_id, result={"sum": "total"})
    assert added == (
        "The app adds up the total of the Orders with a given orderId; eventually consistent."
    )


@pytest.mark.parametrize(
    ("condition", "words"),
    [
        (
            {"between": ("#ORDER#", "ADDRESS$")},
            "SK between #ORDER# and ADDRESS$ ($ sorts after #)",
        ),
        ({"between": ("A#{x}$", "A$")}, "SK between A#<x>$ and A$ ($ sorts after #)"),
        ({"below": "ORDER#{year}$"}, "SK < ORDER#<year>$ ($ sorts after #)"),
        ({"between": ("A#{x}", "A#{y}")}, "SK between A#<x> and A#<y>"),
        ({"below": {"value": "price in $"}}, "SK < price in $"),
    ],
)
def test_the_character_after_the_delimiter_is_explained(
    condition: dict[str, Any], words: str
) -> None:
    found = KeyCondition.model_validate({"attribute": "SK", **condition})
    assert key_condition(found) == words


def test_two_items_of_one_entity_are_told_apart() -> None:
    design = gallery.load("social-network")
    assert "a Friendship between one User and another," in reads_as(design, design.pattern(4))


def test_a_single_item_is_returned_only_if_it_meets_what_is_tested_after_the_read() -> None:
    design = gallery.load("sessions")
    tested = "by sessionId, only if expiresAt is after a given time (now),"
    assert tested in reads_as(design, design.pattern(1))


def test_an_attribute_that_reads_on_is_in_quotes() -> None:
    design = gallery.load("video-views")
    said = next(
        reads_as(design, one) for one in design.patterns if "about" in reads_as(design, one)
    )
    assert said.startswith("The app sets title and “about” in a Video")
    keep = [{"attribute": "about", "contains": {"value": "ferry"}}]
    pattern = {"number": 99, "name": "It", "kind": "list", "returns": "Video", "keep": keep}
    assert "whose “about” contains ferry" in reads_as(design, PATTERN.validate_python(pattern))


@pytest.mark.parametrize(
    ("answers", "served", "words"),
    [
        (("in one request", "in one request"), 2, ", each in one request"),
        (("in one request", "not served"), 1, ", in one request"),
        (("in one request", "in several requests"), 2, ", 1 of them in one request"),
        (("not served",), 0, ""),
    ],
)
def test_how_many_are_served_at_once_is_said_of_those_that_are_served(
    answers: tuple[str, ...], served: int, words: str
) -> None:
    made: Any = SimpleNamespace(
        operations=[
            SimpleNamespace(pattern=number, answer=answer, beyond=())
            for number, answer in enumerate(answers)
        ]
    )
    assert at_once(made, served) == words
