"""The workers: which are there, and what becomes of the tasks of one that is not there any more."""

import logging
from collections.abc import Collection
from contextlib import AbstractContextManager
from datetime import timedelta
from pathlib import Path
from threading import Event, Thread
from types import TracebackType
from typing import Any

from django.conf import settings
from django.db import DatabaseError, connections
from django.utils import timezone
from django_tasks.base import TaskResultStatus
from django_tasks_db.models import DBTaskResult

from projects.models import Worker

log = logging.getLogger(__name__)

BEAT = timedelta(seconds=5)
GONE = timedelta(seconds=30)
"""Whoever said nothing for so long is gone, and others take up what it had begun."""
SEEN = timedelta(minutes=1)
MOST_TRIES = 3
"""A task that took so many workers with it is not tried again."""


def is_at_work(queue: str) -> bool:
    """Whether a worker of this queue was seen within a minute."""
    return seen(queue) > 0


def seen(queue: str) -> int:
    """How many workers of this queue were seen within a minute."""
    lately = Worker.objects.filter(seen_at__gt=timezone.now() - SEEN)
    return sum(queue in queues.split(",") for queues in lately.values_list("queues", flat=True))


class Beating(AbstractContextManager[None]):
    """Says, in a thread of its own, that a worker lives, and takes up what those that are gone had begun."""

    def __init__(self, key: str, queues: Collection[str]) -> None:
        self._key = key
        self._queues = queues
        self._done = Event()
        self._thread = Thread(target=self._run, name="beat", daemon=True)

    def __enter__(self) -> None:
        self._beat()
        self._thread.start()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._done.set()
        self._thread.join(2)
        Worker.objects.filter(pk=self._key).delete()

    def _run(self) -> None:
        while not self._done.wait(BEAT.total_seconds()):
            try:
                self._beat()
            except DatabaseError:
                log.warning("The worker could not say that it lives", exc_info=True)
                connections.close_all()
        connections.close_all()

    def _beat(self) -> None:
        now = {"queues": ",".join(self._queues), "seen_at": timezone.now()}
        Worker.objects.update_or_create(pk=self._key, defaults=now)
        if settings.BEAT_FILE:
            Path(settings.BEAT_FILE).touch()
        take_up(self._queues)


def take_up(queues: Collection[str]) -> int:
    """Put back what workers that are gone had begun in some queues; the number of tasks. One that took several
    workers with it has failed.
    """
    now = timezone.now()
    Worker.objects.filter(seen_at__lt=now - 10 * SEEN).delete()
    live = set(Worker.objects.filter(seen_at__gt=now - GONE).values_list("pk", flat=True))
    begun = DBTaskResult.objects.filter(
        status=TaskResultStatus.RUNNING, queue_name__in=list(queues), started_at__lt=now - GONE
    )
    count = 0
    for each in begun:
        if each.worker_ids and each.worker_ids[-1] in live:
            continue
        is_lost = len(each.worker_ids) >= MOST_TRIES
        status = TaskResultStatus.FAILED if is_lost else TaskResultStatus.READY
        same = DBTaskResult.objects.filter(
            pk=each.pk, status=TaskResultStatus.RUNNING, started_at=each.started_at
        )
        count += same.update(status=status, finished_at=now if is_lost else None)
        log.warning("A worker is gone; task %s is %s", each.task_name, status.lower())
    return count


def put_back(task: DBTaskResult[Any, Any]) -> None:
    """Let another worker do a task from the beginning: this one was told to stop."""
    DBTaskResult.objects.filter(pk=task.pk).update(
        status=TaskResultStatus.READY, finished_at=None, exception_class_path="", traceback=""
    )
