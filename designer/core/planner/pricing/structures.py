"""What a choice of structures costs: its writes, its storage, and the reads before writes."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache

from designer.core.limits import (
    ITEM_OVERHEAD_BYTES,
    LSIS,
    PARTITION_WRITES,
    TRANSACTION_ITEMS,
)
from designer.core.patterns import Transaction
from designer.core.planner.model.entity_facts import cached
from designer.core.planner.model.entity_model import EntityModel
from designer.core.planner.model.reads_and_writes import EntityRead, EntityWrite
from designer.core.planner.model.score import Score, exact
from designer.core.planner.model.structures import Access, Projection, Projections, Structure
from designer.core.planner.model.worth import (
    BARE,
    COPY,
    EDGE_COPY,
    GUARD,
    INDEX,
    REWRITE,
    stated_worth,
)
from designer.core.planner.pricing.guards import (
    changed_guards,
    guard_bytes,
    guard_writes,
    guards_stored,
    guards_written,
)
from designer.core.prices import SECONDS_PER_MONTH
from designer.core.units import read_units, write_units


@dataclass(frozen=True)
class WriteCost:
    """Units of one write, each time it happens (all its items together)."""

    table: Fraction
    indexes: tuple[tuple[Structure, Fraction], ...]
    reads: Fraction
    requests: Fraction
    addressable: bool = True
    look_up: str | None = None
    """The attribute whose guard leads to the item; the identifier when empty; None: no look-up."""
    read_first: bool = False
    transactional: bool = False
    items: int = 1
    """Items written at the most for each that the pattern speaks of: itself, its copies and guards."""

    @property
    def write_units(self) -> Fraction:
        return sum((units for _, units in self.indexes), self.table)


def needs_identifier_guard(model: EntityModel, base: Structure) -> bool:
    """Whether the identifier alone would not stay unique, or a write could not find its item (rules 1 and 12).

    See docs/modelling-rules.md.
    """
    identifier = set(model.entity.identifier)
    extra = model.made_of(base) - identifier
    if not extra:
        return False
    creates = any(write.verb in ("create", "upsert") for write in model.writes)
    if creates and not model.design.is_generated(model.entity):
        return True
    if model.name in model.requirements.looked_up:
        return False
    return any(
        not extra <= write.known and not _through_unique(model, write)
        for write in model.writes
        if write.verb in ("update", "delete", "check") and not _writes_what_it_reads(write)
    )


def names_its_item(model: EntityModel, base: Structure, write: EntityWrite) -> bool:
    """Whether a write knows its item's base key, or a guard that is there anyway leads to it."""
    return (
        model.made_of(base) <= write.known
        or needs_identifier_guard(model, base)
        or any(name in write.known for name in model.unique)
    )


def _through_unique(model: EntityModel, write: EntityWrite) -> bool:
    return not set(model.entity.identifier) <= write.known and any(
        name in write.known for name in model.unique
    )


def _writes_what_it_reads(write: EntityWrite) -> bool:
    """Whether a query finds the items that are written, so that their keys are known."""
    return write.upkeep is not None or write.deletes_collection


@cached
def unknown_parts(
    model: EntityModel, base: Structure, structure: Structure, write: EntityWrite
) -> frozenset[str]:
    """Components of a structure's composed keys that an update must read first to rewrite the key (rule 13).

    A part that is surely absent afterwards is removed, and needs nothing.
    """
    available = write.known | model.made_of(base) | set(write.change.set) | set(write.change.remove)
    available |= set(write.change.greatest)
    unknown: set[str] = set()
    for part in model.parts(structure):
        if model.is_native(structure, part):
            continue
        parts = {*part, *model.waits_for(structure, part)}
        if model.becomes_absent(structure, parts, write):
            continue
        if parts & write.changed:
            sources = {
                a.source[1] if (a := model.attribute(name)).source else name for name in parts
            }
            unknown |= {name for name in sources if name not in available}
            unknown |= set(write.change.add) & parts
    return frozenset(unknown)


def write_cost(
    model: EntityModel,
    base: Structure,
    projections: Projections,
    write: EntityWrite,
    guard: bool,
    keys: float,
) -> WriteCost:
    """Units of one write under a choice of structures. `guard`: the identifier has a guard item."""
    copies = [s for s in projections if s.kind == "copy"]
    size = model.own_bytes + keys
    whole = write.verb in ("create", "upsert", "delete")
    guards = changed_guards(model, write, guard)
    changed_unique = [name for name in guards if name]
    copies_written = copies if write.verb != "check" else []
    transactional = write.transactional or bool(guards) or bool(copies_written)
    look_up: str | None = None
    reads = Fraction(0)
    requests = Fraction(1)
    addressable = True
    names_item = not whole or write.verb == "delete"
    if names_item and not model.made_of(base) <= write.known and write.upkeep is None:
        if set(model.entity.identifier) <= write.known and guard:
            look_up = ""
        else:
            look_up = next((name for name in model.unique if name in write.known), None)
            through_index = model.name in model.requirements.looked_up  # which a pattern asks
            addressable = look_up is not None or write.deletes_collection or through_index
        if look_up is not None:
            reads += read_units(guard_bytes(model, base, look_up), "strong")
            requests += 1
    read_first = _reads_first(model, base, projections, write, changed_unique)
    if read_first:
        reads += read_units(size, "strong")
        requests += 1
    if write.transactional:
        requests -= 1  # the request is counted once for the whole transaction
    made = size - model.later_bytes if write.verb == "create" else size
    table = write_units(made, transactional)
    for attribute in guards:
        table += guard_writes(model, base, attribute, write)
    items = 1 + len(copies_written) + sum(guards_written(write, name) for name in guards)
    if look_up is not None and write.follows is not None and write.keeps[0].may_have_none:
        items += 1
        table += write_units(guard_bytes(model, base, look_up), True)  # the guard is checked
    for copy in copies_written:
        table += _copy_units(model, base, copy, keys)
    indexes = []
    for structure, projection in projections.items():
        if structure.is_index:
            units = _index_units(model, base, structure, projection, write, keys)
            if units:
                indexes.append((structure, _repeated(units, write)))
    return WriteCost(
        _repeated(table, write),
        tuple(indexes),
        _repeated(reads, write),
        requests,
        addressable,
        look_up,
        read_first,
        transactional,
        items,
    )


def entry_units(
    model: EntityModel,
    base: Structure,
    structure: Structure,
    projection: Projection,
    write: EntityWrite,
    keys: float,
) -> Fraction:
    """Units of one write on the entries of a structure alone, each time it happens (all its items together)."""
    if structure.is_index:
        return _repeated(_index_units(model, base, structure, projection, write, keys), write)
    is_written = write.verb != "check"
    return _repeated(_copy_units(model, base, structure, keys), write) * is_written


def _copy_units(model: EntityModel, base: Structure, copy: Structure, keys: float) -> Fraction:
    """Units of one write on a copy: a transaction writes it with its item."""
    return write_units(model.entry_bytes(base, copy, None, keys), True)


def _repeated(units: Fraction, write: EntityWrite) -> Fraction:
    """Units of all items of a write, by those of one."""
    return units * exact(write.times) if units and write.times != 1 else units


def _reads_first(
    model: EntityModel,
    base: Structure,
    projections: Projections,
    write: EntityWrite,
    changed_unique: list[str],
) -> bool:
    if write.verb in ("create", "check") or write.deletes_collection:
        return False
    if write.needs - write.known:
        return True
    if write.verb == "upsert":
        return bool(changed_unique)
    known = write.known | model.made_of(base)
    if any(name not in known for name in changed_unique):
        return True
    if any(not model.made_of(copy) <= known for copy in projections if copy.kind == "copy"):
        return True
    return write.verb == "update" and any(
        unknown_parts(model, base, structure, write)
        for structure in projections
        if structure.is_index
    )


def _index_units(
    model: EntityModel,
    base: Structure,
    structure: Structure,
    projection: Projection,
    write: EntityWrite,
    keys: float,
) -> Fraction:
    if write.verb == "check":
        return Fraction(0)
    entry = write_units(model.entry_bytes(base, structure, projection, keys))
    found, left = (exact(share) for share in model.membership(structure, write))
    if write.verb in ("create", "delete"):
        return entry * (found + left)
    watched = {*structure.attributes, *(name for name, _ in structure.only)}
    if write.verb == "upsert" or watched & write.changed:
        return entry * (found + left)  # a moved key is deleted in one place and put in another
    if projection is None or projection & write.changed:
        return entry * found
    return Fraction(0)


Costs = list[tuple[EntityWrite, WriteCost]]


def write_costs(
    model: EntityModel, base: Structure, projections: Projections, guard: bool, keys: float
) -> Costs:
    """Every write of an entity with what it costs under a choice of structures."""
    return [(w, write_cost(model, base, projections, w, guard, keys)) for w in model.writes]


def written_together(costs: Costs) -> dict[int, int]:
    """For each transaction by its number, how many items of an entity it writes at the most."""
    found: dict[int, int] = {}
    for write, cost in costs:
        if isinstance(write.pattern, Transaction) and not write.is_upkeep:
            number = write.pattern.number
            found[number] = found.get(number, 0) + write.most * cost.items
    return found


def unroomy(model: EntityModel, costs: Costs) -> list[int]:
    """The transactions that would write more items than one takes, because of how an entity's are kept."""
    together = written_together(costs)
    return [number for number, items in together.items() if items > items_allowed(model, number)]


@cached
def items_allowed(model: EntityModel, number: int) -> int:
    """How many items of an entity a transaction may write, where of others it writes as few as can be."""
    needed = model.requirements
    given = needed.rooms.get((number, model.name))
    if given is not None:
        return given
    names = dict.fromkeys(w.entity for w in needed.writes if w.pattern.number == number)
    others = (replace(model, entity=model.design.entity[n]) for n in names if n != model.name)
    return TRANSACTION_ITEMS - sum(least_together(other, number) for other in others)


def least_together(model: EntityModel, number: int) -> int:
    """How many items of an entity a transaction writes, where none is copied and no key takes a guard."""
    found = 0
    for write in model.writes:
        if write.pattern.number == number and not write.is_upkeep:
            guards = changed_guards(model, write, False)
            found += write.most * (1 + sum(guards_written(write, name) for name in guards))
    return found


def owning_score(
    model: EntityModel, base: Structure, projections: Projections, guard: bool, keys: float
) -> Score:
    """What it costs to keep these structures: every write, and storage."""
    return _owning_score(model, base, tuple(projections.items()), guard, keys)


@cached
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

    Each has its charge. Writes without a rate count as assumed, and prefixes as if each had the same length.
    """
    found = sum((kept_charge(model, structure) for structure in projections), Fraction(0))
    if not model.worth:
        return found
    found += GUARD * model.worth * guard
    if not set(model.unique).difference(model.entity.identifier).isdisjoint(base.partition):
        found += REWRITE * model.worth  # the identifier names its item, and a guard keeps the other
    padding = model.padding(base)
    for structure in projections:
        padding += model.density(structure) * (
            model.padding(base) + (1 + structure.is_index) * model.padding(structure)
        )
    found += exact(round(padding * (model.entity.items or 0))) * model.prices.byte_month
    for write, cost in costs:
        found += _assumed(model, write, cost.write_units, cost.reads)
    return found


@cached
def kept_charge(model: EntityModel, structure: Structure) -> Fraction:
    """What a structure has to save besides its price, in US dollars a month."""
    bare = BARE * stated_worth(model.design) * structure.bare
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


@cached
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


@cached
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
    peak = Fraction(0)
    for write, cost in costs:
        units = cost.table
        if structure.is_index:
            units = dict(cost.indexes).get(structure, Fraction(0))
        is_new = write.verb in ("create", "upsert")
        if not units:
            continue
        stated = write.pattern.hottest
        share = model.share_of_hottest(structure, stated, is_new)
        set_to = model.share_of_hottest(structure, stated, is_new, write.constants)
        if set_to != share:
            # What it takes away lies under values of all sorts, what it puts under the one that it sets.
            found, left = model.membership(structure, write)
            share = (found * share + left * set_to) / ((found + left) or 1.0)
        peak += exact(write.peak or 0) * units * exact(share)
    return peak


def hottest_reads(
    model: EntityModel,
    entity_read: EntityRead,
    access: Access,
    peak: float | None,
    stated: float | None,
) -> Fraction:
    """Read units a second of an entity read on the busiest partition of the structure that answers it, at its peak.

    Of two trips this is the first. `stated`: the share of the pattern's traffic on its hottest key. A query there
    reads the busiest collection.
    """
    if access.structure is None or peak is None:
        return Fraction(0)
    share = model.share_of_hottest(access.structure, stated, constants=entity_read.constants)
    units = access.busiest_units
    if units is None:
        units = access.units if access.then is None else access.units - access.then[3]
    return _asked_there(peak, entity_read.times, share) * units


def hottest_second_reads(
    model: EntityModel, base: Structure, entity_read: EntityRead, access: Access, peak: float | None
) -> Fraction:
    """Read units a second on the table's busiest partition when the second of two trips gets the items there."""
    if access.then is None or peak is None:
        return Fraction(0)
    return _asked_there(peak, entity_read.times, model.hottest_share(base)) * access.then[3]


@lru_cache(maxsize=4096)
def _asked_there(peak: float, times: float, share: float) -> Fraction:
    """How often a second a partition is asked that gets a share of what is asked so often."""
    return exact(peak) * exact(times) * exact(share)


def keys_bytes(model: EntityModel, base: Structure, structures: Iterable[Structure]) -> float:
    """What the key attributes of some structures add to each item."""
    return model.key_bytes(base) + sum(_added_bytes(model, s) for s in structures if s.is_index)


@cached
def _added_bytes(model: EntityModel, structure: Structure) -> float:
    """What the key attributes of an index add to the average item."""
    return model.key_bytes(structure) * model.density(structure)
