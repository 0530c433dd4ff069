"""Parts of frozen documents replaced, and the result checked."""

from collections.abc import Callable
from typing import TypeVar

from pydantic import ValidationError

from designer.core.design.bounds import excesses
from designer.core.design.check import check
from designer.core.design.document import Design
from designer.core.errors import DesignError
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
        first = error.errors()[0]
        raise DesignError("not-valid", _sentence(str(first["msg"]))) from error


def each(documents: tuple[D, ...], change: Callable[[D], D]) -> tuple[D, ...]:
    return tuple(change(document) for document in documents)


def checked(before: Design, after: Design) -> Design:
    """`after`, refused when it has a problem that `before` did not have."""
    found = check(after)
    known = {problem.message for problem in check(before)} if found else set()
    new = tuple(problem for problem in found if problem.message not in known)
    if new:
        code = "not-consistent" if next(excesses(after), None) is None else "too-much"
        raise DesignError(code, _sentence(new[0].message), new)
    return after


def _sentence(message: str) -> str:
    text = message.removeprefix("Value error, ").strip()
    return f"{text[:1].upper()}{text[1:].rstrip('.')}."
