"""Signing up, in and out, and keeping what one made before."""

import pytest
from django.contrib.auth.models import User
from django.test import Client

from projects.models import Draft
from tests.web.forms import send

PASSWORD = "blue kettle sings"


def sign_up(client: Client, name: str = "dora", **more: str) -> object:
    fields = {"username": name, "password1": PASSWORD, "password2": PASSWORD}
    return client.post("/sign-up/", {**fields, **more})


def test_signing_up_takes_a_name_and_a_password(as_charlie: Client) -> None:
    assert sign_up(as_charlie).url == "/designs/"
    assert as_charlie.get("/designs/").status_code == 200


def test_what_is_wrong_is_said_and_the_name_is_kept(as_charlie: Client, alice: User) -> None:
    answer = as_charlie.post(
        "/sign-up/", {"username": "alice", "password1": "123", "password2": "124"}
    )
    assert answer.status_code == 422
    page = answer.content.decode()
    assert "already exists" in page
    assert 'value="alice"' in page
    assert "124" not in page.split("<form")[-1]


def test_signing_in_leads_on_to_where_one_came_from(as_charlie: Client) -> None:
    User.objects.create_user("dora", password=PASSWORD)
    given = {"username": "dora", "password": PASSWORD}
    assert as_charlie.post("/sign-in/", {**given, "next": "/gallery/"}).url == "/gallery/"
    as_charlie.post("/sign-out/")
    assert "_auth_user_id" not in as_charlie.session
    elsewhere = {**given, "next": "https://evil.example/"}
    assert as_charlie.post("/sign-in/", elsewhere).url == "/designs/"


@pytest.mark.parametrize(
    "odd", ["zzz", "workspace", "landing", "?x", "#a", "%0d%0aX: y", "\r\nX: y", "//evil.example"]
)
def test_what_is_no_address_here_leads_to_ones_designs(odd: str, as_charlie: Client) -> None:
    User.objects.create_user("dora", password=PASSWORD)
    given = {"username": "dora", "password": PASSWORD, "next": odd}
    answer = as_charlie.post("/sign-in/", given)
    assert (answer.status_code, answer.url) == (302, "/designs/")


def test_a_wrong_password_is_refused_and_many_are_slowed_down(as_charlie: Client) -> None:
    User.objects.create_user("dora", password=PASSWORD)
    wrong = {"username": "dora", "password": "wrong"}
    answers = [as_charlie.post("/sign-in/", wrong).status_code for _ in range(11)]
    assert answers[0] == 422
    assert answers[-1] == 429
    assert "locked" in as_charlie.post("/sign-in/", wrong).content.decode()
    assert as_charlie.post("/sign-in/", {**wrong, "password": PASSWORD}).status_code == 429


@pytest.mark.parametrize("has_account", [True, False])
def test_a_sandbox_is_kept_by_signing_up_or_in(has_account: bool, as_charlie: Client) -> None:
    if has_account:
        User.objects.create_user("dora", password=PASSWORD)
    send(as_charlie, "/d/shop/settings/", "settings-form", {"name": "Mine"})
    sandbox = Draft.objects.get()
    answer = as_charlie.post(f"/d/{sandbox.slug}/keep/")
    assert answer.url == f"/sign-up/?keep={sandbox.slug}"
    page = as_charlie.get(answer.url).content.decode()
    assert f'name="keep" value="{sandbox.slug}"' in page
    if has_account:
        given = {"username": "dora", "password": PASSWORD, "keep": sandbox.slug}
        answer = as_charlie.post("/sign-in/", given)
    else:
        answer = sign_up(as_charlie, keep=sandbox.slug)
    assert answer.url == f"/d/{sandbox.slug}/"
    sandbox.refresh_from_db()
    assert (sandbox.project.team.home_of.username, sandbox.expires_at) == ("dora", None)
    assert Client().get(answer.url).status_code == 404


def test_keeping_takes_nobody_elses_design(club: Draft, as_charlie: Client) -> None:
    assert sign_up(as_charlie, keep=club.slug).url == "/designs/"
    club.refresh_from_db()
    assert club.project.team.home_of.username == "alice"


def test_one_who_is_signed_in_keeps_at_once(as_bob: Client) -> None:
    answer = as_bob.post("/d/shop/keep/")
    draft = Draft.objects.get()
    assert answer.url == f"/d/{draft.slug}/"
    assert draft.project.team.home_of.username == "bob"
    page = as_bob.get(answer.url).content.decode()
    assert "is yours now" in page
    assert "/keep/" not in page
