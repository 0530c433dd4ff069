"""Who comes in next, where there is room for a few."""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Condition

from projects.shares import Share


class BusyError(Exception):
    """No place was free in time, or too much of the same share waits already."""


class Gate:
    """Lets in so many at once, and of each share fewer."""

    def __init__(self, places: int, of_one: Callable[[Share], int], waiting_of_one: int) -> None:
        self._places = places
        self._of_one = of_one
        self._waiting_of_one = waiting_of_one
        self._changed = Condition()
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
            with self._changed:
                self._inside[share.key] -= 1
                if not self._inside[share.key]:
                    del self._inside[share.key]
                self._changed.notify_all()

    def _enter(self, share: Share, patience: float) -> None:
        me = _Waiter(share)
        with self._changed:
            self._waiting.append(me)
            try:
                is_next = self._next() is me
                ahead = sum(each.share.key == share.key for each in self._waiting) - 1
                if not is_next and ahead >= self._waiting_of_one:
                    raise BusyError
                if not self._changed.wait_for(lambda: self._next() is me, patience):
                    raise BusyError
                self._inside[share.key] += 1
            finally:
                self._waiting.remove(me)
                self._changed.notify_all()

    def _next(self) -> "_Waiter | None":
        """Who comes in next: members first, then whose share has the fewest places, then who came first."""
        if self._inside.total() >= self._places:
            return None
        fair = [
            each
            for each in self._waiting
            if self._inside[each.share.key] < self._of_one(each.share)
        ]
        return min(
            fair,
            key=lambda each: (not each.share.is_member, self._inside[each.share.key]),
            default=None,
        )


class _Waiter:
    def __init__(self, share: Share) -> None:
        self.share = share
