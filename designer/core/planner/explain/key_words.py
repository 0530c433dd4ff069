"""Keys and places of a plan in words, and facts about them that several explanations need."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from fractions import Fraction

from designer.core.limits import (
    PARTITION_READS,
    PARTITION_WRITES,
    SHARD_READS,
    SHARD_WRITES,
)
from designer.core.plan import Rejected
from designer.core.planner.explain.amounts import CENT, NO_BETTER, dearer
from designer.core.planner.explain.heat import Heat, heat
from designer.core.planner.layout.key_templates import item_template
from designer.core.planner.layout.placement import Placement
from designer.core.planner.model.chosen import EntityChoice, Group, RatedRead
from designer.core.planner.model.entity_model import EntityModel
from designer.core.planner.model.score import Score, money
from designer.core.planner.model.structures import Access, Projections, Structure
from designer.core.planner.model.wording import limited, numbered, spoken
from designer.core.planner.operations.context import Context
from designer.core.planner.pricing.read_figures import repriced
from designer.core.planner.pricing.structures import keys_bytes, owning_score
from designer.core.planner.solve.read_scores import read_score

SAVES_TOO_LITTLE = "too little to be worth it"


def template(context: Context, placement: Placement) -> str:
    model = context.model(placement.entity)
    return ", ".join(f"{part.name} = {item_template(part, model)}" for part in placement.parts)


def patterns_answered(context: Context, entity: str, structure: Structure) -> tuple[int, ...]:
    """The patterns that a structure serves."""
    pattern_reads = context.search.requirements.pattern_reads
    found = {
        pattern_reads[q].stated_number
        for (q, _), access in context.choice.entities[entity].access.items()
        if access.structure == structure
    }
    for group in context.choice.groups:
        pattern_read = pattern_reads[group.pattern_read]
        for at in group.parts:
            if pattern_read.entity_reads[at].entity != entity:
                continue
            mine = group.structure(entity) if group.index else context.choice.entities[entity].base
            if mine == structure:
                found.add(pattern_read.stated_number)
    return tuple(sorted(found))


def said_by(model: EntityModel, structure: Structure) -> str:
    """A key in words: `by status over 13 shards, then placedAt`."""
    shards = model.shards(structure)
    words = f"by {spoken(structure.plain.partition) or 'nothing'}"
    words += f" over {shards} shards" if shards > 1 else ""
    return words + (f", then {spoken(structure.sort)}" if structure.sort else "")


def why_spread(context: Context, name: str, structure: Structure) -> str:
    """Why a key is spread over shards, where it is."""
    model = context.model(name)
    shards, source = model.shards(structure), model.shard_source(structure.plain)
    if shards == 1:
        return ""
    return (
        f" It is spread over {shards} shards by {source}, so that no shard takes more than {SHARD_WRITES:,} write "
        f"or {SHARD_READS:,} read units a second at peak. A read queries all shards."
    )


def not_spread(
    context: Context, name: str, structure: Structure, cost: Fraction
) -> Iterator[Rejected]:
    """The hot alternative of a key that is spread over shards: the same key in one piece."""
    model, choice = context.model(name), context.choice.entities[name]
    shards, one = model.shards(structure), structure.plain
    if shards == 1:
        return
    projections = {
        one if s == structure else s: p for s, p in context.layout.projections[name].items()
    }
    base = one if choice.base == structure else choice.base
    more = owning(model, base, projections, choice.guard)
    more -= owning(model, choice.base, context.layout.projections[name], choice.guard)
    size = keys_bytes(model, base, projections)
    for part in context.search.of_entity[name]:
        access = choice.access.get(part.id)
        if access is not None and access.structure == structure:
            whole = replace(access, structure=one, shards=1)
            again = repriced(model, base, whole, part.entity_read, projections.get(one), size)
            more += read_score(part, again, model).usd - read_score(part, access, model).usd
    now = heat(context, name)[structure]
    then = Heat(now.writes * shards, now.reads * shards)
    yield Rejected(
        choice="the same key, not spread over shards",
        because=f"overloads a partition: at peak it would take {then}, and a partition serves {PARTITION_WRITES:,} "
        f"and {PARTITION_READS:,}",
        per_month=money(cost + more),
    )


def why_worse(cost: Fraction, more: Score) -> str:
    """Why something is not taken instead of what costs this much a month, with how much more it scores."""
    if more.unserved > 0:
        return "does not serve every access pattern"
    if more.violated + more.hot > 0:
        if more.violated > 0:
            return "takes more requests than an access pattern allows; raise that limit to allow it"
        return (
            f"overloads a partition, which serves {PARTITION_WRITES:,} write and {PARTITION_READS:,} read units a "
            "second; its key would need more values, or its peak fewer requests"
        )
    was, now = money(cost), money(cost + more.usd)
    if was - now >= CENT:
        if more.penalty > 0:
            return f"{dearer(was, now)}, {SAVES_TOO_LITTLE}"
        return "is cheaper, but an access pattern without a rate takes more requests"
    return dearer(was, now) if now > was else NO_BETTER


def why_together(context: Context, groups: Iterable[Group], so: str) -> Iterator[str]:
    """Which patterns read which entities in one request, and what follows for their items."""
    pattern_reads = context.search.requirements.pattern_reads
    numbers: dict[tuple[str, ...], set[int]] = {}
    for group in groups:
        pattern_read = pattern_reads[group.pattern_read]
        read = tuple(dict.fromkeys(pattern_read.entity_reads[at].entity for at in group.parts))
        numbers.setdefault(read, set()).add(pattern_read.stated_number)
    for read, found in numbers.items():
        what = spoken(read) if len(read) > 1 else f"several items of {read[0]}"
        verb = "reads" if len(found) == 1 else "read"
        yield f"{numbered(tuple(sorted(found)))} {verb} {what} in one request, so these items {so}."


def readers_of(
    model: EntityModel, context: Context, structure: Structure
) -> list[tuple[RatedRead, Access]]:
    """The entity reads that a structure serves alone, and how."""
    used = context.choice.entities[model.name].access
    return [
        (part, access)
        for part in context.search.of_entity[model.name]
        if (access := used.get(part.id)) is not None and access.structure == structure
    ]


def is_built(access: Access, now: EntityChoice) -> bool:
    """Whether an access path needs an index or a copy that the plan does not have."""
    structure = access.structure
    return structure is not None and structure.kind != "base" and structure not in now.projections


def trips(access: Access) -> str:
    return "the guard item" if access.structure is None else said_place(access.structure)


def said_place(structure: Structure) -> str:
    """An access path in words: "an index by userId, then placedAt"."""
    kinds = {"base": "the table", "copy": "a copy", "local": "a local index"}
    return f"{kinds.get(structure.kind, 'an index')} by {said_key(structure)}"


def said_key(structure: Structure) -> str:
    """A key in words: "userId, then placedAt"."""
    names = structure.plain.partition
    partition = spoken(names) if names else "one partition key for all items"
    if names != structure.partition:
        partition += " over shards"
    sort = f", then {spoken(structure.sort)}" if structure.sort else ""
    inverse = f", with {spoken(structure.inverse)} inverted" if structure.inverse else ""
    own = ", as separate attributes" if structure.own else ""
    bare = ", without the identifier" if structure.bare else ""
    again = ", a second one" if structure.duplicate else ""
    return partition + sort + inverse + own + bare + again + limited(structure.only)


def owning(model: EntityModel, base: Structure, projections: Projections, guard: bool) -> Fraction:
    return owning_score(model, base, projections, guard, keys_bytes(model, base, projections)).usd
