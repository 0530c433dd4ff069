"""Hosts are upgraded one by one: what a new one saved, an old one may not be able to read."""

import pytest
from django.test import Client

from projects.models import Draft
from tests.web.forms import HTMX, fields_of, words

URL = "/d/club4alice/settings/"


@pytest.fixture
def newer(club: Draft, as_alice: Client) -> dict[str, str]:
    """The fields of a form, whose design a newer version saved since."""
    fields = fields_of(as_alice.get(URL), "settings-form")
    head = club.revisions.get()
    head.document["entities"][0]["of-tomorrow"] = True
    club.revisions.update(document=head.document, created_at="2026-01-01T00:00Z")
    return fields


@pytest.mark.parametrize("path", ["", "settings/", "history/", "text/", "exports/", "reviews/"])
def test_a_page_of_a_newer_design_says_so_and_asks_again(
    path: str, newer: dict[str, str], as_alice: Client
) -> None:
    answer = as_alice.get(f"/d/club4alice/{path}")
    assert answer.status_code == 429
    assert words("design-is-newer") in answer.content.decode()
    assert int(answer.headers["Retry-After"]) <= 10
    assert 'http-equiv="refresh"' in answer.content.decode()


def test_an_edit_of_a_newer_design_changes_nothing_and_keeps_what_was_typed(
    newer: dict[str, str], as_alice: Client, club: Draft
) -> None:
    typed = {**newer, "description": "For its members."}
    answer = as_alice.post(URL, typed, headers=HTMX)
    assert answer.status_code == 429
    assert words("design-is-newer") == answer.content.decode()
    answer = as_alice.post(URL, typed)
    assert answer.status_code == 429
    assert "For its members." in answer.content.decode()
    assert club.revisions.count() == 1
