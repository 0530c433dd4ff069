"""The review pages: asked for, read, judged, stale after a change of meaning, closed; and the rules."""

import re

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from projects import naming, reviews, revisions, teams, threads
from projects.models import Draft, Review, ReviewRules, Role, Verdict
from tests.web.conftest import client_of, design_of, thread_on
from tests.web.forms import fields_of, send, words
from tests.web.test_standing import join, mean, reorder, word

URL = "/d/club4alice/reviews/"


@pytest.fixture
def as_bob(club: Draft, bob: User) -> Client:
    return client_of(join(club, bob, Role.REVIEWER))


@pytest.fixture
def review(club: Draft, alice: User) -> Review:
    return reviews.ask(club, alice, "Please look at **visits**, @bob.")


def page(client: Client, path: str = "") -> str:
    answer = client.get(f"{URL}{path}")
    assert answer.status_code == 200
    return re.sub(r"\s+", " ", re.sub(r"<svg.*?</svg>", "", answer.content.decode()))


def test_a_review_is_asked_for_of_the_design_as_it_stands(club: Draft, as_alice: Client) -> None:
    assert "Ask for a review of r1" in page(as_alice)
    answer = as_alice.post(URL, {"message": "Please look", "base": ""})
    assert answer.url == f"{URL}1/"
    review = club.reviews.get()
    assert (review.head.number, review.base, review.message) == (1, None, "Please look")
    shown = page(as_alice, "1/")
    assert "Please look" in shown
    assert "No verdict yet." in shown
    assert "Requested by alice on <time" in shown


def test_it_is_compared_with_what_was_approved_last(
    club: Draft, alice: User, bob: User, as_alice: Client, as_bob: Client, review: Review
) -> None:
    reviews.submit(review, bob, "approve")
    reviews.close(review, alice)
    mean(club, "eu-west-1", alice)
    assert re.search(r'<option value="1" selected>[^<]* \(last approved\)</option>', page(as_alice))
    as_alice.post(URL, {"base": "1"})
    shown = page(as_alice, "2/")
    assert "r1 → r2" in shown
    assert "Move to eu-west-1" in shown
    assert "<code>us-east-1</code>" in shown
    assert "/d/club4alice/history/compare/?from=1&amp;to=2" in shown


def test_what_it_can_be_compared_with_goes_by_its_name(
    club: Draft, alice: User, as_alice: Client
) -> None:
    naming.name(club, 1, "launch")
    mean(club, "eu-west-1", alice)
    mean(club, "eu-west-2", alice)
    shown = page(as_alice)
    # What was named is the first to choose from, and chosen until something is approved.
    named, edits = re.findall(r'<optgroup label="[^"]*">(.*?)</optgroup>', shown)
    assert named == '<option value="1" selected>r1, launch</option>'
    assert edits == '<option value="2">r2: Move to eu-west-1</option>'


def test_a_page_reads_once_what_was_said(
    club: Draft, alice: User, as_alice: Client, bob: User, as_bob: Client
) -> None:
    review = reviews.ask(club, alice)
    reviews.submit(review, bob, "approve")
    reviews.close(review, alice)
    with CaptureQueriesContext(connection) as queries:
        assert "Ask for a review of r1" in page(as_alice)
    read = [each for each in queries if 'FROM "projects_verdict"' in each["sql"]]
    assert len(read) == 1


def test_only_one_review_is_open_at_a_time(club: Draft, as_alice: Client, review: Review) -> None:
    answer = as_alice.post(URL, {"message": "Another"})
    assert answer.status_code == 409
    assert "already open" in answer.content.decode()


def test_a_message_is_markdown_and_calls_members(
    as_alice: Client, as_bob: Client, review: Review
) -> None:
    assert '<strong>visits</strong>, <span class="mention">@bob</span>' in page(as_alice, "1/")


def test_somebody_approves_and_everybody_sees_it(
    club: Draft, as_alice: Client, as_bob: Client, review: Review
) -> None:
    assert 'value="approve"> Approve' in page(as_bob, "1/")
    answer = as_bob.post(
        f"{URL}1/submit/", {"kind": "approve", "body": "Good *keys*.", "head": "1"}
    )
    assert answer.url == f"{URL}1/"
    shown = page(as_alice, "1/")
    assert "<strong>bob</strong> approved r1" in shown
    assert "Good <em>keys</em>." in shown
    assert "Approvals of r1: 1 of 1" in shown
    assert "status-chip is-approved" in shown


def test_an_author_sees_why_they_may_not_approve(
    club: Draft, as_alice: Client, review: Review
) -> None:
    assert 'value="approve" disabled aria-describedby="obstacle"' in page(as_alice, "1/")
    answer = as_alice.post(f"{URL}1/submit/", {"kind": "approve", "body": "Mine", "head": "1"})
    assert answer.status_code == 422
    said = answer.content.decode()
    assert "nobody may approve their own work" in said
    assert ">Mine</textarea>" in said
    assert not Verdict.objects.exists()


def test_a_verdict_that_is_refused_is_kept_in_its_own_form_only(
    club: Draft, as_alice: Client, review: Review
) -> None:
    thread_on(club).comments.create(body="Why?", sent_at=review.asked_at)
    answer = as_alice.post(f"{URL}1/submit/", {"kind": "approve", "body": "Mine", "head": "1"})
    assert answer.status_code == 422
    shown = answer.content.decode()
    assert "Your reply" in shown
    assert shown.count(">Mine</textarea>") == 1


def test_an_approval_goes_stale_with_the_meaning_and_not_with_words(
    club: Draft, alice: User, as_alice: Client, as_bob: Client, review: Review
) -> None:
    as_bob.post(f"{URL}1/submit/", {"kind": "approve", "head": "1"})
    word(club, "In other words", alice)
    shown = page(as_alice, "1/")
    assert "only words have changed: r2 means the same, and the approval still holds." in shown
    assert "stale" not in shown
    mean(club, "eu-west-1", alice)
    shown = page(as_alice, "1/")
    assert "stale: the design now means something else" in shown
    assert "The meaning of the design has changed since r1" in shown
    assert "The approval does not cover r3." in shown
    assert "Last approved: r2" in shown


def test_an_approval_goes_stale_with_another_order_of_what_is_stated(
    club: Draft, alice: User, as_alice: Client, as_bob: Client, review: Review
) -> None:
    as_bob.post(f"{URL}1/submit/", {"kind": "approve", "head": "1"})
    reorder(club, alice)
    shown = page(as_alice, "1/")
    assert "stale: the design now lists the same things in a different order" in shown
    assert "Since r1 the design lists the same things in a different order" in shown
    assert "The approval does not cover r2." in shown
    assert "which lists the same things in a different order.</span>" in shown
    compared = as_alice.get(f"/d/{club.slug}/history/compare/?from=1&to=2").content.decode()
    assert (
        "<strong>both mean the same</strong>, but list the same things in a different order"
        in compared
    )


def test_where_nothing_was_approved_nothing_is_said_of_it(
    club: Draft, alice: User, as_alice: Client, review: Review
) -> None:
    word(club, "In other words", alice)
    assert "r2 means the same." in page(as_alice, "1/")
    mean(club, "eu-west-1", alice)
    shown = page(as_alice, "1/")
    assert "The meaning of the design has changed since r1." in shown
    assert "was approved" not in shown


def test_a_review_moves_on_to_the_design_as_it_stands(
    club: Draft, alice: User, as_alice: Client, as_bob: Client, review: Review
) -> None:
    as_bob.post(f"{URL}1/submit/", {"kind": "approve", "head": "1"})
    mean(club, "eu-west-1", alice)
    assert as_alice.post(f"{URL}1/move/").url == f"{URL}1/"
    review.refresh_from_db()
    assert review.head == revisions.current(club)
    shown = page(as_bob, "1/")
    assert "Approvals of r2: 0 of 1" in shown
    assert "No verdict yet" not in shown
    assert "Your verdict on r2" in shown
    assert "; alice moved it to r2 on <time" in shown


PATTERN = "/d/club4alice/patterns/p-1/"


@pytest.mark.parametrize("is_approved", [True, False])
def test_who_changes_more_than_words_of_what_is_judged_is_told_so_once(
    is_approved: bool, bob: User, as_alice: Client, as_bob: Client, review: Review
) -> None:
    if is_approved:
        reviews.submit(review, bob, "approve")
    was = "approved" if is_approved else "in review"
    told = f"r2 is {was}. r3 differs from it in more than words"
    send(as_alice, PATTERN, "pattern-form", {"why": "The door"})
    worded = send(as_alice, PATTERN, "pattern-form", {"name": "The visits of a member"})
    assert told in worded.content.decode()
    more = send(as_alice, PATTERN, "pattern-form", {"name": "Visits of a member"})
    assert "in more than words" not in more.content.decode()


def test_it_is_told_without_script_too(as_alice: Client, review: Review) -> None:
    sent = fields_of(as_alice.get(PATTERN), "pattern-form") | {"name": "The visits of a member"}
    answer = as_alice.post(PATTERN, sent, follow=True)
    assert "r1 is in review. r2 differs from it in more than words" in answer.content.decode()


def test_a_review_that_is_of_the_newest_revision_is_not_moved(
    club: Draft, as_bob: Client, review: Review
) -> None:
    assert as_bob.post(f"{URL}1/move/").url == f"{URL}1/"
    assert not review.moves.exists()
    assert "moved it" not in page(as_bob, "1/")


@pytest.mark.parametrize("read", ["1", "", "x", "9" * 5000])
def test_nobody_judges_a_revision_that_they_did_not_read(
    read: str, club: Draft, alice: User, as_alice: Client, as_bob: Client, review: Review
) -> None:
    assert '<input type="hidden" name="head" value="1">' in page(as_bob, "1/")
    mean(club, "eu-west-1", alice)
    as_alice.post(f"{URL}1/move/")
    said = {"kind": "approve", "body": "As I read it", "head": read}
    answer = as_bob.post(f"{URL}1/submit/", said)
    assert answer.status_code == 409
    shown = answer.content.decode()
    assert "The review now covers r2." in shown
    assert ">As I read it</textarea>" in shown
    assert '<input type="hidden" name="head" value="2">' in shown
    assert not Verdict.objects.exists()
    assert as_bob.post(f"{URL}1/submit/", said | {"head": "2"}).status_code == 302
    assert Verdict.objects.get().revision.number == 2


def test_a_closed_review_is_still_read_and_takes_nothing(
    club: Draft, as_alice: Client, as_bob: Client, review: Review
) -> None:
    as_bob.post(f"{URL}1/submit/", {"kind": "changes", "body": "No.", "head": "1"})
    assert as_alice.post(f"{URL}1/close/").url == URL
    assert "requested changes to" in page(as_bob, "1/")
    assert as_bob.post(f"{URL}1/submit/", {"kind": "approve", "head": "1"}).status_code == 422
    assert as_alice.post(f"{URL}1/move/").status_code == 409
    assert as_alice.post(f"{URL}1/close/").status_code == 409
    assert "Ask for a review" in page(as_alice)


@pytest.mark.parametrize("kind", ["approve", "changes", "comment"])
def test_a_verdict_on_a_review_that_was_closed_meanwhile_is_shown_again(
    kind: str, club: Draft, as_alice: Client, as_bob: Client, review: Review
) -> None:
    as_alice.post(f"{URL}1/close/")
    sent = {"kind": kind, "head": "1", "body": "Ten minutes of thought"}
    answer = as_bob.post(f"{URL}1/submit/", sent)
    assert answer.status_code == 422
    shown = answer.content.decode()
    assert shown.count("This review was closed in the meantime.") == 1
    unsent = shown[shown.index('id="unsent"') :]
    assert "Ten minutes of thought</textarea>" in unsent
    assert 'action="/d/club4alice/threads/design/"' in unsent
    assert 'id="unsent"' not in page(as_bob, "1/")


def test_what_was_written_when_nobody_may_any_more_is_shown_again(
    club: Draft, alice: User, as_bob: Client, review: Review
) -> None:
    assert club.project is not None
    teams.archive(club.project, alice)
    design = "/d/club4alice/threads/design/"
    for url, name in ((f"{URL}1/submit/", "body"), (URL, "message"), (design, "body")):
        sent = {"kind": "comment", "head": "1", name: "Ten minutes of <thought>"}
        answer = as_bob.post(url, sent)
        assert answer.status_code == 403
        shown = answer.content.decode()
        assert "An owner of its team can restore it." in shown
        assert "Ten minutes of &lt;thought&gt;</textarea>" in shown
    assert "<textarea" not in as_bob.post(f"{URL}1/close/").content.decode()


def test_what_was_said_in_another_team_can_still_be_read(
    club: Draft, alice: User, bob: User, as_alice: Client, as_bob: Client, review: Review
) -> None:
    as_bob.post(f"{URL}1/submit/", {"kind": "approve", "body": "Good.", "head": "1"})
    theirs = teams.home(bob)
    theirs.team.memberships.create(user=alice, role=Role.EDITOR)
    as_alice.post("/designs/club4alice/move/", {"project": theirs.slug})
    shown = page(as_alice, "1/")
    assert "<strong>bob</strong> approved r1" in shown
    assert "Approvals of r1: 0 of 1" in shown
    assert "verdict-form" not in shown


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        ("approve", "it still counts, because all approvals were given before that"),
        ("changes", "no longer counts"),
    ],
)
def test_of_who_left_it_is_said_whether_what_they_said_counts(
    kind: str, said: str, bob: User, as_alice: Client, as_bob: Client, review: Review
) -> None:
    reviews.submit(review, bob, kind, "As I see it")
    assert "they left" not in page(as_alice, "1/")
    bob.delete()
    shown = page(as_alice, "1/")
    assert "they left, or may only read" in shown
    assert said in shown
    assert ("Approvals of r1: 1 of 1" in shown) == (kind == "approve")


def test_the_status_is_told_where_designs_are_listed(
    club: Draft, alice: User, bob: User, as_alice: Client, as_bob: Client
) -> None:
    lists = ("/designs/", "/projects/project4alice/")

    def told(status: str) -> bool:
        chip = f'<a class="quiet-link" href="{URL}"><span class="status-chip is-{status}">'
        return all(chip in as_bob.get(each).content.decode() for each in lists)

    assert told("draft")
    review = reviews.ask(club, alice)
    assert told("in-review")
    reviews.submit(review, bob, "changes", "No.")
    assert told("changes-requested")
    reviews.submit(review, bob, "approve")
    assert told("approved")
    word(club, "In other words", alice)
    assert told("approved")
    mean(club, "eu-west-1", alice)
    assert told("changed-since-approval")


def test_a_list_asks_no_more_for_the_status_of_more_designs(
    club: Draft, alice: User, bob: User, as_bob: Client
) -> None:
    def asked() -> int:
        with CaptureQueriesContext(connection) as queries:
            as_bob.get("/designs/")
        return len(queries)

    def judged(draft: Draft) -> None:
        reviews.submit(reviews.ask(draft, alice), bob, "approve")

    judged(club)
    asked()  # the first page of a browser also notes that it is signed in
    before = asked()
    for _ in range(3):
        judged(revisions.start(Draft(project=club.project), design_of(club), "Start", alice))
    assert asked() == before


def test_the_header_says_that_a_review_is_open(
    club: Draft, alice: User, as_bob: Client, review: Review
) -> None:
    entry = 'Review <span class="dot" title="A review is open">'
    assert entry in as_bob.get("/d/club4alice/").content.decode()
    reviews.close(review, alice)
    assert entry not in as_bob.get("/d/club4alice/").content.decode()


def test_the_rules_are_the_owners_to_change(club: Draft, as_alice: Client, as_bob: Client) -> None:
    assert "An owner of the team can change them." in page(as_bob, "rules/")
    assert as_bob.post(f"{URL}rules/", {"approvals": "2"}).status_code == 403
    assert as_alice.post(f"{URL}rules/", {"approvals": "0"}).status_code == 422
    assert as_alice.post(f"{URL}rules/", {"approvals": "1", "tolerance": "51"}).status_code == 422
    sent = {"approvals": "2", "own": "on", "tolerance": "10"}
    assert as_alice.post(f"{URL}rules/", sent).url == URL
    rules = ReviewRules.objects.get(project=club.project)
    assert (rules.approvals, rules.own, rules.threads_block) == (2, True, False)
    assert rules.tolerance == 10
    assert "2 approvals needed" in page(as_bob)
    assert "holds while figures change by at most 10 %" in page(as_bob)


def test_a_viewer_reads_and_does_not_judge(club: Draft, bob: User, review: Review) -> None:
    as_viewer = client_of(join(club, bob, Role.VIEWER))
    shown = page(as_viewer, "1/")
    assert "Please look" in shown
    assert "verdict-form" not in shown
    assert as_viewer.post(f"{URL}1/submit/", {"kind": "approve", "head": "1"}).status_code == 403
    assert as_viewer.post(URL, {}).status_code == 403


def test_a_stranger_sees_no_review(review: Review, bob: User) -> None:
    stranger = client_of(bob)
    assert stranger.get(f"{URL}1/").status_code == 404
    assert stranger.post(f"{URL}1/submit/", {"kind": "approve", "head": "1"}).status_code == 404


def test_what_is_not_there_is_not_found(club: Draft, as_alice: Client, review: Review) -> None:
    assert as_alice.get(f"{URL}7/").status_code == 404
    assert as_alice.post(f"{URL}1/submit/", {"kind": "adore"}).status_code == 404
    assert as_alice.post(URL, {"base": "99"}).status_code == 409


def test_a_design_is_compared_with_what_came_before_it(
    club: Draft, alice: User, as_alice: Client
) -> None:
    word(club, "In other words", alice)
    for base in ("2", "3", "0", "9" * 5000):
        answer = as_alice.post(URL, {"base": base, "message": "Please look"})
        assert answer.status_code == 409
        assert "There is no earlier revision with that number" in answer.content.decode()
    assert as_alice.get(URL).status_code == 200
    assert not Review.objects.exists()


def test_nobody_says_more_than_a_comment_may_hold(
    club: Draft, as_alice: Client, as_bob: Client
) -> None:
    longest = "a" * threads.LONGEST
    answer = as_alice.post(URL, {"message": f"{longest}b"})
    assert answer.status_code == 409
    assert words("characters-at-most", most=threads.LONGEST) in answer.content.decode()
    assert f">{longest}b</textarea>" in answer.content.decode()
    as_alice.post(URL, {"message": longest})
    said = {"kind": "comment", "head": "1"}
    answer = as_bob.post(f"{URL}1/submit/", said | {"body": f"{longest}b"})
    assert answer.status_code == 422
    assert f">{longest}b</textarea>" in answer.content.decode()
    assert not Verdict.objects.exists()
    assert as_bob.post(f"{URL}1/submit/", said | {"body": longest}).status_code == 302


def test_a_design_has_so_many_verdicts_and_no_more(
    as_bob: Client, review: Review, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent = {"kind": "comment", "body": "I read it.", "head": "1"}
    assert as_bob.post(f"{URL}1/submit/", sent).status_code == 302
    monkeypatch.setattr(threads, "COMMENTS", 1)
    refused = as_bob.post(f"{URL}1/submit/", {**sent, "body": "And again."})
    assert refused.status_code == 422 and review.verdicts.count() == 1
    page = refused.content.decode()
    assert "This design has reached its limit of verdicts." in page and "And again." in page


def test_a_sandbox_has_no_reviews_and_says_how_to_get_them(as_charlie: Client) -> None:
    shown = as_charlie.get("/d/starter/reviews/").content.decode()
    assert "Teams review designs" in shown
    assert "Keep this design" in shown
    copy = as_charlie.post("/gallery/starter/copy/").url
    assert as_charlie.post(f"{copy}reviews/", {}).status_code == 200
    assert not Review.objects.exists()


def test_a_page_shows_20_verdicts_and_leads_to_the_earlier_ones(
    alice: User, bob: User, as_alice: Client, review: Review
) -> None:
    said = {"review": review, "revision": review.head, "kind": "comment", "author": bob}
    Verdict.objects.bulk_create(
        Verdict(body=f"Said {at}.", voter=bob.pk, **said) for at in range(43)
    )
    shown, path = [], "1/"
    while path:
        found = page(as_alice, path)
        shown.append(re.findall(r"Said (\d+)\.", found))
        assert ("Show the newest verdicts" in found) == (len(shown) > 1)
        onward = re.search(r'href="[^"]*/reviews/(1/\?verdicts=\d+)#', found)
        path = onward[1] if onward else ""
    every = [str(at) for at in range(43)]
    assert shown == [every[23:], every[3:23], every[:3]]
