"""What the picture says, in words and figures."""

from collections.abc import Iterable

from designer.core.design.document import Design
from designer.core.design.entities import Relationship
from designer.core.patterns import AnyPattern
from designer.core.patterns.base import Read, Write
from designer.core.patterns.elsewhere import Elsewhere
from designer.core.words import figures


def sentences(design: Design) -> tuple[str, ...]:
    """The relationships in words, for those who cannot see the picture."""
    said = []
    for relationship in design.relationships:
        parent, child = relationship.parent, relationship.child
        if relationship.cardinality == "N:M" and isinstance(relationship.many, tuple):
            one, other = relationship.many
            text = f"{one} N:M {other}, through {child}"
        elif relationship.cardinality == "1:1":
            text = f"{parent} 1:1 {child}"
        else:
            text = f"{parent} 1:N {child}"
        text += f" ({relationship.name})"
        if relationship.average is not None:
            text += f", {figures.number(relationship.average)} on average"
        if relationship.most is not None:
            text += f", at most {relationship.most:,}"
        if relationship.averages is not None:
            averages = map(figures.number, relationship.averages)
            text += f", {_of_both_sides(relationship, averages)} on average"
        if relationship.mosts is not None:
            mosts = (f"{most:,}" for most in relationship.mosts)
            text += f", {_of_both_sides(relationship, mosts)} at most"
        said.append(text)
    return tuple(said)


def _of_both_sides(relationship: Relationship, many: Iterable[str]) -> str:
    """Of N:M, how many edge items each side has: `7,500 for each Warehouse and 3 for each Product`."""
    both = zip(many, relationship.parents, strict=True)
    return " and ".join(f"{number} for each {side}" for number, side in both)


def asked_by(design: Design, pattern: AnyPattern) -> frozenset[str]:
    """The entities that an access pattern reads or writes."""
    if isinstance(pattern, Write):
        return frozenset(change.entity for change in pattern.changes)
    if isinstance(pattern, Read):
        along = (design.relationship.get(each.relationship) for each in pattern.with_)
        ends = {name for each in along if each is not None for name in (*each.parents, each.child)}
        return frozenset({*pattern.entities, *ends})
    assert isinstance(pattern, Elsewhere)
    returns = pattern.returns
    return frozenset((returns,) if isinstance(returns, str) else returns)


def patterns_of(design: Design) -> dict[str, int]:
    """By entity, how many access patterns read or write it."""
    counts = dict.fromkeys(design.entity, 0)
    for pattern in design.patterns:
        for name in asked_by(design, pattern) & counts.keys():
            counts[name] += 1
    return counts
