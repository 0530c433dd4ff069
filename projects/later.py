"""Whose work comes later: that of a share which took much of the workers' time, while others use the site.

It waits in a queue of its own, behind everybody's, and is done a little at a time. Who is alone on the site waits for
nothing. What each share took is kept in the database, where all workers see it: as a moment at which all of it will
have come back. So nothing has to be cleared when a worker is gone, and a row that is over says nothing.
"""

import logging
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from math import inf
from threading import Lock

from django.conf import settings
from django.db import DatabaseError, transaction
from django.db.models import F
from django.utils import timezone

from projects import gate
from projects.budget import OF_A_MEMBER
from projects.gate import BusyError
from projects.models import Throttled
from projects.shares import SITE, Share

log = logging.getLogger(__name__)

BEHIND, QUEUE = "plans", settings.LATER_QUEUE
"""The queue that all begin in, and the one of what comes later."""
AT_ONCE = 10.0
"""Seconds of a processor that a visitor's network may take of the workers at once: a large design in both styles."""
OWED = 20.0
"""More than that nobody owes: a network is not out for long after its flood."""
LATELY = timedelta(seconds=gate.LATELY)
"""Who asked for something within this time uses the site."""
SPENT, ASKED = "plans ", "asked "
"""What keys of rows begin with: who took time of the workers, who asked for something."""


class LaterError(BusyError):
    """It was begun, and others came: it goes on in the queue of what comes later."""


# What shares took ---------------------------------------------------------------------------------


def left(share: Share) -> float:
    """Seconds of a worker's processor that a share has; none, or less, where it has to wait for others."""
    ends_at = Throttled.objects.filter(pk=SPENT + share.key).values_list("ends_at", flat=True)
    return _times(share) * AT_ONCE - _owed(share, ends_at.first())


def take(share: Share, seconds: float) -> None:
    """Note that a share took some, though it be more than it had."""
    if not is_limited() or share == SITE:
        return
    key = SPENT + share.key
    with transaction.atomic():
        row = Throttled.objects.select_for_update().filter(pk=key).first()
        owed = _owed(share, row.ends_at if row is not None else None) + seconds
        owed = min(owed, _times(share) * (AT_ONCE + OWED))
        ends_at = timezone.now() + timedelta(seconds=owed / _comes_back(share))
        if row is None:
            Throttled.objects.create(pk=key, count=1, ends_at=ends_at)
        else:
            Throttled.objects.filter(pk=key).update(count=F("count") + 1, ends_at=ends_at)


def is_behind(share: Share) -> bool:
    """Whether what a share asks the workers for comes after what others ask for."""
    return is_limited() and share != SITE and left(share) <= 0 and is_beside_others(share)


def is_limited() -> bool:
    """Whether anybody has to wait: not where each may take a whole processor anyway."""
    return settings.LATER_PERCENT < 100


def _owed(share: Share, ends_at: datetime | None) -> float:
    if ends_at is None:
        return 0.0
    return max(0.0, (ends_at - timezone.now()).total_seconds()) * _comes_back(share)


def _comes_back(share: Share) -> float:
    """Of a second, each second."""
    return _times(share) * settings.LATER_PERCENT / 100


def _times(share: Share) -> int:
    return OF_A_MEMBER if share.is_member else 1


# Who uses the site --------------------------------------------------------------------------------


_asked: dict[str, datetime] = {}
"""Of whom this process wrote down that they ask, and until when that holds."""
_lock = Lock()


def note_asked(share: Share) -> None:
    """Write down that a share asked for something. Of two at a time is enough for each share to know that there are
    others, so that no more is written however many ask.
    """
    if not is_limited() or share == SITE:
        return
    now = timezone.now()
    with _lock:
        for key in [key for key, until in _asked.items() if until - now < LATELY / 2]:
            del _asked[key]
        if share.key in _asked or len(_asked) >= 2:
            return
        _asked[share.key] = now + LATELY
    with _whatever_the_database_does():
        row = {"count": 1, "ends_at": now + LATELY}
        Throttled.objects.update_or_create(pk=ASKED + share.key, defaults=row)


def is_beside_others(share: Share) -> bool:
    """Whether others use the site who have time of the workers left. Those who have none would only hold up each other,
    where nobody else is.
    """
    there = Throttled.objects.filter(pk__startswith=ASKED, ends_at__gt=timezone.now())
    keys = [key.removeprefix(ASKED) for key in there.values_list("pk", flat=True)]
    others = [Share(key, not key.startswith("visitor:")) for key in keys if key != share.key]
    return any(left(other) > 0 for other in others)


def forget() -> None:
    """Forget whom this process knows to ask."""
    with _lock:
        _asked.clear()


# How fast it is done ------------------------------------------------------------------------------


LOOKS = 1.0
"""Seconds between two looks who else is there."""
NOTED = 1.0
"""Seconds of a processor of which it is written down that they were taken."""


@dataclass
class Turn:
    """A piece of work of a share, while a worker does it: how fast."""

    share: Share
    is_later: bool
    """Whether it is in the queue for that already."""
    clock: Callable[[], float] = time.monotonic
    _taken: float = 0.0
    _noted: float = 0.0
    _looked_at: float = -inf
    _is_behind: bool = False

    def rest(self, taken: float) -> float:
        """Seconds for which the child has to rest that took so much by now; LaterError where it is to go on later."""
        taken = max(taken, self._taken)  # of a child that is gone none is known
        lately, self._taken = taken - self._taken, taken
        with _whatever_the_database_does():
            self._look()
        if not self._is_behind:
            return 0.0
        if not self.is_later:
            raise LaterError
        return max(0.0, lately * (1 / _comes_back(self.share) - 1))

    def _look(self) -> None:
        if self._taken - self._noted >= NOTED:
            self.end()
        if self.clock() - self._looked_at >= LOOKS:
            self._looked_at = self.clock()
            self._is_behind = is_behind(self.share)

    def end(self) -> None:
        """Note all that it took by now."""
        seconds, self._noted = self._taken - self._noted, self._taken
        with _whatever_the_database_does():
            take(self.share, seconds)


@contextmanager
def _whatever_the_database_does() -> Iterator[None]:
    """Work is not lost because it could not be counted."""
    try:
        yield
    except DatabaseError:
        log.warning("It is not known who waits for whom", exc_info=True)
