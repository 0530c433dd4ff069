"""Read a design from text or plain data; every problem comes with its line, place and remedy."""

from typing import Any

from pydantic import ValidationError

from designer.core.design.bounds import excesses
from designer.core.design.check import flaws
from designer.core.design.document import Design
from designer.core.design.text import Path, Position, Reading, place, read, refuse, shorten
from designer.core.design.upgrade import upgrade
from designer.core.design.wording import shape_problems
from designer.core.design.write import dump, plain
from designer.core.errors import DesignError, Problem
from designer.core.frozen import frozen
from designer.core.messages import Message, say

__all__ = ["dump", "load", "load_plain", "plain", "read_design"]


def load(text: str | bytes, name: str = "design") -> Design:
    """The design that a text says, YAML or JSON.

    DesignError when it is not text, too large, malformed, or does not hang together; `problems`
    then says where and why.
    """
    reading = read(text, name)
    design = _design(reading, name)
    found = flaws(design)
    if found:
        by_number = _written_order(reading.data)
        raise refuse(
            "does-not-fit" if next(excesses(design), None) is None else "too-much",
            name,
            [_problem(reading, _as_written(path, by_number), reason) for path, reason in found],
        )
    return design


def read_design(text: str | bytes, name: str = "design") -> Design:
    """The design that a text says, without asking whether its parts hang together."""
    return _design(read(text, name), name)


def load_plain(data: dict[str, Any], name: str = "design") -> Design:
    """The design of stored plain data (see `plain`), upgraded to today's format.

    It is not checked whether its parts hang together: what was accepted once must always open.
    """
    return _design(Reading(frozen(data)), name)


def _design(reading: Reading, name: str) -> Design:
    if reading.data is None:
        raise DesignError("empty", say("document-empty", name=name))
    if not isinstance(reading.data, dict):
        said = say("no-design-in-document", name=name, value=shorten(reading.data))
        raise DesignError("no-design", said)
    try:
        data = upgrade(reading.data, name)
    except DesignError as error:
        problems = [_problem(reading, ("keywright",), problem.reason) for problem in error.problems]
        raise refuse(error.code, name, problems) from None
    try:
        return Design.model_validate(data, strict=True, by_alias=True, by_name=False)
    except ValidationError as error:
        raise refuse(
            "misshapen",
            name,
            [
                _problem(reading, path, reason, of_key, data)
                for path, reason, of_key in shape_problems(error, data)
            ],
        ) from None


def _problem(
    reading: Reading, path: Path, reason: Message, of_key: bool = False, data: Any = None
) -> Problem:
    position: Position | tuple[None, None] = reading.position(path, of_key) or (None, None)
    return Problem(place(path, reading.data if data is None else data), reason, *position)


def _written_order(data: Any) -> list[int]:
    """For each pattern by number, its index in the text."""
    patterns = data.get("patterns") or ()
    return sorted(range(len(patterns)), key=lambda index: patterns[index]["number"])


def _as_written(path: Path, by_number: list[int]) -> Path:
    if len(path) > 1 and path[0] == "patterns":
        return ("patterns", by_number[int(path[1])], *path[2:])
    return path
