"""What a write costs in the table and in each index, and what a transaction has room for."""

from collections.abc import Collection
from dataclasses import dataclass, replace

from designer.core.capacity.units import read_units, write_units
from designer.core.dynamodb.limits import TRANSACTION_ITEMS
from designer.core.planner.model.entity_facts import cached
from designer.core.planner.model.entity_model import BeforeAndAfter, EntityModel
from designer.core.planner.model.reads_and_writes import EntityWrite
from designer.core.planner.model.score import exact
from designer.core.planner.model.structures import Guarded, Projection, Projections, Structure
from designer.core.planner.pricing.guards import (
    changed_guards,
    guard_bytes,
    guard_writes,
    guards_written,
    known_for_guard,
)
from designer.core.rational import Fraction


@dataclass(frozen=True)
class WriteCost:
    """Units of one write, each time it happens (all its items together)."""

    table: Fraction
    indexes: tuple[tuple[Structure, Fraction], ...]
    reads: Fraction
    requests: Fraction
    addressable: bool = True
    look_up: Guarded | None = None
    """What the guard that leads to the item guards; None: no look-up."""
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
    creates = any(write.writes_whole for write in model.writes)
    if creates and not model.design.is_generated(model.entity):
        return True
    if model.name in model.requirements.looked_up:
        return False
    return any(
        not extra <= write.known and not _through_unique(model, write)
        for write in model.writes
        if not write.writes_whole and not _writes_what_it_reads(write)
    )


def names_its_item(model: EntityModel, base: Structure, write: EntityWrite) -> bool:
    """Whether a write knows its item's base key, or a guard that is there anyway leads to it."""
    return (
        model.made_of(base) <= write.known
        or needs_identifier_guard(model, base)
        or any(write.known.issuperset(unique) for unique in model.uniques)
    )


def _through_unique(model: EntityModel, write: EntityWrite) -> bool:
    return not set(model.entity.identifier) <= write.known and any(
        write.known.issuperset(unique) for unique in model.uniques
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
        if model.stays_the_same(structure, parts, write):
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
    whole = write.writes_whole or write.verb == "delete"
    guards = changed_guards(model, write, guard)
    changed_unique = {name for one in guards for name in known_for_guard(write, one)}
    copies_written = copies if write.verb != "check" else []
    transactional = write.transactional or bool(guards) or bool(copies_written)
    look_up: Guarded | None = None
    reads = Fraction(0)
    requests = Fraction(1)
    addressable = True
    names_item = not whole or write.verb == "delete"
    if names_item and not model.made_of(base) <= write.known and write.upkeep is None:
        if set(model.entity.identifier) <= write.known and guard:
            look_up = ()
        else:
            look_up = next((one for one in model.uniques if write.known.issuperset(one)), None)
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
    more = _more_keys(model, projections, write)
    own = model.more_in_entry(base, base, None, write)
    table = write_units(
        _larger(write, (size + own[0] + more[0], size + own[1] + more[1])), transactional
    )
    for guarded in guards:
        table += guard_writes(model, base, guarded, write)
    items = 1 + len(copies_written) + sum(guards_written(write, guarded) for guarded in guards)
    if look_up is not None and write.follows is not None and write.keeps[0].may_have_none:
        items += 1
        table += write_units(guard_bytes(model, base, look_up), True)  # the guard is checked
    for copy in copies_written:
        table += _copy_units(model, base, copy, write, keys)
    indexes = []
    for structure, projection in projections.items():
        if structure.is_index:
            units = _index_units(model, base, structure, projection, write, keys, more)
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
        more = model.more_keys(structure, write)
        return _repeated(_index_units(model, base, structure, projection, write, keys, more), write)
    is_written = write.verb != "check"
    return _repeated(_copy_units(model, base, structure, write, keys), write) * is_written


def _copy_units(
    model: EntityModel, base: Structure, copy: Structure, write: EntityWrite, keys: float
) -> Fraction:
    """Units of one write on a copy: a transaction writes it with its item."""
    size = model.entry_bytes(base, copy, None, keys)
    before, after = model.more_in_entry(base, copy, None, write)
    return write_units(_larger(write, (size + before, size + after)), True)


def _more_keys(model: EntityModel, projections: Projections, write: EntityWrite) -> BeforeAndAfter:
    """The bytes that all keys of a write's item have more than those of the average one."""
    each = [model.more_keys(one, write) for one in projections if one.is_index]
    return sum(before for before, _ in each), sum(after for _, after in each)


def _larger(write: EntityWrite, sizes: BeforeAndAfter) -> float:
    """The bytes that a write is charged by: those before or after it, whichever are more."""
    before, after = sizes
    if write.verb == "create":
        return after
    return before if write.verb in ("delete", "check") else max(before, after)


def _repeated(units: Fraction, write: EntityWrite) -> Fraction:
    """Units of all items of a write, by those of one."""
    return units * exact(write.times) if units and write.times != 1 else units


def _reads_first(
    model: EntityModel,
    base: Structure,
    projections: Projections,
    write: EntityWrite,
    changed_unique: Collection[str],
) -> bool:
    if write.verb in ("create", "check") or write.deletes_collection:
        return False
    if write.needs - write.known:
        return True
    if write.may_replace:
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
    more: BeforeAndAfter,
) -> Fraction:
    """`more`: the bytes that all keys of the item have more than those of the average one."""
    if write.verb == "check":
        return Fraction(0)
    size = model.entry_bytes(base, structure, projection, keys)
    before, after = model.more_in_entry(base, structure, projection, write)
    if projection is None:  # each entry has its own keys whole anyway
        mine = model.more_keys(structure, write)
        before, after = before + more[0] - mine[0], after + more[1] - mine[1]
    old, new = write_units(size + before), write_units(size + after)
    moved, staying = (exact(share) for share in model.entries_written(structure, write))
    put = max(Fraction(0), exact(model.membership(structure, write)[1]) - staying)
    taken = max(Fraction(0), moved - put)
    if staying and not touches(model, structure, projection, write):
        staying = Fraction(0)
    if write.may_replace and not model.keys_changed(structure, write):
        put, staying = Fraction(0), moved  # put over the entry that there may be
    return old * taken + new * put + max(old, new) * staying


def touches(
    model: EntityModel, structure: Structure, projection: Projection, write: EntityWrite
) -> bool:
    """Whether a write changes something in an entry that stays under its key."""
    told = (n for n in model.keys_changed(structure, write) if model.is_told(structure, n))
    keys = set(map(model.stored_name, told))
    changed = {name for name in write.changed if model.stored_name(name) not in keys}
    if projection is None:
        return bool(changed) or not keys
    return bool(projection & changed)


Opened = tuple[Structure, Projection]
Costs = tuple[tuple[EntityWrite, WriteCost], ...]


def write_costs(
    model: EntityModel, base: Structure, projections: Projections, guard: bool, keys: float
) -> Costs:
    """Every write of an entity with what it costs under a choice of structures."""
    return _write_costs(model, base, tuple(projections.items()), guard, keys)


@cached
def _write_costs(
    model: EntityModel, base: Structure, opened: tuple[Opened, ...], guard: bool, keys: float
) -> Costs:
    projections = dict(opened)
    return tuple((w, write_cost(model, base, projections, w, guard, keys)) for w in model.writes)


def written_together(costs: Costs) -> dict[int, int]:
    """For each transaction by its number, how many items of an entity it writes at the most."""
    found: dict[int, int] = {}
    for write, cost in costs:
        if write.pattern.is_transaction and not write.is_upkeep:
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
            found += write.most * (1 + sum(guards_written(write, one) for one in guards))
    return found
