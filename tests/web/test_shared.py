"""What the readers of a link see, and what they never do."""

import logging
from datetime import timedelta
from typing import NoReturn

import pytest
from cachetools import LRUCache
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from designer.core.edits import replace_design
from designer.logs import Discreet
from designer.views import shared
from projects import links, plans, revisions, tokens
from projects.models import Draft, Section, ShareLink
from tests.web.conftest import approve, design_of

HTMX = {"HX-Request": "true"}
PAGES = ("", "findings/", "compare/", "exports/", "exports/?as=terraform", "rev")
FILES = ("exports/terraform/single/", "exports/data-model/multi/")


@pytest.fixture
def token(club: Draft, alice: User) -> str:
    return links.make(club, alice, name="For the auditors")[1]


def changed(club: Draft, alice: User, name: str) -> None:
    """The club's design under another name."""
    new = design_of(club).model_copy(update={"name": name})
    revisions.edit(club, lambda design: replace_design(design, new), "Call it otherwise", alice)


def test_a_reader_needs_no_account_for_any_page(token: str, as_charlie: Client) -> None:
    for page in (*PAGES, *FILES):
        answer = as_charlie.get(f"/s/{token}/{page}")
        assert answer.status_code == 200, page
        assert answer.headers["X-Robots-Tag"] == "noindex, nofollow, noarchive"
        assert answer.headers["Referrer-Policy"] == "no-referrer"
        assert "private" in answer.headers["Cache-Control"]
        assert answer.cookies == {}, page


@pytest.mark.parametrize(
    ("method", "rest", "status"),
    [
        ("get", "nope/", 404),
        ("get", "nope/pink.png/", 404),
        ("get", "nope", 301),
        ("get", "findings", 301),
        ("post", "nope/", 404),
        ("post", "findings/", 405),
        ("get", "comments/1/", 405),
        ("get", "exports/nope/single/", 404),
    ],
)
def test_no_answer_at_the_address_of_a_link_tells_it_further_or_sets_a_cookie(
    method: str, rest: str, status: int, token: str
) -> None:
    answer = Client(enforce_csrf_checks=True).generic(method.upper(), f"/s/{token}/{rest}")
    assert answer.status_code == status
    assert answer.headers["X-Robots-Tag"] == "noindex, nofollow, noarchive"
    assert answer.headers["Referrer-Policy"] == "no-referrer"
    assert answer.cookies == {}


def test_a_pattern_lights_its_rows_and_both_styles_stand_side_by_side(
    token: str, as_charlie: Client
) -> None:
    page = as_charlie.get(f"/s/{token}/", {"view": "both", "pattern": "1"}).content.decode()
    assert 'class="grid is-lit' in page
    assert "Single table" in page
    assert "is-side-by-side" in page
    compared = as_charlie.get(f"/s/{token}/compare/", {"pattern": "1"}).content.decode()
    assert f"/s/{token}/?view=both&amp;beside=multi&amp;pattern=1" in compared


def test_a_fragment_is_swapped_at_the_links_own_address(token: str, as_charlie: Client) -> None:
    headers = {**HTMX, "HX-Target": "results"}
    answer = as_charlie.get(f"/s/{token}/", {"pattern": "1"}, headers=headers)
    page = answer.content.decode()
    assert "<html" not in page
    assert f'hx-get="/s/{token}/?pattern=1&amp;form=templates"' in page


def test_nothing_of_the_team_is_on_any_page(
    club: Draft, alice: User, token: str, as_charlie: Client
) -> None:
    club.project.team.name = club.project.name = "Sesame Ltd"  # type: ignore[union-attr]
    club.project.team.save()  # type: ignore[union-attr]
    club.project.save()  # type: ignore[union-attr]
    secret = (club.slug, alice.username, "Sesame", "auditors", "/d/", "csrf")
    for page in (*PAGES, *FILES, "?view=both&pattern=1&form=templates", "exports/ghost/single/"):
        said = as_charlie.get(f"/s/{token}/{page}").content.decode()
        assert [word for word in secret if word in said] == [], page


@pytest.mark.parametrize("is_pinned", [False, True])
def test_files_say_that_a_design_is_approved_and_not_by_whom(
    is_pinned: bool, club: Draft, alice: User, as_charlie: Client
) -> None:
    seen = revisions.current(club) if is_pinned else None
    _, token = links.make(club, alice, revision=seen)
    url = f"/s/{token}/exports/data-model/single/"
    before = as_charlie.get(url).headers["ETag"]
    approve(club, alice)
    answer = as_charlie.get(url, headers={"If-None-Match": before})
    assert "approved" in answer.content.decode()
    for page in (*FILES, "exports/", "exports/?as=data-model"):
        assert "judith" not in as_charlie.get(f"/s/{token}/{page}").content.decode(), page


def test_nothing_of_the_team_is_in_what_comes_by_itself(token: str, as_charlie: Client) -> None:
    headers = {**HTMX, "HX-Target": "results", "HX-Trigger": "planning"}
    page = as_charlie.get(f"/s/{token}/", headers=headers).content.decode()
    assert "The plan is ready." in page
    assert "Undo" not in page
    assert "/d/" not in page


def test_whatever_opens_nothing_answers_alike(
    club: Draft, alice: User, token: str, as_charlie: Client
) -> None:
    known = ShareLink.objects.get()
    answers = [as_charlie.get("/s/nobody-ever-made-this-one/")]
    known.expires_at = timezone.now() - timedelta(seconds=1)
    known.save()
    answers += [as_charlie.get(f"/s/{token}/{page}") for page in (*PAGES, *FILES)]
    known.expires_at, known.revoked_at = None, timezone.now()
    known.save()
    answers += [as_charlie.get(f"/s/{token}/"), as_charlie.post(f"/s/{token}/password/")]
    known.revoked_at = None
    known.save()
    answers.append(as_charlie.get(f"/s/{token}/exports/ghost/single/"))
    assert as_charlie.get(f"/s/{token}/").status_code == 200
    links.renew(known, alice)
    answers.append(as_charlie.get(f"/s/{token}/"))
    club.delete()
    answers.append(as_charlie.get(f"/s/{token}/"))
    for answer in answers:
        assert answer.status_code == 404
        assert answer.headers["Cache-Control"] == "no-store"
        assert answer.headers["X-Robots-Tag"] == "noindex, nofollow, noarchive"
        assert answer.content == answers[0].content


def test_a_link_of_a_sandbox_ends_with_it(as_charlie: Client) -> None:
    as_charlie.post("/gallery/starter/copy/")
    draft = Draft.objects.get()
    _, token = links.make(draft, None)
    assert as_charlie.get(f"/s/{token}/").status_code == 200
    Draft.objects.update(expires_at=timezone.now())
    assert as_charlie.get(f"/s/{token}/").status_code == 404


def test_only_the_hash_of_a_token_is_kept(token: str) -> None:
    kept = ShareLink.objects.values().get()
    assert len(token) >= 43
    assert [value for value in kept.values() if token in str(value)] == []
    assert links.find(token) is not None
    assert links.find(kept["digest"]) is None


def test_a_live_link_follows_the_design_and_a_pinned_one_stays(
    club: Draft, alice: User, token: str, as_charlie: Client
) -> None:
    _, pinned = links.make(club, alice, revision=revisions.current(club))
    changed(club, alice, "Rowing club")
    assert "Rowing club" in as_charlie.get(f"/s/{token}/").content.decode()
    page = as_charlie.get(f"/s/{pinned}/").content.decode()
    assert "Rowing club" not in page
    assert "Read only, r1" in page


def test_the_page_hears_of_a_change(
    club: Draft, alice: User, token: str, as_charlie: Client
) -> None:
    url = f"/s/{token}/rev"
    assert as_charlie.get(url, {"since": "1"}).status_code == 204
    changed(club, alice, "Rowing club")
    assert "The design was changed." in as_charlie.get(url, {"since": "1"}).content.decode()
    ShareLink.objects.get().revoke()
    assert as_charlie.get(url, {"since": "1"}).status_code == 404


def test_a_link_shows_its_sections_only(club: Draft, alice: User, as_charlie: Client) -> None:
    _, token = links.make(club, alice, sections=[Section.COMPARISON, Section.TEMPLATES])
    assert as_charlie.get(f"/s/{token}/").headers["Location"] == f"/s/{token}/compare/"
    page = as_charlie.get(f"/s/{token}/compare/").content.decode()
    assert "See it among all tables" not in page
    assert "Findings" not in page
    assert as_charlie.get(f"/s/{token}/findings/").status_code == 404
    assert as_charlie.get(f"/s/{token}/exports/terraform/single/").status_code == 200
    assert as_charlie.get(f"/s/{token}/exports/data-model/single/").status_code == 404
    assert as_charlie.get(f"/s/{token}/exports/?as=pdf").status_code == 404


@pytest.mark.parametrize(
    ("sections", "label"),
    [
        ([Section.DOCUMENTS], "Documents"),
        ([Section.TEMPLATES], "Templates"),
        ([Section.DOCUMENTS, Section.TEMPLATES], "Documents and templates"),
    ],
)
def test_the_bar_offers_the_files_that_the_link_shows(
    sections: list[Section], label: str, club: Draft, alice: User, as_charlie: Client
) -> None:
    _, token = links.make(club, alice, sections=sections)
    assert f">{label}</a>" in as_charlie.get(f"/s/{token}/exports/").content.decode()


def test_a_reader_is_told_no_shortcut_that_does_nothing(
    token: str, as_charlie: Client, as_alice: Client
) -> None:
    words = (
        "add an access pattern",
        "undo the last edit",
        "comment on the part",
        "previous thread",
    )
    mine = as_alice.get("/d/club4alice/").content.decode()
    theirs = as_charlie.get(f"/s/{token}/").content.decode()
    for each in words:
        assert each in mine
        assert each not in theirs
    assert "next and previous access pattern" in theirs


@pytest.mark.parametrize("target", ["results", "statement"])
def test_no_page_answers_with_tables_that_the_link_does_not_show(
    target: str, club: Draft, alice: User, as_charlie: Client
) -> None:
    every = [section for section in Section if section is not Section.TABLES]
    _, token = links.make(club, alice, sections=every, may_comment=True)
    for path in ("exports/", "findings/", "comments/"):
        answer = as_charlie.get(f"/s/{token}/{path}", headers={**HTMX, "HX-Target": target})
        page = answer.content.decode()
        assert "<html" in page, path
        assert 'id="lists"' not in page, path
        assert 'id="grids"' not in page, path


def test_tables_without_findings_show_none(club: Draft, alice: User, as_charlie: Client) -> None:
    _, token = links.make(club, alice, sections=[Section.TABLES])
    page = as_charlie.get(f"/s/{token}/").content.decode()
    assert 'id="grids"' in page
    assert 'id="findings"' not in page


def test_a_password_is_asked_for_once(club: Draft, alice: User, as_charlie: Client) -> None:
    _, token = links.make(club, alice, password="blue kettle")
    url = f"/s/{token}/"
    for page in (*PAGES, *FILES):
        answer = as_charlie.get(url + page)
        assert answer.status_code == 403, page
        assert "Club" not in answer.content.decode(), page
    wrong = as_charlie.post(f"{url}password/", {"password": "red kettle"})
    assert wrong.status_code == 422
    assert as_charlie.get(url).status_code == 403
    right = as_charlie.post(f"{url}password/", {"password": "blue kettle"})
    assert right.headers["Location"] == url
    cookie = right.cookies["unlocked"]
    assert (cookie["path"], cookie["httponly"]) == (url, True)
    assert as_charlie.get(url).status_code == 200
    ShareLink.objects.update(password="changed")
    assert as_charlie.get(url).status_code == 403


def test_wrong_passwords_come_to_an_end(
    club: Draft, alice: User, as_charlie: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, token = links.make(club, alice, password="blue kettle")
    url = f"/s/{token}/password/"
    monkeypatch.setattr(links, "TRIES_OF_ALL", 4)
    for number in range(links.TRIES_OF_ALL):  # each from somewhere else
        guesser = Client(REMOTE_ADDR=f"203.0.113.{number}")
        assert guesser.post(url, {"password": "red kettle"}).status_code == 422
    assert as_charlie.post(url, {"password": "blue kettle"}).status_code == 429
    ShareLink.objects.update(wrong_at=timezone.now() - links.PAUSE)
    assert as_charlie.post(url, {"password": "blue kettle"}).status_code == 302


def test_a_form_of_a_page_without_referrer_is_taken(club: Draft, alice: User) -> None:
    _, token = links.make(club, alice, password="blue kettle")
    strict = Client(enforce_csrf_checks=True)
    sent = {"password": "blue kettle"}
    answer = strict.post(f"/s/{token}/password/", sent, headers={"Origin": "null"})
    assert answer.status_code == 302


def test_pages_are_sent_again_when_something_changed_only(
    club: Draft, alice: User, token: str, as_charlie: Client
) -> None:
    for page in ("", "?pattern=1", "findings/", "exports/", *FILES):
        url = f"/s/{token}/{page}"
        tag = as_charlie.get(url).headers["ETag"]
        again = as_charlie.get(url, headers={"If-None-Match": tag})
        assert (again.status_code, again.content) == (304, b""), page
        assert again.headers["ETag"] == tag
        assert (
            as_charlie.get(
                url, headers={"If-None-Match": tag, **HTMX, "HX-Target": "results"}
            ).status_code
            == 200
        )
    tag = as_charlie.get(f"/s/{token}/").headers["ETag"]
    changed(club, alice, "Rowing club")
    answer = as_charlie.get(f"/s/{token}/", headers={"If-None-Match": tag})
    assert answer.status_code == 200
    ShareLink.objects.get().revoke()
    tag = answer.headers["ETag"]
    assert as_charlie.get(f"/s/{token}/", headers={"If-None-Match": tag}).status_code == 404


def test_a_page_is_made_once_for_all_its_readers(
    club: Draft, alice: User, token: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = Client().get(f"/s/{token}/")

    def again(*asked: object, **context: object) -> NoReturn:
        raise AssertionError("made again")

    monkeypatch.setattr(shared, "look", again)
    second = Client().get(f"/s/{token}/")
    assert (second.content, second.headers["ETag"]) == (first.content, first.headers["ETag"])
    dark = Client()
    dark.cookies["theme"] = "dark"
    with pytest.raises(AssertionError, match="made again"):
        dark.get(f"/s/{token}/")
    changed(club, alice, "Rowing club")
    with pytest.raises(AssertionError, match="made again"):
        Client().get(f"/s/{token}/")


@pytest.mark.parametrize(
    ("odd", "even"),
    [
        ({"HX-Target": "results"}, {**HTMX, "HX-Target": "results"}),
        (HTMX, {}),
    ],
)
def test_an_odd_request_does_not_change_what_others_are_sent(
    odd: dict[str, str], even: dict[str, str], token: str
) -> None:
    shared.KEPT.clear()
    alone = Client().get(f"/s/{token}/", headers=even)
    shared.KEPT.clear()
    answer = Client().get(f"/s/{token}/", headers=odd)
    after = Client().get(f"/s/{token}/", headers=even)
    assert after.content == alone.content
    assert after.content != answer.content
    assert after.headers["ETag"] != answer.headers["ETag"]


def test_answers_are_kept_for_other_readers_as_far_as_there_is_room(
    token: str, as_charlie: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = f"/s/{token}/exports/data-model/single/"
    size = len(as_charlie.get(url).content)
    room = LRUCache[str, shared.Answer](int(2.5 * size), getsizeof=shared.size_of)
    monkeypatch.setattr(shared, "KEPT", room)
    for odd in range(4):
        assert as_charlie.get(f"{url}?odd={odd}").status_code == 200
    assert len(room) == 2 and room.currsize <= room.maxsize
    small = LRUCache[str, shared.Answer](size, getsizeof=shared.size_of)
    monkeypatch.setattr(shared, "KEPT", small)
    assert as_charlie.get(url).status_code == 200 and len(small) == 0


def test_openings_are_counted_and_fragments_are_not(token: str, as_charlie: Client) -> None:
    tag = as_charlie.get(f"/s/{token}/").headers["ETag"]
    as_charlie.get(f"/s/{token}/", headers={"If-None-Match": tag})
    as_charlie.get(f"/s/{token}/rev", {"since": "1"}, headers=HTMX)
    link = ShareLink.objects.get()
    assert link.used == 2
    assert link.used_at is not None


def test_a_large_designs_page_is_kept_by_nobody_until_its_plan_is_there(
    token: str, as_charlie: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plans, "evaluation", lambda *asked: None)
    monkeypatch.setattr(plans, "last_evaluation", lambda *asked: None)
    answer = as_charlie.get(f"/s/{token}/")
    assert "data-planning" in answer.content.decode()
    assert "ETag" not in answer.headers


@pytest.mark.parametrize(
    "before",
    ["/s/", "/join/", "/sign-up/", "/account/email/", "/feeds/", "/password/MQ/", "keywright_"],
)
def test_logs_tell_no_token(before: str) -> None:
    told = f"{before}{tokens.new()}"
    record = logging.makeLogRecord({"msg": "Not Found: %s", "args": (told,)})
    assert Discreet().format(record) == f"Not Found: {before}..."


def test_logs_tell_what_is_no_token() -> None:
    record = logging.makeLogRecord({"msg": "Not Found: /d/a-design/exports/terraform/single/"})
    assert Discreet().format(record) == record.msg
