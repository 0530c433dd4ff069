"""Two windows edit one design and lose nothing."""

import pytest
from django.contrib.auth.models import User
from django.http import HttpRequest
from django.test import Client

from designer.core.design import gallery
from designer.core.design.load import dump
from designer.core.edits import change_settings, identified
from projects import access
from projects.models import Draft, Membership, Role
from tests.web.conftest import design_of
from tests.web.forms import fields_of, send, send_fields
from tests.web.test_sharing import WHOLE

PATTERN = "/d/club4alice/patterns/p-1/"
SETTINGS = "/d/club4alice/settings/"
ENTITY = "/d/club4alice/entities/e-visit/"


def test_changes_of_different_fields_are_merged(club: Draft, as_alice: Client) -> None:
    one = fields_of(as_alice.get(PATTERN), "pattern-form")
    two = dict(one)
    send_fields(as_alice, PATTERN, {**one, "limit": "5"})
    answer = send_fields(as_alice, PATTERN, {**two, "why": "The door asks"})
    assert answer.status_code == 200
    pattern = design_of(club).pattern(1)
    assert (pattern.limit, pattern.why) == (5, "The door asks")


def test_changes_of_different_inputs_of_a_group_are_merged(club: Draft, as_alice: Client) -> None:
    stale = fields_of(as_alice.get(SETTINGS), "settings-form")
    send(as_alice, SETTINGS, "settings-form", {"context-domain": "Sports"})
    answer = send_fields(as_alice, SETTINGS, {**stale, "context-business": "Lose no visit"})
    assert answer.status_code == 200
    context = design_of(club).context
    assert context is not None
    assert (context.domain, context.business) == ("Sports", "Lose no visit")


def test_the_panel_asks_only_about_the_input_of_a_group_that_both_changed(
    club: Draft, as_alice: Client
) -> None:
    stale = fields_of(as_alice.get(PATTERN), "pattern-form")
    send(as_alice, PATTERN, "pattern-form", {"rate-average": "5"})
    send(as_alice, PATTERN, "pattern-form", {"rate-peak": "40"})
    answer = send_fields(as_alice, PATTERN, {**stale, "rate-average": "7"})
    assert answer.status_code == 409
    page = answer.content.decode()
    assert "<legend>How often, on average</legend>" in page
    assert "Keep mine: <strong>7 /s</strong>" in page
    assert "Take theirs: <strong>5 /s</strong>" in page
    assert "changed it in r2 (Change pattern 1: How often: on average" in page
    asked = fields_of(answer, "pattern-form")
    answer = send_fields(as_alice, PATTERN, {**asked, "resolve-rate-average": "mine"})
    assert answer.status_code == 200
    rate = design_of(club).pattern(1).rate
    assert rate is not None
    assert (rate.average, rate.peak) == (7, 40)


def test_what_was_merged_is_not_asked_about_when_it_does_not_fit_together(
    club: Draft, as_alice: Client
) -> None:
    send(as_alice, PATTERN, "pattern-form", {"rate-average": "10", "rate-peak": "100"})
    stale = fields_of(as_alice.get(PATTERN), "pattern-form")
    send(as_alice, PATTERN, "pattern-form", {"rate-average": "90"})
    answer = send_fields(as_alice, PATTERN, {**stale, "rate-peak": "50"})
    assert answer.status_code == 422
    shown = fields_of(answer, "pattern-form")
    assert (shown["rate-average"], shown["rate-peak"]) == ("90", "50")
    answer = send_fields(as_alice, PATTERN, {**shown, "rate-average": "45"})
    assert answer.status_code == 200
    rate = design_of(club).pattern(1).rate
    assert rate is not None
    assert (rate.average, rate.peak) == (45, 50)


def test_the_same_change_twice_is_no_conflict(club: Draft, as_alice: Client) -> None:
    fields = {**fields_of(as_alice.get(PATTERN), "pattern-form"), "limit": "5"}
    assert send_fields(as_alice, PATTERN, fields).status_code == 200
    assert send_fields(as_alice, PATTERN, fields).status_code == 200
    assert club.revisions.count() == 2


def test_two_changes_of_one_field_are_asked_about(club: Draft, as_alice: Client) -> None:
    for choice, left in (("mine", 9), ("theirs", 6)):
        stale = fields_of(as_alice.get(PATTERN), "pattern-form")
        send(as_alice, PATTERN, "pattern-form", {"limit": "6"})
        before = design_of(club)
        answer = send_fields(as_alice, PATTERN, {**stale, "limit": "9"})
        assert answer.status_code == 409
        page = answer.content.decode()
        assert "Keep mine: <strong>9 items</strong>" in page
        assert "Take theirs: <strong>6 items</strong>" in page
        assert design_of(club) == before
        asked = fields_of(answer, "pattern-form")
        assert asked["limit"] == "9"
        assert "resolve-limit" not in asked
        # What else is changed settles nothing, and is not lost.
        answer = send_fields(as_alice, PATTERN, {**asked, "why": choice})
        assert answer.status_code == 409
        assert design_of(club) == before
        asked = fields_of(answer, "pattern-form")
        answer = send_fields(as_alice, PATTERN, {**asked, "resolve-limit": choice})
        assert answer.status_code == 200
        pattern = design_of(club).pattern(1)
        assert (pattern.limit, pattern.why) == (left, choice)
        send(as_alice, PATTERN, "pattern-form", {"limit": "20"})


def test_the_thousands_of_two_values_stand_apart(club: Draft, as_alice: Client) -> None:
    stale = fields_of(as_alice.get(ENTITY), "entity-form")
    send(as_alice, ENTITY, "entity-form", {"items": "1200000"})
    answer = send_fields(as_alice, ENTITY, {**stale, "items": "1700000"})
    page = answer.content.decode()
    assert "Keep mine: <strong>1,700,000" in page
    assert "Take theirs: <strong>1,200,000" in page


def test_a_choice_is_about_the_value_that_was_seen(club: Draft, as_alice: Client) -> None:
    stale = fields_of(as_alice.get(PATTERN), "pattern-form")
    send(as_alice, PATTERN, "pattern-form", {"limit": "6", "why": "The door"})
    answer = send_fields(as_alice, PATTERN, {**stale, "limit": "9", "why": "The till"})
    chosen = {**fields_of(answer, "pattern-form"), "resolve-limit": "mine", "resolve-why": "theirs"}
    send(as_alice, PATTERN, "pattern-form", {"limit": "7"})
    answer = send_fields(as_alice, PATTERN, chosen)
    assert answer.status_code == 409
    asked = fields_of(answer, "pattern-form")
    assert asked["seen-limit"] == "7"
    assert "resolve-limit" not in asked
    assert asked["resolve-why"] == "theirs"
    answer = send_fields(as_alice, PATTERN, {**asked, "resolve-limit": "mine"})
    assert answer.status_code == 200
    pattern = design_of(club).pattern(1)
    assert (pattern.limit, pattern.why) == (9, "The door")


def test_what_was_chosen_is_not_asked_again_when_something_else_is_wrong(
    club: Draft, as_alice: Client
) -> None:
    stale = fields_of(as_alice.get(PATTERN), "pattern-form")
    send(as_alice, PATTERN, "pattern-form", {"limit": "6"})
    answer = send_fields(as_alice, PATTERN, {**stale, "limit": "9"})
    chosen = {**fields_of(answer, "pattern-form"), "resolve-limit": "mine"}
    answer = send_fields(as_alice, PATTERN, {**chosen, "name": ""})
    assert answer.status_code == 422
    corrected = {**fields_of(answer, "pattern-form"), "name": "Visits"}
    assert send_fields(as_alice, PATTERN, corrected).status_code == 200
    assert design_of(club).pattern(1).limit == 9


def test_the_panel_says_who_changed_each_field(
    club: Draft, bob: User, as_alice: Client, as_bob: Client
) -> None:
    assert club.project is not None
    Membership.objects.create(team=club.project.team, user=bob, role=Role.EDITOR)
    stale = fields_of(as_alice.get(PATTERN), "pattern-form")
    send(as_bob, PATTERN, "pattern-form", {"limit": "6"})
    send(as_alice, PATTERN, "pattern-form", {"why": "The door"})
    send(as_bob, PATTERN, "pattern-form", {"rate-average": "30"})
    answer = send_fields(as_alice, PATTERN, {**stale, "limit": "9", "why": "The till"})
    assert answer.status_code == 409
    page = answer.content.decode()
    assert "bob changed it in r2 (Change pattern 1: At most" in page
    assert "You changed it in r3 (Change pattern 1: Reason" in page
    assert "in r4" not in page


def test_rows_changed_in_both_windows_are_asked_about(club: Draft, as_alice: Client) -> None:
    stale = fields_of(as_alice.get(PATTERN), "pattern-form")
    send(as_alice, PATTERN, "pattern-form", {"where-1-operand": "begin"})
    answer = send_fields(as_alice, PATTERN, {**stale, "where-1-operand": "start"})
    assert answer.status_code == 409
    page = answer.content.decode()
    assert (
        "Keep mine: <strong>memberId is given as memberId; at is at least given as start<" in page
    )
    assert (
        "Take theirs: <strong>memberId is given as memberId; at is at least given as begin<" in page
    )
    assert design_of(club).pattern(1).where[1].from_.param == "begin"


def test_a_pattern_of_another_kind_elsewhere_takes_this_edit(club: Draft, as_alice: Client) -> None:
    stale = fields_of(as_alice.get(PATTERN), "pattern-form")
    send(as_alice, PATTERN, "pattern-form", {"kind": "count", "limit": ""})
    answer = send_fields(as_alice, PATTERN, {**stale, "name": "How many visits"})
    assert answer.status_code == 200
    pattern = design_of(club).pattern(1)
    assert (pattern.kind, pattern.name) == ("count", "How many visits")


def test_a_renaming_elsewhere_does_not_lose_this_edit(club: Draft, as_alice: Client) -> None:
    stale = fields_of(as_alice.get(ENTITY), "entity-form")
    send(as_alice, ENTITY, "entity-form", {"name": "Stay"})
    answer = send_fields(as_alice, ENTITY, {**stale, "items": "500"})
    assert answer.status_code == 200
    assert design_of(club).entity["Stay"].items == 500


def test_first_edits_at_once_share_one_copy(
    as_charlie: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second request looked for a copy before the first one had made it."""
    url = "/d/starter/settings/"
    stale = fields_of(as_charlie.get(url), "settings-form")
    send_fields(as_charlie, url, {**stale, "description": "From one window"})
    monkeypatch.setattr(access, "draft_for", lambda _, slug: access.from_gallery(slug))
    assert send_fields(as_charlie, url, {**stale, "region": "eu-west-1"}).status_code == 200
    design = design_of(Draft.objects.get())
    assert (design.description, design.region) == ("From one window", "eu-west-1")


def test_a_first_edit_is_asked_about_what_another_window_changed_at_once(
    as_charlie: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = "/d/starter/settings/"
    stale = fields_of(as_charlie.get(url), "settings-form")
    send_fields(as_charlie, url, {**stale, "description": "From one window"})
    monkeypatch.setattr(access, "draft_for", lambda _, slug, *may: access.from_gallery(slug))
    answer = send_fields(as_charlie, url, {**stale, "description": "From another"})
    assert answer.status_code == 409
    assert "From one window" in answer.content.decode()
    typed = change_settings(identified(gallery.load("starter")), description="From another")
    sent = {"text": dump(typed, "yaml"), "was-revision": "1"}
    answer = as_charlie.post("/d/starter/text/", sent)
    assert answer.status_code == 409
    page = answer.content.decode()
    assert "From one window" in page
    assert f"/d/{Draft.objects.get().slug}/" in page


def test_links_made_at_once_are_of_one_copy(
    as_charlie: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(access, "draft_for", lambda _, slug, *may: access.from_gallery(slug))
    for _ in range(2):
        answer = as_charlie.post("/d/starter/share/links/add/", WHOLE)
        assert answer.status_code == 302
    assert Draft.objects.get().links.count() == 2


def test_a_design_that_is_kept_twice_at_once_is_kept_once(
    as_charlie: Client, as_bob: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = access.draft_for
    monkeypatch.setattr(access, "draft_for", lambda _, slug, *may: access.from_gallery(slug))
    for _ in range(2):
        assert "sign-up" in as_charlie.post("/d/starter/keep/").headers["Location"]
    sandbox = Draft.objects.get()
    monkeypatch.setattr(access, "draft_for", found)
    url = "/d/starter/settings/"
    send(as_bob, url, "settings-form", {"description": "Mine"})
    mine = Draft.objects.exclude(pk=sandbox.pk).get()

    def read(request: HttpRequest, slug: str) -> Draft:
        draft = found(request, slug)
        if draft.is_sandbox:
            access.keep(request, slug)
        return draft

    monkeypatch.setattr(access, "draft_for", read)
    assert as_bob.post(f"/d/{mine.slug}/keep/").headers["Location"] == f"/d/{mine.slug}/"


def test_a_visitors_second_window_edits_the_same_copy(as_charlie: Client) -> None:
    url = "/d/starter/settings/"
    stale = fields_of(as_charlie.get(url), "settings-form")
    send(as_charlie, url, "settings-form", {"description": "From one window"})
    send_fields(as_charlie, url, {**stale, "region": "eu-west-1"})
    draft = Draft.objects.get()
    design = design_of(draft)
    assert (design.description, design.region) == ("From one window", "eu-west-1")


def test_what_others_changed_since_is_not_removed_unseen(club: Draft, as_alice: Client) -> None:
    remove = f"{PATTERN}remove/"
    send(as_alice, PATTERN, "pattern-form", {"limit": "6"})
    answer = send_fields(as_alice, remove, {"was-revision": "1"})
    assert answer.status_code == 422
    page = answer.content.decode()
    assert "Somebody else has changed this" in page
    assert "Remove it anyway" in page
    assert 'name="was-revision" value="2"' in page
    assert len(design_of(club).patterns) == 5
    assert send_fields(as_alice, remove, {"was-revision": "2"}).status_code == 200
    assert len(design_of(club).patterns) == 4


def test_what_others_changed_elsewhere_keeps_nothing_from_being_removed(
    club: Draft, as_alice: Client
) -> None:
    send(as_alice, ENTITY, "entity-form", {"items": "500"})
    assert send_fields(as_alice, f"{PATTERN}remove/", {"was-revision": "1"}).status_code == 200


def test_what_others_changed_since_is_not_removed_with_what_it_needs(
    club: Draft, as_alice: Client
) -> None:
    send(as_alice, PATTERN, "pattern-form", {"limit": "6"})
    sent = {"and_users": "1", "was-revision": "1"}
    answer = send_fields(as_alice, f"{ENTITY}remove/", sent)
    assert answer.status_code == 422
    assert 'name="and_users" value="1"' in answer.content.decode()
    assert "Visit" in design_of(club).entity


def test_two_reasons_for_setting_one_finding_aside_are_asked_about(
    club: Draft, as_alice: Client
) -> None:
    url = "/d/club4alice/findings/K101/ignore/"
    stale = fields_of(as_alice.get(url), "ignored-form")
    assert send_fields(as_alice, url, {**stale, "because": "Measured"}).status_code == 200
    answer = send_fields(as_alice, url, {**stale, "because": "Old data"})
    assert answer.status_code == 409
    assert "Take theirs: <strong>Measured</strong>" in answer.content.decode()
    assert [each.because for each in design_of(club).ignored_findings] == ["Measured"]
    asked = fields_of(answer, "ignored-form")
    assert "You changed it in r2 (Ignore K101" in answer.content.decode()
    assert send_fields(as_alice, url, asked).status_code == 409
    assert send_fields(as_alice, url, {**asked, "resolve-because": "mine"}).status_code == 200
    assert [each.because for each in design_of(club).ignored_findings] == ["Old data"]
