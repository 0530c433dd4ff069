"""Entities in the left column."""

from functools import partial

import pytest
from django.test import Client

from designer.core.design.document import Design
from designer.core.design.load import plain
from designer.core.edits import change_settings, remove_entity
from projects import revisions
from projects.models import Draft
from tests.web.conftest import design_of
from tests.web.forms import HTMX, fields_of, send, send_fields, shown

FORM = "entity-form"
VISIT = "/d/club4alice/entities/e-visit/"
ADD = "/d/club4alice/entities/add/"


def test_a_new_entity_comes_with_what_identifies_it(club: Draft, as_alice: Client) -> None:
    fields = {
        "name": "Court",
        "identifier-0-kind": "S:uuid",
        "items": "12",
        "listed": "surface CLAY|GRASS, isCovered",
    }
    answer = send(as_alice, ADD, FORM, fields)
    assert answer.headers["HX-Push-Url"] == "/d/club4alice/entities/e-court/"
    court = plain(design_of(club).entity["Court"])
    assert court == {
        "name": "Court",
        "id": "e-court",
        "identifier": ["courtId"],
        "items": 12,
        "attributes": [
            {"name": "courtId", "id": "a-court-courtid", "format": "uuid"},
            {
                "name": "surface",
                "id": "a-court-surface",
                "format": "enum",
                "values": ["CLAY", "GRASS"],
            },
            {"name": "isCovered", "id": "a-court-iscovered", "type": "BOOL"},
        ],
    }


def test_a_new_entity_without_script_leads_to_its_form(club: Draft, as_alice: Client) -> None:
    answer = send(as_alice, ADD, FORM, {"name": "Court"}, htmx=False)
    assert (answer.status_code, answer.url) == (302, "/d/club4alice/entities/e-court/")


def test_a_new_name_is_followed_and_said(club: Draft, as_alice: Client) -> None:
    answer = send(as_alice, VISIT, FORM, {"name": "Stay"})
    assert "Saved: Rename entity Visit to Stay." in answer.content.decode()
    assert design_of(club).pattern(1).returns == "Stay"


def test_bad_names_are_said_and_nothing_is_saved(club: Draft, as_alice: Client) -> None:
    for name in ("", "member", "x" * 300, "Käse", "🎾", "a'b\"c", "${x}", "%{if}", "<b>", "a#b"):
        answer = send(as_alice, ADD, FORM, {"name": name})
        assert answer.status_code == 422, name
        assert fields_of(answer, FORM)["name"] == name
        assert "<b>" not in answer.content.decode()
    assert club.revisions.count() == 1


def test_a_name_of_several_words_is_made_one(club: Draft, as_alice: Client) -> None:
    answer = send(as_alice, ADD, FORM, {"name": "Guest booking", "identifier-0-part": "Booking no"})
    assert "Saved: Add entity GuestBooking." in answer.content.decode()
    assert design_of(club).entity["GuestBooking"].identifier == ("bookingNo",)
    send(as_alice, ADD, FORM, {"name": "Tennis court"})
    assert design_of(club).entity["TennisCourt"].identifier == ("tennisCourtId",)
    answer = send(as_alice, VISIT, FORM, {"name": "Club visit"})
    assert "Saved: Rename entity Visit to ClubVisit." in answer.content.decode()
    assert fields_of(answer, FORM)["name"] == "ClubVisit"
    as_alice.post(f"{VISIT}attributes/add/", {"name": "Left at", "kind": "S"}, headers=HTMX)
    assert "leftAt" in design_of(club).entity["ClubVisit"].by_name


def test_an_identifier_that_is_no_attribute_is_said_at_its_field(
    club: Draft, as_alice: Client
) -> None:
    answer = send(as_alice, VISIT, FORM, {"identifier": "memberId, ghost"})
    assert answer.status_code == 422
    assert '<a href="#field-identifier">' in answer.content.decode()
    answer = send(as_alice, VISIT, FORM, {"identifier": ""})
    assert "Not filled in yet." in answer.content.decode()


@pytest.mark.parametrize(("opened", "times"), [("2", 1), ("1", 2)])
def test_an_entity_is_removed_from_what_the_page_showed_too_where_that_was_another_design(
    opened: str, times: int, club: Draft, as_alice: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a large design each time takes a good part of a second."""
    revisions.edit(club, partial(change_settings, region="eu-west-1"), "Change the Region")
    removed: list[str] = []

    def counted(design: Design, name: str, *, and_users: bool) -> Design:
        removed.append(name)
        return remove_entity(design, name, and_users=and_users)

    monkeypatch.setattr("designer.views.entities.remove_entity", counted)
    answer = send_fields(as_alice, f"{VISIT}remove/", {"and_users": "1", "was-revision": opened})
    assert answer.status_code == 200
    assert removed == ["Visit"] * times


def test_an_entity_in_use_is_removed_only_with_what_uses_it(club: Draft, as_alice: Client) -> None:
    answer = send_fields(as_alice, f"{VISIT}remove/", {})
    assert answer.status_code == 422
    assert "Remove it and everything that uses it" in answer.content.decode()
    assert "Visit" in design_of(club).entity
    answer = send_fields(as_alice, f"{VISIT}remove/", {"and_users": "1"})
    assert answer.status_code == 200
    assert list(design_of(club).entity) == ["Member"]


def test_what_the_form_does_not_show_is_kept(club: Draft, as_alice: Client) -> None:
    before = plain(design_of(club).entity["Visit"])
    send(as_alice, VISIT, FORM, {"items": "700"})
    assert plain(design_of(club).entity["Visit"]) == {**before, "items": 700}


def test_an_entity_that_is_gone_is_said_so(club: Draft, as_alice: Client) -> None:
    fields = fields_of(as_alice.get(VISIT), FORM)
    send_fields(as_alice, f"{VISIT}remove/", {"and_users": "1"})
    answer = send_fields(as_alice, VISIT, fields)
    assert answer.status_code == 409
    assert "no longer in the design" in answer.content.decode()


def test_each_part_of_an_identifier_has_a_kind_of_its_own(club: Draft, as_alice: Client) -> None:
    parts = {
        "identifier-0-part": "memberId",
        "identifier-1-part": "seat",
        "identifier-1-kind": "N:integer",
        "identifier-2-part": "playedAt",
        "identifier-3-part": "",
    }
    send(as_alice, ADD, FORM, {"name": "Game", **parts})
    game = design_of(club).entity["Game"]
    assert game.identifier == ("memberId", "seat", "playedAt")
    kinds = [(each.type, each.format) for each in game.attributes]
    assert kinds == [("S", "ulid"), ("N", "integer"), ("S", "datetime")]


def test_another_part_is_asked_for_and_what_is_typed_stays(club: Draft, as_alice: Client) -> None:
    fields = {
        **fields_of(as_alice.get(ADD), FORM),
        "identifier-0-part": "row",
        "add-row": "identifier",
    }
    kept = fields_of(send_fields(as_alice, ADD, fields), FORM)
    assert (kept["identifier-0-part"], kept["identifier-1-part"]) == ("row", "")


def test_the_list_of_attributes_names_types_as_their_form_does(
    club: Draft, as_alice: Client
) -> None:
    fields = {"name": "Court", "listed": "surface CLAY|GRASS, isCovered, seats integer"}
    page = shown(send(as_alice, ADD, FORM, fields))
    for said in (
        "surface one of a few values",
        "isCovered true or false",
        "seats whole number",
        "courtId identifier ULID",
    ):
        assert said in page, page
