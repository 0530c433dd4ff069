"""The way to the provider of single sign-on, and back."""

import logging

from django.conf import settings
from django.contrib.auth import login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from projects import shares, single_sign_on, throttle
from projects.proxies import address_of
from projects.teams import RefusedError
from projects.views.accounts import BACKEND, onwards

log = logging.getLogger(__name__)

SESSION = "single-sign-on"
"""Where a session keeps what its visitor came for."""
LONGEST = 2000
"""Characters of that."""


@never_cache
@require_safe
def start(request: HttpRequest) -> HttpResponse:
    """To the provider. By a link, since a form may lead to this site only; state and nonce guard the way back."""
    _must_be_set()
    throttle.hit(throttle.WAYS, shares.current().key)
    if request.session.session_key is None:
        # Nothing else is in it; anybody may begin as many as they like.
        request.session.set_expiry(single_sign_on.ON_THE_WAY)
    single_sign_on.forget_old_ways(request.session)
    request.session[SESSION] = [_short(request.GET.get(name, "")) for name in ("keep", "next")]
    back = address_of(request, reverse("single-sign-on-back"))
    try:
        return single_sign_on.lead_there(request, back)
    except single_sign_on.FAILURES:
        log.exception("The provider of single sign-on does not answer")
        return _failed(request, f"{_provider()} does not answer. Try again in a while.", status=502)


@never_cache
@require_safe
def back(request: HttpRequest) -> HttpResponse:
    """From the provider: sign in, and go on to what the visitor came for."""
    _must_be_set()
    try:
        user = single_sign_on.account_of(single_sign_on.claims_of(request))
    except single_sign_on.FAILURES:
        log.warning("A single sign-on failed", exc_info=True)
        return _failed(
            request, f"{_provider()} did not confirm who you are. Try again.", status=403
        )
    except RefusedError as refused:
        return _failed(request, str(refused), status=403)
    keep, wanted = request.session.pop(SESSION, ["", ""])
    login(request, user, backend=BACKEND)
    request.session.set_expiry(None)
    throttle.give_back(throttle.WAYS, shares.current().key)
    return onwards(request, keep, wanted)


def _short(said: str) -> str:
    """Nothing where it is longer than an address of this site is."""
    return said if len(said) <= LONGEST else ""


def _must_be_set() -> None:
    if not settings.OIDC_ISSUER:
        raise Http404("This site has no single sign-on.")


def _provider() -> str:
    """The provider's name, as a sentence begins with it."""
    return settings.OIDC_NAME[:1].upper() + settings.OIDC_NAME[1:]


def _failed(request: HttpRequest, why: str, *, status: int) -> HttpResponse:
    context = {"why": why}
    return render(request, "registration/no_single_sign_on.html", context, status=status)
