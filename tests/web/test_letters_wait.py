"""Where somebody asks for a letter, the page says when none are sent."""

import pytest
from django.test import Client
from django.utils import timezone

from projects.models import Draft, Worker

SAID = "This site is not sending e-mails at the moment"


def pages(as_alice: Client) -> list[str]:
    answers = [
        as_alice.get("/account/"),
        as_alice.get("/teams/team4alice/"),
        Client().post("/password/forgotten/", {"email": "nobody@example.com"}),
    ]
    assert [each.status_code for each in answers] == [200, 200, 200]
    return [each.content.decode() for each in answers]


@pytest.mark.parametrize("is_there", [True, False])
def test_a_letter_that_waits_for_a_worker_is_said_to_wait(
    is_there: bool, club: Draft, as_alice: Client
) -> None:
    if is_there:
        Worker.objects.create(pk="key", queues="mail", seen_at=timezone.now())
    assert [SAID in page for page in pages(as_alice)] == [not is_there] * 3
