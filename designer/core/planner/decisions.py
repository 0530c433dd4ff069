"""Why the plan is as it is: a decision for each key, index and guard, the certificate, and findings."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations

from designer.core.limits import GSIS, PARTITION_READS, PARTITION_WRITES
from designer.core.plan import Certificate, Decision, Finding, Operation, Rejected, Table
from designer.core.planner.candidates import chain_of
from designer.core.planner.layout import Placement, item_template
from designer.core.planner.pricing import Held, keys_bytes, owning_score, peak_writes, write_costs
from designer.core.planner.reads import Context
from designer.core.planner.requirements import ReadDemand
from designer.core.planner.structures import EntityModel, Score, Structure, exact
from designer.core.prices import REGIONS, SECONDS_PER_MONTH

ANTICHAIN = 14
"""Demands of one entity among which the largest set that cannot share a key is searched."""


def decisions(
    context: Context, tables: tuple[Table, ...], operations: tuple[Operation, ...]
) -> tuple[Decision, ...]:
    """One decision for each base key, index, copy and guard, in the design's order."""
    found: list[Decision] = []
    for name in context.choice.entities:
        found.append(_base_decision(context, name))
        found += _held_decisions(context, name)
        found += _guard_decisions(context, name)
    return tuple(found)


def _money(usd: Fraction) -> float:
    return float(round(usd, 4))


def _template(context: Context, placement: Placement) -> str:
    model = context.model(placement.entity)
    return ", ".join(f"{part.name} = {item_template(part, model)}" for part in placement.parts)


def _numbers(context: Context, entity: str, structure: Structure) -> tuple[int, ...]:
    """The patterns that a structure answers."""
    questions = context.search.requirements.questions
    found = {
        questions[q].number
        for (q, _), access in context.choice.entities[entity].access.items()
        if access.structure == structure
    }
    for group in context.choice.groups:
        question = questions[group.question]
        for at in group.parts:
            if question.demands[at].entity != entity:
                continue
            mine = group.structure(entity) if group.index else context.choice.entities[entity].base
            if mine == structure:
                found.add(question.number)
    return tuple(sorted(found))


def _spoken(names: tuple[str, ...]) -> str:
    return " and ".join(names) if len(names) < 3 else f"{', '.join(names[:-1])} and {names[-1]}"


def _base_decision(context: Context, name: str) -> Decision:
    choice, model = context.choice.entities[name], context.model(name)
    base = choice.base
    serves = _numbers(context, name, base)
    identifier = model.entity.identifier
    if set(base.attributes) == set(identifier) and not base.sort:
        because = f"The identifier alone finds one {name}, and every write names its item by it."
    elif set(base.attributes) == set(identifier):
        because = (
            f"The identifier, split: items with the same {_spoken(base.partition)} lie together, sorted by "
            f"{_spoken(base.sort)}, so they are listed without an index."
        )
    else:
        because = (
            f"Items with the same {_spoken(base.partition)} lie together, sorted by {_spoken(base.sort)}; the "
            "identifier at the end keeps keys apart."
        )
        if choice.guard:
            because += " A guard item keeps the identifier unique and leads writes to the item."
    joined = [
        context.search.requirements.questions[group.question].number
        for group in context.choice.groups
        if not group.index
        and any(
            context.search.requirements.questions[group.question].demands[at].entity == name
            for at in group.parts
        )
    ]
    if joined:
        asked = _spoken(tuple(str(number) for number in sorted(set(joined))))
        because += f" Pattern {asked} reads its collection in one request."
    own = context.choice.component_score[name]
    rejected = []
    for rival, score in context.choice.rivals.get(name, ())[:3]:
        rejected.append(
            Rejected(
                choice=f"{_spoken(rival.partition)}{' then ' + _spoken(rival.sort) if rival.sort else ''}",
                because=_why_worse(own, score),
                per_month=_money(score.usd),
            )
        )
    return Decision(
        about=f"key {name}",
        choice=_template(context, context.layout.bases[name]),
        serves=serves,
        because=because,
        per_month=_money(own.usd),
        instead_of=tuple(rejected),
    )


def _why_worse(own: Score, rival: Score) -> str:
    if rival.unserved > own.unserved:
        return "leaves a pattern unanswered"
    if rival.broken > own.broken:
        return "breaks a limit on requests, or runs a partition hot"
    if rival.usd > own.usd:
        return f"costs ${float(rival.usd - own.usd):,.2f} a month more"
    if rival.usd < own.usd:
        return "is cheaper, but asks more of patterns that must come first"
    return "costs the same and takes more requests"


def _held_decisions(context: Context, name: str) -> Iterator[Decision]:
    choice, model = context.choice.entities[name], context.model(name)
    held = context.layout.held[name]
    for structure in held:
        placement = context.layout.others[name, structure]
        serves = _numbers(context, name, structure)
        cost = _owning(model, choice.base, held, choice.guard) - _owning(
            model, choice.base, {s: p for s, p in held.items() if s != structure}, choice.guard
        )
        where = (
            f"index {placement.table}/{placement.index}"
            if placement.index
            else f"copy {placement.table}"
        )
        what = _spoken(structure.partition) if structure.partition else "nothing that varies"
        because = (
            f"{'Pattern' if len(serves) == 1 else 'Patterns'} {_spoken(tuple(map(str, serves)))} "
        )
        because += f"{'knows' if len(serves) == 1 else 'know'} {what}, which the key of {name} does not start with."
        density = model.density(structure)
        if density < 1:
            because += f" Only {density:.1%} of the items are in it: a full index would cost "
            because += f"{1 / density:,.0f} times as much." if density else "far more."
        moved = sorted(set(structure.attributes) & model.mutable)
        if moved:
            because += f" Each change of {_spoken(tuple(moved))} is two writes here."
        rejected = [*_wider(model, context, structure, cost), *_without(context, name, structure)]
        yield Decision(
            about=where,
            choice=f"{name}: {_template(context, placement)}",
            serves=serves,
            because=because,
            per_month=_money(cost),
            instead_of=tuple(rejected),
        )


def _wider(
    model: EntityModel, context: Context, structure: Structure, cost: Fraction
) -> Iterator[Rejected]:
    held, choice = context.layout.held[model.name], context.choice.entities[model.name]
    if structure.kind == "index" and held[structure] is not None:
        whole = _owning(model, choice.base, {**held, structure: None}, choice.guard)
        more = whole - _owning(model, choice.base, held, choice.guard)
        yield Rejected(
            choice="all attributes in it",
            because="holds what no pattern reads",
            per_month=_money(cost + more),
        )


def _without(context: Context, name: str, structure: Structure) -> Iterator[Rejected]:
    """What doing without a structure costs, and for the edges of N:M what writing them twice does (rule 15)."""
    search, choice = context.search, context.choice.entities[name]
    groups = [g for g in context.choice.groups if (name, structure) in g.structures]
    if groups:
        numbers = sorted({search.requirements.questions[g.question].number for g in groups})
        asked = _spoken(tuple(map(str, numbers)))
        yield Rejected(choice="no such index", because=f"pattern {asked} takes several requests")
        return
    joined = frozenset(
        (group.question, at)
        for group in context.choice.groups
        for at in group.parts
        if search.requirements.questions[group.question].demands[at].entity == name
    )
    forced = tuple(
        (s, p)
        for s, p in choice.held.items()
        if any((name, s) in group.structures for group in context.choice.groups)
    )
    now = search.solve(name, choice.base, joined, forced)
    indexes = frozenset(s for s in search.indexes(name) if s.kind == "index")
    trials = [("no such index", frozenset({structure}))]
    if name in search.edges and structure.kind == "index":
        trials.append(("each edge written twice, once under each side", indexes))
    for what, banned in trials:
        other = search.solve(name, choice.base, joined, forced, banned)
        instead = sorted(
            {
                access.call if access.structure is None else access.structure.label
                for part, access in other.access.items()
                if part in now.access and now.access[part].structure == structure
            }
        )
        priced = other.score.unserved == now.score.unserved
        because = _why_worse(now.score, other.score)
        if instead and priced:
            because = f"{because}; then through {_spoken(tuple(instead))}"
        yield Rejected(
            choice=what, because=because, per_month=_money(other.score.usd) if priced else None
        )


def _owning(model: EntityModel, base: Structure, held: Held, guard: bool) -> Fraction:
    return owning_score(model, base, held, guard, keys_bytes(model, base, held)).usd


def _guard_decisions(context: Context, name: str) -> Iterator[Decision]:
    choice, model = context.choice.entities[name], context.model(name)
    for (entity, attribute), guard in context.layout.guards.items():
        if entity != name:
            continue
        creates = sum(
            (exact(w.average or 0) * exact(w.times) for w in model.writes if w.verb == "create"),
            Fraction(0),
        )
        alone = len(model.unique) + choice.guard == 1
        # The guard itself is two units; the first one also makes the write of the item a transaction.
        per_month = creates * (3 if alone else 2) * model.prices.write_unit * SECONDS_PER_MONTH
        what = attribute or _spoken(model.entity.identifier)
        yield Decision(
            about=f"guard {name}.{what}",
            choice=", ".join(f"{n} = {t}" for n, t in guard.key.items()),
            because=(
                f"Two items must never share {what}, and DynamoDB keeps only keys unique: an item whose key is the "
                "value is put in the same transaction, on condition that it is not there. That doubles the write "
                "units of the transaction."
            ),
            per_month=_money(per_month),
        )


# Certificate


def certificate(context: Context) -> Certificate:
    """The largest set of patterns of one entity no two of which can share a key."""
    best: list[tuple[ReadDemand, int]] = []
    total = 0
    questions = context.search.requirements.questions
    for name in context.choice.entities:
        demands = {
            (frozenset(part.demand.equals), chain_of(part.demand)): (
                part.demand,
                questions[part.question].number,
            )
            for part in context.search.of_entity[name]
        }
        largest = _antichain(list(demands.values())[:ANTICHAIN])
        total += max(0, len(largest) - 1)
        if len(largest) > len(best):
            best = largest
    least = max(0, len(best) - 1) if context.layout.style == "single" else total
    if len(best) < 2:
        because = "One key order of each entity serves all its patterns."
        return Certificate(indexes_at_least=least, because=because)
    numbers = tuple(sorted({number for _, number in best}))
    return Certificate(
        indexes_at_least=least,
        patterns=numbers,
        because=(
            f"Patterns {_spoken(tuple(map(str, numbers)))} ask {best[0][0].entity} by different attributes, or in "
            "orders that differ, so that no key answers two of them without dropping or sorting what it reads. The "
            "table's own key answers one of them; a guard item may answer another in a second read."
        ),
    )


def _share_a_key(one: ReadDemand, other: ReadDemand) -> bool:
    def before(first: ReadDemand, second: ReadDemand) -> bool:
        return set(first.equals) | set(chain_of(first)) <= set(second.equals)

    same = set(one.equals) == set(other.equals) and (
        chain_of(one) == chain_of(other) or not chain_of(one) or not chain_of(other)
    )
    return same or before(one, other) or before(other, one)


def _antichain(demands: list[tuple[ReadDemand, int]]) -> list[tuple[ReadDemand, int]]:
    for size in range(len(demands), 0, -1):
        for chosen in combinations(demands, size):
            if all(not _share_a_key(a, b) for (a, _), (b, _) in combinations(chosen, 2)):
                return list(chosen)
    return []


# Findings


def findings(
    context: Context, tables: tuple[Table, ...], operations: tuple[Operation, ...]
) -> tuple[Finding, ...]:
    """What the planner itself knows to be wrong or risky."""
    return (
        *_not_served(operations),
        *_too_many_requests(context, operations),
        *_hot(context),
        *_digits(context),
        *_too_many_indexes(tables),
        *_prices(context),
        *_needs_differ(context),
        *_not_obeyed(context),
    )


def _not_served(operations: tuple[Operation, ...]) -> Iterator[Finding]:
    for operation in operations:
        if operation.answer == "not served":
            yield Finding(
                rule="not-served",
                severity="error",
                where=f"patterns.{operation.pattern}",
                message=f"Pattern {operation.pattern} is not served. {operation.because}",
                remedy="Ask by something a key can start with, or mark the pattern as answered elsewhere.",
            )


def _too_many_requests(context: Context, operations: tuple[Operation, ...]) -> Iterator[Finding]:
    for operation in operations:
        limit = context.search.design.pattern(operation.pattern).at_most_requests
        if limit is not None and operation.requests > limit and operation.answer != "not served":
            yield Finding(
                rule="too-many-requests",
                severity="warning",
                where=f"patterns.{operation.pattern}",
                message=(
                    f"Pattern {operation.pattern} takes {operation.requests:g} requests in "
                    f"{context.layout.style}-table style; you asked for at most {limit}."
                ),
                remedy="Allow more requests, or use the style that answers it in fewer.",
            )


def _hot(context: Context) -> Iterator[Finding]:
    for name, choice in context.choice.entities.items():
        model, held = context.model(name), context.layout.held[name]
        size = keys_bytes(model, choice.base, held)
        costs = write_costs(model, choice.base, held, choice.guard, size)
        for structure in (choice.base, *held):
            writes, reads = peak_writes(structure, costs), Fraction(0)
            for part in context.search.of_entity[name]:
                access = choice.access.get(part.id)
                if access is not None and access.structure == structure:
                    reads += exact(part.peak or 0) * access.units * exact(part.demand.times)
            share = exact(model.hottest_share(structure.partition))
            if writes * share <= PARTITION_WRITES and reads * share <= PARTITION_READS:
                continue
            what = _spoken(structure.partition) if structure.partition else "one partition for all"
            yield Finding(
                rule="hot-partition",
                severity="warning",
                where=f"entities.{name}",
                message=(
                    f"At peak the busiest value of {what} takes {float(writes * share):,.0f} write and "
                    f"{float(reads * share):,.0f} read units a second; a partition serves {PARTITION_WRITES:,} and "
                    f"{PARTITION_READS:,}."
                ),
                remedy="Lead the key with an attribute of more values, or spread the key over shards.",
            )


def _digits(context: Context) -> Iterator[Finding]:
    for name in context.choice.entities:
        model = context.model(name)
        composed = {
            attribute
            for placement in context.layout.placements_of(name)
            for part in placement.parts
            if part.native is None
            for attribute in part.attributes
        }
        for attribute in sorted(composed):
            found = model.attribute(attribute)
            if found.type == "N" and found.digits is None:
                yield Finding(
                    rule="number-without-digits",
                    severity="warning",
                    where=f"entities.{name}.attributes.{attribute}",
                    message=f"{name}.{attribute} is part of a key and has no stated digits, so it is padded to 38.",
                    remedy="State how many digits it can have.",
                )


def _too_many_indexes(tables: tuple[Table, ...]) -> Iterator[Finding]:
    for table in tables:
        if len(table.indexes) > GSIS:
            yield Finding(
                rule="too-many-indexes",
                severity="error",
                where="planner.max_gsis",
                message=f"Table {table.name} would need {len(table.indexes)} indexes; the quota is {GSIS}.",
                remedy="Ask fewer questions of one table, raise the quota, or split the table.",
            )


def _prices(context: Context) -> Iterator[Finding]:
    region = context.search.design.region
    if region not in REGIONS:
        yield Finding(
            rule="no-prices",
            severity="advice",
            where="region",
            message=f"We have no prices for {region}; the figures are those of us-east-1.",
            remedy="Compare them with the price list of your Region.",
        )


def _needs_differ(context: Context) -> Iterator[Finding]:
    needs = {
        (e.needs.team if e.needs else None, e.needs.billing if e.needs else None)
        for e in context.search.design.entities
    }
    if context.layout.style == "single" and len(needs) > 1:
        yield Finding(
            rule="needs-differ",
            severity="advice",
            where="entities",
            message="Entities of different teams or capacity modes share the one table.",
            remedy="Compare with the multi-table style, where each has a table of its own.",
        )


def _not_obeyed(context: Context) -> Iterator[Finding]:
    """Settings that the document keeps and this planner does not follow: never in silence."""
    settings = context.search.design.planner
    stated = {
        "planner.pins": (bool(settings.pins), "Pins are"),
        "planner.objective": (settings.objective != "cost", "The objective `indexes` is"),
        "planner.composite_index_keys": (
            settings.composite_index_keys != "strings",
            "Multi-attribute index keys are",
        ),
        "planner.key_names": (settings.key_names != type(settings.key_names)(), "Key names are"),
        "planner.lookups_before_writes": (
            settings.lookups_before_writes != "no-gsi",
            "Look-ups through an index are",
        ),
    }
    for where, (is_stated, what) in stated.items():
        if is_stated:
            yield Finding(
                rule="setting-not-obeyed",
                severity="warning",
                where=where,
                message=f"{what} kept in the design, but not followed by this version of the planner.",
                remedy="Leave it for a later version, or remove it.",
            )
