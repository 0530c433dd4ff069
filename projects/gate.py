"""Who comes in next, where there is room for a few."""

import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from math import inf
from threading import Condition, Lock

from django.conf import settings

from projects.budget import AT_ONCE, budget
from projects.shares import Share

LATELY = 10.0
"""Seconds after which somebody is not there any more who asks for nothing."""
CROWD = 2
"""Requests of a share that wait, from which on they are more than those of one person at work."""


class BusyError(Exception):
    """No place was free in time, or too much waits already, most of it of the same share."""


class Gate:
    """Lets in so many at once, and of each share fewer."""

    def __init__(
        self,
        places: int,
        of_one: Callable[[Share, int], int],
        waiting_of_one: int,
        in_all: float = inf,
    ) -> None:
        """`of_one` says how many of a share may be inside, beside so many of others. While more than `in_all` are
        inside or wait, those wait no longer whose share has the most waiting.
        """
        self._places = places
        self._of_one = of_one
        self._waiting_of_one = waiting_of_one
        self._in_all = in_all
        self._lock = Lock()
        self._inside: Counter[str] = Counter()
        self._resting: Counter[str] = Counter()
        """Those inside that are done, and keep their place a while."""
        self._waiting: list[_Waiter] = []
        self._came: dict[str, float] = {}
        """When the two shares came that came last."""

    @contextmanager
    def entered(self, share: Share, patience: float) -> Iterator[None]:
        """A place for as long as it takes; BusyError where none comes free in
        `patience` seconds, or too many of the share wait."""
        self._enter(share, patience)
        try:
            yield
        finally:
            with self._lock:
                self._inside[share.key] -= 1
                if not self._inside[share.key]:
                    del self._inside[share.key]
                self._admit()

    def is_full(self, share: Share) -> bool:
        """Whether another one of a share would be turned away, if it had to wait."""
        with self._lock:
            ahead = self._ahead(share)
            if ahead >= self._waiting_of_one:
                return True
            is_crowded = self._inside.total() + len(self._waiting) >= self._in_all
            return (
                is_crowded
                and ahead > 0
                and ahead == max(self._ahead(each.share) for each in self._waiting)
            )

    def idle(self) -> int:
        """How many wait, or are done and keep their place a while: threads that compute nothing."""
        with self._lock:
            return len(self._waiting) + self._resting.total()

    def has_others(self, share: Share) -> bool:
        """Whether somebody else is inside, and at work. A crowd is not counted: others need not pay for it."""
        with self._lock:
            waiting = Counter(each.share.key for each in self._waiting)
            return any(
                key != share.key and count > self._resting[key] and waiting[key] < CROWD
                for key, count in self._inside.items()
            )

    def rest(self, share: Share, seconds: float) -> None:
        """Keep the place of one that is done, so that the next one of its share waits, and nobody else."""
        with self._lock:
            self._resting[share.key] += 1
            self._admit()
        try:
            time.sleep(seconds)
        finally:
            with self._lock:
                self._resting[share.key] -= 1
                if not self._resting[share.key]:
                    del self._resting[share.key]

    def is_crowding(self, share: Share) -> bool:
        """Whether several of a share wait, while others come, too."""
        lately = time.monotonic() - LATELY
        with self._lock:
            others = (came > lately for key, came in self._came.items() if key != share.key)
            return any(others) and self._ahead(share) >= CROWD

    def _enter(self, share: Share, patience: float) -> None:
        with self._lock:
            self._note(share)
            ahead = self._ahead(share)
            me = _Waiter(share, Condition(self._lock))
            self._waiting.append(me)
            self._admit()
            self._turn_away()
            if ahead < self._waiting_of_one:
                me.turn.wait_for(lambda: me not in self._waiting, patience)
            if me in self._waiting:
                self._waiting.remove(me)
            if not me.is_in:
                raise BusyError

    def _note(self, share: Share) -> None:
        self._came.pop(share.key, None)
        self._came[share.key] = time.monotonic()
        if len(self._came) > 2:
            del self._came[next(iter(self._came))]

    def _others(self, share: Share) -> int:
        """How many of others are inside, and at work."""
        at_work = self._inside.total() - self._resting.total()
        return at_work - (self._inside[share.key] - self._resting[share.key])

    def _ahead(self, share: Share) -> int:
        return sum(each.share.key == share.key for each in self._waiting)

    def _turn_away(self) -> None:
        """Leave room for others: of whose share the most wait, visitors before members, who came last."""
        while self._waiting and self._inside.total() + len(self._waiting) > self._in_all:
            last = max(
                reversed(self._waiting),
                key=lambda each: (self._ahead(each.share), not each.share.is_member),
            )
            self._waiting.remove(last)
            last.turn.notify()

    def _admit(self) -> None:
        """Let in whose turn it is, and wake nobody else."""
        while (first := self._next()) is not None:
            self._waiting.remove(first)
            self._inside[first.share.key] += 1
            first.is_in = True
            first.turn.notify()

    def _next(self) -> "_Waiter | None":
        """Who comes in next: members first, then whose share has the fewest places, then who came first."""
        if self._inside.total() >= self._places:
            return None
        fair = [
            each
            for each in self._waiting
            if self._inside[each.share.key] < self._of_one(each.share, self._others(each.share))
        ]
        return min(
            fair,
            key=lambda each: (not each.share.is_member, self._inside[each.share.key]),
            default=None,
        )


@dataclass(eq=False)
class _Waiter:
    share: Share
    turn: Condition
    is_in: bool = False


MEMBERS, VISITORS = 4, 2
"""Requests that a process answers at once: of a member, and of a visitor's network where nothing else is. Beside others
a network has one, and none when it took much of late: two threads of a process take each other's time, whoever comes
first.
"""
WAITING = 16
"""Further ones of a share that wait: a class of thirty behind one address fits into two processes."""
IN_ALL = settings.WEB_THREADS * 3 // 4
"""Threads of a process that requests hold before some wait no longer: whoever else comes finds one."""


def _at_once(share: Share, others: int) -> int:
    if share.is_member:
        return MEMBERS
    if budget.left(share) > AT_ONCE / 2:
        return 1 if others else VISITORS
    return 0 if others else 1


answering = Gate(10_000, _at_once, WAITING, IN_ALL)
"""To all that a process answers."""

OF_A_CROWD = 4
"""Times that a network of visitors pays for what it takes while several of its requests wait, and others come, too:
they wait as long for it.
"""


def price(share: Share) -> int:
    """How many times a share pays for what it takes now of the processors.

    One person at work pays once, however many others there are. Who has taken more than half of what may be taken at
    once does as much as a crowd.
    """
    if share.is_member:
        return 1
    is_much = budget.left(share) < AT_ONCE / 2 and answering.has_others(share)
    return OF_A_CROWD if is_much or answering.is_crowding(share) else 1
