"""The history: every edit, named revisions, and the way back."""

import re
from collections.abc import Callable
from datetime import timedelta
from time import process_time

import pytest
from django.test import Client
from django.utils import timezone

from designer.core.report.standing import short
from designer.views import history
from projects import naming
from projects.models import Draft, Revision
from tests.web.conftest import design_of
from tests.web.forms import send

URL = "/d/club4alice/"


def listed(client: Client, query: str = "") -> list[str]:
    page = client.get(f"{URL}history/{query}").content.decode()
    return re.findall(r'<th scope="row"><a href="[^"]+">(r\d+)</a>', page)


def grow(draft: Draft, to: int) -> None:
    """More revisions of the design as it is."""
    first = draft.revisions.get(number=1)
    Revision.objects.bulk_create(
        Revision(
            draft=draft,
            number=number,
            parent=number - 1,
            document=first.document,
            meaning=first.meaning,
            ordered_meaning=first.ordered_meaning,
            digest=first.digest,
            note=f"Edit {number}",
            author=first.author,
        )
        for number in range(2, to + 1)
    )
    Draft.objects.filter(pk=draft.pk).update(position=to)
    draft.refresh_from_db()


def test_every_edit_is_listed_with_its_author(club: Draft, as_alice: Client) -> None:
    send(as_alice, f"{URL}settings/", "settings-form", {"name": "Tennis"})
    page = as_alice.get(f"{URL}history/").content.decode()
    assert "Rename the design to Tennis" in page
    assert "alice" in page
    assert listed(as_alice) == ["r2", "r1"]


def test_a_visitor_in_a_sandbox_is_called_one(as_charlie: Client) -> None:
    send(as_charlie, "/d/shop/settings/", "settings-form", {"name": "Mine"})
    page = as_charlie.get(f"/d/{Draft.objects.get().slug}/history/").content.decode()
    assert "a visitor" in page
    assert "someone who left" not in page


def test_what_was_undone_is_marked(club: Draft, as_alice: Client) -> None:
    send(as_alice, f"{URL}settings/", "settings-form", {"name": "Tennis"})
    as_alice.post(f"{URL}undo/")
    assert "(undone)" in as_alice.get(f"{URL}history/").content.decode()


def test_one_goes_back_to_any_revision(club: Draft, as_alice: Client) -> None:
    send(as_alice, f"{URL}settings/", "settings-form", {"name": "Tennis"})
    assert as_alice.post(f"{URL}history/1/restore/").url == f"{URL}history/"
    assert design_of(club).name == "Club"
    assert club.revisions.count() == 3
    said = as_alice.get(f"{URL}history/").content.decode()
    assert "The design is as it was in r1; this revision is r3." in said
    assert as_alice.post(f"{URL}history/99/restore/").status_code == 404


def test_an_edit_of_words_means_the_same(club: Draft, as_alice: Client) -> None:
    send(as_alice, f"{URL}settings/", "settings-form", {"description": "Of members."})
    page = as_alice.get(f"{URL}history/").content.decode()
    assert page.count('<span class="quiet">the same</span>') == 1
    assert short(club.revisions.get(number=1).meaning) in page


def test_a_long_history_comes_in_pages(club: Draft, as_alice: Client) -> None:
    grow(club, 120)
    assert listed(as_alice) == [f"r{number}" for number in range(120, 70, -1)]
    page = as_alice.get(f"{URL}history/").content.decode()
    assert 'href="?before=71"' in page and "Newer" not in page
    assert listed(as_alice, "?before=71")[0] == "r70"
    last = as_alice.get(f"{URL}history/?before=21").content.decode()
    assert 'href="?before=71"' in last and "Older" not in last
    assert "To the newest revision" in as_alice.get(f"{URL}history/?before=1").content.decode()


def test_a_history_of_thousands_is_quick(club: Draft, as_alice: Client) -> None:
    grow(club, 5_000)
    as_alice.get(f"{URL}history/")
    begun = process_time()
    assert listed(as_alice)[-1] == "r4951"
    assert process_time() - begun < 1


def test_named_revisions_stand_first_with_message_and_hash(club: Draft, as_alice: Client) -> None:
    send(as_alice, f"{URL}settings/", "settings-form", {"name": "Tennis"})
    naming.name(club, 1, "as shipped 2026-12", "Agreed on Friday.")
    page = as_alice.get(f"{URL}history/").content.decode()
    named = page[page.index("Named revisions") : page.index('id="edits-title"')]
    assert "as shipped 2026-12" in named and "Agreed on Friday." in named
    assert club.revisions.get(number=1).meaning in named


def rename(client: Client, *names: str) -> None:
    for name in names:
        send(client, f"{URL}settings/", "settings-form", {"name": name})


def sittings(client: Client) -> list[tuple[str, int]]:
    """The first cells of the lines that hold several edits, and how many edits each holds."""
    page = client.get(f"{URL}history/").content.decode()
    groups = re.findall(r'<tbody class="sitting.*?</tbody>', page, re.DOTALL)
    return [(re.findall(r"<span>(r\d+ to r\d+)</span>", g)[0], g.count("<tr") - 1) for g in groups]


def age(draft: Draft, number: int, **ago: float) -> None:
    draft.revisions.filter(number=number).update(created_at=timezone.now() - timedelta(**ago))


def test_edits_of_one_sitting_are_one_line_that_says_what_came_of_them(
    club: Draft, as_alice: Client
) -> None:
    age(club, 1, days=1)
    rename(as_alice, "Tennis", "Golf", "Chess")
    assert sittings(as_alice) == [("r2 to r4", 3)]
    page = as_alice.get(f"{URL}history/").content.decode()
    assert "The design is called <code>Chess</code> instead of <code>Club</code>." in page
    assert re.search(r'href="/d/club4alice/[a-z/]+/\?from=1&amp;to=4"', page)
    assert listed(as_alice) == ["r4", "r3", "r2", "r1"]


def test_a_pause_another_person_and_a_name_end_a_sitting(
    club: Draft, as_alice: Client, colleague: Callable[..., Client]
) -> None:
    age(club, 1, days=1)
    as_dora = colleague("editor", "dora")
    rename(as_alice, "Tennis", "Golf")
    rename(as_dora, "Chess", "Go")
    assert sittings(as_alice) == [("r4 to r5", 2), ("r2 to r3", 2)]
    age(club, 4, minutes=31)
    age(club, 3, minutes=40)
    assert sittings(as_alice) == [("r2 to r3", 2)]
    naming.name(club, 2, "as shipped", "")
    assert sittings(as_alice) == []


def test_what_was_changed_and_taken_back_is_told_so(club: Draft, as_alice: Client) -> None:
    age(club, 1, days=1)
    rename(as_alice, "Tennis")
    as_alice.post(f"{URL}undo/")
    page = as_alice.get(f"{URL}history/").content.decode()
    assert "In the end the design states the same as before." in page


def test_large_documents_are_not_all_read(
    club: Draft, as_alice: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    age(club, 1, days=1)
    rename(as_alice, "Tennis", "Golf")
    monkeypatch.setattr(history, "MOST_BYTES", 100)
    page = as_alice.get(f"{URL}history/").content.decode()
    assert sittings(as_alice) == [("r2 to r3", 2)]
    assert "Rename the design to Golf" in page and "instead of" not in page
