"""How a key answers an entity read: what it finds, what it reads of that, and in which order.

Rules cited by number are those of docs/modelling-rules.md.
"""

from collections.abc import Iterable
from dataclasses import replace
from math import ceil

from designer.core.design.attributes import Attribute
from designer.core.dynamodb.limits import COLLECTION_BYTES_WITH_LSI
from designer.core.messages import Message, say
from designer.core.planner.model.cardinality import Uneven, cut_of_each
from designer.core.planner.model.entity_facts import cached
from designer.core.planner.model.entity_model import EntityModel
from designer.core.planner.model.reads_and_writes import EntityRead
from designer.core.planner.model.shard_attributes import Shard
from designer.core.planner.model.shares import share_kept_by_all
from designer.core.planner.model.structures import Access, Projection, Structure
from designer.core.planner.pricing.asked_lists import (
    elements_of_query,
    in_key,
    is_asked_of_each,
    serves_several_lists,
    unlike_in_key,
    values_asked,
)
from designer.core.planner.pricing.limited import has_all_listed, limited_to
from designer.core.planner.pricing.sparse_entries import range_share_of_present, share_held
from designer.core.words.lacking import lacking


@cached
def asked_of_key(
    model: EntityModel, structure: Structure, entity_read: EntityRead
) -> Access | None:
    """How a structure is asked for an entity read, before that has a price; None where it cannot answer it."""
    spread = spread_of(model, structure, entity_read)
    if spread is None or not contains_answer(model, structure, entity_read):
        return None
    if structure.bare and entity_read.order:
        return None  # what is alike in all that it is sorted by would come in any order
    access = query_access(model, structure, entity_read, *spread)
    if entity_read.other_lists:
        limited = limited_to(structure, entity_read)
        return access if serves_several_lists(model, entity_read, access, limited) else None
    return access


def lists_all(entity_read: EntityRead, access: Access) -> bool:
    """Whether whole items are read at once from an index that holds a list of their attributes."""
    if access.structure is None or not access.structure.is_index or entity_read.needs is not None:
        return False
    return access.projection is not None and access.then is None and not entity_read.named


def is_spread(access: Access) -> bool:
    """Whether several partitions hold what is asked for."""
    return access.shards > 1 or bool(access.period)


def gets_first(model: EntityModel, entity_read: EntityRead, access: Access) -> bool:
    """Whether the keys that several queries find are merged before as many items are got as the limit says.

    Each query gives so many keys, or more where the last page holds more, and most of their items would be dropped.
    """
    if entity_read.limit is None or entity_read.is_dependent or not access.ordered:
        return False
    return is_spread(access) or is_asked_of_each(model, entity_read, access)


def is_of_all(entity_read: EntityRead, access: Access) -> bool:
    """Whether one figure is worked out from all items that are read, other than from the first that a key has."""
    return entity_read.is_figure and not (entity_read.limit is not None and access.ordered)


def in_two_requests(model: EntityModel) -> bool:
    """Whether the team lets an item be read by its identifier in two requests (rule 23)."""
    return model.design.planner.point_reads == "by-price"


def is_too_long(
    model: EntityModel, structure: Structure, entity_read: EntityRead, access: Access
) -> bool:
    """Whether only the asked order keeps a read small that wants the first few of a collection which may grow.

    It need not where no key can have the order, or a write would move its entries, or one figure is the answer.
    """
    if access.ordered or entity_read.limit is None or entity_read.is_figure:
        return False
    if model.to_invert(entity_read) is None:
        return False
    if any(order.attribute in model.mutable for order in entity_read.order):
        return False
    return not model.stays_small((*structure.partition, *structure.sort[: access.bound]))


def must_be_sorted(model: EntityModel, structure: Structure, entity_read: EntityRead) -> bool:
    """Whether an index finds what an entity read asks for, but may not be read for it because of its order alone."""
    return any(_must_be_sorted(model, structure, way) for way in entity_read.ways)


def _must_be_sorted(model: EntityModel, structure: Structure, entity_read: EntityRead) -> bool:
    if spread_of(model, structure, entity_read) is None or not contains_answer(
        model, structure, entity_read
    ):
        return False
    return is_too_long(model, structure, entity_read, query_access(model, structure, entity_read))


def why_not_sorted(model: EntityModel, entity_read: EntityRead) -> Message:
    """Why the caller may not sort what an index gives."""
    most = model.most_items(frozenset(entity_read.equals))
    if most is None:
        return say("sort-unbounded", entity=model.name)
    return say("sort-too-much", most=float(most), limit=entity_read.limit or 0)


def is_local_to(model: EntityModel, base: Structure, structure: Structure, keys: float) -> bool:
    """Whether a table of this base key can have a local index: the same partitions, none of them too large.

    The entries count as much as the items, at the most.
    """
    return (
        structure.partition == base.partition
        and (model.style == "single" or bool(base.sort))
        and structure.sort != base.sort
        and 2 * model.most_collection_bytes(base, keys) <= COLLECTION_BYTES_WITH_LSI
    )


def reading(
    model: EntityModel, structure: Structure, entity_read: EntityRead
) -> tuple[Access, frozenset[str], frozenset[str]] | None:
    """How a structure reads an entity read, whatever that costs: requests and the items of each.

    Besides, what an index must hold of the items for a second read, and for one more than what is wanted.
    """
    if structure.kind == "index" and entity_read.strong:
        return None
    access = asked_of_key(model, structure, entity_read)
    if access is None:
        return None
    requests, read = reads_of_each(model, structure, entity_read, access)
    requests *= values_asked(model, entity_read, access)
    once = with_what_is_left(model, entity_read, access, frozenset())
    twice = with_what_is_left(
        model, entity_read, replace(access, call="query then get"), frozenset()
    )
    assert once is not None and twice is not None
    return replace(access, requests=requests, read=read), twice, once


def contains_answer(model: EntityModel, structure: Structure, entity_read: EntityRead) -> bool:
    """Whether every item of the answer is in the index: it must have all key attributes."""
    for name in structure.attributes:
        if model.presence(name) < 1 and name not in entity_read.sure:
            return False
    for name, values in structure.only:
        asked = entity_read.constant_values(name) if name in entity_read.equals else ()
        if not asked or not set(asked) <= set(values):
            return False
    return True


def spread_of(
    model: EntityModel, structure: Structure, entity_read: EntityRead
) -> tuple[int, str] | None:
    """What a caller runs through of the partition key: (shards, period); None where the key is not known."""
    shards, period = 1, ""
    for name in structure.partition:
        attribute = model.attribute(name)
        if name in entity_read.equals or model.stored_name(name) in entity_read.equals:
            continue
        if lacking(name) is not None and name in entity_read.exists:
            continue  # one text stands for it
        if isinstance(attribute, Shard):
            shards *= attribute.count
        elif not period and _has_periods(entity_read, attribute):
            period = name
        else:
            return None
    return shards, period


def _has_periods(entity_read: EntityRead, attribute: Attribute) -> bool:
    """Whether a read's range names the time from which and to which an hour, date, month or year is asked for."""
    limits = entity_read.range
    if attribute.source is None or limits is None or limits.attribute != attribute.source[1]:
        return False
    return bool((limits.from_ or limits.after) and (limits.to or limits.below))


def ends_early(model: EntityModel, entity_read: EntityRead, access: Access) -> bool:
    """Whether periods are asked in the order that is wanted, and no further than there are enough items."""
    by_time = not entity_read.order or entity_read.order[0].attribute == model.stored_name(
        access.period
    )
    return entity_read.limit is not None and access.ordered and by_time


def query_access(
    model: EntityModel,
    structure: Structure,
    entity_read: EntityRead,
    shards: int = 1,
    period: str = "",
) -> Access:
    """The key condition a structure allows, before it is known what it reads."""
    known, listed = set(entity_read.equals), entity_read.list_of
    if listed is not None and has_all_listed(structure, entity_read):
        known.remove(listed)
    bound = 0
    while bound < len(structure.sort) and structure.sort[bound] in known:
        bound += 1
    rest = structure.sort[bound:]
    ranged = entity_read.range is not None and bool(rest) and rest[0] == entity_read.range.attribute
    ranged = ranged and _reaches(model, structure, entity_read)
    told = entity_read.starts.get(rest[0], ()) if rest and rest[0] not in structure.inverse else ()
    prefix = told[0] if told else ""
    if prefix and ranged:  # a key takes one of them
        ranged = 1 / model.distinct(prefix) > range_share_of_present(model, entity_read)
        prefix = "" if ranged else prefix
    if entity_read.lists:  # one request brings items of all values of what is tested
        keyed = in_key(model, structure, entity_read, bound, prefix, False)
        known -= entity_read.lists.keys() - keyed.keys()
    # Only a prefix is matched as text; a range of a derived or boolean part is never asked.
    wanted = [order for order in entity_read.order if order.attribute not in known]
    following = [name for name in rest if name not in known]
    ordered = [order.attribute for order in wanted] == following[: len(wanted)]
    ways = {order.descending != (order.attribute in structure.inverse) for order in wanted}
    ordered = ordered and len(ways) <= 1
    if wanted and rest[: len(wanted)] != tuple(order.attribute for order in wanted):
        ordered = False
    fixed = {
        *structure.partition,
        *structure.sort[:bound],
        *limited_to(structure, entity_read),
        prefix,
    }
    left = tuple(name for name in entity_read.equals if name not in fixed)
    found = _found(model, structure, entity_read, bound, prefix)
    found *= share_held(model, structure, entity_read)
    return Access(
        structure,
        "query",
        bound=bound,
        ranged=ranged,
        prefix=prefix,
        ordered=ordered,
        backwards=ways == {True} and ordered,
        left=left,
        found=found * range_share_of_present(model, entity_read) if ranged else found,
        shards=shards,
        period=period,
    )


def _found(
    model: EntityModel, structure: Structure, entity_read: EntityRead, bound: int, prefix: str
) -> float:
    """Items of all partitions that have what a key condition fixes, before a range."""
    limited = limited_to(structure, entity_read)
    fixed = (*structure.partition, *structure.sort[:bound], prefix, *limited)
    found = model.matched_by(entity_read, fixed, there_in(structure, entity_read))
    for name, values in structure.only:
        if name not in fixed:
            found *= model.share_of(name, values)
    elements = elements_of_query(model, structure, entity_read, bound, prefix)
    return max(found, entity_read.matched * elements)


def there_in(structure: Structure, entity_read: EntityRead) -> tuple[str, ...]:
    """What must be there and is, in every entry: an index whose key lacks it has the items without it, as the table."""
    keyed = structure.attributes if structure.is_index else ()
    return tuple(name for name in entity_read.exists if name in keyed)


def _reaches(model: EntityModel, structure: Structure, entity_read: EntityRead) -> bool:
    """Whether the key condition can take a range: of an inverse text neither its start is known, nor what lies outside
    a list of values."""
    limits = entity_read.range
    if limits is None or limits.attribute not in structure.inverse:
        return True
    return limits.begins_with is None and not model.attribute(limits.attribute).values


def with_what_is_left(
    model: EntityModel, entity_read: EntityRead, access: Access, projection: Projection
) -> Projection:
    """What an index must hold: besides what is wanted, what is tested, and what the caller sorts by.

    Items without what they are sorted by are in no answer, which is tested too where the key does not see to it.
    """
    assert access.structure is not None
    if projection is None:
        return None
    orders = {order.attribute for order in entity_read.order}
    held = projection | set(access.left) | {c.attribute for c in entity_read.filters}
    missing = {name for name in orders if model.presence(name) < 1}
    held |= (missing | set(entity_read.exists)) - set(access.structure.attributes)
    if entity_read.range is not None and not access.ranged:
        held |= {entity_read.range.attribute}
    merged = access.shards > 1 or bool(access.period)
    if access.call == "query":
        merged = merged or entity_read.is_repeated or not access.ordered
    else:
        merged = gets_first(model, entity_read, access)
    if merged:
        held |= orders
    return frozenset(model.stored_name(name) for name in held) - access.late


@cached
def reads_of_one(
    model: EntityModel, structure: Structure, entity_read: EntityRead, access: Access
) -> tuple[float, float]:
    """(items read, items returned) of one query."""
    in_key = access.found
    elements = elements_of_query(model, structure, entity_read, access.bound, access.prefix)
    kept = entity_read.matched * entity_read.kept * elements
    share = min(1.0, kept / in_key) if in_key else 1.0
    cut = entity_read.cut
    if cut is None:
        return in_key, kept
    each = unlike_in_key(model, entity_read, access) or (1.0,)
    uneven = _uneven_of_query(model, entity_read, access)
    returned = _mean(cut_of_each(uneven, kept * times, cut) for times in each)
    if access.ordered and share:
        # Of a value that is tested after the reading, the key says nothing.
        uneven, least = uneven_by_key(model, entity_read, access), cut / share
        in_key = _mean(cut_of_each(uneven, in_key * times, least) for times in each)
    return in_key, returned


def _mean(figures: Iterable[float]) -> float:
    each = tuple(figures)
    return each[0] if len(each) == 1 else sum(each) / len(each)


def got_of_one(
    model: EntityModel, structure: Structure, entity_read: EntityRead, access: Access
) -> float:
    """Items that a second read gets for one query: those that pass what is tested of the entries."""
    if entity_read.limit is not None and not access.ordered:
        entity_read = replace(entity_read, limit=None)  # it cuts what was sorted afterwards
    if access.late:
        entity_read = _without_late(model, entity_read, access)
    _, items = reads_of_one(model, structure, entity_read, access)
    return items


def _without_late(model: EntityModel, entity_read: EntityRead, access: Access) -> EntityRead:
    """An entity read without what is tested once the items came."""

    def early(names: Iterable[str]) -> tuple[str, ...]:
        return tuple(name for name in names if model.stored_name(name) not in access.late)

    known, there = early(entity_read.equals), early(entity_read.exists)
    tests = {one.attribute: one for one in entity_read.filters}
    limits, sure = entity_read.range, [*known, *there]
    kept = 1.0
    if limits is not None and (access.ranged or early((limits.attribute,))):
        kept = entity_read.range_share
        sure.append(limits.attribute)
    tested = [tests[name] for name in early(tests)]
    kept *= share_kept_by_all(model.design, model.entity, tested, sure)
    listed = [one for one in entity_read.lists.values() if one.of in known]
    first = listed[0] if listed else None
    return replace(
        entity_read,
        equals={name: entity_read.equals[name] for name in known},
        list_of=first.of if first else None,
        list_length=first.length if first else 1.0,
        other_lists=tuple(listed[1:]),
        exists=there,
        matched=model.matched_by(entity_read, known, there),
        kept=max(kept, entity_read.kept),
    )


def _uneven_of_query(
    model: EntityModel, entity_read: EntityRead, access: Access
) -> tuple[Uneven, ...]:
    """How the values differ that one query asks for: of a list in the key, one by one."""
    if entity_read.uneven and is_asked_of_each(model, entity_read, access):
        return tuple(one.of_each for one in entity_read.uneven)
    return entity_read.uneven


def uneven_by_key(
    model: EntityModel, entity_read: EntityRead, access: Access
) -> tuple[Uneven, ...]:
    """The values of the key of which a query reads more items than of others."""
    known = entity_read.equals.keys() - set(access.left)
    uneven = _uneven_of_query(model, entity_read, access)
    return tuple(one for one in uneven if one.attribute in known)


def reads_of_each(
    model: EntityModel, structure: Structure, entity_read: EntityRead, access: Access
) -> tuple[float, float]:
    """(partitions asked, items read of each): its part of what all hold, and no more than a reading in order needs."""
    read, _ = reads_of_one(model, structure, entity_read, access)
    if access.shards == 1 and not access.period:
        return 1.0, read
    held, kept = reads_of_one(model, structure, replace(entity_read, limit=None), access)
    periods = periods_asked(model, entity_read, access)
    each = min(read, held / (access.shards * periods))
    if access.period and ends_early(model, entity_read, access) and kept:
        periods = min(periods, ceil((entity_read.limit or 0) / kept * periods))
    return float(access.shards * periods), each


def periods_asked(model: EntityModel, entity_read: EntityRead, access: Access) -> int:
    """How many periods a range of time touches on average: as many as it is long, and one more."""
    if not access.period or entity_read.range is None:
        return 1
    return ceil(range_share_of_present(model, entity_read) * model.distinct(access.period)) + 1


def is_native_filter(model: EntityModel, structure: Structure, name: str) -> bool:
    """Whether an attribute is a key attribute itself, which DynamoDB refuses in a filter."""
    return any(
        model.is_native(structure, part) and name in part
        for part in (*model.split(structure)[0], *model.split(structure)[1])
    )
