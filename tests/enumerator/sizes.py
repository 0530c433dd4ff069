"""What keys, index entries and guards of an entity weigh in one style."""

from collections.abc import Iterable
from functools import lru_cache

from designer.core.capacity.sizes import attribute_bytes, attribute_value_bytes, text_bytes
from tests.enumerator.model import Asked, Key, Model

NAMED = 3
"""Values that the name of a key says, of those that it is limited to."""
remembered = lru_cache(maxsize=1 << 16)
"""The same keys are weighed for every group of reads."""


@remembered
def key_bytes(model: Model, key: Key) -> float:
    """What a key adds to its item, names included."""
    total = 0.0
    if key.kind != "local" and not is_native(model, key, key.partition):
        total += len(_key_name(model, key, key.partition, key.shards > 1))
        values = [_text_in(model, key, name) for name in key.partition]
        labels = [_label(model, name) for name in key.partition]
        if key.shards > 1:
            values, labels = [*values, len(str(key.shards - 1))], [*labels, "SHARD"]
        if model.style == "single":
            values = [len(label) + 1 + size for label, size in zip(labels, values, strict=True)]
        token = [] if key.partition else [len(model.entity.token)]
        total += _joined_by_a_sign([*token, *values])
    names = _sort_text(model, key)
    if is_native(model, key, key.sort) or not (key.sort or model.style == "single"):
        return total
    values = [_text_in(model, key, name) for name in names]
    total += len(_key_name(model, key, key.sort, False, "SK"))
    if model.style == "single":
        is_own = not any(model.entity.by_name[name].refers_to for name in key.partition)
        if not key.sort and is_own and set(key.partition) == set(model.entity.identifier):
            return total + len("A")
        values = [len(model.entity.token) + 3 * (key.kind == "copy"), *values]
    return total + _joined_by_a_sign(values) + (names[-1:] in [(n,) for n in model.ranged])


def _key_name(
    model: Model, key: Key, part: tuple[str, ...], sharded: bool, generic: str = "PK"
) -> str:
    if model.style == "single":
        return ("GSI1" if key.kind in ("index", "local") else "") + generic
    only = dict(key.only)
    words = ["_".join([name, *only.get(name, ())[:NAMED]]) for name in part]
    words = words or [f"all{model.entity.name}s"]
    ends = ["shard"] if sharded else ["key"] if len(part) == 1 else []
    return "_".join([*words, *ends])


def _text_in(model: Model, key: Key, name: str) -> float:
    """Bytes of a value inside a composed key; of those that the key is limited to, on average."""
    values = dict(key.only).get(name)
    if values is None:
        return text_bytes(model.entity.by_name[name])
    shares = [model.share(name, value) for value in values]
    each = zip(shares, values, strict=True)
    return sum(share * len(value) for share, value in each) / sum(shares)


def _label(model: Model, name: str) -> str:
    """What stands before a value in a partition key."""
    attribute = model.entity.by_name[name]
    if attribute.refers_to:
        return model.design.entity[attribute.refers_to.partition(".")[0]].token
    if model.entity.identifier == (name,):
        return model.entity.token
    return "".join(f"_{letter}" if letter.isupper() else letter.upper() for letter in name)


def _sort_text(model: Model, key: Key) -> tuple[str, ...]:
    """The sort key in a shared table ends in the identifier, where a partition holds several items."""
    if model.style == "multi":
        return key.sort
    alone = set(model.entity.identifier) <= set(key.partition)
    if not key.sort and (alone or set(key.partition) & set(model.unique)):
        return ()
    return (*key.sort, *(n for n in model.entity.identifier if n not in key.attributes))


def parts_of(model: Model, key: Key) -> tuple[tuple[str, ...], ...]:
    """The attributes in each part of a key; a local index has the table's partition key."""
    return (key.sort,) if key.kind == "local" else (key.partition, key.sort)


def is_native(model: Model, key: Key, part: tuple[str, ...]) -> bool:
    """Whether the attribute itself is the key: tables of one entity, where nothing is composed."""
    return _may_be_native(model, key, part) and not (
        key.hidden and part == composed_to_wait(model, key)
    )


@remembered
def composed_to_wait(model: Model, key: Key) -> tuple[str, ...] | None:
    """The part that is composed so that it can wait for what the key does not show, where none is anyway."""
    from tests.enumerator.writes import is_read_for

    parts = [part for part in parts_of(model, key) if part or part == key.partition]
    if not all(_may_be_native(model, key, part) for part in parts):
        return None

    def bother(part: tuple[str, ...]) -> tuple[bool, float]:
        names = (*part, *key.hidden)
        return is_read_for(model, key, names), sum(_text_in(model, key, name) for name in part)

    return min(parts, key=bother)


def _may_be_native(model: Model, key: Key, part: tuple[str, ...]) -> bool:
    return (
        model.style == "multi"
        and len(part) == 1
        and (key.shards == 1 or part != key.partition)
        and part[0] not in dict(key.only)
        and model.entity.by_name[part[0]].type in ("S", "N", "B")
    )


def spelled(model: Model, base: Key, key: Key) -> frozenset[str]:
    """The parts of the identifier that the text of an entry's keys holds: an index need not."""
    found: set[str] = set()
    for one in (base, key):
        for part, text in ((one.partition, one.partition), (one.sort, _sort_text(model, one))):
            if not is_native(model, one, part):
                found |= {name for name in text if name not in dict(one.only)}
    found &= set(model.entity.identifier)
    return frozenset(name for name in found if model.entity.by_name[name].type == "S")


@remembered
def listed_bytes(model: Model, base: Key, key: Key, names: frozenset[str]) -> float:
    """An index entry that holds some attributes besides the keys."""
    held = set(names)
    for one in (base, key):
        for part in (one.partition, one.sort):
            if is_native(model, one, part):
                held |= set(part)
    own = sum(attribute_bytes(model.entity.by_name[name]) for name in sorted(held))
    own += _missing_bytes(model, held & set(key.attributes))
    typed = model.type_bytes if held else 0  # an index of keys alone does not hold it
    return own + typed + key_bytes(model, key) + key_bytes(model, base)


@remembered
def stated_bytes(model: Model, base: Key, key: Key, names: frozenset[str] | None) -> float:
    """An index entry without what the text of keys adds. `names`: what it holds besides keys, None for all."""
    if names is None:
        return model.stated_bytes + _missing_bytes(model, key.attributes)
    held = {*names, *model.entity.identifier, *base.attributes, *key.attributes}
    own = sum(attribute_bytes(model.entity.by_name[name]) for name in sorted(held))
    return own + _missing_bytes(model, held & set(key.attributes))


@remembered
def fuller_bytes(model: Model, key: Key) -> float:
    """What the items in an index hold more than the average: all that its key is made of, and the whole key."""
    return _missing_bytes(model, key.attributes) + (1 - density(model, key)) * key_bytes(model, key)


def _missing_bytes(model: Model, names: Iterable[str]) -> float:
    """What some attributes would add to the average item, had each item all of them."""
    attributes = [model.entity.by_name[name] for name in sorted(names)]
    return sum(
        (1 - one.present) * (len(one.name) + attribute_value_bytes(one)) for one in attributes
    )


@remembered
def density(model: Model, key: Key) -> float:
    only = dict(key.only)
    share = 1.0
    for name in key.decided_by:
        present = model.entity.by_name[name].present
        share *= model.share_of(name, only[name]) if name in only else present
    return share


def guard_bytes(model: Model, base: Key, name: str) -> float:
    """The item that keeps a unique value, or the identifier (no name), from being given twice (rule 14)."""
    entity = model.entity
    guarded = (name,) if name else entity.identifier
    carried = dict.fromkeys((*guarded, *entity.identifier, *base.attributes))
    size = sum(len(one) + attribute_value_bytes(entity.by_name[one]) for one in carried)
    text = sum(text_bytes(entity.by_name[one]) + 1 for one in guarded) - 1
    if model.style == "single":
        shape = f"{entity.name}{name[:1].upper()}{name[1:]}Guard"
        start = f"PK{entity.token}#{name.upper() or 'ID'}#SKAType{shape}"
        return size + len(start) + text
    if is_native(model, Key(guarded, ()), guarded):
        return size
    return size + len("_".join(guarded)) + 4 * (len(guarded) == 1) + text


def _joined_by_a_sign(sizes: list[float]) -> float:
    return sum(sizes) + len(sizes) - 1


def longer_bytes(
    model: Model, key: Key, asked: Asked, tests: Iterable[str], names: frozenset[str] | None
) -> float:
    """Bytes that what a read finds by constants has more than the average, as their values are longer.

    `tests`: what is tested after the reading; `names`: what an index holds besides keys, None for all.
    """
    found, only = 0.0, dict(key.only)
    for name in asked.equals:
        attribute, values = model.entity.by_name[name], asked.values(name)
        if not values or name in tests or name not in key.decided_by or attribute.type != "S":
            continue
        parts = [part for part in parts_of(model, key) if name in part]
        composed = sum(not is_native(model, key, part) for part in parts)
        held = names is None or name in names or composed < len(parts)
        sizes = [len(value.encode()) for value in values]
        longer = sum(sizes) / len(sizes) - attribute_value_bytes(attribute)
        found += longer * (held + (0 if name in only else composed))
    return found
