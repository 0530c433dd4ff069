"""How many requests each of gunicorn's processes answers, where all of them see it.

The system gives a connection to whichever process takes it first, so that one may answer three requests while another
does nothing: threads of one process take each other's time, those of two do not.
"""

import mmap

PLACES = 64
"""Processes that are known. Further ones take connections as they come."""
ABSENT = 255
"""In the place of no process."""


class Loads:
    """A byte of memory for each process, shared with whatever is forked after this was made."""

    def __init__(self) -> None:
        self._bytes = mmap.mmap(-1, PLACES)
        self._bytes[:] = bytes([ABSENT]) * PLACES

    def free(self, taken: set[int]) -> int:
        """The first place that is not taken; -1 where all are."""
        return next((place for place in range(PLACES) if place not in taken), -1)

    def note(self, place: int, requests: int) -> None:
        if place >= 0:
            self._bytes[place] = min(max(0, requests), ABSENT - 1)

    def leave(self, place: int) -> None:
        """Note that the process is gone: nothing is left to it any more."""
        if place >= 0:
            self._bytes[place] = ABSENT

    def is_least(self, place: int) -> bool:
        """Whether no process answers fewer than the one at this place."""
        return place < 0 or self._bytes[place] <= min(self._bytes[:])


loads = Loads()
"""Of this server. Made before it forks."""
