"""Signing up, in and out, and keeping what one made before."""

from html import escape
from urllib.parse import urlencode

import pytest
from django.contrib.auth.models import User
from django.test import Client
from pytest_django import Settings

from designer.core.messages import say
from projects import accounts, invitations, teams
from projects.models import Draft, Role
from tests.web.forms import send
from tests.web.letters import link_in, main_of, sent

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
    assert "This name is taken." in page
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


def test_one_signs_in_by_what_one_signed_up_with(as_charlie: Client) -> None:
    label = '<label for="id_username">Name</label>'
    assert label in as_charlie.get("/sign-up/").content.decode()
    assert label in as_charlie.get("/sign-in/").content.decode()
    refused = as_charlie.post("/sign-in/", {"username": "dora", "password": "wrong"})
    assert "No account has this name and this password." in refused.content.decode()


@pytest.mark.parametrize("has_account", [True, False])
def test_who_types_an_address_is_told_that_the_name_is_wanted(
    has_account: bool, as_charlie: Client
) -> None:
    if has_account:
        User.objects.create_user("dora", "dora@example.com", PASSWORD)
    wanted = "Sign in with the name of the account, not with its e-mail address."
    for typed, is_told in (("dora@example.com", True), ("dorothy", False)):
        answer = as_charlie.post("/sign-in/", {"username": typed, "password": PASSWORD})
        assert answer.status_code == 422
        assert (wanted in answer.content.decode()) == is_told


def test_a_wrong_password_is_refused_and_many_are_slowed_down(as_charlie: Client) -> None:
    User.objects.create_user("dora", password=PASSWORD)
    wrong = {"username": "dora", "password": "wrong"}
    answers = [as_charlie.post("/sign-in/", wrong).status_code for _ in range(11)]
    assert answers[0] == 422
    assert answers[-1] == 429
    assert "locked" in as_charlie.post("/sign-in/", wrong).content.decode()
    assert as_charlie.post("/sign-in/", {**wrong, "password": PASSWORD}).status_code == 429


@pytest.mark.parametrize("proxied", [True, False])
def test_wrong_passwords_are_counted_by_the_address_that_the_proxy_saw(
    proxied: bool, settings: Settings, db: None
) -> None:
    settings.HTTPS = proxied
    User.objects.create_user("dora", password=PASSWORD)

    def sign_in(password: str, forwarded: str) -> int:
        given = {"username": "dora", "password": password}
        return Client(headers={"X-Forwarded-For": forwarded}).post("/sign-in/", given).status_code

    # What a visitor says of themselves stands before what the proxy saw, and counts for nothing.
    for number in range(10):
        sign_in("wrong", f"198.51.100.{number}, 203.0.113.7")
    assert sign_in(PASSWORD, "198.51.100.99, 203.0.113.7") == 429
    assert sign_in(PASSWORD, "203.0.113.7, 203.0.113.8") == (302 if proxied else 429)


@pytest.mark.parametrize("has_account", [True, False])
def test_a_sandbox_is_kept_by_signing_up_or_in(has_account: bool, as_charlie: Client) -> None:
    if has_account:
        User.objects.create_user("dora", password=PASSWORD)
    send(as_charlie, "/d/shop/settings/", "settings-form", {"name": "Mine"})
    sandbox = Draft.objects.get()
    shown = f"/d/{sandbox.slug}/patterns/3/?pattern=3&table=Main"
    answer = as_charlie.post(
        f"/d/{sandbox.slug}/keep/", headers={"Referer": f"http://testserver{shown}"}
    )
    assert answer.url == f"/sign-up/?{urlencode({'keep': sandbox.slug, 'next': shown})}"
    page = as_charlie.get(answer.url).content.decode()
    assert f'name="keep" value="{sandbox.slug}"' in page
    assert f'name="next" value="{escape(shown)}"' in page
    if has_account:
        given = {"username": "dora", "password": PASSWORD, "keep": sandbox.slug, "next": shown}
        answer = as_charlie.post("/sign-in/", given)
    else:
        answer = sign_up(as_charlie, keep=sandbox.slug, next=shown)
    assert answer.url == shown
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
    assert "is now yours" in page
    assert "/keep/" not in page


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("/d/shop/?pattern=3", "/d/SLUG/?pattern=3"),
        ("/d/shop/compare/?view=multi", "/d/SLUG/compare/?view=multi"),
        ("/d/shop/?message=1", "/d/SLUG/"),
        ("/d/shop/keep/?pattern=3", "/d/SLUG/?pattern=3"),
        ("/d/starter/compare/?pattern=3", "/d/SLUG/?pattern=3"),
        ("/nowhere/", "/d/SLUG/"),
    ],
)
def test_a_design_is_kept_as_it_was_shown(as_bob: Client, before: str, after: str) -> None:
    answer = as_bob.post("/d/shop/keep/", headers={"Referer": f"http://testserver{before}"})
    assert answer.url == after.replace("SLUG", Draft.objects.get().slug)


@pytest.mark.parametrize("wanted", ["//example.com/", "/d/other/", "/d/SLUG/../other/", "x"])
def test_a_design_that_is_kept_leads_to_its_own_pages_alone(
    as_charlie: Client, wanted: str
) -> None:
    slug = as_charlie.post("/gallery/starter/copy/").url.split("/")[2]
    answer = sign_up(as_charlie, keep=slug, next=wanted.replace("SLUG", slug))
    assert answer.url == f"/d/{slug}/"


def test_two_names_that_differ_in_case_alone_are_one(as_charlie: Client, alice: User) -> None:
    answer = sign_up(as_charlie, "Alice")
    assert answer.status_code == 422
    assert "This name is taken." in answer.content.decode()


@pytest.mark.usefixtures("dora_comes_between")
def test_of_two_who_take_a_name_at_once_the_second_one_is_told(as_charlie: Client) -> None:
    answer = sign_up(as_charlie)
    assert answer.status_code == 422
    page = answer.content.decode()
    assert "This name is taken." in page
    assert 'value="dora"' in page
    assert "_auth_user_id" not in as_charlie.session
    assert User.objects.count() == 1
    assert sign_up(as_charlie, "eve").status_code == 302


@pytest.fixture
def begun(settings: Settings) -> str:
    """The path of a letter to Dora, where domains count: her account begins with it."""
    settings.SIGN_UP_DOMAINS = ["example.com"]
    Client().post("/sign-up/", {"email": "dora@example.com"})
    return link_in(sent()[-1])


@pytest.mark.django_db(transaction=True)
def test_of_two_letters_whose_accounts_take_a_name_at_once_the_second_one_is_told(
    as_charlie: Client, begun: str, dora_comes_between: None
) -> None:
    given = {"username": "dora", "password1": PASSWORD, "password2": PASSWORD}
    answer = as_charlie.post(begun, given)
    assert answer.status_code == 422
    assert "This name is taken." in answer.content.decode()
    assert as_charlie.post(begun, {**given, "username": "eve"}).status_code == 302
    assert User.objects.get(email="dora@example.com").username == "eve"


@pytest.mark.django_db(transaction=True)
def test_an_address_given_at_sign_up_is_asked_to_be_confirmed(as_charlie: Client) -> None:
    sign_up(as_charlie, email="dora@example.com")
    assert User.objects.get().email == ""
    (letter,) = sent()
    as_charlie.post(link_in(letter))
    assert User.objects.get().email == "dora@example.com"


def test_signing_up_can_be_closed(as_charlie: Client, settings: Settings) -> None:
    settings.SIGN_UP = "closed"
    page = as_charlie.get("/sign-up/").content.decode()
    assert "created by whoever runs this site" in page
    assert sign_up(as_charlie).status_code == 403
    assert not User.objects.exists()
    assert 'href="/sign-up/' not in as_charlie.get("/sign-in/").content.decode()


def test_signing_up_can_be_left_to_those_who_are_invited(
    as_charlie: Client, settings: Settings, alice: User
) -> None:
    settings.SIGN_UP = "invited"
    assert sign_up(as_charlie).status_code == 403
    team = teams.create("Payments", alice)
    as_charlie.get(f"/join/{invitations.by_link(team, Role.VIEWER, alice)}/")
    assert sign_up(as_charlie, next="/join/").url == f"/teams/{team.slug}/"
    assert team.memberships.get(user__username="dora").role == Role.VIEWER
    another = Client()
    another.get("/join/made-up/")
    assert sign_up(another, "eve").status_code == 403


@pytest.fixture
def invited(settings: Settings, alice: User) -> str:
    """The path of a letter that Alice sent, where only the invited may have accounts."""
    settings.SIGN_UP = "invited"
    team = teams.create("Payments", alice)
    invitations.by_letter(team, "d@example.com", Role.EDITOR, alice, "http://testserver/")
    return link_in(sent()[-1])


@pytest.mark.django_db(transaction=True)
def test_one_letter_makes_one_account(as_charlie: Client, invited: str) -> None:
    another = Client()
    for client in (as_charlie, another):
        client.get(invited)
    assert sign_up(as_charlie).status_code == 302
    assert sign_up(another, "eve").status_code == 403
    as_charlie.post("/sign-out/")
    as_charlie.get(invited)
    assert sign_up(as_charlie, "eve").status_code == 403
    assert set(User.objects.values_list("username", flat=True)) == {"alice", "dora"}


@pytest.mark.django_db(transaction=True)
def test_a_letter_that_is_used_meanwhile_leaves_no_account_behind(
    as_charlie: Client, invited: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def too_late(*given: object) -> None:
        raise teams.RefusedError(say("invitation-void"))

    as_charlie.get(invited)
    monkeypatch.setattr(invitations, "accept", too_late)
    assert sign_up(as_charlie).status_code == 403
    assert not User.objects.filter(username="dora").exists()


@pytest.mark.django_db(transaction=True)
def test_one_letter_makes_one_account_where_domains_count_too(
    as_charlie: Client, invited: str, settings: Settings
) -> None:
    settings.SIGN_UP_DOMAINS = ["example.com"]
    as_charlie.get(invited)
    for name in ("dora", "eve"):
        assert as_charlie.post("/sign-up/", {"email": f"{name}@example.com"}).status_code == 200
    first, second = (link_in(letter) for letter in sent()[-2:])
    given = {"password1": PASSWORD, "password2": PASSWORD}
    assert as_charlie.post(first, {**given, "username": "dora"}).status_code == 302
    assert Client().post(second, {**given, "username": "eve"}).status_code == 404
    dora = User.objects.get(username="dora")
    assert (dora.email, dora.memberships.get().role) == ("dora@example.com", Role.EDITOR)
    assert User.objects.count() == 2


@pytest.mark.django_db(transaction=True)
def test_a_beginning_ends_where_sign_up_is_closed_meanwhile(
    as_charlie: Client, begun: str, settings: Settings
) -> None:
    settings.SIGN_UP = "closed"
    assert as_charlie.get(begun).status_code == 404


@pytest.mark.django_db(transaction=True)
def test_where_domains_count_an_account_begins_with_a_letter(
    as_charlie: Client, settings: Settings
) -> None:
    settings.SIGN_UP_DOMAINS = ["example.com"]
    send(as_charlie, "/d/shop/settings/", "settings-form", {"name": "Mine"})
    sandbox = Draft.objects.get()
    for elsewhere in ("dora@evil.example", "dora@example.com.evil.example", "dora@sub.example.com"):
        answer = as_charlie.post("/sign-up/", {"email": elsewhere})
        assert answer.status_code == 422, elsewhere
    assert (
        as_charlie.post("/sign-up/", {"email": "d@Example.com", "keep": sandbox.slug}).status_code
        == 200
    )
    assert sign_up(as_charlie).status_code == 422
    assert not User.objects.exists()
    path = link_in(sent()[0])
    assert as_charlie.get(path).status_code == 200
    given = {"username": "dora", "password1": PASSWORD, "password2": PASSWORD}
    assert as_charlie.post(path, given).url == f"/d/{sandbox.slug}/"
    assert User.objects.get().email == "d@Example.com"
    assert as_charlie.post(path, {**given, "username": "eve"}).status_code == 404
    assert as_charlie.post("/sign-up/made:up:token/", given).status_code == 404


@pytest.mark.django_db(transaction=True)
def test_one_letter_makes_one_account_though_its_link_is_sent_twice_at_once(
    as_charlie: Client, begun: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def wait() -> None:
        held()
        User.objects.create(username="first", email="Dora@example.com")

    held = accounts.hold_addresses
    monkeypatch.setattr(accounts, "hold_addresses", wait)
    given = {"username": "dora", "password1": PASSWORD, "password2": PASSWORD}
    assert as_charlie.post(begun, given).status_code == 404
    assert not User.objects.filter(username="dora").exists()


@pytest.mark.django_db(transaction=True)
def test_a_letter_tells_its_owner_and_nobody_else_that_there_is_an_account(
    settings: Settings,
) -> None:
    settings.SIGN_UP_DOMAINS = ["example.com"]
    User.objects.create_user("dora", "dora@example.com", PASSWORD)
    pages = [
        main_of(Client().post("/sign-up/", {"email": f"{name}@example.com"}))
        for name in ("dora", "eve")
    ]
    assert pages[0].replace("dora@", "eve@") == pages[1]
    dora, eve = sent()
    assert 'It already has one, called "dora"' in dora.body
    assert "/sign-up/" in link_in(eve)


@pytest.mark.django_db(transaction=True)
def test_a_closed_account_does_not_come_back_by_its_address(settings: Settings) -> None:
    settings.SIGN_UP_DOMAINS = ["example.com"]
    path = ""
    for is_closed in (False, True):
        if is_closed:
            User.objects.create_user("dora", "Dora@example.com", is_active=False)
        answer = Client().post("/sign-up/", {"email": "dora@example.com"})
        assert "dora@example.com" in main_of(answer)
        path = path or link_in(sent()[0])
        assert len(sent()) == 1
    assert Client().get(path).status_code == 404


@pytest.mark.django_db(transaction=True)
def test_the_address_of_a_closed_account_is_not_taken(as_charlie: Client) -> None:
    User.objects.create_user("dora", "dora@example.com", is_active=False)
    sign_up(as_charlie, "eve", email="dora@example.com")
    as_charlie.post(link_in(sent()[0]))
    assert User.objects.get(username="eve").email == ""


@pytest.mark.django_db(transaction=True)
def test_a_closed_account_gets_no_new_password() -> None:
    User.objects.create_user("dora", "dora@example.com", PASSWORD, is_active=False)
    Client().post("/password/forgotten/", {"email": "dora@example.com"})
    assert sent() == []
