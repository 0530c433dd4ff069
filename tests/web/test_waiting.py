"""What waits for somebody in the site: told on their designs' page and in the header, gone once it is seen."""

import re

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from projects import reviews, teams, waiting
from projects.models import Comment, Draft, Membership, Notices, Role, Waiting
from projects.views.designs import MOST_WAITING
from tests.web.conftest import thread_on
from tests.web.letters import main_of
from tests.web.test_standing import join, mean

URL = "/d/club4alice/"
ON_VISIT = f"{URL}threads/entity:e-visit/"

# The worker takes a lock that a test's own transaction would hold.
pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def reviewer(bob: User, club: Draft) -> User:
    return join(club, bob, Role.REVIEWER)


def waits(client: Client) -> list[str]:
    """What the page of one's designs says waits, once the worker did what it had to."""
    call_command("worker", batch=True)
    page = main_of(client.get("/designs/"))
    lines = re.findall(r"<li><span>(.*?)</span> <time", page)
    return [re.sub(r"<[^>]+>", "", line) for line in lines]


def counted(client: Client, url: str = "/gallery/") -> str:
    """What the header of a page says."""
    header = client.get(url).content.decode().split("</header>")[0]
    found = re.search(r'<a class="tool waits" href="/designs/#waiting" title="([^"]*)"', header)
    return found[1] if found else ""


def test_a_review_waits_for_those_who_may_review(as_alice: Client, as_bob: Client) -> None:
    as_alice.post(f"{URL}reviews/", {"message": "Please look"})
    assert waits(as_bob) == ["alice asks you for review 1 of r1 in Club"]
    assert waits(as_alice) == []
    assert counted(as_bob) == "1 thing waits for you"
    assert counted(as_bob, URL) == "1 thing waits for you"
    assert counted(as_alice) == ""


def test_who_is_asked_for_a_review_and_called_in_it_is_asked(
    as_alice: Client, as_bob: Client
) -> None:
    as_alice.post(f"{URL}reviews/", {"message": "The visits, @bob."})
    assert waits(as_bob) == ["alice asks you for review 1 of r1 in Club"]


def test_a_mention_a_reply_and_a_verdict_wait(
    club: Draft, alice: User, as_alice: Client, as_bob: Client
) -> None:
    as_alice.post(ON_VISIT, {"body": "Why, @bob?"})
    assert waits(as_bob) == ["alice mentioned you on Entity Visit in Club"]
    thread = Comment.objects.get().thread_id
    as_bob.post(f"{URL}thread/{thread}/reply/", {"body": "So."})
    assert waits(as_alice) == ["bob replied to you on Entity Visit in Club"]
    reviews.ask(club, alice)
    as_bob.post(f"{URL}reviews/1/submit/", {"kind": "approve", "head": "1"})
    assert waits(as_alice)[0] == "bob approved review 1 in Club"
    as_bob.post(f"{URL}reviews/1/submit/", {"kind": "changes", "head": "1", "body": "Wait."})
    assert waits(as_alice)[0] == "bob requested changes in review 1 in Club"
    assert counted(as_alice) == "2 things wait for you"


def test_many_replies_in_a_thread_are_one_line(as_alice: Client, as_bob: Client) -> None:
    as_alice.post(ON_VISIT, {"body": "Why?"})
    thread = Comment.objects.get().thread_id
    for body in ("So.", "And so, @alice."):
        as_bob.post(f"{URL}thread/{thread}/reply/", {"body": body})
    assert waits(as_alice) == ["bob mentioned you on Entity Visit in Club"]


@pytest.mark.parametrize("url", [ON_VISIT, f"{URL}reviews/"])
def test_it_is_gone_once_its_page_was_seen(url: str, as_alice: Client, as_bob: Client) -> None:
    as_alice.post(ON_VISIT, {"body": "Why, @bob?"})
    assert counted(as_bob) == ""
    assert len(waits(as_bob)) == 1
    as_bob.get(f"{URL}threads/entity:e-member/")
    assert len(waits(as_bob)) == 1
    assert counted(as_bob, url) == ""
    assert waits(as_bob) == []


def test_a_review_is_seen_on_its_page(as_alice: Client, as_bob: Client) -> None:
    as_alice.post(f"{URL}reviews/", {"message": ""})
    assert len(waits(as_bob)) == 1
    as_bob.get(f"{URL}reviews/1/")
    assert waits(as_bob) == []


def test_a_closed_review_waits_for_nobody(as_alice: Client, as_bob: Client) -> None:
    as_alice.post(f"{URL}reviews/", {"message": ""})
    assert len(waits(as_bob)) == 1
    as_alice.post(f"{URL}reviews/1/close/")
    assert waits(as_bob) == []


def test_a_review_that_moves_on_waits_again(
    club: Draft, alice: User, as_alice: Client, as_bob: Client
) -> None:
    reviews.ask(club, alice)
    mean(club, "eu-west-1", alice)
    as_alice.post(f"{URL}reviews/1/move/")
    assert waits(as_bob) == ["alice asks you for review 1 of r2 in Club"]


def test_all_is_seen_at_once(as_alice: Client, as_bob: Client) -> None:
    as_alice.post(ON_VISIT, {"body": "Why, @bob?"})
    assert len(waits(as_bob)) == 1
    assert as_bob.post("/designs/seen/").url == "/designs/"
    assert waits(as_bob) == []
    assert as_bob.get("/designs/seen/").status_code == 405


def test_it_waits_for_who_wants_no_e_mail(bob: User, as_alice: Client, as_bob: Client) -> None:
    Notices.objects.create(user=bob, wanted=Notices.Wanted.NONE)
    as_alice.post(ON_VISIT, {"body": "Why, @bob?"})
    assert len(waits(as_bob)) == 1


def test_who_left_the_team_learns_nothing(bob: User, as_alice: Client, as_bob: Client) -> None:
    as_alice.post(ON_VISIT, {"body": "Why, @bob?"})
    assert len(waits(as_bob)) == 1
    Membership.objects.filter(user=bob, role=Role.REVIEWER).delete()
    assert waits(as_bob) == []
    assert counted(as_bob) == ""


def test_it_goes_with_the_account_and_names_nobody_who_left(
    club: Draft, alice: User, bob: User, as_alice: Client, as_bob: Client
) -> None:
    dora = join(club, User.objects.create(username="dora"), Role.OWNER)
    as_alice.post(ON_VISIT, {"body": "Why, @bob?"})
    assert len(waits(as_bob)) == 1
    waiting.note(alice, Comment.objects.get().thread, Waiting.Why.REPLIED, dora)
    teams.remove_account(alice)
    assert waits(as_bob) == ["someone who left mentioned you on Entity Visit in Club"]
    teams.remove_account(bob)
    assert not Waiting.objects.exists()


def test_a_page_asks_once_how_much_waits(as_alice: Client, as_bob: Client) -> None:
    as_alice.post(ON_VISIT, {"body": "Why, @bob?"})
    call_command("worker", batch=True)
    for url in ("/designs/", URL, "/gallery/", f"{URL}history/"):
        with CaptureQueriesContext(connection) as queries:
            as_bob.get(url)
        asked = [each["sql"] for each in queries if 'FROM "projects_waiting"' in each["sql"]]
        assert len(asked) == 1, url


def test_of_much_that_waits_only_what_is_shown_is_read(
    club: Draft, alice: User, bob: User, as_bob: Client
) -> None:
    for each in range(MOST_WAITING + 8):
        waiting.note(bob, thread_on(club, f"Thread {each}"), Waiting.Why.CALLED, alice)
    with CaptureQueriesContext(connection) as queries:
        lines, count = waiting.lines(bob, MOST_WAITING)
    (asked,) = [each["sql"] for each in queries if 'FROM "projects_waiting"' in each["sql"]]
    assert asked.endswith("LIMIT 12")
    assert [line.what for line in lines] == [f"Thread {19 - each}" for each in range(12)]
    assert (count, counted(as_bob)) == (20, "20 things wait for you")


def test_visitors_without_an_account_ask_for_nothing(as_charlie: Client) -> None:
    with CaptureQueriesContext(connection) as queries:
        as_charlie.get("/designs/")
    assert not [each for each in queries if "projects_waiting" in each["sql"]]
