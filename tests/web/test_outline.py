"""Lists in words: a model typed as lines, and several attributes at once."""

from django.test import Client

from projects.models import Draft
from tests.web.conftest import design_of
from tests.web.forms import fields_of, send

MODEL = "/d/club4alice/model/"
LIST = "/d/club4alice/entities/e-visit/attributes/"
LINES = "Court: courtId, surface CLAY|GRASS\nCourt 1-N Visit by courtId"


def test_a_model_is_added_in_one_step_and_undone_in_one(club: Draft, as_alice: Client) -> None:
    before = design_of(club)
    answer = send(as_alice, MODEL, "outline-form", {"lines": LINES})
    assert "Saved: Add Court and a relationship." in answer.content.decode()
    design = design_of(club)
    assert list(design.entity) == [*before.entity, "Court"]
    assert design.entity["Visit"].by_name["courtId"].refers_to == "Court.courtId"
    as_alice.post("/d/club4alice/undo/", headers={"HX-Request": "true"})
    assert list(design_of(club).entity) == list(before.entity)


def test_every_line_that_is_wrong_is_named_and_kept(club: Draft, as_alice: Client) -> None:
    lines = "Court: courtId surface\nVisit: what ever\nCourt 1-N Ghost"
    answer = send(as_alice, MODEL, "outline-form", {"lines": lines})
    assert answer.status_code == 422
    page = answer.content.decode()
    assert "Line 1: " in page and "Line 2: " in page and "Line 3: " in page
    assert fields_of(answer, "outline-form")["lines"] == lines
    assert club.revisions.count() == 1


def test_a_preview_says_what_was_understood(club: Draft, as_alice: Client) -> None:
    fields = {**fields_of(as_alice.get(MODEL), "outline-form"), "lines": LINES, "intent": "preview"}
    headers = {"HX-Request": "true", "HX-Target": "results"}
    page = as_alice.post(MODEL, fields, headers=headers).content.decode()
    understood = page[page.index('id="understood"') :]
    assert "surface" in understood and "one of a few words" in understood
    assert ", guessed" in understood
    assert club.revisions.count() == 1


def test_several_attributes_are_added_in_one_line(club: Draft, as_alice: Client) -> None:
    answer = send(as_alice, LIST, "attributes-form", {"listed": "tip 2 decimals, isGuest"})
    assert "Saved: Add attributes Visit.tip and Visit.isGuest." in answer.content.decode()
    assert design_of(club).entity["Visit"].by_name["isGuest"].type == "BOOL"


def test_a_list_that_is_wrong_stays_in_the_form(club: Draft, as_alice: Client) -> None:
    for wrong in ("tip two decimals", "", "memberId", "7up"):
        answer = send(as_alice, LIST, "attributes-form", {"listed": wrong})
        assert answer.status_code == 422, wrong
        assert fields_of(answer, "attributes-form")["listed"] == wrong
    assert club.revisions.count() == 1


def test_a_list_for_an_entity_that_is_gone_says_so(club: Draft, as_alice: Client) -> None:
    assert as_alice.get("/d/club4alice/entities/e-ghost/attributes/").status_code == 404
