"""Undo and redo: one's own edits, whatever others did since."""

import html
import re
from importlib import import_module

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.test import Client

from designer.core.design.document import Design
from designer.core.edits import Choice, change_settings
from projects import revisions, teams, undoing
from projects.models import Draft, Membership, Revision, Role
from tests.web.conftest import design_of
from tests.web.forms import HTMX, fields_of, send

URL = "/d/club4alice/"
PATTERN = f"{URL}patterns/p-1/"


@pytest.fixture
def both(club: Draft, bob: User) -> Draft:
    """The club, which Bob edits too."""
    assert club.project is not None
    Membership.objects.create(team=club.project.team, user=bob, role=Role.EDITOR)
    return club


def say(draft: Draft, who: User, **fields: str) -> Design:
    what = ", ".join(f"{name} {value}" for name, value in fields.items())
    return revisions.edit(draft, lambda d: change_settings(d, **fields), f"Say {what}", who)


def undone(draft: Draft, who: User) -> str | None:
    found = undoing.undo(draft, who)
    return found and found.edit.note


def redone(draft: Draft, who: User) -> str | None:
    found = undoing.redo(draft, who)
    return found and found.edit.note


def test_undo_and_redo_walk_through_ones_edits(club: Draft, alice: User) -> None:
    say(club, alice, description="one")
    say(club, alice, description="two")
    assert undone(club, alice) == "Say description two"
    assert design_of(club).description == "one"
    assert undone(club, alice) == "Say description one"
    assert design_of(club).description == ""
    assert undone(club, alice) is None
    assert redone(club, alice) == "Say description one"
    assert undone(club, alice) == "Say description one"
    assert redone(club, alice) == "Say description one"
    assert redone(club, alice) == "Say description two"
    assert design_of(club).description == "two"
    assert redone(club, alice) is None


def test_an_edit_after_an_undo_leaves_nothing_to_redo(club: Draft, alice: User) -> None:
    say(club, alice, description="one")
    undone(club, alice)
    say(club, alice, description="other")
    assert redone(club, alice) is None
    assert undone(club, alice) == "Say description other"
    assert undone(club, alice) is None


def test_undo_takes_back_ones_own_edit_and_no_colleagues(
    both: Draft, alice: User, bob: User
) -> None:
    say(both, alice, description="by Alice")
    say(both, bob, region="eu-west-1")
    assert undone(both, alice) == "Say description by Alice"
    design = design_of(both)
    assert (design.description, design.region) == ("", "eu-west-1")
    assert undone(both, alice) is None
    assert undone(both, bob) == "Say region eu-west-1"
    assert redone(both, alice) == "Say description by Alice"
    design = design_of(both)
    assert (design.description, design.region) == ("by Alice", "us-east-1")


def test_a_step_is_called_by_the_edit_and_not_by_its_undo(club: Draft, alice: User) -> None:
    say(club, alice, description="one")
    undone(club, alice)
    found = undoing.steps(club, alice)
    assert (found.undoes, found.redoes) == ("", "Say description one")
    redone(club, alice)
    found = undoing.steps(club, alice)
    assert (found.undoes, found.redoes) == ("Say description one", "")


def test_an_undo_is_a_revision_with_its_author(both: Draft, alice: User, bob: User) -> None:
    say(both, alice, description="one")
    say(both, bob, region="eu-west-1")
    undone(both, alice)
    redone(both, alice)
    said = [(each.number, each.parent, each.note, each.author) for each in both.revisions.all()]
    assert said[3:] == [
        (4, 3, "Undo r2: Say description one", alice),
        (5, 4, "Redo r2: Say description one", alice),
    ]


def test_what_others_changed_since_is_asked_about(both: Draft, alice: User, bob: User) -> None:
    for takes, left, more in (("mine", "first", 1), ("theirs", "by Bob", 0)):
        say(both, alice, description="first")
        say(both, alice, description="by Alice")
        say(both, bob, description="by Bob")
        count = both.revisions.count()
        with pytest.raises(undoing.OverlappingError) as error:
            undoing.undo(both, alice)
        assert both.revisions.count() == count
        (clash,) = error.value.clashes
        assert (clash.label, clash.mine, clash.theirs) == (
            "settings, description",
            "first",
            "by Bob",
        )
        choice = {clash.key: Choice(takes, clash.theirs)}  # type: ignore[arg-type]
        number = error.value.revision.number
        assert undoing.undo(both, alice, number, choice) is not None
        assert design_of(both).description == left
        assert both.revisions.count() == count + more
        assert undoing.undo(both, alice, number, choice) is None


def test_what_is_left_as_it_is_makes_no_revision_and_says_so(
    both: Draft, as_alice: Client, as_bob: Client
) -> None:
    send(as_alice, PATTERN, "pattern-form", {"why": "The door"})
    send(as_alice, PATTERN, "pattern-form", {"limit": "6"})
    send(as_bob, PATTERN, "pattern-form", {"limit": "9"})
    choice = {"seen-patterns.p-1.limit": "9", "resolve-patterns.p-1.limit": "theirs"}
    page = as_alice.post(f"{URL}undo/", {"revision": "3", **choice}, headers=HTMX).content.decode()
    assert "Nothing is undone: what r3 changed stays as it is now." in page
    assert both.revisions.count() == 4
    assert "(undone)" not in as_alice.get(f"{URL}history/").content.decode()
    # The next undo goes on to what they did before.
    assert 'title="Undo: Change pattern 1: Reason' in page
    as_alice.post(f"{URL}undo/", headers=HTMX)
    now = design_of(both).pattern(1)
    assert (now.why, now.limit) == ("", 9)


def test_what_somebody_took_back_by_hand_leaves_nothing_to_undo(
    both: Draft, alice: User, bob: User
) -> None:
    say(both, alice, region="eu-west-1")
    say(both, alice, description="by Alice")
    say(both, bob, description="")
    found = undoing.undo(both, alice)
    assert found is not None
    assert found.is_left
    assert both.position == 4
    assert undone(both, alice) == "Say region eu-west-1"


def test_a_redo_that_is_left_as_it_is_is_gone_past_too(both: Draft, alice: User, bob: User) -> None:
    for words in ("one", "two"):
        say(both, alice, description=words)
    undone(both, alice)
    undone(both, alice)
    say(both, bob, description="one")
    found = undoing.redo(both, alice)
    assert found is not None
    assert found.is_left
    assert redone(both, alice) == "Say description two"


def test_an_edit_that_is_left_as_it_is_still_leaves_nothing_to_redo(
    both: Draft, alice: User, bob: User
) -> None:
    say(both, alice, region="eu-west-1")
    undone(both, alice)
    say(both, alice, description="by Alice")
    say(both, bob, description="")
    undone(both, alice)
    assert redone(both, alice) is None


def test_the_page_says_who_changed_the_same_and_lets_one_choose(
    both: Draft, as_alice: Client, as_bob: Client
) -> None:
    send(as_alice, PATTERN, "pattern-form", {"limit": "6"})
    send(as_bob, PATTERN, "pattern-form", {"limit": "9"})
    answer = as_alice.post(f"{URL}undo/", headers=HTMX)
    assert answer.status_code == 409
    page = answer.content.decode()
    assert "cannot be undone automatically" in page
    assert "bob changed it in r3 (Change pattern 1: At most 6 → 9)" in page
    assert "<legend>Pattern 1: At most</legend>" in page
    assert "Leave it at: <strong>9 items</strong>" in page
    sent = {"revision": "2", "seen-patterns.p-1.limit": "9", "resolve-patterns.p-1.limit": "mine"}
    answer = as_alice.post(f"{URL}undo/", sent, headers=HTMX)
    assert answer.status_code == 200
    assert design_of(both).pattern(1).limit is None


def test_of_many_parts_the_first_are_said_in_the_words_of_forms(
    both: Draft, alice: User, bob: User, as_alice: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken: list[object] = []
    taking = undoing.OverlappingError.taking
    monkeypatch.setattr(
        undoing.OverlappingError,
        "taking",
        lambda error, mine=None: (taken.append(mine), taking(error, mine))[1],
    )
    monkeypatch.setattr("designer.views.undoing.MOST_IN_WORDS", 2)
    for who in (alice, bob):
        revisions.edit(both, lambda d, who=who: named_by(d, who), "Name", who)
    answer = as_alice.post(f"{URL}undo/", headers=HTMX)
    page = answer.content.decode()
    count = len(design_of(both).patterns)
    assert (answer.status_code, page.count("<legend>")) == (409, count)
    assert page.count("<legend>Pattern 1: ") == 1
    assert f"<legend>Pattern {count}, name</legend>" in page
    assert len(taken) == 1 + 2 < count


def test_a_large_design_is_not_brought_together_for_each_clash(
    both: Draft, alice: User, bob: User, as_alice: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken: list[object] = []
    monkeypatch.setattr(
        undoing.OverlappingError, "taking", lambda error, mine=None: taken.append(mine)
    )
    for who in (alice, bob):
        revisions.edit(both, lambda d, who=who: named_by(d, who), "Name", who)
    size = revisions.current(both).bytes
    monkeypatch.setattr("designer.views.undoing.BROUGHT_TOGETHER", 3 * size)
    assert as_alice.post(f"{URL}undo/", headers=HTMX).status_code == 409
    assert len(taken) == 1 + 3
    taken.clear()
    monkeypatch.setattr("designer.views.undoing.BROUGHT_TOGETHER", size - 1)
    page = as_alice.post(f"{URL}undo/", headers=HTMX).content.decode()
    assert taken == [] and "<legend>Pattern 1, name</legend>" in page


@pytest.mark.parametrize("takes", ["mine", "theirs"])
def test_of_thousands_of_clashes_the_rest_is_asked_about_together(
    takes: str,
    both: Draft,
    alice: User,
    bob: User,
    as_alice: Client,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("designer.views.overlaps.MOST_ASKED", 2)
    before = [each.name for each in design_of(both).patterns]
    for who in (alice, bob):
        revisions.edit(both, lambda d, who=who: named_by(d, who), "Name", who)
    now = [each.name for each in design_of(both).patterns]
    page = as_alice.post(f"{URL}undo/", headers=HTMX).content.decode()
    assert page.count("<legend>") == 3
    assert f"<legend>Each of the {len(now) - 2} others</legend>" in page
    seen = dict(re.findall(r'name="(seen-[^"]*)" value="([^"]*)"', page))
    sent = {"revision": "2", **seen, **dict.fromkeys(map(resolves, seen), "theirs")}

    stale = {**sent, "resolve-rest": takes, "seen-rest": "of something else"}
    again = as_alice.post(f"{URL}undo/", stale, headers=HTMX)
    assert again.status_code == 409 and [each.name for each in design_of(both).patterns] == now

    answer = as_alice.post(f"{URL}undo/", {**sent, "resolve-rest": takes}, headers=HTMX)
    assert answer.status_code == 200
    stands = now if takes == "theirs" else [*now[:2], *before[2:]]
    assert [each.name for each in design_of(both).patterns] == stands


def resolves(seen: str) -> str:
    return seen.replace("seen-", "resolve-", 1)


def named_by(design: Design, who: User) -> Design:
    patterns = [
        each.model_copy(update={"name": f"{who.username} {each.number}"})
        for each in design.patterns
    ]
    return design.model_copy(update={"patterns": tuple(patterns)})


def asked_after(theirs: Client, mine: Client, path: str, form: str, *sent: dict[str, str]) -> str:
    """What is asked once I have changed something, they have changed it too, and I undo mine."""
    first, second = sent
    send(mine, path, form, first)
    send(theirs, path, form, second)
    answer = mine.post(f"{URL}undo/", headers=HTMX)
    assert answer.status_code == 409
    return " ".join(html.unescape(answer.content.decode()).split())


@pytest.mark.parametrize(
    ("path", "form", "mine", "theirs", "asked", "was", "now"),
    [
        (
            PATTERN,
            "pattern-form",
            {"where-1-operand": "begin"},
            {"where-1-operand": "start"},
            "Pattern 1: Found by",
            "memberId is given as memberId; at is at least given as since",
            "memberId is given as memberId; at is at least given as start",
        ),
        (
            PATTERN,
            "pattern-form",
            {"rate-average": "7"},
            {"rate-average": "8"},
            "Pattern 1: How often, on average",
            "nothing",
            "8 /s",
        ),
        (
            f"{URL}entities/e-member/attributes/a-member-email/",
            "attribute-form",
            {"kind": "S:url"},
            {"kind": "S:json"},
            "Member.email: Type",
            "e-mail address",
            "JSON as text",
        ),
        (
            f"{URL}settings/",
            "settings-form",
            {"objective": "indexes"},
            {"objective": "requests"},
            "Settings: Objective",
            "simplest, at about the lowest cost",
            "fewest requests",
        ),
    ],
)
def test_both_values_are_said_in_the_words_of_the_form(
    path: str,
    form: str,
    mine: dict[str, str],
    theirs: dict[str, str],
    asked: str,
    was: str,
    now: str,
    both: Draft,
    as_alice: Client,
    as_bob: Client,
) -> None:
    page = asked_after(as_bob, as_alice, path, form, mine, theirs)
    assert f"<legend>{asked}</legend>" in page
    assert f"Make it: <strong>{was}</strong>" in page
    assert f"Leave it at: <strong>{now}</strong>" in page


def test_of_a_part_that_only_one_side_has_it_is_said_which(
    both: Draft, as_alice: Client, as_bob: Client
) -> None:
    send(as_alice, PATTERN, "pattern-form", {"limit": "6"})
    as_bob.post(f"{PATTERN}remove/")
    page = as_alice.post(f"{URL}undo/", headers=HTMX).content.decode()
    assert "<legend>Pattern 1</legend>" in page
    assert "Make it: <strong>as it was before</strong>" in page
    assert "Leave it at: <strong>not there</strong>" in page


def step_in(client: Client, path: str, step: str) -> str:
    """What the left column shows after an undo or a redo in a form."""
    headers = {**HTMX, "HX-Current-URL": f"http://testserver{path}"}
    answer = client.post(f"{URL}{step}/", headers=headers, follow=True)
    assert answer.status_code == 200
    assert answer.headers.get("HX-Push-Url") in (None, URL)
    return str(answer.content.decode())


def test_a_form_stays_open_and_shows_what_is_undone(club: Draft, as_alice: Client) -> None:
    send(as_alice, PATTERN, "pattern-form", {"limit": "6"})
    page = step_in(as_alice, f"{PATTERN}?pattern=1", "undo")
    assert 'name="limit" value=""' in page
    assert "Undone: Change pattern 1: At most" in page
    page = step_in(as_alice, f"{PATTERN}?pattern=1", "redo")
    assert 'name="limit" value="6"' in page
    assert "Redone: Change pattern 1" in page
    assert "Redone" not in as_alice.get(PATTERN).content.decode()
    settings = f"{URL}settings/"
    send(as_alice, settings, "settings-form", {"description": "Tennis"})
    assert 'id="settings-form"' in step_in(as_alice, settings, "undo")


@pytest.mark.parametrize(
    "path", ["entities/add/", "patterns/add/", "entities/e-visit/attributes/add/", "pins/add/"]
)
def test_a_form_of_something_new_is_left_alone(path: str, club: Draft, as_alice: Client) -> None:
    send(as_alice, PATTERN, "pattern-form", {"limit": "6"})
    headers = {**HTMX, "HX-Current-URL": f"http://testserver{URL}{path}"}
    answer = as_alice.post(f"{URL}undo/", headers=headers)
    assert design_of(club).pattern(1).limit is None
    assert answer.headers["HX-Retarget"] == "#results"
    assert "HX-Push-Url" not in answer.headers
    page = answer.content.decode()
    assert "Undone: Change pattern 1: At most" in page
    assert "<form class=" not in page and 'id="lists"' not in page
    assert 'title="Redo: ' in page


def test_a_form_of_something_that_an_undo_took_away_closes(club: Draft, as_alice: Client) -> None:
    new = {"name": "Court", "identifier-0-part": "courtId"}
    send(as_alice, f"{URL}entities/add/", "entity-form", new)
    page = step_in(as_alice, f"{URL}entities/e-court/", "undo")
    assert 'id="lists"' in page
    assert "Undone: Add entity Court" in page
    send(as_alice, f"{URL}entities/add/", "entity-form", new)
    assert 'id="lists"' in step_in(as_alice, f"{URL}entities/e-court-2/attributes/add/", "undo")


def test_the_page_says_that_others_edits_stay(
    both: Draft, as_alice: Client, as_bob: Client
) -> None:
    send(as_alice, PATTERN, "pattern-form", {"limit": "6"})
    send(as_bob, PATTERN, "pattern-form", {"why": "The door"})
    page = as_alice.post(f"{URL}undo/", headers=HTMX).content.decode()
    assert "Later changes stay." in page
    page = as_alice.post(f"{URL}redo/", headers=HTMX).content.decode()
    assert "Redone: Change pattern 1" in page
    assert design_of(both).pattern(1).limit == 6


def test_the_buttons_are_there_for_ones_own_edits_only(
    both: Draft, as_alice: Client, as_bob: Client
) -> None:
    send(as_bob, PATTERN, "pattern-form", {"limit": "6"})
    undo = 'data-key="undo" disabled'
    assert undo in as_alice.get(URL).content.decode()
    page = as_bob.get(URL).content.decode()
    assert undo not in page
    assert 'title="Undo: Change pattern 1' in page


def test_what_was_removed_comes_back_beside_what_came_since(
    both: Draft, as_alice: Client, as_bob: Client
) -> None:
    as_alice.post(f"{URL}patterns/p-5/remove/")
    new = fields_of(as_bob.get(f"{URL}patterns/add/"), "pattern-form")
    new |= {"kind": "get", "name": "A member", "returns": "Member"}
    new |= {"where-0-attribute": "memberId", "where-0-operand": "memberId"}
    assert as_bob.post(f"{URL}patterns/add/", new).status_code == 302
    assert as_alice.post(f"{URL}undo/").status_code == 302
    names = {each.number: each.name for each in design_of(both).patterns}
    assert (names[5], names[6]) == ("A member", "Stay longer")


def test_a_visitor_who_signs_in_can_undo_what_they_did_before(
    as_charlie: Client, bob: User
) -> None:
    send(as_charlie, "/d/starter/settings/", "settings-form", {"name": "Mine"})
    draft = Draft.objects.get()
    as_charlie.force_login(bob)
    as_charlie.post(f"/d/{draft.slug}/keep/")
    draft.refresh_from_db()
    assert draft.project == teams.home(bob)
    assert undone(draft, bob) == "Rename the design to Mine"


def test_a_design_that_was_left_undone_stands_as_it_was_shown(club: Draft, alice: User) -> None:
    """Once, undo went back to an older revision instead of making a new one."""
    say(club, alice, description="undone once")
    Draft.objects.filter(pk=club.pk).update(position=1)
    import_module("projects.migrations.0006_undone_by_their_authors").show_the_newest(apps, None)
    assert design_of(club).description == ""
    assert (club.position, Revision.objects.count()) == (3, 3)
    say(club, alice, description="goes on")
    assert club.position == 4
