"""Whose work it is: each member, each visitor and each team has a share of the site's processors.

What somebody asks who is signed in is their own share, however many teams they have; what others ask of a team's design
is the team's share, and all else that of whoever asks. The middleware says who that is, so that a page need not carry
it through every call.
"""

from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass
from ipaddress import ip_address, ip_network
from threading import Lock

from cachetools import LRUCache
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.crypto import salted_hmac

from projects.models import Draft
from projects.proxies import client_address


@dataclass(frozen=True)
class Share:
    """Who waits in a queue."""

    key: str
    """`team:3`, `person:5`, or `visitor:` and a hash of the address, from which nobody reads it."""
    is_member: bool
    """Members come before visitors."""

    def priority(self, ahead: int) -> int:
        """The priority of a task, from -100 to 100, of which the share has so many before it: each share has its turn,
        however much one of them asks for.
        """
        return (50 if self.is_member else 0) - min(ahead, 40)


SITE = Share("site", is_member=True)
"""What the site asks for itself."""

_current: ContextVar[Share] = ContextVar("share", default=SITE)


def current() -> Share:
    """The share of whoever sent the request that is being answered."""
    return _current.get()


def of(draft: Draft) -> Share:
    """The share in which something is worked out of a draft."""
    asking = current()
    if draft.project is None or asking.key.startswith("person:"):
        return asking
    return Share(f"team:{draft.project.team_id}", is_member=True)


def noted(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Middleware that says whose request it is. After that of signing in."""

    def middleware(request: HttpRequest) -> HttpResponse:
        share = of_request(request)
        session = request.COOKIES.get(settings.SESSION_COOKIE_NAME)
        if session and not share.is_member:
            with _lock:
                _signed_out[session] = True
        token = _current.set(share)
        try:
            return get_response(request)
        finally:
            _current.reset(token)

    return middleware


_signed_out: LRUCache[str, bool] = LRUCache(10_000)
"""Keys of sessions in which nobody is signed in, and never will be: signing in begins a new one."""
_lock = Lock()


def of_a_visitor(request: HttpRequest) -> Share | None:
    """The share of a visitor, without asking the database; None where it may be a member."""
    session = request.COOKIES.get(settings.SESSION_COOKIE_NAME)
    if session:
        with _lock:
            if session not in _signed_out:
                return None
    return _visitor(request)


def of_request(request: HttpRequest) -> Share:
    """The share of whoever is known by now to have sent it."""
    if request.user.is_authenticated:
        return Share(f"person:{request.user.pk}", is_member=True)
    return _visitor(request)


def _visitor(request: HttpRequest) -> Share:
    return Share(f"visitor:{_hidden(client_address(request) or '')}", is_member=False)


def _hidden(address: str) -> str:
    """A hash of the network that somebody comes from: all addresses of one subscriber, where it is IPv6."""
    known = ip_address(address) if address else None
    if known is not None and known.version == 6:
        # A server that listens on both calls 203.0.113.7 ::ffff:203.0.113.7.
        address = str(known.ipv4_mapped or ip_network(f"{address}/64", strict=False))
    return salted_hmac("projects.shares", address).hexdigest()[:16]
