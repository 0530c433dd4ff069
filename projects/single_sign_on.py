"""Signing in through an OpenID Connect provider, which the settings name.

Authlib speaks the protocol: discovery, state, nonce, PKCE, and the signature of the identity token. Here is
decided which account its subject has.
"""

import re
from collections.abc import Mapping
from functools import cache
from typing import Any

from authlib.common.errors import AuthlibBaseError
from authlib.integrations.django_client import OAuth
from django.conf import settings
from django.contrib.auth.models import User
from django.contrib.sessions.backends.base import SessionBase
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse
from joserfc.errors import JoseError
from requests import RequestException

from designer.core.messages import say
from projects import accounts
from projects.models import Identity
from projects.teams import RefusedError

CLIENT = "oidc"
"""What Authlib calls the provider."""
STATE = f"_state_{CLIENT}_"
"""How the keys begin under which it keeps in a session who is on the way."""
PATIENCE = 10
"""Seconds to wait for the provider."""
ON_THE_WAY = 3600
"""Seconds that a session is kept of somebody who was sent to the provider: the provider's answer is not taken later."""
WAYS = 4
"""Windows of one browser that may be on the way at once."""
FAILURES = (AuthlibBaseError, JoseError, RequestException, RuntimeError, ValueError)
"""What becomes of a provider that does not answer, or answers what cannot be trusted."""


def lead_there(request: HttpRequest, back: str) -> HttpResponse:
    """Send the visitor to the provider, and from there back to this address. One of FAILURES when it doesn't answer."""
    answer: HttpResponse = _client().authorize_redirect(request, back)
    return answer


def forget_old_ways(session: SessionBase) -> None:
    """Leave room for one more way to the provider in a session: Authlib forgets none before its time."""
    every = [(float(kept["exp"]), key) for key, kept in session.items() if key.startswith(STATE)]
    for _, key in sorted(every, reverse=True)[WAYS - 1 :]:
        del session[key]


def claims_of(request: HttpRequest) -> Mapping[str, Any]:
    """What the provider says of the visitor whom it sent back, checked. One of FAILURES when it can't be trusted."""
    must_be = {
        "iss": {"essential": True, "value": settings.OIDC_ISSUER},
        "aud": {"essential": True, "value": settings.OIDC_CLIENT_ID},
    }
    token = _client().authorize_access_token(request, claims_options=must_be)
    if "userinfo" not in token:
        raise ValueError("The provider sent no identity token.")
    claims: Mapping[str, Any] = token["userinfo"]
    return claims


@transaction.atomic
def account_of(claims: Mapping[str, Any]) -> User:
    """The account of this subject: its own, else the one with its confirmed address, else a new one.

    RefusedError when it may have none, and when the one with its address is another subject's of the same provider.
    """
    who = {"issuer": claims["iss"], "subject": claims["sub"]}
    found = Identity.objects.filter(**who).select_related("user")
    known = found.first()
    if known is None:
        accounts.hold_addresses()
        # Another window's first sign-on may have made it meanwhile.
        known = found.first()
    if known is not None:
        return _open(known.user)
    # An address that the provider did not confirm is anybody's.
    email = str(claims.get("email", "")) if claims.get("email_verified") is True else ""
    if not accounts.is_allowed(email):
        raise RefusedError(say("confirmed-address-needed"))
    user = accounts.owner_of(email)
    if user is None:
        user = _new_user(claims, email)
    # An address may be given to another person; to a provider, two subjects are two people.
    elif _open(user).identities.filter(issuer=claims["iss"]).exists():
        raise RefusedError(say("account-has-other-sign-on"))
    Identity.objects.create(user=user, **who)
    return user


def _open(user: User) -> User:
    if not user.is_active:
        raise RefusedError(say("account-closed"))
    return user


def _new_user(claims: Mapping[str, Any], email: str) -> User:
    user = User(username=_free_name(claims), email=email)
    user.set_unusable_password()
    try:
        with transaction.atomic():
            user.save()
    except IntegrityError:
        # Somebody took the name since it was looked for.
        user.username = _free_name(claims)
        user.save()
    return user


def _free_name(claims: Mapping[str, Any]) -> str:
    """A name that nobody has, as near as can be to what the provider calls them."""
    called = claims.get("preferred_username") or claims.get("name") or claims.get("email") or ""
    # As forms write names: letters that look alike are alike.
    called = User.normalize_username(str(called))
    name = re.sub(r"[^\w.+-]+", "-", called.partition("@")[0]).strip("-")[:100] or "somebody"
    taken = {
        each.lower()
        for each in User.objects.filter(username__istartswith=name).values_list(
            "username", flat=True
        )
    }
    free = (name if number == 1 else f"{name}-{number}" for number in range(1, len(taken) + 2))
    return next(each for each in free if each.lower() not in taken)


def _client() -> Any:
    return _client_of(settings.OIDC_ISSUER, settings.OIDC_CLIENT_ID, settings.OIDC_CLIENT_SECRET)


@cache
def _client_of(issuer: str, number: str, secret: str) -> Any:
    """Kept, with what it learns of the provider."""
    return OAuth().register(
        CLIENT,
        client_id=number,
        client_secret=secret,
        server_metadata_url=f"{issuer.rstrip('/')}/.well-known/openid-configuration",
        client_kwargs={
            "scope": "openid email profile",
            "code_challenge_method": "S256",
            "default_timeout": PATIENCE,
        },
    )
