"""What is too much is refused with words, and what is large is not."""

import pytest
from django.contrib.auth.models import User
from django.test import Client

from projects import links
from projects.models import Comment, Draft
from tests.web.conftest import design_of
from tests.web.forms import fields_of, send_fields

TRANSACTION = "/d/club4alice/patterns/p-4/"


def test_a_transaction_of_a_hundred_steps_goes_through_its_form(
    club: Draft, as_alice: Client
) -> None:
    fields = fields_of(as_alice.get(TRANSACTION), "pattern-form")
    for index in range(100):
        fields |= {
            f"members-{index}-verb": "create",
            f"members-{index}-entity": "Visit",
            f"members-{index}-each": f"rows{index}",
            f"members-{index}-times-average": "1",
            f"members-{index}-times-most": "1",
            **{f"members-{index}-changes-{row}-attribute": "" for row in range(8)},
        }
    answer = send_fields(as_alice, TRANSACTION, fields)
    assert answer.status_code == 200
    assert len(design_of(club).pattern(4).members) == 100


@pytest.mark.django_db
def test_more_than_a_form_may_hold_is_refused_with_words() -> None:
    client = Client(raise_request_exception=False)
    answer = client.post("/designs/new/", {"name": "x" * 7_000_000})
    assert answer.status_code == 400
    assert "too large" in answer.content.decode()


@pytest.mark.parametrize("name", ["members-99999-entity", "members-x-entity", "where--1-attribute"])
def test_names_of_fields_that_no_form_has_are_ignored(
    name: str, club: Draft, as_alice: Client
) -> None:
    fields = fields_of(as_alice.get(TRANSACTION), "pattern-form")
    assert send_fields(as_alice, TRANSACTION, {**fields, name: "Visit"}).status_code in (200, 422)


@pytest.mark.parametrize(
    "rows", ["where", "members-0-changes", "ghost", "members-9-if", "name", ""]
)
def test_rows_that_are_not_there_are_neither_added_nor_removed(
    rows: str, club: Draft, as_alice: Client
) -> None:
    fields = fields_of(as_alice.get(TRANSACTION), "pattern-form")
    for button in ({"add-row": rows}, {"remove-row": f"{rows}-7"}, {"remove-row": rows}):
        assert send_fields(as_alice, TRANSACTION, {**fields, **button}).status_code == 200


odd_texts = pytest.mark.parametrize("typed", ["", "🎾", "${x}", "<b>", "-1", "x" * 300])
PATTERNS = tuple(f"/d/club4alice/patterns/p-{number}/" for number in (1, 2, 5))


@pytest.mark.slow
@pytest.mark.pages  # a preview keeps nothing
@pytest.mark.parametrize("typed", ["", "🎾", "-1", "x" * 300])
def test_whatever_is_typed_in_a_field_the_page_answers(
    typed: str, club: Draft, as_alice: Client
) -> None:
    for url in PATTERNS:
        fields = fields_of(as_alice.get(url), "pattern-form")
        for name in fields:
            if not name.startswith(("was-", "csrf")):
                changed = {**fields, name: typed, "intent": "preview"}
                assert send_fields(as_alice, url, changed).status_code in (200, 204), name


@odd_texts
def test_whatever_is_typed_in_all_fields_the_form_answers(
    typed: str, club: Draft, as_alice: Client
) -> None:
    for url in PATTERNS:
        everywhere = dict.fromkeys(fields_of(as_alice.get(url), "pattern-form"), typed)
        assert send_fields(as_alice, url, everywhere).status_code in (200, 409, 422)


@pytest.mark.parametrize("digits", ["9" * 25, "9" * 5000])
def test_a_number_that_nothing_has_is_none(
    digits: str, club: Draft, alice: User, as_alice: Client
) -> None:
    """In forms and addresses: longer than a database counts, and longer than Python reads."""
    url = "/d/club4alice/"
    for step in ("undo/", "redo/"):
        assert as_alice.post(url + step, {"revision": digits}).status_code == 302
    assert club.revisions.count() == 1
    assert as_alice.get(f"{url}history/", {"before": digits}).status_code == 200
    assert as_alice.get(f"{url}history/compare/", {"from": digits}).status_code == 404
    assert as_alice.get(f"{url}migration/", {"from": digits}).status_code == 404
    text = as_alice.get(f"{url}text/design.yaml").content.decode()
    sent = {"text": text, "was-revision": digits}
    assert as_alice.post(f"{url}text/", sent).status_code == 302
    fields = fields_of(as_alice.get(TRANSACTION), "pattern-form")
    for button in ({"add-row": f"members-{digits}-if"}, {"remove-row": f"members-{digits}"}):
        assert send_fields(as_alice, TRANSACTION, {**fields, **button}).status_code == 200
    _, token = links.make(club, alice, may_comment=True)
    assert as_alice.post(f"/s/{token}/comments/{digits}/").status_code == 404


@pytest.mark.parametrize("before", ["0001-01-01T00:00:00+14:00", "9999-12-31T23:59:00-14:00"])
def test_a_moment_before_or_after_all_is_none(before: str, club: Draft, as_alice: Client) -> None:
    answer = as_alice.get("/projects/project4alice/activity/", {"before": before})
    assert answer.status_code == 404


def test_the_character_nul_is_refused_everywhere(club: Draft, as_alice: Client) -> None:
    url = "/d/club4alice/"
    assert as_alice.get(f"{url}threads/design%00/").status_code == 400
    assert as_alice.get(url, {"pattern": "1\0"}).status_code == 400
    assert as_alice.get(url, {"pattern\0": "1"}).status_code == 400
    answer = as_alice.post(f"{url}threads/design/", {"body": "Why\0?"})
    assert answer.status_code == 400
    assert not Comment.objects.exists()
    assert as_alice.post("/designs/new/", {"name": "Club", "project": "\0"}).status_code == 400
