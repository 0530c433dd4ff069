"""A design of the gallery is taken with numbers of one's own."""

import re

import pytest
from django.test import Client

from designer.core.design import gallery
from designer.core.edits.workload import workload_of
from projects.models import Draft
from tests.web.conftest import design_of

pytestmark = pytest.mark.django_db
URL = "/gallery/starter/copy/"


def test_a_copy_is_of_the_workload_that_is_given(as_charlie: Client) -> None:
    page = as_charlie.get("/gallery/starter/").content.decode()
    assert "With your numbers" in page and 'name="users"' in page and "50000" in page
    months = re.findall(r'name="months"[^>]*value="([^"]*)"', page)
    assert months and not months[0].endswith(".0")
    given = {"users": "1,000", "requests": "2", "months": "12.5"}
    answer = as_charlie.post(URL, given)
    assert answer.status_code == 302
    design = design_of(Draft.objects.get())
    assert design.entity["Project"].items == 1000
    rates = [pattern.rate.average for pattern in design.patterns if pattern.rate]
    assert sum(rates) == pytest.approx(2, rel=0.01)


def test_a_copy_without_numbers_is_the_design_as_it_is(as_charlie: Client) -> None:
    as_charlie.post(URL)
    assert design_of(Draft.objects.get()).entity["Project"].items == 50_000


@pytest.mark.parametrize("users", ["many", "-3", "0", "1e400", "nan", "9" * 400])
def test_what_is_no_number_is_said_and_nothing_is_made(as_charlie: Client, users: str) -> None:
    answer = as_charlie.post(URL, {"users": users, "requests": "2"})
    assert answer.status_code == 422
    page = answer.content.decode()
    assert 'class="error" role="alert"' in page
    assert f'name="users" inputmode="numeric" value="{users}"' in page
    assert not Draft.objects.exists()


@pytest.mark.parametrize("page", ["/", "/gallery/"])
def test_usual_workloads_are_offered_and_ask_for_numbers(page: str, as_charlie: Client) -> None:
    offered = re.findall(
        r'href="/gallery/([\w-]+)/#workload-users">', as_charlie.get(page).content.decode()
    )
    assert offered == list(gallery.WORKLOADS.values())
    assert all(workload_of(gallery.load(slug)) is not None for slug in offered)
