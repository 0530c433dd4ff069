"""Parts of frozen documents replaced, and the result checked."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar

from pydantic import ValidationError

from designer.core.design.bounds import excesses
from designer.core.design.check import check
from designer.core.design.document import Design
from designer.core.design.wording import reason_of
from designer.core.errors import DesignError
from designer.core.messages import Message, say
from designer.core.patterns.document import Document

D = TypeVar("D", bound=Document)


def replaced(document: D, **fields: object) -> D:
    """The document with some fields replaced, validated anew; itself where they are as they were.

    Unlike `model_copy` it carries over nothing that was worked out from the old fields.
    """
    known = type(document).model_fields
    if all(n in known and _is_same(getattr(document, n), value) for n, value in fields.items()):
        return document
    kept = {name: getattr(document, name) for name in known}
    try:
        return type(document)(**{**kept, **fields})
    except ValidationError as error:
        raise DesignError("not-valid", say("sentence", problem=first_reason(error))) from error


def _is_same(was: object, now: object) -> bool:
    """Whether nothing is replaced, told quickly: of numbers and flags, which are equal to each other, and of whole
    documents only where they are one thing.
    """
    if was is now:
        return True
    if isinstance(was, tuple) and isinstance(now, tuple):
        return len(was) == len(now) and all(map(_is_same, was, now))
    if isinstance(was, dict) and isinstance(now, dict):
        return _is_same(tuple(was.items()), tuple(now.items()))
    return isinstance(was, str) and isinstance(now, str) and was == now


def each(documents: tuple[D, ...], change: Callable[[D], D]) -> tuple[D, ...]:
    return tuple(change(document) for document in documents)


_in_one_go: ContextVar[bool] = ContextVar("in_one_go", default=False)
ONE_BY_ONE = 50_000
"""Parts of designs that are looked at for one form, about half a second's work."""


@contextmanager
def in_one_go(design: Design, steps: int) -> Iterator[None]:
    """Many edits of a design in a row. Each is checked by itself, which tells best what is wrong with which; where
    that would take long, none is, and their outcome is checked when they are done: DesignError then.
    """
    attributes = sum(len(each.attributes) for each in design.entities)
    parts = attributes + len(design.relationships) + len(design.patterns) + steps
    token = _in_one_go.set(_in_one_go.get() or steps * parts > ONE_BY_ONE)
    try:
        yield
    finally:
        _in_one_go.reset(token)


def is_in_one_go() -> bool:
    return _in_one_go.get()


def checked(before: Design, after: Design) -> Design:
    """`after`, refused when it has a problem that `before` did not have. Not looked at `in_one_go`."""
    if _in_one_go.get():
        return after
    found = check(after)
    known = {problem.reason for problem in check(before)} if found else set()
    new = tuple(problem for problem in found if problem.reason not in known)
    if new:
        code = "not-consistent" if next(excesses(after), None) is None else "too-much"
        raise DesignError(code, say("sentence", problem=new[0].reason), new)
    return after


def first_reason(error: ValidationError) -> Message:
    """The first thing that is wrong with the values of a part."""
    first = error.errors()[0]
    misfit = first.get("ctx", {}).get("error")
    return say("text", text=first["msg"]) if misfit is None else reason_of(misfit)
