"""What the readers of a link say, and what they are told."""

import pytest
from django.contrib.auth.models import User
from django.test import Client

from designer.core.edits import replace_design
from projects import guests, links, revisions, teams, threads
from projects.models import Comment, Draft, ShareLink, Thread
from projects.threads import Writer
from tests.web.conftest import design_of
from tests.web.forms import words

SAID = {"on": "pattern:p-1", "name": "Grace", "body": "Why **this** key?"}


@pytest.fixture
def token(club: Draft, alice: User) -> str:
    return links.make(club, alice, may_comment=True)[1]


@pytest.fixture
def url(token: str) -> str:
    return f"/s/{token}/comments/"


def test_a_guest_comments_on_a_pattern(club: Draft, url: str, as_charlie: Client) -> None:
    answer = as_charlie.post(url, SAID)
    comment = Comment.objects.get()
    assert (
        answer.headers["Location"] == f"{url}?thread={comment.thread_id}#thread-{comment.thread_id}"
    )
    assert (comment.guest_name, comment.author, comment.is_sent) == ("Grace", None, True)
    thread = comment.thread
    assert (thread.draft, thread.on, thread.revision.number) == (club, "pattern:p-1", 1)
    page = as_charlie.get(url).content.decode()
    assert "<strong>Grace</strong>" in page
    assert "Why <strong>this</strong> key?" in page
    assert answer.cookies == {}


def test_a_browser_that_tells_no_origin_may_comment(url: str) -> None:
    strict = Client(enforce_csrf_checks=True)
    assert strict.post(url, SAID, headers={"Origin": "null"}).status_code == 302


def test_a_link_without_patterns_takes_comments_on_the_design_only(
    club: Draft, alice: User, as_charlie: Client
) -> None:
    _, token = links.make(club, alice, sections=["templates"], may_comment=True)
    url = f"/s/{token}/comments/"
    assert design_of(club).patterns[0].name not in as_charlie.get(url).content.decode()
    assert as_charlie.post(url, SAID).status_code == 422
    assert as_charlie.post(url, {**SAID, "on": "design"}).status_code == 302


def test_guests_see_what_was_said_through_their_link_and_no_name_of_the_team(
    club: Draft, alice: User, url: str, as_charlie: Client
) -> None:
    as_charlie.post(url, SAID)
    inner = threads.scene(club, design_of(club))
    threads.begin(club, inner, "design", "A secret of ours", Writer(alice))
    thread = Thread.objects.get(on="pattern:p-1")
    threads.reply(thread, "Because @alice said so", Writer(alice))
    threads.reply(thread, "Not sent yet", Writer(alice), collected=True)
    page = as_charlie.get(url).content.decode()
    assert "<strong>The team</strong>" in page
    assert "A secret of ours" not in page
    assert "Not sent yet" not in page
    assert "mention" not in page
    other = links.make(club, alice, may_comment=True)[1]
    assert "Grace" not in as_charlie.get(f"/s/{other}/comments/").content.decode()


def test_a_guest_answers_in_a_thread_of_the_link_only(
    club: Draft, alice: User, url: str, as_charlie: Client
) -> None:
    as_charlie.post(url, SAID)
    thread = Thread.objects.get()
    sent = {f"thread-{thread.pk}-name": "Kay", f"thread-{thread.pk}-body": "I wonder too."}
    assert as_charlie.post(f"{url}{thread.pk}/", sent).status_code == 302
    assert [each.guest_name for each in thread.comments.all()] == ["Grace", "Kay"]
    assert as_charlie.post(f"{url}{thread.pk}/", {}).status_code == 422
    inner = threads.scene(club, design_of(club))
    foreign = threads.begin(club, inner, "design", "Ours", Writer(alice)).thread
    assert as_charlie.post(f"{url}{foreign.pk}/", sent).status_code == 404
    other = links.make(club, alice, may_comment=True)[1]
    assert as_charlie.post(f"/s/{other}/comments/{thread.pk}/", sent).status_code == 404


@pytest.mark.parametrize(
    "wrong",
    [
        {"name": " "},
        {"body": " "},
        {"on": "pattern:ghost"},
        {"on": "entity:e-member"},
        {"name": "x" * 81},
        {"name": "Grace\r\nYour password is over"},
        {"name": "Grace\u2028Your password is over"},
    ],
)
def test_what_is_no_comment_is_refused(wrong: dict[str, str], url: str, as_charlie: Client) -> None:
    answer = as_charlie.post(url, {**SAID, **wrong})
    assert answer.status_code == 422
    assert "has-error" in answer.content.decode()
    assert not Comment.objects.exists()


def test_markup_stays_text(url: str, as_charlie: Client) -> None:
    as_charlie.post(url, {**SAID, "name": "<b>G</b>", "body": "<script>alert(1)</script>"})
    page = as_charlie.get(url).content.decode()
    assert "&lt;b&gt;G&lt;/b&gt;" in page
    assert "<script>alert" not in page


def test_readers_of_other_links_do_not_comment(
    club: Draft, alice: User, as_charlie: Client
) -> None:
    _, token = links.make(club, alice)
    assert as_charlie.get(f"/s/{token}/comments/").status_code == 404
    assert as_charlie.post(f"/s/{token}/comments/", SAID).status_code == 404
    assert "Comments" not in as_charlie.get(f"/s/{token}/").content.decode()


def test_a_revoked_link_takes_no_comment(token: str, url: str, as_charlie: Client) -> None:
    ShareLink.objects.get().revoke()
    assert as_charlie.post(url, SAID).status_code == 404
    assert not Comment.objects.exists()


def test_nobody_comments_in_an_archived_project(
    club: Draft, alice: User, url: str, as_charlie: Client
) -> None:
    as_charlie.post(url, SAID)
    thread = Thread.objects.get()
    assert club.project is not None
    teams.archive(club.project, alice)
    page = as_charlie.get(url).content.decode()
    assert "Why <strong>this</strong> key?" in page
    assert "guest-form" not in page
    answer = as_charlie.post(url, SAID)
    assert answer.status_code == 422
    assert "are closed" in answer.content.decode()
    sent = {f"thread-{thread.pk}-name": "Kay", f"thread-{thread.pk}-body": "I wonder too."}
    assert as_charlie.post(f"{url}{thread.pk}/", sent).status_code == 422
    assert Comment.objects.count() == 1
    teams.restore(club.project, alice)
    assert as_charlie.post(url, SAID).status_code == 302


def test_nobody_floods_a_team(
    url: str, as_charlie: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guests, "MOST", 2)
    for _ in range(2):
        assert as_charlie.post(url, SAID).status_code == 302
    answer = as_charlie.post(url, SAID)
    assert answer.status_code == 422
    assert words("too-many-comments") in answer.content.decode()
    assert Comment.objects.count() == 2


@pytest.mark.parametrize(
    ("name", "most"), [("IN_ALL", 2), ("CHARACTERS", 2 * len(SAID["body"]) + threads.LONGEST - 1)]
)
def test_a_link_has_so_many_comments_in_all(
    name: str,
    most: int,
    url: str,
    club: Draft,
    alice: User,
    as_charlie: Client,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(guests, name, most)
    for _ in range(2):
        assert as_charlie.post(url, SAID).status_code == 302
    refused = as_charlie.post(url, SAID)
    assert refused.status_code == 422
    page = refused.content.decode()
    assert "This link has reached its limit of comments" in page and SAID["body"] in page
    thread = Thread.objects.filter(draft=club)[0]
    assert threads.reply(thread, "The team still answers", Writer(alice)).pk


def test_a_comment_on_a_pinned_revision_is_of_that_revision(
    club: Draft, alice: User, as_charlie: Client
) -> None:
    first = revisions.current(club)
    _, token = links.make(club, alice, revision=first, may_comment=True)
    new = design_of(club).model_copy(update={"name": "Rowing club"})
    revisions.edit(club, lambda design: replace_design(design, new), "Call it otherwise", alice)
    as_charlie.post(f"/s/{token}/comments/", SAID)
    assert Thread.objects.get().revision == first


def test_a_link_with_comments_is_made_by_choice(club: Draft, as_alice: Client) -> None:
    for chosen in ({}, {"may_comment": "on"}):
        as_alice.post("/d/club4alice/share/links/add/", {"sections": ["tables"], **chosen})
    assert sorted(ShareLink.objects.values_list("may_comment", flat=True)) == [False, True]
