"""How much of the processors each share may take: a little at once, and then as much as comes back with time.

Kept in memory: each process has processors of its own to share out.
"""

import time
from threading import Lock

from cachetools import LRUCache
from django.conf import settings

from projects.shares import SITE, Share

AT_ONCE = 2.0
"""Seconds of a processor that a visitor's network may take at once in a process."""
OF_A_MEMBER = 4
"""A member, or a team, may take so many times that."""


class Budget:
    """What shares have left, in seconds of a processor."""

    def __init__(self, comes_back: float) -> None:
        self._comes_back = comes_back
        """Of a second, each second, for a visitor's network."""
        self._left: LRUCache[str, tuple[float, float]] = LRUCache(10_000)
        """What was left, and when."""
        self._lock = Lock()

    def left(self, share: Share) -> float:
        """Seconds that a share has; none, or less, where it has to wait."""
        with self._lock:
            return self._now(share, time.monotonic())

    def take(self, share: Share, seconds: float) -> None:
        """Note that a share took some, though it be more than it had."""
        if share == SITE:
            return  # a worker has queues to share out; refused, it would call a plan failed that nobody tried
        now = time.monotonic()
        with self._lock:
            self._left[share.key] = (self._now(share, now) - seconds, now)

    def wait(self, share: Share) -> int:
        """Seconds after which a share has some again."""
        times = OF_A_MEMBER if share.is_member else 1
        return max(1, round(-self.left(share) / (self._comes_back * times)))

    def forget(self) -> None:
        with self._lock:
            self._left.clear()

    def _now(self, share: Share, now: float) -> float:
        times = OF_A_MEMBER if share.is_member else 1
        left, then = self._left.get(share.key, (AT_ONCE * times, now))
        # Nobody owes so much that they are out for minutes.
        left = max(left, -2 * AT_ONCE * times)
        return min(AT_ONCE * times, left + (now - then) * self._comes_back * times)


budget = Budget(settings.VISITOR_PERCENT / 100)
"""Of this process and its children."""
