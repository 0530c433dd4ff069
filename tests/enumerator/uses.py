"""How a read uses a key."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, product
from math import prod

from designer.core.dynamodb.limits import (
    FEW_PAGES,
    MOST_DROPPED,
    PAGE_BYTES,
    SELDOM,
    SMALL_COLLECTION_BYTES,
    TRANSACTION_BYTES,
    TRANSACTION_ITEMS,
)
from tests.enumerator.lists import is_uneven, together
from tests.enumerator.model import Asked, Key, Model
from tests.enumerator.pages import Rows
from tests.enumerator.sizes import is_native, parts_of

SAME = 1e-9
"""Figures closer than this part of them are the same."""
TRANSACTED = 2.0
"""Read units of 4 KB in a transaction."""


@dataclass(frozen=True)
class Use:
    """How a read uses a key."""

    asked: Asked
    """The read, with the range and the list that the key serves."""
    read: float
    """Items read each time."""
    returned: float
    """Items of the answer."""
    left: float
    """Items that a second read gets, each time: what is sorted by the caller is cut only after that."""
    tests: frozenset[str]
    """What must be on the items to test them."""
    sorts: frozenset[str]
    """What must be on the items for the caller to sort them."""
    get: bool = False
    shards: int = 1
    """Partitions that are asked."""

    held: float = 0.0
    """Items that would be read without a limit."""
    merged: bool = False
    """Several readings give keys in the order that is asked, of which a second read gets the first few of all."""
    unmerged: bool = False
    """Several partitions give so many, and not in the order that is asked: no few of them are the first."""
    ends_early: bool = False
    """It reads in the order that is asked, up to the limit."""
    times: float = 1.0
    """How often that is: for each element of a list in the key."""
    found: float = 0.0
    """Of what is held, the items that are asked for."""
    apart: tuple[tuple[float, float], ...] = ()
    """How often how many times as many items as usual have a value that is tested; empty where no value is rarer."""
    uneven: tuple[tuple[float, float], ...] = ()
    """How often how many times as many items as usual lie in a partition; empty where all are alike."""
    usual: "Use | None" = None
    """The same where filters keep what their shares say, and no list that is tested says less."""
    busy: "tuple[tuple[float, Use], ...]" = ()
    """How often the busiest partition, which has more items, is read how; empty: as any other."""
    late: frozenset[str] = frozenset()
    """What is tested of the items that a second read got: of these `left` has all that pass what is tested before."""

    @property
    def heavy(self) -> tuple[tuple[float, float], ...]:
        """How often so many items of the busiest partition are read."""
        return tuple((often, one.each) for often, one in self.busy) or ((1.0, self.each),)

    @property
    def each(self) -> float:
        """Items read of each partition: its part of what all hold, and no more than a reading in order needs."""
        each = self.read if self.shards == 1 else min(self.read, self.held / self.shards)
        if not self.ends_early or not self.tests or self.asked.limit is None:
            return each
        held = self.held / self.shards
        found = self.found / self.held if self.held else 1.0
        apart = tuple(
            (in_key * often, self.asked.limit / (found * times), held * more)
            for in_key, more in self.uneven or ((1.0, 1.0),)
            for often, times in self.apart or ((1.0, 1.0),)
            if self.uneven or self.apart
        )
        return Rows.of(each, self.asked.limit, held, apart)

    @property
    def share(self) -> float:
        """What the answer has of what is read, where filters keep what they usually do if that is more."""
        share = self.returned / self.read
        return share if self.usual is None else max(share, self.usual.share)

    def beats(self, other: "Use") -> bool:
        """Whether it reads no more of an item, an entry or a partition, drops no more of it, and tests no more."""
        return (
            self.read <= other.read * (1 + SAME)
            and self.left <= other.left * (1 + SAME)
            and self.held <= other.held * (1 + SAME)
            and self.share >= other.share * (1 - SAME)
            and is_no_heavier(self.heavy, other.heavy)
            and self.times <= other.times
            and self.tests <= other.tests
            and self.sorts <= other.sorts
            and self.get >= other.get
            and self.late == other.late
            and self.merged <= other.merged
            and self.unmerged <= other.unmerged
        )


def uses_of(model: Model, asked: Asked, key: Key) -> list[Use]:
    """How a read may use a key, by each range and list that a key may serve, but what another beats."""
    found = [use_of(model, way, key) for way in asked.ways]
    if key.kind in ("index", "local") and may_go_twice(model, asked):
        found += [
            use_of(model, use.asked, key, frozenset(late))
            for use in found
            if use is not None and (asked.limit is None or use.shards == 1)
            for changing in [sorted(use.tests & model.mutable - held_as_keys(model, key))]
            for size in range(1, len(changing) + 1)
            for late in combinations(changing, size)
        ]
    kept: list[Use] = []
    for use in found:
        if use is not None and not any(other.beats(use) for other in kept):
            kept = [other for other in kept if not use.beats(other)] + [use]
    return kept


def held_as_keys(model: Model, key: Key) -> set[str]:
    """The attributes of an index's key that its entries have under their own names."""
    return {name for part in parts_of(model, key) if is_native(model, key, part) for name in part}


def use_of(model: Model, asked: Asked, key: Key, late: frozenset[str] = frozenset()) -> Use | None:
    """How a read uses a key; None when it cannot, or when items of the answer are not there.

    `late`: what is tested only of the items that a second read gets, in whatever order and before any limit.
    """
    given = set(asked.equals)
    index = key.kind in ("index", "local")
    if not is_of_one_moment(model, asked):
        return None
    if not set(key.partition) <= given or (key.kind == "index" and asked.strong):
        return None
    sure = given | {*asked.exists, *asked.order, *asked.also}
    if asked.range is not None:
        sure.add(asked.range.attribute)
    if any(model.entity.by_name[n].present < 1 and n not in sure for n in key.attributes):
        return None
    for name, among in key.only:
        values = asked.values(name) if name in given else ()
        if not values or not set(values) <= set(among):
            return None
    bound = 0
    while bound < len(key.sort) and key.sort[bound] in given:
        bound += 1
    fixed = {*key.partition, *key.sort[:bound]}
    rest = key.sort[bound:]
    ranged = asked.range is not None and rest[:1] == (asked.range.attribute,)
    ordered = rest[: len(asked.order)] == asked.order and not (late and asked.limit)
    may_be_sorted = index and asked.limit and not model.mutable & set(asked.order)
    if may_be_sorted and not ordered and not model.stays_small(fixed):
        return None  # a limited pattern is read no further than its limit
    shards = 1 if spread_by(model, key) in given else key.shards
    get = not index and made_of(model, key) <= given
    if asked.factor >= TRANSACTED and not get:
        return None  # no transaction contains a Query
    fixed |= key.alike  # all that is in it has these
    keyed = {n for n in asked.lists if n in (fixed if asked.more and not get else key.attributes)}
    is_each = bool(keyed)
    # Nor has it anything else than what a list asks for.
    fixed |= {n for n in key.hidden if set(dict(key.only)[n]) == set(asked.values(n))}
    if asked.more and len((keyed | fixed) & asked.lists.keys()) < 2:
        return None  # another way has the one list that it serves
    times = model.combinations(asked, keyed)
    read = model.of_each(asked, [name for name in asked.equals if name in fixed])
    read *= model.combinations(asked, (asked.lists.keys() & fixed) - keyed)
    for name, among in key.only:
        if name in key.hidden and name not in fixed:
            read *= model.share_of(name, among)
    returned = model.of_each(asked, asked.equals)
    for name in asked.exists:
        present = model.there(asked, name)
        returned *= present
        if name in key.attributes:
            read *= present
    # One reading finds the items of all elements of what is not in the key.
    returned *= model.combinations(asked, asked.lists.keys() - keyed)
    read = max(read, returned)
    usual = returned * model.usual(asked)
    returned = usual if asked.rows is None else min(usual, asked.rows / times)
    if asked.is_named and asked.rows is not None:
        usual = returned = asked.rows / times
        read = max(read, returned)
    if index:
        read *= model.held(asked, key.attributes)
    if ranged and asked.range is not None:
        read *= model.kept(asked.range) / model.entity.by_name[asked.range.attribute].present
    filtered = {condition.attribute for condition in asked.filters}
    there = {n for n in asked.order if model.entity.by_name[n].present < 1} | set(asked.exists)
    tests = filtered | (given - fixed) | (there - set(key.attributes))
    if asked.range is not None and not ranged:
        tests |= {asked.range.attribute}
    got = 0.0
    if late:
        got = model.of_each(asked, [name for name in asked.equals if name not in late])
        early = [one for one in asked.filters if one.attribute not in late]
        early += [] if asked.range is None or asked.range.attribute in late else [asked.range]
        early_there = {*asked.equals, *asked.exists} - late
        got *= model.kept_by_all(early, early_there)
        got *= prod(model.there(asked, n) for n in asked.exists if n not in late)
        got *= model.combinations(asked, asked.lists.keys() - keyed - late)
        tests -= late
    # What several partitions give in order is merged by what it is sorted by.
    is_merged = shards > 1 or asked.listed is not None
    sorts = frozenset(asked.order) if is_merged or not ordered else frozenset()
    if get:
        return Use(asked, 1.0, 1.0, 1.0, tests, sorts, True, times=times)
    limited = asked.limit is not None
    merged = limited and ordered and (shards > 1 or is_each)
    unmerged = limited and shards > 1 and not ordered

    alike = ((1.0, 1.0),)
    apart = model.uneven(asked, is_each) if asked.limit is not None else {}
    uneven = combined(apart.values())
    in_all = combined(model.uneven(asked, False).values()) if asked.limit is not None else alike
    known = given & fixed
    in_key = combined(values for name, values in apart.items() if name in known)

    def use(found: float, times_as_many: float | None = None) -> Use:
        of, of_key = (uneven, in_key) if times_as_many is None else (alike, alike)
        there, found = read * (times_as_many or 1.0), found * (times_as_many or 1.0)
        share = min(1.0, found / there)
        many, kept, left = there, found, found
        if asked.limit is not None:
            kept = sum(often * min(found * times, asked.limit) for often, times in of)
            if ordered:
                enough = asked.limit / share
                many = sum(often * min(there * times, enough) for often, times in of_key)
                left = kept
                if merged:  # however many readings, the limit is for all of them
                    whole = in_all if times_as_many is None else alike
                    every = ((often, found * more * times) for often, more in whole)
                    left = sum(often * min(one, asked.limit) for often, one in every) / times
        left = max(left, got)
        return Use(
            *(asked, many, kept, left, tests, sorts, False, shards, there, merged, unmerged),
            ends_early=asked.limit is not None and ordered,
            times=times,
            found=min(there, found),
            apart=apart_by_value(model, asked, given - fixed, share),
            uneven=of_key if of_key != alike else (),
            late=late,
        )

    busy = tuple((often, use(usual, more)) for often, more in busiest(model, asked, key, bound))
    return replace(use(returned), usual=use(usual), busy=busy)


def combined(uneven: Iterable[Sequence[tuple[float, float]]]) -> tuple[tuple[float, float], ...]:
    """How often how many times as many items have values of several attributes, which have nothing to do with
    each other."""
    return tuple(
        (prod(often for often, _ in each), prod(times for _, times in each))
        for each in product(*uneven)
    )


def apart_by_value(
    model: Model, asked: Asked, tested: set[str], share: float
) -> tuple[tuple[float, float], ...]:
    """How often how many times as many items as usual have the one value that is tested and may be rare or common.

    Nothing where what else is known brings more of them than there are by chance: it goes together with the value.
    """
    if asked.rows is not None:
        return ()
    names = [name for name in tested if asked.equals[name] is None and name not in asked.said]
    every = {name: model.occurring(name) for name in names}
    for name in asked.lists.keys() & every.keys():
        listed = every.pop(name)
        if is_uneven(listed) and not asked.lists[name][0]:
            every[name] = together(listed, model.length(asked, name))
    found = [*every.values(), *map(model.given, asked.filters)]
    found = [values for values in found if is_uneven(values)]
    if len(found) != 1:
        return ()
    usual = sum(often * part for often, part in found[0])
    if share > usual * (1 + 1e-6):
        return ()
    return tuple((often, part / usual) for often, part in found[0])


def busiest(model: Model, asked: Asked, key: Key, bound: int) -> list[tuple[float, float]]:
    """How often how many times as many items as usual lie on the busiest partition; empty where no more do.

    A value that the sort key begins with is the busiest as often as it occurs.
    """
    apart = [name for name in key.partition if name in asked.equals]
    below = [name for name in key.sort[:bound] if name not in apart]
    often = prod(model.largest_shares(asked, below).values()) if below else 0.0
    often *= bool(model.largest_shares(asked, below))
    usual, fuller = model.fuller(asked, apart), model.fuller(asked, [*apart, *below])
    if usual == 1 and (not often or fuller == 1):
        return []
    return [(often, fuller), (1 - often, usual)] if often else [(1.0, usual)]


def is_no_heavier(
    one: tuple[tuple[float, float], ...], other: tuple[tuple[float, float], ...]
) -> bool:
    """Whether what is read of a busiest partition is no more, whatever the size of an item."""
    if len(one) != len(other):
        return max(items for _, items in one) <= min(items for _, items in other) * (1 + SAME)
    return all(
        mine[0] == theirs[0] and mine[1] <= theirs[1] * (1 + SAME)
        for mine, theirs in zip(one, other, strict=True)
    )


def spread_by(model: Model, key: Key) -> str | None:
    """The attribute of the identifier that spreads the items of a partition; None where there is one item."""
    free = [name for name in model.entity.identifier if name not in key.partition]
    return max(free, key=model.distinct, default=None)


def made_of(model: Model, key: Key) -> set[str]:
    """The attributes that say where an item lies."""
    source = spread_by(model, key) if key.shards > 1 else None
    return {*key.attributes, *([source] if source else [])}


def keeps_together(model: Model, asked: Asked, key: Key) -> bool:
    """Whether all that is asked for lies in one collection; its first few in order, from its start or its end."""
    there = {*asked.equals, *asked.order}
    return (
        set(key.partition) == set(asked.equals)
        and key.shards == 1
        and not key.only
        and key.kind in ("table", "index")
        and (asked.limit is None or key.sort[: len(asked.order)] == asked.order)
        and all(model.entity.by_name[n].present == 1 or n in there for n in key.attributes)
    )


def is_exact(use: Use, size: float, least: float | None = None) -> bool:
    """Rule 3: at most nine tenths dropped, unless little is read; and less than half of many pages, but by a job.

    `least`: bytes of an entry that holds no more than what is tested. Where little of that is read, and a limit alone
    drops most of it, what else it holds is no reason to refuse it.
    """
    is_figure = use.asked.kind in ("count", "crossed")
    kept = 0.0 if is_figure else use.returned
    is_job = 0 < use.asked.peak <= SELDOM
    dropped = size if least is None or is_figure else min(size, least)
    is_long = (use.read - kept) * dropped > FEW_PAGES * PAGE_BYTES and not is_job
    if is_long and kept <= use.read / 2 * (1 + SAME):
        return False
    some = [use] if use.usual is None else [use, use.usual]
    return any(
        one.read * size <= SMALL_COLLECTION_BYTES
        or one.returned >= one.read * (1 - MOST_DROPPED)
        or (
            one.read * dropped <= SMALL_COLLECTION_BYTES
            and one.left >= one.read * (1 - MOST_DROPPED)
        )
        for one in some
    )


def is_got_exactly(use: Use, size: float) -> bool:
    """The same of the items, of so many bytes, that are got before they are tested."""
    got = replace(use, read=use.left, usual=None)
    return not use.late or is_exact(got, size)


def is_of_one_moment(model: Model, asked: Asked) -> bool:
    """Whether one transaction gets all that a transactional read asks for: by identifiers, as far as it has room."""
    if asked.factor < TRANSACTED:
        return True
    if not model.names_one(asked.equals):
        return False
    items = model.combinations(asked)
    return items <= TRANSACTION_ITEMS and items * model.own_bytes <= TRANSACTION_BYTES


def may_go_twice(model: Model, asked: Asked) -> bool:
    """Rule 23: a point read by identifier takes one request; and a figure is counted where it is read."""
    one = asked.kind == "get" and set(model.entity.identifier) <= set(asked.equals)
    return not one and asked.kind not in ("count", "exists") and not asked.strong
