"""The people: Alice owns the club's design, Bob has an account too, Charlie is a visitor without
one. A `colleague` of Alice's is made with the role that a test needs.
"""

import pickle
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.forms import BaseForm
from django.test import Client

from designer.core.design.document import Design
from designer.core.design.load import load
from projects import deriving, reviews, revisions, teams, work
from projects.models import Draft, Membership, Role, Thread

CLUB = Path(__file__).parents[1] / "designs" / "club.yaml"


@pytest.fixture(autouse=True)
def handed_over_as_by_a_child(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages get what follows from a design as a site's child processes hand it over: what has no pickle fails."""

    def done(do: Callable[..., object], *args: object) -> object:
        given = pickle.loads(pickle.dumps(args))
        return pickle.loads(pickle.dumps(do(*given)))

    monkeypatch.setattr(deriving, "done_here", done)


@pytest.fixture
def alice(db: None) -> User:
    return User.objects.create(username="alice")


@pytest.fixture
def bob(db: None) -> User:
    return User.objects.create(username="bob")


@pytest.fixture
def as_alice(alice: User) -> Client:
    return client_of(alice)


@pytest.fixture
def as_bob(bob: User) -> Client:
    return client_of(bob)


@pytest.fixture
def as_charlie(db: None) -> Client:
    return Client()


@pytest.fixture
def club(alice: User) -> Draft:
    project = teams.home(alice)
    project.slug, project.team.slug = "project4alice", "team4alice"
    project.save()
    project.team.save()
    draft = Draft(slug="club4alice", project=project)
    return revisions.start(draft, _club_design(), "Start", alice)


@cache
def _club_design() -> Design:
    return load(CLUB.read_text(), name="club")


@pytest.fixture
def colleague(club: Draft) -> Callable[..., Client]:
    """Somebody who is in Alice's team: `colleague("editor")`, called that unless a name is given."""

    def join(role: str, name: str = "") -> Client:
        person, _ = User.objects.get_or_create(username=name or role)
        assert club.project is not None
        Membership.objects.create(team=club.project.team, user=person, role=Role(role))
        return client_of(person)

    return join


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """What is worked out of the club's design takes longer than a page waits, and nothing is known yet."""
    monkeypatch.setattr("projects.pieces.SMALL", 25)
    work.forget()
    yield
    work.forget()


@pytest.fixture
def dora_comes_between(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whenever a form was checked, somebody else takes the name dora before it is saved."""

    def is_valid(form: BaseForm) -> bool:
        found = check(form)
        User.objects.get_or_create(username="dora")
        return found

    check = BaseForm.is_valid
    monkeypatch.setattr(BaseForm, "is_valid", is_valid)


def client_of(person: User) -> Client:
    client = Client()
    client.force_login(person)
    return client


def design_of(draft: Draft) -> Design:
    """The design as it is now, read anew."""
    draft.refresh_from_db()
    return revisions.latest(draft)


def thread_on(draft: Draft, label: str = "The design") -> Thread:
    """A thread on the design as a whole in which nothing is said yet."""
    head = revisions.current(draft)
    return Thread.objects.create(draft=draft, on="design", label=label, revision=head)


def approve(draft: Draft, asker: User) -> None:
    """Judith of the team approves the design as it is."""
    assert draft.project is not None
    judith, _ = User.objects.get_or_create(username="judith")
    Membership.objects.get_or_create(
        team=draft.project.team, user=judith, defaults={"role": Role.REVIEWER}
    )
    review = reviews.ask(draft, asker)
    reviews.submit(review, judith, "approve")
    reviews.close(review, asker)
