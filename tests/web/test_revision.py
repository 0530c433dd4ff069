"""A revision as it was: looked at, exported, named for ever, and never changed."""

import pytest
from django.contrib.auth.models import User
from django.test import Client

from designer.core.errors import DesignError
from designer.core.messages import say
from projects import naming, revisions
from projects.models import Draft, RevisionName
from tests.web.forms import send, words

URL = "/d/club4alice/"
FIRST = f"{URL}r/1/"


@pytest.fixture
def renamed(club: Draft, as_alice: Client) -> Draft:
    """The club after it was called otherwise: r2."""
    send(as_alice, f"{URL}settings/", "settings-form", {"name": "Tennis"})
    club.refresh_from_db()
    return club


def test_a_revision_is_shown_as_it_was_with_grid_and_patterns(
    renamed: Draft, as_alice: Client
) -> None:
    page = as_alice.get(FIRST).content.decode()
    assert "r1 of Club" in page and "Tennis" not in page
    assert 'id="grids"' in page and 'id="patterns"' in page
    assert renamed.revisions.get(number=1).meaning in page
    assert "read only" in page


def test_a_pattern_of_a_revision_is_answered_at_its_own_address(
    renamed: Draft, as_alice: Client
) -> None:
    page = as_alice.get(f"{FIRST}?pattern=1").content.decode()
    assert f'href="{FIRST}?pattern=2' in page
    part = as_alice.get(
        f"{FIRST}?pattern=2", headers={"HX-Request": "true", "HX-Target": "results"}
    ).content.decode()
    assert "<!doctype" not in part and f'href="{FIRST}?' in part


def test_nothing_on_its_page_changes_it(renamed: Draft, as_alice: Client) -> None:
    page = as_alice.get(FIRST).content.decode()
    assert f'href="{URL}entities/' not in page and f'href="{URL}patterns/' not in page
    for url in (FIRST, f"{FIRST}exports/"):
        assert as_alice.post(url).status_code == 405


def test_its_documents_are_those_of_then(renamed: Draft, as_alice: Client) -> None:
    assert b"name: Club" in as_alice.get(f"{FIRST}design.yaml").content
    assert b"name: Tennis" in as_alice.get(f"{URL}r/2/design.yaml").content
    assert as_alice.get(f"{FIRST}design.csv").status_code == 404
    page = as_alice.get(f"{FIRST}exports/?as=data-model").content.decode()
    assert "Club" in page and "Tennis" not in page
    assert f'href="{FIRST}exports/data-model/single/"' in page
    file = as_alice.get(f"{FIRST}exports/data-model/single/").content.decode()
    assert "Club" in file and "Tennis" not in file


def test_what_is_not_there_is_not_found(club: Draft, as_alice: Client) -> None:
    for url in ("r/2/", "r/2/exports/", "r/2/design.yaml", "r/2/exports/data-model/single/"):
        assert as_alice.get(URL + url).status_code == 404
    assert as_alice.get("/d/shop/r/1/").status_code == 404


def test_a_name_and_its_message_are_kept(renamed: Draft, as_alice: Client, alice: User) -> None:
    said = {"name": "as shipped", "message": "All agreed."}
    assert as_alice.post(f"{FIRST}name/", said).url == f"{URL}history/"
    named = RevisionName.objects.get()
    assert (named.name, named.message, named.author) == ("as shipped", "All agreed.", alice)
    assert named.revision.number == 1
    page = as_alice.get(FIRST).content.decode()
    assert "as shipped" in page and "All agreed." in page
    assert "Give it a name" not in page


def test_a_name_stays_and_names_one_revision(renamed: Draft, as_alice: Client) -> None:
    naming.name(renamed, 1, "as shipped")
    again = as_alice.post(f"{FIRST}name/", {"name": "otherwise"})
    assert again.status_code == 422
    assert words("revision-called-so", number=1, name="as shipped") in again.content.decode()
    taken = as_alice.post(f"{URL}r/2/name/", {"name": "As Shipped"})
    assert taken.status_code == 422
    assert words("name-of-revision", number=1, name="as shipped") in taken.content.decode()
    assert 'value="As Shipped"' in taken.content.decode()
    assert [each.name for each in RevisionName.objects.all()] == ["as shipped"]


def test_no_name_is_refused(club: Draft, as_alice: Client) -> None:
    refused = as_alice.post(f"{FIRST}name/", {"name": " "})
    assert refused.status_code == 422 and "Enter a name, for example" in refused.content.decode()
    with pytest.raises(DesignError) as error:
        naming.name(club, 7, "later")
    assert error.value.reason == say("no-such-revision")


def test_a_name_of_two_lines_is_refused(club: Draft, as_alice: Client) -> None:
    refused = as_alice.post(f"{FIRST}name/", {"name": "shipped\non time"})
    assert refused.status_code == 422 and "one line" in refused.content.decode()
    assert not club.names.exists()


def test_the_last_named_revision_before_another(renamed: Draft) -> None:
    assert naming.last_named(renamed, 2) is None
    naming.name(renamed, 1, "as shipped")
    found = naming.last_named(renamed, 2)
    assert found is not None and found.number == 1
    assert naming.last_named(renamed, 1) is None


def test_a_draft_as_of_a_revision_is_read_only(renamed: Draft, as_alice: Client) -> None:
    seen = revisions.as_of(renamed, renamed.revisions.get(number=1))
    assert seen.seen_at == 1 and not seen.may_edit
    assert renamed.seen_at is None
