"""What tests work out costs with: prices, written down once more by hand, patterns with rates, and shapes by name."""

from collections.abc import Iterable

from designer.core.plan import Plan, Shape

SECONDS = 2_592_000
"""Those of a month."""
READ, WRITE, STORED = 0.125e-6, 0.625e-6, 0.25e-9
"""US dollars for a read unit, a write unit and a byte a month, in us-east-1 on demand."""


def rated(average: float, peak: float | None = None, **pattern: object) -> dict:
    """A pattern with its rate; without a peak it is as often at its peak as on average."""
    return {**pattern, "rate": {"average": average, "peak": peak or average}}


def numbered(patterns: Iterable[dict]) -> list[dict]:
    """Patterns as a document lists them, with numbers and names."""
    return [{"number": at, "name": f"P{at}", **pattern} for at, pattern in enumerate(patterns, 1)]


def shapes(made: Plan) -> dict[str, Shape]:
    """The shapes of a plan's items, by name."""
    return {shape.shape: shape for table in made.tables for shape in table.items}
