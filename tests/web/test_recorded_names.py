"""Names that stay on the site: what a seen plan named goes into the design with the next edit."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from designer.core.design.document import Design
from designer.core.design.load import dump, load
from designer.core.design.settings import Pin
from designer.core.edits import add_pin, change_settings, name_anew, remove_pattern
from designer.core.plan import Plan
from designer.core.planner.pipeline import outlined
from projects import chores, naming, plans, recording, reviews, revisions, undoing, work
from projects.models import Draft, PlannedNames
from tests.web.conftest import approve, design_of

URL = "/d/club4alice/"
NAMES = f"{URL}names/"
TEXT = f"{URL}text/"


def see(draft: Draft, style: str = "single") -> Plan:
    """Look at the plan of the newest revision."""
    found = plans.evaluation(draft, design_of(draft), [style])
    assert found is not None
    return found.plans[style]


def describe(draft: Draft, who: User | None, text: str) -> Design:
    return revisions.edit(draft, lambda d: change_settings(d, description=text), "Say it", who)


def test_what_a_seen_plan_named_goes_along_with_the_next_edit(club: Draft, alice: User) -> None:
    plan = see(club)
    assert design_of(club).names.is_empty
    design = describe(club, alice, "one")
    assert design.names.single.items.keys() >= {"Member", "Visit"}
    assert design == design_of(club)
    assert outlined(design, "single").tables == plan.tables
    assert club.revisions.count() == 2


def test_a_plan_that_nobody_saw_names_nothing(club: Draft, alice: User) -> None:
    assert describe(club, alice, "one").names.is_empty


def test_looking_saves_nothing(club: Draft, as_alice: Client) -> None:
    as_alice.get(URL)
    as_alice.get(URL)
    assert club.revisions.count() == 1
    assert PlannedNames.objects.count() == 1


def test_an_edit_that_changes_nothing_records_nothing(club: Draft, alice: User) -> None:
    see(club)
    revisions.edit(club, lambda design: design, "Nothing", alice)
    assert club.revisions.count() == 1


def test_each_style_is_recorded_once_it_was_seen(club: Draft, alice: User) -> None:
    naming.name(club, 1, "First")
    see(club, "multi")
    names = describe(club, alice, "one").names
    assert names.multi.indexes
    assert not names.single.items


def test_indexes_are_recorded_once_somebody_took_the_plan_along(
    club: Draft, as_alice: Client, alice: User
) -> None:
    plan = see(club)
    indexes = [index.name for table in plan.tables for index in table.indexes]
    assert indexes
    assert describe(club, alice, "one").names.single.indexes == ()
    answer = as_alice.get(f"{URL}exports/terraform/single/")
    assert answer.status_code == 200
    names = describe(club, alice, "two").names
    assert [index.name for index in names.single.indexes] == indexes
    see(club)
    assert describe(club, alice, "three").names == names, "they stay, whatever comes"


def test_what_was_taken_along_counts_after_going_back_to_it(
    club: Draft, as_alice: Client, alice: User
) -> None:
    see(club)
    as_alice.get(f"{URL}exports/terraform/single/")
    describe(club, alice, "one")
    revisions.restore(club, club.revisions.get(number=1), alice)
    assert describe(club, alice, "two").names.single.indexes


@pytest.mark.parametrize("how", ["named", "in review"])
def test_indexes_are_recorded_of_what_people_agreed_on(club: Draft, alice: User, how: str) -> None:
    see(club)
    if how == "named":
        naming.name(club, 1, "First")
    else:
        reviews.ask(club, alice)
    assert describe(club, alice, "one").names.single.indexes


def test_an_entity_that_is_renamed_takes_its_names_along(club: Draft, as_alice: Client) -> None:
    see(club)
    text = dump(design_of(club)).replace("name: Visit\n", "name: Stay\n").replace("Visit", "Stay")
    answer = as_alice.post(TEXT, {"text": text, "was-revision": "1"})
    assert answer.status_code == 302
    names = design_of(club).names.single
    assert "Stay" in names.items
    assert "Visit" not in names.items


def test_recorded_names_cost_no_approval(club: Draft, alice: User) -> None:
    see(club)
    approve(club, alice)
    describe(club, alice, "only words")
    assert not design_of(club).names.is_empty
    assert reviews.standing(club, revisions.current(club)).status == "approved"


def test_undo_takes_the_names_back_with_the_edit_and_the_plan_stays(
    club: Draft, alice: User
) -> None:
    plan = see(club)
    describe(club, alice, "one")
    undoing.undo(club, alice)
    assert design_of(club).names.is_empty
    assert see(club).tables == plan.tables
    undoing.redo(club, alice)
    assert not design_of(club).names.is_empty


def test_going_back_brings_the_names_of_then(club: Draft, alice: User) -> None:
    see(club)
    describe(club, alice, "one")
    before = design_of(club).names
    revisions.edit(club, name_anew, "Rename everything", alice)
    revisions.restore(club, club.revisions.get(number=2), alice)
    assert design_of(club).names == before


def test_a_preview_has_the_names_that_saving_would_record(club: Draft, as_alice: Client) -> None:
    see(club)
    pin = Pin(style="single", entity="Member", key={"partition": "M#{memberId}", "sort": "A"})
    before = design_of(club)
    seen = recording.with_planned_names(club, before, add_pin(before, pin))
    saved = revisions.edit(club, lambda design: add_pin(design, pin), "Pin it")
    assert not seen.names.is_empty
    assert work.digest(seen) == work.digest(saved)


def test_two_texts_of_one_revision_never_clash_over_names(
    club: Draft, as_alice: Client, alice: User
) -> None:
    text = dump(design_of(club))
    see(club)
    describe(club, alice, "hers")
    recorded = design_of(club).names
    mine = text.replace("name: Club\n", "name: Tennis\n")
    answer = as_alice.post(TEXT, {"text": mine, "was-revision": "1"})
    assert answer.url == f"{TEXT}?applied=together"
    design = design_of(club)
    assert (design.name, design.description, design.names) == ("Tennis", "hers", recorded)


def test_a_text_that_says_nothing_of_names_keeps_them(
    club: Draft, as_alice: Client, alice: User
) -> None:
    see(club)
    names = describe(club, alice, "one").names
    text = dump(design_of(club).model_copy(update={"names": type(names)()}))
    as_alice.post(TEXT, {"text": text.replace("one", "two"), "was-revision": "2"})
    assert design_of(club).names == names


def test_names_that_were_changed_by_hand_are_another_design(
    club: Draft, as_alice: Client, alice: User
) -> None:
    see(club)
    describe(club, alice, "one")
    meaning = revisions.current(club).ordered_meaning
    text = dump(design_of(club))
    assert "VISIT#" in text or "sort:" in text
    by_hand = load(text).model_copy(
        update={"names": load("keywright: 1\nname: x\nnames: {single: {items: {Visit: {}}}}").names}
    )
    as_alice.post(TEXT, {"text": dump(by_hand), "was-revision": "2"})
    design = design_of(club)
    assert design.names.anew == 1
    assert list(design.names.single.items) == ["Visit"]
    assert revisions.current(club).ordered_meaning != meaning


def test_the_page_says_what_naming_anew_does_and_does_it(
    club: Draft, as_alice: Client, alice: User
) -> None:
    assert "Nothing is recorded" in as_alice.get(NAMES).content.decode()
    see(club)
    describe(club, alice, "one")
    page = as_alice.get(NAMES).content.decode()
    assert "No name would change." in page
    answer = as_alice.post(f"{NAMES}anew/")
    assert (answer.status_code, answer.url) == (302, NAMES)
    assert design_of(club).names.is_empty
    assert club.revisions.last().note == "Rename everything"
    difference = as_alice.get(f"{URL}history/compare/?from=2&to=3").content.decode()
    assert "All names are chosen again: the recorded ones are forgotten." in difference
    undoing.undo(club, alice)
    assert design_of(club).names.single.items


def test_the_page_names_what_would_be_renamed(club: Draft, as_alice: Client, alice: User) -> None:
    see(club)
    as_alice.get(f"{URL}exports/terraform/single/")
    describe(club, alice, "one")
    text = dump(design_of(club)).replace("GSI1", "GSI7")
    as_alice.post(TEXT, {"text": text, "was-revision": "2"})
    assert "GSI7" in {i.name for t in see(club).tables for i in t.indexes}
    page = as_alice.get(NAMES).content.decode()
    assert "<code>GSI7</code>" in page[page.index("names-renamed") :]


def test_undoing_it_after_others_went_on_brings_the_names_back(
    club: Draft, alice: User, bob: User
) -> None:
    see(club)
    names = describe(club, alice, "one").names
    revisions.edit(club, name_anew, "Rename everything", alice)
    see(club)
    describe(club, bob, "two")
    assert design_of(club).names.anew == 1
    undoing.undo(club, alice)
    design = design_of(club)
    assert (design.names, design.description) == (names, "two")


def test_a_difference_tells_names_in_one_line(club: Draft, as_alice: Client, alice: User) -> None:
    see(club, "single")
    see(club, "grouped")
    describe(club, alice, "one")
    page = as_alice.get(f"{URL}history/compare/?from=1&to=2").content.decode()
    assert page.count("Names are recorded for") == 1
    assert "Recorded names" in page
    assert "both mean the same" in page


def test_a_visitors_first_edit_of_a_design_of_the_gallery_keeps_its_names(
    db: None, as_charlie: Client
) -> None:
    as_charlie.get("/d/appointments/")
    as_charlie.post("/d/appointments/patterns/p-1/remove/", {"and_users": "1"})
    (draft,) = Draft.objects.all()
    assert design_of(draft).names.single.items


def test_a_large_sandbox_goes_without(
    db: None, as_charlie: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("projects.quotas.TIGHT", 1000)
    as_charlie.get("/d/appointments/")
    as_charlie.post("/d/appointments/patterns/p-1/remove/", {"and_users": "1"})
    (draft,) = Draft.objects.all()
    assert draft.position == 2
    assert design_of(draft).names.is_empty


def test_what_was_kept_goes_once_nobody_looks_at_it(club: Draft) -> None:
    see(club)
    chores.run()
    assert PlannedNames.objects.count() == 1
    PlannedNames.objects.update(made_at=timezone.now() - timedelta(days=31))
    chores.run()
    assert PlannedNames.objects.count() == 0


def test_a_pattern_that_goes_renames_no_other(club: Draft, alice: User) -> None:
    keys = _keys(see(club))
    revisions.edit(club, lambda design: remove_pattern(design, 2), "Remove it", alice)
    assert _keys(see(club)) == keys


def _keys(plan: Plan) -> dict[str, tuple[str | None, ...]]:
    return {
        shape.shape: (shape.set.get("PK"), shape.set.get("SK"))
        for table in plan.tables
        for shape in table.items
        if shape.role == "entity"
    }
