"""An account is removed: what goes with it, what stays, and when it can't."""

import io
import json
import re
import zipfile
from collections.abc import Callable

import pytest
from axes.models import AccessAttempt, AccessLog
from django.apps import apps
from django.contrib.auth.models import User
from django.test import Client

from designer.core.design.load import load
from projects import links, revisions, taken_along, teams, threads
from projects.models import Draft, Revision, Team
from projects.threads import Writer
from tests.web.conftest import approve

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
    page = as_alice.get("/account/remove/").content.decode()
    assert "alice&#x27;s team" in page
    assert "You are the only member of this team. It is removed too, with all its designs:" in page
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
    assert (
        "only owner of this team. First make somebody else an owner, or remove it:"
        in answer.content.decode()
    )
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


def test_the_log_of_sign_ins_goes_with_the_account(
    club: Draft, as_alice: Client, secret: dict[str, str]
) -> None:
    for log, counted in ((AccessLog, {}), (AccessAttempt, {"failures_since_start": 1})):
        for name in ("alice", "bob"):
            log.objects.create(username=name, ip_address="203.0.113.7", **counted)
    as_alice.post("/account/remove/", secret)
    assert not AccessLog.objects.filter(username="alice").exists()
    assert not AccessAttempt.objects.filter(username="alice").exists()
    assert AccessLog.objects.filter(username="bob").exists()


def test_an_account_takes_its_data_along(
    club: Draft, alice: User, bob: User, as_alice: Client, colleague: Colleague
) -> None:
    colleague("editor")
    _, token = links.make(club, alice, password="blue kettle sings on")
    scene = threads.scene(club, revisions.latest(club))
    threads.begin(club, scene, "design", "I find this good.", Writer(person=alice))
    approve(club, alice)
    other = Draft(slug="bob4design", project=teams.home(bob))
    revisions.start(other, revisions.latest(club), "Start", bob)
    alice.email = "alice@example.com"
    alice.save()
    page = as_alice.get("/account/").content.decode()
    assert 'href="/account/data/"' in page
    files = taken(as_alice)
    assert json.loads(files["account.json"])["email"] == "alice@example.com"
    assert json.loads(files["teams.json"])[0]["role"] == "owner"
    assert json.loads(files["comments.json"])[0]["body"] == "I find this good."
    assert json.loads(files["reviews-asked-for.json"])[0]["draft__name"] == "Club"
    assert json.loads(files["links.json"])[0]["draft__name"] == "Club"
    assert json.loads(files["changes.json"])[-1]["note"] == "Start"
    assert json.loads(files["sign-ins.json"])["browsers"]
    assert load(files["designs/club-club4alice.yaml"]).name == "Club"
    everything = "".join(files.values())
    assert "bob" not in everything and token not in everything
    assert alice.password not in everything or not alice.password
    for link in club.links.all():
        assert link.digest not in everything and link.password not in everything


def taken(client: Client) -> dict[str, str]:
    """The files of somebody's data."""
    answer = client.get("/account/data/")
    packed = zipfile.ZipFile(io.BytesIO(b"".join(answer)))
    return {name: packed.read(name).decode() for name in packed.namelist()}


def test_all_that_is_kept_of_a_person_is_in_their_data() -> None:
    """Whatever says who somebody is or did has to be taken along: a new table that does fails here."""
    elsewhere = {
        ("Team", "home_of"),  # teams.json: it is one of theirs
        ("Membership", "user"),  # teams.json
        ("SignedIn", "user"),  # sign-ins.json
        ("Identity", "user"),  # account.json
        ("Notices", "user"),  # account.json
    }
    listed = {(each.model.__name__, each.by) for each in taken_along.LISTS}
    said = {
        (model.__name__, field.name)
        for model in apps.get_app_config("projects").get_models()
        for field in model._meta.get_fields()
        if field.concrete and field.related_model is User
    }
    assert said == listed | elsewhere
    for each in taken_along.LISTS:
        assert not re.search("digest|password|key", " ".join(each.fields))


def test_what_a_team_calls_its_designs_ends_with_the_membership(
    club: Draft, alice: User, bob: User, as_alice: Client, colleague: Colleague
) -> None:
    colleague("owner")
    assert '"draft__name": "Club"' in taken(as_alice)["changes.json"]
    club.project.team.memberships.get(user=alice).delete()
    Draft.objects.update(name="What they do now")
    files = taken(as_alice)
    assert json.loads(files["changes.json"])[0]["note"] == "Start"
    assert "What they do now" not in "".join(files.values())
    assert not any(name.startswith("designs/") for name in files)


def test_many_large_designs_are_taken_along_as_json(
    club: Draft, as_alice: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(taken_along, "MOST_YAML", 100)
    files = taken(as_alice)
    assert load(files["designs/club-club4alice.json"]).name == "Club"


def test_designs_beyond_a_size_in_all_are_named_only(
    club: Draft, as_alice: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(taken_along, "MOST_BYTES", 100)
    files = taken(as_alice)
    assert json.loads(files["designs.json"])[0]["name"] == "Club"
    assert not [name for name in files if name.startswith("designs/")]


def test_nobody_takes_data_along_without_an_account(as_charlie: Client) -> None:
    assert as_charlie.get("/account/data/").status_code == 302
