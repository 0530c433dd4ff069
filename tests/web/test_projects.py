"""Projects: several designs each, archived, restored and removed; designs moved between them."""

from collections.abc import Callable

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from projects import api_tokens, links, revisions, teams
from projects.models import Draft, Project, ReviewRules, Role
from tests.web.conftest import CLUB
from tests.web.test_sharing import WHOLE as LINK

Colleague = Callable[..., Client]


@pytest.fixture
def second(club: Draft) -> Project:
    """Another project of Alice's team."""
    assert club.project is not None
    return club.project.team.projects.create(name="Second")


def of_club(club: Draft) -> str:
    club.refresh_from_db()
    assert club.project is not None
    return club.project.name


def test_a_project_holds_several_designs(second: Project, as_alice: Client) -> None:
    here = f"/projects/{second.slug}/"
    as_alice.post("/designs/new/", {"name": "One", "project": second.slug})
    file = SimpleUploadedFile("club.yaml", CLUB.read_bytes())
    as_alice.post("/designs/upload/", {"file": file, "project": second.slug})
    as_alice.post("/gallery/starter/copy/", {"project": second.slug})
    assert second.drafts.count() == 3
    page = as_alice.get(here).content.decode()
    for draft in second.drafts.all():
        assert f'<a href="/d/{draft.slug}/">{draft.name}</a>' in page
    assert "club4alice" not in page


def test_the_designs_page_lists_them_by_team_and_project(second: Project, as_alice: Client) -> None:
    page = as_alice.get("/designs/").content.decode()
    order = [
        page.index(each)
        for each in ("alice&#x27;s team", ">Designs<", "/d/club4alice/", ">Second<")
    ]
    assert order == sorted(order)
    assert page.count('name="project"') == 2
    assert f'<option value="{second.slug}">Second</option>' in page


def test_whoever_has_one_project_is_not_asked_for_it(club: Draft, as_alice: Client) -> None:
    for path in ("/designs/", "/gallery/starter/"):
        assert 'name="project"' not in as_alice.get(path).content.decode()


def test_whoever_writes_for_another_team_is_asked_where_a_design_goes(
    club: Draft, bob: User, colleague: Colleague
) -> None:
    as_bob = colleague("editor", "bob")
    page = as_bob.get("/gallery/starter/").content.decode()
    assert '<option value="">a new project, in a team of your own</option>' in page
    assert '<option value="project4alice">' in page
    as_bob.post("/gallery/starter/copy/", {"project": "project4alice"})
    assert club.project is not None
    assert club.project.drafts.filter(template="starter").exists()
    assert not bob.memberships.exclude(team=club.project.team).exists()


def test_whoever_has_several_teams_is_asked_where_a_sandbox_is_kept(
    club: Draft, bob: User, colleague: Colleague
) -> None:
    as_bob = colleague("editor", "bob")
    as_bob.post("/d/starter/share/links/add/", LINK)
    sandbox = Draft.objects.get(project=None)
    before = "http://testserver/d/starter/compare/?pattern=2"
    asked = as_bob.post("/d/starter/keep/", headers={"Referer": before})
    assert '<option value="project4alice">' in asked.content.decode()
    shown = f"/d/{sandbox.slug}/compare/?pattern=2"
    assert f'name="next" value="{shown}"' in asked.content.decode()
    sandbox.refresh_from_db()
    assert sandbox.project is None
    answer = as_bob.post(f"/d/{sandbox.slug}/keep/", {"project": "project4alice", "next": shown})
    assert answer.url == shown
    sandbox.refresh_from_db()
    assert sandbox.project == club.project


def test_a_sandbox_is_kept_in_no_project_of_strangers(club: Draft, as_bob: Client) -> None:
    as_bob.post("/d/starter/share/links/add/", LINK)
    sandbox = Draft.objects.get(project=None)
    answer = as_bob.post(f"/d/{sandbox.slug}/keep/", {"project": "project4alice"})
    assert answer.status_code == 404
    sandbox.refresh_from_db()
    assert sandbox.project is None


@pytest.mark.parametrize("role", ["viewer", "reviewer"])
def test_who_may_not_edit_puts_nothing_into_a_project(
    role: str, second: Project, colleague: Colleague
) -> None:
    client = colleague(role)
    given = {"name": "One", "project": second.slug}
    assert client.post("/designs/new/", given).status_code == 403
    assert client.post("/gallery/starter/copy/", given).status_code == 403
    assert client.post("/designs/club4alice/move/", given).status_code == 403
    assert client.post("/designs/club4alice/remove/").status_code == 403
    assert not second.drafts.exists()
    page = client.get(f"/projects/{second.slug}/").content.decode()
    assert "<form" not in page.split("<main")[1].split("</main>")[0]


def test_a_stranger_puts_nothing_into_a_project(second: Project, as_bob: Client) -> None:
    given = {"name": "One", "project": second.slug}
    assert as_bob.post("/designs/new/", given).status_code == 404
    assert not second.drafts.exists()


def test_a_design_moves_to_another_project(
    club: Draft, second: Project, colleague: Colleague
) -> None:
    as_dora = colleague("editor", "dora")
    answer = as_dora.post("/designs/club4alice/move/", {"project": second.slug})
    assert answer.url == f"/projects/{second.slug}/"
    assert of_club(club) == "Second"
    assert as_dora.get("/d/club4alice/").status_code == 200


def test_a_design_moves_to_another_team_only_by_who_may_write_there(
    club: Draft, as_alice: Client, alice: User, bob: User, as_bob: Client
) -> None:
    theirs = teams.home(bob)
    move = "/designs/club4alice/move/"
    assert as_alice.post(move, {"project": theirs.slug}).status_code == 404
    assert as_bob.post(move, {"project": theirs.slug}).status_code == 404
    member = theirs.team.memberships.create(user=alice, role="viewer")
    assert as_alice.post(move, {"project": theirs.slug}).status_code == 403
    assert of_club(club) == "Designs"
    teams.change_role(member, Role.EDITOR)
    assert as_alice.post(move, {"project": theirs.slug}).status_code == 302
    assert as_bob.get("/d/club4alice/").status_code == 200


@pytest.mark.parametrize(
    ("here", "there", "refused"),
    [
        ({"approvals": 2}, None, True),
        ({"approvals": 2}, {"approvals": 3, "own": True}, True),
        ({"threads_block": True}, {"approvals": 2}, True),
        ({"approvals": 2, "own": True}, {"approvals": 2}, False),
        (None, {"threads_block": True}, False),
        (None, {"tolerance": 5}, True),
        ({"tolerance": 10}, {"tolerance": 5}, False),
    ],
)
def test_only_owners_move_a_design_to_where_less_is_asked_of_an_approval(
    here: dict[str, object] | None,
    there: dict[str, object] | None,
    refused: bool,
    club: Draft,
    second: Project,
    as_alice: Client,
    colleague: Colleague,
) -> None:
    for project, rules in ((club.project, here), (second, there)):
        if rules is not None:
            ReviewRules.objects.create(project=project, **rules)
    answer = colleague("editor").post("/designs/club4alice/move/", {"project": second.slug})
    assert answer.status_code == (403 if refused else 302)
    assert of_club(club) == ("Designs" if refused else "Second")
    if refused:
        said = "The rules for reviews are looser in Second than in Designs."
        assert said in answer.content.decode()
        as_alice.post("/designs/club4alice/move/", {"project": second.slug})
        assert of_club(club) == "Second"


def test_of_two_who_move_a_design_at_once_the_second_one_is_told(
    club: Draft,
    second: Project,
    as_alice: Client,
    alice: User,
    bob: User,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def late(draft: Draft) -> None:
        Draft.objects.filter(pk=draft.pk).update(project=teams.home(bob))
        hold(draft)

    hold = revisions.hold
    monkeypatch.setattr(revisions, "hold", late)
    answer = as_alice.post("/designs/club4alice/move/", {"project": second.slug}, follow=True)
    assert "Club was moved in the meantime." in answer.content.decode()
    assert of_club(club) != "Second"


def test_links_and_tokens_of_a_design_end_when_it_leaves_the_team(
    club: Draft, second: Project, as_alice: Client, alice: User, bob: User
) -> None:
    theirs, ours = teams.home(bob), club.project
    theirs.team.memberships.create(user=alice, role=Role.EDITOR)
    link, address = links.make(club, alice)
    token, secret = api_tokens.make(ours, alice, draft=club)
    move = "/designs/club4alice/move/"
    page = as_alice.get(f"/projects/{ours.slug}/").content.decode()
    assert "Its links and tokens end when it leaves the team." in page

    page = as_alice.post(move, {"project": second.slug}, follow=True).content.decode()
    assert "open it no more" not in page
    assert links.find(address) is not None
    assert list(api_tokens.designs(api_tokens.find(secret))) == [club]
    assert token in api_tokens.reaching(Draft.objects.get(pk=club.pk))

    page = as_alice.post(move, {"project": theirs.slug}, follow=True).content.decode()
    assert "Links and tokens of its former team no longer open it." in page
    assert (links.find(address), api_tokens.find(secret)) == (None, None)
    teams.move(Draft.objects.get(pk=club.pk), second, alice)
    assert (links.find(address), api_tokens.find(secret)) == (None, None)
    link.refresh_from_db()
    assert link.state == "revoked"


def test_only_an_owner_takes_a_design_away_from_its_team(club: Draft, colleague: Colleague) -> None:
    as_dora = colleague("editor", "dora")
    theirs = teams.home(User.objects.get(username="dora"))
    answer = as_dora.post("/designs/club4alice/move/", {"project": theirs.slug})
    assert answer.status_code == 403
    assert of_club(club) == "Designs"
    page = as_dora.get(f"/projects/{club.project.slug}/").content.decode()
    assert theirs.slug not in page


def test_an_archived_project_is_read_and_not_changed(
    club: Draft, second: Project, as_alice: Client, colleague: Colleague
) -> None:
    as_dora = colleague("editor", "dora")
    here = f"/projects/{club.project.slug}/"
    assert as_dora.post(f"{here}archive/").status_code == 403
    as_alice.post(f"{here}archive/")
    for client in (as_alice, as_dora):
        assert client.get("/d/club4alice/").status_code == 200
        assert client.post("/d/club4alice/undo/").status_code == 403
        given = {"name": "One", "project": club.project.slug}
        assert client.post("/designs/new/", given).status_code == 403
        assert client.post("/designs/club4alice/move/", {"project": second.slug}).status_code == 403
        page = client.get("/designs/").content.decode()
        assert "/d/club4alice/" not in page
        assert here in page
    assert "Archived on" in as_dora.get(here).content.decode()
    assert as_dora.post(f"{here}restore/").status_code == 403
    as_alice.post(f"{here}restore/")
    assert as_dora.post("/d/club4alice/undo/").status_code == 302


def test_a_project_is_renamed_and_removed_by_owners(
    club: Draft, second: Project, as_alice: Client, colleague: Colleague
) -> None:
    as_dora = colleague("editor", "dora")
    here = f"/projects/{second.slug}/"
    for path in ("", "remove/"):
        assert as_dora.post(here + path, {"name": "Mine"}).status_code == 403
    assert as_alice.post(here, {"name": "Bookings"}).url == here
    assert "<h1>Bookings</h1>" in as_dora.get(here).content.decode()
    assert as_alice.post(here, {"name": "a\x07"}).status_code == 422
    as_alice.post(f"/projects/{club.project.slug}/remove/")
    assert list(Project.objects.values_list("name", flat=True)) == ["Bookings"]
    assert not Draft.objects.exists()


def test_an_editor_begins_a_project(club: Draft, colleague: Colleague) -> None:
    team = club.project.team
    url = f"/teams/{team.slug}/projects/new/"
    assert colleague("reviewer").post(url, {"name": "Mine"}).status_code == 403
    as_dora = colleague("editor", "dora")
    assert as_dora.post(url, {"name": ""}).status_code == 422
    as_dora.post(url, {"name": "Reports"})
    assert {each.name for each in team.projects.all()} == {"Designs", "Reports"}
