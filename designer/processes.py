"""Processes that can be ended: with their parent, and at a limit; and what child processes do for it."""

import ctypes
import gc
import math
import multiprocessing
import os
import pickle
import resource
import signal
import sys
import threading
import time
from dataclasses import dataclass
from multiprocessing.context import ForkServerContext

from designer.garbage import give_back

PR_SET_PDEATHSIG = 1
"""linux/prctl.h: the signal that the kernel sends when the parent is gone, however it ended."""


@dataclass(frozen=True)
class Limits:
    """What one piece of work may take before it is ended."""

    cpu_seconds: int
    """Processor time (RLIMIT_CPU): what loops in Python or in the solver."""
    wall_seconds: float
    """Time on the clock, whoever it waits for. Who started the process watches this one."""
    memory_mb: int
    """Address space (RLIMIT_AS) on top of what the process has when it begins; Linux only."""


def end_with_parent(parent: int, signum: signal.Signals = signal.SIGKILL) -> None:
    """Have the kernel send `signum` to this process once its parent, whose id is `parent`, is gone.

    Nobody else can do it for whom `kill -9` ended the parent. Linux only; elsewhere it looks every second.
    """
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(PR_SET_PDEATHSIG, signum, 0, 0, 0)
    else:
        threading.Thread(target=_watch, args=(parent, signum), daemon=True).start()
    if os.getppid() != parent:  # it was gone before we asked
        os.kill(os.getpid(), signum)


def _watch(parent: int, signum: signal.Signals) -> None:
    while os.getppid() == parent:
        threading.Event().wait(1.0)
    os.kill(os.getpid(), signum)


def limit(limits: Limits) -> None:
    """Let this process, from now on, take no more than the limits; what it has taken so far does not count.

    Over the processor's limit the kernel ends it with SIGXCPU; over the memory's an allocation fails.
    """
    used = resource.getrusage(resource.RUSAGE_SELF)
    spent = math.ceil(used.ru_utime + used.ru_stime)
    _lower(resource.RLIMIT_CPU, spent + limits.cpu_seconds)
    if sys.platform == "linux":
        _lower(resource.RLIMIT_AS, _address_space() + limits.memory_mb * 1024 * 1024)
    _lower(resource.RLIMIT_CORE, 0)


def _lower(which: int, to: int) -> None:
    """Set the soft limit only: the next piece of work of this process may have another."""
    _, hard = resource.getrlimit(which)
    resource.setrlimit(which, (to if hard == resource.RLIM_INFINITY else min(to, hard), hard))


def _address_space() -> int:
    return _pages(0) * resource.getpagesize()


def _pages(which: int) -> int:
    """Of this process's memory: 0 of all addresses, 1 of those that are in use (Linux)."""
    with open("/proc/self/statm", encoding="ascii") as pages:
        return int(pages.read().split()[which])


def taken_by(pid: int) -> float:
    """Seconds of a processor that a process took so far; elsewhere than on Linux those that passed on the clock."""
    if sys.platform != "linux":
        return time.monotonic()
    try:
        return time.clock_gettime((~pid << 3) | CPUCLOCK_SCHED)
    except OSError:  # it is gone
        return 0.0


CPUCLOCK_SCHED = 2
"""linux/posix-timers.h: which clock of a process, in the lowest bits of its number."""


def forkserver(*more: str) -> ForkServerContext:
    """How children are begun: by a process that has loaded the core, and modules of these names, and has no threads
    that a fork would lose. It ends with this process.
    """
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["designer.preloaded", *more])
    return context


def begin_child(niceness: int = 0) -> None:
    """What a child does first: Ctrl+C is for its parent, and it does not outlive it. Who is nicer gets less of the
    processors where others want them too.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    end_with_parent(os.getppid())
    os.nice(niceness)


def do_limited(limits: Limits, work: bytes) -> tuple[bytes, float]:
    """In a child: the pickled result of a pickled function and its arguments, and the processor time that it took."""
    limit(limits)
    began = time.process_time()
    had = _in_use()
    made = _done(work)
    if _in_use() - had > LARGE:
        gc.collect()
        give_back()
    return made, time.process_time() - began


def _done(work: bytes) -> bytes:
    do, args = pickle.loads(work)
    return pickle.dumps(do(*args), pickle.HIGHEST_PROTOCOL)


def _in_use() -> int:
    """Bytes of memory that this process has in use; nothing where the system does not say so."""
    return _pages(1) * resource.getpagesize() if sys.platform == "linux" else 0


LARGE = 32 * 1024 * 1024
"""Bytes by which a child grows with a piece of work before it looks what of it is garbage."""
