"""Every key that a table, its indexes and copies of its items may have."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import combinations, permutations, product

from designer.core.capacity.sizes import text_bytes
from designer.core.dynamodb.limits import COLLECTION_BYTES_WITH_LSI, COOL_VALUES, SORT_KEY_BYTES
from tests.enumerator.model import Asked, Key, Model
from tests.enumerator.sizes import key_bytes, parts_of
from tests.enumerator.uses import uses_of
from tests.enumerator.writes import can_follow, waits_for

MOST_LISTED = 0.9
"""Share of the items that an index may have by a list that it does not show."""
MOST_SORTED = 3
"""Sort attributes of a key, besides an identifier that follows them."""


def base_keys(model: Model) -> Iterator[Key]:
    """Every key of the table: immutable, always there, with the identifier in it (rules 1 and 2)."""
    may = [
        name
        for name in model.in_use
        if name not in model.mutable
        and model.entity.by_name[name].present == 1
        and model.entity.by_name[name].type in ("S", "N", "B")
    ]
    found = {}
    for key, told in product(_every_key(may), _told_by_keys(model)):
        wide = _is_wide(model, key) and _is_wide(model, key, by_all_lists=True)
        if key.partition and (wide or _is_identifier(model, key)):
            rest = (n for n in (*told, *model.entity.identifier) if n not in key.attributes)
            found[Key(key.partition, (*key.sort, *rest))] = None
    yield from found


def _told_by_keys(model: Model) -> Iterator[tuple[str, ...]]:
    """The unique values that a key may hold for the writes that free them, which need no read then."""
    free = [
        name
        for name in model.unique
        if name not in model.mutable and model.entity.by_name[name].present == 1
    ]
    frees = any(change.verb in ("delete", "upsert") for change, _, _ in model.writes)
    for size in range(len(free) * frees + 1):
        yield from combinations(free, size)


def index_keys(model: Model) -> Iterator[Key]:
    """Every key of an index, with all items and with those alone that carry constants of the reads, or of a list."""
    constants: dict[str, dict[tuple[str, ...], None]] = {}
    for asked in (way for one in model.reads for way in one.ways):
        for name in asked.equals:
            if values := asked.values(name):
                constants.setdefault(name, {})[values] = None
    found: dict[Key, None] = {}
    for key in _every_key(_key_names(model, model.in_use)):
        limits: list[list[tuple[str, tuple[str, ...]] | None]] = [
            [None, *((name, values) for values in constants.get(name, {}))]
            for name in key.attributes
        ]
        limits += [
            [None, *((name, values) for values in lists if _are_few(model, name, values))]
            for name, lists in constants.items()
            if name not in key.attributes
        ]
        for chosen in product(*limits):
            only = tuple(sorted(limit for limit in chosen if limit))
            one = _without_constants(model, Key(key.partition, key.sort, only, "index"))
            lists = {name for name, values in only if len(values) > 1}
            waits = lists.intersection(one.hidden)
            if one in found or not _is_wide(model, one if waits else key):
                continue
            if waits <= _waiting(model, one) and can_follow(model, one):
                found[one] = None
    yield from found


def _are_few(model: Model, name: str, values: tuple[str, ...]) -> bool:
    """Whether a list is one of values that not nearly all items have."""
    return len(values) > 1 and model.share_of(name, values) <= MOST_LISTED


def _waiting(model: Model, key: Key) -> set[str]:
    """What keeps items out of a key: all that it shows, and what a part waits for."""
    parts = parts_of(model, key)
    return {name for part in parts for name in (*part, *waits_for(model, key, part))}


def _without_constants(model: Model, key: Key) -> Key:
    """In a shared table, where a part waits for what all items of an index have alike, no sort key shows it."""
    alike = key.alike
    plain = replace(key, sort=tuple(name for name in key.sort if name not in alike))
    waiting = _waiting(model, plain)
    return plain if model.style == "single" and dict(key.only).keys() <= waiting else key


def strong_keys(model: Model) -> Iterator[Key]:
    """Every key of a local index or of copies by which some strong read can be answered, and of copies for any read.

    A local index that only holds less than the items may sort by whatever they have.
    """
    strong = [asked for asked in model.reads if asked.strong]
    keys = [key for key in _every_key(_key_names(model, model.in_use)) if key.sort]
    stored = _key_names(model, (one.name for one in model.entity.stored))
    partitions = dict.fromkeys(key.partition for key in base_keys(model))
    keys += [
        Key(partition, (name,))
        for partition, name in product(partitions, stored)
        if name not in model.in_use
    ]
    local = (replace(key, kind="local") for key in keys)
    copies = (replace(key, kind="copy") for key in base_keys(model))
    for key in local if strong else ():
        if can_follow(model, key) and any(uses_of(model, asked, key) for asked in strong):
            yield key
    asking = model.reads if _may_be_kept_twice(model) else strong
    for key in copies if asking else ():
        if can_follow(model, key) and any(uses_of(model, asked, key) for asked in asking):
            yield key


def _may_be_kept_twice(model: Model) -> bool:
    """Whether items may be copied for the price alone: patterns make them."""
    return any(change.verb in ("create", "upsert") for change, _, _ in model.writes)


def _every_key(names: Sequence[str]) -> Iterator[Key]:
    """Every key over some attributes."""
    for size in range(len(names) + 1):
        for partition in combinations(names, size):
            rest = [name for name in names if name not in partition]
            for length in range(min(MOST_SORTED, len(rest)) + 1):
                for sort in permutations(rest, length):
                    yield Key(partition, sort)


def _is_identifier(model: Model, key: Key) -> bool:
    """Whether a base key is the identifier, or what is a part of it has few values as there are few items."""
    partition, identifier = set(key.partition), set(model.entity.identifier)
    return partition == identifier or (partition < identifier and not is_crowded(model, key))


def is_crowded(model: Model, key: Key) -> bool:
    """Whether a partition key has few values although there are items for many."""
    return model.items >= COOL_VALUES and not (
        (key.partition or key.shards > 1) and model.is_cool(key.partition, key.shards)
    )


def _is_wide(model: Model, key: Key, by_all_lists: bool = False) -> bool:
    """Whether a partition key has many values, or is what some read gives (rules 18 and 23).

    Bytes could be saved by a narrower key, at the price of a worse spread.
    """
    cool = bool(key.partition) and model.is_cool(key.partition)
    return cool or any(gives_no_more(model, asked, key, by_all_lists) for asked in model.reads)


def gives_no_more(model: Model, asked: Asked, key: Key, by_all_lists: bool = True) -> bool:
    """Whether a partition key is what a read gives but for what is loose.

    `by_all_lists`: who lists values of several attributes gives all of them, whichever of these a key serves.
    """
    partition = set(key.partition)
    loose = {n for n in model.in_use if n in model.mutable or model.entity.by_name[n].present < 1}
    loose |= set(dict(key.only))  # what all its items have alike spreads nothing
    lists = {name for name, values in key.only if len(values) > 1} & set(key.hidden)
    return any(
        partition <= set(way.equals)
        and set(way.equals) - partition <= loose
        and bool(partition or not set(way.equals) - lists)
        for way in asked.ways
        if not (
            by_all_lists and any(one.lists.keys() > way.lists.keys() > set() for one in asked.ways)
        )
    )


def _key_names(model: Model, names: Iterable[str]) -> list[str]:
    """Those of some attributes that an index may have in its key: of a type that sorts, and short enough."""
    named = [model.entity.by_name[name] for name in names]
    return [
        one.name
        for one in named
        if one.type in ("S", "N", "B", "BOOL") and text_bytes(one) <= SORT_KEY_BYTES
    ]


def may_have(model: Model, base: Key, key: Key, size: float) -> bool:
    """Whether a table of a base key can have another: a copy of the same partitions would lie among the items."""
    if key.kind == "copy":
        return base.shards > 1 or set(key.partition) != set(base.partition)
    return key.kind != "local" or _is_local_to(model, base, key, size + key_bytes(model, key))


def _is_local_to(model: Model, base: Key, key: Key, size: float) -> bool:
    """Whether a table can have a local index: the same partitions, none too large with its entries (rule 19)."""
    return (
        base.shards == 1
        and key.partition == base.partition
        and key.sort != base.sort
        and (model.style == "single" or bool(base.sort))
        and 2 * model.items * model.hottest(base) * size <= COLLECTION_BYTES_WITH_LSI
    )
