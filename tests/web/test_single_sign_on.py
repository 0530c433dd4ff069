"""Single sign-on through a provider that lives in this test: no network is used."""

import json
import time
from collections.abc import Iterator, Mapping
from datetime import timedelta
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
import responses
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.test import Client
from django.utils import timezone
from joserfc import jwt
from joserfc.jwk import RSAKey
from limits import RateLimitItemPerMinute
from pytest_django import Settings
from requests import PreparedRequest

from projects import accounts, single_sign_on, throttle
from projects.models import Identity

ISSUER = "https://provider.example"
KEY = RSAKey.generate_key(2048, parameters={"kid": "1"})
OTHER_KEY = RSAKey.generate_key(2048, parameters={"kid": "1"})


class Provider:
    """Says of whoever comes what a test wants it to say."""

    def __init__(self) -> None:
        self.claims: dict[str, Any] = {"sub": "4711", "preferred_username": "dora"}
        self.key = KEY
        self.nonce = ""
        self.asked: dict[str, list[str]] = {}

    def token(self, request: PreparedRequest) -> tuple[int, dict[str, str], str]:
        self.asked = parse_qs(str(request.body))
        now = int(time.time())
        claims = {
            "iss": ISSUER,
            "aud": "keywright",
            "iat": now,
            "exp": now + 60,
            "nonce": self.nonce,
        }
        identity = jwt.encode({"alg": "RS256", "kid": "1"}, {**claims, **self.claims}, self.key)
        answer = {"access_token": "x", "token_type": "Bearer", "id_token": identity}
        return 200, {}, json.dumps(answer)


@pytest.fixture
def provider(settings: Settings, db: None) -> Iterator[Provider]:
    settings.OIDC_ISSUER, settings.OIDC_CLIENT_ID = ISSUER, "keywright"
    settings.OIDC_CLIENT_SECRET, settings.OIDC_NAME = "hush", "Example"
    single_sign_on._client_of.cache_clear()
    provider = Provider()
    with responses.RequestsMock(assert_all_requests_are_fired=False) as web:
        web.get(
            f"{ISSUER}/.well-known/openid-configuration",
            json={
                "issuer": ISSUER,
                "authorization_endpoint": f"{ISSUER}/authorize",
                "token_endpoint": f"{ISSUER}/token",
                "jwks_uri": f"{ISSUER}/keys",
                "id_token_signing_alg_values_supported": ["RS256"],
            },
        )
        web.get(f"{ISSUER}/keys", json={"keys": [KEY.as_dict(private=False)]})
        web.add_callback("POST", f"{ISSUER}/token", provider.token)
        yield provider


def go(client: Client, provider: Provider, query: str = "", **changed: str) -> Any:
    """The way to the provider and back."""
    there = client.get(f"/sso/{query}")
    assert there.status_code == 302
    asked = {name: value[0] for name, value in parse_qs(urlsplit(there.url).query).items()}
    assert there.url.startswith(f"{ISSUER}/authorize?")
    assert (asked["redirect_uri"], asked["code_challenge_method"]) == (
        "http://testserver/sso/back/",
        "S256",
    )
    provider.nonce = changed.pop("nonce", asked["nonce"])
    return client.get("/sso/back/", {"code": "c", "state": asked["state"], **changed})


def test_somebody_new_gets_an_account(as_charlie: Client, provider: Provider) -> None:
    assert "Sign in with Example" in as_charlie.get("/sign-in/").content.decode()
    provider.claims |= {"email": "dora@example.com", "email_verified": True}
    assert go(as_charlie, provider).url == "/designs/"
    user = User.objects.get()
    assert (user.username, user.email, user.has_usable_password()) == (
        "dora",
        "dora@example.com",
        False,
    )
    assert as_charlie.get("/account/").status_code == 200
    assert len(provider.asked["code_verifier"][0]) >= 43


def test_the_same_subject_comes_back_to_the_same_account(provider: Provider) -> None:
    go(Client(), provider)
    provider.claims |= {"preferred_username": "someone-else"}
    go(Client(), provider)
    assert User.objects.get().username == "dora"


def test_two_first_visits_at_once_make_one_account(
    provider: Provider, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    def wait() -> None:
        Identity.objects.create(user=alice, issuer=ISSUER, subject="4711")

    monkeypatch.setattr(accounts, "hold_addresses", wait)
    assert go(Client(), provider).url == "/designs/"
    assert User.objects.get() == alice


def test_a_confirmed_address_leads_to_the_account_that_has_it(
    provider: Provider, alice: User
) -> None:
    User.objects.filter(pk=alice.pk).update(email="alice@example.com")
    provider.claims |= {"email": "Alice@example.com", "email_verified": True}
    go(Client(), provider)
    assert Identity.objects.get().user == alice


def test_an_address_that_was_given_to_somebody_else_does_not_lead_to_the_account_of_before(
    provider: Provider,
) -> None:
    provider.claims |= {"email": "dora@example.com", "email_verified": True}
    go(Client(), provider)
    provider.claims |= {"sub": "4712", "preferred_username": "dorothea"}
    client = Client()
    answer = go(client, provider)
    assert answer.status_code == 403
    assert "ask whoever runs this site" in answer.content.decode()
    assert client.get("/account/").status_code == 302
    assert [each.subject for each in Identity.objects.all()] == ["4711"]

    # Once the account of before lets go of the address, its new owner gets an account.
    User.objects.update(email="")
    assert go(client, provider).url == "/designs/"
    assert Identity.objects.get(subject="4712").user.username == "dorothea"


def test_an_account_of_another_provider_is_joined_by_its_address(
    provider: Provider, alice: User
) -> None:
    User.objects.filter(pk=alice.pk).update(email="alice@example.com")
    Identity.objects.create(user=alice, issuer="https://before.example", subject="1")
    provider.claims |= {"email": "alice@example.com", "email_verified": True}
    go(Client(), provider)
    assert alice.identities.count() == 2


@pytest.mark.parametrize("said", [{}, {"email_verified": False}, {"email_verified": "true"}])
def test_an_address_that_is_not_confirmed_leads_to_nobodys_account(
    said: dict[str, object], provider: Provider, alice: User
) -> None:
    User.objects.filter(pk=alice.pk).update(email="alice@example.com")
    provider.claims |= {"email": "alice@example.com", **said}
    go(Client(), provider)
    new = Identity.objects.get().user
    assert (new.username, new.email) == ("dora", "")


def test_a_name_that_is_taken_gets_a_number(provider: Provider, alice: User) -> None:
    provider.claims |= {"preferred_username": "ALICE@example.com"}
    go(Client(), provider)
    assert Identity.objects.get().user.username == "ALICE-2"


def test_a_name_that_somebody_takes_meanwhile_gets_a_number(
    provider: Provider, monkeypatch: pytest.MonkeyPatch
) -> None:
    def free_name(claims: Mapping[str, object]) -> str:
        found = look(claims)
        User.objects.get_or_create(username="dora")
        return found

    look = single_sign_on._free_name
    monkeypatch.setattr(single_sign_on, "_free_name", free_name)
    assert go(Client(), provider).url == "/designs/"
    assert Identity.objects.get().user.username == "dora-2"


def test_a_name_that_only_looks_like_another_one_gets_a_number_too(
    provider: Provider, alice: User
) -> None:
    provider.claims |= {"preferred_username": "\uff41lice"}
    go(Client(), provider)
    assert Identity.objects.get().user.username == "alice-2"


WRONG = {
    "another audience": {"aud": "another-site", "azp": "keywright"},
    "another issuer": {"iss": "https://evil.example"},
    "too old": {"exp": 1_000_000_000},
}


@pytest.mark.parametrize("name", WRONG)
def test_a_token_that_is_not_for_this_site_is_refused(
    name: str, as_charlie: Client, provider: Provider
) -> None:
    provider.claims |= WRONG[name]
    assert go(as_charlie, provider).status_code == 403
    assert not User.objects.exists()


def test_a_token_that_the_provider_did_not_sign_is_refused(provider: Provider) -> None:
    provider.key = OTHER_KEY
    assert go(Client(), provider).status_code == 403
    assert not User.objects.exists()


def test_a_way_back_that_was_not_begun_here_is_refused(provider: Provider) -> None:
    for changed in ({"state": "made-up"}, {"nonce": "made-up"}):
        assert go(Client(), provider, **changed).status_code == 403, changed
    client = Client()
    client.get("/sso/")
    answer = client.get("/sso/back/", {"error": "access_denied"})
    assert answer.status_code == 403
    assert not User.objects.exists()


def test_it_leads_on_to_where_one_came_from_on_this_site_only(provider: Provider) -> None:
    assert go(Client(), provider, "?next=/gallery/").url == "/gallery/"
    assert go(Client(), provider, "?next=https://evil.example/").url == "/designs/"
    assert go(Client(), provider, "?next=//evil.example/").url == "/designs/"


def test_domains_count_here_too(provider: Provider, settings: Settings) -> None:
    settings.SIGN_UP_DOMAINS = ["example.com"]
    for claims in (
        {},
        {"email": "dora@example.com"},
        {"email": "d@evil.example", "email_verified": True},
    ):
        provider.claims = {"sub": "4711", **claims}
        assert go(Client(), provider).status_code == 403
    provider.claims = {"sub": "4711", "email": "dora@example.com", "email_verified": True}
    assert go(Client(), provider).url == "/designs/"


def test_whose_account_is_closed_stays_out(provider: Provider) -> None:
    go(Client(), provider)
    User.objects.update(is_active=False)
    client = Client()
    assert go(client, provider).status_code == 403
    assert client.get("/account/").status_code == 302


def test_a_closed_account_does_not_come_back_by_its_address(provider: Provider) -> None:
    User.objects.create_user("dora", "dora@example.com", is_active=False)
    provider.claims |= {"email": "DORA@example.com", "email_verified": True}
    assert go(Client(), provider).status_code == 403
    assert User.objects.count() == 1
    assert not Identity.objects.exists()


def test_a_provider_that_does_not_answer_is_said(settings: Settings, as_charlie: Client) -> None:
    settings.OIDC_ISSUER = "https://silent.example"
    with responses.RequestsMock():
        answer = as_charlie.get("/sso/")
    assert answer.status_code == 502
    assert "<p>Single sign-on does not answer. Try again in a while.</p>" in answer.content.decode()


def test_who_only_sets_out_leaves_little_behind_and_not_for_long(
    provider: Provider, as_charlie: Client
) -> None:
    for _ in range(single_sign_on.WAYS + 3):
        assert Client().get("/sso/").status_code == 302
        assert as_charlie.get(f"/sso/?next=/{'x' * 5000}&keep={'y' * 5000}").status_code == 302
    kept = as_charlie.session
    assert sum(key.startswith("_state_") for key, _ in kept.items()) == single_sign_on.WAYS
    assert kept["single-sign-on"] == ["", ""]
    others = Session.objects.exclude(pk=kept.session_key)
    assert len(others) == single_sign_on.WAYS + 3
    now = timezone.now()
    assert all(each.expire_date <= now + timedelta(hours=1) for each in others)


def test_who_comes_back_stays_signed_in(provider: Provider) -> None:
    client = Client()
    go(client, provider)
    assert Session.objects.get().expire_date > timezone.now() + timedelta(days=10)


def test_what_a_visitor_made_on_the_way_is_theirs_as_long_as_ever(provider: Provider) -> None:
    client = Client()
    client.get("/sso/")
    client.post("/gallery/shop/copy/")
    assert client.get("/designs/").status_code == 200
    assert Session.objects.get().expire_date > timezone.now() + timedelta(hours=24)


def test_one_network_sets_out_so_often_and_no_more(
    provider: Provider, monkeypatch: pytest.MonkeyPatch
) -> None:
    throttle.forget()
    monkeypatch.setattr(throttle, "WAYS", RateLimitItemPerMinute(3, 10, "single-sign-on"))
    for _ in range(5):
        go(Client(), provider)  # who comes back does not count
    for _ in range(3):
        assert Client().get("/sso/").status_code == 302
    refused = Client().get("/sso/")
    assert refused.status_code == 429
    assert "Too many sign-ins were started from your network." in refused.content.decode()
    throttle.forget()
