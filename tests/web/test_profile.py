"""One's own account: another name, an e-mail address once it is confirmed, another password."""

from datetime import timedelta
from urllib.parse import unquote

import pytest
from django.contrib.auth.models import User
from django.test import Client

from designer.core.messages import say
from projects import accounts, teams
from tests.web.letters import link_in, sent

pytestmark = pytest.mark.django_db(transaction=True)
"""The worker takes a lock that a test's own transaction would hold."""

PASSWORD = "blue kettle sings"


@pytest.fixture
def dora(db: None) -> User:
    return User.objects.create_user("dora", password=PASSWORD)


@pytest.fixture
def as_dora(dora: User) -> Client:
    client = Client()
    client.force_login(dora)
    return client


def ask(client: Client, email: str, password: str = PASSWORD) -> int:
    answer = client.post("/account/email/", {"email": email, "password": password})
    return int(answer.status_code)


def test_a_name_that_only_looks_like_another_one_is_taken(
    as_dora: Client, alice: User, dora: User
) -> None:
    answer = as_dora.post("/account/", {"username": "\uff41lice"})
    assert answer.status_code == 422
    dora.refresh_from_db()
    assert dora.username == "dora"


def test_an_address_is_ones_own_once_it_is_confirmed(dora: User, as_dora: Client) -> None:
    assert ask(as_dora, "dora@example.com") == 302
    dora.refresh_from_db()
    assert dora.email == ""
    (letter,) = sent()
    assert letter.to == ["dora@example.com"]
    path = link_in(letter)
    assert as_dora.get(path).status_code == 200
    dora.refresh_from_db()
    assert dora.email == "", "following a link is not enough: programs do it"
    assert as_dora.post(path).url == "/account/"
    dora.refresh_from_db()
    assert dora.email == "dora@example.com"
    assert as_dora.post(path).status_code == 404


def test_who_is_not_signed_in_as_the_account_confirms_nothing(
    dora: User, as_dora: Client, as_bob: Client
) -> None:
    ask(as_dora, "bob@example.com")
    path = link_in(sent()[0])
    assert unquote(Client().post(path).url) == f"/sign-in/?next={path}"
    assert as_bob.post(path).status_code == 404
    dora.refresh_from_db()
    assert dora.email == ""


def test_a_link_made_up_or_too_old_confirms_nothing(
    dora: User, as_dora: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert as_dora.post("/account/email/made:up:token/").status_code == 404
    ask(as_dora, "dora@example.com")
    path = link_in(sent()[0])
    monkeypatch.setattr(accounts, "LINK_LIFE", timedelta(seconds=-1))
    assert as_dora.post(path).status_code == 404


def test_an_address_belongs_to_one_account(as_dora: Client, bob: User, dora: User) -> None:
    User.objects.filter(pk=bob.pk).update(email="Shared@example.com")
    assert ask(as_dora, "shared@example.com") == 302, "nothing tells that it is known"
    answer = as_dora.post(link_in(sent()[0]), follow=True)
    assert "already belongs to another account" in answer.content.decode()
    dora.refresh_from_db()
    assert dora.email == ""


def test_an_address_that_another_account_takes_at_once_is_refused(
    dora: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    def wait() -> None:
        User.objects.filter(pk=bob.pk).update(email="Shared@example.com")

    monkeypatch.setattr(accounts, "hold_addresses", wait)
    with pytest.raises(teams.RefusedError) as error:
        accounts.take_address(dora, "shared@example.com")
    assert error.value.reason == say("address-taken")


def test_the_former_address_is_told_of_the_change(dora: User, as_dora: Client) -> None:
    User.objects.filter(pk=dora.pk).update(email="old@example.com")
    ask(as_dora, "new@example.com")
    as_dora.post(link_in(sent()[0]))
    assert sent()[-1].to == ["old@example.com"]


def test_an_address_takes_the_password(dora: User, as_dora: Client) -> None:
    assert ask(as_dora, "eve@example.com", "wrong") == 422
    assert sent() == []


def test_a_name_is_changed_and_nobody_elses_is_taken(
    dora: User, as_dora: Client, bob: User
) -> None:
    assert as_dora.post("/account/", {"username": "dorothea"}).url == "/account/"
    dora.refresh_from_db()
    assert dora.username == "dorothea"
    answer = as_dora.post("/account/", {"username": "BOB"})
    assert answer.status_code == 422
    assert "This name is taken." in answer.content.decode()
    assert as_dora.post("/account/", {"username": "dorothea"}).status_code == 302


@pytest.mark.usefixtures("dora_comes_between")
def test_a_name_that_somebody_takes_meanwhile_is_refused(bob: User, as_bob: Client) -> None:
    answer = as_bob.post("/account/", {"username": "dora"})
    assert answer.status_code == 422
    assert "This name is taken." in answer.content.decode()
    bob.refresh_from_db()
    assert bob.username == "bob"


def test_a_new_password_is_asked_for_in_our_words(as_dora: Client) -> None:
    page = as_dora.get("/account/").content.decode()
    assert "At least 8 characters" in page
    assert "verification" not in page


def test_a_new_password_ends_the_other_sessions(dora: User, as_dora: Client) -> None:
    elsewhere = Client()
    elsewhere.force_login(dora)
    new = {"new_password1": "green kettle hums", "new_password2": "green kettle hums"}
    wrong = as_dora.post("/account/password/", {**new, "old_password": "wrong"})
    assert wrong.status_code == 422
    answer = as_dora.post("/account/password/", {**new, "old_password": PASSWORD})
    assert answer.url == "/account/"
    assert as_dora.get("/account/").status_code == 200
    assert elsewhere.get("/account/").status_code == 302
