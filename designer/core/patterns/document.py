"""What all parts of a design document are made of: names, lines of text, shares, and their base class."""

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Self

from pydantic import ConfigDict, Field, StringConstraints

from designer.core.frozen import Frozen

Name = Annotated[str, StringConstraints(pattern=r"^[A-Za-z][A-Za-z0-9_]{0,63}$")]
"""The name of an entity, a relationship, or a parameter."""

AttributeName = Annotated[str, StringConstraints(pattern=r"^[A-Za-z_][A-Za-z0-9_-]{0,126}$")]
"""The name of an attribute as it is stored."""

AttributePath = Annotated[
    str,
    StringConstraints(
        pattern=r"^[A-Za-z_][A-Za-z0-9_-]{0,126}(\.[A-Za-z_][A-Za-z0-9_-]{0,126}){0,3}$"
    ),
]
"""An attribute of the entity, or a path towards one: `seller.regionId` names a relationship first."""

Line = Annotated[
    str, StringConstraints(min_length=1, max_length=200, pattern=r"^[^\x00-\x1f\x7f]*$")
]
"""One line of free text."""

Text = Annotated[str, StringConstraints(max_length=4000, pattern=r"^[^\x00-\x08\x0b-\x1f\x7f]*$")]
"""Free text of several lines."""

Id = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9-]{1,40}$")]
"""An identity that survives renaming; comments and revisions refer to it."""

Share = Annotated[float, Field(ge=0, le=1)]
"""A part of a whole, which people are told in per cent. Differences know it by this type."""
Scalar = bool | int | float | str


class Document(Frozen):
    """A part of a document: frozen, no unknown keys, written back without what was left at its default."""

    model_config = ConfigDict(populate_by_name=True)
    unordered: ClassVar[tuple[str, ...]] = ()
    """Its fields, besides those of its base classes, that hold a list whose order says nothing."""

    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Self:
        """A copy with changes; what was worked out from the old fields does not come along."""
        copied = super().model_copy(update=update, deep=deep)
        for name in copied.__dict__.keys() - type(self).model_fields.keys():
            del copied.__dict__[name]
        return copied
