"""An account is removed: what goes with it, what stays, and when it can't."""

from collections.abc import Callable

import pytest
from django.contrib.auth.models import User
from django.test import Client

from projects import teams
from projects.models import Draft, Revision, Team

PASSWORD = "blue kettle sings"
Colleague = Callable[..., Client]


@pytest.fixture
def secret(alice: User) -> dict[str, str]:
    """Alice's password, as the form takes it."""
    alice.set_password(PASSWORD)
    alice.save()
    return {"password": PASSWORD}


@pytest.fixture
def as_alice(alice: User, secret: dict[str, str]) -> Client:
    client = Client()
    client.force_login(alice)
    return client


def test_a_team_of_one_goes_with_its_owner(
    club: Draft, as_alice: Client, secret: dict[str, str]
) -> None:
    assert "alice&#x27;s team" in as_alice.get("/account/remove/").content.decode()
    assert as_alice.post("/account/remove/", secret).url == "/"
    assert not User.objects.exists()
    assert not Team.objects.exists()
    assert not Draft.objects.exists()
    assert as_alice.get("/account/").status_code == 302


def test_it_takes_the_password(club: Draft, as_alice: Client) -> None:
    for wrong in ({}, {"password": "wrong"}):
        assert as_alice.post("/account/remove/", wrong).status_code == 422
    assert as_alice.get("/account/").status_code == 200


def test_the_only_owner_of_others_hands_the_team_over_first(
    club: Draft, as_alice: Client, secret: dict[str, str], colleague: Colleague
) -> None:
    as_dora = colleague("editor", "dora")
    answer = as_alice.post("/account/remove/", secret)
    assert answer.status_code == 409
    assert "Make somebody else an owner" in answer.content.decode()
    assert User.objects.filter(username="alice").exists()
    number = club.project.team.memberships.get(user__username="dora").pk
    as_alice.post(f"/teams/team4alice/members/{number}/hand-over/")
    assert as_alice.post("/account/remove/", secret).url == "/"
    page = as_dora.get("/d/club4alice/history/")
    assert "someone who left" in page.content.decode()
    assert "a visitor" not in page.content.decode()
    assert Revision.objects.get().author is None
    assert list(Team.objects.get().memberships.values_list("role", flat=True)) == ["owner"]


def test_whoever_comes_after_gets_a_team_of_their_own(
    club: Draft, as_alice: Client, secret: dict[str, str], colleague: Colleague, alice: User
) -> None:
    colleague("owner", "dora")
    as_alice.post("/account/remove/", secret)
    again = User.objects.create(username="alice")
    assert teams.home(again).team != club.project.team
