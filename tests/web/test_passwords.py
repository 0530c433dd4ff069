"""A forgotten password: a letter to the account's own address, and nothing that tells who has an account."""

import pytest
from django.contrib.auth.models import User
from django.test import Client

from projects import mail, sessions
from tests.web.letters import link_in, main_of, sent

pytestmark = pytest.mark.django_db(transaction=True)
"""The worker takes a lock that a test's own transaction would hold."""

PASSWORD = "blue kettle sings"
NEW = {"new_password1": "green kettle hums", "new_password2": "green kettle hums"}


@pytest.fixture
def dora(db: None) -> User:
    return User.objects.create_user("dora", "Dora@example.com", PASSWORD)


def ask(email: str = "dora@example.com") -> str:
    return main_of(Client().post("/password/forgotten/", {"email": email}))


def test_a_new_password_is_set_by_the_link_of_a_letter(dora: User) -> None:
    elsewhere = Client()
    elsewhere.force_login(dora)
    elsewhere.get("/account/")
    ask()
    (letter,) = sent()
    assert letter.to == ["Dora@example.com"]
    client = Client()
    path = link_in(letter)
    here = client.get(path).url
    token = path.split("/")[3]
    assert token not in here
    page = client.get(here).content.decode()
    assert "At least 8 characters" in page
    assert "verification" not in page
    assert client.post(here, {**NEW, "new_password2": "other"}).status_code == 422
    assert client.post(here, NEW).url == "/designs/"
    assert client.get("/account/").status_code == 200
    assert sessions.of(dora).count() == 1
    assert elsewhere.get("/account/").status_code == 302
    dora.refresh_from_db()
    assert dora.check_password("green kettle hums")
    assert Client().get(path).status_code == 404


def test_the_answer_does_not_tell_who_has_an_account(dora: User) -> None:
    known, unknown = ask("dora@example.com"), ask("nobody@example.com")
    assert known.replace("dora@", "nobody@") == unknown
    assert [letter.to for letter in sent()] == [["Dora@example.com"]]


def test_an_account_without_a_password_gets_none(dora: User) -> None:
    dora.set_unusable_password()
    dora.save()
    ask()
    assert sent() == []


@pytest.mark.parametrize(
    "path", ["/password/MQ/set-password/", "/password/MQ/made-up/", "/password/x/y-z/"]
)
def test_a_link_made_up_sets_nothing(path: str, dora: User) -> None:
    assert Client().get(path).status_code == 404
    assert Client().post(path, NEW).status_code == 404
    dora.refresh_from_db()
    assert dora.check_password(PASSWORD)


def test_nobodys_mailbox_is_flooded(dora: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mail, "MOST_AN_HOUR", 2)
    for spelling in ("dora@example.com", "DORA@example.com", "Dora@Example.com"):
        ask(spelling)
    assert len(sent()) == 2
