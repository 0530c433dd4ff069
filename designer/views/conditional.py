"""Answers that are asked for again and again, and sent again only when something changed."""

from functools import cache
from hashlib import sha256
from pathlib import Path

from django.conf import settings
from django.http import HttpRequest, HttpResponseBase
from django.utils.cache import get_conditional_response, patch_vary_headers
from django.utils.http import quote_etag

FOLDERS = ("designer", "projects", "templates")
ENDINGS = {".py", ".html", ".yaml"}


@cache
def release() -> str:
    """What tells this version of the site from every other: what it shows of the same design may differ."""
    read = sha256()
    for folder in FOLDERS:
        for path in sorted(Path(settings.BASE_DIR, folder).rglob("*")):
            if path.suffix in ENDINGS:
                read.update(f"{path.relative_to(settings.BASE_DIR)}\0".encode())
                read.update(path.read_bytes())
    return read.hexdigest()


def tag_of(*facts: object) -> str:
    """An ETag for an answer that follows from these facts, the address and this version of the site alone."""
    return quote_etag(sha256(repr((release(), *facts)).encode()).hexdigest()[:32])


def unchanged(request: HttpRequest, tag: str) -> HttpResponseBase | None:
    """304, where the answer of this tag is what the asker has already."""
    answer = get_conditional_response(request, etag=tag)
    if answer is not None:
        answer.headers["ETag"] = tag
        patch_vary_headers(answer, ["HX-Request"])
    return answer
