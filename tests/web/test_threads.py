"""Comments on parts of a design: begun, answered, collected, resolved; outdated and gone."""

import re

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from designer.core.edits import change_entity, remove_entity
from projects import reviews, revisions, threads, undoing
from projects.models import Comment, Draft, Role, Thread
from tests.web.conftest import client_of, design_of
from tests.web.forms import HTMX, send
from tests.web.test_patterns import NEW as NEW_PATTERN
from tests.web.test_standing import join

URL = "/d/club4alice/"
ON_VISIT = f"{URL}threads/entity:e-visit/"
ONE_OF_EACH = [
    "design",
    "entity:e-visit",
    "attribute:e-member/a-member-email",
    "relationship:r-makes",
    "pattern:p-1",
    "table:single/Club",
    "index:single/Club/GSI1",
    "row:single/Club/Member-1",
]


@pytest.fixture
def as_bob(club: Draft, bob: User) -> Client:
    return client_of(join(club, bob, Role.REVIEWER))


@pytest.fixture
def as_viewer(club: Draft, db: None) -> Client:
    return client_of(join(club, User.objects.create(username="vera"), Role.VIEWER))


def text(answer: object) -> str:
    shown = re.sub(r"<svg.*?</svg>", "", answer.content.decode())  # type: ignore[attr-defined]
    return re.sub(r"\s+", " ", shown)


def test_one_comments_on_every_kind_of_object(club: Draft, as_bob: Client) -> None:
    for on in ONE_OF_EACH:
        url = f"{URL}threads/{on}/"
        assert "No comments yet." in text(as_bob.get(url))
        answer = as_bob.post(url, {"body": f"About **{on}**"})
        assert answer.status_code == 302
        assert answer.url.startswith(f"{url}?thread=")
        assert f"About <strong>{on}</strong>" in text(as_bob.get(url))
    assert [each.on for each in Thread.objects.all()] == ONE_OF_EACH
    shown = text(as_bob.get(f"{URL}reviews/"))
    assert shown.count("data-thread") == len(ONE_OF_EACH)


def test_with_htmx_the_panel_and_the_grid_come_back(club: Draft, as_bob: Client) -> None:
    answer = as_bob.post(ON_VISIT, {"body": "Why?"}, headers=HTMX)
    assert answer.status_code == 200
    shown = text(answer)
    assert "Why?" in shown
    assert 'id="results"' in shown


def test_an_empty_comment_is_refused_and_nothing_is_kept(club: Draft, as_bob: Client) -> None:
    answer = as_bob.post(ON_VISIT, {"body": "  "})
    assert answer.status_code == 422
    assert "Write what you want to say." in text(answer)
    answer = as_bob.post(ON_VISIT, {"body": "x" * 10_001})
    assert "at most 10,000 characters" in text(answer)
    assert not Thread.objects.exists()


@pytest.mark.parametrize("on", ["entity:e-nobody", "planet:mars", "row:single/Club/Member-99"])
def test_nobody_comments_on_what_is_not_there(on: str, club: Draft, as_bob: Client) -> None:
    url = f"{URL}threads/{on}/"
    assert as_bob.get(url).status_code == 404
    assert as_bob.post(url, {"body": "x"}).status_code in (404, 409)
    assert not Thread.objects.exists()


def test_a_thread_is_answered_resolved_and_reopened(
    club: Draft, as_bob: Client, as_alice: Client
) -> None:
    as_bob.post(ON_VISIT, {"body": "Why?"})
    thread = Thread.objects.get()
    as_alice.post(f"{URL}thread/{thread.pk}/reply/", {"body": "Because."})
    assert [each.body for each in thread.comments.all()] == ["Why?", "Because."]
    as_alice.post(f"{URL}thread/{thread.pk}/resolve/")
    assert "resolved by alice" in text(as_bob.get(ON_VISIT))
    assert "Every thread is resolved." in text(as_bob.get(f"{URL}reviews/"))
    shown = text(as_bob.post(f"{URL}thread/{thread.pk}/reopen/", headers=HTMX))
    assert shown.startswith("<section") or f'id="thread-{thread.pk}"' in shown
    thread.refresh_from_db()
    assert not thread.is_resolved


def test_a_refused_reply_keeps_its_place(club: Draft, as_bob: Client) -> None:
    as_bob.post(ON_VISIT, {"body": "Why?"})
    thread = Thread.objects.get()
    answer = as_bob.post(f"{URL}thread/{thread.pk}/reply/", {"body": " "}, headers=HTMX)
    assert answer.status_code == 422
    assert "Write what you want to say." in text(answer)
    long = "x" * (threads.LONGEST + 1)
    answer = as_bob.post(f"{URL}thread/{thread.pk}/reply/", {"body": long}, headers=HTMX)
    assert f">{long}</textarea>" in text(answer)


def test_a_reply_that_was_sent_does_not_wait_to_be_sent_again(club: Draft, as_bob: Client) -> None:
    as_bob.post(ON_VISIT, {"body": "Why?"})
    url = f"{URL}thread/{Thread.objects.get().pk}/reply/"
    shown = text(as_bob.post(url, {"body": "Because."}, headers=HTMX))
    assert "Because." in shown
    assert ">Because.</textarea>" not in shown


def test_a_thread_is_outdated_when_its_object_changed_and_says_on_what_it_was_written(
    club: Draft, alice: User, as_bob: Client
) -> None:
    as_bob.post(ON_VISIT, {"body": "Too many?"})
    assert "written on r1" in text(as_bob.get(ON_VISIT))
    assert "outdated" not in text(as_bob.get(ON_VISIT))
    revisions.edit(
        club,
        lambda d: change_entity(d, "Visit", d.entity["Visit"].model_copy(update={"items": 7})),
        "Change",
        alice,
    )
    shown = text(as_bob.get(ON_VISIT))
    assert re.search(rf'href="{URL}r/1/">[^<]*outdated: changed since r1</a>', shown)


def test_a_thread_on_what_is_gone_is_kept_and_listed_apart(
    club: Draft, alice: User, as_bob: Client
) -> None:
    as_bob.post(ON_VISIT, {"body": "Too many?"})
    revisions.edit(club, lambda d: remove_entity(d, "Visit", and_users=True), "Remove", alice)
    shown = text(as_bob.get(f"{URL}reviews/"))
    assert "Comments on removed parts" in shown
    assert re.search(rf'href="{URL}r/1/">[^<]*gone from the design; written on r1</a>', shown)
    assert "Too many?" in shown
    panel = text(as_bob.get(ON_VISIT))
    assert "This part is no longer in the design." in panel
    assert "Your comment" not in panel


@pytest.mark.parametrize("has_thread", [True, False])
@pytest.mark.parametrize("headers", [HTMX, {}])
def test_a_comment_on_what_is_gone_meanwhile_is_shown_again(
    has_thread: bool, headers: dict[str, str], club: Draft, as_alice: Client, as_bob: Client
) -> None:
    if has_thread:
        as_bob.post(ON_VISIT, {"body": "Too many?"})
    as_alice.post(f"{URL}entities/e-visit/remove/", {"and_users": "1"})
    answer = as_bob.post(ON_VISIT, {"body": "Ten minutes of <thought>"}, headers=headers)
    assert answer.status_code == 409
    shown = text(answer)
    assert (
        "What you are commenting on is no longer in this design. alice removed it in r2 (Remove entity Visit"
        in shown
    )
    assert "Ten minutes of &lt;thought&gt;</textarea>" in shown
    # Its form says it of the design as a whole.
    (form,) = re.findall(r'<form class="comment-form".*?</form>', shown)
    (action,) = re.findall(r'action="([^"]+)"', form)
    assert as_bob.post(action, {"body": "Ten minutes of <thought>"}).status_code == 302
    assert Thread.objects.filter(on="design").count() == 1


def test_a_comment_on_a_table_that_is_gone_meanwhile_is_shown_again(
    club: Draft, as_bob: Client
) -> None:
    assert as_bob.get(URL, {"view": "single"}).status_code == 200
    answer = as_bob.post(f"{URL}threads/table:single/Gone/", {"body": "Ten minutes of thought"})
    assert answer.status_code == 409
    shown = text(answer)
    assert "What you are commenting on is no longer in this design." in shown
    assert "Ten minutes of thought</textarea>" in shown


def test_the_comments_of_what_is_gone_lead_to_the_statement_when_there_are_none(
    club: Draft, as_alice: Client, as_bob: Client
) -> None:
    as_alice.post(f"{URL}entities/e-visit/remove/", {"and_users": "1"})
    assert as_bob.get(ON_VISIT).status_code == 404
    news = {**HTMX, "HX-Trigger": "news"}
    answer = as_bob.get(ON_VISIT, headers=news)
    assert answer.status_code == 409
    assert answer.headers["HX-Push-Url"] == URL
    assert "What this thread is about is no longer in this design." in text(answer)
    answer = as_bob.get(ON_VISIT, headers={**news, "HX-Target": "results"})
    assert answer.status_code == 409
    assert "HX-Push-Url" not in answer.headers


def test_a_thread_on_what_is_gone_is_not_on_what_came_instead(
    club: Draft, alice: User, as_bob: Client, as_alice: Client
) -> None:
    on_fifth = f"{URL}threads/pattern:p-5/"
    as_bob.post(on_fifth, {"body": "Is that asked?"})
    as_alice.post(f"{URL}patterns/p-5/remove/")
    send(as_alice, f"{URL}patterns/add/", "pattern-form", NEW_PATTERN)
    fifth = design_of(club).pattern(5)
    assert fifth.name == NEW_PATTERN["name"]
    assert "This part is no longer in the design." in text(as_bob.get(on_fifth))
    on_new = f"{URL}threads/pattern:{fifth.id}/"
    assert "No comments yet." in text(as_bob.get(on_new))
    assert "Comments on removed parts" in text(as_bob.get(f"{URL}reviews/"))
    # Taken back, it is the one that was spoken of.
    club.refresh_from_db()
    removed = club.revisions.get(note__startswith="Remove").number
    undoing.undo(club, alice)
    undoing.undo(club, alice, removed)
    assert "no longer in the design" not in text(as_bob.get(on_fifth))


def test_collected_comments_are_seen_by_their_author_until_they_are_sent(
    club: Draft, alice: User, as_bob: Client, as_alice: Client
) -> None:
    reviews.ask(club, alice)
    assert "Add to my review" in text(as_bob.get(ON_VISIT))
    as_bob.post(ON_VISIT, {"body": "First thought", "how": "collect"})
    assert "only you see this" in text(as_bob.get(ON_VISIT))
    assert "First thought" not in text(as_alice.get(ON_VISIT))
    thread = Thread.objects.get()
    for deed in ("reply", "resolve", "reopen"):
        answer = as_alice.post(f"{URL}thread/{thread.pk}/{deed}/", {"body": "x"})
        assert answer.status_code == 404
    assert "1 of your comments will be sent with it." in text(as_bob.get(f"{URL}reviews/1/"))
    as_bob.post(f"{URL}reviews/1/submit/", {"kind": "comment", "head": "1"})
    assert "First thought" in text(as_alice.get(ON_VISIT))


def test_what_was_collected_can_be_thrown_away_by_its_author_only(
    club: Draft, alice: User, as_bob: Client, as_alice: Client
) -> None:
    reviews.ask(club, alice)
    as_bob.post(ON_VISIT, {"body": "First thought", "how": "collect"})
    comment = Comment.objects.get()
    url = f"{URL}comments/{comment.pk}/discard/"
    assert as_alice.post(url).status_code == 404
    assert as_bob.post(url).status_code == 302
    assert not Thread.objects.exists()


def test_what_was_sent_is_not_thrown_away(club: Draft, as_bob: Client) -> None:
    as_bob.post(ON_VISIT, {"body": "Said"})
    assert as_bob.post(f"{URL}comments/{Comment.objects.get().pk}/discard/").status_code == 404
    assert Comment.objects.exists()


def test_a_design_has_so_many_comments_and_no_more(
    club: Draft, as_bob: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = "/d/club4alice/threads/design/"
    assert as_bob.post(url, {"body": "The first"}).status_code == 302
    monkeypatch.setattr(threads, "COMMENTS", 1)
    refused = as_bob.post(url, {"body": "One more"})
    assert refused.status_code == 422 and Thread.objects.count() == 1
    assert "Continue in a copy" in refused.content.decode()
    assert "One more" in refused.content.decode()
    reply = f"/d/club4alice/thread/{Thread.objects.get().pk}/reply/"
    assert as_bob.post(reply, {"body": "And this"}).status_code == 422
    assert Comment.objects.count() == 1


def test_a_viewer_reads_and_does_not_write(club: Draft, as_bob: Client, as_viewer: Client) -> None:
    as_bob.post(ON_VISIT, {"body": "Why?"})
    thread = Thread.objects.get()
    shown = text(as_viewer.get(ON_VISIT))
    assert "Why?" in shown
    assert "comment-form" not in shown
    assert as_viewer.post(ON_VISIT, {"body": "x"}).status_code == 403
    for deed in ("reply", "resolve", "reopen"):
        url = f"{URL}thread/{thread.pk}/{deed}/"
        assert as_viewer.post(url, {"body": "x"}).status_code == 403
    assert Comment.objects.count() == 1


def test_a_thread_of_another_design_is_not_found(
    club: Draft, alice: User, as_alice: Client, as_bob: Client
) -> None:
    as_bob.post(ON_VISIT, {"body": "Why?"})
    other = Draft(slug="other4alice", project=club.project)
    revisions.start(other, revisions.latest(club), "Start", alice)
    url = f"/d/other4alice/thread/{Thread.objects.get().pk}/resolve/"
    assert as_alice.post(url).status_code == 404


def test_rows_and_parts_of_the_statement_lead_to_their_comments(
    club: Draft, as_bob: Client, as_viewer: Client
) -> None:
    as_bob.post(ON_VISIT, {"body": "Why?"})
    shown = text(as_bob.get(URL))
    for on in (
        "row:single/Club/Member-1",
        "pattern:p-1",
        "entity:e-member",
        "relationship:r-makes",
    ):
        assert f'href="{URL}threads/{on}/"' in shown
    assert "1 open thread on Visit" in shown
    seen = text(as_viewer.get(URL))
    assert "1 open thread on Visit" in seen
    assert "Comment on" not in seen


def test_a_sandbox_shows_no_way_to_comment(as_charlie: Client) -> None:
    assert "data-comment" not in text(as_charlie.get("/d/starter/"))
    assert as_charlie.get("/d/starter/threads/design/").status_code == 404


def test_what_is_being_written_is_shown_as_it_will_be_read(club: Draft, as_bob: Client) -> None:
    answer = as_bob.post(f"{URL}comments/preview/", {"body": "Ask @alice *now* <script>"})
    assert text(answer) == (
        '<p>Ask <span class="mention">@alice</span> <em>now</em> &lt;script&gt;</p> '
    )


@pytest.mark.parametrize("page", ["", "reviews/", "threads/entity:e-visit/"])
def test_no_page_makes_a_row_of_each_comment_to_find_threads(
    page: str, club: Draft, as_alice: Client
) -> None:
    """Joined, 5,000 comments took a second of each page of their design; and those of other designs were looked at."""
    begun = as_alice.post(ON_VISIT, {"body": "Why?"}, headers=HTMX)
    assert begun.status_code == 200
    with CaptureQueriesContext(connection) as asked:
        shown = as_alice.get(f"{URL}{page}")
    assert shown.status_code == 200
    said = [each["sql"] for each in asked.captured_queries if "projects_thread" in each["sql"]]
    assert said
    assert not [
        each for each in said if re.search(r'(JOIN|IN \(SELECT .* FROM) "projects_comment"', each)
    ]
