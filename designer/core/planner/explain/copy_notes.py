"""What the plan says about copies: why each is made, what it costs, and where it lags or costs too much."""

from collections.abc import Iterator

from designer.core.dynamodb.prices import SECONDS_PER_MONTH
from designer.core.messages import Message, say
from designer.core.plan import Decision, Finding, Rejected, Upkeep
from designer.core.planner.explain.amounts import dearer, upkeep_adds
from designer.core.planner.model.copies import Copied, Weighed
from designer.core.planner.model.reads_and_writes import PatternRead
from designer.core.planner.model.score import exact, money
from designer.core.planner.operations.context import Context
from designer.core.rational import Fraction
from designer.core.words.english import spoken


def copy_decisions(context: Context, upkeep: tuple[Upkeep, ...]) -> Iterator[Decision]:
    """One decision for the copies of each relationship: the patterns that need them, their upkeep and its cost."""
    for copied in context.search.requirements.copies:
        kept = _upkeep_of(copied, upkeep)
        cost = _reads_of_parents(context, copied) + exact((kept and kept.usd_per_month) or 0)
        names = tuple(f"{copied.entity}.{name}" for name, _ in copied.attributes)
        of = tuple(f"{copied.parent}.{attribute}" for attribute in copied.watched)
        asking = _numbers(context, copied)
        weighed = _weighed(context, copied.relationship)
        why = []
        if asking:
            why.append(say("asked-by-copy", patterns=asking, attributes=of, entity=copied.entity))
        if weighed is not None and weighed.is_taken:
            why.append(say("copies-cost-less", patterns=weighed.patterns, parent=copied.parent))
        why += [say("copied-on-write", parent=copied.parent), _how_kept(copied, kept)]
        yield Decision(
            about=f"copy {spoken(names)}",
            chosen=say("copied", attributes=of, relationship=copied.relationship),
            serves=tuple(sorted({*asking, *(weighed.patterns if weighed is not None else ())})),
            reasons=tuple(why),
            per_month=money(cost),
            instead_of=tuple(_second_read(weighed, copied.parent, cost)),
        )
    yield from _not_copied(context)
    yield from _tested(context)


def _weighed(context: Context, relationship: str) -> Weighed | None:
    found = (one for one in context.search.requirements.weighed if one.name == relationship)
    return next(found, None)


def _second_read(weighed: Weighed | None, parent: str, cost: Fraction) -> Iterator[Rejected]:
    if weighed is None or not weighed.is_taken:
        return
    more = weighed.without - weighed.with_it
    yield Rejected(
        chosen=say("second-read", parent=parent),
        reasons=(
            dearer(money(weighed.with_it), money(weighed.without))
            if more
            else say("takes-more-requests"),
        ),
        per_month=money(cost + more),
    )


def _not_copied(context: Context) -> Iterator[Decision]:
    """Parents that a second read returns, and how much more copies of them would cost."""
    design = context.search.design
    for weighed in context.search.requirements.weighed:
        if weighed.is_taken:
            continue
        relationship = design.relationship[weighed.name]
        reason = _dearer(weighed.without, weighed.with_it)
        yield Decision(
            about=f"pattern {spoken(tuple(map(str, weighed.patterns)))}",
            chosen=say("by-second-read", parent=relationship.parent),
            serves=weighed.patterns,
            reasons=(say("also-returns", patterns=weighed.patterns, parent=relationship.parent),),
            instead_of=(
                Rejected(chosen=say("copies-in-each", child=relationship.child), reasons=(reason,)),
            ),
        )


def _dearer(was: Fraction, now: Fraction) -> Message:
    return dearer(money(was), money(now)) if now > was else say("saves-nothing")


def _tested(context: Context) -> Iterator[Decision]:
    """Conditions on related parents, tested on the parents themselves or on copies, with both prices."""
    design = context.search.design
    for weighed in context.search.requirements.tests:
        relationship = design.relationship[weighed.name]
        ways = [
            (say("tested-on-parent", parent=relationship.parent), weighed.with_it),
            (say("tested-on-copies", child=relationship.child), weighed.without),
        ]
        (chosen, usd), (other, more) = ways if weighed.is_taken else ways[::-1]
        yield Decision(
            about=f"pattern {spoken(tuple(map(str, weighed.patterns)))}",
            chosen=chosen,
            serves=weighed.patterns,
            reasons=(say("tests-parent", patterns=weighed.patterns, parent=relationship.parent),),
            instead_of=(Rejected(chosen=other, reasons=(_dearer(usd, more),)),),
        )


def copy_findings(context: Context, upkeep: tuple[Upkeep, ...]) -> Iterator[Finding]:
    """Reads that may see an old copy, and copies whose upkeep costs more than the reads that use them."""
    for copied in context.search.requirements.copies:
        kept = _upkeep_of(copied, upkeep)
        if kept is None:
            continue
        asked = [q for name in sorted(copied.names) for q in _asking(context, copied, name)]
        weighed = _weighed(context, copied.relationship)
        brought = weighed.patterns if weighed is not None and weighed.is_taken else ()
        numbers = tuple(sorted({*_numbers(context, copied), *brought}))
        names = tuple(name for name, _ in copied.attributes)
        strong = tuple(sorted({q.stated_number for q in asked if q.entity_reads[0].strong}))
        lags = [
            say(
                "copies-updated",
                changed=_watched(copied),
                attributes=names,
                entity=copied.entity,
                parent=copied.parent,
            ),
            say("see-old-value", patterns=numbers),
        ]
        if strong:
            lags.append(say("need-strong-results", patterns=strong))
        lags += upkeep_adds([kept])
        yield Finding(
            rule="copy-lags",
            severity="warning" if strong else "advice",
            where=f"relationships.{copied.relationship}",
            problem=say("copy-lags", facts=tuple(lags)),
            solution=(
                say("deploy-consumer-or-query-own")
                if asked
                else say("deploy-consumer-or-read-parent", patterns=brought, parent=copied.parent)
            ),
        )
        answered = sum(
            (
                _usd(context, at)
                for at, q in enumerate(context.search.requirements.pattern_reads)
                if q in asked
            ),
            Fraction(0),
        )
        if kept.usd_per_month and exact(kept.usd_per_month) > answered and not brought:
            yield Finding(
                rule="copy-dear",
                severity="warning",
                where=f"relationships.{copied.relationship}",
                problem=say(
                    "copy-dear",
                    attributes=names,
                    entity=copied.entity,
                    usd=kept.usd_per_month,
                    reads_usd=float(answered),
                    patterns=numbers,
                ),
                solution=say(
                    "query-steadier-or-parent", entity=copied.entity, parent=copied.parent
                ),
            )


def _upkeep_of(copied: Copied, upkeep: tuple[Upkeep, ...]) -> Upkeep | None:
    wanted = dict(copied.attributes)
    found = (one for one in upkeep if one.entity == copied.parent and one.attributes == wanted)
    return next(found, None)


def _asks(pattern_read: PatternRead, copied: Copied, name: str) -> bool:
    """Whether a pattern itself uses a copy."""
    return pattern_read.copied is None and any(
        entity_read.entity == copied.entity
        and name in {*entity_read.keyed, *(test.attribute for test in entity_read.filters)}
        for entity_read in pattern_read.entity_reads
    )


def _asking(context: Context, copied: Copied, name: str) -> list[PatternRead]:
    """The patterns that use a copy, or a copy of that copy."""
    needed = context.search.requirements
    found = [q for q in needed.pattern_reads if _asks(q, copied, name)]
    for other in needed.copies:
        if other.parent == copied.entity:
            for further, of in other.attributes:
                found += _asking(context, other, further) if of == name else []
    return found


def _numbers(context: Context, copied: Copied) -> tuple[int, ...]:
    asking = (q.stated_number for name in copied.names for q in _asking(context, copied, name))
    return tuple(sorted(set(asking)))


def _how_kept(copied: Copied, kept: Upkeep | None) -> Message:
    if kept is None:
        return say("copy-never-changes")
    items = kept.steps[-1].expects.requests
    return say(
        "copy-updated-by-stream", changed=_watched(copied), items=items, entity=copied.entity
    )


def _watched(copied: Copied) -> tuple[str, ...]:
    """The attributes of the parent whose changes the consumer follows."""
    return tuple(f"{copied.parent}.{name}" for name in copied.watched)


def _reads_of_parents(context: Context, copied: Copied) -> Fraction:
    pattern_reads = context.search.requirements.pattern_reads
    return sum(
        (
            _usd(context, at)
            for at, pattern_read in enumerate(pattern_reads)
            if pattern_read.copied == copied and pattern_read.change is not None
        ),
        Fraction(0),
    )


def _usd(context: Context, at: int) -> Fraction:
    """What a pattern costs a month without shared queries."""
    pattern_read = context.search.requirements.pattern_reads[at]
    total = Fraction(0)
    for place, entity_read in enumerate(pattern_read.entity_reads):
        access = context.choice.entities[entity_read.entity].access.get((at, place))
        if access is not None:
            total += access.units * exact(entity_read.times)
    price = context.model(pattern_read.entity_reads[0].entity).prices.read_unit
    return total * exact(pattern_read.average or 0) * price * SECONDS_PER_MONTH
