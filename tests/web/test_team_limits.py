"""How much members may keep: teams, people in them, projects, invitations, and designs with their histories."""

import json
from collections.abc import Iterator
from datetime import timedelta
from math import ceil

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone
from limits import RateLimitItemPerHour
from pytest_django import Settings

from projects import invitations, quotas, shares, teams
from projects.models import Draft, Revision, Role, Team, Throttled
from tests.web.conftest import client_of
from tests.web.forms import fields_of, send, words
from tests.web.test_standing import word

SETTINGS = "/d/club4alice/settings/"


@pytest.fixture(autouse=True)
def fresh() -> Iterator[None]:
    quotas.forget()
    yield
    quotas.forget()


@pytest.fixture
def team(club: Draft) -> Team:
    assert club.project is not None
    return club.project.team


def test_somebody_owns_so_many_teams_and_no_more(as_bob: Client, settings: Settings) -> None:
    settings.TEAMS = 2
    for name in ("Payments", "Search"):
        assert as_bob.post("/teams/new/", {"name": name}).status_code == 302
    refused = as_bob.post("/teams/new/", {"name": "Once more"})
    assert refused.status_code == 429
    shown = refused.content.decode()
    assert words("teams-at-limit", most=2) in shown and "Once more" in shown
    assert Team.objects.count() == 2


def test_their_own_team_is_made_for_whoever_owns_many(bob: User, settings: Settings) -> None:
    settings.TEAMS = 1
    teams.create("Payments", bob)
    assert teams.home(bob).team.name == "bob's team"


def test_so_many_are_in_a_team_and_no_more(
    team: Team, alice: User, as_bob: Client, settings: Settings
) -> None:
    settings.TEAM_MEMBERS = 1
    link = invitations.by_link(team, Role.EDITOR, alice)
    as_bob.get(f"/join/{link}/", follow=True)
    refused = as_bob.post("/join/accept/")
    assert refused.status_code == 429
    assert words("members-at-limit", most=1) in refused.content.decode()
    assert team.memberships.count() == 1
    settings.TEAM_MEMBERS = 2
    assert as_bob.post("/join/accept/").status_code == 302
    assert team.memberships.count() == 2
    settings.TEAM_MEMBERS = 1
    as_bob.get(f"/join/{link}/", follow=True)
    assert as_bob.post("/join/accept/").status_code == 302  # who is in it already stays


def test_so_many_invitations_are_open_and_no_more(
    team: Team, as_alice: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(quotas, "OPEN_INVITATIONS", 2)
    to = f"/teams/{team.slug}/invitations/"
    assert as_alice.post(f"{to}link/", {"role": "editor"}).status_code == 200
    letter = {"email": "bob@example.com", "role": "editor"}
    assert as_alice.post(f"{to}letter/", letter).status_code == 302
    for path, sent in (("link/", {"role": "editor"}), ("letter/", letter)):
        refused = as_alice.post(f"{to}{path}", sent)
        assert refused.status_code == 409
        assert "2 invitations are open. Withdraw those" in refused.content.decode()
    assert team.invitations.count() == 2


def test_a_limit_of_one_speaks_of_one() -> None:
    """Whoever runs a site chooses the limits."""
    assert words("sandboxes-at-limit", most=1).endswith(
        "Sign up to keep it, or continue in it; it is removed a day after it was created."
    )
    assert words("sandboxes-at-limit", most=2).endswith(
        "Sign up to keep them, or continue in one of them; each is removed a day after it was created."
    )
    assert words("teams-at-limit", most=1) == (
        "You own 1 team, which is the limit. Remove it, or make somebody else its owner."
    )
    assert words("invitations-at-limit", most=1) == (
        "1 invitation is open. Withdraw it, if nobody needs it."
    )


def test_a_team_has_so_many_projects_and_no_more(
    team: Team, as_alice: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(quotas, "PROJECTS", team.projects.count())
    refused = as_alice.post(f"/teams/{team.slug}/projects/new/", {"name": "Once more"})
    assert refused.status_code == 429 and "Once more" in refused.content.decode()


def test_designs_of_a_team_have_so_much_room(
    club: Draft, as_alice: Client, settings: Settings
) -> None:
    send(as_alice, SETTINGS, "settings-form", {"name": "Club 1"})
    settings.TEAM_MB = 0
    quotas.forget()
    fields = {**fields_of(as_alice.get(SETTINGS), "settings-form"), "name": "Club 2"}
    refused = as_alice.post(SETTINGS, fields)
    assert refused.status_code == 429
    assert "Remove designs that nobody needs" in refused.content.decode()
    assert "Club 2" in refused.content.decode()
    new = as_alice.post("/designs/new/", {"name": "Another"})
    assert new.status_code == 429 and Draft.objects.count() == 1
    club.refresh_from_db()
    assert club.name == "Club 1"


def test_many_small_designs_take_room_too(
    club: Draft, as_alice: Client, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.TEAM_MB = 1
    monkeypatch.setattr(quotas, "LEAST", 1_000_000)
    quotas.forget()
    assert as_alice.post("/designs/new/", {"name": "Another"}).status_code == 429


def test_teams_of_one_person_share_the_room_for_their_designs(
    club: Draft, as_alice: Client, alice: User, bob: User, settings: Settings
) -> None:
    settings.OWNER_MB = 1
    for name in ("Payments", "Search"):
        project = teams.create(name, alice).projects.create(name=name, slug=f"{name}4alice")
        Draft.objects.create(slug=f"{name}4alice", project=project, bytes=600_000)
    quotas.forget()
    refused = send(as_alice, SETTINGS, "settings-form", {"name": "Tennis"})
    assert refused.status_code == 429
    said = "The designs in all teams of this team&#x27;s owner take 1 MB"
    assert said.replace("&#x27;", "'") in refused.content.decode().replace("&#x27;", "'")
    # A team with another owner, who has room, is that one's.
    assert club.project is not None
    club.project.team.memberships.create(user=bob, role=Role.OWNER)
    quotas.forget()
    assert send(as_alice, SETTINGS, "settings-form", {"name": "Tennis"}).status_code == 200


def test_one_person_saves_so_much_in_an_hour_and_no_more(
    club: Draft, as_alice: Client, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    size = club.revisions.get().bytes
    few = RateLimitItemPerHour(ceil(size / 1000) + 2, namespace="saved")
    monkeypatch.setattr(quotas, "SAVED", few)
    fields = fields_of(as_alice.get(SETTINGS), "settings-form")
    assert as_alice.post("/designs/club4alice/duplicate/").status_code == 302
    content = f"name: Uploaded\n# {'words ' * 100}\nkeywright: 1\ndescription: {'words ' * 500}"
    file = SimpleUploadedFile("design.yaml", content.encode())
    imported = {"design": json.dumps({"keywright": 1, "name": "X", "description": "word " * 600})}
    refused = {
        "duplicate": as_alice.post("/designs/club4alice/duplicate/"),
        "upload": as_alice.post("/designs/upload/", {"file": file}),
        "import": as_alice.post("/import/make/", imported),
        "edit": as_alice.post(SETTINGS, {**fields, "description": "long words " * 300}),
    }
    for what, answer in refused.items():
        assert answer.status_code == 429, what
        assert words("too-much-saved", wait="60 minutes") in answer.content.decode(), what
        assert 3500 < int(answer.headers["Retry-After"]) <= 3600
    assert "long words" in refused["edit"].content.decode()
    assert (Draft.objects.count(), Revision.objects.count()) == (2, 2)
    # What was refused is not counted: there is room for less, and for others.
    assert as_alice.post("/designs/new/", {"name": "Small"}).status_code == 302
    assert client_of(bob).post("/designs/new/", {"name": "Small"}).status_code == 302
    an_hour_later = timezone.now() + timedelta(minutes=61)
    monkeypatch.setattr(timezone, "now", lambda: an_hour_later)
    assert as_alice.post("/designs/club4alice/duplicate/").status_code == 302


def test_visitors_and_the_site_itself_are_not_counted_by_what_they_save(
    club: Draft, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(quotas, "SAVED", RateLimitItemPerHour(1, namespace="saved"))
    assert Client().post("/gallery/shop/copy/").status_code == 302
    word(club, "In other words", alice)
    assert not Throttled.objects.filter(pk__contains="saved").exists()


def test_a_person_has_one_share_in_all_their_teams(club: Draft) -> None:
    person, visitor = shares.Share("person:1", True), shares.Share("visitor:1", False)
    assert club.project is not None
    team = shares.Share(f"team:{club.project.team_id}", True)
    for asking, its in ((person, person), (visitor, team), (shares.SITE, team)):
        token = shares._current.set(asking)
        try:
            assert shares.of(club) == its
        finally:
            shares._current.reset(token)
