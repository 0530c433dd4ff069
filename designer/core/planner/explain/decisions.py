"""Why the plan is as it is: a decision for each key, index, copy and guard, with what was not chosen.

All prices of one decision are on one footing: what this part costs a month, and what it would with the alternative.
"""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from designer.core.limits import (
    INCLUDE_NAMES,
    ITEM_OVERHEAD_BYTES,
    PARTITION_READS,
    PARTITION_WRITES,
    SHARD_READS,
    SHARD_WRITES,
)
from designer.core.plan import Constant, Decision, Rejected, Upkeep
from designer.core.planner.candidates.keys import model_order
from designer.core.planner.explain.aggregate_notes import figure_decisions
from designer.core.planner.explain.copy_notes import copy_decisions
from designer.core.planner.explain.heat import Heat, heat
from designer.core.planner.layout.placements import Placement, item_template
from designer.core.planner.model.chosen import EntityChoice, Part
from designer.core.planner.model.structures import (
    Access,
    EntityModel,
    Projection,
    Score,
    Structure,
    exact,
    money,
)
from designer.core.planner.model.wording import limited, numbered, spoken
from designer.core.planner.operations.reads import Context
from designer.core.planner.pricing.access_paths import repriced
from designer.core.planner.pricing.guards import (
    changed_guards,
    guard_bytes,
    guard_density,
    guard_writes,
)
from designer.core.planner.pricing.structures import Held, keys_bytes, owning_score, unknown_parts
from designer.core.planner.solve.choice import NEXT_TO_NOTHING, read_score
from designer.core.planner.what_if.comparing import CENT, NO_BETTER, dearer
from designer.core.planner.workload.lookups import lookup_decisions
from designer.core.prices import SECONDS_PER_MONTH
from designer.core.units import write_units

NO_INDEX = "no such index"
NO_COPY = "no such copy"
SAVES_TOO_LITTLE = "but has to save more"


def decisions(context: Context, upkeep: tuple[Upkeep, ...]) -> tuple[Decision, ...]:
    """One decision for each base key, index and guard, in the design's order; then for copies and kept figures."""
    found: list[Decision] = []
    for name in context.choice.entities:
        found.append(_base_decision(context, name))
        found += _held_decisions(context, name)
        found += _guard_decisions(context, name)
    return (
        *found,
        *copy_decisions(context, upkeep),
        *figure_decisions(context),
        *lookup_decisions(context),
    )


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


def _base_decision(context: Context, name: str) -> Decision:
    choice, model = context.choice.entities[name], context.model(name)
    base = choice.base
    serves = _numbers(context, name, base)
    because = _why_base(model, base.plain, _is_listed(context, name, base))
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
        asked = spoken(tuple(str(number) for number in sorted(set(joined))))
        because += f" Pattern {asked} reads its collection in one request."
    because += _why_spread(context, name, base)
    own = choice.score.usd
    rejected = (
        *_not_spread(context, name, base, own),
        *(
            Rejected(
                choice=_by(model, rival),
                because=_why_worse(own, more),
                per_month=money(own + more.usd) if more.unserved <= 0 else None,
            )
            for rival, more in context.search.rivals(name, context.choice)[:3]
            if rival != base.plain
        ),
    )
    return Decision(
        about=f"key {name}",
        choice=_template(context, context.layout.bases[name]),
        serves=serves,
        because=because,
        per_month=money(own),
        instead_of=rejected,
    )


def _is_listed(context: Context, name: str, base: Structure) -> bool:
    """Whether a question reads several items of a base key's collection."""
    identifier = set(context.model(name).entity.identifier)
    questions, choice = context.search.requirements.questions, context.choice
    groups = (group for group in choice.groups if not group.index)
    return any(
        questions[group.question].demands[at].entity == name
        for group in groups
        for at in group.parts
    ) or any(
        access.structure == base and not identifier <= set(questions[q].demands[at].equals)
        for (q, at), access in choice.entities[name].access.items()
    )


def _why_base(model: EntityModel, base: Structure, is_listed: bool) -> str:
    """What a base key does for the items, shards apart."""
    identifier, following = model.entity.identifier, spoken(base.sort)
    is_identifier = set(base.attributes) == set(identifier)
    if is_identifier and not base.sort:
        return f"The identifier alone finds one {model.name}, and every write names its item by it."
    same = f"items with the same {spoken(base.partition)}" if base.partition else "all items"
    if is_identifier:
        how = "split" if base.partition else "as the sort key"
        listed = (
            ", so they are listed without an index."
            if is_listed
            else ". No question lists them so."
        )
        return f"The identifier, {how}: {same} lie together, sorted by {following}{listed}"
    unique = {attribute.name for attribute in model.entity.unique_attributes}
    if unique & set(base.partition) or set(identifier) <= set(base.partition):
        then = f", and {following} follows in the sort key" if base.sort else ""
        return f"A partition key with {spoken(base.partition)} finds one {model.name}{then}."
    at = "at the end" if base.sort[-1] in identifier else "in it"
    return f"{same[0].upper()}{same[1:]} lie together, sorted by {following}; the identifier {at} keeps keys apart."


def _by(model: EntityModel, structure: Structure) -> str:
    """A key in words: `by status over 13 shards, then placedAt`."""
    shards = model.shards(structure)
    words = f"by {spoken(structure.plain.partition) or 'nothing'}"
    words += f" over {shards} shards" if shards > 1 else ""
    return words + (f", then {spoken(structure.sort)}" if structure.sort else "")


def _why_spread(context: Context, name: str, structure: Structure) -> str:
    """Why a key is spread over shards, where it is."""
    model = context.model(name)
    shards, source = model.shards(structure), model.shard_source(structure.plain)
    if shards == 1:
        return ""
    return (
        f" It is spread over {shards} shards by {source}, so that none takes more than {SHARD_WRITES:,} write or "
        f"{SHARD_READS:,} read units a second at peak; a read asks all of them."
    )


def _not_spread(
    context: Context, name: str, structure: Structure, cost: Fraction
) -> Iterator[Rejected]:
    """The hot alternative of a key that is spread over shards: the same key in one piece."""
    model, choice = context.model(name), context.choice.entities[name]
    shards, one = model.shards(structure), structure.plain
    if shards == 1:
        return
    held = {one if s == structure else s: p for s, p in context.layout.held[name].items()}
    base = one if choice.base == structure else choice.base
    more = _owning(model, base, held, choice.guard)
    more -= _owning(model, choice.base, context.layout.held[name], choice.guard)
    size = keys_bytes(model, base, held)
    for part in context.search.of_entity[name]:
        access = choice.access.get(part.id)
        if access is not None and access.structure == structure:
            whole = replace(access, structure=one, shards=1)
            again = repriced(model, base, whole, part.demand, held.get(one), size)
            more += read_score(part, again, model).usd - read_score(part, access, model).usd
    now = heat(context, name)[structure]
    then = Heat(now.writes * shards, now.reads * shards)
    yield Rejected(
        choice="the same key, not spread over shards",
        because=f"runs hot: at peak its busiest partition would take {then}, and one serves {PARTITION_WRITES:,} and "
        f"{PARTITION_READS:,}",
        per_month=money(cost + more),
    )


def _why_worse(cost: Fraction, more: Score) -> str:
    """Why something is not taken instead of what costs this much a month, with how much more it scores."""
    if more.unserved > 0:
        return "leaves a pattern unanswered"
    if more.broken + more.hot > 0:
        if more.broken > 0:
            return "takes more requests than a pattern allows; it would need a higher `at_most_requests`"
        return (
            f"runs a partition hot, which serves {PARTITION_WRITES:,} write and {PARTITION_READS:,} read units a "
            "second; it would need more values in its key, or fewer requests at peak"
        )
    was, now = money(cost), money(cost + more.usd)
    if was - now >= CENT:
        if more.toll > 0:
            return f"{dearer(was, now)}, {SAVES_TOO_LITTLE}"
        return "is cheaper, but a pattern without a rate would take more requests"
    return dearer(was, now) if now > was else NO_BETTER


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
            else f"copy {placement.shape}"
        )
        because = _why_held(context, name, structure)
        rejected = [
            *_not_spread(context, name, structure, cost),
            *_otherwise_held(model, context, structure, cost),
            *_without(context, name, structure, cost),
        ]
        yield Decision(
            about=where,
            choice=f"{name}: {_template(context, placement)}",
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
                context.search.requirements.questions[q].number
                for (q, _), access in context.choice.entities[name].access.items()
                if access.structure == structure
            }
        )
    )
    sentences = []
    for group in groups:
        question = context.search.requirements.questions[group.question]
        others = tuple(question.demands[at].entity for at in group.parts)
        sentences.append(
            f"Pattern {question.number} asks for {spoken(tuple(dict.fromkeys(others)))} in one request, so they lie "
            "together in this index."
        )
    if alone:
        verb = "knows" if len(alone) == 1 else "know"
        known = structure.plain.partition
        base = context.choice.entities[name].base.plain
        if known and set(base.partition) == set(known):
            said = f"{numbered(alone)} {verb} {spoken(known)}, as the table's own key has it"
            follows = base.sort[: len(structure.sort)] == structure.sort
            if not follows:
                said += f", and the sort key of {name} does not follow {spoken(structure.sort)}"
            sentences.append(f"{said}.")
        elif known:
            sentences.append(
                f"{numbered(alone)} {verb} {spoken(known)}, and the key of {name} does not start so."
            )
        else:
            sentences.append(_why_one_partition(context, name, structure, alone))
    sentences += _why_this_kind(context, model, structure)
    density = model.density(structure)
    if density < 1:
        share = density * 100
        sentences.append(f"Only {share:.3g}% of the items are in it; the others cost it nothing.")
    sentences += filter(None, [_why_spread(context, name, structure).strip()])
    limited = {attribute for attribute, _ in structure.only}
    moved = tuple(sorted((set(structure.attributes) & model.mutable) - limited))
    if moved:
        sentences.append(f"Each change of {spoken(moved)} is two writes here.")
    return " ".join(sentences)


def _why_one_partition(
    context: Context, name: str, structure: Structure, numbers: tuple[int, ...]
) -> str:
    """Why all items of an index have one partition key, where patterns ask for them by themselves."""
    given = [
        {
            name
            for name, value in part.demand.ways[access.way].equals.items()
            if not isinstance(value, Constant)
        }
        for part, access in _readers(context.model(name), context, structure)
    ]
    one = len(numbers) == 1
    if not any(given):
        verb, asks = ("knows", "it asks") if one else ("know", "they ask")
        return f"{numbered(numbers)} {verb} nothing that varies: one key of this index holds all {asks} for."
    leading = tuple(n for n in structure.sort if all(n in names for names in given))
    if not leading:
        return f"One key of this index holds all that {numbered(numbers).lower()} {'asks' if one else 'ask'} for."
    return (
        f"{numbered(numbers)} {'gives' if one else 'give'} {spoken(leading)}, which the sort key has: under one "
        "partition key for all, the text of the keys is shorter. At peak that partition takes "
        f"{heat(context, name)[structure]}, of {PARTITION_WRITES:,} and {PARTITION_READS:,} that one serves."
    )


def _why_this_kind(context: Context, model: EntityModel, structure: Structure) -> Iterator[str]:
    if structure.kind == "local":
        yield (
            "A strong read is asked for, so the index is local: it is made with the table, and holds each partition "
            "to 10 GB."
        )
    if model.is_copy(structure):
        if any(part.demand.strong for part, _ in _readers(model, context, structure)):
            yield (
                "A strong read is asked for, which no global index gives, so each item is kept a second time under "
                "this key, in one transaction with the first."
            )
        else:
            numbers = _numbers(context, model.name, structure)
            yield (
                "Each item is kept a second time under this key, in one transaction with the first, for "
                f"{numbered(numbers).lower()}. The entries of an index have the table's key besides their own, and the "
                "items its key: without them less is read and stored, which saves more than writing twice costs, by a "
                "dollar a month at least."
            )
        yield from _told_twice(context, model, structure)
    if structure.own and any(model.is_native(structure, p) for p in model.parts(structure)):
        yield _why_own_keys(model, context.choice.entities[model.name].base, structure)


def _told_twice(context: Context, model: EntityModel, structure: Structure) -> Iterator[str]:
    """That a stream which the team asked for carries what happens to the copies, too."""
    place = context.layout.others[model.name, structure]
    needs = (context.model(name).entity.needs for name in model.mates)
    has_stream = any(need is not None and need.stream is not None for need in needs)
    if has_stream and place.table == context.layout.bases[model.name].table:
        yield (
            f"The stream of {place.table} carries each change of {model.name} a second time, as {place.shape}: its "
            "consumer has to leave that out."
        )


def _why_own_keys(model: EntityModel, base: Structure, structure: Structure) -> str:
    """What it saves that the items' own attributes are an index's keys: all of them, or all but what is composed."""
    composed = {n for p in model.parts(structure) if not model.is_native(structure, p) for n in p}
    if not composed:
        return "Its keys are the items' own attributes, so no write composes them or reads anything for it."
    own = tuple(n for p in model.parts(structure) if model.is_native(structure, p) for n in p)
    said = f"Of its keys, {spoken(own)} {'is' if len(own) == 1 else 'are'} the items' own"
    read: set[str] = set()
    for write in model.writes:
        if write.verb == "update":
            read |= unknown_parts(model, base, structure, write)
    if not read:
        return f"{said}, so no write reads anything to compose them."
    names = spoken(model_order(model, read))
    return f"{said}; a write that composes the rest anew and is not given {names} reads the item first."


def _otherwise_held(
    model: EntityModel, context: Context, structure: Structure, cost: Fraction
) -> Iterator[Rejected]:
    """The same index with all attributes, or where it has all, with these by name."""
    if not structure.is_index:
        return
    if context.layout.held[model.name][structure] is None:
        yield from _by_name(model, context, structure, cost)
        return
    more = _more_with(model, context, structure, None)
    questions = context.search.requirements.questions
    readers = _readers(model, context, structure)
    two_trips = {questions[p.question].number for p, access in readers if access.then is not None}
    because = "holds what no pattern reads there"
    if model.entity.stored_names <= (context.layout.held[model.name][structure] or set()):
        because = "holds the keys of other indexes, too, which no pattern reads there"
        sharing = tuple(name for name in _sharing(model, context, structure) if name != model.name)
        beside = (
            f"As {spoken(sharing)} {'is' if len(sharing) == 1 else 'are'} in the index, too, its"
        )
        because += (
            f". {beside if sharing else 'Its'} attributes are listed by name: add to them what is "
            f"added to {model.name} later"
        )
    if two_trips:
        is_pinned = _is_pinned(model, context, structure)
        because = f"spares {numbered(tuple(sorted(two_trips))).lower()} a second read, but "
        because += "a pin says what it holds" if is_pinned else _why_worse(cost, Score(usd=more))
    yield Rejected(choice="all attributes in it", because=because, per_month=money(cost + more))


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
            choice="all attributes in it, by name",
            because=f"costs ${float(saved):,.2f} a month less without the keys of other indexes, but lacks what is "
            "added to the items later: a pin of `include` takes it",
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
    readers = _readers(model, context, structure)
    return (model.pins is not None and model.pins.held(structure) is not None) or any(
        part.demand.holding is not None for part, _ in readers
    )


def _readers(
    model: EntityModel, context: Context, structure: Structure
) -> list[tuple[Part, Access]]:
    """What an index answers by itself, and how."""
    used = context.choice.entities[model.name].access
    return [
        (part, access)
        for part in context.search.of_entity[model.name]
        if (access := used.get(part.id)) is not None and access.structure == structure
    ]


def _more_with(
    model: EntityModel, context: Context, structure: Structure, projection: Projection
) -> Fraction:
    """US dollars a month that keeping and reading an index costs more where it holds something else."""
    held, choice = context.layout.held[model.name], context.choice.entities[model.name]
    other = {**held, structure: projection}
    more = _owning(model, choice.base, other, choice.guard)
    more -= _owning(model, choice.base, held, choice.guard)
    size = keys_bytes(model, choice.base, other)
    for part, access in _readers(model, context, structure):
        again = repriced(model, choice.base, access, part.demand, projection, size)
        more += read_score(part, again, model).usd - read_score(part, access, model).usd
    return more


def _without(
    context: Context, name: str, structure: Structure, cost: Fraction
) -> Iterator[Rejected]:
    """What doing without a structure costs, and for the edges of N:M what writing them twice does (rule 15)."""
    search, choice = context.search, context.choice.entities[name]
    nothing = NO_COPY if structure.kind == "copy" else NO_INDEX
    groups = [g for g in context.choice.groups if (name, structure) in g.structures]
    if groups:
        numbers = sorted({search.requirements.questions[g.question].number for g in groups})
        asked = spoken(tuple(map(str, numbers)))
        yield Rejected(choice=nothing, because=f"pattern {asked} takes several requests")
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
    now = search.solve(name, choice.base, joined, forced, within=choice.within)
    indexes = frozenset(s for s in search.indexes(name) if s.is_index)
    same = {s for s in indexes if s.plain == structure.plain}  # in one piece it would run hot
    trials = [(nothing, frozenset({structure, *same}))]
    if search.models[name].is_copy(structure):
        copies = {s for s in search.indexes(name) if s.kind == "copy" and s not in choice.held}
        trials.append((nothing, frozenset({structure, *copies})))
    if search.models[name].is_edge and structure.is_index:
        trials.append(("each edge written twice, once under each side", indexes))
    found: dict[tuple[str, tuple[str, ...]], Rejected] = {}
    for what, banned in trials:
        other = search.solve(name, choice.base, joined, forced, banned, within=choice.within)
        served = other.score.unserved == now.score.unserved
        moved = [
            access
            for part, access in other.access.items()
            if part in now.access and now.access[part].structure == structure
        ]
        through = tuple(sorted({_through(access) for access in moved}))
        because = _why_worse(cost, other.score.less(now.score))
        built = tuple(sorted({_through(access) for access in moved if _is_built(access, now)}))
        others = tuple(one for one in through if one not in built)
        is_copied = any(
            access.structure is not None and search.models[name].is_copy(access.structure)
            for access in moved
            if _is_built(access, now)
        )
        if is_copied and because.endswith(SAVES_TOO_LITTLE):
            because += ": a dollar a month for each copy"
        is_bare = any(
            access.structure is not None and access.structure.bare
            for access in moved
            if _is_built(access, now)
        )
        if is_bare and because.endswith(SAVES_TOO_LITTLE):
            because += f": ${float(search.worth):g} a month for a key without the identifier"
        if what == nothing and built:
            what = spoken(built)
        elif served:
            others = through
        if others:
            because += f": then {spoken(others)} answer{'s' if len(others) == 1 else ''}"
        rejected = Rejected(
            choice=what,
            because=because,
            per_month=money(cost + other.score.usd - now.score.usd) if served else None,
        )
        # What is barred besides makes the same way dearer, which says nothing more of it.
        found.setdefault((what, through), rejected)
    yield from found.values()


def _is_built(access: Access, now: EntityChoice) -> bool:
    """Whether an answer takes an index or a copy that is not there now."""
    structure = access.structure
    return structure is not None and structure.kind != "base" and structure not in now.held


def _through(access: Access) -> str:
    return "the guard item" if access.structure is None else said_place(access.structure)


def said_place(structure: Structure) -> str:
    """Where something is found, in words: "an index by userId, then placedAt"."""
    kinds = {"base": "the table", "copy": "a copy", "local": "a local index"}
    return f"{kinds.get(structure.kind, 'an index')} by {said_key(structure)}"


def said_key(structure: Structure) -> str:
    """A key in words: "userId, then placedAt"."""
    names = structure.plain.partition
    partition = spoken(names) if names else "one partition for all"
    if names != structure.partition:
        partition += " over shards"
    sort = f", then {spoken(structure.sort)}" if structure.sort else ""
    inverse = f", {spoken(structure.inverse)} the other way round" if structure.inverse else ""
    own = ", attributes of its own" if structure.own else ""
    bare = ", without the identifier" if structure.bare else ""
    again = ", a second one" if structure.again else ""
    return partition + sort + inverse + own + bare + again + limited(structure.only)


def _owning(model: EntityModel, base: Structure, held: Held, guard: bool) -> Fraction:
    return owning_score(model, base, held, guard, keys_bytes(model, base, held)).usd


def _guard_decisions(context: Context, name: str) -> Iterator[Decision]:
    model = context.model(name)
    for (entity, attribute), guard in context.layout.guards.items():
        if entity != name:
            continue
        per_month = _guarding(context, model, attribute)
        what = attribute or spoken(model.entity.identifier)
        is_kept_twice = any(s.kind == "copy" for s in context.choice.entities[name].held)
        doubles = "" if is_kept_twice else " That doubles the write units of the transaction."
        yield Decision(
            about=f"guard {name}.{what}",
            choice=", ".join(f"{n} = {t}" for n, t in guard.key.items()),
            because=(
                f"Two items must never share {what}, and DynamoDB keeps only keys unique: an item whose key is the "
                "value is put in the same transaction, on condition that it is not there." + doubles
            ),
            per_month=money(per_month),
        )


def _guarding(context: Context, model: EntityModel, attribute: str) -> Fraction:
    """What a guard costs: its own writes and bytes, and where it is the first, that the item's write doubles."""
    choice, held = context.choice.entities[model.name], context.layout.held[model.name]
    size = model.own_bytes + keys_bytes(model, choice.base, held)
    units = Fraction(0)
    for write in model.writes:
        changed = changed_guards(model, write, choice.guard)
        if attribute in changed:
            one = guard_writes(model, choice.base, attribute, write)
            if changed[0] == attribute and not write.transactional:
                one += write_units(size)
            units += one * exact(write.average or 0) * exact(write.times)
    stored = guard_bytes(model, choice.base, attribute) + ITEM_OVERHEAD_BYTES
    stored *= guard_density(model, attribute) * float(model.entity.items or 0)
    written = units * model.prices.write_unit * SECONDS_PER_MONTH
    return written + exact(round(stored)) * model.prices.byte_month
