"""How often an address may ask for what costs: one limit for all that visitors send, and one for signing in.

Counted in the database, so that every process and host knows of it. A process remembers who is over a limit, and
writes nothing for them until it ends: a flood must not become one of writes.
"""

import time
from collections.abc import Callable
from datetime import datetime, timedelta
from http import HTTPStatus
from threading import Lock
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import F
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from limits import RateLimitItem, RateLimitItemPerHour, RateLimitItemPerMinute
from limits.storage import Storage
from limits.strategies import FixedWindowRateLimiter

from designer.core.messages import say
from projects import later, shares
from projects.budget import budget
from projects.gate import BusyError, answering, price
from projects.models import Throttled
from projects.refused import RefusedError, refused
from projects.turned_away import spent

SENT = RateLimitItemPerMinute(settings.VISITOR_REQUESTS, namespace="sent")
"""Whatever visitors send: edits, previews, uploads, comments, passwords."""
SIGN_INS = RateLimitItemPerMinute(settings.SIGN_INS, 10, namespace="sign-in")
"""Wrong passwords, whatever the name: django-axes counts those of one name."""
SIGN_UPS = RateLimitItemPerHour(settings.SIGN_UPS, namespace="sign-up")
"""Accounts that are made, and letters that are asked for."""
WAYS = RateLimitItemPerMinute(settings.SIGN_INS, 10, namespace="single-sign-on")
"""Ways to the provider of single sign-on that lead to no account: each keeps a session."""
BY_VIEW = {
    "sign-in": SIGN_INS,
    "shared-unlock": SIGN_INS,
    "sign-up": SIGN_UPS,
    "password-forgotten": SIGN_UPS,
}
SAFE = ("GET", "HEAD", "OPTIONS")


class InDatabase(Storage):
    """Counts of `limits`, as rows."""

    STORAGE_SCHEME = ["keywright"]

    @property
    def base_exceptions(self) -> type[Exception]:
        return Exception

    def incr(self, key: str, expiry: int, amount: int = 1) -> int:
        now = timezone.now()
        live = Throttled.objects.filter(pk=key, ends_at__gt=now)
        if not live.update(count=F("count") + amount):
            with transaction.atomic():
                ends = now + timedelta(seconds=expiry)
                Throttled.objects.update_or_create(
                    pk=key, defaults={"count": amount, "ends_at": ends}
                )
        return self.get(key)

    def get(self, key: str) -> int:
        row = self._row(key)
        return 0 if row is None else row[0]

    def get_expiry(self, key: str) -> float:
        row = self._row(key)
        return time.time() if row is None else row[1].timestamp()

    def _row(self, key: str) -> tuple[int, datetime] | None:
        live = Throttled.objects.filter(pk=key, ends_at__gt=timezone.now())
        return live.values_list("count", "ends_at").first()

    def check(self) -> bool:
        return True

    def reset(self) -> int | None:
        return Throttled.objects.all().delete()[0]

    def clear(self, key: str) -> None:
        Throttled.objects.filter(pk=key).delete()


_limiter = FixedWindowRateLimiter(InDatabase())
_over: dict[str, float] = {}
"""Until when a key is over its limit, as `time.time` has it."""
_lock = Lock()
_MOST_OVER = 10_000


def forget() -> None:
    """Forget who is over a limit, as far as this process knows."""
    budget.forget()
    later.forget()
    with _lock:
        _over.clear()


def count(limit: RateLimitItem, who: str) -> None:
    """Count that somebody did something, whether that is too often or not."""
    _limiter.hit(limit, who)


def is_over(limit: RateLimitItem, who: str) -> bool:
    """Whether somebody did something as often as they may."""
    return not _limiter.test(limit, who)


def hit(limit: RateLimitItem, who: str) -> None:
    """Count that somebody did something; RefusedError when that was too often."""
    key = limit.key_for(who)
    now = time.time()
    with _lock:
        until = _over.get(key, 0.0)
    if until <= now:
        if _limiter.hit(limit, who):
            return
        until = _limiter.get_window_stats(limit, who).reset_time
        with _lock:
            if len(_over) >= _MOST_OVER:
                _over.clear()
            _over[key] = until
    raise _too_many(limit, until)


def take(limit: RateLimitItem, who: str, amount: int) -> None:
    """Count so much of something; RefusedError when that is too much. In a transaction, which then counts nothing of
    it: there may be room for less.
    """
    if not _limiter.hit(limit, who, cost=amount):
        raise _too_many(limit, _limiter.get_window_stats(limit, who).reset_time)


def _too_many(limit: RateLimitItem, until: float) -> RefusedError:
    """Why it is refused, and until when, as `time.time` has it."""
    seconds = max(1, round(until - time.time()))
    minutes = round(seconds / 60)
    is_short = seconds < 90
    wait = (
        say("wait-seconds", seconds=seconds) if is_short else say("wait-minutes", minutes=minutes)
    )
    return RefusedError("throttle", say(TOO_MANY[limit.namespace], wait=wait), seconds)


TOO_MANY = {
    "sent": "too-many-changes",
    "sign-in": "too-many-passwords",
    "single-sign-on": "too-many-sign-ins",
    "sign-up": "too-many-accounts",
    "sandbox": "too-many-copies",
    "saved": "too-much-saved",
}
"""What is said over each limit: the id of a message."""


def give_back(limit: RateLimitItem, who: str) -> None:
    """Count one thing less that somebody did."""
    live = Throttled.objects.filter(pk=limit.key_for(who), ends_at__gt=timezone.now(), count__gt=0)
    live.update(count=F("count") - 1)


def _limit(request: HttpRequest) -> RateLimitItem | None:
    """The limit of what is sent to a view, where it has one of its own."""
    match = request.resolver_match
    if request.method in SAFE or match is None:
        return None
    return BY_VIEW.get(match.view_name)


PATIENCE = 20.0
"""Seconds that a request waits for its turn at the most."""


RESTS = 3
"""Times as long as it took that a request of a crowd keeps its place when it is done: what a network may take at once
would otherwise be all that the process does for a while.
"""
LONGEST_REST = 0.5
"""Seconds."""


class Throttling:
    """Middleware that answers a few requests of everybody at once, and counts what visitors send."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        share = shares.current()
        came = time.thread_time()
        try:
            if budget.left(share) <= 0:
                raise BusyError
            with answering.entered(share, PATIENCE):
                # Those before it may have taken what there was.
                if budget.left(share) <= 0:
                    raise BusyError
                began = time.thread_time()
                later.note_asked(share)
                try:
                    answer = self.get_response(request)
                finally:
                    # Who has just signed in pays for it, not their network: a class does it at once.
                    payer, seconds = shares.of_request(request), time.thread_time() - began
                    times = price(payer)
                    budget.take(payer, seconds * times)
                    if times > 1:
                        answering.rest(share, min(seconds * RESTS, LONGEST_REST))
        except BusyError:
            after = budget.wait(share)
            answer = refused(request, RefusedError("throttle", spent(after), after))
            # To be refused takes time, too: whoever asks again and again comes into debt.
            budget.take(share, time.thread_time() - came)
            return answer
        if _limit(request) is SIGN_INS and answer.status_code == HTTPStatus.FOUND:
            give_back(SIGN_INS, share.key)  # the password was right
        return answer

    def process_view(self, request: HttpRequest, *view: Any) -> HttpResponse | None:
        if request.method in SAFE:
            return None
        share = shares.current()
        limit = _limit(request)
        try:
            if limit is not None:
                hit(limit, share.key)
            elif not share.is_member:
                hit(SENT, share.key)
        except RefusedError as error:
            return refused(request, error)
        return None
