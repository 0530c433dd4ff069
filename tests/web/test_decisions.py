"""The decisions of a plan, and how good it is said to be."""

from django.test import Client

from projects.models import Project

URL = "/d/club4alice/decisions/"


def test_the_bound_is_said_to_be_of_what_is_listed(club: Project, as_alice: Client) -> None:
    page = as_alice.get(URL).content.decode()
    assert "no choice among the listed keys and indexes costs less" in page
    assert "decided before" in page and "A key that is not listed may be cheaper" in page
    assert "whatever is chosen" not in page
