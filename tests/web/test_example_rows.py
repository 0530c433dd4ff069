"""Example values changed in the tables."""

from django.test import Client

from projects.models import Draft
from tests.web.conftest import design_of

URL = "/d/club4alice/examples/"
HTMX = {"HX-Request": "true", "HX-Target": "results", "HX-Current-URL": "http://testserver/d/club4alice/"}  # fmt: skip


def test_a_changed_cell_is_kept_in_the_design(club: Draft, as_alice: Client) -> None:
    sent = {"row": "Member-1", "of": "email", "value": "zoe@example.org"}
    answer = as_alice.post(URL, sent, headers=HTMX)
    page = answer.content.decode()
    assert answer.status_code == 200
    assert "Saved: email of Member-1 is zoe@example.org." in page
    assert "zoe@example.org" in page[: page.index("Saved:")]
    assert design_of(club).entity["Member"].by_name["email"].examples == ("zoe@example.org",)


def test_what_is_refused_says_why_and_saves_nothing(club: Draft, as_alice: Client) -> None:
    for sent in ({}, {"row": "Member-1", "of": "memberId", "value": "x"}):
        answer = as_alice.post(URL, sent, headers=HTMX)
        assert answer.status_code == 422
        assert answer.content.decode().endswith(".")
        assert answer["Content-Type"].startswith("text/plain")
    assert club.revisions.count() == 1


def test_cells_that_can_be_changed_say_what_they_are_of(club: Draft, as_alice: Client) -> None:
    page = as_alice.get("/d/club4alice/").content.decode()
    assert f'data-examples="{URL}"' in page
    assert 'data-of="email"' in page


def test_who_may_only_read_is_not_led_to_change_cells(club: Draft, as_alice: Client) -> None:
    assert "data-examples" not in Client().get("/d/club4alice/").content.decode()
