"""The gallery: finished designs to look at, to learn from, and to begin with."""

from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from designer.core.design.document import Design
from designer.core.design.load import load as load_text

SLUGS = (
    "shop",
    "starter",
    "newest-orders",
    "product-reviews",
    "discussion",
    "enrolment",
    "catalogue",
    "premium-and-sale",
    "accounts",
    "courses",
    "organisation",
    "social-network",
    "merchant-orders",
    "leaderboards",
    "event-log",
    "sensor-readings",
    "order-lines",
    "running-totals",
    "sessions",
    "order-states",
    "overloaded-index",
    "tenants",
    "user-preferences",
    "appointments",
)
"""The designs in the gallery's order: the shop, then one idea after another."""


@dataclass(frozen=True)
class Card:
    """What the gallery says about a design: its name, what it teaches, how large it is."""

    slug: str
    title: str
    summary: str
    entities: int
    patterns: int


def text(slug: str) -> str:
    """The design document, in YAML; KeyError when the gallery has none of that name."""
    if slug not in SLUGS:
        raise KeyError(slug)
    return (files("designer") / "gallery" / f"{slug}.yaml").read_text(encoding="utf-8")


@cache
def load(slug: str) -> Design:
    """A design of the gallery; KeyError when there is none of that name."""
    return load_text(text(slug), name=f"gallery:{slug}")


@cache
def cards() -> tuple[Card, ...]:
    """What the gallery's page shows, in its order."""
    designs = ((slug, load(slug)) for slug in SLUGS)
    return tuple(
        Card(slug, design.name, design.description, len(design.entities), len(design.patterns))
        for slug, design in designs
    )
