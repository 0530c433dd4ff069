"""Access patterns in the left column."""

import pytest
from django.test import Client

from designer.core.design.gallery import load
from designer.core.design.load import plain
from designer.forms.conditions import order
from designer.forms.known import Known
from projects.models import Draft
from tests.web.conftest import design_of
from tests.web.forms import HTMX, fields_of, send, send_fields, shown

FORM = "pattern-form"
FIRST = "/d/club4alice/patterns/p-1/"
ADD = "/d/club4alice/patterns/add/"
NEW = {
    "kind": "list",
    "name": "A day's visits",
    "returns": "Visit",
    "where-0-attribute": "day",
    "where-0-test": "is",
}


def test_a_change_is_saved_and_the_reply_carries_all_that_follows(
    club: Draft, as_alice: Client
) -> None:
    answer = send(as_alice, FIRST, FORM, {"name": "Visits of a member", "limit": "7"})
    assert answer.status_code == 200
    pattern = design_of(club).pattern(1)
    assert (pattern.name, pattern.limit) == ("Visits of a member", 7)
    page = answer.content.decode()
    assert 'id="pattern-form"' in page
    assert 'id="results" hx-swap-oob="morph"' in page
    assert "Visits of a member" in page[page.index('id="results"') :]
    assert "→ “Visits of a member”; At most set to 7." in page
    assert "<html" not in page


@pytest.mark.parametrize(
    ("first", "then", "note"),
    [
        (
            {"rate-average": "5"},
            {"rate-average": "7", "rate-peak": "20"},
            "How often: on average 5 → 7, at peak set to 20",
        ),
        ({"limit": "6"}, {"limit": ""}, "At most 6 removed"),
        (
            {"rate-average": "1200.5"},
            {"rate-average": "1700000"},
            "How often: on average 1,200.5 → 1,700,000",
        ),
        (
            {"name": "They visit"},
            {"name": "They visit."},
            "In your words “They visit” → “They visit.”",
        ),
        (
            {},
            {"consistency": "strong"},
            "Consistency “Eventual: may be a second old” → “Strong: sees the last write”",
        ),
        (
            {},
            {"where-0-attribute": "day"},
            "Found by: “memberId is given as memberId” → “day is given as memberId”",
        ),
        (
            {},
            {"where-2-attribute": "day", "where-2-operand": "day"},
            "Found by: “day is given as day” added",
        ),
        (
            {},
            {"where-1-attribute": "", "order-1-attribute": "", "limit": "7"},
            "Found by: “at is at least given as since” removed; At most set to 7",
        ),
        ({}, {"why": "The page.\nThe mail."}, "Reason"),
    ],
)
def test_the_history_says_from_what_to_what(
    club: Draft, as_alice: Client, first: dict[str, str], then: dict[str, str], note: str
) -> None:
    if first:
        send(as_alice, FIRST, FORM, first)
    page = send(as_alice, FIRST, FORM, then).content.decode()
    assert club.revisions.latest("number").note == f"Change pattern 1: {note}"
    assert f"Saved: Change pattern 1: {note}" in page and ".”." not in page


ROWS = order(Known(load("shop")).of("Order"))


def rows(*said: str) -> list[dict[str, str]]:
    return [dict(zip(("attribute", "way"), each.split(), strict=True)) for each in said]


UP = ("placedAt ascending", "status ascending", "total ascending")
OLDEST, OPEN = ("“placedAt smallest or oldest first”", "“status smallest or oldest first”")


@pytest.mark.parametrize(
    ("was", "now", "said"),
    [
        ((), UP[:2], f"Sorted by: {OLDEST} added, {OPEN} added"),
        (UP[:2], UP[1::-1], "Sorted by: in another order"),
        (UP[:1] * 2, UP[:1], f"Sorted by: {OLDEST} removed"),
        (UP[:1], (*UP[1:], "userId descending"), "Sorted by: 1 removed, 3 added"),
        (("a" * 70 + " ascending",), ("a" * 71 + " ascending",), "Sorted by: sort 1"),
    ],
)
def test_the_history_says_which_rows_came_and_went(
    was: tuple[str, ...], now: tuple[str, ...], said: str
) -> None:
    assert ROWS.changed(rows(*was), rows(*now)) == said
    assert ROWS.changed(rows(*now), [*rows(*now), ROWS.blank()]) == ""


def test_without_script_a_change_leads_back_to_the_form(club: Draft, as_alice: Client) -> None:
    answer = send(as_alice, FIRST, FORM, {"limit": "7"}, htmx=False)
    assert (answer.status_code, answer.url) == (302, f"{FIRST}?pattern=1")
    assert design_of(club).pattern(1).limit == 7


def test_a_new_pattern_is_added_and_selected(club: Draft, as_alice: Client) -> None:
    answer = send(as_alice, ADD, FORM, NEW)
    assert answer.headers["HX-Push-Url"] == "/d/club4alice/?pattern=6"
    pattern = design_of(club).pattern(6)
    assert plain(pattern) == {
        "number": 6,
        "id": "p-6",
        "name": "A day's visits",
        "kind": "list",
        "returns": "Visit",
        "where": [{"attribute": "day", "is": {"param": "day"}}],
    }


def test_a_preview_shows_what_would_follow_and_saves_nothing(club: Draft, as_alice: Client) -> None:
    fields = {**fields_of(as_alice.get(ADD), FORM), **NEW, "intent": "preview"}
    headers = {**HTMX, "HX-Target": "results"}
    answer = as_alice.post(ADD, fields, headers=headers)
    assert answer.status_code == 200
    assert "A day&#x27;s visits" in answer.content.decode()
    assert "Not added yet" in answer.content.decode()
    half = {**fields, "name": ""}
    assert as_alice.post(ADD, half, headers=headers).status_code == 204
    assert club.revisions.count() == 1


def test_bad_input_is_said_at_its_field_and_saves_nothing(club: Draft, as_alice: Client) -> None:
    typed = {"name": "x" * 300, "rate-average": "-3", "limit": "many"}
    for htmx in (True, False):
        answer = send(as_alice, FIRST, FORM, typed, htmx=htmx)
        assert answer.status_code == 422
        page = answer.content.decode()
        assert "is not a number" in page
        assert fields_of(answer, FORM)["limit"] == "many"
        assert fields_of(answer, FORM)["rate-average"] == "-3"
        assert fields_of(answer, FORM)["name"] == "x" * 300
    answer = send(as_alice, FIRST, FORM, {"rate-average": "-3"})
    said = "“-3” is out of range; the number must be at least 0."
    assert f'<a href="#field-rate-average">On average: {said}</a>' in answer.content.decode()
    assert club.revisions.count() == 1


def test_a_condition_on_what_is_not_there_is_said_at_its_row(club: Draft, as_alice: Client) -> None:
    answer = send(as_alice, FIRST, FORM, {"where-1-attribute": "ghost"})
    assert answer.status_code == 422
    assert '<a href="#field-where-1-attribute">Condition 2, Attribute: ' in answer.content.decode()


def test_rows_are_added_and_removed_without_script(club: Draft, as_alice: Client) -> None:
    answer = send(as_alice, FIRST, FORM, {"add-row": "where"}, htmx=False)
    assert answer.status_code == 200
    fields = fields_of(answer, FORM)
    assert fields["where-2-attribute"] == ""
    answer = send_fields(as_alice, FIRST, {**fields, "remove-row": "where-1"}, htmx=False)
    fields = fields_of(answer, FORM)
    assert "where-2-attribute" not in fields
    assert club.revisions.count() == 1
    send_fields(as_alice, FIRST, fields, htmx=False)
    assert [each.attribute for each in design_of(club).pattern(1).where] == ["memberId"]


def test_rows_of_rows_are_added_too(club: Draft, as_alice: Client) -> None:
    answer = send(as_alice, "/d/club4alice/patterns/p-4/", FORM, {"add-row": "members-1-changes"})
    assert "members-1-changes-0-attribute" in fields_of(answer, FORM)


def test_another_kind_asks_for_other_fields(club: Draft, as_alice: Client) -> None:
    answer = send(as_alice, ADD, FORM, {"kind": "create", "intent": "redraw"})
    fields = fields_of(answer, FORM)
    assert "entity" in fields and "returns" not in fields
    answer = send(as_alice, "/d/club4alice/patterns/p-3/", FORM, {"kind": "count"})
    assert answer.status_code == 200
    assert design_of(club).pattern(3).kind == "count"


FOUND = {"where-0-attribute": "memberId", "where-0-operand": "whose", "limit": "7"}


def test_what_a_new_pattern_says_stays_through_other_kinds(club: Draft, as_alice: Client) -> None:
    typed = {**FOUND, "returns": "Visit", "name": "Visits", "rate-average": "3"}
    answer = send(as_alice, ADD, FORM, {**typed, "kind": "update", "intent": "redraw"})
    fields = fields_of(answer, FORM)
    assert (fields["entity"], fields["name"], fields["rate-average"]) == ("Visit", "Visits", "3")
    shown = answer.content.decode()
    assert 'id="field-where' not in shown
    for kind in ("transaction", "get", "list"):
        answer = send_fields(as_alice, ADD, {**fields, "kind": kind, "intent": "redraw"})
        fields = fields_of(answer, FORM)
    assert {name: fields[name] for name in typed} == typed and "entity" not in fields
    assert 'id="field-where-0-attribute"' in answer.content.decode()
    send_fields(as_alice, ADD, {**fields, "kind": "update", "intent": "redraw"})
    send_fields(as_alice, ADD, fields)
    made = design_of(club).patterns[-1]
    assert (made.kind, made.returns, made.limit) == ("list", "Visit", 7)
    assert [(each.attribute, each.is_.param) for each in made.where] == [("memberId", "whose")]


def test_what_another_kind_does_not_ask_is_not_saved_and_comes_back(
    club: Draft, as_alice: Client
) -> None:
    there, before = "/d/club4alice/patterns/p-3/", design_of(club).pattern(3)
    fields = fields_of(as_alice.get(there), FORM)
    assert fields["result-sum"] == "minutes"
    answer = send_fields(as_alice, there, {**fields, "kind": "upsert"})
    changed = design_of(club).pattern(3)
    assert (changed.kind, changed.entity) == ("upsert", before.returns)
    send_fields(as_alice, there, {**fields_of(answer, FORM), "kind": "list"})
    assert design_of(club).pattern(3) == before


def test_a_pattern_is_removed(club: Draft, as_alice: Client) -> None:
    answer = send_fields(as_alice, f"{FIRST}remove/", {})
    assert answer.status_code == 200
    assert [each.number for each in design_of(club).patterns] == [2, 3, 4, 5]
    assert "Saved: Remove pattern 1" in answer.content.decode()


def test_a_pattern_that_is_gone_is_said_so(club: Draft, as_alice: Client) -> None:
    fields = fields_of(as_alice.get(FIRST), FORM)
    send_fields(as_alice, f"{FIRST}remove/", {})
    answer = send_fields(as_alice, FIRST, fields)
    assert answer.status_code == 409
    assert "no longer in the design" in answer.content.decode()
    assert as_alice.get(FIRST).status_code == 404


def test_numbers_are_taken_as_they_are_written(club: Draft, as_alice: Client) -> None:
    answer = send(as_alice, FIRST, FORM, {"limit": "200,000", "rate-average": "1,234.5"})
    assert answer.status_code == 200
    fields = fields_of(answer, FORM)
    assert (fields["limit"], fields["rate-average"]) == ("200000", "1234.5")
    changed = design_of(club).pattern(1)
    assert changed.rate is not None
    assert (changed.limit, changed.rate.average) == (200_000, 1234.5)
    for typed in ("0,500", "12,34", "1,2345", ",500"):
        answer = send(as_alice, FIRST, FORM, {"rate-average": typed})
        assert answer.status_code == 422 and f"“{typed}” is not a number" in answer.content.decode()


def test_how_many_values_a_list_has_is_saved(club: Draft, as_alice: Client) -> None:
    listed = {"where-0-attribute": "memberId", "where-0-test": "any_of", "where-0-count": "9"}
    assert send(as_alice, FIRST, FORM, listed).status_code == 200
    (found, *_) = design_of(club).pattern(1).where
    assert (found.attribute, found.any_of.count) == ("memberId", 9)
    answer = send(as_alice, FIRST, FORM, {"where-0-test": "is", "where-0-operand": "member"})
    assert answer.status_code == 200
    (found, *_) = design_of(club).pattern(1).where
    assert (found.any_of, found.is_.param) == (None, "member")


def test_what_is_done_with_elements_is_saved_and_shown(club: Draft, as_alice: Client) -> None:
    tags = {"name": "tags", "kind": "SS", "elements-average": "2", "elements-most": "9"}
    there = "/d/club4alice/entities/e-member/attributes/add/"
    assert send(as_alice, there, "attribute-form", tags).status_code == 200
    assert design_of(club).entity["Member"].by_name["tags"].elements.most == 9
    new = {"name": "Tag", "kind": "update", "entity": "Member"}
    fields = fields_of(send(as_alice, ADD, FORM, {**new, "intent": "redraw"}), FORM)
    said = {"changes-0-attribute": "tags", "changes-0-how": "include", "changes-0-operand": "more"}
    assert send_fields(as_alice, ADD, {**fields, **said}).status_code == 200
    made = design_of(club).patterns[-1]
    assert made.include == {"tags": "more"}
    shown = fields_of(as_alice.get(f"/d/club4alice/patterns/{made.id}/"), FORM)
    assert {name: shown[name] for name in said} == said


def test_another_way_to_meet_the_conditions_is_saved_and_shown(
    club: Draft, as_alice: Client
) -> None:
    new = {"name": "Keep", "kind": "upsert", "entity": "Visit", "intent": "redraw"}
    fields = fields_of(send(as_alice, ADD, FORM, new), FORM)
    fields = fields_of(send_fields(as_alice, ADD, {**fields, "add-row": "or"}), FORM)
    fields = fields_of(send_fields(as_alice, ADD, {**fields, "add-row": "or-0-if"}), FORM)
    one = {"if-0-attribute": "minutes", "if-0-test": "below", "if-0-operand": "now"}
    other = {"or-0-if-0-attribute": "minutes", "or-0-if-0-test": "missing"}
    assert send_fields(as_alice, ADD, {**fields, **one, **other}).status_code == 200
    made = design_of(club).patterns[-1]
    assert [[c.attribute for c in way] for way in made.ways] == [["minutes"], ["minutes"]]
    assert made.or_[0][0].missing
    shown = fields_of(as_alice.get(f"/d/club4alice/patterns/{made.id}/"), FORM)
    assert {name: shown[name] for name in (*one, *other)} == {**one, **other}


def test_a_list_that_is_always_the_same_is_saved_and_shown(club: Draft, as_alice: Client) -> None:
    listed = {
        "where-0-attribute": "memberId",
        "where-0-test": "any_of",
        "where-0-how": "value",
        "where-0-operand": "ann, bob",
    }
    new = {"kind": "list", "returns": "Member", "name": "Some", "intent": "redraw"}
    fields = fields_of(send(as_alice, ADD, FORM, new), FORM)
    answer = send_fields(as_alice, ADD, {**fields, **listed})
    assert answer.status_code == 200
    made = design_of(club).patterns[-1]
    assert made.where[0].any_of.value == ("ann", "bob")
    shown = fields_of(as_alice.get(f"/d/club4alice/patterns/{made.id}/"), FORM)
    assert {name: shown[name] for name in listed} == listed


def test_values_that_items_have_together_are_saved_and_shown(club: Draft, as_alice: Client) -> None:
    listed = {
        "where-0-attribute": "minutes",
        "where-0-test": "all_of",
        "where-0-operand": "lengths",
        "where-0-count": "2",
        "only": "memberId",
    }
    new = {"kind": "list", "returns": "Visit", "name": "Who stayed both", "intent": "redraw"}
    fields = fields_of(send(as_alice, ADD, FORM, new), FORM)
    assert send_fields(as_alice, ADD, {**fields, **listed}).status_code == 200
    made = design_of(club).patterns[-1]
    assert made.crossing is not None
    assert made.crossing.all_of is not None
    assert (made.crossing.all_of.param, made.crossing.all_of.count) == ("lengths", 2)
    page = as_alice.get(f"/d/club4alice/patterns/{made.id}/")
    shown = fields_of(page, FORM)
    assert {name: shown[name] for name in listed} == listed
    assert "has an item for each of" in page.content.decode()
    # What is tested after the read is tested of one item.
    keep = {"keep-0-attribute": "minutes", "keep-0-test": "all_of", "keep-0-operand": "lengths"}
    answer = send_fields(as_alice, ADD, {**fields, "name": "Kept", **keep})
    assert answer.status_code == 422


def test_what_is_tested_within_the_limit_is_saved_and_shown(club: Draft, as_alice: Client) -> None:
    new = {"kind": "list", "returns": "Visit", "name": "The last one", "intent": "redraw"}
    fields = fields_of(send(as_alice, ADD, FORM, new), FORM)
    fields = fields_of(send_fields(as_alice, ADD, {**fields, "add-row": "then_keep"}), FORM)
    known = {"where-0-attribute": "memberId", "where-0-test": "is"}
    tested = {"then_keep-0-attribute": "minutes", "then_keep-0-test": "from"}
    answer = send_fields(as_alice, ADD, {**fields, **known, **tested})
    assert answer.status_code == 422
    assert "give “order” and “limit”" in answer.content.decode()
    fields = fields_of(send_fields(as_alice, ADD, {**fields, "add-row": "order"}), FORM)
    first = {"order-0-attribute": "at", "order-0-way": "descending", "limit": "1"}
    assert send_fields(as_alice, ADD, {**fields, **known, **tested, **first}).status_code == 200
    made = design_of(club).patterns[-1]
    assert (made.limit, [one.attribute for one in made.then_keep]) == (1, ["minutes"])
    shown = fields_of(as_alice.get(f"/d/club4alice/patterns/{made.id}/"), FORM)
    assert {name: shown[name] for name in tested} == tested


def test_the_limit_of_related_items_says_what_it_counts_for(club: Draft, as_alice: Client) -> None:
    answer = send(as_alice, FIRST, FORM, {"add-row": "with"})
    assert "At most (per Visit)" in shown(answer)
    answer = send(as_alice, FIRST, FORM, {"add-row": "with", "beside": "Member"})
    assert "At most (per item)" in shown(answer)
