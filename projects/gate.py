"""Who comes in next, where there is room for a few."""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from math import inf
from threading import Condition, Lock

from django.conf import settings

from projects.budget import AT_ONCE, budget
from projects.shares import Share


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
        self._waiting: list[_Waiter] = []

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

    def has_others(self, share: Share) -> bool:
        """Whether somebody else is inside."""
        with self._lock:
            return self._inside.total() > self._inside[share.key]

    def _enter(self, share: Share, patience: float) -> None:
        with self._lock:
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
        all_inside = self._inside.total()
        if all_inside >= self._places:
            return None
        fair = [
            each
            for each in self._waiting
            if (mine := self._inside[each.share.key]) < self._of_one(each.share, all_inside - mine)
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
