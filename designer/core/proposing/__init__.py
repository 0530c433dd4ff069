"""What a design is likely to need next: the usual access patterns, and the relationships that attributes hint at."""

from designer.core.proposing.patterns import Parts, Usual, usual
from designer.core.proposing.relationships import (
    Hinted,
    free_name,
    hinted,
    matching,
    relationship_name,
)

__all__ = [
    "Hinted",
    "Parts",
    "Usual",
    "free_name",
    "hinted",
    "matching",
    "relationship_name",
    "usual",
]
