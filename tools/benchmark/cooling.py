"""Published keys that would run hot, spread over shards as ours are: like is compared with like."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from designer.core.design.document import Design
from designer.core.dynamodb.limits import PARTITION_READS, PARTITION_WRITES
from designer.core.messages import text
from designer.core.plan import Style
from designer.core.planner.candidates.sharding import with_shards
from designer.core.planner.explain.heat import Heat, heat
from designer.core.planner.model.pins import Candidates
from designer.core.planner.model.structures import Structure
from designer.core.planner.operations.context import Context, context_of
from designer.core.planner.rewrites.variants import requirements_of
from designer.core.planner.solve.choice import choose
from designer.core.planner.solve.search import Search
from designer.core.words.english import spoken

Given = Mapping[str, Candidates]
"""For each entity, its keys as they were published."""


@dataclass(frozen=True)
class Cooled:
    """Published keys of which none takes more than a partition serves, as far as shards can help."""

    given: Given
    repairs: tuple[str, ...] = ()
    """What was spread, and why."""


def cooled(design: Design, style: Style, given: Given) -> Cooled:
    """The keys with each hot one spread over the shards that our own plan would choose from.

    Of these, those that cost the least with all other keys as they are. A key stays as it is where shards
    help nothing: where each of its reads ends at a limit, or one item alone is written too often.
    """
    repairs: list[str] = []
    seen: set[Structure] = set()
    context = _planned(design, style, given)
    while True:
        hot = next((one for one in _hot(context) if one[0].plain not in seen), None)
        if hot is None:
            return Cooled(given, tuple(repairs))
        structure, found = hot
        seen.add(structure.plain)
        spread = _best(design, style, given, context, structure)
        if spread is None:
            continue
        given = _instead(given, structure, spread)
        shards = context.model(structure.entity).shards(spread)
        context = _planned(design, style, given)
        repairs.append(_said(structure, found, shards))


def _planned(design: Design, style: Style, given: Given) -> Context:
    return context_of(*choose(requirements_of(design, style, given=given), style, given))


def _hot(context: Context) -> Iterator[tuple[Structure, Heat]]:
    for name in context.choice.entities:
        for structure, found in heat(context, name).items():
            if found.is_hot:
                yield structure, found


def _best(
    design: Design, style: Style, given: Given, context: Context, structure: Structure
) -> Structure | None:
    """The cheapest way to spread a structure; None where none makes the whole break fewer limits."""
    search: Search = context.search
    name = structure.entity
    ways = with_shards(search.models[name], (structure.plain,), search.asked(name))[1:]
    scores = {
        way: _planned(design, style, _instead(given, structure, way)).choice.score for way in ways
    }
    best = min(scores, key=lambda way: scores[way].key, default=None)
    return best if best is not None and scores[best] < context.choice.score else None


def _instead(given: Given, structure: Structure, other: Structure) -> dict[str, Candidates]:
    """The keys with another structure in the place of one."""
    mine = given[structure.entity]
    if structure.kind == "base":
        changed = replace(mine, bases=(other,))
    else:
        held = (mine.indexes or {}).items()
        indexes = {other if one == structure else one: holds for one, holds in held}
        changed = replace(mine, indexes=indexes)
    return {**given, structure.entity: changed}


def _said(structure: Structure, found: Heat, shards: int) -> str:
    key = spoken(structure.plain.partition) or "one key for all"
    where = "table" if structure.kind == "base" else "index"
    return (
        f"The {where} of {structure.entity} by {key} took {text(found.message)} on its busiest key, more than the "
        f"{PARTITION_WRITES:,} and {PARTITION_READS:,} that a partition serves. It is spread over {shards} shards."
    )
