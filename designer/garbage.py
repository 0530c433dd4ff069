"""How often Python looks for garbage, and when a process gives back what it took."""

import ctypes
import gc
import sys
from typing import Any


def search_seldom() -> None:
    """Search less often, and never again among what is loaded by now.

    A plan is hundreds of thousands of objects, nearly all of them needed to its end, and so are the loaded modules. By
    Python's own limits (700, 10, 10) they are searched over and over: for a fifth of the time of planning. Among
    50,000 new objects a search takes some 25 ms, which every tenth answer to a keystroke would wait for; among 10,000
    it takes 5. What is left of these is searched a second time soon: what is left of twenty searches would take 60 ms
    at once.
    """
    gc.set_threshold(10_000, 1, 1_000)
    gc.freeze()


def _found_trim() -> Any:
    """glibc's `malloc_trim`, where the system has it."""
    return getattr(ctypes.CDLL(None), "malloc_trim", None) if sys.platform == "linux" else None


_trim = _found_trim()


def give_back() -> None:
    """Give the system what is free by now: it stays with the process else, for the largest that it ever did."""
    if _trim is not None:
        _trim(0)
