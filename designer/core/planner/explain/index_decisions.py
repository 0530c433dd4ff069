"""Why each index and each copy exists, and why not another.

Rules are cited by their numbers in docs/modelling-rules.md.
"""

from collections.abc import Iterable, Iterator
from itertools import takewhile

from designer.core.dynamodb.limits import INCLUDE_NAMES, PARTITION_READS, PARTITION_WRITES
from designer.core.messages import KeyWords, Message, said, say
from designer.core.plan import Constant, Decision, Rejected
from designer.core.planner.candidates.chains import model_order
from designer.core.planner.candidates.copies import TWICE
from designer.core.planner.explain.heat import heat
from designer.core.planner.explain.key_words import (
    is_built,
    not_spread,
    owning,
    patterns_answered,
    read_first,
    readers_of,
    template,
    why_spread,
    why_together,
    why_worse,
)
from designer.core.planner.model.entity_model import EntityModel
from designer.core.planner.model.score import Score, money
from designer.core.planner.model.structures import Access, Projection, Projections, Structure
from designer.core.planner.model.worth import BARE, COPY, stated_worth
from designer.core.planner.operations.context import Context
from designer.core.planner.pricing.read_figures import carried, repriced
from designer.core.planner.pricing.structures import keys_bytes
from designer.core.planner.pricing.write_costs import unknown_parts
from designer.core.planner.solve.choice import NEXT_TO_NOTHING
from designer.core.planner.solve.index_problem import union
from designer.core.planner.solve.read_scores import read_score
from designer.core.rational import Fraction

Places = tuple[KeyWords | Message, ...]


ALMOST_ALL = 0.9995
"""Of the items, a share that would be said as 100 %: what is left out then is nothing to speak of."""


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
        rejected = [
            *not_spread(context, name, structure, cost),
            *_otherwise_held(model, context, structure, cost),
            *_parts_held(model, context, structure, cost),
            *_tests_held(model, context, structure, cost),
            *_without(context, name, structure, cost),
        ]
        yield Decision(
            about=where,
            chosen=say("key-of", entity=name, key=template(context, placement)),
            serves=serves,
            reasons=tuple(_why_held(context, name, structure)),
            per_month=money(cost),
            instead_of=tuple(rejected),
        )


def _why_held(context: Context, name: str, structure: Structure) -> Iterator[Message]:
    model = context.model(name)
    groups = [g for g in context.choice.shared_queries if (name, structure) in g.structures]
    alone = tuple(
        sorted(
            {
                context.search.requirements.pattern_reads[q].stated_number
                for (q, _), access in context.choice.entities[name].access.items()
                if access.structure == structure
            }
        )
    )
    yield from why_together(context, groups, "share-partition-key-in-index")
    if alone:
        yield _why_asked(context, name, structure, alone)
    yield from _why_this_kind(context, model, structure)
    yield from _deleting_through(context, model, structure)
    if spelling := _read_from_keys(context, model, structure):
        yield spelling
    numbers, late = _tested_late(context, model, structure)
    if late:
        yield say("tested-on-items", patterns=numbers, attributes=late)
    density = model.density(structure)
    if density < ALMOST_ALL:
        percent, lacking = float(density * 100), tuple(sorted(model.surely_lacks(structure)))
        if lacking:
            yield say("sparse-without", percent=percent, attributes=lacking)
        else:
            yield say("sparse", percent=percent)
    yield from why_spread(context, name, structure)
    limited = {attribute for attribute, _ in structure.only}
    moved = tuple(sorted((set(structure.attributes) & model.mutable) - limited))
    if moved:
        yield say("change-moves-entry", attributes=moved)


def _why_asked(
    context: Context, name: str, structure: Structure, numbers: tuple[int, ...]
) -> Message:
    """What patterns that read nothing else in the request find by a key."""
    known, base = structure.plain.partition, context.choice.entities[name].base.plain
    if not known:
        return _why_one_partition(context, name, structure, numbers)
    if set(base.partition) != set(known):
        return say("found-by", patterns=numbers, entity=name, attributes=known)
    given = [
        part.entity_read.ways[access.way].equals
        for part, access in readers_of(context.model(name), context, structure)
    ]
    leading = takewhile(lambda each: all(each in known for known in given), structure.plain.sort)
    known = (*known, *leading)
    if base.sort[: len(structure.sort)] == structure.sort:
        return say("found-by-partition", patterns=numbers, entity=name, attributes=known)
    return say(
        "found-by-partition-sorted",
        patterns=numbers,
        entity=name,
        attributes=known,
        sort=structure.sort,
    )


def _why_one_partition(
    context: Context, name: str, structure: Structure, numbers: tuple[int, ...]
) -> Message:
    """Why all items of an index have one partition key, where patterns ask for them by themselves."""
    given = [
        {
            name
            for name, value in part.entity_read.ways[access.way].equals.items()
            if not isinstance(value, Constant)
        }
        for part, access in readers_of(context.model(name), context, structure)
    ]
    is_spread = context.model(name).shards(structure) > 1
    if not any(given):
        id = "one-partition-nothing-given-spread" if is_spread else "one-partition-nothing-given"
        return say(id, patterns=numbers)
    leading = tuple(n for n in structure.sort if all(n in names for names in given))
    if not leading:
        id = "one-partition-holds-all-spread" if is_spread else "one-partition-holds-all"
        return say(id, patterns=numbers)
    if is_spread:
        return say("one-partition-sorted-spread", patterns=numbers, attributes=leading)
    return say(
        "one-partition-sorted",
        patterns=numbers,
        attributes=leading,
        peak=heat(context, name)[structure].message,
        writes=PARTITION_WRITES,
        reads=PARTITION_READS,
    )


def _deleting_through(
    context: Context, model: EntityModel, structure: Structure
) -> Iterator[Message]:
    """That an index finds the items of a deletion, so that the table's key need not (rule 12)."""
    numbers = tuple(
        sorted(
            context.search.requirements.pattern_reads[part.pattern_read].stated_number
            for part, _ in readers_of(model, context, structure)
            if part.entity_read.is_asked_until_none(structure)
        )
    )
    if numbers:
        base = context.choice.entities[model.name].base.plain
        yield say("deletes-through-index", patterns=numbers, key=(*base.partition, *base.sort))


def _read_from_keys(context: Context, model: EntityModel, structure: Structure) -> Message | None:
    """That reads take parts of the identifier from the text of keys, since the index does not hold them again."""
    numbers = {
        context.search.requirements.pattern_reads[part.pattern_read].stated_number
        for part, access in readers_of(model, context, structure)
        if access.spells
    }
    names = _only_in_keys(context, model, structure)
    if not numbers or not names:
        return None
    return say("read-from-keys", patterns=tuple(sorted(numbers)), attributes=names)


def _only_in_keys(context: Context, model: EntityModel, structure: Structure) -> tuple[str, ...]:
    """The parts of the identifier that an index holds in the text of its keys and nowhere else."""
    base = context.choice.entities[model.name].base
    held = context.layout.projections[model.name][structure]
    if held is None:
        return ()
    names = model.spelled(base, structure) - held - carried(model, base, structure)
    return model_order(model, names)


def _tested_late(
    context: Context, model: EntityModel, structure: Structure
) -> tuple[tuple[int, ...], tuple[str, ...]]:
    """The patterns that test items once they got them, and what: changes of it are then not written to the index."""
    numbers: set[int] = set()
    late: set[str] = set()
    for part, access in readers_of(model, context, structure):
        if access.late:
            numbers.add(context.search.requirements.pattern_reads[part.pattern_read].stated_number)
            late |= access.late
    return tuple(sorted(numbers)), tuple(model_order(model, late))


def _why_this_kind(context: Context, model: EntityModel, structure: Structure) -> Iterator[Message]:
    if structure.kind == "local":
        yield say("local-for-strong-read")
    if model.is_copy(structure):
        if any(part.entity_read.strong for part, _ in readers_of(model, context, structure)):
            yield say("copy-for-strong-read")
        else:
            numbers = patterns_answered(context, model.name, structure)
            yield say("copy-stores-less", patterns=numbers)
        yield from _in_stream_twice(context, model, structure)
    if structure.own and any(model.is_native(structure, p) for p in model.parts(structure)):
        yield from _why_own_keys(model, context.choice.entities[model.name].base, structure)


def _in_stream_twice(
    context: Context, model: EntityModel, structure: Structure
) -> Iterator[Message]:
    """That the team's stream also reports changes of copies."""
    place = context.layout.others[model.name, structure]
    needs = (context.model(name).entity.needs for name in model.mates)
    has_stream = any(need is not None and need.stream is not None for need in needs)
    if has_stream and place.table == context.layout.bases[model.name].table:
        yield say("in-stream-twice", table=place.table, entity=model.name, copy=place.shape)


def _why_own_keys(model: EntityModel, base: Structure, structure: Structure) -> Iterator[Message]:
    """What it saves that attributes of the items are an index's keys: all its keys, or some."""
    composed = {n for p in model.parts(structure) if not model.is_native(structure, p) for n in p}
    if not composed:
        yield say("keys-are-attributes")
        return
    own = tuple(n for p in model.parts(structure) if model.is_native(structure, p) for n in p)
    yield say("some-keys-are-attributes", attributes=own)
    read: set[str] = set()
    for write in model.writes:
        if write.verb == "update":
            read |= unknown_parts(model, base, structure, write)
    if read:
        yield say("composing-reads-item", attributes=tuple(model_order(model, read)))
    else:
        yield say("composing-reads-nothing")


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
    read_twice = {
        pattern_reads[p.pattern_read].stated_number
        for p, access in readers
        if access.then is not None
    }
    reason = say("holds-unread-attributes")
    if model.entity.stored_names <= (context.layout.projections[model.name][structure] or set()):
        sharing = tuple(name for name in _sharing(model, context, structure) if name != model.name)
        reason = say("holds-other-keys", entity=model.name)
        if sharing:
            reason = say("holds-other-keys-shared", entity=model.name, others=sharing)
    if read_twice:
        numbers = tuple(sorted(read_twice))
        reason = say("saves-second-read-but-pinned", patterns=numbers)
        if not _is_pinned(model, context, structure):
            worse = why_worse(cost, Score(usd=more))
            reason = say("saves-second-read-but", patterns=numbers, reason=worse)
    yield Rejected(chosen=say("all-projected"), reasons=(reason,), per_month=money(cost + more))


def _parts_held(
    model: EntityModel, context: Context, structure: Structure, cost: Fraction
) -> Iterator[Rejected]:
    """The same index with the parts of the identifier that reads now take from its keys."""
    if _read_from_keys(context, model, structure) is None:
        return
    names = _only_in_keys(context, model, structure)
    held = context.layout.projections[model.name][structure] or frozenset()
    more = _more_with(model, context, structure, held | frozenset(names))
    yield Rejected(
        chosen=say("parts-projected", attributes=names),
        reasons=(say("saves-reading-keys", reason=why_worse(cost, Score(usd=more))),),
        per_month=money(cost + more),
    )


def _tests_held(
    model: EntityModel, context: Context, structure: Structure, cost: Fraction
) -> Iterator[Rejected]:
    """The same index with what reads test once they got the items."""
    numbers, late = _tested_late(context, model, structure)
    if late and not _is_pinned(model, context, structure):
        held = context.layout.projections[model.name][structure] or frozenset()
        more = _more_with(model, context, structure, held | frozenset(late))
        worse = why_worse(cost, Score(usd=more))
        yield Rejected(
            chosen=say("parts-projected", attributes=late),
            reasons=(say("tests-before-items-but", patterns=numbers, reason=worse),),
            per_month=money(cost + more),
        )


def _by_name(
    model: EntityModel, context: Context, structure: Structure, cost: Fraction
) -> Iterator[Rejected]:
    """An index that names all attributes, where that saves so little that it is not taken unless a pin says so.

    It leaves out the keys of other indexes, but also what the team adds to the items later (`LISTED`).
    """
    entities = _sharing(model, context, structure)
    names = model.entity.stored_names
    is_shared = any((model.name, structure) in g.structures for g in context.choice.shared_queries)
    # With the attribute that tells shapes apart, a list has to be short enough.
    is_short = len(entities) == 1 and not is_shared and len(names) < INCLUDE_NAMES
    if not is_short or _is_pinned(model, context, structure):
        return
    saved = -_more_with(model, context, structure, names)
    if saved >= NEXT_TO_NOTHING:
        yield Rejected(
            chosen=say("all-projected-by-name"),
            reasons=(say("leaves-out-later-attributes", usd=float(saved)),),
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


def _to_save(model: EntityModel, price: Message, built: Iterable[Structure | None]) -> Message:
    """Why something is not taken that saves too little: if more is asked than of a plain index, with how much it is."""
    structures = [one for one in built if one is not None]
    if any(map(model.is_copy, structures)):
        return say("copy-must-save", price=price, usd=float(COPY * model.worth or TWICE))
    if any(one.bare for one in structures):
        usd = float(BARE * stated_worth(model.design))
        return say("bare-key-must-save", price=price, usd=usd)
    return price


def _without(
    context: Context, name: str, structure: Structure, cost: Fraction
) -> Iterator[Rejected]:
    """What the plan without a structure costs, and for N:M edges, what storing them twice costs (rule 15)."""
    search, choice = context.search, context.choice.entities[name]
    model = search.models[name]
    nothing = say("no-copy" if structure.kind == "copy" else "no-index")
    groups = [g for g in context.choice.shared_queries if (name, structure) in g.structures]
    if groups:
        numbers = {search.requirements.pattern_reads[g.pattern_read].stated_number for g in groups}
        reason = say("takes-several-requests", patterns=tuple(sorted(numbers)))
        yield Rejected(chosen=nothing, reasons=(reason,))
        return
    joined = frozenset(
        (group.pattern_read, at)
        for group in context.choice.shared_queries
        for at in group.parts
        if search.requirements.pattern_reads[group.pattern_read].entity_reads[at].entity == name
    )
    forced = _shared(context, name)
    now = search.solve(name, choice.base, joined, forced)
    indexes = frozenset(s for s in search.indexes(name) if s.is_index)
    same = {s for s in indexes if s.plain == structure.plain}  # in one piece it would run hot
    trials = [(nothing, frozenset({structure, *same}))]
    if search.models[name].is_copy(structure):
        copies = {
            s for s in search.indexes(name) if s.kind == "copy" and s not in choice.projections
        }
        trials.append((nothing, frozenset({structure, *copies})))
    if search.models[name].is_edge and structure.is_index:
        trials.append((say("edges-stored-twice"), indexes))
    found: dict[tuple[Message, Places], Rejected] = {}
    for what, banned in trials:
        other = search.solve(name, choice.base, joined, forced, banned)
        served = other.score.unserved == now.score.unserved
        moved = [
            access
            for part, access in other.access.items()
            if part in now.access and now.access[part].structure == structure
        ]
        through = _places(moved)
        reason = why_worse(cost, other.score.less(now.score))
        anew = [access for access in moved if is_built(access, now)]
        built = _places(anew)
        others = tuple(one for one in through if one not in built)
        if reason.id == "saves-too-little":
            reason = _to_save(model, reason, [one.structure for one in anew])
        if what == nothing and built:
            what = say("through", places=built)
        elif served:
            others = through
        if others:
            reason = say("served-instead", reason=reason, places=others)
        rejected = Rejected(
            chosen=what,
            reasons=(reason,),
            per_month=money(cost + other.score.usd - now.score.usd) if served else None,
        )
        # The second trial bars more, so the same choice only costs more there.
        found.setdefault((what, through), rejected)
    yield from found.values()


def _shared(context: Context, name: str) -> tuple[tuple[Structure, Projection], ...]:
    """The indexes of an entity in which a request reads other entities, too, with no more than what it needs there."""
    held: Projections = {}
    for group in context.choice.shared_queries:
        entity_reads = context.search.requirements.pattern_reads[group.pattern_read].entity_reads
        for at in group.parts if group.index else ():
            if entity_reads[at].entity == name:
                structure = group.structure(name)
                needs = entity_reads[at].needs_sorted
                held[structure] = union(held.get(structure, frozenset()), needs)
    return tuple(sorted(held.items(), key=lambda one: one[0].label))


def _places(accesses: Iterable[Access]) -> Places:
    """Where reads go first, each once, in the order of their words."""
    return tuple(sorted({read_first(access) for access in accesses}, key=said))
