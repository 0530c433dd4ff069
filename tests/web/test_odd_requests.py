"""Whatever is sent to whichever address: the answer says so, and is no mistake of ours."""

import json
import logging
import re

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from projects import throttle
from projects.models import Draft

DEEP = "[" * 50_000
FORM = "application/x-www-form-urlencoded"
MANY = "&".join(f"f{at}=1" for at in range(10_050))
ARGUMENTS = {"slug": "club4alice", "number": "1", "style": "single", "token": "x" * 43}
HEADERS = {
    "an address that is none, and conditions": {
        "HX-Current-URL": "http://[::1", "HX-Request": "true",
        "If-None-Match": '"' * 99, "If-Modified-Since": "never", "Range": "bytes=9-1",
    },
    "an address in pieces, and a referrer": {
        "HX-Current-URL": "//\ud800\x00:99999999/%ff?a=%00", "HX-Request": "1",
        "Referer": "http://[", "Origin": "null", "Accept-Language": "x" * 9000,
    },
    "an odd type": {"Content-Type": "multipart/form-data; boundary=", "HX-Target": "'\"<\\"},
    "an odd charset": {"Content-Type": f"{FORM}; charset=nonsense"},
    "an odd host": {"Host": "evil.example:99999999"},
    "odd cookies": {"Cookie": "sessionid=\x01\x7f; csrftoken=\"\\; messages=[[]"},
}  # fmt: skip
BODIES = {
    "nothing": ("", FORM),
    "NUL": ("name=%00&text=%00&was-revision=%00", FORM),
    "half a pair": ("name=%ed%a0%80&text=%ed%a0%80&note=%ed%a0%80", FORM),
    "half a pair in JSON": (json.dumps({"name": "\ud800"}), "application/json"),
    "bytes": (b"\xff\xfe\xfa=\xff&a=%zz", FORM),
    "many fields": (MANY, FORM),
    "long": ("intent=preview&name=" + "x" * 200_000 + "&text=" + "a: " * 70_000, FORM),
    "deep": (f"intent=preview&text={DEEP}&data={DEEP}", FORM),
    "deep JSON": (DEEP, "application/json"),
    "numbers": ("was-revision=9" + "9" * 5000 + "&number=1e999999&items=%D9%A3&rate=nan", FORM),
    "a type of its own": ("x", "text/\x01; charset=\x02"),
    "a file without an end": ('--b\r\nContent-Disposition: form-data; name="f', "multipart/form-data; boundary=b"),
    "a part without a name": ("--b\r\n\r\nx\r\n--b--\r\n", "multipart/form-data; boundary=b"),
    "a part in base64": (
        '--b\r\nContent-Disposition: form-data; name="f"\r\nContent-Transfer-Encoding: base64\r\n\r\n!\r\n--b--\r\n',
        "multipart/form-data; boundary=b",
    ),
}  # fmt: skip
ASKED = {"nothing", "NUL", "half a pair", "half a pair in JSON", "numbers"}
"""Bodies of which something may reach the database; what is refused before is so wherever a design is kept."""
METHODS = ("GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE", "NONSENSE")
QUERIES = (
    "",
    "?view=%00&pattern=9" + "9" * 5000 + "&q=%ed%a0%80&from=-1&to=x&number=1e99&page=0&what=%ff",
)


def addresses(patterns: list[URLPattern | URLResolver], begin: str = "") -> list[str]:
    """Every address of the site, with something that fits in the place of each argument."""
    found = []
    for each in patterns:
        route = begin + str(each.pattern)
        if isinstance(each, URLResolver):
            found += addresses(each.url_patterns, route)
            continue
        found.append("/" + re.sub(r"<(?:\w+:)?(\w+)>", lambda a: ARGUMENTS.get(a[1], "1"), route))
    return sorted(set(found))


ADDRESSES = addresses(get_resolver().url_patterns)


@pytest.fixture(autouse=True)
def unlimited(monkeypatch: pytest.MonkeyPatch) -> None:
    throttle.forget()
    monkeypatch.setattr("projects.budget.Budget.left", lambda self, share: 1.0)
    monkeypatch.setattr(throttle, "hit", lambda limit, who: None)


@pytest.fixture
def client(club: Draft, alice: User) -> Client:
    found = Client(raise_request_exception=False)
    found.force_login(alice)
    return found


@pytest.mark.parametrize(
    "odd",
    [
        # Of headers only cookies are looked for in the database.
        pytest.param(odd, id=name, marks=() if name == "odd cookies" else pytest.mark.pages)
        for name, odd in HEADERS.items()
    ],
)
def test_odd_headers(odd: dict[str, str], client: Client, caplog: pytest.LogCaptureFixture) -> None:
    kind = odd.get("Content-Type", FORM)
    headers = {name: value for name, value in odd.items() if name != "Content-Type"}
    for address in ADDRESSES:
        answered(client, "GET", address, "", kind, headers, caplog)
        answered(client, "POST", address, "name=x", kind, headers, caplog)


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        pytest.param(*sent, id=name, marks=() if name in ASKED else pytest.mark.pages)
        for name, sent in BODIES.items()
    ],
)
def test_odd_bodies(
    body: str | bytes, kind: str, client: Client, caplog: pytest.LogCaptureFixture
) -> None:
    for address in ADDRESSES:
        answered(client, "POST", address, body, kind, {"HX-Request": "true"}, caplog)


@pytest.mark.parametrize("query", QUERIES, ids=["none", "odd"])
def test_odd_methods_and_queries(
    query: str, client: Client, caplog: pytest.LogCaptureFixture
) -> None:
    methods = ("GET",) if query else METHODS
    for address in ADDRESSES:
        for method in methods:
            answered(client, method, address + query, "", FORM, {}, caplog)


def answered(
    client: Client,
    method: str,
    address: str,
    body: str | bytes,
    kind: str,
    headers: dict[str, str],
    caplog: pytest.LogCaptureFixture,
) -> None:
    """It is no mistake of ours, and none is logged."""
    caplog.clear()
    answer = client.generic(method, address, body, content_type=kind, headers=headers)
    answer.getvalue()  # a file that nobody reads stays open
    found = [
        each.getMessage()
        for each in caplog.records
        if each.levelno >= logging.ERROR and getattr(each, "status_code", 500) >= 500
    ]
    assert answer.status_code < 500 and not found, (
        method,
        address,
        answer.status_code,
        found,
    )
