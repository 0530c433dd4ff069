"""The history: every edit, and the way back."""

import re

from django.test import Client

from projects.models import Draft
from tests.web.conftest import design_of
from tests.web.forms import send

URL = "/d/club4alice/"


def test_every_edit_is_listed_with_its_author(club: Draft, as_alice: Client) -> None:
    send(as_alice, f"{URL}settings/", "settings-form", {"name": "Tennis"})
    page = as_alice.get(f"{URL}history/").content.decode()
    assert "Rename the design to Tennis" in page
    assert "alice" in page
    assert re.findall(r"<th scope=\"row\">(\w+)</th>", page) == ["r2", "r1"]


def test_what_was_undone_is_marked(club: Draft, as_alice: Client) -> None:
    send(as_alice, f"{URL}settings/", "settings-form", {"name": "Tennis"})
    as_alice.post(f"{URL}undo/")
    assert "(undone)" in as_alice.get(f"{URL}history/").content.decode()


def test_one_goes_back_to_any_revision(club: Draft, as_alice: Client) -> None:
    send(as_alice, f"{URL}settings/", "settings-form", {"name": "Tennis"})
    assert as_alice.post(f"{URL}history/1/restore/").url == f"{URL}history/"
    assert design_of(club).name == "Club"
    assert club.revisions.count() == 3
    assert as_alice.post(f"{URL}history/99/restore/").status_code == 404
