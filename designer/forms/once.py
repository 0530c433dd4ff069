"""What a form makes of its text: made once, though the edit, its note and the page all ask for it."""

from collections.abc import Callable
from typing import Any, Generic, TypeVar

T = TypeVar("T")


class Once(Generic[T]):
    """What a function makes, kept as long as it is given the same: texts that are equal, or the very same design."""

    def __init__(self, make: Callable[..., T]) -> None:
        self._make = make
        self._kept: tuple[tuple[Any, ...], T] | None = None

    def __call__(self, *given: Any) -> T:
        if self._kept is None or not all(map(_is_same, self._kept[0], given)):
            self._kept = given, self._make(*given)
        return self._kept[1]


def _is_same(was: Any, now: Any) -> bool:
    # A design is not compared part by part: that would take as long as some of what is made of it.
    return was is now or (isinstance(was, str) and was == now)
