"""What is worked out from designs: done once, where it can be ended, and kept.

What is small is done by a child process while the request waits (`projects.pool`). What is large, or turned out to take
long, waits in the queue `plans` for a worker, which has more time for it; pages ask again until it is there. Both are
known by the hash of the design, and so is that one was ended at its limit: it is not begun again and again.
"""

import json
import logging
import pickle
import zlib
from collections.abc import Collection
from dataclasses import replace
from datetime import timedelta
from threading import Lock
from typing import Any, TypeVar

from cachetools import TTLCache
from django.conf import settings
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from django_tasks import task
from pydantic import ValidationError

from designer import metrics
from designer.core.design.document import Design
from designer.core.design.load import load_plain, plain
from designer.processes import Limits
from projects import deriving, later, pool
from projects.deriving import (
    AS_OBJECTS,
    BY_OTHERS,
    counted,
    derive,
    here,
    packed,
    remember,
    remembered,
)
from projects.hashes import Made, digest, once
from projects.models import WorkedOut
from projects.pieces import KINDS, Asker, FailedError, Piece, Work
from projects.shares import SITE, Share

__all__ = [
    "BY_OTHERS",
    "LONG",
    "QUEUE",
    "Asker",
    "FailedError",
    "Piece",
    "Work",
    "ask",
    "begin",
    "derive",
    "digest",
    "finished",
    "forget",
    "known",
    "run",
]
"""With what those who ask need of its neighbours."""

log = logging.getLogger(__name__)

QUEUE = later.BEHIND
LONG = Limits(settings.PLAN_SECONDS, 3.0 * settings.PLAN_SECONDS, settings.PLAN_MEMORY_MB)
"""What a worker gives to one plan."""
LATER = replace(LONG, wall_seconds=LONG.wall_seconds * 100 / min(100, settings.LATER_PERCENT))
"""The same for what rests most of the time."""
KEPT = 600
"""Results kept in the database."""
OF_A_VISITOR = 12
OF_A_MEMBER = 36
OF_ALL_VISITORS = 100
"""Pieces of work that may wait at once: of a visitor, of a team or a member, of all visitors."""
A_FEW = 4
FULL = 1000
"""A visitor may have a few, however many of others wait, until so many do: what comes later waits long."""
LOST = timedelta(minutes=15)
"""After this time work that nobody has done is asked for anew."""
SIZE_UNKNOWN = 256 * 1024
"""Bytes that a result counts as where it was not pickled."""

Found = TypeVar("Found")


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
            remember(key, FailedError(), 0)
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
    found: Found | None = remembered(key)
    if found is not None:
        return found
    rows = WorkedOut.objects.filter(pk=key)
    result, problem = rows.values_list("result", "problem").first() or (None, None)
    if problem is not None:
        remember(key, FailedError(**problem), 0)
        raise FailedError(**problem)
    if result is not None:
        try:
            found = piece.read(bytes(result))
        except ValidationError:  # another version of the site wrote it, in another form
            rows.delete()
            return None
        remember(key, found, 8 * len(result) * AS_OBJECTS)
    return found


def finished(keys: Collection[str]) -> set[str]:
    """Those of some keys whose results are known, here or in the database."""
    kept = WorkedOut.objects.filter(pk__in=keys, result__isnull=False)
    return {*filter(deriving.remembers, keys), *kept.values_list("pk", flat=True)}


def forget() -> None:
    """Forget what this process knows; the database keeps what it has."""
    deriving.forget()
    with _lock:
        _long.clear()


# In this process ----------------------------------------------------------------------------------


_long: TTLCache[str, None] = TTLCache(10_000, ttl=LOST.total_seconds())
"""What looked small and was ended at its limit. Where the queue has no room for it, whoever asks again and again would
begin it here each time.
"""
_lock = Lock()


def _is_long(key: str) -> bool:
    with _lock:
        return key in _long


def _note_long(key: str) -> None:
    with _lock:
        _long[key] = None


def _planned_here(key: str, share: Share, piece: Piece[Found], design: Design) -> Found:
    """What a child makes of a piece, remembered under the key; without children, what this thread does."""
    name = piece.work.name
    if settings.POOL_PROCESSES:
        work = packed(piece.work.do, (design, *piece.args))
        made: Found = here(name, key, share, pool.QUICK, work, pool.in_time(share))
        return made
    with counted(name):
        done = deriving.done_here(piece.do, design)
    remember(key, done, SIZE_UNKNOWN)
    return done


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
            "document": once(_documents, design, _document),
            "about": asker.about,
            "share": asker.share.key,
            "is_member": asker.share.is_member,
        },
    )
    run.using(priority=asker.share.priority(ahead)).enqueue(key)


_documents: Made[bytes] = {}
"""Of designs as they wait in the queue: each of their plans does."""


def _document(design: Design) -> bytes:
    return zlib.compress(json.dumps(plain(design)).encode())


def _has_room(waiting: QuerySet[WorkedOut], share: Share, ahead: int) -> bool:
    if share.is_member:
        return ahead < OF_A_MEMBER
    of_all = waiting.filter(is_member=False).count()
    return ahead < OF_A_VISITOR and of_all < (FULL if ahead < A_FEW else OF_ALL_VISITORS)


@task(queue_name=QUEUE)
def run(key: str) -> None:
    """Do what waits under a key, and keep what came of it. What was overtaken is not there any more."""
    _do_waiting(key, is_later=False)


@task(queue_name=later.QUEUE)
def run_later(key: str) -> None:
    """The same, for those who took much of the workers' time: slowly while others use the site."""
    _do_waiting(key, is_later=True)


def _do_waiting(key: str, *, is_later: bool) -> None:
    row = _undone(key).first()
    if row is None or row.document is None:
        return
    share = Share(row.share, row.is_member)
    if not is_later and later.is_behind(share):
        _put_off(row, share)
        return
    piece = KINDS[row.name].of(*row.args)
    design = load_plain(json.loads(zlib.decompress(row.document)))
    mine = _undone(_own_key(row, piece, design))
    if not mine.update(started_at=timezone.now()):
        return
    done: dict[str, Any] = {}
    try:
        with counted(row.name):
            done["result"] = piece.write(_done_whatever_others_do(piece, design, share, is_later))
    except later.LaterError:
        mine.update(started_at=None)
        _put_off(row, share)
        return
    except pool.StoppedError as error:
        metrics.refused("stopped")
        done["problem"] = {"reason": error.reason, "seconds": error.limits.cpu_seconds}
    except Exception:
        log.exception("Could not work out %s of a design", row.name)
        done["problem"] = {}
    mine.update(**done, document=None)
    _prune()


def _put_off(row: WorkedOut, share: Share) -> None:
    """Let it come after what others ask for."""
    before = WorkedOut.objects.filter(_waits(), share=share.key, begun_at__lt=row.begun_at)
    run_later.using(priority=share.priority(before.count())).enqueue(row.key)


def _undone(key: str) -> QuerySet[WorkedOut]:
    return WorkedOut.objects.filter(pk=key, result=None, problem__isnull=True)


def _own_key(row: WorkedOut, piece: Piece[Any], design: Design) -> str:
    """What this version keeps the result under. While a site is upgraded, a web process of another version may ask: it
    could not read what is made here. Its page waits until a web process of this version answers it, which finds this.
    """
    if row.key.startswith(piece.key("")):
        return row.key
    key = piece.key(digest(design))
    asked = ("name", "args", "document", "about", "share", "is_member")
    given = {name: getattr(row, name) for name in asked}
    WorkedOut.objects.get_or_create(key=key, defaults=given)
    return key


def _done_whatever_others_do(
    piece: Piece[Found], design: Design, share: Share, is_later: bool
) -> Found:
    """The result; tried once more where it was not the design that ended the first try."""
    try:
        return _done(piece, design, later.Turn(share, is_later))
    except pool.StoppedError as error:
        if error.reason not in BY_OTHERS:
            raise
        log.warning("%s was ended (%s); trying again", piece.work.name, error.reason)
        return _done(piece, design, later.Turn(share, is_later))


def _done(piece: Piece[Found], design: Design, turn: later.Turn) -> Found:
    if not settings.POOL_PROCESSES:
        return piece.do(design)
    children, limits = (_later_children, LATER) if turn.is_later else (_children, LONG)
    try:
        made = children.run(SITE, limits, packed(piece.work.do, (design, *piece.args)), turn.rest)
    finally:
        turn.end()
    return pickle.loads(made)  # type: ignore[no-any-return]


_children = pool.Pool(1, niceness=10)
"""A worker does one thing at a time,"""
_later_children = pool.Pool(1, niceness=15)
"""and one of those who come later beside it."""


def _prune() -> None:
    ended = WorkedOut.objects.filter(Q(result__isnull=False) | Q(problem__isnull=False))
    old = ended.order_by("-begun_at").values_list("pk", flat=True)[KEPT:]
    WorkedOut.objects.filter(pk__in=list(old)).delete()
