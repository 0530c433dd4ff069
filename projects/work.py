"""What takes long to work out from a design: begun beside the request that asks, done once, and kept.

A thread of this process begins it; whoever asks again finds the result, in whichever process, and is told meanwhile
that there is none yet. So nobody waits for a page, and no page shows half a result. What is small is waited for, as
it mostly takes a few tenths of a second; where it takes longer, it is treated like what is large from then on. Of
what is large one thing is worked out at a time in a process, and of a draft only what was asked last.
"""

import hashlib
import logging
import zlib
from collections.abc import Callable, Collection, Hashable
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as NotYetError
from dataclasses import dataclass
from datetime import timedelta
from threading import Lock
from types import NoneType
from typing import Any, Generic, TypeVar

from django.db import connections
from django.utils import timezone
from pydantic import TypeAdapter

from designer.core.design.document import Design
from designer.core.planner.memory import Memory
from projects.models import WorkedOut

log = logging.getLogger(__name__)

SMALL = 120
"""Entities and patterns together, for each of its plans, of a design that is small."""
PATIENCE = 2.0
"""Seconds that a request waits for what is small."""
GRACE = 0.3
"""Seconds that a request waits for what is large, in case little of it is new."""
HELD = timedelta(minutes=1)
"""After this time without a result, another process may begin the same."""
KEPT = 600
"""Results kept in the database; of these the newest, `KEPT_HERE`, in the process too."""
KEPT_HERE = 128

Found = TypeVar("Found")


class FailedError(Exception):
    """Working it out failed, as it was logged then."""


@dataclass(frozen=True)
class Work(Generic[Found]):
    """One kind of thing to work out from a design."""

    name: str
    """Another name for another version: what was kept under the old one is not looked at again."""
    do: Callable[[Design], Found]
    kind: TypeAdapter[Found]
    """What a result is: how it becomes text and comes back."""
    plans: int = 1
    """How many plans it takes, roughly."""

    def key(self, digest: str) -> str:
        return f"{self.name}:{digest}"

    def is_small(self, design: Design) -> bool:
        """Whether it should take no longer than somebody waits for it. Each pin is priced against a plan without it."""
        plans = self.plans * (1 + len(design.planner.pins))
        return (len(design.entities) + len(design.patterns)) * plans <= SMALL

    def write(self, found: Found) -> bytes:
        return zlib.compress(self.kind.dump_json(found))

    def read(self, result: bytes) -> Found:
        return self.kind.validate_json(zlib.decompress(result))


def digest(design: Design) -> str:
    """The hash of all that stands in a design, the order of its lists included: it decides between plans that are
    equally good."""
    return hashlib.sha256(design.model_dump_json().encode()).hexdigest()


def ask(work: Work[Found], design: Design, about: Hashable) -> Found | None:
    """The result; None while it is being worked out. What is asked of another design `about` the same overtakes it.

    FailedError when that failed.
    """
    of = digest(design)
    key = work.key(of)
    found = known(work, key)
    if found is not None:
        return found
    begun = _begin(work, design, of, about)
    if begun is not None:
        is_small = work.is_small(design)
        try:
            begun.result(timeout=PATIENCE if is_small else GRACE)
        except NotYetError:
            if is_small:
                _share(key)
            return None
    return known(work, key)


def begin(work: Work[Any], design: Design, about: Hashable) -> None:
    """Begin what will be asked for, and wait for nothing."""
    of = digest(design)
    if _memory.get(work.key(of)) is None:
        _begin(work, design, of, about)


def known(work: Work[Found], key: str) -> Found | None:
    """What was worked out before under this key."""
    found = _memory.get(key)
    if isinstance(found, FailedError):
        raise found
    if found is None:
        kept = WorkedOut.objects.filter(pk=key).values_list("result", flat=True).first()
        if kept is not None:
            found = work.read(bytes(kept))
            _memory.put(key, found)
    return found


def finished(keys: Collection[str]) -> set[str]:
    """Those of some keys whose results are known, here or in the database."""
    kept = WorkedOut.objects.filter(pk__in=keys, result__isnull=False)
    here = {k for k in keys if not isinstance(_memory.get(k), (FailedError, NoneType))}
    return {*here, *kept.values_list("pk", flat=True)}


def forget() -> None:
    """Forget what this process knows; the database keeps what it has."""
    _memory.clear()


_memory: Memory[Any] = Memory(KEPT_HERE)
_thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="work")
_small = ThreadPoolExecutor(max_workers=8, thread_name_prefix="small-work")
_lock = Lock()
_begun: dict[str, Future[None]] = {}
_shared: set[str] = set()
"""Of what has begun here, what other processes leave to this one and find in the database."""
_newest: dict[Hashable, str] = {}
"""The digest of the design that was asked for last."""


def _begin(work: Work[Any], design: Design, of: str, about: Hashable) -> Future[None] | None:
    """Begin it in this process, unless it has begun; None when another process holds it."""
    key = work.key(of)
    with _lock:
        _newest[about] = of
        if key not in _begun:
            is_small = work.is_small(design)
            if not is_small or WorkedOut.objects.filter(pk=key).exists():
                if not _claim(key):
                    return None
                _shared.add(key)
            pool = _small if is_small else _thread
            _begun[key] = pool.submit(_run, work, design, of, about)
        return _begun[key]


def _share(key: str) -> None:
    """Tell other processes of what takes longer than it should, unless it is just done."""
    with _lock:
        if key in _begun and _claim(key):
            _shared.add(key)


def _claim(key: str) -> bool:
    row, is_new = WorkedOut.objects.get_or_create(key=key)
    if is_new:
        return True
    now = timezone.now()
    if row.result is not None or row.begun_at > now - HELD:
        return False
    same = WorkedOut.objects.filter(pk=key, begun_at=row.begun_at)
    return same.update(begun_at=now) == 1


def _run(work: Work[Any], design: Design, of: str, about: Hashable) -> None:
    key, found = work.key(of), None
    try:
        if _newest.get(about, of) == of:
            found = _done(work, design, key)
    finally:
        with _lock:
            del _begun[key]
            is_shared = key in _shared
            _shared.discard(key)
            if _newest.get(about) == of:
                del _newest[about]
    if is_shared:
        try:
            _settle(work, key, found)
        except Exception:
            log.exception("Could not keep %s of the design %s", work.name, design.name)
        finally:
            connections.close_all()


def _done(work: Work[Found], design: Design, key: str) -> Found | None:
    """The result; None where that failed. This process remembers either, whatever becomes of it in the database."""
    try:
        found = work.do(design)
    except Exception:
        log.exception("Could not work out %s of the design %s", work.name, design.name)
        _memory.put(key, FailedError(f"{work.name} of {design.name}"))
        return None
    _memory.put(key, found)
    return found


def _settle(work: Work[Any], key: str, found: object | None) -> None:
    """Keep what was found, or let the claim go when nothing was."""
    claimed = WorkedOut.objects.filter(pk=key)
    if found is None:
        claimed.delete()
        return
    claimed.update(result=work.write(found))
    old = WorkedOut.objects.order_by("-begun_at").values_list("pk", flat=True)[KEPT:]
    WorkedOut.objects.filter(pk__in=list(old)).delete()
