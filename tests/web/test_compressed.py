"""Pages are compressed, and whoever watches their lengths learns no token from them (BREACH).

Such a reader has a page sent again and again, each time with another guess in its address, and sees whether the guess
stands elsewhere in the page too, as that makes it shorter. So no secret stands there the same way twice, a page is a
little longer or shorter by chance, and another site cannot have it sent with somebody's session.
"""

import gzip
import re
from collections.abc import Iterator

import pytest
from django.conf import settings
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from projects.models import Draft
from tests.web.test_access import LINK, OK, ROWS, visitors

__all__ = ["visitors"]
MASKED = re.compile(r"(?:csrfmiddlewaretoken\" value=\"|X-CSRFToken\": \")(\w+)\"")
FILE_NAME = 8
"""The flag of gzip for a name, which follows a header of ten bytes and ends with a null."""


def asked(client: Client, url: str) -> HttpResponse:
    found = client.get(url, headers={"Accept-Encoding": "gzip"})
    assert isinstance(found, HttpResponse)
    return found


def text_of(answer: HttpResponse) -> str:
    is_compressed = answer.headers.get("Content-Encoding") == "gzip"
    return (gzip.decompress(answer.content) if is_compressed else answer.content).decode()


def pages() -> Iterator[str]:
    """The address of each page that the owner of the club's design can look at."""
    for rows in ROWS.values():
        for name, given, method, statuses in rows:
            if method == "get" and statuses["owner"] == OK:
                yield reverse(name, kwargs=given)


def test_no_page_shows_a_token_the_same_way_twice(visitors: dict[str, Client]) -> None:
    client, with_tokens = visitors["owner"], []
    for url in pages():
        answer = client.get(url, headers={"Accept-Encoding": "gzip"})
        if not answer.headers["Content-Type"].startswith("text/html"):
            continue
        first, second = text_of(answer), text_of(asked(client, url))
        tokens = [set(MASKED.findall(text)) for text in (first, second)]
        assert not tokens[0] & tokens[1], url
        # What the tokens stand for is in the cookie alone.
        secret = client.cookies["csrftoken"].value if "csrftoken" in client.cookies else ""
        assert not secret or secret not in first + second, url
        assert client.cookies["sessionid"].value not in first + second, url
        if tokens[0]:
            assert secret and all(map(len, tokens)), url
            assert answer.headers["Content-Encoding"] == "gzip", url
            with_tokens.append(url)
    assert len(with_tokens) > 50


def test_the_same_page_is_not_always_as_long(club: Draft, visitors: dict[str, Client]) -> None:
    """A shared page has no token, and is kept for all its readers: what varies is what compression adds."""
    url = reverse("shared-workspace", kwargs=LINK)
    answers = [asked(visitors["link reader"], url) for _ in range(12)]
    assert len({text_of(each) for each in answers}) == 1
    assert not MASKED.search(text_of(answers[0]))
    assert all(each.content[3] & FILE_NAME for each in answers)
    assert len({len(each.content) for each in answers}) > 1


@pytest.mark.parametrize("cookie", ["SESSION", "CSRF"])
def test_another_site_has_no_page_sent_with_a_cookie(cookie: str) -> None:
    assert getattr(settings, f"{cookie}_COOKIE_SAMESITE") in ("Lax", "Strict")
