"""A few child processes for what a request waits for: pure functions of a design and its plans.

In a thread of the web process nobody could end them, and they would hold up every other request. A child ends at a
limit of processor time, wall time or memory, and another one takes its place. Who waits for a child is served fairly:
nobody has all of them, and members come before visitors.
"""

import logging
import math
import os
import signal
import time
from collections.abc import Callable
from concurrent.futures import CancelledError, Future, wait
from concurrent.futures import TimeoutError as LateError
from contextlib import suppress
from dataclasses import dataclass, replace
from threading import Lock, Thread
from typing import Any, Literal

from django.conf import settings
from pebble import ProcessExpired, ProcessPool

from designer.processes import Limits, begin_child, do_limited, forkserver, taken_by
from projects.budget import budget
from projects.gate import BusyError, Gate, answering, price
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

LEAST = 0.3
"""Seconds of a processor that a plan gets before a worker goes on with it: most plans take less."""
LOOK = 0.05
"""Seconds that a child works before it is looked whether it has to rest."""
LONGEST_REST = 2.0
"""Seconds: who it rested for may have gone."""

Pace = Callable[[float], float]
"""For how many seconds a child has to rest that took so many seconds of a processor by now."""

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

    def run(self, share: Share, limits: Limits, work: bytes, pace: Pace | None = None) -> bytes:
        """What a child makes of a pickled function and its arguments, pickled. What the function raises is raised here,
        and what the pace does, which ends it.

        BusyError when there is no child for it in time, or the share took more than it may; StoppedError when a limit
        ended it.
        """
        if budget.left(share) <= 0:
            raise BusyError
        with self._gate.entered(share, PATIENCE):
            try:
                made, seconds = self._run(limits, work, pace)
            except StoppedError as error:
                budget.take(share, error.limits.cpu_seconds * price(share))
                raise
            budget.take(share, seconds * price(share))
            return made

    def _run(self, limits: Limits, work: bytes, pace: Pace | None) -> tuple[bytes, float]:
        children = self._open()
        asked = children.schedule(do_limited, (limits, work), timeout=limits.wall_seconds)
        end = time.monotonic() + limits.wall_seconds + SLACK
        try:
            if pace is not None:
                _keep_pace(children, asked, pace, end)
            return asked.result(max(0.0, end - time.monotonic()))
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


def _keep_pace(children: ProcessPool, asked: "Future[Any]", pace: Pace, end: float) -> None:
    """Let a child rest from time to time until it is done. It is stopped as a whole: within the solver, which is a
    library, it could not rest by itself.
    """
    child, began = 0, 0.0
    while not wait([asked], LOOK).done and time.monotonic() < end:
        if not child:
            child = _child_of(children, asked)
            began = taken_by(child) if child else 0.0
            continue
        try:
            rest = pace(taken_by(child) - began)
        except BaseException:
            asked.cancel()  # which ends the child
            raise
        if rest > 0:
            with suppress(ProcessLookupError):
                os.kill(child, signal.SIGSTOP)
                try:
                    wait([asked], min(rest, LONGEST_REST))
                finally:
                    os.kill(child, signal.SIGCONT)


def _child_of(children: ProcessPool, asked: "Future[Any]") -> int:
    """The process that does what was asked; 0 until one does. pebble keeps it to itself."""
    tasks = list(children._pool_manager.task_manager.tasks.values())
    return next((each.worker_id or 0 for each in tasks if each.future is asked), 0)


def in_time(share: Share) -> Pace:
    """Of what a worker can go on with: beside others, a share takes no more for it than half of what it has left. Its
    children compete with those that others wait for.
    """
    most = max(LEAST, budget.left(share) / 2)

    def pace(taken: float) -> float:
        if taken > most and answering.has_others(share):
            raise StoppedError("cpu", replace(QUICK, cpu_seconds=math.ceil(taken)))
        return 0.0

    return pace


def _stop(children: ProcessPool) -> None:
    children.stop()  # type: ignore[no-untyped-call]


pool = Pool(settings.POOL_PROCESSES, niceness=5)
"""The children of this process. Pages that need none of them come first."""
