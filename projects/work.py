"""What is worked out from designs: done once, where it can be ended, and kept.

What is small is done by a child process while the request waits (`projects.pool`). What is large, or turned out to take
long, waits in the queue `plans` for a worker, which has more time for it; pages ask again until it is there. Both are
known by the hash of the design, and so is that one was ended at its limit: it is not begun again and again.
"""

import hashlib
import json
import logging
import pickle
import time
import weakref
import zlib
from collections.abc import Callable, Collection, Iterator
from concurrent.futures import Future
from concurrent.futures import TimeoutError as LateError
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from threading import Lock
from typing import Any, Generic, TypeVar

from cachetools import LRUCache, TTLCache
from django.conf import settings
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from django_tasks import task
from pydantic import BaseModel, TypeAdapter

from designer import metrics
from designer.core.design.document import Design
from designer.core.design.load import load_plain, plain
from designer.core.errors import DesignError
from designer.processes import Limits
from projects import pool
from projects.models import WorkedOut
from projects.shares import SITE, Share

log = logging.getLogger(__name__)

QUEUE = "plans"
SMALL = 300
"""Entities and patterns together, for each of its plans, of a design that is small: about a second."""
LONG = Limits(settings.PLAN_SECONDS, 3.0 * settings.PLAN_SECONDS, settings.PLAN_MEMORY_MB)
"""What a worker gives to one plan."""
KEPT = 600
"""Results kept in the database."""
KEPT_HERE = 48 * 1024 * 1024
"""Bytes of results that a process keeps too."""
AS_OBJECTS = 7
"""Times that a result takes as much memory as it is long when it is pickled; as text it is packed to an eighth of that.
"""
OF_A_VISITOR = 12
OF_A_MEMBER = 36
OF_ALL_VISITORS = 100
"""Pieces of work that may wait at once: of a visitor, of a team or a member, of all visitors."""
LOST = timedelta(minutes=15)
"""After this time work that nobody has done is asked for anew."""
SIZE_UNKNOWN = 256 * 1024
"""Bytes that a result counts as where it was not pickled."""

BY_OTHERS: Collection[pool.Reason] = ("killed", "wall")
"""What says nothing of the design: its child was ended from outside, or others had the processors while the clock ran.
"""

Found = TypeVar("Found")
Model = TypeVar("Model", bound=BaseModel)


@dataclass(frozen=True)
class Work(Generic[Found]):
    """One kind of thing to work out from a design, as a worker knows it by its name."""

    name: str
    version: str
    """Another version does not look at what was kept of the one before."""
    do: Callable[..., Found]
    """A function of a module of the core: of a design, and the arguments of what is asked."""
    kind: TypeAdapter[Found]
    """What a result is: how it becomes text and comes back."""
    plans: int = 1
    """How many plans it takes, roughly."""

    def __post_init__(self) -> None:
        KINDS[self.name] = self

    def of(self, *args: str) -> "Piece[Found]":
        return Piece(self, args)


KINDS: dict[str, Work[Any]] = {}
"""Every kind of work by its name."""


@dataclass(frozen=True)
class Piece(Generic[Found]):
    """A kind of work with its arguments: the plan of the style "single"."""

    work: Work[Found]
    args: tuple[str, ...]

    def key(self, digest: str) -> str:
        """What its result is kept under, of the design of this digest. What was typed may be long, so it is hashed."""
        said = hashlib.sha256(repr(self.args).encode()).hexdigest()[:16]
        return f"{self.work.name} {self.work.version} {said}:{digest}"

    def is_small(self, design: Design) -> bool:
        """Whether it should take no longer than somebody waits for it. Each pin is priced against a plan without it."""
        plans = self.work.plans * (1 + len(design.planner.pins))
        return (len(design.entities) + len(design.patterns)) * plans <= SMALL

    def do(self, design: Design) -> Found:
        return self.work.do(design, *self.args)

    def write(self, found: Found) -> bytes:
        return zlib.compress(self.work.kind.dump_json(found))

    def read(self, result: bytes) -> Found:
        return self.work.kind.validate_json(zlib.decompress(result))


@dataclass(eq=False)
class FailedError(Exception):
    """There is no result, and asking again gives none."""

    reason: pool.Reason | None = None
    """The limit at which it was ended; None where it failed, which is our mistake, and logged."""
    seconds: int = 0
    """The processor time that it had."""


@dataclass(frozen=True)
class Asker:
    """For whom something is worked out."""

    share: Share
    about: str
    """What it is about: of a draft, of one look at it. Waiting work is overtaken by newer work about the same."""


def digest(design: Design) -> str:
    """The hash of all that stands in a design, the order of its lists included: it decides between plans that are
    equally good. Where boxes stand in the diagram is no part of it: whoever moves one waits for no plan."""
    return _once(_digests, design, _digest)


def _digest(design: Design) -> str:
    without = {"entities": {"__all__": {"drawn_at"}}}
    return hashlib.sha256(design.model_dump_json(exclude=without).encode()).hexdigest()


_Made = dict[int, tuple["weakref.ref[Any]", Found]]
_digests: _Made[str] = {}
"""Of the designs that are in use: a request asks for the same one a dozen times."""
_packed_hashes: _Made[str] = {}
"""Of designs and plans as they are packed: pages ask for what follows from the same ones again and again."""
_documents: _Made[bytes] = {}
"""Of designs as they wait in the queue: each of their plans does."""


def _once(known: _Made[Found], of: Model, make: Callable[[Model], Found]) -> Found:
    """What follows from something that never changes, made once while it is in use."""
    at = id(of)
    seen = known.get(at)
    if seen is not None and seen[0]() is of:
        return seen[1]
    made = make(of)
    known[at] = weakref.ref(of, lambda _: known.pop(at, None)), made
    return made


def ask(piece: Piece[Found], design: Design, asker: Asker) -> Found | None:
    """The result; None while it is being worked out, or nobody has room for it: ask again.

    FailedError when that failed, or was ended at a limit.
    """
    of = digest(design)
    key = piece.key(of)
    found = known(piece, of)
    if found is not None or WorkedOut.objects.filter(_waits(), pk=key).exists():
        return found
    if piece.is_small(design) and not _is_long(key):
        try:
            return _planned_here(key, asker.share, piece, design)
        except pool.BusyError:
            metrics.refused("busy")
            return None
        except pool.StoppedError:
            log.info("A worker goes on with %s, which takes long", piece.work.name)
            _note_long(key)
        except Exception as error:
            log.exception("Could not work out %s of a design", piece.work.name)
            _remember(key, FailedError(), 0)
            raise FailedError from error
    _enqueue(piece, design, of, asker)
    return None


def begin(piece: Piece[Any], design: Design, asker: Asker) -> None:
    """Begin what will be asked for, where a worker does it, and wait for nothing."""
    of = digest(design)
    if not piece.is_small(design) and not WorkedOut.objects.filter(pk=piece.key(of)).exists():
        _enqueue(piece, design, of, asker)


def known(piece: Piece[Found], digest: str) -> Found | None:
    """What was worked out before of the design of this digest; FailedError where that failed."""
    key = piece.key(digest)
    found: Found | None = _remembered(key)
    if found is not None:
        return found
    row = WorkedOut.objects.filter(pk=key).values_list("result", "problem").first()
    result, problem = row or (None, None)
    if problem is not None:
        _remember(key, FailedError(**problem), 0)
        raise FailedError(**problem)
    if result is not None:
        found = piece.read(bytes(result))
        _remember(key, found, 8 * len(result) * AS_OBJECTS)
    return found


def finished(keys: Collection[str]) -> set[str]:
    """Those of some keys whose results are known, here or in the database."""
    kept = WorkedOut.objects.filter(pk__in=keys, result__isnull=False)
    with _lock:
        here = {k for k in keys if k in _memory and not isinstance(_memory[k].found, FailedError)}
    return {*here, *kept.values_list("pk", flat=True)}


def derive(share: Share, limits: Limits, do: Callable[..., Found], *args: object) -> Found:
    """What follows from a design and its plans, from a child process: `do` is a function of a module of the core.

    BusyError when there is no child for it, so that it is worth asking again; FailedError when it was ended at a limit,
    now or before. What `do` raises is raised here.
    """
    if not settings.POOL_PROCESSES:
        with _counted(do.__name__):
            return do(*args)
    key = _hash((do, *map(_standing_for, args)))
    known: Found | None = _remembered(key)
    if known is not None:
        return known
    try:
        made: Found = _here(do.__name__, key, share, limits, _packed(do, args))
        return made
    except pool.BusyError:
        metrics.refused("busy")
        raise
    except pool.StoppedError as error:
        metrics.refused("stopped")
        failed = FailedError(error.reason, error.limits.cpu_seconds)
        if error.reason not in BY_OTHERS:
            _remember(key, failed, 0)
        raise failed from error


def forget() -> None:
    """Forget what this process knows; the database keeps what it has."""
    with _lock:
        _memory.clear()
        _long.clear()


# In this process ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Kept:
    found: Any
    size: int


_memory: LRUCache[str, _Kept] = LRUCache(KEPT_HERE, getsizeof=lambda kept: kept.size + 1024)
_flying: dict[str, Future[Any]] = {}
"""What is being worked out for a request: others of the same wait for it too."""
_lock = Lock()


_long: TTLCache[str, None] = TTLCache(10_000, ttl=LOST.total_seconds())
"""What looked small and was ended at its limit. Where the queue has no room for it, whoever asks again and again would
begin it here each time.
"""


def _is_long(key: str) -> bool:
    with _lock:
        return key in _long


def _note_long(key: str) -> None:
    with _lock:
        _long[key] = None


def _remembered(key: str) -> Any:
    with _lock:
        kept: _Kept | None = _memory.get(key)
    if kept is not None and isinstance(kept.found, FailedError):
        raise FailedError(kept.found.reason, kept.found.seconds)
    return None if kept is None else kept.found


def _remember(key: str, found: object, size: int) -> None:
    with _lock:
        if size + 1024 <= KEPT_HERE:
            _memory[key] = _Kept(found, size)


def _planned_here(key: str, share: Share, piece: Piece[Found], design: Design) -> Found:
    """What a child makes of a piece, remembered under the key; without children, what this thread does."""
    name = piece.work.name
    if settings.POOL_PROCESSES:
        packed = _packed(piece.work.do, (design, *piece.args))
        made: Found = _here(name, key, share, pool.QUICK, packed)
        return made
    with _counted(name):
        done = piece.do(design)
    _remember(key, done, SIZE_UNKNOWN)
    return done


def _here(name: str, key: str, share: Share, limits: Limits, packed: bytes) -> Any:
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
        with _counted(name):
            made = pool.pool.run(share, limits, packed)
        found = pickle.loads(made)
        _remember(key, found, len(made) * AS_OBJECTS)
        mine.set_result(found)
        return found
    except BaseException as error:
        mine.set_exception(error)
        raise
    finally:
        with _lock:
            _flying.pop(key, None)


@contextmanager
def _counted(name: str) -> Iterator[None]:
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


def _packed(do: Callable[..., Found], args: tuple[object, ...]) -> bytes:
    return pickle.dumps((do, args), pickle.HIGHEST_PROTOCOL)


def _hash(of: object) -> str:
    return hashlib.sha256(pickle.dumps(of, pickle.HIGHEST_PROTOCOL)).hexdigest()


def _standing_for(argument: object) -> object:
    """What stands for an argument in a key: for designs and plans, which are large, their hash."""
    if isinstance(argument, BaseModel):
        return _once(_packed_hashes, argument, _hash)
    if isinstance(argument, tuple):
        return tuple(map(_standing_for, argument))
    if isinstance(argument, dict):
        return {name: _standing_for(value) for name, value in argument.items()}
    return argument


# In the queue -------------------------------------------------------------------------------------


def _waits() -> Q:
    """What waits for a worker, or is being done, and is not lost."""
    return Q(result=None, problem__isnull=True, begun_at__gt=timezone.now() - LOST)


@transaction.atomic
def _enqueue(piece: Piece[Any], design: Design, of: str, asker: Asker) -> None:
    """Let a worker do it, unless too much waits already: whoever asked asks again."""
    key = piece.key(of)
    waiting = WorkedOut.objects.filter(_waits())
    overtaken = waiting.filter(about=asker.about, started_at=None, key__startswith=piece.key(""))
    overtaken.exclude(pk=key).delete()
    ahead = waiting.filter(share=asker.share.key).count()
    if not _has_room(waiting, asker.share, ahead):
        metrics.refused("busy")
        return
    WorkedOut.objects.update_or_create(
        key=key,
        defaults={"begun_at": timezone.now()},
        create_defaults={
            "name": piece.work.name,
            "args": list(piece.args),
            "document": _once(_documents, design, _document),
            "about": asker.about,
            "share": asker.share.key,
            "is_member": asker.share.is_member,
        },
    )
    run.using(priority=asker.share.priority(ahead)).enqueue(key)


def _document(design: Design) -> bytes:
    return zlib.compress(json.dumps(plain(design)).encode())


def _has_room(waiting: QuerySet[WorkedOut], share: Share, ahead: int) -> bool:
    if share.is_member:
        return ahead < OF_A_MEMBER
    return ahead < OF_A_VISITOR and waiting.filter(is_member=False).count() < OF_ALL_VISITORS


@task(queue_name=QUEUE)
def run(key: str) -> None:
    """Do what waits under a key, and keep what came of it. What was overtaken is not there any more."""
    mine = WorkedOut.objects.filter(pk=key, result=None, problem__isnull=True)
    row = mine.first()
    if row is None or row.document is None:
        return
    mine.update(started_at=timezone.now())
    piece = KINDS[row.name].of(*row.args)
    design = load_plain(json.loads(zlib.decompress(row.document)))
    done: dict[str, Any] = {}
    try:
        with _counted(row.name):
            done["result"] = piece.write(_done_whatever_others_do(piece, design))
    except pool.StoppedError as error:
        metrics.refused("stopped")
        done["problem"] = {"reason": error.reason, "seconds": error.limits.cpu_seconds}
    except Exception:
        log.exception("Could not work out %s of a design", row.name)
        done["problem"] = {}
    mine.update(**done, document=None)
    _prune()


def _done_whatever_others_do(piece: Piece[Found], design: Design) -> Found:
    """The result; tried once more where it was not the design that ended the first try."""
    try:
        return _done(piece, design)
    except pool.StoppedError as error:
        if error.reason not in BY_OTHERS:
            raise
        log.warning("%s was ended (%s); trying again", piece.work.name, error.reason)
        return _done(piece, design)


def _done(piece: Piece[Found], design: Design) -> Found:
    if not settings.POOL_PROCESSES:
        return piece.do(design)
    made = _children.run(SITE, LONG, _packed(piece.work.do, (design, *piece.args)))
    return pickle.loads(made)  # type: ignore[no-any-return]


_children = pool.Pool(1, niceness=10)
"""A worker does one thing at a time."""


def _prune() -> None:
    ended = WorkedOut.objects.filter(Q(result__isnull=False) | Q(problem__isnull=False))
    old = ended.order_by("-begun_at").values_list("pk", flat=True)[KEPT:]
    WorkedOut.objects.filter(pk__in=list(old)).delete()
