"""E-mail about reviews and comments: to whom, about what, once, and not to who chose otherwise."""

import pytest
from django.contrib.auth.models import User
from django.core import mail
from django.core.management import call_command
from django.test import Client

from projects import links, reviews
from projects.models import Comment, Draft, Membership, Notices, Role
from tests.web.conftest import client_of
from tests.web.test_standing import join, mean

URL = "/d/club4alice/"
ON_VISIT = f"{URL}threads/entity:e-visit/"

# The worker takes a lock that a test's own transaction would hold.
pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def addresses(alice: User, bob: User, club: Draft) -> None:
    for each in (alice, join(club, bob, Role.REVIEWER)):
        each.email = f"{each.username}@example.com"
        each.save()


@pytest.fixture
def cid(club: Draft) -> User:
    return join(club, User.objects.create(username="cid", email="cid@example.com"), Role.VIEWER)


def told() -> dict[str, str]:
    """Who was told, and in which words."""
    call_command("worker", batch=True)
    found = {message.to[0]: f"{message.subject}\n{message.body}" for message in mail.outbox}
    assert len(found) == len(mail.outbox)
    return found


def test_those_who_may_review_are_asked(cid: User, as_alice: Client) -> None:
    as_alice.post(f"{URL}reviews/", {"message": "Please look at\nthe visits"})
    found = told()
    assert list(found) == ["bob@example.com"]
    letter = found["bob@example.com"]
    assert letter.startswith("Club: alice asks for a review of r1\n")
    assert "Please look at\nthe visits" in letter
    assert f"http://testserver{URL}reviews/1/" in letter
    assert "http://testserver/notices/" in letter


def test_the_same_people_are_told_that_a_review_is_of_another_revision(
    club: Draft, cid: User, alice: User, as_bob: Client
) -> None:
    reviews.ask(club, cid)
    mean(club, "eu-west-1", alice)
    as_bob.post(f"{URL}reviews/1/move/")
    found = told()
    assert list(found) == ["alice@example.com"]
    letter = found["alice@example.com"]
    assert letter.startswith("Club: bob moved the review to r2\n")
    assert "The review now covers r2.\n" in letter
    assert f"http://testserver{URL}reviews/1/" in letter
    assert "you may review this design" in letter
    as_bob.post(f"{URL}reviews/1/move/")
    assert list(told()) == ["alice@example.com"]


def test_who_is_mentioned_is_told_once(cid: User, as_alice: Client) -> None:
    as_alice.post(f"{URL}reviews/", {"message": "@cid and @bob and again @bob, and @alice"})
    assert sorted(told()) == ["bob@example.com", "cid@example.com"]


def test_a_comment_is_told_to_who_is_mentioned_and_to_who_wrote_before(
    cid: User, as_alice: Client, as_bob: Client
) -> None:
    as_alice.post(ON_VISIT, {"body": "Why?"})
    assert told() == {}
    thread = Comment.objects.get().thread_id
    as_bob.post(f"{URL}thread/{thread}/reply/", {"body": "Ask @cid & <others>"})
    found = told()
    assert sorted(found) == ["alice@example.com", "cid@example.com"]
    assert "Ask @cid & <others>" in found["cid@example.com"]
    assert "Club: bob commented on Entity Visit" in found["alice@example.com"]
    assert "you wrote in this thread" in found["alice@example.com"]
    assert "you were mentioned" in found["cid@example.com"]
    said = Comment.objects.get(body__startswith="Ask").pk
    assert (
        f"http://testserver{ON_VISIT}?comment={said}#comment-{said}" in found["alice@example.com"]
    )


def test_a_verdict_is_one_letter_with_all_comments_sent_with_it(
    club: Draft, alice: User, as_bob: Client
) -> None:
    reviews.ask(club, alice)
    as_bob.post(ON_VISIT, {"body": "Too many, @alice?", "how": "collect"})
    assert told() == {}
    as_bob.post(f"{URL}reviews/1/submit/", {"kind": "changes", "body": "Not yet.", "head": "1"})
    found = told()
    assert list(found) == ["alice@example.com"]
    letter = found["alice@example.com"]
    assert letter.startswith("Club: bob requests changes to r1\n")
    assert "Not yet." in letter
    assert "Entity Visit:\nToo many, @alice?" in letter


def test_who_asked_for_a_review_is_told_of_comments_while_it_is_open(
    club: Draft, alice: User, cid: User, as_bob: Client
) -> None:
    review = reviews.ask(club, alice)
    as_bob.post(ON_VISIT, {"body": "Why?"})
    found = told()
    assert list(found) == ["alice@example.com"]
    assert "you asked for this review" in found["alice@example.com"]
    mail.outbox.clear()
    reviews.close(review, alice)
    as_bob.post(ON_VISIT, {"body": "And why this?"})
    assert told() == {}


def test_a_verdict_without_words_is_told_in_a_sentence(
    club: Draft, alice: User, as_bob: Client
) -> None:
    reviews.ask(club, alice)
    as_bob.post(f"{URL}reviews/1/submit/", {"kind": "approve", "head": "1"})
    told()
    (letter,) = mail.outbox
    assert letter.body.startswith(f"Club: bob approves r1.\n\nhttp://testserver{URL}reviews/1/\n")


def test_who_asked_for_a_review_and_left_is_not_told_the_verdict(
    club: Draft, cid: User, as_bob: Client
) -> None:
    reviews.ask(club, cid)
    as_bob.post(f"{URL}reviews/1/submit/", {"kind": "approve", "head": "1"})
    assert list(told()) == ["cid@example.com"]
    mail.outbox.clear()
    Membership.objects.filter(user=cid).delete()
    as_bob.post(f"{URL}reviews/1/submit/", {"kind": "changes", "body": "Not yet.", "head": "1"})
    assert told() == {}


@pytest.mark.parametrize(("wanted", "is_told"), [("all", True), ("called", False), ("none", False)])
def test_one_chooses_whether_to_be_told_of_replies(
    wanted: str, is_told: bool, as_alice: Client, as_bob: Client
) -> None:
    as_alice.post(ON_VISIT, {"body": "Why?"})
    assert as_alice.post("/notices/", {"wanted": wanted}).url == "/notices/"
    as_bob.post(f"{URL}thread/{Comment.objects.get().thread_id}/reply/", {"body": "So."})
    assert bool(told()) == is_told


@pytest.mark.parametrize(("wanted", "is_told"), [("all", True), ("called", True), ("none", False)])
def test_one_chooses_whether_to_be_told_of_mentions(
    wanted: str, is_told: bool, alice: User, as_bob: Client
) -> None:
    Notices.objects.create(user=alice, wanted=wanted)
    as_bob.post(ON_VISIT, {"body": "@alice?"})
    assert bool(told()) == is_told


def test_who_has_no_address_or_left_is_not_told(alice: User, cid: User, as_bob: Client) -> None:
    User.objects.filter(pk=alice.pk).update(email="")
    Membership.objects.filter(user=cid).delete()
    as_bob.post(ON_VISIT, {"body": "@alice @cid"})
    assert told() == {}


def test_a_subject_is_one_line(club: Draft, as_alice: Client) -> None:
    Draft.objects.update(name="The\r\n  Club\u2028of\ttoday")
    as_alice.post(f"{URL}reviews/", {"message": "Please look"})
    letter = told()["bob@example.com"]
    assert letter.startswith("The Club of today: alice asks for a review of r1\nPlease look\n")


def test_an_address_that_is_refused_keeps_no_other_letter_back(
    cid: User, as_bob: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    send = mail.EmailMessage.send

    def refuse(message: mail.EmailMessage) -> int:
        if message.to == ["alice@example.com"]:
            raise OSError("no")
        return send(message)

    monkeypatch.setattr(mail.EmailMessage, "send", refuse)
    as_bob.post(ON_VISIT, {"body": "@alice @cid"})
    assert list(told()) == ["cid@example.com"]


def test_the_page_shows_the_choice_and_refuses_what_is_none(as_alice: Client, db: None) -> None:
    assert as_alice.post("/notices/", {"wanted": "some"}).status_code == 422
    as_alice.post("/notices/", {"wanted": "called"})
    assert 'value="called" checked' in as_alice.get("/notices/").content.decode()
    assert client_of(User.objects.create(username="dan")).get("/notices/").status_code == 200
    assert Client().get("/notices/").status_code == 302


def test_who_made_a_link_is_told_what_its_readers_say_and_guests_call_nobody(
    club: Draft, alice: User, as_bob: Client
) -> None:
    url = f"/s/{links.make(club, alice, may_comment=True)[1]}/comments/"
    said = {"on": "pattern:p-1", "name": "Grace", "body": "Why, @bob?"}
    assert Client().post(url, said).status_code == 302
    found = told()
    assert list(found) == ["alice@example.com"]
    assert found["alice@example.com"].startswith("Club: Grace (guest) commented on Pattern 1")
    assert "a reader of your link commented" in found["alice@example.com"]
    panel = as_bob.get(f"{URL}threads/pattern:p-1/").content.decode()
    assert "started through a link; its readers see replies" in panel
