"""What no two items of an entity have in common."""

from typing import NamedTuple

MOST_IN_SCOPE = 5
"""Attributes that a scope may have."""


class Uniqueness(NamedTuple):
    """The value of an attribute occurs once: within a scope where one is stated, else among all items of the entity."""

    attribute: str
    within: tuple[str, ...] = ()
    """The attributes whose values make up the scope; empty: among all items of the entity."""

    @property
    def names(self) -> tuple[str, ...]:
        """The attributes whose values occur once together: the scope first."""
        return (*self.within, self.attribute)
