"""What a worker does not get done, because the database does not answer, is done later."""

from collections.abc import Iterator

import pytest
from django.core.management import call_command
from django.db import OperationalError
from django.test import Client
from django_tasks_db.models import DBTaskResult

from designer.core.plan import ALL_STYLES
from projects import work, workers
from projects.management.commands import worker
from projects.models import WorkedOut
from tests.planner import SlowPlanner, planted

# A worker beside the test would wait for a test's own transaction.
pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]


@pytest.fixture
def planner(monkeypatch: pytest.MonkeyPatch) -> Iterator[SlowPlanner]:
    with planted(monkeypatch) as slow:
        yield slow


@pytest.fixture
def asked(planner: SlowPlanner) -> None:
    """Somebody waits for the plans of the shop."""
    Client().get("/d/shop/")
    assert WorkedOut.objects.filter(result=None).count() == len(ALL_STYLES)


class Failing:
    """Something that the database does not let happen for so many times."""

    def __init__(self, does: object, times: int) -> None:
        self._does = does
        self.times = times

    def __call__(self, *args: object, **more: object) -> object:
        if self.times > 0:
            self.times -= 1
            raise OperationalError("the connection is closed")
        return self._does(*args, **more)  # type: ignore[operator]


def test_what_the_database_interrupts_is_done_after_all(
    asked: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(work, "_do_waiting", Failing(work._do_waiting, 1))
    call_command("worker", batch=True)
    assert not WorkedOut.objects.filter(result=None).exists()
    assert set(DBTaskResult.objects.values_list("status", flat=True)) == {"SUCCESSFUL"}


def test_what_is_interrupted_each_time_is_given_up(
    asked: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    failing = Failing(work._do_waiting, 1000)
    monkeypatch.setattr(work, "_do_waiting", failing)
    call_command("worker", batch=True)
    assert set(DBTaskResult.objects.values_list("status", flat=True)) == {"FAILED"}
    assert 1000 - failing.times == len(ALL_STYLES) * workers.MOST_TRIES


def test_what_could_not_be_marked_as_done_is_taken_up_by_the_same_worker(
    asked: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worker, "PAUSE", 0)
    monkeypatch.setattr(worker, "INTERVAL", 0)
    monkeypatch.setattr(work, "_do_waiting", Failing(work._do_waiting, 1))
    monkeypatch.setattr(DBTaskResult, "set_failed", Failing(DBTaskResult.set_failed, 1))
    it = worker._worker(["plans"], "me")
    looks = iter(range(20))

    def look() -> None:
        if next(looks) == 19:
            it.running = False

    monkeypatch.setattr(worker, "close_old_connections", look)
    worker._go_on(it)
    assert not WorkedOut.objects.filter(result=None).exists()
    assert set(DBTaskResult.objects.values_list("status", flat=True)) == {"SUCCESSFUL"}
