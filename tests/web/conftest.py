"""The people: Alice owns the club's design, Bob has an account too, Charlie is a visitor without
one.
"""

from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.test import Client

from designer.core.design.document import Design
from designer.core.design.load import load
from projects import revisions, teams
from projects.models import Draft

CLUB = Path(__file__).parents[1] / "designs" / "club.yaml"


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
    design = load(CLUB.read_text(), name="club")
    return revisions.start(
        Draft(slug="club4alice", project=teams.home(alice)), design, "Start", alice
    )


def client_of(person: User) -> Client:
    client = Client()
    client.force_login(person)
    return client


def design_of(draft: Draft) -> Design:
    """The design as it is now, read anew."""
    draft.refresh_from_db()
    return revisions.latest(draft)
