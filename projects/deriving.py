"""What follows from designs and plans, made by child processes and kept for a while in the memory of this process."""

import pickle
import time
from collections.abc import Callable, Collection, Iterator
from concurrent.futures import Future
from concurrent.futures import TimeoutError as LateError
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO
from threading import Lock
from typing import Any, TypeVar

from cachetools import LRUCache
from django.conf import settings

from designer import metrics
from designer.core.design.document import Design
from designer.core.errors import DesignError
from designer.core.plan import Plan
from designer.processes import Limits
from projects import hashes, pool
from projects.hashes import hash_of, standing_for
from projects.pieces import FailedError
from projects.shares import Share

KEPT_HERE = 48 * 1024 * 1024
"""Bytes of results that a process keeps too."""
AS_OBJECTS = 7
"""Times that a result takes as much memory as it is long when it is pickled; as text it is packed to an eighth of that.
"""
BY_OTHERS: Collection[pool.Reason] = ("killed", "wall")
"""What says nothing of the design: its child was ended from outside, or others had the processors while the clock ran.
"""

Found = TypeVar("Found")


def derive(share: Share, limits: Limits, do: Callable[..., Found], *args: object) -> Found:
    """What follows from a design and its plans, from a child process: `do` is a function of a module of the core.

    BusyError when there is no child for it, so that it is worth asking again; FailedError when it was ended at a limit,
    now or before. What `do` raises is raised here.
    """
    if not settings.POOL_PROCESSES:
        with counted(do.__name__):
            return done_here(do, *args)
    key = hash_of((do, *map(standing_for, args)))
    known: Found | None = remembered(key)
    if known is not None:
        return known
    try:
        made: Found = here(do.__name__, key, share, limits, packed(do, args))
        return made
    except pool.BusyError:
        metrics.refused("busy")
        raise
    except pool.StoppedError as error:
        metrics.refused("stopped")
        failed = FailedError(error.reason, error.limits.cpu_seconds)
        if error.reason not in BY_OTHERS:
            remember(key, failed, 0)
        raise failed from error


def done_here(do: Callable[..., Found], *args: object) -> Found:
    """What a function makes where there are no children. Tests hand it over as a child would."""
    return do(*args)


def forget() -> None:
    """Forget what this process remembers."""
    with _lock:
        _memory.clear()


def remembers(key: str) -> bool:
    """Whether a result is kept under a key."""
    with _lock:
        kept = _memory.get(key)
    return kept is not None and not isinstance(kept.found, FailedError)


@dataclass(frozen=True)
class _Kept:
    found: Any
    size: int


_memory: LRUCache[str, _Kept] = LRUCache(KEPT_HERE, getsizeof=lambda kept: kept.size + 1024)
_flying: dict[str, Future[Any]] = {}
"""What is being worked out for a request: others of the same wait for it too."""
_lock = Lock()


def remembered(key: str) -> Any:
    with _lock:
        kept: _Kept | None = _memory.get(key)
    if kept is not None and isinstance(kept.found, FailedError):
        raise FailedError(kept.found.reason, kept.found.seconds)
    return None if kept is None else kept.found


def remember(key: str, found: object, size: int) -> None:
    with _lock:
        if size + 1024 <= KEPT_HERE:
            _memory[key] = _Kept(found, size)


def here(
    name: str,
    key: str,
    share: Share,
    limits: Limits,
    work: bytes,
    pace: pool.Pace | None = None,
) -> Any:
    """What a child makes of a packed function and its arguments, remembered under the key."""
    mine: Future[Any] = Future()
    with _lock:
        other = _flying.setdefault(key, mine)
    if other is not mine:
        try:
            return other.result(limits.wall_seconds)
        except LateError as error:
            raise pool.BusyError from error
    try:
        with counted(name):
            made = pool.pool.run(share, limits, work, pace)
        found = pickle.loads(made)
        remember(key, found, len(made) * AS_OBJECTS)
        mine.set_result(found)
        return found
    except BaseException as error:
        mine.set_exception(error)
        raise
    finally:
        with _lock:
            _flying.pop(key, None)


@contextmanager
def counted(name: str) -> Iterator[None]:
    """Counts how long a kind of work takes, and how it ends; not what no child is free for."""
    began = time.monotonic()
    outcome = "failed"
    try:
        yield
        outcome = "ok"
    except DesignError:
        outcome = "ok"  # an answer like others
        raise
    except pool.StoppedError:
        outcome = "stopped"
        raise
    except pool.BusyError:
        outcome = ""
        raise
    finally:
        if outcome:
            metrics.planned(name, outcome, time.monotonic() - began)


class _Packer(pickle.Pickler):
    """Pickles designs and plans as their hashes were made of them, which takes no time again."""

    def reducer_override(self, of: object) -> Any:
        if isinstance(of, (Design, Plan)):
            return pickle.loads, (hashes.packed(of),)
        return NotImplemented


def packed(do: Callable[..., Found], args: tuple[object, ...]) -> bytes:
    """A function with its arguments, as a child gets them."""
    made = BytesIO()
    _Packer(made, pickle.HIGHEST_PROTOCOL).dump((do, args))
    return made.getvalue()
