"""What a probe is told: that a process answers, and whether the site can do its work."""

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.db import DatabaseError, connection
from django.db.migrations.recorder import MigrationRecorder
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from designer import health
from projects import queues, workers
from projects.models import Worker


@pytest.fixture
def at_work(db: None, settings: Settings) -> None:
    for queue in settings.QUEUES:
        Worker.objects.create(pk=queue, queues=queue, seen_at=timezone.now())


def missing(client: Client) -> list[str]:
    answer = client.get("/readyz")
    found: list[str] = answer.json()["missing"]
    assert answer.status_code == (503 if found else 200)
    assert answer.json()["ready"] is (not found)
    return found


@pytest.mark.django_db
def test_a_process_that_answers_is_healthy_whatever_the_database_does(
    client: Client, django_assert_num_queries: Any
) -> None:
    with django_assert_num_queries(0):
        answer = client.get("/healthz")
    assert (answer.status_code, answer.content) == (200, b"ok\n")
    assert not answer.cookies
    assert answer.headers["Cache-Control"] == "no-store"


def test_a_site_with_all_it_needs_is_ready(at_work: None, client: Client) -> None:
    assert missing(client) == []
    assert not client.cookies


@pytest.mark.parametrize("address", ["/healthz", "/readyz"])
def test_a_probe_needs_neither_https_nor_a_known_host(
    address: str, at_work: None, client: Client, settings: Settings
) -> None:
    settings.SECURE_SSL_REDIRECT = True
    assert client.get(address, headers={"Host": "10.0.0.7:8000"}).status_code == 200
    assert client.get("/", headers={"Host": "10.0.0.7:8000"}).status_code in (301, 400)


def test_a_queue_without_a_worker_is_named(at_work: None, client: Client) -> None:
    Worker.objects.filter(pk="mail").update(seen_at=timezone.now() - timedelta(seconds=61))
    assert missing(client) == ["no worker of the queue mail was seen within a minute"]


def test_migrations_that_are_not_applied_are_missing(at_work: None, client: Client) -> None:
    recorder = MigrationRecorder(connection)
    newest = next(name for app, name in health._needed() if app == "projects")
    recorder.record_unapplied("projects", newest)
    assert missing(client) == ["migrations are not applied; run manage.py migrate"]
    recorder.record_applied("projects", newest)
    recorder.record_applied("projects", "9999_of_a_newer_version")
    assert missing(client) == []


def test_a_database_that_does_not_answer_is_missing(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*args: object) -> None:
        raise DatabaseError("at 10.0.0.8")

    monkeypatch.setattr(MigrationRecorder, "applied_migrations", fail)
    assert missing(client) == ["the database does not answer"]


def test_workers_that_were_seen_are_counted(at_work: None) -> None:
    Worker.objects.create(pk="both", queues="plans,proofs", seen_at=timezone.now())
    (found,) = (
        each for each in queues.FromDatabase().collect() if each.name == "keywright_workers"
    )
    seen = {sample.labels["queue"]: sample.value for sample in found.samples}
    assert seen == {"plans": 2, "proofs": 2, "mail": 1}


@pytest.mark.django_db
def test_a_worker_touches_a_file_when_its_sign_of_life_was_taken(
    tmp_path: Path, settings: Settings
) -> None:
    settings.BEAT_FILE = str(tmp_path / "beat")
    with workers.Beating("key", ["mail"]):
        assert (tmp_path / "beat").exists()
        assert workers.is_at_work("mail")
