"""Teams: who is in them, as what, and that one always owns them."""

from collections.abc import Callable

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from designer.core.messages import say
from projects import invitations, teams
from projects.models import Draft, Membership, Project, Role, Team

Colleague = Callable[..., Client]


@pytest.fixture
def team(club: Draft) -> Team:
    assert club.project is not None
    return club.project.team


def number_of(name: str) -> int:
    return Membership.objects.get(user__username=name).pk


def role_of(name: str) -> str | None:
    found = Membership.objects.filter(user__username=name).first()
    return found.role if found else None


def test_a_team_is_made_by_whoever_owns_it_then(as_bob: Client) -> None:
    url = as_bob.post("/teams/new/", {"name": "Payments"}).url
    assert role_of("bob") == Role.OWNER
    page = as_bob.get(url).content.decode()
    assert "<h1>Payments</h1>" in page
    assert as_bob.post("/teams/new/", {"name": " "}).url == "/designs/"
    assert Team.objects.count() == 1


def test_an_owner_changes_roles(team: Team, as_alice: Client, colleague: Colleague) -> None:
    as_dora = colleague("viewer", "dora")
    url = f"/teams/{team.slug}/members/{number_of('dora')}/role/"
    assert as_dora.post("/d/club4alice/undo/").status_code == 403
    assert as_alice.post(url, {"role": "editor"}).status_code == 302
    assert role_of("dora") == Role.EDITOR
    assert as_dora.post("/d/club4alice/undo/").status_code == 302
    assert as_alice.post(url, {"role": "emperor"}).status_code == 422
    assert role_of("dora") == Role.EDITOR


@pytest.mark.parametrize("role", ["viewer", "reviewer", "editor"])
def test_only_owners_manage_a_team(
    role: str, team: Team, colleague: Colleague, club: Draft
) -> None:
    client = colleague(role)
    here = f"/teams/{team.slug}/"
    alice, mine = number_of("alice"), number_of(role)
    for path in (
        "",
        "remove/",
        "invitations/letter/",
        "invitations/link/",
        f"members/{mine}/role/",
        f"members/{alice}/remove/",
        f"members/{alice}/hand-over/",
    ):
        given = {"role": "owner", "name": "Mine", "email": "x@example.com"}
        assert client.post(here + path, given).status_code == 403, path
    team.refresh_from_db()
    assert (team.name, role_of("alice"), role_of(role)) == ("alice's team", "owner", role)
    page = client.get(here).content.decode()
    assert page.count(f'action="{here}') == (2 if role == "editor" else 1)
    assert f'action="{here}leave/"' in page


def test_the_only_owner_can_neither_go_nor_step_down(team: Team, as_alice: Client) -> None:
    here, number = f"/teams/{team.slug}/", number_of("alice")
    for path, given in (
        ("leave/", {}),
        (f"members/{number}/role/", {"role": "editor"}),
        (f"members/{number}/remove/", {}),
    ):
        answer = as_alice.post(here + path, given)
        assert answer.status_code == 409, path
        assert "A team always has an owner." in answer.content.decode()
    assert role_of("alice") == Role.OWNER


def test_the_only_owner_is_told_before_that_they_cannot_go(
    team: Team, as_alice: Client, colleague: Colleague
) -> None:
    leave = f'action="/teams/{team.slug}/leave/"'

    def page() -> str:
        return as_alice.get(f"/teams/{team.slug}/").content.decode()

    assert leave not in page() and "Remove the team instead." in page()
    colleague("editor", "dora")
    assert leave not in page() and "Make somebody else an owner first." in page()
    colleague("owner", "eve")
    assert leave in page() and "first." not in page()


def test_what_ends_with_a_role_is_said_before(
    team: Team, as_alice: Client, colleague: Colleague
) -> None:
    colleague("editor", "dora")

    def page() -> str:
        return as_alice.get(f"/teams/{team.slug}/").content.decode()

    own = "This also ends open invitations: all links, the invitations e-mailed to you, and those that you sent."
    theirs = "all links, the invitations e-mailed to that person, and those that this person sent."
    lower = "If you give somebody a lower role, open invitations end"
    assert not any(each in page() for each in (own, theirs, lower))
    invitations.by_link(team, Role.VIEWER, User.objects.get(username="alice"))
    assert all(each in page() for each in (own, theirs, lower))


def test_ownership_is_handed_over(team: Team, as_alice: Client, colleague: Colleague) -> None:
    as_dora = colleague("viewer", "dora")
    url = f"/teams/{team.slug}/members/{number_of('dora')}/hand-over/"
    answer = as_alice.post(url, follow=True)
    assert "dora is now an owner, and you are an editor." in answer.content.decode()
    assert (role_of("dora"), role_of("alice")) == (Role.OWNER, Role.EDITOR)
    assert as_alice.post(url).status_code == 403
    assert as_dora.post(f"/teams/{team.slug}/", {"name": "Dora's"}).status_code == 302


def test_whoever_leaves_sees_nothing_of_the_team_any_more(
    team: Team, colleague: Colleague, club: Draft
) -> None:
    as_dora = colleague("editor", "dora")
    assert as_dora.get("/d/club4alice/").status_code == 200
    assert as_dora.post(f"/teams/{team.slug}/leave/").url == "/designs/"
    for path in ("/d/club4alice/", f"/teams/{team.slug}/", f"/projects/{club.project.slug}/"):
        assert as_dora.get(path).status_code == 404
    assert "club4alice" not in as_dora.get("/designs/").content.decode()


def test_whoever_is_removed_sees_nothing_of_the_team_any_more(
    team: Team, as_alice: Client, colleague: Colleague
) -> None:
    as_dora = colleague("owner", "dora")
    url = f"/teams/{team.slug}/members/{number_of('dora')}/remove/"
    assert as_alice.post(url).url == f"/teams/{team.slug}/"
    assert as_dora.get("/d/club4alice/").status_code == 404
    assert as_alice.post(url).status_code == 404


def test_a_member_of_another_team_is_out_of_reach(
    team: Team, as_alice: Client, as_bob: Client
) -> None:
    as_bob.post("/teams/new/", {"name": "Bob's"})
    url = f"/teams/{team.slug}/members/{number_of('bob')}/"
    for path in ("role/", "remove/", "hand-over/"):
        assert as_alice.post(url + path, {"role": "viewer"}).status_code == 404
    assert role_of("bob") == Role.OWNER


def test_of_two_owners_who_go_the_second_one_stays(team: Team, colleague: Colleague) -> None:
    colleague("owner", "dora")
    both = list(Membership.objects.filter(team=team))
    teams.remove(both[0])
    with pytest.raises(teams.RefusedError) as error:
        teams.remove(both[1])
    assert error.value.reason == say("team-needs-owner")
    with pytest.raises(teams.RefusedError) as error:
        teams.change_role(both[0], Role.VIEWER)
    assert error.value.reason == say("no-longer-in-team")
    assert team.memberships.count() == 1


def test_a_removed_team_takes_its_designs_along(
    team: Team, as_alice: Client, colleague: Colleague
) -> None:
    as_dora = colleague("editor", "dora")
    assert as_dora.post(f"/teams/{team.slug}/remove/").status_code == 403
    assert as_alice.post(f"/teams/{team.slug}/remove/").url == "/designs/"
    assert not Draft.objects.exists()
    assert as_alice.post("/designs/new/", {"name": "Anew"}).status_code == 302


IN_ORDER = ("Bison", "Designs", "Zebra", "Antelope", "Chamois")


def test_its_projects_stand_by_name_and_archived_ones_last(
    team: Team, alice: User, as_alice: Client
) -> None:
    made = {
        name: Project.objects.create(team=team, name=name)
        for name in ("Zebra", "Antelope", "Bison", "Chamois")
    }
    teams.archive(made["Chamois"], alice)
    teams.archive(made["Antelope"], alice)
    page = as_alice.get(f"/teams/{team.slug}/").content.decode()
    places = [page.index(f">{name}</a>") for name in IN_ORDER]
    assert places == sorted(places)


def test_a_name_of_two_lines_is_refused(team: Team, as_alice: Client) -> None:
    answer = as_alice.post(f"/teams/{team.slug}/", {"name": "a\nSubject: b"})
    assert answer.status_code == 422
    assert "one line" in answer.content.decode()
    team.refresh_from_db()
    assert team.name == "alice's team"


def test_the_list_of_designs_asks_no_more_for_more_teams(as_alice: Client, alice: User) -> None:
    def asked() -> int:
        with CaptureQueriesContext(
            connection,
        ) as queries:
            as_alice.get("/designs/")
        return len(queries)

    teams.home(alice)
    asked()  # the first page of a browser also notes that it is signed in
    before = asked()
    for name in "abcde":
        team = teams.create(name, alice)
        for each in "xyz":
            team.projects.create(name=each)
    assert asked() == before
