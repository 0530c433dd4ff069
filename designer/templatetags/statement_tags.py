"""How the left column writes a pattern's mark and a relationship's ends."""

from collections.abc import Mapping

from django import template

from designer.core.design.entities import Relationship
from designer.core.grid.shown import HUES

register = template.Library()

UNKNOWN = ("circle-dashed", "not planned")


@register.filter
def mark_of(marks: Mapping[int, tuple[str, str]], number: int) -> tuple[str, str]:
    """The icon and the words for how a pattern fares."""
    return marks.get(number, UNKNOWN)


@register.filter
def hue(place: int) -> int:
    """The hue of the entity at a place in the design, as the grid colours it."""
    return place % HUES


@register.filter
def ends(relationship: Relationship) -> str:
    """ "User 1-N Order"."""
    first = relationship.parent
    second = relationship.child
    if isinstance(relationship.many, tuple):
        second = relationship.many[1]
    sign = {"1:1": "1-1", "1:N": "1-N", "N:M": "N-M"}[relationship.cardinality]
    return f"{first} {sign} {second}"
