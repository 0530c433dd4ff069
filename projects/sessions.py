"""Where people are signed in: noted as they come, listed, and ended."""

from collections.abc import Callable
from datetime import timedelta

from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from projects.models import SignedIn

EXACTLY = timedelta(minutes=10)
"""How well the list knows when somebody was there last; noting it writes to the database."""

BROWSERS = {
    "Edg": "Edge",
    "OPR/": "Opera",
    "Firefox/": "Firefox",
    "Chrome/": "Chrome",
    "Safari/": "Safari",
}
SYSTEMS = {
    "Android": "Android",
    "iPhone": "iPhone",
    "iPad": "iPad",
    "Windows": "Windows",
    "Mac OS": "macOS",
    "Linux": "Linux",
}


def noted(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Middleware that keeps the list of whoever is signed in, however they did it: no browser learns the key of a
    session that is not in the list.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        key = request.session.session_key
        if request.user.is_authenticated:
            _note(request, request.user)
        answer = get_response(request)
        # Who signed in, or has a new password, has another session now, which "sign out everywhere else" must find.
        if request.user.is_authenticated and request.session.session_key != key:
            request.session.save()
            _note(request, request.user)
        return answer

    return middleware


def _note(request: HttpRequest, user: User) -> None:
    now = timezone.now()
    key = request.session.session_key or ""
    found = SignedIn.objects.filter(session=key).first()
    if found is None:
        try:
            with transaction.atomic():
                browser = browser_of(request.headers.get("User-Agent", ""))
                SignedIn.objects.create(session_id=key, user=user, browser=browser)
        except IntegrityError:
            pass  # another request of this browser noted it, or the session has just ended
    elif found.seen_at < now - EXACTLY:
        SignedIn.objects.filter(pk=found.pk).update(seen_at=now)


def browser_of(agent: str) -> str:
    """What people call a browser that introduces itself like this. The order of the words above counts: most
    browsers claim to be others too.
    """
    browser = next((name for word, name in BROWSERS.items() if word in agent), "A browser")
    system = next((name for word, name in SYSTEMS.items() if word in agent), "")
    return f"{browser} on {system}" if system else browser


def of(user: User) -> QuerySet[SignedIn]:
    """Where somebody is signed in, the last seen first."""
    live = SignedIn.objects.filter(user=user, session__expire_date__gt=timezone.now())
    return live.order_by("-seen_at", "-pk")


def end(user: User, number: int) -> None:
    """Sign somebody out of one browser."""
    Session.objects.filter(signed_in__user=user, signed_in__pk=number).delete()


def end_others(user: User, key: str | None) -> None:
    """Sign somebody out everywhere but where the session has this key."""
    Session.objects.filter(signed_in__user=user).exclude(pk=key).delete()
