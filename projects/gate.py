"""Who comes in next, where there is room for a few."""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Condition, Lock

from projects.budget import AT_ONCE, budget
from projects.shares import Share


class BusyError(Exception):
    """No place was free in time, or too much of the same share waits already."""


class Gate:
    """Lets in so many at once, and of each share fewer."""

    def __init__(
        self, places: int, of_one: Callable[[Share, int], int], waiting_of_one: int
    ) -> None:
        """`of_one` says how many of a share may be inside, beside so many of others."""
        self._places = places
        self._of_one = of_one
        self._waiting_of_one = waiting_of_one
        self._lock = Lock()
        self._inside: Counter[str] = Counter()
        self._waiting: list[_Waiter] = []

    @contextmanager
    def entered(self, share: Share, patience: float) -> Iterator[None]:
        """A place for as long as it takes; BusyError where none comes free in
        `patience` seconds, or too many of the share wait already."""
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
        """Whether as many of a share wait as may."""
        with self._lock:
            return self._ahead(share) >= self._waiting_of_one

    def _enter(self, share: Share, patience: float) -> None:
        with self._lock:
            ahead = self._ahead(share)
            me = _Waiter(share, Condition(self._lock))
            self._waiting.append(me)
            self._admit()
            if me in self._waiting:
                if ahead < self._waiting_of_one:
                    me.turn.wait_for(lambda: me not in self._waiting, patience)
                if me in self._waiting:
                    self._waiting.remove(me)
                    raise BusyError

    def _ahead(self, share: Share) -> int:
        return sum(each.share.key == share.key for each in self._waiting)

    def _admit(self) -> None:
        """Let in whose turn it is, and wake nobody else."""
        while (first := self._next()) is not None:
            self._waiting.remove(first)
            self._inside[first.share.key] += 1
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


MEMBERS, VISITORS = 4, 2
"""Requests that a process answers at once: of a member, and of a visitor's network. One that took much of late has one
answered where nothing else is: two threads of a process take each other's time, whoever comes first.
"""
WAITING = 16
"""Further ones that wait: a class of thirty behind one address fits into two processes, and threads stay for others."""


def _at_once(share: Share, others: int) -> int:
    if share.is_member:
        return MEMBERS
    if budget.left(share) > AT_ONCE / 2:
        return VISITORS
    return 0 if others else 1


answering = Gate(10_000, _at_once, WAITING)
"""To all that a process answers."""
