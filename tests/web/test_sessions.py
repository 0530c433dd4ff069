"""Where one is signed in: listed, and ended."""

import pytest
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.test import Client

from projects import sessions
from projects.models import SignedIn
from projects.sessions import browser_of

AGENT = "Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0"


@pytest.fixture
def elsewhere(alice: User) -> Client:
    """Alice in another browser, which was seen once."""
    client = Client(headers={"User-Agent": AGENT})
    client.force_login(alice)
    assert client.get("/designs/").status_code == 200
    return client


def test_every_browser_is_listed_without_its_secret(as_alice: Client, elsewhere: Client) -> None:
    page = as_alice.get("/account/").content.decode()
    assert "Firefox on Linux" in page
    assert "here, now" in page
    for session in Session.objects.all():
        assert session.session_key not in page


def test_one_browser_is_signed_out(as_alice: Client, elsewhere: Client, alice: User) -> None:
    number = SignedIn.objects.get(browser="Firefox on Linux").pk
    assert as_alice.post(f"/account/sessions/{number}/end/").url == "/account/"
    assert elsewhere.get("/account/").status_code == 302
    assert as_alice.get("/account/").status_code == 200
    assert SignedIn.objects.count() == 1


def test_all_other_browsers_are_signed_out(
    as_alice: Client, elsewhere: Client, as_bob: Client
) -> None:
    as_bob.get("/account/")
    as_alice.post("/account/sessions/end/")
    assert elsewhere.get("/account/").status_code == 302
    assert as_alice.get("/account/").status_code == 200
    assert as_bob.get("/account/").status_code == 200


def test_a_browser_that_did_nothing_but_sign_in_is_signed_out_too(
    as_alice: Client, alice: User
) -> None:
    alice.set_password("blue kettle sings")
    alice.save()
    as_alice.force_login(alice)
    elsewhere = Client()
    elsewhere.post("/sign-in/", {"username": "alice", "password": "blue kettle sings"})
    assert elsewhere.session.session_key
    as_alice.post("/account/sessions/end/")
    assert elsewhere.get("/account/").status_code == 302
    assert as_alice.get("/account/").status_code == 200


def test_a_browser_that_has_just_set_a_new_password_is_signed_out_too(
    as_alice: Client, elsewhere: Client, alice: User
) -> None:
    alice.set_password("blue kettle sings")
    alice.save()
    for client in (as_alice, elsewhere):
        client.force_login(alice)
    new = {"new_password1": "green kettle hums", "new_password2": "green kettle hums"}
    answer = elsewhere.post("/account/password/", {**new, "old_password": "blue kettle sings"})
    assert answer.status_code == 302
    alice.refresh_from_db()
    as_alice.force_login(alice)
    as_alice.post("/account/sessions/end/")
    assert elsewhere.get("/account/").status_code == 302


def test_a_new_password_takes_the_other_browsers_from_the_list(
    as_alice: Client, elsewhere: Client, alice: User
) -> None:
    alice.set_password("blue kettle sings")
    alice.save()
    for client in (as_alice, elsewhere):
        client.force_login(alice)
        client.get("/account/")
    assert sessions.of(alice).count() == 2
    new = {"new_password1": "green kettle hums", "new_password2": "green kettle hums"}
    as_alice.post("/account/password/", {**new, "old_password": "blue kettle sings"})
    page = as_alice.get("/account/").content.decode()
    assert "Other browsers are signed out." in page
    assert "Firefox on Linux" not in page
    assert "here, now" in page
    assert elsewhere.get("/account/").status_code == 302


def test_nobody_ends_anybody_elses_session(elsewhere: Client, as_bob: Client) -> None:
    number = SignedIn.objects.get().pk
    as_bob.post(f"/account/sessions/{number}/end/")
    assert elsewhere.get("/account/").status_code == 200


def test_signing_out_takes_the_browser_from_the_list(elsewhere: Client) -> None:
    elsewhere.post("/sign-out/")
    assert not SignedIn.objects.exists()


@pytest.mark.parametrize(
    ("agent", "name"),
    [
        (AGENT, "Firefox on Linux"),
        ("Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/130.0 Safari/537.36 Edg/130.0", "Edge on Windows"),
        ("Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 Chrome/130.0 Mobile Safari/537.36", "Chrome on Android"),
        ("Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Safari/604.1", "Safari on iPhone"),
        ("<script>", "A browser"),
    ],
)  # fmt: skip
def test_a_browser_is_called_what_people_call_it(agent: str, name: str) -> None:
    assert browser_of(agent) == name
