"""Candidate keys for each entity, listed from chains of entity reads (`chains.py`). Lists them and judges nothing."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import combinations

from designer.core.capacity.sizes import carried_bytes, text_bytes
from designer.core.dynamodb.limits import (
    COOL_VALUES,
    KEY_ATTRIBUTES,
    READ_UNIT_BYTES,
    SORT_KEY_BYTES,
)
from designer.core.planner.candidates.chains import (
    asks_for_no_less,
    chain_of,
    every_way,
    has_many_values,
    keys,
    model_order,
)
from designer.core.planner.candidates.copies import copy_under, why_not_kept_twice
from designer.core.planner.model.entity_model import EntityModel
from designer.core.planner.model.reads_and_writes import EntityRead, EntityWrite
from designer.core.planner.model.shard_attributes import Spread
from designer.core.planner.model.structures import Structure
from designer.core.rational import Fraction
from designer.core.words.lacking import lacking

CROWDED = Fraction(1, 20)
"""US dollars a month that a partition key of few values has to save where it answers only what gives more."""
LISTED = Fraction(1, 20)
"""US dollars a month that a list of all an item has saves over everything, for each that reads whole items there.

Whoever gives the items another attribute has to make the index anew before it holds that too.
"""
MOST_LISTED = 0.9
"""Share of the items with a value of a fixed list, up to which an index is listed that holds only these."""
Only = tuple[tuple[str, tuple[str, ...]], ...]
"""Attributes and the values with which an item is in a sparse index."""


def base_candidates(
    model: EntityModel, entity_reads: Iterable[EntityRead]
) -> tuple[Structure, ...]:
    """Keys that determine the item: the identifier split in every way, and each key with the identifier after it.

    Besides, these with attributes more that a look-up of the key then tells to writes, which need them for index keys.
    """
    identifier = model.entity.identifier
    if any(isinstance(model.attribute(name), Spread) for name in identifier):
        return (Structure(model.name, "base", identifier, ()),)  # it spreads the others' values
    asked, entity_reads = tuple(entity_reads), every_way(entity_reads)
    by_several = any(way.other_lists for way in entity_reads)
    found: dict[Structure, None] = {}
    every = [
        some for size in range(len(identifier), 0, -1) for some in combinations(identifier, size)
    ]
    # Of keys that cost the same the first is taken: the identifier's first attribute is mostly whose item it is.
    for partition in sorted(every, key=lambda some: identifier[0] not in some):
        if partition == identifier or has_reason(model, entity_reads, partition):
            rest = tuple(name for name in identifier if name not in partition)
            found[Structure(model.name, "base", model_order(model, partition), rest)] = None
    for partition, sort in keys(model, entity_reads, model.may_be_base_key):
        if by_several and partition and not has_reason(model, asked, partition):
            continue  # there are few values, and who lists them gives others too
        rest = tuple(name for name in identifier if name not in (*partition, *sort))
        for inverse in _inverses(model, entity_reads, sort) if partition else ():
            if not any(model.attribute(name).values for name in inverse):
                base = Structure(model.name, "base", partition, (*sort, *rest), inverse=inverse)
                found[base] = None
    for base in tuple(found):
        found |= dict.fromkeys(_telling(model, entity_reads, base))
    return tuple(found)


def _telling(
    model: EntityModel, entity_reads: tuple[EntityRead, ...], base: Structure
) -> Iterator[Structure]:
    """A base key with what writes must know besides what they change, where they look up the base key anyway.

    Or where reading a small guard is cheaper than reading the item.
    """
    there = model.made_of(base)
    keys = (Structure(model.name, "index", (), _names_in_keys(one)) for one in entity_reads)
    most = model.own_bytes + sum(map(model.key_bytes, (base, *keys)))
    is_large = most > READ_UNIT_BYTES
    told: dict[str, None] = {}
    for write in model.writes:
        if not there <= write.known or is_large:
            told |= dict.fromkeys(
                name
                for name in _needed(model, entity_reads, write)
                if name not in write.known | there and model.may_be_base_key(name)
            )
    names = model_order(model, told)
    end = len(base.sort)
    while end and base.sort[end - 1] in model.entity.identifier:
        end -= 1
    for size in range(1, len(names) + 1):
        for chosen in combinations(names, size):
            yield replace(base, sort=(*base.sort[:end], *chosen, *base.sort[end:]))


def _needed(
    model: EntityModel, entity_reads: tuple[EntityRead, ...], write: EntityWrite
) -> Iterator[str]:
    """What an update must know to write index keys anew, and a delete to take the guards of unique values along."""
    if write.verb == "delete" and not write.deletes_collection:
        yield from (name for unique in model.uniques for name in unique)
    for entity_read in entity_reads if write.verb == "update" else ():
        together = _names_in_keys(entity_read)
        if write.changed.intersection(together):
            yield from together


def _names_in_keys(entity_read: EntityRead) -> tuple[str, ...]:
    """The attributes that a key for an entity read may contain."""
    ranged = (entity_read.range.attribute,) if entity_read.range is not None else ()
    ordered = (order.attribute for order in entity_read.order)
    return tuple(
        dict.fromkeys(
            (*entity_read.equals, *ranged, *entity_read.starts, *entity_read.exists, *ordered)
        )
    )


def index_candidates(
    model: EntityModel, entity_reads: Iterable[EntityRead], copies: bool = True
) -> tuple[Structure, ...]:
    """Index keys for the entity reads, plain and sparse, of texts and of attributes.

    For the edges of N:M also edge items under the other side; for strong reads local indexes; and whole copies of the
    item under another key, for all reads where it is known who writes them and how often, if such `copies` are wanted.
    """
    entity_reads = every_way(entity_reads)
    found: dict[Structure, None] = {}
    listed = tuple(keys(model, entity_reads, model.may_be_index_key))
    for partition, sort in listed:
        for inverse in _inverses(model, entity_reads, sort):
            for only in _constants(entity_reads, partition, sort):
                index = Structure(model.name, "index", partition, sort, only, inverse=inverse)
                found |= dict.fromkeys(_forms(model, _without_constants(model, index)))
    found |= dict.fromkeys(_of_fixed_lists(model, entity_reads))
    if any(not entity_read.order for entity_read in entity_reads):
        found |= dict.fromkeys(_bare(model, tuple(found)))
    strong = tuple(entity_read for entity_read in entity_reads if entity_read.strong)
    for partition, sort in listed:
        if not any(set(partition) <= set(entity_read.equals) for entity_read in strong):
            continue
        for inverse in _inverses(model, strong, sort):
            found |= dict.fromkeys(_locals(model, partition, sort, inverse))
        for name in () if sort else _sortable(model, entity_reads):
            if name not in partition:
                found |= dict.fromkeys(_locals(model, partition, (name,), ()))
    asking = entity_reads if model.is_edge or (copies and _may_be_kept_twice(model)) else strong
    for partition, sort in keys(model, asking, model.may_be_base_key):
        if partition:
            found[copy_under(model, partition, sort)] = None
    return tuple(found)


def _without_constants(model: EntityModel, index: Structure) -> Structure:
    """A sparse index whose sort key leaves out what all its entries have the same, where writes can keep it so."""
    same = {name for name, values in index.only if len(values) == 1 and lacking(name) is None}
    plain = replace(index, sort=tuple(name for name in index.sort if name not in same))
    return plain if model.style == "single" and model.keeps_others_out(plain) else index


def _of_fixed_lists(
    model: EntityModel, entity_reads: tuple[EntityRead, ...]
) -> Iterator[Structure]:
    """Indexes of the items that have one of the values of a fixed list, without it in their keys.

    The items of all its values lie together, in the order that is asked for, and stay where they are when one becomes
    another. Where nearly all items have one, a plain index serves as well.
    """
    unlisted = tuple(_unlisted(model, entity_reads))
    asked = tuple(rest for _, rest in unlisted)
    for partition, sort in keys(model, asked, model.may_be_index_key):
        for inverse in _inverses(model, asked, sort):
            for limit, rest in unlisted:
                if limit[0] in (*partition, *sort) or not rest.equals.keys() >= set(partition):
                    continue
                for others in _constants((rest,), partition, sort):
                    only = tuple(sorted((*others, limit)))
                    index = Structure(model.name, "index", partition, sort, only, inverse=inverse)
                    index = _without_constants(model, index)
                    if model.keeps_others_out(index):
                        yield from _forms(model, index)


def _unlisted(
    model: EntityModel, entity_reads: tuple[EntityRead, ...]
) -> Iterator[tuple[tuple[str, tuple[str, ...]], EntityRead]]:
    """Each fixed list of few items, and the entity read that has it as if all items had one of its values."""
    for entity_read in entity_reads:
        name = entity_read.list_of
        if name is None or len(entity_read.always) < 2 or entity_read.strong:
            continue
        values = entity_read.constant_values(name)
        if model.share_of(name, values) <= MOST_LISTED:
            equals = {k: value for k, value in entity_read.equals.items() if k != name}
            yield (
                (name, values),
                replace(entity_read, equals=equals, list_of=None, always=(), unlike=()),
            )


def _bare(model: EntityModel, indexes: Iterable[Structure]) -> Iterator[Structure]:
    """Indexes with sort keys that the identifier does not end, for what asks for no order.

    Index keys need not be unique, and every entry has the table's key besides.
    """
    for index in indexes:
        bare = replace(index, bare=True)
        if model.sorted_by(bare) != model.sorted_by(index):
            yield bare


def _may_be_kept_twice(model: EntityModel) -> bool:
    """Whether items may be copied for the price alone."""
    return not why_not_kept_twice(model)


def _locals(
    model: EntityModel,
    partition: tuple[str, ...],
    sort: tuple[str, ...],
    inverse: tuple[str, ...],
) -> Iterator[Structure]:
    """A local index for strong reads. What needs none is as well served by a global one, which can come and go.

    Where nothing is sorted by, whatever it sorts by makes it one that holds less than the items.
    """
    local = Structure(model.name, "local", partition, sort, inverse=inverse)
    may_start_the_table = bool(partition) and all(map(model.may_be_base_key, partition))
    if (
        sort
        and may_start_the_table
        and all(model.may_be_index_key(name) for name in sort)
        and model.can_be_kept(local)
    ):
        yield local


def _sortable(model: EntityModel, entity_reads: tuple[EntityRead, ...]) -> Iterator[str]:
    """What an index that needs no order may be sorted by: what every item has, and is no longer than a key may be.

    The identifier, what some read asks for, or a strong one wants. Of the rest, which is in the index for nothing
    else, the shortest, by itself and as text, and the shortest that no write changes.
    """
    able = [
        attribute.name
        for attribute in model.entity.stored
        if model.presence(attribute.name) == 1 and text_bytes(attribute) <= SORT_KEY_BYTES
    ]
    names = dict.fromkeys(model.entity.identifier)
    for entity_read in entity_reads:
        ranged = (entity_read.range.attribute,) if entity_read.range is not None else ()
        wanted = sorted(entity_read.needs or ()) if entity_read.strong else ()
        names |= dict.fromkeys((*entity_read.equals, *chain_of(entity_read), *ranged, *wanted))
    changed = {name for write in model.writes if write.verb == "update" for name in write.changed}
    lists = any(
        d.strong and not set(model.entity.identifier) <= set(d.equals) for d in entity_reads
    )
    rest = [name for name in able if name not in names and lists]
    for some in (rest, [name for name in rest if name not in changed]):
        for length in (carried_bytes, text_bytes):
            names |= dict.fromkeys(sorted(some, key=lambda n: length(model.attribute(n)))[:1])
    return (name for name in names if name in able)


def _inverses(
    model: EntityModel, entity_reads: tuple[EntityRead, ...], sort: tuple[str, ...]
) -> Iterator[tuple[str, ...]]:
    """What of a sort key to write the other way round: nothing, or what some entity read's order takes."""
    yield ()
    found: dict[tuple[str, ...], None] = {}
    for entity_read in entity_reads:
        inverse, chain = model.to_invert(entity_read), chain_of(entity_read)
        if inverse and any(sort[at : at + len(chain)] == chain for at in range(len(sort))):
            found[inverse] = None
    yield from found


def _forms(model: EntityModel, structure: Structure) -> Iterator[Structure]:
    """An index with keys composed as texts, and with the items' own attributes as its keys."""
    if all(model.may_be_index_key(name) for name in structure.attributes):
        if model.can_be_kept(structure):
            yield structure
        own = replace(structure, own=True)
        if not structure.inverse and _may_have_own_keys(model, own) and model.can_be_kept(own):
            yield own


def _may_have_own_keys(model: EntityModel, structure: Structure) -> bool:
    """Whether the items' own attributes may be the keys, and that is another index than one of composed texts.

    Only where the team allows several attributes in a key; but a counter in a shared table has no other way.
    """
    partition, sort = model.split(structure)
    if max(len(partition), len(sort)) > KEY_ATTRIBUTES:
        return False
    allowed = model.design.planner.composite_index_keys == "multi-attribute"
    if model.style == "multi":
        waits = not dict(structure.only).keys() <= set(structure.attributes)
        return allowed and not waits and max(len(partition), len(sort)) > 1
    if dict(structure.only).keys() - set(structure.partition):
        return False  # an item has its own attribute whatever the value, and would be in the index
    counted = len(sort) == 1 and bool(model.counters & set(structure.sort))
    return (allowed or counted) and bool(sort) and all(map(model.may_share_key, structure.sort))


def _constants(
    entity_reads: Iterable[EntityRead], partition: tuple[str, ...], sort: tuple[str, ...]
) -> Iterator[Only]:
    """What the items of an index on a key may be limited to: nothing, or constants of an entity read that uses it."""
    found: dict[Only, None] = {(): None}
    for entity_read in entity_reads:
        if not set(partition) <= set(entity_read.equals):
            continue
        constants = tuple(
            sorted(
                (name, values)
                for name in entity_read.equals
                if name in (*partition, *sort) and (values := entity_read.constant_values(name))
            )
        )
        for size in range(1, len(constants) + 1):
            for chosen in combinations(constants, size):
                found[chosen] = None
    yield from found


def has_reason(
    model: EntityModel, entity_reads: Sequence[EntityRead], partition: tuple[str, ...]
) -> bool:
    """Whether a partition key has many values, or few because some entity read gives no more.

    Modelling rules 18 and 23, docs/modelling-rules.md.
    """
    return reasons_for(model, entity_reads, Structure(model.name, "base", partition, ())) != ()


def reasons_for(
    model: EntityModel, entity_reads: Sequence[EntityRead], structure: Structure
) -> tuple[int, ...] | None:
    """The places of the entity reads that are a reason for a structure, whatever else it answers; None where any is.

    A local index is there for a strong read: what needs none is as well served by a global one, which can come and go.
    A partition key of few values, though there are items for many, is there for a read that gives no more, or has to
    save something (`CROWDED`). So has a copy of what is no edge that no strong read asks for (`TWICE`).
    """
    strong = tuple(at for at, entity_read in enumerate(entity_reads) if entity_read.strong)
    if structure.kind == "local":
        return strong
    is_copy = model.is_copy(structure)
    may_be = strong if is_copy else tuple(range(len(entity_reads)))
    partition = structure.partition
    if model.items < COOL_VALUES or has_many_values(model, partition):
        return may_be if is_copy else None
    same = [name for name, _ in structure.only]
    lists = {name for name, values in structure.only if len(values) > 1}
    hidden = lists.difference(structure.attributes)
    return tuple(
        at
        for at in may_be
        if any(
            asks_for_no_less(
                model,
                frozenset(filter(model.may_be_index_key, way.equals.keys() - hidden)),
                partition,
                same,
            )
            for way in _giving_most(entity_reads[at])
        )
    )


def _giving_most(entity_read: EntityRead) -> Iterator[EntityRead]:
    """The ways of an entity read, without those by one of several lists, as the caller gives the others too."""
    several = [way for way in entity_read.ways if way.other_lists]
    for way in entity_read.ways:
        by_some = way.list_of is not None and any(
            one.lists.keys() > way.lists.keys() for one in several
        )
        if not by_some:
            yield way


def keeps_tenants_apart(
    model: EntityModel, structure: Structure, entity_reads: Iterable[EntityRead]
) -> bool:
    """Whether a key has the tenant in its partition, as an access policy by leading keys needs it.

    One without serves only patterns that are not a tenant's: those that do not give it.
    """
    tenant = model.entity.needs.tenant if model.entity.needs else None
    return (
        tenant is None
        or tenant in structure.partition
        or any(
            tenant not in way.equals and set(structure.partition) <= set(way.equals)
            for way in every_way(entity_reads)
        )
    )
