"""Parts of frozen documents replaced, and the result checked."""

from collections.abc import Callable
from typing import TypeVar

from pydantic import ValidationError

from designer.core.design.bounds import excesses
from designer.core.design.check import check
from designer.core.design.document import Design
from designer.core.design.wording import reason_of
from designer.core.errors import DesignError
from designer.core.messages import Message, say
from designer.core.patterns.base import Document

D = TypeVar("D", bound=Document)


def replaced(document: D, **fields: object) -> D:
    """The document with some fields replaced, validated anew.

    Unlike `model_copy` it carries over nothing that was worked out from the old fields.
    """
    kept = {name: getattr(document, name) for name in type(document).model_fields}
    try:
        return type(document)(**{**kept, **fields})
    except ValidationError as error:
        raise DesignError("not-valid", say("sentence", problem=first_reason(error))) from error


def each(documents: tuple[D, ...], change: Callable[[D], D]) -> tuple[D, ...]:
    return tuple(change(document) for document in documents)


def checked(before: Design, after: Design) -> Design:
    """`after`, refused when it has a problem that `before` did not have."""
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
