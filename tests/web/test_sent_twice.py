"""A page whose save was not answered sends it again (`static/js/htmx-manners.js`): nothing more is changed by that."""

import pytest
from django.test import Client

from projects.models import Draft
from tests.web.conftest import design_of
from tests.web.forms import HTMX, fields_of

OF_A_STEP = {
    "members-1-entity": "Visit",
    "members-1-each": "others",
    "members-1-times-average": "1",
    "members-1-times-most": "1",
}
SAVES = [
    ("settings", "settings-form", {"description": "For members."}),
    ("entities/e-member", "entity-form", {"name": "Person"}),
    ("entities/e-member", "entity-form", {"items": "12345"}),
    ("entities/e-member/attributes/a-member-email", "attribute-form", {"name": "mail"}),
    ("relationships/r-makes", "relationship-form", {"name": "does"}),
    ("patterns/p-1", "pattern-form", {"why": "They ask for it."}),
    ("patterns/p-4", "pattern-form", {**OF_A_STEP, "members-1-verb": "create"}),
]


@pytest.mark.parametrize(("page", "form", "given"), SAVES)
def test_a_form_that_is_sent_twice_is_saved_once(
    page: str, form: str, given: dict[str, str], club: Draft, as_alice: Client
) -> None:
    url = f"/d/club4alice/{page}/"
    text = as_alice.get(url)
    assert "data-saves" in text.content.decode()
    fields = {**fields_of(text, form), **given}
    before = club.revisions.count()
    for _ in range(2):
        assert as_alice.post(url, fields, headers=HTMX).status_code == 200
        assert club.revisions.count() == before + 1
    saved = design_of(club)
    assert as_alice.post(url, fields, headers=HTMX).status_code == 200
    assert design_of(club) == saved
