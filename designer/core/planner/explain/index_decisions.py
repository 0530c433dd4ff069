"""Why each index and each copy exists, and why not another.

Rules are cited by their numbers in docs/modelling-rules.md.
"""

from collections.abc import Iterable, Iterator
from fractions import Fraction

from designer.core.limits import (
    INCLUDE_NAMES,
    PARTITION_READS,
    PARTITION_WRITES,
)
from designer.core.plan import Constant, Decision, Rejected
from designer.core.planner.candidates.copies import TWICE
from designer.core.planner.candidates.keys import model_order
from designer.core.planner.explain.heat import heat
from designer.core.planner.explain.key_words import (
    SAVES_TOO_LITTLE,
    is_built,
    not_spread,
    owning,
    patterns_answered,
    readers_of,
    template,
    trips,
    why_spread,
    why_together,
    why_worse,
)
from designer.core.planner.model.entity_model import EntityModel
from designer.core.planner.model.score import Score, money
from designer.core.planner.model.structures import Projection, Structure
from designer.core.planner.model.wording import numbered, spoken
from designer.core.planner.model.worth import BARE, COPY, stated_worth
from designer.core.planner.operations.context import Context
from designer.core.planner.pricing.read_figures import repriced
from designer.core.planner.pricing.structures import keys_bytes
from designer.core.planner.pricing.write_costs import unknown_parts
from designer.core.planner.solve.choice import NEXT_TO_NOTHING
from designer.core.planner.solve.read_scores import read_score

NO_INDEX = "no such index"


NO_COPY = "no such copy"


ALL = "all attributes projected"


def held_decisions(context: Context, name: str) -> Iterator[Decision]:
    choice, model = context.choice.entities[name], context.model(name)
    projections = context.layout.projections[name]
    for structure in projections:
        placement = context.layout.others[name, structure]
        serves = patterns_answered(context, name, structure)
        cost = owning(model, choice.base, projections, choice.guard) - owning(
            model,
            choice.base,
            {s: p for s, p in projections.items() if s != structure},
            choice.guard,
        )
        where = (
            f"index {placement.table}/{placement.index}"
            if placement.index
            else f"copy {placement.shape}"
        )
        because = _why_held(context, name, structure)
        rejected = [
            *not_spread(context, name, structure, cost),
            *_otherwise_held(model, context, structure, cost),
            *_without(context, name, structure, cost),
        ]
        yield Decision(
            about=where,
            choice=f"{name}: {template(context, placement)}",
            serves=serves,
            because=because,
            per_month=money(cost),
            instead_of=tuple(rejected),
        )


def _why_held(context: Context, name: str, structure: Structure) -> str:
    model = context.model(name)
    groups = [g for g in context.choice.groups if (name, structure) in g.structures]
    alone = tuple(
        sorted(
            {
                context.search.requirements.pattern_reads[q].stated_number
                for (q, _), access in context.choice.entities[name].access.items()
                if access.structure == structure
            }
        )
    )
    sentences = list(why_together(context, groups, "share a partition key in this index"))
    if alone:
        find = "finds" if len(alone) == 1 else "find"
        known = structure.plain.partition
        base = context.choice.entities[name].base.plain
        if known and set(base.partition) == set(known):
            said = f"{numbered(alone)} {find} {name} items by {spoken(known)}. The table has this partition key, too"
            follows = base.sort[: len(structure.sort)] == structure.sort
            if not follows:
                said += f", but does not sort by {spoken(structure.sort)}"
            sentences.append(f"{said}.")
        elif known:
            sentences.append(
                f"{numbered(alone)} {find} {name} items by {spoken(known)}, which the table's key does not start with."
            )
        else:
            sentences.append(_why_one_partition(context, name, structure, alone))
    sentences += _why_this_kind(context, model, structure)
    sentences += _deleting_through(context, model, structure)
    density = model.density(structure)
    if density < 1:
        share = density * 100
        lacks = tuple(sorted(model.surely_lacks(structure)))
        which = f", those without {spoken(lacks)}," if lacks else ""
        sentences.append(
            f"Only {share:.3g} % of the items{which} are in it; the others cost nothing here."
        )
    sentences += filter(None, [why_spread(context, name, structure).strip()])
    limited = {attribute for attribute, _ in structure.only}
    moved = tuple(sorted((set(structure.attributes) & model.mutable) - limited))
    if moved:
        sentences.append(f"Each change of {spoken(moved)} takes two writes here.")
    return " ".join(sentences)


def _why_one_partition(
    context: Context, name: str, structure: Structure, numbers: tuple[int, ...]
) -> str:
    """Why all items of an index have one partition key, where patterns ask for them by themselves."""
    given = [
        {
            name
            for name, value in part.entity_read.ways[access.way].equals.items()
            if not isinstance(value, Constant)
        }
        for part, access in readers_of(context.model(name), context, structure)
    ]
    one = len(numbers) == 1
    if not any(given):
        gives, returns = ("gives", "it returns") if one else ("give", "they return")
        return (
            f"{numbered(numbers)} {gives} no value that varies, so one partition key of this index holds all that "
            f"{returns}."
        )
    leading = tuple(n for n in structure.sort if all(n in names for names in given))
    if not leading:
        returns = "returns" if one else "return"
        return (
            f"One partition key of this index holds all that {numbered(numbers).lower()} {returns}."
        )
    return (
        f"{numbered(numbers)} {'gives' if one else 'give'} {spoken(leading)}, which the sort key has. All items "
        "share one partition key, which makes the keys shorter. At peak this partition takes "
        f"{heat(context, name)[structure]}; a partition serves {PARTITION_WRITES:,} and {PARTITION_READS:,}."
    )


def _deleting_through(context: Context, model: EntityModel, structure: Structure) -> Iterator[str]:
    """That an index finds the items of a deletion, so that the table's key need not (rule 12)."""
    numbers = tuple(
        sorted(
            context.search.requirements.pattern_reads[part.pattern_read].stated_number
            for part, _ in readers_of(model, context, structure)
            if part.entity_read.is_asked_until_none(structure)
        )
    )
    if numbers:
        verb = "finds" if len(numbers) == 1 else "find"
        base = context.choice.entities[model.name].base.plain
        key = spoken((*base.partition, *base.sort))
        yield (
            f"{numbered(numbers)} {verb} the items to delete through this index, so the table's key can stay {key}. "
            "DynamoDB updates the index a moment after the table. So each item is deleted on the condition that it "
            "exists and still matches, and the index is queried again until it returns none."
        )


def _why_this_kind(context: Context, model: EntityModel, structure: Structure) -> Iterator[str]:
    if structure.kind == "local":
        yield (
            "A read must be strongly consistent, so the index is local. It can only be created with the table, and "
            "limits each collection to 10 GB."
        )
    if model.is_copy(structure):
        if any(part.entity_read.strong for part, _ in readers_of(model, context, structure)):
            yield (
                "A read must be strongly consistent, which a global index does not support. So each item is "
                "stored a second time, under this key, and one transaction writes both."
            )
        else:
            numbers = patterns_answered(context, model.name, structure)
            yield (
                f"For {numbered(numbers).lower()}, each item is stored a second time, under this key, and one "
                "transaction writes both. An index would store the table's key in each of its entries, and its own "
                "key in each item. Without these keys, less is stored and read. That saves at least $1 a month more "
                "than the second write costs."
            )
        yield from _in_stream_twice(context, model, structure)
    if structure.own and any(model.is_native(structure, p) for p in model.parts(structure)):
        yield _why_own_keys(model, context.choice.entities[model.name].base, structure)


def _in_stream_twice(context: Context, model: EntityModel, structure: Structure) -> Iterator[str]:
    """That the team's stream also reports changes of copies."""
    place = context.layout.others[model.name, structure]
    needs = (context.model(name).entity.needs for name in model.mates)
    has_stream = any(need is not None and need.stream is not None for need in needs)
    if has_stream and place.table == context.layout.bases[model.name].table:
        yield (
            f"The stream of {place.table} reports each change of {model.name} a second time, as {place.shape}. Its "
            f"consumer must ignore the second one."
        )


def _why_own_keys(model: EntityModel, base: Structure, structure: Structure) -> str:
    """What it saves that attributes of the items are an index's keys: all its keys, or some."""
    composed = {n for p in model.parts(structure) if not model.is_native(structure, p) for n in p}
    if not composed:
        return "Its keys are attributes of the items, so writes neither compose keys nor read items first."
    own = tuple(n for p in model.parts(structure) if model.is_native(structure, p) for n in p)
    are = "is an attribute" if len(own) == 1 else "are attributes"
    said = f"Of its keys, {spoken(own)} {are} of the items."
    read: set[str] = set()
    for write in model.writes:
        if write.verb == "update":
            read |= unknown_parts(model, base, structure, write)
    if not read:
        return f"{said} Writes compose the others without reading the item first."
    names = spoken(model_order(model, read))
    return (
        f"{said} A write that composes the others, but is not given {names}, reads the item first."
    )


def _otherwise_held(
    model: EntityModel, context: Context, structure: Structure, cost: Fraction
) -> Iterator[Rejected]:
    """The same index with all attributes, or where it has all, with these by name."""
    if not structure.is_index:
        return
    if context.layout.projections[model.name][structure] is None:
        yield from _by_name(model, context, structure, cost)
        return
    more = _more_with(model, context, structure, None)
    pattern_reads = context.search.requirements.pattern_reads
    readers = readers_of(model, context, structure)
    two_trips = {
        pattern_reads[p.pattern_read].stated_number
        for p, access in readers
        if access.then is not None
    }
    because = "would hold attributes that no access pattern reads here"
    if model.entity.stored_names <= (context.layout.projections[model.name][structure] or set()):
        because = "would also hold the keys of other indexes, which no access pattern reads here"
        sharing = tuple(name for name in _sharing(model, context, structure) if name != model.name)
        shared = f", because it also holds {spoken(sharing)}" if sharing else ""
        because += (
            f". The index lists its attributes by name{shared}: when you add an attribute to {model.name}, add it to "
            "this list"
        )
    if two_trips:
        is_pinned = _is_pinned(model, context, structure)
        because = f"would save {numbered(tuple(sorted(two_trips))).lower()} a second read, but "
        because += "a pin sets the projection" if is_pinned else why_worse(cost, Score(usd=more))
    yield Rejected(choice=ALL, because=because, per_month=money(cost + more))


def _by_name(
    model: EntityModel, context: Context, structure: Structure, cost: Fraction
) -> Iterator[Rejected]:
    """An index that names all attributes, where that saves so little that it is not taken unless a pin says so.

    It leaves out the keys of other indexes, but also what the team adds to the items later (`LISTED`).
    """
    entities = _sharing(model, context, structure)
    names = model.entity.stored_names
    is_shared = any((model.name, structure) in g.structures for g in context.choice.groups)
    # With the attribute that tells shapes apart, a list has to be short enough.
    is_short = len(entities) == 1 and not is_shared and len(names) < INCLUDE_NAMES
    if not is_short or _is_pinned(model, context, structure):
        return
    saved = -_more_with(model, context, structure, names)
    if saved >= NEXT_TO_NOTHING:
        yield Rejected(
            choice=f"{ALL} by name",
            because=f"costs ${float(saved):,.2f} a month less, because it leaves out the keys of other indexes; but "
            "it would also leave out attributes that you add later. To choose it, pin `include`",
            per_month=money(cost - saved),
        )


def _sharing(model: EntityModel, context: Context, structure: Structure) -> tuple[str, ...]:
    """The entities in the index that a structure became."""
    place = context.layout.others[model.name, structure]
    mine = (
        other.entity
        for other in context.layout.others.values()
        if (other.table, other.index) == (place.table, place.index)
    )
    return tuple(dict.fromkeys(mine))


def _is_pinned(model: EntityModel, context: Context, structure: Structure) -> bool:
    """Whether a pin says what an index holds, by its name or by a pattern that it answers."""
    readers = readers_of(model, context, structure)
    return (model.pins is not None and model.pins.held(structure) is not None) or any(
        part.entity_read.holding is not None for part, _ in readers
    )


def _more_with(
    model: EntityModel, context: Context, structure: Structure, projection: Projection
) -> Fraction:
    """US dollars a month that keeping and reading an index costs more where it holds something else."""
    projections, choice = (
        context.layout.projections[model.name],
        context.choice.entities[model.name],
    )
    other = {**projections, structure: projection}
    more = owning(model, choice.base, other, choice.guard)
    more -= owning(model, choice.base, projections, choice.guard)
    size = keys_bytes(model, choice.base, other)
    for part, access in readers_of(model, context, structure):
        again = repriced(model, choice.base, access, part.entity_read, projection, size)
        more += read_score(part, again, model).usd - read_score(part, access, model).usd
    return more


def _to_save(model: EntityModel, built: Iterable[Structure | None]) -> str:
    """What the structures must save, if that is more than for a plain index."""
    structures = [one for one in built if one is not None]
    if any(map(model.is_copy, structures)):
        return f": a copy must save at least ${float(COPY * model.worth or TWICE):,g} a month"
    if any(one.bare for one in structures):
        usd = float(BARE * stated_worth(model.design))
        return f": a key without the identifier must save at least ${usd:,g} a month"
    return ""


def _without(
    context: Context, name: str, structure: Structure, cost: Fraction
) -> Iterator[Rejected]:
    """What the plan without a structure costs, and for N:M edges, what storing them twice costs (rule 15)."""
    search, choice = context.search, context.choice.entities[name]
    model = search.models[name]
    nothing = NO_COPY if structure.kind == "copy" else NO_INDEX
    groups = [g for g in context.choice.groups if (name, structure) in g.structures]
    if groups:
        numbers = {search.requirements.pattern_reads[g.pattern_read].stated_number for g in groups}
        asked = numbered(tuple(sorted(numbers))).lower()
        takes = "takes" if len(numbers) == 1 else "take"
        yield Rejected(choice=nothing, because=f"{asked} {takes} several requests")
        return
    joined = frozenset(
        (group.pattern_read, at)
        for group in context.choice.groups
        for at in group.parts
        if search.requirements.pattern_reads[group.pattern_read].entity_reads[at].entity == name
    )
    forced = tuple(
        (s, p)
        for s, p in choice.projections.items()
        if any((name, s) in group.structures for group in context.choice.groups)
    )
    now = search.solve(name, choice.base, joined, forced, within=choice.within)
    indexes = frozenset(s for s in search.indexes(name) if s.is_index)
    same = {s for s in indexes if s.plain == structure.plain}  # in one piece it would run hot
    trials = [(nothing, frozenset({structure, *same}))]
    if search.models[name].is_copy(structure):
        copies = {
            s for s in search.indexes(name) if s.kind == "copy" and s not in choice.projections
        }
        trials.append((nothing, frozenset({structure, *copies})))
    if search.models[name].is_edge and structure.is_index:
        trials.append(("each edge stored twice, once under each entity", indexes))
    found: dict[tuple[str, tuple[str, ...]], Rejected] = {}
    for what, banned in trials:
        other = search.solve(name, choice.base, joined, forced, banned, within=choice.within)
        served = other.score.unserved == now.score.unserved
        moved = [
            access
            for part, access in other.access.items()
            if part in now.access and now.access[part].structure == structure
        ]
        through = tuple(sorted({trips(access) for access in moved}))
        because = why_worse(cost, other.score.less(now.score))
        built = tuple(sorted({trips(access) for access in moved if is_built(access, now)}))
        others = tuple(one for one in through if one not in built)
        if because.endswith(SAVES_TOO_LITTLE):
            because += _to_save(model, [one.structure for one in moved if is_built(one, now)])
        if what == nothing and built:
            what = spoken(built)
        elif served:
            others = through
        if others:
            because += (
                f"; {spoken(others)} serve{'s' if len(others) == 1 else ''} its reads instead"
            )
        rejected = Rejected(
            choice=what,
            because=because,
            per_month=money(cost + other.score.usd - now.score.usd) if served else None,
        )
        # The second trial bars more, so the same choice only costs more there.
        found.setdefault((what, through), rejected)
    yield from found.values()
