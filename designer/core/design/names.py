"""What plans named, as a lock file has it: so that a later plan calls the same things by the same names.

It is written from plans (`designer.core.plan.recording`), and people may delete it to begin anew. What does not fit the
design any more says nothing; it is kept so that no name is ever used for something else.
"""

from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from designer.core.patterns.document import Document

Template = Annotated[str, Field(max_length=2048)]
KeyAttributeName = Annotated[str, Field(min_length=1, max_length=255)]
IndexName = Annotated[str, Field(pattern=r"^[a-zA-Z0-9_.-]{1,255}$")]
ShapeName = Annotated[str, Field(min_length=1, max_length=255)]


class NamedKey(Document):
    """For each key attribute, its name or an item's value, as a key template."""

    partition: tuple[Template, ...] = ()
    sort: tuple[Template, ...] = ()


def _sorted(keys: dict[str, NamedKey]) -> dict[str, NamedKey]:
    """In one order: a document is known by the hash of its text, and PostgreSQL's jsonb keeps an order of its own."""
    return dict(sorted(keys.items()))


KeysByShape = Annotated[dict[ShapeName, NamedKey], AfterValidator(_sorted)]


class AttributeNames(Document):
    """The names of the attributes of an index key."""

    partition: tuple[KeyAttributeName, ...] = ()
    sort: tuple[KeyAttributeName, ...] = ()


class NamedIndex(Document):
    """An index that a plan had."""

    name: IndexName
    local: bool = False
    keys: AttributeNames
    holds: Literal["all"] | tuple[KeyAttributeName, ...] = ()
    """Attribute names in addition to the keys; if absent, only the keys."""
    of: KeysByShape = Field(default_factory=dict)
    """By shape, the values of its items in its key attributes."""
    was: KeysByShape = Field(default_factory=dict)
    """The same for items that used to be in it."""


class StyleNames(Document):
    """The names that the plan of one style uses."""

    items: KeysByShape = Field(default_factory=dict)
    """By shape, the values of items in the key of their table."""
    indexes: tuple[NamedIndex, ...] = ()
    """Existing ones first, then former ones."""


NOTHING_NAMED = StyleNames()


class Names(Document):
    """The names that the plans of a design use, by style."""

    anew: Annotated[int, Field(ge=0, le=10**9)] = 0
    """How often the names were reset or changed by hand. Each time, the design needs a new approval."""
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
