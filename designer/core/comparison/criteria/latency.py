"""Whether a maximum latency is stated."""

from designer.core.comparison.criteria.base import Answer, Criterion, Sides, by_style, listed
from designer.core.cost.options import exact
from designer.core.design.document import Design
from designer.core.words import figures


class Latency(Criterion):
    """How long a request takes is in no design; how many it takes is in its plan."""

    slug = "latency"
    title = "Latency"
    better = "access patterns with a maximum latency need fewer requests"
    rank = 60

    def answer(self, design: Design, sides: Sides) -> Answer:
        wished = {one.number: one.latency_ms for one in design.patterns if one.latency_ms}
        if not wished:
            return Answer("No access pattern states its maximum latency.", is_stated=False)
        taken = {side.style: side.takes(wished) for side in sides}
        words = {style: figures.number(count) for style, count in taken.items()}
        soonest = figures.number(min(wished.values()))
        verb, strictest, runs = (
            ("states", "", "per run")
            if len(wished) == 1
            else ("state", "the strictest ", "to run each once")
        )
        says = (
            f"{listed(wished)[:1].upper()}{listed(wished)[1:]} {verb} a maximum latency, {strictest}{soonest} ms. "
            f"Requests {runs}: {by_style(sides, words)}."
        )
        return Answer(says, {style: exact(count) for style, count in taken.items()})
