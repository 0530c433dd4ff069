"""Do what waits in the queues."""

import logging
import os
import signal
import time
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Thread
from types import FrameType
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand
from django.db import (
    DatabaseError,
    InterfaceError,
    OperationalError,
    close_old_connections,
    connections,
)
from django.utils.crypto import get_random_string
from django_tasks_db.management.commands.db_worker import Worker
from django_tasks_db.models import DBTaskResult

from designer.core.messages import say, text
from designer.processes import end_with_parent
from projects import chores, later, workers

log = logging.getLogger(__name__)

INTERVAL = 0.25
"""Seconds between two looks into an empty queue."""
PAUSE = 5
"""Seconds to wait when the database does not answer."""
OF_THE_DATABASE = tuple(
    f"{error.__module__}.{error.__qualname__}" for error in (OperationalError, InterfaceError)
)
"""What a task ends with that could not reach the database, as its row has it."""


class StoppableWorker(Worker):
    """A worker that ends what it is doing when it is told to stop, and puts it back for the next one. It also puts back
    what the database did not let it do, or did not let it say that it did.
    """

    doing: DBTaskResult[Any, Any] | None = None

    def shutdown(self, signum: int, frame: FrameType | None) -> None:
        self.running = False
        signal.signal(signum, signal.SIG_IGN)
        raise SystemExit(0)

    def run_task(self, db_task_result: DBTaskResult[Any, Any]) -> None:
        self.doing = db_task_result
        super().run_task(db_task_result)
        self.doing = None
        error = db_task_result.exception_class_path
        is_told_to_stop = not self.running and error == "builtins.SystemExit"
        tries = len(db_task_result.worker_ids)
        if is_told_to_stop or (error in OF_THE_DATABASE and tries < workers.MOST_TRIES):
            workers.put_back(db_task_result)

    def put_back_unsaid(self) -> None:
        """Put back what it has done, or tried, without a word about it in the database. The next one finds what was
        done, and does not do it again.
        """
        if self.doing is not None:
            workers.put_back(self.doing)
            self.doing = None


class Command(BaseCommand):
    help = (
        "Work through the queues: long plans, proofs and e-mails. `make run` starts one worker for each "
        "queue. Start workers yourself if another server runs the site."
    )
    requires_system_checks: list[str] = []
    """They load all pages, of which no worker shows any: 35 MB in each."""

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--queues",
            type=_queues,
            default=settings.QUEUES,
            help=f"some of {','.join(settings.QUEUES)}; by default all",
        )
        parser.add_argument("--batch", action="store_true", help="end when the queues are empty")
        parser.add_argument(
            "--with-parent", action="store_true", help="end with the process that started it"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if options["with_parent"]:
            end_with_parent(os.getppid(), signal.SIGTERM)
        queues = options["queues"]
        slow = [later.QUEUE] if later.BEHIND in queues else []
        worker = _worker(queues, get_random_string(32))
        beside = _worker(slow, worker.worker_id)
        if options["batch"]:
            worker.run()
            return beside.run() if slow else None
        worker.configure_signals()
        with workers.Beating(worker.worker_id, [*queues, *slow]):
            Thread(target=_tidy, daemon=True, name="chores").start()
            with _beside(beside):
                return _go_on(worker)


def _worker(queues: list[str], key: str) -> StoppableWorker:
    return StoppableWorker(
        queue_names=queues,
        interval=INTERVAL,
        batch=True,
        backend_name="default",
        startup_delay=False,
        max_tasks=None,
        worker_id=key,
        excluded_queue_names=[],
    )


@contextmanager
def _beside(worker: StoppableWorker) -> Iterator[None]:
    """Another one, in a thread, for what comes later: it may take long, and holds up nobody. Where it ends, what it was
    doing is put back.
    """
    if worker.queue_names:
        Thread(target=_go_on, args=[worker], daemon=True, name="later").start()
    try:
        yield
    finally:
        worker.running = False
        if worker.doing is not None:
            workers.put_back(worker.doing)


def _go_on(worker: StoppableWorker) -> None:
    """Run until it is stopped, whatever becomes of the database meanwhile.

    It is looked whether there is something to do before the queue is locked: an empty one is, on SQLite, for all.
    """
    log.info("Starting worker of %s", ", ".join(worker.queue_names))
    while worker.running:
        try:
            worker.put_back_unsaid()
            ready = DBTaskResult.objects.ready().filter(queue_name__in=worker.queue_names)
            if ready.exists():
                worker.run()
            else:
                close_old_connections()
                time.sleep(INTERVAL)
        except DatabaseError:
            log.exception("The worker goes on in %d seconds", PAUSE)
            connections.close_all()
            time.sleep(PAUSE)


def _tidy() -> None:
    """Every minute what has to be done from time to time, whichever worker comes to it first."""
    while True:
        try:
            chores.run()
        except Exception:  # whatever it is, it is tried again in a minute
            log.exception("The chores were not done")
        finally:
            connections.close_all()
        time.sleep(chores.EVERY.total_seconds())


def _queues(said: str) -> list[str]:
    found = [each.strip() for each in said.split(",") if each.strip()]
    unknown = sorted(set(found) - set(settings.QUEUES))
    if unknown or not found:
        raise ArgumentTypeError(text(say("queues-are", names=tuple(settings.QUEUES))))
    return found
