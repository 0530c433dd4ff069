"""How often the busiest pages ask the database: as often with much in it as with little."""

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from projects import links, reviews, revisions, work
from projects.models import Draft, Membership, Project, Role
from tests.web.conftest import design_of, thread_on
from tests.web.test_standing import mean, word

URL = "/d/club4alice/"
MORE = 4
"""Of each thing, beside the first."""

PAGES = {
    URL: 14,
    f"{URL}?show=diagram": 14,
    f"{URL}patterns/1/": 13,
    f"{URL}cost/": 19,
    f"{URL}compare/": 24,
    f"{URL}exports/": 19,
    f"{URL}history/": 16,
    f"{URL}reviews/": 28,
    f"{URL}reviews/1/": 38,
    f"{URL}share/": 19,
    "/designs/": 16,
    "/projects/project4alice/": 15,
    "/projects/project4alice/activity/": 16,
    "/teams/team4alice/": 12,
    "/gallery/": 4,
}
"""The busiest pages, and how often each asks."""


@pytest.fixture
def lived_in(club: Draft, alice: User, monkeypatch: pytest.MonkeyPatch) -> Draft:
    """One of each thing that a page lists, where no other test has worked anything out, and no time goes by."""
    work.forget()
    now = timezone.now()
    monkeypatch.setattr(timezone, "now", lambda: now)
    add(club, alice, 1)
    return club


def add(club: Draft, alice: User, number: int) -> None:
    """A member, a project, a design, two edits, a thread of two, a review with a verdict, and a link."""
    project = club.project
    assert project is not None
    person = User.objects.create(username=f"reviewer{number}")
    Membership.objects.create(team=project.team, user=person, role=Role.REVIEWER)
    Project.objects.create(team=project.team, name=f"Project {number}", slug=f"project{number}")
    other = Draft(slug=f"other{number}", project=project)
    revisions.start(other, design_of(club), "Start", alice)
    word(club, f"In other words, {number}", alice)
    mean(club, "eu-west-1" if number % 2 else "eu-west-2", alice)
    thread = thread_on(club)
    for writer in (alice, person):
        thread.comments.create(body=f"Why {number}?", author=writer, sent_at=timezone.now())
    review = reviews.ask(club, alice, f"Please look, {number}")
    reviews.submit(review, person, "comment", "I looked.")
    reviews.close(review, alice)
    links.make(club, alice, name=f"For reader {number}")


def asked(client: Client) -> dict[str, int]:
    """How often each page asks the database, once all that it shows has been worked out."""
    found = {}
    for address in PAGES:
        assert client.get(address).status_code == 200, address
        with CaptureQueriesContext(connection) as queries:
            client.get(address)
        found[address] = len(queries)
    return found


def test_a_page_asks_as_often_for_many_things_as_for_one(
    lived_in: Draft, alice: User, as_alice: Client
) -> None:
    assert asked(as_alice) == PAGES
    for number in range(2, 2 + MORE):
        add(lived_in, alice, number)
    assert asked(as_alice) == PAGES
