"""The people: Alice owns the club's design, Bob has an account too, Charlie is a visitor without
one.
"""

from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.test import Client

from designer.core.design.document import Design
from designer.core.design.load import load
from projects import revisions
from projects.models import Project

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
def club(alice: User) -> Project:
    design = load(CLUB.read_text(), name="club")
    return revisions.start(Project(slug="club4alice", owner=alice), design, "Start", alice)


def client_of(person: User) -> Client:
    client = Client()
    client.force_login(person)
    return client


def design_of(project: Project) -> Design:
    """The design as it is now, read anew."""
    project.refresh_from_db()
    return revisions.latest(project)
