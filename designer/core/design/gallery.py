"""The gallery: finished designs to look at, to learn from, and to begin with."""

from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from designer.core.design.document import Design
from designer.core.design.load import load as load_text

TOPICS: dict[str, tuple[str, ...]] = {
    "Getting started": ("shop", "tea-shop", "starter"),
    "Read together in one request": (
        "newest-orders",
        "product-reviews",
        "discussion",
        "social-network",
        "user-preferences",
    ),
    "One sort key for many access patterns": ("catalogue", "courses", "organisation"),
    "Sparse and overloaded indexes": (
        "premium-and-sale",
        "merchant-orders",
        "order-states",
        "overloaded-index",
    ),
    "Uniqueness, conditions and tenants": (
        "accounts",
        "workspaces",
        "enrolment",
        "appointments",
        "tenants",
    ),
    "Copies and totals that stay right": ("order-lines", "running-totals"),
    "Common application patterns": ("inbox", "tags", "folder-tree", "idempotency"),
    "Hot keys and expiring data": (
        "leaderboards",
        "video-views",
        "event-log",
        "sensor-readings",
        "sessions",
    ),
}
"""The designs by what they teach, in the gallery's order."""
WORKLOADS = {
    "Orders": "merchant-orders",
    "Booking": "appointments",
    "Chat": "discussion",
    "IoT": "sensor-readings",
    "SaaS": "workspaces",
    "Game": "leaderboards",
    "Feed": "social-network",
    "Event log": "event-log",
}
"""Designs by what people build, to be taken with numbers of their own (`edits/workload.py`)."""
SLUGS = tuple(slug for slugs in TOPICS.values() for slug in slugs)


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
    """What the pages show of every design, in the gallery's order."""
    designs = ((slug, load(slug)) for slug in SLUGS)
    return tuple(
        Card(slug, design.name, design.description, len(design.entities), len(design.patterns))
        for slug, design in designs
    )


def topics() -> tuple[tuple[str, tuple[Card, ...]], ...]:
    """The cards of each topic, under its title."""
    known = {card.slug: card for card in cards()}
    return tuple((title, tuple(known[slug] for slug in slugs)) for title, slugs in TOPICS.items())
