"""Whose request it is, behind a proxy too."""

from urllib.parse import urlsplit

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import validate_ipv46_address
from django.http import HttpRequest


def address_of(request: HttpRequest, path: str = "/") -> str:
    """An address of the site for letters, feeds and links: below KEYWRIGHT_SITE_URL, where that is set.

    Else as it was asked for, but never with another port than the one that answers, and behind a proxy with none:
    anybody can send any.
    """
    if settings.SITE_URL:
        return f"{settings.SITE_URL}{path}"
    asked = urlsplit(f"//{request.get_host()}")
    answers = str(request.META.get("SERVER_PORT", ""))
    if asked.port is not None and str(asked.port) != answers:
        host = asked.netloc.rpartition(":")[0]
        port = "" if settings.HTTPS else f":{answers}"
        return f"{request.scheme}://{host}{port}{path}"
    return request.build_absolute_uri(path)


def client_address(request: HttpRequest) -> str | None:
    """The network address of whoever asks, as far as it is known for sure.

    Behind a proxy it is the last one of X-Forwarded-For, which the proxy itself wrote: those before it are whatever
    the visitor said.
    """
    address = str(request.META.get("REMOTE_ADDR", ""))
    if settings.HTTPS:
        address = request.headers.get("X-Forwarded-For", "").rpartition(",")[2].strip() or address
    try:
        validate_ipv46_address(address)
    except ValidationError:
        return None
    return address
