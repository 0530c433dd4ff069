"""What children carry of their parents, and how items are found that writes name otherwise."""

from dataclasses import dataclass

from designer.core.rational import Fraction


@dataclass(frozen=True)
class Copied:
    """Attributes of a parent that its children carry, by one relationship."""

    entity: str
    """The child."""
    relationship: str
    parent: str
    per: tuple[tuple[str, str], ...]
    """What joins them: pairs of the parent's attribute and the child's."""
    attributes: tuple[tuple[str, str], ...]
    """Pairs of the name on the child and the parent's attribute; the latter can be a copy itself."""

    @property
    def references(self) -> frozenset[str]:
        """The child's attributes that say which parent it has."""
        return frozenset(own for _, own in self.per)

    @property
    def names(self) -> frozenset[str]:
        """The copies, as the child names them."""
        return frozenset(name for name, _ in self.attributes)

    @property
    def watched(self) -> tuple[str, ...]:
        """The parent's attributes whose change is followed."""
        return tuple(dict.fromkeys(attribute for _, attribute in self.attributes))


@dataclass(frozen=True)
class Brought:
    """A parent that comes along with the rows of a pattern, from the copies that they carry."""

    pattern: int
    relationship: str
    parent: str
    take: tuple[tuple[str, str], ...]
    """Pairs of the parent's attribute and the row's."""
    sure: tuple[str, ...]
    """Copies that are there where the parent is."""


@dataclass(frozen=True)
class Weighed:
    """Another way to serve some patterns, as the search found it: by copies of a parent's attributes, by tests of the
    parent itself, or by an index that finds the items of writes.
    """

    name: str
    """The relationship, or the entity that is written."""
    patterns: tuple[int, ...]
    is_taken: bool
    with_it: Fraction
    """US dollars a month of the whole choice with it."""
    without: Fraction
