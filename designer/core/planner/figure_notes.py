"""What the plan says about figures kept over children: with which writes, at what price, and where they mislead."""

from collections.abc import Iterator
from fractions import Fraction

from designer.core.design.kept import Figure
from designer.core.patterns import Transaction
from designer.core.plan import Decision, Finding, Rejected
from designer.core.planner.keeping import streamed_writes
from designer.core.planner.pricing import WriteCost, keys_bytes, write_cost
from designer.core.planner.reads import Context
from designer.core.planner.requirements import WriteDemand
from designer.core.planner.structures import exact
from designer.core.planner.wording import numbered, spoken
from designer.core.prices import SECONDS_PER_MONTH


def figure_decisions(context: Context) -> Iterator[Decision]:
    """One decision for the figures of a parent over one relationship."""
    groups: dict[tuple[str, str], list[Figure]] = {}
    for figure in context.search.requirements.figures:
        groups.setdefault((figure.entity, figure.relationship), []).append(figure)
    for (entity, _), figures in groups.items():
        child = figures[0].child
        keeping = _keeping(context, figures)
        names = spoken(tuple(f"{entity}.{figure.name}" for figure in figures))
        yield Decision(
            about=f"figure {names}",
            choice=f"with each write of {child}, in its transaction",
            serves=tuple(sorted({write.pattern.number for write in keeping})),
            because=(
                f"They are worked out when {child} is written, not when {entity} is read: one transaction also updates "
                f"the {entity}, on condition that it is there, so that they are right at every moment. It takes double "
                "units."
            ),
            per_month=_money(_in_transactions(context, figures, keeping)),
            instead_of=(
                Rejected(
                    choice="a stream's consumer that adds afterwards",
                    because=(
                        "takes single units, a moment later and at least once: a change that is told twice counts "
                        "twice, unless the consumer notes which it has seen"
                    ),
                    per_month=_money(_by_stream(context, figures)),
                ),
            ),
        )


def figure_findings(context: Context) -> Iterator[Finding]:
    """The greatest and the least of what is deleted or changed: they do not go back."""
    needed = context.search.requirements
    for figure in needed.figures:
        if figure.is_added:
            continue
        back = {
            write.pattern.number
            for write in needed.writes
            if write.entity == figure.child
            and write.upkeep is None
            and (
                write.verb == "delete"
                or (write.verb == "update" and figure.target in write.changed)
            )
        }
        if back:
            yield Finding(
                rule="figure-stays",
                severity="advice",
                where=f"entities.{figure.entity}.attributes.{figure.name}",
                message=(
                    f"{figure.entity}.{figure.name} is the {figure.form} {figure.child}.{figure.target} that there "
                    f"ever was: after {numbered(tuple(sorted(back))).lower()} it stays, because the next would have "
                    "to be read."
                ),
                remedy=f"Where it must be of those that are there, ask for a list of one {figure.child}.",
            )


def _keeping(context: Context, figures: list[Figure]) -> list[WriteDemand]:
    """The writes of the parent that keep its figures."""
    return [
        write
        for write in context.search.requirements.writes
        if any(keeping.figure in figures for keeping in write.keeps)
    ]


def _cost(context: Context, write: WriteDemand) -> WriteCost:
    model, choice = context.model(write.entity), context.choice.entities[write.entity]
    size = keys_bytes(model, choice.base, choice.held)
    return write_cost(model, choice.base, choice.held, write, choice.guard, size)


def _in_transactions(
    context: Context, figures: list[Figure], keeping: list[WriteDemand]
) -> Fraction:
    """The updates of the parent, and what the children's writes cost more because they are transactions."""
    prices = context.model(figures[0].entity).prices
    writes = reads = Fraction(0)
    for write in keeping:
        rate = exact(write.average or 0)
        if write.follows is None:
            continue  # it writes the parent anyway
        cost = _cost(context, write)
        writes += rate * cost.write_units
        reads += rate * cost.reads
        if not isinstance(write.pattern, Transaction):
            child = next(
                one
                for one in context.search.requirements.writes
                if one.pattern.number == write.pattern.number and one.at == write.keeps[0].of
            )
            writes += rate * _cost(context, child).table / 2
    return (writes * prices.write_unit + reads * prices.read_unit) * SECONDS_PER_MONTH


def _by_stream(context: Context, figures: list[Figure]) -> Fraction:
    """The updates of the parent by a stream's consumer, after each write of a child."""
    needed = context.search.requirements
    prices = context.model(figures[0].entity).prices
    usd = Fraction(0)
    for write in streamed_writes(needed.design, tuple(figures), needed.writes):
        cost = _cost(context, write)
        one = cost.write_units * prices.write_unit + cost.reads * prices.read_unit
        usd += exact(write.average or 0) * one
    return usd * SECONDS_PER_MONTH


def _money(usd: Fraction) -> float:
    return float(round(usd, 4))
