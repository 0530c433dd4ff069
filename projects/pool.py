"""A few child processes for what a request waits for: pure functions of a design and its plans.

In a thread of the web process nobody could end them, and they would hold up every other request. A child ends at a
limit of processor time, wall time or memory, and another one takes its place. Who waits for a child is served fairly:
nobody has all of them, and members come before visitors.
"""

import logging
import os
import signal
from concurrent.futures import CancelledError
from concurrent.futures import TimeoutError as LateError
from dataclasses import dataclass
from threading import Lock, Thread
from typing import Literal

from django.conf import settings
from pebble import ProcessExpired, ProcessPool

from designer.processes import Limits, begin_child, do_limited, forkserver
from projects.budget import budget
from projects.gate import BusyError, Gate
from projects.shares import Share

__all__ = ["FILE", "QUICK", "BusyError", "Pool", "StoppedError", "pool"]

log = logging.getLogger(__name__)

QUICK = Limits(settings.QUICK_SECONDS, 2.0 * settings.QUICK_SECONDS, settings.QUICK_MEMORY_MB)
"""What a page waits for."""
FILE = Limits(settings.FILE_SECONDS, 2.0 * settings.FILE_SECONDS, settings.QUICK_MEMORY_MB)
"""What makes a file; somebody asked for it and waits."""

PATIENCE = 2.0
"""Seconds that a request waits for a child to be free."""
WAITING_OF_ONE = 4
"""Requests of one share that may wait for a child at once."""
SLACK = 5.0
"""Seconds over its wall time after which a pool that says nothing is given up."""

Reason = Literal["cpu", "wall", "memory", "killed"]
ENDS: dict[int, Reason] = {
    signal.SIGXCPU: "cpu",
    signal.SIGABRT: "memory",
    signal.SIGBUS: "memory",
    signal.SIGSEGV: "memory",
}
"""What a signal says that ended a child: a library in C, such as Pango, does not survive memory that it is refused.
Others come from outside.
"""


@dataclass(eq=False)
class StoppedError(Exception):
    """A child was ended before it was done."""

    reason: Reason
    limits: Limits


class Pool:
    """So many child processes, begun when they are first needed."""

    def __init__(self, processes: int, niceness: int = 0) -> None:
        self._processes = processes
        self._niceness = niceness
        self._gate = Gate(processes, lambda share, others: max(1, processes - 1), WAITING_OF_ONE)
        self._lock = Lock()
        self._children: ProcessPool | None = None

    def run(self, share: Share, limits: Limits, work: bytes) -> bytes:
        """What a child makes of a pickled function and its arguments, pickled. What the function raises is raised here.

        BusyError when there is no child for it in time, or the share took more than it may; StoppedError when a limit
        ended it.
        """
        if budget.left(share) <= 0:
            raise BusyError
        with self._gate.entered(share, PATIENCE):
            try:
                made, seconds = self._run(limits, work)
            except StoppedError:
                budget.take(share, limits.cpu_seconds)
                raise
            budget.take(share, seconds)
            return made

    def _run(self, limits: Limits, work: bytes) -> tuple[bytes, float]:
        children = self._open()
        asked = children.schedule(do_limited, (limits, work), timeout=limits.wall_seconds)
        try:
            return asked.result(limits.wall_seconds + SLACK)
        except ProcessExpired as error:
            raise StoppedError(ENDS.get(-(error.exitcode or 0), "killed"), limits) from error
        except (LateError, CancelledError) as error:
            if not asked.done():
                self._give_up(children)
            raise StoppedError("wall", limits) from error
        except MemoryError as error:
            raise StoppedError("memory", limits) from error

    def warm(self) -> None:
        """Begin the children before somebody waits for them."""
        if self._processes:
            Thread(target=self._open, daemon=True).start()

    def close(self) -> None:
        """End the children."""
        with self._lock:
            children, self._children = self._children, None
        if children is not None:
            _stop(children)

    def _open(self) -> ProcessPool:
        with self._lock:
            if self._children is None or not self._children.active:
                self._children = ProcessPool(
                    max_workers=self._processes,
                    initializer=begin_child,
                    initargs=(self._niceness,),
                    context=forkserver(),
                )
                self._children.schedule(os.getpid)  # which begins them
            return self._children

    def _give_up(self, children: ProcessPool) -> None:
        """A pool whose child was killed from outside may be silent for good."""
        log.warning("The pool of child processes does not answer; another one takes its place")
        with self._lock:
            if self._children is children:
                self._children = None
        Thread(target=_stop, args=(children,), daemon=True).start()


def _stop(children: ProcessPool) -> None:
    children.stop()  # type: ignore[no-untyped-call]


pool = Pool(settings.POOL_PROCESSES, niceness=5)
"""The children of this process. Pages that need none of them come first."""
