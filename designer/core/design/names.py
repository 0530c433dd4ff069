"""What plans named, as a lock file has it: so that a later plan calls the same things by the same names.

It is written from plans (`designer.core.recording`), and people may delete it to begin anew. What does not fit the
design any more says nothing; it is kept so that no name is ever used for something else.
"""

from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from designer.core.patterns.base import Document

Template = Annotated[str, Field(max_length=2048)]
KeyAttributeName = Annotated[str, Field(min_length=1, max_length=255)]
IndexName = Annotated[str, Field(pattern=r"^[a-zA-Z0-9_.-]{1,255}$")]
ShapeName = Annotated[str, Field(min_length=1, max_length=255)]


class NamedKey(Document):
    """For each key attribute its name, or what an item has in it: a key template."""

    partition: tuple[Template, ...] = ()
    sort: tuple[Template, ...] = ()


def _sorted(keys: dict[str, NamedKey]) -> dict[str, NamedKey]:
    """In one order: a document is known by the hash of its text, and PostgreSQL's jsonb keeps an order of its own."""
    return dict(sorted(keys.items()))


KeysByShape = Annotated[dict[ShapeName, NamedKey], AfterValidator(_sorted)]


class AttributeNames(Document):
    """How the attributes of an index's key are called."""

    partition: tuple[KeyAttributeName, ...] = ()
    sort: tuple[KeyAttributeName, ...] = ()


class NamedIndex(Document):
    """An index that a plan had."""

    name: IndexName
    local: bool = False
    keys: AttributeNames
    holds: Literal["all"] | tuple[KeyAttributeName, ...] = ()
    """Names besides the keys; none: its keys alone."""
    of: KeysByShape = Field(default_factory=dict)
    """What the items in it have in its key attributes, by their shape."""
    was: KeysByShape = Field(default_factory=dict)
    """The same of items that once were in it."""


class StyleNames(Document):
    """What the plan of one style named."""

    items: KeysByShape = Field(default_factory=dict)
    """By shape, what items have in the key of their table."""
    indexes: tuple[NamedIndex, ...] = ()
    """Those that are there first, then those that once were."""


NOTHING_NAMED = StyleNames()


class Names(Document):
    """What the plans of a design named, by style."""

    anew: Annotated[int, Field(ge=0, le=10**9)] = 0
    """How often they were begun anew, or changed by hand: each time what was approved before is another design."""
    single: StyleNames = NOTHING_NAMED
    multi: StyleNames = NOTHING_NAMED
    grouped: StyleNames = NOTHING_NAMED

    def of(self, style: str) -> StyleNames:
        """Those of a style."""
        found: StyleNames = getattr(self, style)
        return found

    @property
    def is_empty(self) -> bool:
        """Whether nothing is recorded."""
        return self.single == self.multi == self.grouped == NOTHING_NAMED
