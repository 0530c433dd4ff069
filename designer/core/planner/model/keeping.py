"""Figures of parents that the writes of their children keep."""

from dataclasses import dataclass
from typing import Literal

from designer.core.design.kept import Figure

Side = Literal["new", "old", "same"]
"""Which parent: the one that the child gets, the one that it had, or the one that it has and keeps."""


@dataclass(frozen=True)
class Keeping:
    """A figure of the parent that a change of a child keeps."""

    figure: Figure
    of: int
    """The change of the child: its position in the pattern."""
    side: Side
    moves: bool = False
    """The child may get another parent: where it does not, nothing is to be done."""
    rows: str | None = None
    """The change is repeated for the rows of this name, which all are children of one parent."""
    optional: bool = False
    """The child may refer to nothing."""

    @property
    def may_have_none(self) -> bool:
        """Whether there may be nothing to do, so that a parent that is not found is not yet a reason to refuse."""
        return self.moves or self.optional
