"""Lists in words: a model typed as lines, and several attributes at once."""

import json
import time
from collections import Counter
from contextlib import suppress
from urllib.parse import urlencode

import pytest
from django.http import QueryDict
from django.test import Client

from designer.core.design.document import Design
from designer.core.design.load import load
from designer.core.messages import Message
from designer.core.outline import add_outline, read_outline
from designer.forms import outline as outlines
from designer.forms import saying
from designer.forms.base import InvalidError
from designer.forms.outline import OutlineForm
from designer.forms.saying import PatternsForm, RelationshipsForm
from projects import revisions
from projects.models import Draft
from tests.load.flood import IN_WORDS, many_names
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


def test_attributes_of_what_is_there_are_what_is_added(club: Draft, as_alice: Client) -> None:
    lines = "Visit: tip 2 decimals\nCourt: courtId"
    answer = send(as_alice, MODEL, "outline-form", {"lines": lines})
    assert "Saved: Add Court and Visit.tip." in answer.content.decode()


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
    assert "surface" in understood and "one of a few values" in understood
    assert ", guessed" in understood
    assert club.revisions.count() == 1


def test_a_preview_without_rates_is_a_sentence(as_alice: Client) -> None:
    as_alice.post("/designs/new/", {"name": "Hotel"})
    draft = Draft.objects.latest("pk")
    url = f"/d/{draft.slug}/model/"
    fields = {
        **fields_of(as_alice.get(url), "outline-form"),
        "lines": "Room: roomId, name",
        "intent": "preview",
    }
    headers = {"HX-Request": "true", "HX-Target": "results"}
    page = as_alice.post(url, fields, headers=headers).content.decode()
    assert (
        "the single-table plan <strong>has no price without rates</strong>. Not added yet." in page
    )


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


RELATED = "/d/club4alice/relationships/several/"
ASKED = "/d/club4alice/patterns/several/"


def test_relationships_are_added_by_sentences(club: Draft, as_alice: Client) -> None:
    send(as_alice, MODEL, "outline-form", {"lines": "Court: courtId\nLocker: lockerId, courtId"})
    said = "A Court has many Visits, by courtId\nLocker 1-1 Member"
    answer = send(as_alice, RELATED, "relationships-form", {"lines": said})
    assert "Saved: Add 2 relationships." in answer.content.decode()
    design = design_of(club)
    assert design.relationship["visits"].references == ("courtId",)
    assert design.relationship["member"].cardinality == "1:1"


def test_a_line_that_is_no_relationship_is_answered_with_one(club: Draft, as_alice: Client) -> None:
    answer = send(as_alice, RELATED, "relationships-form", {"lines": "Foo likes Bar!?"})
    said = answer.content.decode()
    assert "Write, for example, “A Hotel has many Rooms, by hotelId”." in said
    assert "Write an entity such as" not in said


def test_relationships_that_attributes_suggest_are_ticked(club: Draft, as_alice: Client) -> None:
    send(as_alice, MODEL, "outline-form", {"lines": "Court: courtId\nLocker: lockerId, courtId"})
    assert "A Court has many Lockers, by courtId" in as_alice.get(RELATED).content.decode()
    send(as_alice, RELATED, "relationships-form", {"hinted": "Court Locker courtId"})
    assert design_of(club).relationship["lockers"].parent == "Court"
    assert "A Court has many Lockers" not in as_alice.get(RELATED).content.decode()


def test_a_relationship_of_what_is_not_there_is_refused_in_plain_words(
    club: Draft, as_alice: Client
) -> None:
    answer = send(as_alice, RELATED, "relationships-form", {"lines": "A Court has many Ghosts"})
    assert answer.status_code == 422
    page = answer.content.decode()
    assert "Line 1: “Court” is not an entity of this design." in page
    assert "relationships[" not in page and "refers_to" not in page
    assert fields_of(answer, "relationships-form")["lines"] == "A Court has many Ghosts"


def test_access_patterns_are_added_by_sentences_and_ticks(club: Draft, as_alice: Client) -> None:
    before = len(design_of(club).patterns)
    fields = {"lines": "List Visits, 20 at a time\nCount Members", "usual": "Visit delete"}
    answer = send(as_alice, ASKED, "patterns-form", fields)
    assert "Saved: Add 3 access patterns." in answer.content.decode()
    names = [each.name for each in design_of(club).patterns][before:]
    assert names == ["List visits", "Count members", "Delete a visit"]
    assert 'value="Visit delete"' not in as_alice.get(ASKED).content.decode()


def test_sentences_that_mean_nothing_save_nothing_and_stay(club: Draft, as_alice: Client) -> None:
    for wrong in ("", "List Ghosts", "\n".join(101 * ["Count Visits"]), "List Visits\nFrob"):
        answer = send(as_alice, ASKED, "patterns-form", {"lines": wrong})
        assert answer.status_code == 422, wrong
        assert fields_of(answer, "patterns-form")["lines"] == wrong
    assert "Line 2: “Frob” is not a verb" in answer.content.decode()
    assert club.revisions.count() == 1


def test_what_sentences_mean_is_shown_before_they_are_taken(club: Draft, as_alice: Client) -> None:
    fields = {**fields_of(as_alice.get(ASKED), "patterns-form"), "lines": "Count Members"}
    headers = {"HX-Request": "true", "HX-Target": "results"}
    answer = as_alice.post(ASKED, {**fields, "intent": "preview"}, headers=headers)
    page = answer.content.decode()
    assert "The app counts Members" in page[page.index('id="understood"') :]
    assert club.revisions.count() == 1


def test_a_sentence_is_picked_from_its_parts(club: Draft, as_alice: Client) -> None:
    parts = {"part_verb": "List", "part_entity": "Visit", "part_limit": "5"}
    fields = {**fields_of(as_alice.get(ASKED), "patterns-form"), **parts}
    answer = as_alice.post(ASKED, {**fields, "intent": "redraw"}, headers={"HX-Request": "true"})
    assert "<strong>List Visits, 5 at a time</strong>" in answer.content.decode()
    answer = as_alice.post(ASKED, {**fields, "add-row": "lines"}, headers={"HX-Request": "true"})
    kept = fields_of(answer, "patterns-form")
    assert kept["lines"] == "List Visits, 5 at a time"
    assert kept["part_verb"] == ""


def test_what_hints_at_relationships_is_looked_for_once_a_form(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    looked: list[Design] = []
    monkeypatch.setattr(saying, "hinted", lambda design: looked.append(design) or ())
    typed = QueryDict(mutable=True)
    typed["lines"] = "\n".join(f"A Hotel has many N{at}" for at in range(30))
    form = saying.RelationshipsForm(Design(name="Empty"), None, typed)
    with pytest.raises(InvalidError):
        form.apply(form.design)
    assert len(form.errors) > 0 and len(looked) == 1


def _players() -> Design:
    lines = "Player: playerId, name\nBooking: bookingId, playerId, at"
    return add_outline(Design(name="Players"), read_outline(lines))


def test_a_list_in_words_is_read_once_a_form(monkeypatch: pytest.MonkeyPatch) -> None:
    """The edit, its note and the page ask for it, the page several times."""
    read: list[str] = []
    pattern, outline, said = saying.read_pattern, outlines.read_outline, saying.reads_as
    for module, name, made in (
        (saying, "read_pattern", pattern),
        (outlines, "read_outline", outline),
        (saying, "reads_as", said),
    ):
        monkeypatch.setattr(
            module, name, lambda *given, _m=made, _n=name: read.append(_n) or _m(*given)
        )
    design = _players()
    for form, lines, once in (
        (PatternsForm, "List Players\nGet a Player\nList Z", {"read_pattern": 3, "reads_as": 2}),
        (RelationshipsForm, "A Player has many Bookings", {"read_outline": 1}),
        (OutlineForm, "Coach: coachId, name", {"read_outline": 1}),
    ):
        read.clear()
        asked = form(design, None, QueryDict(urlencode({"lines": lines})))
        with suppress(InvalidError):
            asked.apply(design)
        assert [*asked.understood, asked.note, *asked.understood]
        assert Counter(read) == once


def test_thousands_of_faults_are_not_compared_with_each_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    compared: list[Message] = []
    equal = Message.__eq__
    monkeypatch.setattr(
        Message, "__eq__", lambda one, other: compared.append(one) or equal(one, other)
    )
    lines = "\n".join(f"Zz{at} 1-N Yy{at}" for at in range(1999))
    for made in (OutlineForm, RelationshipsForm):
        design = _players()
        form = made(design, None, QueryDict(urlencode({"lines": lines})))
        with pytest.raises(InvalidError):
            form.apply(design)
        assert len(form.errors["lines"]) == 1999
    assert len(compared) < 10_000


@pytest.mark.parametrize("form", IN_WORDS)
def test_a_list_as_long_as_may_be_is_answered_at_once(
    club: Draft, as_alice: Client, form: str
) -> None:
    revisions.edit(club, lambda _: load(json.dumps(many_names())), "Name many")
    sent = {"lines": IN_WORDS[form], "intent": "preview"}
    begun = time.process_time()
    answer = as_alice.post(f"/d/club4alice/{form}", sent, headers={"HX-Request": "true"})
    assert time.process_time() - begun < 2
    assert answer.status_code in (200, 204)
