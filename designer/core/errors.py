"""What the core says when it cannot do as asked."""

from dataclasses import dataclass

BEYOND = ("too-large", "too-much")
"""Codes of what is too long to be read, or states more than a design may."""


@dataclass(frozen=True, order=True)
class Problem:
    """One thing wrong in a document: where (a path like `entities[2].name`), what, and the remedy."""

    place: str
    message: str
    line: int | None = None
    column: int | None = None

    def __str__(self) -> str:
        at = f"line {self.line}, " if self.line is not None else ""
        return f"{at}{self.place}: {self.message}" if self.place else f"{at}{self.message}"


class DesignError(Exception):
    """A change or a document that cannot be accepted.

    `code` is a stable word (`name-taken`); the message is a finished sentence for people; `problems` name
    each place when a whole document was read.
    """

    def __init__(self, code: str, message: str, problems: tuple[Problem, ...] = ()) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.problems = problems
