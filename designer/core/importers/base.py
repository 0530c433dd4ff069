"""What every importer is, and what it hands back before anything is saved."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal

from designer.core.design.document import Design
from designer.core.messages import Message, text

MAX_BYTES = 20_000_000
"""The largest file that is read."""

Kind = Literal["taken", "guessed", "missing", "dropped"]
KINDS: tuple[Kind, ...] = ("taken", "guessed", "missing", "dropped")


@dataclass(frozen=True)
class Line:
    """One line of the report: what is said about something in the file.

    `taken` stands in the design as the file says it, `guessed` stands there though the file does not say it, `missing`
    is what a design should say and the file cannot, `dropped` is in the file and not in the design.
    """

    kind: Kind
    message: Message
    name: str = ""
    """What it is about, as the file calls it."""
    line: int | None = None
    """Where that stands in the file, from 1; None for the file as a whole."""

    @property
    def said(self) -> str:
        """The line as a finished sentence."""
        return text(self.message)

    def __str__(self) -> str:
        at = "" if self.line is None else f"line {self.line}, "
        about = f"{at}{self.name}".removesuffix(", ")
        return f"{about}: {self.said}" if about else self.said


@dataclass(frozen=True)
class Proposal:
    """An access pattern that the file hints at, to be ticked; the design has it under this number."""

    number: int
    hint: Message
    """What hints at it: `primary key, line 12`."""
    is_usual: bool = True
    """Whether it is ticked unless somebody says otherwise."""
    entity: str = ""
    """The entity that it is about."""

    @property
    def because(self) -> str:
        """The hint in words."""
        return text(self.hint)


@dataclass(frozen=True)
class Imported:
    """The design that a file says, with all that is proposed, and the report."""

    design: Design
    lines: tuple[Line, ...]
    proposals: tuple[Proposal, ...] = ()

    @property
    def usual(self) -> frozenset[int]:
        """The numbers of the patterns that are ticked at first."""
        return frozenset(each.number for each in self.proposals if each.is_usual)


def only(design: Design, numbers: Collection[int]) -> Design:
    """The design with the patterns of these numbers, numbered from 1."""
    kept = [pattern for pattern in design.patterns if pattern.number in numbers]
    anew = (each.model_copy(update={"number": at}) for at, each in enumerate(kept, 1))
    return design.model_copy(update={"patterns": tuple(anew)})


class Importer:
    """Reads what others made into a design. To add one, write a module in this folder with a subclass."""

    slug: ClassVar[str]
    """Stands in addresses and after `--format`."""
    label: ClassVar[str]
    """What people call the format."""
    suffixes: ClassVar[tuple[str, ...]]
    """How the names of its files end: `.sql`."""
    variants: ClassVar[Mapping[str, str]] = {}
    """Variants of the format that a caller can choose, by slug; otherwise it guesses."""

    def sniff(self, text: str) -> bool:
        """Whether a text looks like this format."""
        raise NotImplementedError

    def read(self, text: str, name: str, variant: str = "") -> Imported:
        """What a text says. `name` is that of the file, without folder; DesignError where it cannot be read."""
        raise NotImplementedError
