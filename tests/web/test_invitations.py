"""Invitations into a team, by letter and by link: whom they let in, and when they do no more."""

import re
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.core import mail
from django.core.management import call_command
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from projects import invitations, teams, tokens
from projects import mail as mail_of_site
from projects.models import Draft, Invitation, Letter, Membership, Role, Team

pytestmark = pytest.mark.django_db(transaction=True)
"""The worker takes a lock that a test's own transaction would hold."""

Colleague = Callable[..., Client]

NEW = {"username": "dora", "password1": "blue kettle sings", "password2": "blue kettle sings"}
"""What somebody signs up with."""


@pytest.fixture
def team(club: Draft) -> Team:
    assert club.project is not None
    return club.project.team


def letter(
    client: Client, team: Team, email: str = "bob@example.com", role: str = "reviewer"
) -> str:
    """Invite somebody; the path that the letter tells them."""
    answer = client.post(f"/teams/{team.slug}/invitations/letter/", {"email": email, "role": role})
    assert answer.status_code == 302
    call_command("worker", batch=True)
    found = re.search(r"http://testserver(/join/\S+)", mail.outbox[-1].body)
    assert found
    return found[1]


def link(client: Client, team: Team, role: str = "editor") -> str:
    answer = client.post(f"/teams/{team.slug}/invitations/link/", {"role": role})
    found = re.search(r'value="http://testserver(/join/[^"]+)"', answer.content.decode())
    assert found
    return found[1]


def role_of(person: User) -> str | None:
    found = Membership.objects.filter(user=person).first()
    return found.role if found else None


def test_a_letter_lets_one_person_in_once(
    team: Team, as_alice: Client, as_bob: Client, bob: User
) -> None:
    path = letter(as_alice, team)
    sent = mail.outbox[-1]
    assert sent.to == ["bob@example.com"]
    assert sent.subject == "alice invites you to alice's team on Keywright"
    assert as_bob.get(path).url == "/join/"
    assert role_of(bob) is None
    assert "as a reviewer" in as_bob.get("/join/").content.decode()
    assert as_bob.post("/join/accept/").url == f"/teams/{team.slug}/"
    assert role_of(bob) == Role.REVIEWER
    assert as_bob.get("/d/club4alice/").status_code == 200
    other = Client()
    other.force_login(User.objects.create(username="eve"))
    assert other.get(path).status_code == 404
    assert other.post("/join/accept/").status_code == 404


def test_a_letter_says_that_it_lets_in_whoever_opens_it(
    team: Team, as_alice: Client, as_bob: Client, bob: User
) -> None:
    path = letter(as_alice, team, "ben@example.com")
    said = " ".join(mail.outbox[-1].body.split())
    assert "whoever opens it can join in your place, so do not pass it on" in said
    assert "for you alone" not in said
    as_bob.get(path)
    note = "The invitation was sent to ben@example.com. Only one person can use it."
    assert note in as_bob.get("/join/").content.decode()
    as_bob.post("/join/accept/")
    assert role_of(bob) == Role.REVIEWER


def test_whom_a_letter_went_to_is_not_told_where(
    team: Team, as_alice: Client, as_bob: Client, bob: User
) -> None:
    User.objects.filter(pk=bob.pk).update(email="Bob@example.com")
    for path in (letter(as_alice, team), link(as_alice, team)):
        as_bob.get(path)
        assert "letter went to" not in as_bob.get("/join/").content.decode()


def test_a_link_lets_in_whoever_has_it(
    team: Team, as_alice: Client, as_bob: Client, bob: User
) -> None:
    path = link(as_alice, team)
    dora = User.objects.create(username="dora")
    as_dora = Client()
    as_dora.force_login(dora)
    for client in (as_bob, as_dora):
        client.get(path)
        client.post("/join/accept/")
    assert (role_of(bob), role_of(dora)) == (Role.EDITOR, Role.EDITOR)
    assert Invitation.objects.get().used == 2


def test_a_visitor_without_an_account_signs_up_on_the_way(team: Team, as_alice: Client) -> None:
    client = Client()
    client.get(link(as_alice, team))
    page = client.get("/join/").content.decode()
    assert 'href="/sign-up/?next=%2Fjoin%2F"' in page
    assert "Keywright designs DynamoDB tables" in page
    assert client.post("/join/accept/").url == "/join/"
    assert client.post("/sign-up/", {**NEW, "next": "/join/"}).url == "/join/"
    client.post("/join/accept/")
    assert role_of(User.objects.get(username="dora")) == Role.EDITOR


def test_who_signs_up_by_a_letter_has_the_address_that_it_went_to(
    team: Team, as_alice: Client
) -> None:
    client = Client()
    client.get(letter(as_alice, team, "dora@example.com"))
    mail.outbox.clear()
    page = client.get("/sign-up/?next=/join/").content.decode()
    assert 'value="dora@example.com"' in page
    assert client.post("/sign-up/", {**NEW, "email": "Dora@example.com"}).status_code == 302
    assert User.objects.get(username="dora").email == "dora@example.com"
    call_command("worker", batch=True)
    assert mail.outbox == []


def test_the_address_of_a_letter_is_offered_where_domains_count(
    team: Team, as_alice: Client, settings: Settings
) -> None:
    settings.SIGN_UP_DOMAINS = ["example.com"]
    client = Client()
    client.get(letter(as_alice, team, "dora@example.com"))
    assert 'value="dora@example.com"' in client.get("/sign-up/").content.decode()


@pytest.mark.parametrize("email", ["dora@elsewhere.example", ""])
def test_a_letter_confirms_no_other_address(email: str, team: Team, as_alice: Client) -> None:
    client = Client()
    client.get(letter(as_alice, team, "dora@example.com"))
    mail.outbox.clear()
    client.post("/sign-up/", {**NEW, "email": email})
    assert User.objects.get(username="dora").email == ""
    call_command("worker", batch=True)
    assert [each.to for each in mail.outbox] == ([[email]] if email else [])


def test_an_invitation_by_a_link_confirms_no_address(team: Team, as_alice: Client) -> None:
    letter(as_alice, team, "dora@example.com")
    client = Client()
    client.get(link(as_alice, team))
    assert "dora@example.com" not in client.get("/sign-up/").content.decode()
    client.post("/sign-up/", {**NEW, "email": "dora@example.com"})
    assert User.objects.get(username="dora").email == ""


def test_a_letter_that_was_withdrawn_confirms_nothing(team: Team, as_alice: Client) -> None:
    client = Client()
    client.get(letter(as_alice, team, "dora@example.com"))
    invitations.withdraw(Invitation.objects.get())
    client.post("/sign-up/", {**NEW, "email": "dora@example.com"})
    assert User.objects.get(username="dora").email == ""


def test_an_address_that_an_account_has_makes_no_second_one(team: Team, as_alice: Client) -> None:
    User.objects.create_user("doris", "Dora@example.com", "blue kettle sings")
    client = Client()
    client.get(letter(as_alice, team, "dora@example.com"))
    answer = client.post("/sign-up/", {**NEW, "email": "dora@example.com"})
    assert answer.status_code == 422
    assert "An account already has this address" in answer.content.decode()
    assert not User.objects.filter(username="dora").exists()


def test_the_secret_is_kept_nowhere(team: Team, as_alice: Client, as_bob: Client) -> None:
    from django.db import connection

    secrets = [letter(as_alice, team), link(as_alice, team)]
    as_bob.get(secrets[0])
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names():
            cursor.execute(f'SELECT * FROM "{table}"')
            rows = repr(cursor.fetchall())
            for path in secrets:
                assert path.split("/")[2] not in rows, table
    assert dict(as_bob.session)["invitation"] == tokens.digest(secrets[0].split("/")[2])


def test_the_secret_stands_in_no_further_address(team: Team, as_alice: Client) -> None:
    path = link(as_alice, team)
    answer = Client().get(path)
    assert answer.headers["Referrer-Policy"] == "no-referrer"
    assert "no-store" in answer.headers["Cache-Control"]
    page = as_alice.get(f"/teams/{team.slug}/").content.decode()
    assert path not in page


@pytest.mark.parametrize("end", ["withdrawn", "too old", "never was"])
def test_what_is_not_valid_lets_nobody_in(
    end: str, team: Team, as_alice: Client, as_bob: Client, bob: User
) -> None:
    path = link(as_alice, team)
    as_bob.get(path)
    made = Invitation.objects.get()
    if end == "withdrawn":
        as_alice.post(f"/teams/{team.slug}/invitations/{made.pk}/withdraw/")
    elif end == "too old":
        Invitation.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    else:
        made.delete()
    answers = [as_bob.get(path), as_bob.get("/join/"), as_bob.post("/join/accept/")]
    assert [answer.status_code for answer in answers] == [404, 404, 404]
    assert "alice" not in answers[0].content.decode()
    assert role_of(bob) is None


def test_who_is_in_the_team_already_stays_what_they_are(
    team: Team, as_alice: Client, colleague: Colleague
) -> None:
    path = letter(as_alice, team, role="editor")
    as_dora = colleague("viewer", "dora")
    as_dora.get(path)
    as_dora.post("/join/accept/")
    assert role_of(User.objects.get(username="dora")) == Role.VIEWER
    assert Invitation.objects.get().is_open


@pytest.mark.parametrize("end", ["lowered", "removed", "left"])
def test_nobody_comes_back_as_what_they_were_by_a_link(
    end: str, team: Team, as_alice: Client, as_bob: Client, bob: User
) -> None:
    bob.email = "bob@example.com"
    bob.save()
    ways = [link(as_alice, team), letter(as_alice, team, "BOB@example.com", "editor")]
    to_another = letter(as_alice, team, "eve@example.com")
    as_bob.get(ways[0])
    as_bob.post("/join/accept/")
    member = f"/teams/{team.slug}/members/{Membership.objects.get(user=bob).pk}/"
    if end == "lowered":
        said = as_alice.post(f"{member}role/", {"role": "viewer"}, follow=True)
        assert "Open invitations have ended" in said.content.decode()
        as_bob.post(f"/teams/{team.slug}/leave/")
    elif end == "removed":
        said = as_alice.post(f"{member}remove/", follow=True)
        assert "Open invitations have ended" in said.content.decode()
    else:
        as_bob.post(f"/teams/{team.slug}/leave/")
    for path in ways:
        assert as_bob.get(path).status_code == 404, path
        assert as_bob.post("/join/accept/").status_code == 404, path
    assert role_of(bob) is None
    assert as_bob.get(to_another).status_code == 302


def test_whoever_is_raised_or_keeps_their_role_ends_no_invitation(
    team: Team, as_alice: Client, colleague: Colleague
) -> None:
    path = link(as_alice, team)
    colleague("reviewer", "dora")
    member = f"/teams/{team.slug}/members/{Membership.objects.get(user__username='dora').pk}/"
    for role in ("reviewer", "editor"):
        said = as_alice.post(f"{member}role/", {"role": role}, follow=True)
        assert "ended" not in said.content.decode()
    assert Client().get(path).status_code == 302


@pytest.mark.parametrize("end", ["lowered", "removed", "account removed"])
def test_what_somebody_issued_ends_with_their_right_to_it(
    end: str, team: Team, as_alice: Client, colleague: Colleague
) -> None:
    as_dora = colleague("owner", "dora")
    dora = User.objects.get(username="dora")
    own = letter(as_dora, team, "second@example.com", "editor")
    others = letter(as_alice, team, "eve@example.com")
    member = f"/teams/{team.slug}/members/{Membership.objects.get(user=dora).pk}/"
    if end == "lowered":
        as_alice.post(f"{member}role/", {"role": "viewer"})
    elif end == "removed":
        as_alice.post(f"{member}remove/")
    else:
        teams.remove_account(dora)
    assert Client().get(own).status_code == 404
    assert Client().get(others).status_code == 302


def test_nobody_is_invited_as_an_owner(team: Team, as_alice: Client) -> None:
    for path in ("letter/", "link/"):
        answer = as_alice.post(
            f"/teams/{team.slug}/invitations/{path}", {"email": "b@example.com", "role": "owner"}
        )
        assert answer.status_code == 422
    assert not Invitation.objects.exists()


def test_a_second_letter_makes_the_first_one_void(
    team: Team, as_alice: Client, as_bob: Client
) -> None:
    first = letter(as_alice, team)
    second = letter(as_alice, team, "BOB@example.com")
    assert as_bob.get(first).status_code == 404
    assert as_bob.get(second).status_code == 302


def test_a_letter_that_was_withdrawn_in_time_is_not_sent(team: Team, as_alice: Client) -> None:
    as_alice.post(
        f"/teams/{team.slug}/invitations/letter/", {"email": "b@example.com", "role": "viewer"}
    )
    invitations.withdraw(Invitation.objects.get())
    call_command("worker", batch=True)
    assert mail.outbox == []


def test_nobody_sends_letters_to_the_whole_world(
    team: Team, as_alice: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(invitations, "MOST_A_DAY", 2)
    url = f"/teams/{team.slug}/invitations/letter/"
    for name in ("a", "b"):
        given = {"email": f"{name}@example.com", "role": "viewer"}
        assert as_alice.post(url, given).status_code == 302
    answer = as_alice.post(url, {"email": "c@example.com", "role": "viewer"})
    assert answer.status_code == 409
    assert "Invite others with a link." in answer.content.decode()
    assert Invitation.objects.count() == 2


def test_a_team_that_was_removed_takes_no_letters_out_of_the_count(
    as_alice: Client, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(invitations, "MOST_A_DAY", 1)
    first, second = teams.create("First", alice), teams.create("Second", alice)
    letter(as_alice, first)
    as_alice.post(f"/teams/{first.slug}/remove/")
    given = {"email": "eve@example.com", "role": "viewer"}
    answer = as_alice.post(f"/teams/{second.slug}/invitations/letter/", given)
    assert answer.status_code == 409


def test_nobodys_mailbox_is_filled_with_invitations(
    team: Team, as_alice: Client, as_bob: Client, bob: User
) -> None:
    for _ in range(mail_of_site.MOST_AN_HOUR):
        letter(as_alice, team, "eve@example.com")
    elsewhere = f"/teams/{teams.create('Other', bob).slug}/invitations/letter/"
    answer = as_bob.post(elsewhere, {"email": "EVE@example.com", "role": "viewer"})
    assert answer.status_code == 409
    assert "invited too often in the last hour" in answer.content.decode()
    assert as_bob.post(elsewhere, {"email": "x@example.com", "role": "viewer"}).status_code == 302
    Letter.objects.update(asked_at=timezone.now() - timedelta(hours=2))
    letter(as_alice, team, "eve@example.com")


def test_the_limit_of_an_address_does_not_tell_whether_it_has_an_account(
    team: Team, as_alice: Client
) -> None:
    User.objects.create_user("dora", "dora@example.com", "blue kettle sings")
    for _ in range(mail_of_site.MOST_AN_HOUR):
        as_alice.post("/password/forgotten/", {"email": "dora@example.com"})
    letter(as_alice, team, "dora@example.com")
    assert mail.outbox[-1].subject.startswith("alice invites you")


def test_a_letters_subject_is_one_line(team: Team, as_alice: Client) -> None:
    Team.objects.update(name="A\nBcc: all@example.com")
    letter(as_alice, team)
    assert "\n" not in mail.outbox[-1].subject
    assert mail.outbox[-1].recipients() == ["bob@example.com"]
