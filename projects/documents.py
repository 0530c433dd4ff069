"""Design documents, from text and as text: large ones by a child process, as all work that can be large.

Reading, checking and writing a document of 1 MB takes a second or more, in which a thread of the web process would hold
up all the others. A small document takes less time than sending it to a child.
"""

from collections.abc import Callable
from typing import Literal, TypeVar

from designer.core.design.document import Design
from designer.core.design.load import dump, load
from designer.core.design.text import MAX_BYTES
from designer.core.errors import DesignError
from designer.core.messages import say
from projects import pool, shares, work
from projects.refused import RefusedError

LARGE = 64 * 1024
"""Characters of a document that a child reads and writes."""
AGAIN = 5
"""Seconds after which whoever finds no child free may try again."""

Found = TypeVar("Found")


def read(text: str | bytes, name: str) -> Design:
    """The design that a text says; DesignError where it says none, or took too long to read, RefusedError where no
    child is free for it.
    """
    if not LARGE < len(text) <= MAX_BYTES:
        return load(text, name)
    try:
        return _by_a_child(load, text, name)
    except work.FailedError as error:
        raise DesignError("too-large", say("document-too-heavy", name=name)) from error


def write(design: Design, form: Literal["yaml", "json"]) -> str:
    """A design as text; RefusedError where no child is free for it."""
    return dump(design, form) if _is_small(design) else _by_a_child(dump, design, form)


def _is_small(design: Design) -> bool:
    """With all its defaults it is written many times faster than as a document, and about four times as long."""
    return len(design.model_dump_json()) <= 4 * LARGE


def _by_a_child(do: Callable[..., Found], *args: object) -> Found:
    try:
        return work.derive(shares.current(), pool.FILE, do, *args)
    except pool.BusyError:
        raise RefusedError("", say("busy-with-documents"), AGAIN) from None
    except work.FailedError as error:
        if error.reason in work.BY_OTHERS:
            raise RefusedError("", say("site-busy"), AGAIN) from None
        raise
