"""The order in which parts stand, which says nothing."""

from collections.abc import Iterator

from designer.core.design.matching import Pairs
from designer.core.difference.base import About, Change


def reordered(about: About, parts: str, field: str, pairs: Pairs) -> Iterator[Change]:
    """A change where those that are in both designs stand in another order."""
    places = [old for old, _ in pairs.both]
    if places != sorted(places):
        sentence = f"{parts} are in another order."
        yield Change(about, "changed", sentence, f"{field} in order", is_wording=True)
