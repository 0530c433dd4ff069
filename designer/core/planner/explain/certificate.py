"""Why there are not fewer indexes: for each entity, the largest set of patterns no two of which can share a key."""

from collections.abc import Iterator
from itertools import combinations, product

from designer.core.messages import Message, say
from designer.core.plan import Certificate, Table
from designer.core.planner.candidates.chains import chain_of
from designer.core.planner.model.reads_and_writes import EntityRead
from designer.core.planner.operations.context import Context

SEARCHED = 14
"""Entity reads of one entity among which the largest set is searched."""

Asked = tuple[EntityRead, int]
"""An entity read and its pattern's number."""
Way = tuple[frozenset[str], tuple[str, ...]]
"""What a key has to have first, in any order, and what has to follow in this order."""


def certificate(context: Context, tables: tuple[Table, ...]) -> Certificate:
    """How many indexes it takes at the least, and the patterns that show it."""
    sets = {name: _apart(context, name) for name in context.choice.entities}
    sets = {name: found for name, found in sets.items() if len(found) > 1}
    if not sets:
        return Certificate(indexes_at_least=0, reasons=(say("one-key-serves-all"),))
    # An index of a shared table serves one key of each of its entities, and a copy is a key of its own entity.
    copies = {name: _copies(context, name) for name in sets}
    largest: dict[str, str] = {}
    for name, found in sets.items():
        other = largest.setdefault(context.layout.bases[name].table, name)
        if len(found) - copies[name] > len(sets[other]) - copies[other]:
            largest[context.layout.bases[name].table] = name
    sets = {name: sets[name] for name in largest.values()}
    least = sum(max(0, len(found) - 1 - copies[name]) for name, found in sets.items())
    shown = tuple(_patterns_of(name, found) for name, found in sets.items())
    one = len(sets) == 1
    reasons = [say("need-different-keys" if one else "need-different-keys-each", patterns=shown)]
    copied = sum(copies[name] for name in sets)
    if copied == 1:
        reasons.append(say("copy-serves-more"))
    elif copied:
        reasons.append(say("copies-serve-more", count=copied))
    built = sum(len(table.indexes) for table in tables)
    if built < least:
        reasons.append(say("fewer-by-filtering"))
    return Certificate(
        indexes_at_least=min(least, built),
        patterns=tuple(sorted({number for found in sets.values() for _, number in found})),
        reasons=tuple(reasons),
    )


def _patterns_of(name: str, found: list[Asked]) -> Message:
    """The patterns that need a key each: "patterns 1 and 3 of Account"."""
    numbers = tuple(sorted({number for _, number in found}))
    id = "cases-of-entity" if len(numbers) == 1 else "patterns-of-entity"
    return say(id, patterns=numbers, entity=name)


def _copies(context: Context, name: str) -> int:
    """Further keys of an entity that are no indexes: those of copies of its items or edges."""
    return sum(structure.kind == "copy" for structure in context.choice.entities[name].projections)


def _apart(context: Context, name: str) -> list[Asked]:
    """The largest set of an entity's reads that need a key each. Reads that a guard serves need none."""
    access = context.choice.entities[name].access
    entity_reads: dict[object, Asked] = {}
    for rated in context.search.of_entity[name]:
        used = access.get(rated.id)
        if used is not None and used.structure is None:
            continue
        number = context.search.requirements.pattern_reads[rated.pattern_read].stated_number
        known = frozenset(rated.entity_read.equals)
        entity_reads.setdefault((known, chain_of(rated.entity_read)), (rated.entity_read, number))
    candidates = list(entity_reads.values())[:SEARCHED]
    for size in range(len(candidates), 0, -1):
        for chosen in combinations(candidates, size):
            if not any(share_a_key(a, b) for (a, _), (b, _) in combinations(chosen, 2)):
                return list(chosen)
    return []


def share_a_key(one: EntityRead, other: EntityRead) -> bool:
    """Whether one order of attributes serves both exactly."""
    return any(_extends(a, b) or _extends(b, a) for a, b in product(_ways(one), _ways(other)))


def _ways(entity_read: EntityRead) -> Iterator[Way]:
    """How a key may serve a read: by all known values, or by how a time begins instead of values derived from it."""
    for way in entity_read.ways:
        chain = chain_of(way)
        yield frozenset(way.equals), chain
        for time, derived in way.starts.items():
            if chain[:1] in ((), (time,)):
                yield frozenset(way.equals).difference(derived), chain or (time,)


def _extends(first: Way, second: Way) -> bool:
    """Whether a key that starts as the first needs it (partition, then its chain) can serve the second."""
    if not first[0] <= second[0]:
        return False
    left = set(second[0] - first[0])
    chain = list(first[1])
    while chain and chain[0] in left:
        left.discard(chain.pop(0))
    if left:
        return not chain  # the rest of what is known follows the first one's chain
    wanted = list(second[1])
    shorter = min(len(chain), len(wanted))
    return chain[:shorter] == wanted[:shorter]
