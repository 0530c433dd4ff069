"""What a write does to the keys of an entity: what it puts and deletes, and what it must read first."""

from collections.abc import Iterable

from designer.core.capacity.sizes import attribute_value_bytes
from designer.core.patterns.base import Member
from tests.enumerator.model import Key, Model
from tests.enumerator.sizes import is_native, parts_of


def entries_written(
    model: Model, key: Key, held: frozenset[str] | None, change: Member
) -> list[tuple[float, float]]:
    """(bytes that an entry has more than the average, how many of these one write puts and deletes, on average)."""
    found, left = membership(model, key, change)
    before, after = more_bytes(model, change, key.decided_by, held)
    if change.verb == "create":
        return [(after, left)]
    if change.verb == "delete":
        return [(before, found)]
    if set(key.decided_by) & model.changed(change):
        return [(before, found), (after, left)]
    both = max(before, after)
    if change.verb == "upsert":
        return [(both, left)]
    return [(both, found if held is None or held & model.changed(change) else 0.0)]


def larger(model: Model, change: Member) -> float:
    """The bytes that the item of a write has more than the average one, before it or after it: the larger counts."""
    before, after = more_bytes(model, change)
    if change.verb == "create":
        return after
    return before if change.verb == "delete" else max(before, after)


def _more_of_each(model: Model, change: Member) -> list[tuple[str, float, float]]:
    found = []
    for one in model.entity.stored:
        if one.present < 1:
            size = len(one.name) + attribute_value_bytes(one)
            before, after = membership(model, Key((one.name,), ()), change)
            found.append((one.name, (before - one.present) * size, (after - one.present) * size))
    return found


def more_bytes(
    model: Model,
    change: Member,
    surely: Iterable[str] = (),
    held: frozenset[str] | None = None,
) -> tuple[float, float]:
    """The same before and after. `surely`: what is in each entry of an index; `held`: what is in one, None for all."""
    each = [
        (before, after)
        for name, before, after in _more_of_each(model, change)
        if name not in surely and (held is None or name in held)
    ]
    return sum(before for before, _ in each), sum(after for _, after in each)


def membership(model: Model, key: Key, change: Member) -> tuple[float, float]:
    """The share of the items that a write finds in an index, and the share it leaves there."""
    before = after = 1.0
    only = dict(key.only)
    for name in key.decided_by:
        values = only.get(name)
        usual = model.share_of(name, values) if values else model.entity.by_name[name].present
        now, then = _told(change, name, values), _becomes(model, change, name, values)
        if now is None and then == 0 and change.verb == "update":
            now = _leaving(model, name, values)
        if _is_demanded(change, name):
            usual /= model.entity.by_name[name].present
        if values and _asks_nothing(change, name):
            usual = max(usual, _moved(model, change, name, values))
        before *= usual if now is None else now
        after *= then if then is not None else usual if now is None else now
    return before, after


def _told(change: Member, name: str, values: tuple[str, ...] | None) -> float | None:
    """What a write's conditions say of the item before it, or the caller, who knows what it has."""
    for condition in change.required:
        if condition.attribute == name:
            if condition.missing:
                return 0.0
            if condition.is_ is not None and condition.is_.value is not None:
                return float(values is None or condition.is_.value in values)
    return 1.0 if values is None and _is_demanded(change, name) else None


def _made(change: Member, name: str, values: tuple[str, ...] | None) -> float | None:
    """What a write makes of an attribute."""
    if name in change.remove:
        return 0.0
    side = change.set.get(name)
    if side is not None and side.value is not None:
        return float(values is None or side.value in values)
    if values is None and (side is not None or name in change.add or name in change.greatest):
        return 1.0
    return None


def _becomes(
    model: Model, change: Member, name: str, values: tuple[str, ...] | None
) -> float | None:
    """The same; where a caller says the value, as common as it is, but never the one that there was."""
    made = _made(change, name, values)
    if made is not None or name not in change.set or not values:
        return made
    had = [one.is_.value for one in change.required if one.attribute == name and one.is_]
    before = tuple(str(value) for value in had if value is not None)
    left = model.entity.by_name[name].present - model.share_of(name, before)
    others = tuple(set(values) - set(before))
    moved = _moved(model, change, name, others, before)
    return max(moved, model.share_of(name, others) / left) if left > 0 else None


def _moved(
    model: Model, change: Member, name: str, values: Iterable[str], before: Iterable[str] = ()
) -> float:
    """Of items that callers move from value to value, the share that gets some: each as often as another."""
    attribute, side = model.entity.by_name[name], change.set.get(name)
    if change.verb != "update" or side is None or side.param is None:
        return 0.0
    if not attribute.shares or attribute.present < 1:
        return 0.0
    shares = dict(zip(attribute.listed, attribute.shares, strict=True))
    possible = {value for value, share in shares.items() if share and value not in before}
    return len(possible & set(values)) / max(1, len(possible))


def _asks_nothing(change: Member, name: str) -> bool:
    """Whether a write's conditions leave open which value an attribute has before it."""
    tests = [one for one in change.required if one.attribute == name]
    sides = [side for one in tests for side in (one.is_, one.not_, one.any_of)]
    is_fixed = any(side is not None and side.value is not None for side in sides)
    return not is_fixed and not any(one.missing for one in tests)


def _is_demanded(change: Member, name: str) -> bool:
    tests = [one for one in change.required if one.attribute == name]
    met = any(not one.missing and one.not_ is None for one in tests)
    return met or name in (*change.by, *change.given)


def _leaving(model: Model, name: str, values: tuple[str, ...] | None) -> float | None:
    """No more items leave an index than came into it, unless callers choose the values, or nothing makes items."""
    if not any(change.verb in ("create", "upsert") for change, _, _ in model.writes):
        return None
    usual = model.share_of(name, values) if values else model.entity.by_name[name].present
    entering = leaving = least = 0.0
    for change, rate, _ in model.writes:
        told, made = _told(change, name, values), _becomes(model, change, name, values)
        if made is None and change.verb in ("create", "upsert"):
            made = usual
        if change.verb == "update" and told is None and made == 0:
            leaving += rate
            continue
        if change.verb == "update" and told is None and made and made < 1:
            present = model.entity.by_name[name].present
            told = least = usual / present if _is_demanded(change, name) else usual
            if values and _asks_nothing(change, name):
                told = max(told, _moved(model, change, name, values))
        if made is not None:
            entering += rate * (made - (told or 0.0))
    return min(1.0, max(least, entering / leaving)) if leaving else None


def hottest_written(model: Model, key: Key, change: Member) -> float:
    """Share of a write's entries on the busiest partition: a constant that it sets is the same for all it puts."""
    constants = [name for name, side in change.set.items() if side.value is not None]
    found, left = membership(model, key, change)
    if change.verb in ("create", "delete"):
        found, left = (0.0, left) if change.verb == "create" else (found, 0.0)
    taken, put = model.hottest(key), model.hottest(key, constants)
    return (found * taken + left * put) / ((found + left) or 1.0)


def reads_first(model: Model, base: Key, key: Key, change: Member) -> bool:
    """Whether an update must read the item to write a composed key anew (rule 13)."""
    if change.verb == "create" or (change.verb != "update" and key.kind != "copy"):
        return False
    changed = model.changed(change)
    available = model.known(change) | set(base.attributes) | {*change.set, *change.remove}
    available |= set(change.greatest)
    if key.kind == "copy":
        return change.verb != "upsert" and not set(key.attributes) <= available
    for part in parts_of(model, key):
        parts = {*part, *waits_for(model, key, part)}
        if is_native(model, key, part) or not parts & changed or _goes(model, key, parts, change):
            continue
        if _stays(model, key, parts, change):
            continue
        if parts - available or parts & set(change.add):
            return True
    return False


def waits_for(model: Model, key: Key, part: tuple[str, ...]) -> tuple[str, ...]:
    """A part is left out with the other one, so that no sparse item keeps half a key, where that is free."""
    only = dict(key.only)
    sparse = [n for n in key.decided_by if n in only or model.entity.by_name[n].present < 1]
    others = tuple(name for name in sparse if name not in part)
    if not is_read_for(model, key, (*part, *others)):
        return others
    composed = [one for one in parts_of(model, key) if not is_native(model, key, one)]
    if key.hidden and all(is_read_for(model, key, (*one, *key.hidden)) for one in composed):
        return key.hidden
    return ()


def is_read_for(model: Model, key: Key, names: tuple[str, ...]) -> bool:
    """Whether an update that changes some attributes would have to read others of them first."""
    for change, _, _ in model.writes:
        if change.verb == "update" and set(names) & model.changed(change):
            told = model.known(change) | {*change.set, *change.remove, *change.greatest}
            left = _goes(model, key, names, change) or _stays(model, key, names, change)
            if set(names) - told and not left:
                return True
    return False


def _stays(model: Model, key: Key, parts: Iterable[str], change: Member) -> bool:
    """Whether an update makes one value into another of which the key has both, and shows neither."""
    only, changed = dict(key.only), model.changed(change) & set(parts)
    return change.verb == "update" and all(
        name in key.hidden
        and _told(change, name, only[name]) == 1
        and _made(change, name, only[name]) == 1
        for name in changed
    )


def _goes(model: Model, key: Key, parts: Iterable[str], change: Member) -> bool:
    """Whether a write surely leaves a part of a key out."""
    only = dict(key.only)
    return any(
        _made(change, name, only.get(name)) == 0
        or (name not in model.changed(change) and _told(change, name, only.get(name)) == 0)
        for name in parts
    )


def can_follow(model: Model, key: Key) -> bool:
    """ADD changes a number by itself, and no text that holds it."""
    added = {name for change, _, _ in model.writes for name in change.add}
    return all(
        is_native(model, key, part) or not added & set(part) for part in parts_of(model, key)
    )
