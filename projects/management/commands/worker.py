"""Run what pages start in the background."""

import logging
import os
import signal
import sys
import time
from argparse import ArgumentParser
from threading import Thread
from types import FrameType
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand
from django.db import DatabaseError, connections
from django.utils.crypto import get_random_string
from django_tasks_db.management.commands.db_worker import Worker

from projects import mail

log = logging.getLogger(__name__)

PAUSE = 5
"""Seconds to wait when the database does not answer."""


class StoppableWorker(Worker):
    """A worker that ends what it is doing when it is told to stop; what is cut off says so."""

    def shutdown(self, signum: int, frame: FrameType | None) -> None:
        self.running = False
        signal.signal(signum, signal.SIG_DFL)
        raise SystemExit(0)


class Command(BaseCommand):
    help = (
        "Run what pages start in the background: proofs and letters. `make run` and the container start it beside "
        "the site; another server needs one of these beside it."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--batch", action="store_true", help="end when nothing is left to do")
        parser.add_argument(
            "--with-parent", action="store_true", help="end when standard input does"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if options["with_parent"]:
            Thread(target=_end_with_input, daemon=True).start()
        proofs, letters = (_worker(queue, options["batch"]) for queue in ("default", mail.QUEUE))
        if options["batch"]:
            letters.run()
            return proofs.run()
        # A letter does not wait for a proof of many minutes.
        Thread(target=_go_on, args=[letters], name="letters", daemon=True).start()
        proofs.configure_signals()
        return _go_on(proofs)


def _worker(queue: str, batch: bool) -> StoppableWorker:
    return StoppableWorker(
        queue_names=[queue],
        interval=0.5,
        batch=batch,
        backend_name="default",
        startup_delay=False,
        max_tasks=None,
        worker_id=get_random_string(32),
        excluded_queue_names=[],
    )


def _go_on(worker: StoppableWorker) -> None:
    """Run until it is stopped, whatever becomes of the database meanwhile."""
    while True:
        try:
            call_command("prune_db_task_results", min_age_days=1, verbosity=0)
            return worker.run()
        except DatabaseError:
            log.exception("The worker goes on in %d seconds", PAUSE)
            connections.close_all()
            time.sleep(PAUSE)


def _end_with_input() -> None:
    sys.stdin.read()
    os.kill(os.getpid(), signal.SIGTERM)
