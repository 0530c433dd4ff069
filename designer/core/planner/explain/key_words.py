"""Keys and places of a plan in words, and facts about them that several explanations need."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from designer.core.dynamodb.limits import (
    PARTITION_READS,
    PARTITION_WRITES,
    SHARD_READS,
    SHARD_WRITES,
)
from designer.core.messages import KeyWords, Message, say
from designer.core.plan import Rejected
from designer.core.planner.explain.amounts import CENT, NO_BETTER, dearer
from designer.core.planner.explain.heat import Heat, heat
from designer.core.planner.layout.key_templates import item_template
from designer.core.planner.layout.placement import Placement
from designer.core.planner.model.chosen import EntityChoice, RatedRead, SharedQuery
from designer.core.planner.model.entity_model import EntityModel
from designer.core.planner.model.score import Score, money
from designer.core.planner.model.structures import Access, Projections, Structure
from designer.core.planner.operations.context import Context
from designer.core.planner.pricing.read_figures import repriced
from designer.core.planner.pricing.structures import keys_bytes, owning_score
from designer.core.planner.solve.read_scores import read_score
from designer.core.rational import Fraction


def template(context: Context, placement: Placement) -> tuple[tuple[str, str], ...]:
    """The attributes of a key, each with its template."""
    model = context.model(placement.entity)
    return tuple((part.name, item_template(part, model)) for part in placement.parts)


def patterns_answered(context: Context, entity: str, structure: Structure) -> tuple[int, ...]:
    """The patterns that a structure serves."""
    pattern_reads = context.search.requirements.pattern_reads
    found = {
        pattern_reads[q].stated_number
        for (q, _), access in context.choice.entities[entity].access.items()
        if access.structure == structure
    }
    for group in context.choice.shared_queries:
        pattern_read = pattern_reads[group.pattern_read]
        for at in group.parts:
            if pattern_read.entity_reads[at].entity != entity:
                continue
            mine = group.structure(entity) if group.index else context.choice.entities[entity].base
            if mine == structure:
                found.add(pattern_read.stated_number)
    return tuple(sorted(found))


def said_by(model: EntityModel, structure: Structure) -> Message:
    """A key in short: `by status over 13 shards, then placedAt`."""
    key = KeyWords(
        partition=structure.plain.partition, shards=model.shards(structure), sort=structure.sort
    )
    return say("key-by-in-short", key=key)


def why_spread(context: Context, name: str, structure: Structure) -> Iterator[Message]:
    """Why a key is spread over shards, where it is."""
    model = context.model(name)
    shards = model.shards(structure)
    if shards > 1:
        source = model.shard_source(structure.plain) or ""
        yield say("spread", shards=shards, by=source, writes=SHARD_WRITES, reads=SHARD_READS)


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
        chosen=say("not-spread"),
        reasons=(
            say(
                "would-overload-partition",
                peak=then.message,
                writes=PARTITION_WRITES,
                reads=PARTITION_READS,
            ),
        ),
        per_month=money(cost + more),
    )


def why_worse(cost: Fraction, more: Score) -> Message:
    """Why something is not taken instead of what costs this much a month, with how much more it scores."""
    if more.unserved > 0:
        return say("does-not-serve-all")
    if more.violated > 0:
        return say("exceeds-request-limit")
    if more.violated + more.hot > 0:
        return say("overloads-partition", writes=PARTITION_WRITES, reads=PARTITION_READS)
    was, now = money(cost), money(cost + more.usd)
    if was - now >= CENT:
        if more.penalty > 0:
            return say("saves-too-little", price=dearer(was, now))
        return say("cheaper-but-more-requests")
    return dearer(was, now) if now > was else NO_BETTER


def why_together(context: Context, groups: Iterable[SharedQuery], id: str) -> Iterator[Message]:
    """Which patterns read which entities in one request. `id`: of the message that says what follows for the items."""
    pattern_reads = context.search.requirements.pattern_reads
    numbers: dict[tuple[str, ...], set[int]] = {}
    for group in groups:
        pattern_read = pattern_reads[group.pattern_read]
        read = tuple(dict.fromkeys(pattern_read.entity_reads[at].entity for at in group.parts))
        numbers.setdefault(read, set()).add(pattern_read.stated_number)
    for read, found in numbers.items():
        what = read if len(read) > 1 else say("several-items", entity=read[0])
        yield say(id, patterns=tuple(sorted(found)), items=what)


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


def read_first(access: Access) -> KeyWords | Message:
    """Where a read goes first."""
    return say("guard-item") if access.structure is None else described(access.structure)


def described(structure: Structure) -> KeyWords:
    """A key as it is described: "an index by userId, then placedAt"."""
    return KeyWords.model_validate(
        {
            "kind": structure.kind,
            "partition": structure.plain.partition,
            "shards": int(structure.plain.partition == structure.partition),
            "sort": structure.sort,
            "inverse": structure.inverse,
            "own": structure.own,
            "bare": structure.bare,
            "only": structure.only,
        }
    )


def owning(model: EntityModel, base: Structure, projections: Projections, guard: bool) -> Fraction:
    return owning_score(model, base, projections, guard, keys_bytes(model, base, projections)).usd
