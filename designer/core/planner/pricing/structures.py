"""What a choice of structures costs: its writes, its storage, and the reads before writes."""

from collections.abc import Iterable
from functools import lru_cache

from designer.core.dynamodb.limits import ITEM_OVERHEAD_BYTES, LSIS, PARTITION_WRITES
from designer.core.dynamodb.prices import SECONDS_PER_MONTH
from designer.core.planner.model.entity_facts import charged
from designer.core.planner.model.entity_model import EntityModel
from designer.core.planner.model.falling import (
    Fall,
    Falls,
    Load,
    moved_between,
    names_one_item,
)
from designer.core.planner.model.reads_and_writes import EntityRead, EntityWrite
from designer.core.planner.model.score import Score, exact
from designer.core.planner.model.structures import Access, Projection, Projections, Structure
from designer.core.planner.model.worth import (
    BARE,
    COPY,
    EDGE_COPY,
    GUARD,
    INDEX,
    ODD_KEY,
    REWRITE,
    STRANGE_KEY,
    besides,
    stated_worth,
)
from designer.core.planner.pricing.guards import guards_stored
from designer.core.planner.pricing.write_costs import Costs, WriteCost, unroomy, write_costs
from designer.core.rational import Fraction


def owning_score(
    model: EntityModel, base: Structure, projections: Projections, guard: bool, keys: float
) -> Score:
    """What it costs to keep these structures: every write, and storage."""
    return _owning_score(model, base, tuple(projections.items()), guard, keys)


@charged
def _owning_score(
    model: EntityModel,
    base: Structure,
    opened: tuple[tuple[Structure, Projection], ...],
    guard: bool,
    keys: float,
) -> Score:
    projections = dict(opened)
    unserved = violated = hot = 0
    usd = storage_usd(model, base, projections, guard, keys)
    unrated = unrated_bytes = requests = more = peak = Fraction(0)
    costs = write_costs(model, base, projections, guard, keys)
    for write, cost in costs:
        units = cost.write_units
        peak += exact(write.peak or 0) * units
        if not cost.addressable:
            unserved += 1
        violated += _asks_too_often(write, cost)
        if write.average is None:
            unrated += cost.requests
            unrated_bytes += units * 1024
            continue
        rate = exact(write.average)
        requests += rate if cost.requests == 1 else rate * cost.requests
        besides = cost.requests - (not write.transactional)
        if besides:
            more += rate * besides
        usd += _usd_of_a_unit(model, write.average) * units
        if cost.reads:
            usd += rate * cost.reads * model.prices.read_unit * SECONDS_PER_MONTH
    if peak > PARTITION_WRITES:  # else no partition of theirs can take more
        for structure in (base, *projections):
            hot += hottest_writes(model, structure, costs) > PARTITION_WRITES
    unserved += len(unroomy(model, costs))
    violated += max(0, sum(structure.kind == "local" for structure in projections) - LSIS)
    return Score(
        unserved=unserved,
        violated=violated,
        usd=usd,
        unrated_requests=unrated,
        unrated_bytes=unrated_bytes,
        requests=requests,
        structures=len(projections),
        penalty=more * model.a_request + _charges(model, base, projections, guard, costs),
        hot=hot,
    )


def _charges(
    model: EntityModel, base: Structure, projections: Projections, guard: bool, costs: "Costs"
) -> Fraction:
    """What structures count for besides what they cost, with the objective `simplest`.

    Each has its charge. Writes without a rate count as assumed, and how a key is written for nothing.
    """
    found = sum((kept_charge(model, structure) for structure in projections), Fraction(0))
    if not model.worth:
        return found
    found += GUARD * model.worth * guard
    if any(
        set(unique) <= set(base.partition) and not set(unique) <= set(model.entity.identifier)
        for unique in model.uniques
    ):
        found += REWRITE * model.worth  # the identifier names its item, and a guard keeps the other
    identifier = model.entity.identifier
    is_longer = bool(model.made_of(base) - set(identifier))
    begins_so = not base.partition or base.partition[0] == identifier[0]
    found += ODD_KEY * model.worth * (is_longer + (not begins_so))
    if not begins_so and (model.name, base.partition[0]) not in model.design.referred:
        found += STRANGE_KEY * model.worth
    padding = model.padding(base)
    for structure in projections:
        padding += model.density(structure) * (
            model.padding(base) + (1 + structure.is_index) * model.padding(structure)
        )
    found += exact(round(padding * (model.entity.items or 0))) * model.prices.byte_month
    for write, cost in costs:
        found += _assumed(model, write, cost.write_units, cost.reads)
    return found


@charged
def kept_charge(model: EntityModel, structure: Structure) -> Fraction:
    """What a structure has to save besides its price, in US dollars a month."""
    bare = besides(model.design, BARE * stated_worth(model.design) * structure.bare)
    return _things(model, structure) * model.worth + bare


def charged_things(model: EntityModel, projections: Iterable[Structure], guard: bool) -> Fraction:
    """What the structures of an entity and its guard are charged, in multiples of an index."""
    found = GUARD * guard
    for structure in projections:
        found += _things(model, structure)
    return found


def _things(model: EntityModel, structure: Structure) -> Fraction:
    if structure.kind != "copy":
        return INDEX
    return EDGE_COPY if model.is_edge else COPY


@charged
def assumed_rate(model: EntityModel) -> Fraction:
    """Writes of one item a second by each pattern of an entity whose writes all have no rate: each once a month."""
    writes = [write for write in model.writes if write.verb != "check"]
    if not model.worth or not writes or any(write.average is not None for write in writes):
        return Fraction(0)
    return exact(model.items) / SECONDS_PER_MONTH / len(writes)


def _assumed(
    model: EntityModel, write: EntityWrite, written: Fraction, read: Fraction = Fraction(0)
) -> Fraction:
    """What units of a write without a rate count for, so that indexes on such items are not free."""
    rate = assumed_rate(model) if write.average is None and write.times else 0
    if not rate:
        return Fraction(0)
    usd = written * model.prices.write_unit + read * model.prices.read_unit
    return rate / exact(write.times) * usd * SECONDS_PER_MONTH


def _asks_too_often(write: EntityWrite, cost: WriteCost) -> bool:
    """Whether a write takes more requests than the team allows."""
    limit = None if write.is_upkeep else write.pattern.at_most_requests
    return limit is not None and cost.requests + (1 if write.transactional else 0) > limit


def needed_once(
    model: EntityModel, base: Structure, before: Costs, after: Costs, uncopied: Costs
) -> dict[object, Score]:
    """What more structures make writing the item itself cost, by what several of them need only once.

    That is: reading it before a write, writing it in a transaction, its steps of 1 KB that their keys reach (of what
    is `uncopied`: without whole copies), its heat, and that a transaction has no room for so many copies. Entries and
    copies are left out: each has its own.
    """
    found: dict[object, Score] = {}
    steps = Score()
    for at, ((write, old), (_, new), (_, plain)) in enumerate(
        zip(before, after, uncopied, strict=True)
    ):
        if new.requests != old.requests or new.reads != old.reads:
            asked = new.requests - old.requests
            violated = int(_asks_too_often(write, new)) - int(_asks_too_often(write, old))
            if write.average is None:
                assumed = _assumed(model, write, Fraction(0), new.reads - old.reads)
                found["read", at] = Score(
                    unrated_requests=asked, violated=violated, penalty=assumed
                )
            else:
                rate = exact(write.average)
                usd = rate * (new.reads - old.reads) * model.prices.read_unit * SECONDS_PER_MONTH
                penalty = rate * asked * model.a_request
                found["read", at] = Score(
                    usd=usd, requests=rate * asked, violated=violated, penalty=penalty
                )
        if new.transactional and not old.transactional:
            found["transaction", at] = _written(model, write, old.table)
        if plain.table != old.table:
            steps += _written(model, write, plain.table - old.table)
    if steps != Score():
        found["steps"] = steps
    crowded = unroomy(model, before)
    for number in unroomy(model, after):
        if number not in crowded:
            found["room", number] = Score(unserved=1)
    if _runs_hot(model, base, after) and not _runs_hot(model, base, before):
        found["heat"] = Score(violated=1)
    return found


def _written(model: EntityModel, write: EntityWrite, units: Fraction) -> Score:
    """What some units of a write cost."""
    if write.average is None:
        return Score(unrated_bytes=units * 1024, penalty=_assumed(model, write, units))
    return Score(usd=_usd_of_a_unit(model, write.average) * units)


@charged
def _usd_of_a_unit(model: EntityModel, average: float) -> Fraction:
    """What one unit costs a month that is written so often."""
    return exact(average) * model.prices.write_unit * SECONDS_PER_MONTH


def _runs_hot(model: EntityModel, base: Structure, costs: Costs) -> bool:
    """Whether writes are too much for one partition of the table."""
    peak = sum((exact(write.peak or 0) * cost.table for write, cost in costs), Fraction(0))
    return peak > PARTITION_WRITES and hottest_writes(model, base, costs) > PARTITION_WRITES


def stored_bytes(
    model: EntityModel, base: Structure, projections: Projections, guard: bool, keys: float
) -> float:
    """Billed bytes of an entity's items, guards and index entries."""
    one = model.own_bytes + keys + ITEM_OVERHEAD_BYTES
    guards = guards_stored(model, base, guard)
    entries = 0.0
    for structure, projection in projections.items():
        entry = model.entry_bytes(base, structure, projection, keys) + ITEM_OVERHEAD_BYTES
        entries += entry * model.density(structure)
    return (one + guards + entries) * float(model.entity.items or 0)


def storage_usd(
    model: EntityModel, base: Structure, projections: Projections, guard: bool, keys: float
) -> Fraction:
    return (
        exact(round(stored_bytes(model, base, projections, guard, keys))) * model.prices.byte_month
    )


def hottest_writes(model: EntityModel, structure: Structure, costs: Costs) -> Fraction:
    """Write units a second on the busiest partition of a structure when every pattern runs at its peak."""
    falls = []
    for write, cost in costs:
        units = cost.table
        if structure.is_index:
            units = dict(cost.indexes).get(structure, Fraction(0))
        if units and write.peak:
            falls.append(_fall(model, structure, write, exact(write.peak) * units))
    only = {name: values for name, values in structure.only if len(values) > 1}
    found = Falls(tuple(falls), model.entity.by_name.get, only).on_hottest()
    return sum(found, Fraction(0))


def _fall(model: EntityModel, structure: Structure, write: EntityWrite, units: Fraction) -> Fall:
    """Where in a structure's key the units of a write fall."""
    stated, of_one = write.pattern.hottest, names_one_item(model.entity, write.change)
    busier = model.busier_of(write)

    def share(constants: frozenset[str]) -> Fraction:
        is_new = write.writes_whole and not of_one
        found = model.share_of_hottest(
            structure, stated, is_new, constants, of_one=of_one, busier=busier
        )
        return exact(found)

    alike = {name for name, values in structure.only if len(values) == 1}
    varying = frozenset(structure.partition) - alike
    old = {name: text for name, text in write.found_with.items() if name in varying}
    new = {name: text for name, text in write.left_with.items() if name in varying}
    shards = model.shards(structure, of_one and (stated is not None or bool(busier)))
    if not structure.is_index:
        return Fall(share, shards, stays=Load(units, {**old, **new}))
    _, left = model.membership(structure, write)
    moved, staying = model.entries_written(structure, write)
    put = max(0.0, left - staying)
    taken, every = max(0.0, moved - put), (moved + staying) or 1.0
    changed = model.keys_changed(structure, write) if write.verb == "update" else frozenset()
    moves, not_before, not_after = moved_between(old, new, changed, varying)

    def part(entries: float) -> Fraction:
        return units * exact(entries) / exact(every)

    return Fall(
        share,
        shards,
        stays=Load(part(staying), {**old, **new}),
        put=Load(part(put), new, not_after),
        taken=Load(part(taken), old, not_before),
        moves=moves,
    )


def hottest_reads(
    model: EntityModel,
    entity_read: EntityRead,
    access: Access,
    peak: float | None,
    stated: float | None,
) -> Fraction:
    """Read units a second of an entity read on the busiest partition of the structure that answers it, at its peak.

    With a second read this is the first. `stated`: the share of the pattern's traffic on its hottest key. A query there
    reads the busiest collection.
    """
    if access.structure is None or peak is None:
        return Fraction(0)
    if entity_read.others:
        entity_read = entity_read.ways[access.way]
    constants, asked = entity_read.constants, frozenset(entity_read.equals)
    busier = entity_read.busier
    if busier and entity_read.is_dependent:
        asked -= dict(busier).keys()  # the rows say these, and not the caller
    # Each of the values of a fixed list is asked for each time.
    constants |= {one.of for one in entity_read.lists.values() if one.always}
    of_one = entity_read.times <= 1 and entity_read.names_one_item(model.entity)
    share = model.share_of_hottest(
        access.structure, stated, False, constants, asked, of_one, busier
    )
    units = access.busiest_units
    if units is None:
        units = access.units if access.then is None else access.units - access.then[3]
    return _asked_there(peak, entity_read.times, share) * units


def hottest_second_reads(
    model: EntityModel, base: Structure, entity_read: EntityRead, access: Access, peak: float | None
) -> Fraction:
    """Read units a second on the table's busiest partition when a second read gets the items there."""
    if access.then is None or peak is None:
        return Fraction(0)
    return _asked_there(peak, entity_read.times, model.hottest_share(base)) * access.then[3]


@lru_cache(maxsize=4096)
def _asked_there(peak: float, times: float, share: float) -> Fraction:
    """How often a second a partition is asked that gets a share of what is asked so often."""
    return exact(peak) * exact(times) * exact(share)


def keys_bytes(model: EntityModel, base: Structure, structures: Iterable[Structure]) -> float:
    """What the key attributes of some structures add to each item."""
    return model.key_bytes(base) + sum(model.added_bytes(s) for s in structures if s.is_index)
