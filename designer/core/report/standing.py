"""How a design stands with the people who judge it: what documents and templates say of themselves."""

from dataclasses import dataclass
from typing import Literal

from designer.core.words.english import joined

Status = Literal["draft", "in review", "changes requested", "approved", "changed since approval"]

SHORT = 12
"""Letters of a hash that people compare by eye."""


@dataclass(frozen=True)
class Standing:
    """A revision's status, who approved what it means, and the hash that they are bound to."""

    status: Status
    revision: int
    meaning: str
    """`sha256:` and the hash of the revision's meaning."""
    approvers: tuple[str, ...] = ()
    """In the order in which they approved; some may have, and the status not be "approved" yet."""
    saved: str = ""
    """The day on which the revision was saved, in UTC: `27 November 2026`. Empty where nobody knows it."""

    @property
    def hash(self) -> str:
        return short(self.meaning)

    @property
    def is_approved(self) -> bool:
        return self.status == "approved"

    @property
    def sentence(self) -> str:
        """What a template says of it in one line."""
        said = f"Revision r{self.revision}: {self.status}."
        return f"{said} Approved by {joined(self.approvers)}." if self.approvers else said

    @property
    def facts(self) -> tuple[tuple[str, str], ...]:
        """What a document says of it, name by name."""
        named = (("Approved by", ", ".join(self.approvers)),) if self.approvers else ()
        dated = f"r{self.revision} of {self.saved}" if self.saved else f"r{self.revision}"
        return (("Status", self.status.capitalize()), ("Revision", dated), *named)


def short(meaning: str) -> str:
    """The first letters of a meaning's hash: what people compare by eye."""
    return meaning.removeprefix("sha256:")[:SHORT]
