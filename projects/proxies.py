"""Whose request it is, behind a proxy too."""

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import validate_ipv46_address
from django.http import HttpRequest


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
