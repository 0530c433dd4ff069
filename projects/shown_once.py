"""Secrets on their way to whoever asked for them: shown on one page, once."""

from django.http import HttpRequest, HttpResponse

COOKIE = "shown-once"
SECONDS = 60


def send(request: HttpRequest, response: HttpResponse, path: str, secret: str) -> HttpResponse:
    """Let the browser that asked for a secret bring it along to the next page of this path, and nobody else know it."""
    response.set_signed_cookie(
        COOKIE,
        secret,
        salt=path,
        max_age=SECONDS,
        path=path,
        secure=request.is_secure(),
        httponly=True,
        samesite="Strict",
    )
    return response


def brought(request: HttpRequest) -> str | None:
    """The secret to be shown on this page; `forget` it with the answer."""
    return request.get_signed_cookie(COOKIE, None, salt=request.path, max_age=SECONDS)


def forget(response: HttpResponse, path: str) -> None:
    response.delete_cookie(COOKIE, path=path, samesite="Strict")
