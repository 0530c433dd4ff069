"""What the core says when it cannot do as asked."""

from dataclasses import dataclass

from designer.core.messages import Message, say, text

BEYOND = ("too-large", "too-much")
"""Codes of what is too long to be read, or states more than a design may."""


@dataclass(frozen=True)
class Problem:
    """One thing wrong in a document: where (a path like `entities[2].name`), what, and the remedy."""

    place: str
    reason: Message
    line: int | None = None
    column: int | None = None

    @property
    def message(self) -> str:
        """What is wrong, in words."""
        return text(self.reason)

    @property
    def located(self) -> Message:
        """What is wrong, with the line and the place."""
        said = say("at-place", place=self.place, problem=self.reason) if self.place else self.reason
        return said if self.line is None else say("at-line", line=self.line, problem=said)

    def __str__(self) -> str:
        return text(self.located)


class SaidError(Exception):
    """Something that cannot be done, with the reason as data."""

    def __init__(self, reason: Message) -> None:
        super().__init__(reason)
        self.reason = reason

    @property
    def message(self) -> str:
        """Why, as a finished sentence."""
        return text(self.reason)

    def __str__(self) -> str:
        return self.message


class DesignError(SaidError):
    """A change or a document that cannot be accepted.

    `code` is a stable word for the kind of refusal (`name-taken`); `problems` name each place when a whole document was
    read.
    """

    def __init__(self, code: str, reason: Message, problems: tuple[Problem, ...] = ()) -> None:
        super().__init__(reason)
        self.args = (code, reason, problems)  # as it is made again in another process
        self.code = code
        self.problems = problems


class MisfitError(SaidError, ValueError):
    """Values that cannot stand together in a part of a design, or a key template that can't be kept."""
