"""What the plan says about aggregates over children: how they are kept, their price, and where they lag."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from designer.core.design.kept import Figure, loses_expired, needs_stream
from designer.core.dynamodb.prices import SECONDS_PER_MONTH
from designer.core.messages import Message, say
from designer.core.plan import Decision, Finding, Rejected, Upkeep
from designer.core.planner.explain.amounts import dearer, units_added, upkeep_adds
from designer.core.planner.model.reads_and_writes import EntityWrite, PatternRead
from designer.core.planner.model.score import exact, money
from designer.core.planner.operations.context import Context
from designer.core.planner.pricing.structures import keys_bytes
from designer.core.planner.pricing.write_costs import WriteCost, write_cost
from designer.core.planner.workload.aggregates import kept_at_once, streamed_writes
from designer.core.rational import Fraction
from designer.core.words.english import spoken

Figures = tuple[Figure, ...]
"""Those of one parent over one relationship that are kept alike."""


def figure_decisions(context: Context) -> Iterator[Decision]:
    """One decision for the figures of a parent over one relationship."""
    streamed = context.search.requirements.streamed
    for figures in _groups(context.search.requirements.figures, streamed):
        yield (_streamed if figures[0] in streamed else _at_once)(context, figures)


def _groups(figures: Figures, streamed: Figures) -> list[Figures]:
    groups: dict[object, list[Figure]] = {}
    for figure in figures:
        groups.setdefault((figure.group, figure in streamed), []).append(figure)
    return [tuple(group) for group in groups.values()]


def _at_once(context: Context, figures: Figures) -> Decision:
    entity, child = figures[0].entity, figures[0].child
    keeping = _keeping(figures, context.search.requirements.writes)
    taken = _in_transactions(context, figures, context.search.requirements.writes)
    was_priced = any(figure.kept == "by-price" for figure in figures)
    usd, streamed = money(taken.usd), money(_by_stream(context, figures).usd)
    wish = say("stream-no-cheaper" if was_priced else "stream-if-stated")
    apart = () if was_priced or usd == streamed else (dearer(usd, streamed),)
    return Decision(
        about=f"figure {spoken(_names(figures))}",
        chosen=say("kept-in-transaction", child=child),
        serves=_numbers(keeping),
        reasons=(
            say("aggregates-always-right", names=_names(figures), child=child, entity=entity),
            *_said(taken),
        ),
        per_month=usd,
        instead_of=(
            Rejected(
                chosen=say("kept-by-consumer"),
                reasons=(*apart, say("consumer-is-behind"), wish),
                per_month=streamed,
            ),
        ),
    )


def _streamed(context: Context, figures: Figures) -> Decision:
    needed = context.search.requirements
    entity, child = figures[0].entity, figures[0].child
    table = context.layout.bases[child].table
    taken = _by_stream(context, figures)
    return Decision(
        about=f"figure {spoken(_names(figures))}",
        chosen=say("kept-by-stream", table=table, child=child),
        serves=_numbers(_keeping(figures, needed.writes)),
        reasons=(
            say("aggregates-behind", names=_names(figures), child=child, entity=entity),
            say("counts-recorded" if any(f.is_added for f in figures) else "repeats-harmless"),
            *_said(taken),
        ),
        per_month=money(taken.usd),
        instead_of=(_instead(context, figures, taken.usd),),
    )


def _instead(context: Context, figures: Figures, usd: Fraction) -> Rejected:
    """The transaction that a stream was taken for, at its price."""
    design, writes = context.search.design, context.search.requirements.writes
    child = figures[0].child
    chosen = say("kept-in-transaction", child=child)
    if any(loses_expired(design, figure) for figure in figures):
        return Rejected(chosen=chosen, reasons=(say("transaction-misses-expired", child=child),))
    if any(needs_stream(design, figure) for figure in figures):
        return Rejected(chosen=chosen, reasons=(say("transaction-impossible", child=child),))
    own = [write for write in writes if not write.is_upkeep]
    other = _in_transactions(context, figures, kept_at_once(design, figures, own)).usd
    if any(figure.kept == "by-stream" for figure in figures):
        reason = say("transaction-if-stated")
    else:
        reason = say("transaction-dearer" if other > usd else "transaction-not-always")
    return Rejected(chosen=chosen, reasons=(reason,), per_month=money(other))


def _names(figures: Figures) -> tuple[str, ...]:
    return tuple(f"{figure.entity}.{figure.name}" for figure in figures)


def _numbers(keeping: Iterable[EntityWrite]) -> tuple[int, ...]:
    return tuple(sorted({write.pattern.number for write in keeping}))


def figure_findings(context: Context, upkeep: tuple[Upkeep, ...]) -> Iterator[Finding]:
    """Aggregates that never go back, that lag, or that count a change twice if a stream delivers it twice."""
    yield from _stays(context)
    streamed = context.search.requirements.streamed
    for figures in _groups(streamed, streamed):
        yield _lags(context, figures, upkeep)
        added = tuple(figure for figure in figures if figure.is_added)
        if added:
            yield _counts_twice(added)


def _stays(context: Context) -> Iterator[Finding]:
    """The greatest and the least of what is deleted or changed, or expires."""
    needed = context.search.requirements
    for figure in needed.figures:
        if figure.is_added:
            continue
        back = {
            write.pattern.number
            for write in needed.writes
            if write.entity == figure.child
            and not write.is_upkeep
            and (
                write.verb == "delete"
                or (write.verb == "update" and figure.target in write.changed)
            )
        }
        after = []
        if back:
            after.append(say("after-patterns", patterns=_of(back)))
        if context.search.design.entity[figure.child].expires:
            after.append(say("after-expiry", child=figure.child))
        if after:
            yield Finding(
                rule="figure-stays",
                severity="advice",
                where=f"entities.{figure.entity}.attributes.{figure.name}",
                problem=say(
                    "figure-stays",
                    attribute=f"{figure.entity}.{figure.name}",
                    form=_form(context, figure),
                    of=f"{figure.child}.{figure.target}",
                    after=tuple(after),
                ),
                solution=say("list-of-one", child=figure.child),
            )


def _form(context: Context, figure: Figure) -> str:
    """What the figure is among the children's values, as people call it."""
    form = context.search.design.entity[figure.child].by_name[figure.target].format
    if form in ("date", "datetime"):
        return "latest" if figure.form == "greatest" else "earliest"
    return "maximum" if figure.form == "greatest" else "minimum"


def _lags(context: Context, figures: Figures, upkeep: tuple[Upkeep, ...]) -> Finding:
    entity = figures[0].entity
    reads = [q for q in context.search.requirements.pattern_reads if _sees(q, figures)]
    strong = _of({q.stated_number for q in reads if q.entity_reads[0].strong})
    testing = _of({w.pattern.number for w in _testing(context, figures)})
    is_blind = any(needs_stream(context.search.design, figure) for figure in figures)
    facts = [
        say("aggregates-updated", child=figures[0].child, attributes=_names(figures)),
    ]
    if reads:
        facts.append(say("see-old-value", patterns=_of({q.stated_number for q in reads})))
    if strong:
        facts.append(say("aggregate-not-strong", patterns=strong))
    if testing:
        facts.append(say("test-old-value", patterns=testing))
    names = set(_names(figures))
    facts += upkeep_adds(one for one in upkeep if names & set(one.figures))
    return Finding(
        rule="figure-lags",
        severity="warning" if strong or testing else "advice",
        where=f"entities.{entity}.attributes.{figures[0].name}",
        problem=say("figure-lags", facts=tuple(facts)),
        solution=say("deploy-consumer" if is_blind else "deploy-consumer-or-keep-at-once"),
    )


def _of(numbers: set[int]) -> tuple[int, ...]:
    return tuple(sorted(numbers))


def _sees(pattern_read: PatternRead, figures: Figures) -> bool:
    """Whether a pattern's own pattern returns a figure, or asks by it."""
    if pattern_read.copied is not None or pattern_read.change is not None:
        return False
    names = {figure.name for figure in figures}
    return any(
        entity_read.needs is None or names & (entity_read.keyed | entity_read.needs)
        for entity_read in pattern_read.entity_reads
        if entity_read.entity == figures[0].entity
    )


def _testing(context: Context, figures: Figures) -> Iterator[EntityWrite]:
    """The writes of the parent that depend on a figure."""
    names = {figure.name for figure in figures}
    for write in context.search.requirements.writes:
        tested = {condition.attribute for condition in write.change.conditions}
        if write.entity == figures[0].entity and names & tested:
            yield write


def _counts_twice(figures: Figures) -> Finding:
    return Finding(
        rule="figure-counts-twice",
        severity="warning",
        where=f"entities.{figures[0].entity}.attributes.{figures[0].name}",
        problem=say("figure-counts-twice", attributes=_names(figures)),
        solution=say("record-each-event"),
    )


def _keeping(figures: Figures, writes: Iterable[EntityWrite]) -> list[EntityWrite]:
    """The writes of the parent that keep its figures."""
    return [w for w in writes if any(keeping.figure in figures for keeping in w.keeps)]


def _cost(context: Context, write: EntityWrite) -> WriteCost:
    model, choice = context.model(write.entity), context.choice.entities[write.entity]
    size = keys_bytes(model, choice.base, choice.projections)
    return write_cost(model, choice.base, choice.projections, write, choice.guard, size)


@dataclass(frozen=True)
class _Taken:
    """What keeping aggregates takes in a month."""

    read: Fraction
    """Read units."""
    written: Fraction
    """Write units."""
    usd: Fraction


def _taken(context: Context, entity: str, read: Fraction, written: Fraction) -> _Taken:
    """`entity`: the parent. `read` and `written`: units a second."""
    prices = context.model(entity).prices
    read, written = read * SECONDS_PER_MONTH, written * SECONDS_PER_MONTH
    return _Taken(read, written, written * prices.write_unit + read * prices.read_unit)


def _said(taken: _Taken) -> Iterator[Message]:
    """Where no write has a rate, nothing is known."""
    if taken.usd:
        yield units_added(float(taken.read), float(taken.written), float(taken.usd))


def _in_transactions(context: Context, figures: Figures, writes: Sequence[EntityWrite]) -> _Taken:
    """The updates of the parent, and what the children's writes cost more because they are transactions."""
    written = read = Fraction(0)
    for write in _keeping(figures, writes):
        rate = exact(write.average or 0)
        if write.follows is None:
            continue  # it writes the parent anyway
        cost = _cost(context, write)
        written += rate * cost.write_units
        read += rate * cost.reads
        if not write.pattern.is_transaction:
            child = next(
                one
                for one in writes
                if one.pattern.number == write.pattern.number and one.at == write.keeps[0].of
            )
            written += rate * _cost(context, child).table / 2
    return _taken(context, figures[0].entity, read, written)


def _by_stream(context: Context, figures: Figures) -> _Taken:
    """The updates of the parent by a stream's consumer, after each write of a child."""
    needed = context.search.requirements
    written = read = Fraction(0)
    for write in streamed_writes(needed.design, figures, needed.writes):
        rate, cost = exact(write.average or 0), _cost(context, write)
        written += rate * cost.write_units
        read += rate * cost.reads
    return _taken(context, figures[0].entity, read, written)
