"""Revisions: every edit is one, and nothing is lost."""

import threading
from importlib import import_module

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.db import IntegrityError, connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from designer.core.design import gallery
from designer.core.design.attributes import Attribute
from designer.core.design.document import Design
from designer.core.design.entities import Entity
from designer.core.design.ids import ids
from designer.core.design.load import dump, load
from designer.core.edits import (
    add_entity,
    change_settings,
    merged,
    move_entity,
    remove_entity,
    remove_pattern,
    replace_design,
)
from designer.core.errors import DesignError
from projects import revisions, undoing
from projects.models import Draft, FormerId, Revision
from tests.web.conftest import CLUB, design_of


def describe(draft: Draft, text: str, author: User) -> Design:
    return revisions.edit(
        draft, lambda design: change_settings(design, description=text), f"Say {text}", author
    )


def test_where_a_box_stands_changes_no_plan_and_no_approval(club: Draft, alice: User) -> None:
    first = revisions.current(club)
    revisions.edit(club, lambda d: move_entity(d, "Visit", 40, 80), "Move Visit", alice)
    moved = revisions.current(club)
    assert (moved.digest, moved.ordered_meaning) == (first.digest, first.ordered_meaning)
    undoing.undo(club, alice)
    assert design_of(club).entity["Visit"].drawn_at is None


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


def test_an_id_is_given_once_in_a_design(club: Draft, alice: User) -> None:
    gone = ids(design_of(club))
    gone -= ids(
        revisions.edit(club, lambda d: remove_entity(d, "Visit", and_users=True), "Remove", alice)
    )
    assert {"e-visit", "a-visit-at", "r-makes", "p-1"} <= gone
    visit = Entity(name="Visit", identifier=("at",), attributes=(Attribute(name="at"),))
    again = revisions.edit(club, lambda d: add_entity(d, visit), "Add", alice)
    assert again.entity["Visit"].id == "e-visit-2"
    assert again.entity["Visit"].by_name["at"].id == "a-visit-at-2"
    revisions.restore(club, club.revisions.get(number=1), alice)
    assert ids(design_of(club)) >= gone
    revisions.restore(club, club.revisions.get(number=2), alice)
    third = revisions.edit(club, lambda d: add_entity(d, visit), "Add", alice)
    assert third.entity["Visit"].id == "e-visit-3"
    assert third.entity["Visit"].by_name["at"].id == "a-visit-at-3"


def test_what_one_text_puts_in_the_place_of_another_part_is_another(
    club: Draft, alice: User
) -> None:
    text = CLUB.read_text().replace("Visit", "VISIT")
    after = revisions.edit(
        club, lambda d: replace_design(d, merged(d, load(text), d)), "Apply", alice
    )
    assert after.entity["VISIT"].id == "e-visit-2"


def test_ids_that_are_written_stay(club: Draft, alice: User) -> None:
    before = design_of(club)
    removed = revisions.edit(club, lambda d: remove_pattern(d, 5), "Remove", alice)
    assert "p-5" not in ids(removed)
    again = load(dump(before, "yaml"))
    after = revisions.edit(club, lambda d: replace_design(d, again), "Apply", alice)
    assert after == before


def test_designs_know_the_ids_that_they_had_before_these_were_kept(
    club: Draft, alice: User
) -> None:
    revisions.edit(club, lambda d: remove_entity(d, "Visit", and_users=True), "Remove", alice)
    kept = set(FormerId.objects.values_list("draft", "part"))
    assert (club.pk, "a-visit-at") in kept
    FormerId.objects.all().delete()
    import_module("projects.migrations.0018_former_ids").of_the_revisions(apps, None)
    assert set(FormerId.objects.values_list("draft", "part")) == kept


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


@pytest.mark.django_db(transaction=True)
def test_whoever_works_out_an_edit_keeps_nobody_from_writing(
    club: Draft, alice: User, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    written, in_transaction = revisions.written, []

    def watched(design: Design) -> revisions.Written:
        in_transaction.append((design.name, connection.in_atomic_block))
        return written(design)

    monkeypatch.setattr(revisions, "written", watched)
    describe(club, "one", alice)
    undoing.undo(club, alice)
    revisions.restore(club, club.revisions.get(number=2), alice)
    revisions.start(Draft(project=club.project), gallery.load("starter"), "Start", alice)
    stated = dump(gallery.load("starter")).replace("name: ", "name: My ", 1)
    client.get("/d/starter/text/")
    assert client.post("/d/starter/text/", {"text": stated}).status_code == 302
    assert [at[0] for at in in_transaction if at[1]] == ["Starter"], "the copy of the gallery's own"
    assert len(in_transaction) == 6


def test_an_edit_is_worked_out_again_where_somebody_else_was_faster(
    club: Draft, alice: User, bob: User
) -> None:
    tries = []

    def slowly(design: Design) -> Design:
        tries.append(design)
        if len(tries) == 1:
            describe(Draft.objects.get(pk=club.pk), "by Bob", bob)
        return remove_pattern(design, 2)

    revisions.edit(club, slowly, "Remove it", alice)
    assert len(tries) == 2
    assert design_of(club).description == "by Bob"
    assert [pattern.number for pattern in design_of(club).patterns if pattern.number == 2] == []
    assert club.revisions.count() == 3


def test_an_undo_is_worked_out_again_where_somebody_else_was_faster(
    club: Draft, alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    describe(club, "by Alice", alice)
    hold = revisions.hold

    def late(draft: Draft) -> None:
        monkeypatch.setattr(revisions, "hold", hold)
        other = Draft.objects.get(pk=club.pk)
        revisions.edit(other, lambda d: remove_pattern(d, 2), "Remove it", bob)
        hold(draft)

    monkeypatch.setattr(revisions, "hold", late)
    undoing.undo(club, alice)
    assert design_of(club).description == ""
    assert 2 not in {pattern.number for pattern in design_of(club).patterns}


def test_revisions_that_are_looked_through_are_read_one_after_another(
    club: Draft, alice: User
) -> None:
    for word in ("one", "two", "three"):
        describe(club, word, alice)
    with CaptureQueriesContext(connection) as asked:
        found = revisions.one_by_one(club.revisions.order_by("-number"))
        assert next(found).number == 4
    read = [each["sql"] for each in asked.captured_queries if '"document"' in each["sql"]]
    assert len(read) == 1 and '."id" = ' in read[0]
    Revision.objects.filter(draft=club, number=3).delete()
    assert [each.number for each in found] == [2, 1]


def test_large_revisions_are_not_all_read_for_a_page(
    club: Draft, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    for word in ("one", "two", "three"):
        describe(club, word, alice)
    sizes = club.revisions.order_by("-number").values_list("bytes", flat=True)
    monkeypatch.setattr(revisions, "LOOKED_THROUGH", sum(sizes[:2]))
    found = revisions.one_by_one(club.revisions.order_by("-number"))
    assert [each.number for each in found] == [4, 3]
