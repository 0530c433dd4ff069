"""Revisions: every edit is one, and nothing is lost."""

import threading

import pytest
from django.contrib.auth.models import User
from django.db import IntegrityError, connection

from designer.core.design.document import Design
from designer.core.edits import change_settings
from designer.core.errors import DesignError
from projects import revisions, undoing
from projects.models import Draft, Revision
from tests.web.conftest import design_of


def describe(draft: Draft, text: str, author: User) -> Design:
    return revisions.edit(
        draft, lambda design: change_settings(design, description=text), f"Say {text}", author
    )


def test_an_edit_is_recorded_with_its_note_its_author_and_its_parent(
    club: Draft, alice: User
) -> None:
    revisions.edit(club, lambda d: change_settings(d, description="New"), "Say new", alice)
    revision = revisions.current(club)
    assert (revision.number, revision.parent, revision.note) == (2, 1, "Say new")
    assert revision.author == alice
    assert revision.meaning.startswith("sha256:")
    assert design_of(club).description == "New"


def test_an_edit_that_changes_nothing_is_not_recorded(club: Draft) -> None:
    revisions.edit(club, lambda design: design, "Nothing")
    assert club.revisions.count() == 1


def test_a_refused_edit_writes_nothing(club: Draft) -> None:
    def refuse(design: Design) -> Design:
        raise DesignError("no", "No.")

    with pytest.raises(DesignError):
        revisions.edit(club, refuse, "Refused")
    assert club.revisions.count() == 1
    assert design_of(club).name == "Club"


def test_every_change_is_counted_so_that_other_windows_notice(club: Draft, alice: User) -> None:
    before = club.version
    describe(club, "one", alice)
    undoing.undo(club, alice)
    undoing.redo(club, alice)
    assert club.version == before + 3


def test_going_back_is_an_edit_too(club: Draft, alice: User) -> None:
    describe(club, "one", alice)
    first = club.revisions.get(number=1)
    assert revisions.restore(club, first, alice).number == 3
    assert design_of(club).description == ""
    undoing.undo(club, alice)
    assert design_of(club).description == "one"


def test_a_number_is_given_once_in_a_project(club: Draft) -> None:
    with pytest.raises(IntegrityError):
        Revision.objects.create(draft=club, number=1, document={}, meaning="", note="")


@pytest.mark.django_db(transaction=True)
def test_edits_made_at_once_are_both_kept(club: Draft) -> None:
    def add(name: str) -> None:
        try:
            own = Draft.objects.get(pk=club.pk)
            revisions.edit(
                own,
                lambda design: change_settings(design, description=f"{design.description} {name}"),
                f"Say {name}",
            )
        finally:
            connection.close()

    threads = [threading.Thread(target=add, args=[name]) for name in ("one", "two", "three")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(design_of(club).description.split()) == ["one", "three", "two"]
    assert club.revisions.count() == 4
