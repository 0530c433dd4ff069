"""One thing that differs, and how it is said."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal

from pydantic import BaseModel

from designer.core.design.write import inline, plain, plain_value
from designer.core.words.english import joined

Kind = Literal[
    "design", "entity", "attribute", "relationship", "pattern", "planner", "pin", "ignored finding",
    "names", "table", "index", "items", "operation", "upkeep", "cost", "heat",
]  # fmt: skip
"""Of what is stated first, then of what is planned."""

What = Literal["added", "removed", "renamed", "changed"]

LONGEST = 160
"""Characters of a value that a sentence quotes; `Change.before` and `after` have all of it."""


@dataclass(frozen=True)
class About:
    """The part that a change is about."""

    kind: Kind
    id: str
    """The same in both: the part's id, or the name of what has none. Of an attribute `e-order/a-order-status`."""
    name: str
    """As people call it now, or called it when it was last there."""


@dataclass(frozen=True)
class Change:
    """One thing that differs."""

    about: About
    what: What
    sentence: str
    """What differs, whole: names and values that are written so in a design stand between backticks."""
    field: str = ""
    """Of a part that changed, what of it: `needs.stream`."""
    before: str = ""
    """As a line of the document; empty where it was not there."""
    after: str = ""
    patterns: tuple[int, ...] = ()
    """Numbers of the access patterns that it affects."""
    at_stake: str = ""
    """What it does to data that is there already, as a sentence; empty where it destroys and rewrites nothing."""
    is_wording: bool = False
    """It does not belong to the meaning: no plan and no approval depends on it."""

    @property
    def is_destructive(self) -> bool:
        return bool(self.at_stake)

    @property
    def names_its_pattern(self) -> bool:
        """Its sentence says which pattern it affects; of others the numbers stand beside it."""
        return self.about.kind in ("pattern", "operation", "cost")


def in_order(changes: Iterable[Change]) -> tuple[Change, ...]:
    """The changes as people should read them: what destroys first, mere wording last, else as they are."""
    return tuple(sorted(changes, key=lambda each: (not each.is_destructive, each.is_wording)))


def line(value: Any) -> str:
    """A value as a line of the document; empty for nothing."""
    if value is None or value == () or value == {} or value == "":
        return ""
    if isinstance(value, BaseModel):
        return inline(plain(value))
    if isinstance(value, tuple):
        return inline([plain(each) if isinstance(each, BaseModel) else each for each in value])
    if isinstance(value, dict):
        return inline({name: plain(each) for name, each in value.items()})
    return str(inline(plain_value(value)))


def quoted(value: Any) -> str:
    """A value within a sentence: numbers as people write them, everything else as the document has it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | float):
        return f"{plain_value(value):,}"
    if isinstance(value, tuple):
        return joined([quoted(each) for each in value]) or "nothing"
    said = value if isinstance(value, str) else line(value)
    return code(said)


def code(text: str) -> str:
    """A text as code within a sentence, cut where it is long."""
    return f"`{_cut(text).replace('`', chr(39))}`"


def phrase(text: str) -> str:
    """Words about a value within a sentence, cut where they are long."""
    return f"“{_cut(text)}”"


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1].rstrip()}…"
