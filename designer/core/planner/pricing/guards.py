"""Guard items (rule 14): what one carries, how many there are, and what each write does to them.

See docs/modelling-rules.md.
"""

from collections.abc import Callable
from math import prod

from designer.core.capacity.sizes import attribute_value_bytes, text_bytes
from designer.core.capacity.units import write_units
from designer.core.dynamodb.limits import ITEM_OVERHEAD_BYTES
from designer.core.planner.model.entity_facts import cached
from designer.core.planner.model.entity_model import EntityModel
from designer.core.planner.model.key_text import label_of
from designer.core.planner.model.naming import free_name
from designer.core.planner.model.reads_and_writes import EntityWrite
from designer.core.planner.model.score import exact
from designer.core.planner.model.structures import Guarded, Structure
from designer.core.planner.model.wording import capital
from designer.core.rational import Fraction

_ID = "ID"
"""What the key of an identifier's guard says before its values."""


def guard_names(model: EntityModel, base: Structure, guarded: Guarded) -> tuple[str, ...]:
    """What a guard carries: its values, the identifier and the base key, so that it leads to the item."""
    named = map(model.stored_name, base.attributes)
    return tuple(dict.fromkeys((*guarded, *model.entity.identifier, *named)))


def guard_shape(model: EntityModel, guarded: Guarded) -> str:
    """The name of a guard's items, as far as the entity says: where another shape has it, the layout numbers it."""
    return guard_shapes(model)[guarded]


@cached
def guard_shapes(model: EntityModel) -> dict[Guarded, str]:
    """The name of each guard's items, numbered where another guard of the entity has the same."""
    found: dict[Guarded, str] = {}
    for guarded in all_guarded(model, True):
        called = capital(guarded[-1]) if guarded else ""
        found[guarded] = free_name(f"{model.name}{called}Guard", found.values())
    return found


def guard_key(model: EntityModel, guarded: Guarded, value: Callable[[str], str]) -> str:
    """What follows the entity's token in a guard's key in a shared table: `ACCOUNT#{accountId}#NAME#{name}`.

    `value` writes an attribute of the item.
    """
    labels = _labels(model)[guarded]
    if not guarded:
        return "#".join((*labels, *map(value, model.entity.identifier)))
    return "#".join(f"{label}#{value(name)}" for label, name in zip(labels, guarded, strict=True))


@cached
def _labels(model: EntityModel) -> dict[Guarded, tuple[str, ...]]:
    """What each guard's key says before its values: the last is numbered where another guard has the same."""
    found: dict[Guarded, tuple[str, ...]] = {}
    for guarded in all_guarded(model, True):
        # The guard of an identifier of several values is told from others by how many parts its key has.
        taken = [labels[-1] for labels in found.values()]
        if not guarded:
            own = free_name(_ID, taken if len(model.entity.identifier) == 1 else ())
            found[guarded] = (own,)
            continue
        # A scope is never called as the identifier's guard is, whose key may have as many parts.
        scope = (free_name(label_of(model, name), (_ID,)) for name in guarded[:-1])
        found[guarded] = (*scope, free_name(label_of(model, guarded[-1]), taken))
    return found


@cached
def guard_bytes(model: EntityModel, base: Structure, guarded: Guarded) -> float:
    """Average bytes of a guard item, names and keys included."""
    carried = sum(
        len(name.encode()) + attribute_value_bytes(model.attribute(name))
        for name in guard_names(model, base, guarded)
    )
    names = guarded or model.entity.identifier
    text = sum(text_bytes(model.attribute(name)) for name in names)
    if model.style == "single":
        between = f"{model.entity.token}#{guard_key(model, guarded, lambda _: '')}"
        key = len("PK") + len(between.encode()) + text + len("SK") + 1
        return carried + key + len("Type") + len(guard_shape(model, guarded).encode())
    if model.is_native(Structure(model.name, "guard", names, ()), names):
        return carried
    name = "_".join(names) + ("_key" if len(names) == 1 else "")
    return carried + len(name.encode()) + text + len(names) - 1


def all_guarded(model: EntityModel, identifier_too: bool) -> tuple[Guarded, ...]:
    """What has guards."""
    return (*model.uniques, *(((),) if identifier_too else ()))


def guard_writes(
    model: EntityModel, base: Structure, guarded: Guarded, write: EntityWrite
) -> Fraction:
    """Write units that a write which changes a guard takes for it: the old one goes, the new one comes.

    An optional value has a guard as often as it is there.
    """
    keyed = Structure(model.name, "index", guarded, ())
    before, after = model.membership(keyed, write)
    units = write_units(guard_bytes(model, base, guarded), True)
    return units * (exact(before) + exact(after))


def changed_guards(
    model: EntityModel, write: EntityWrite, identifier_too: bool
) -> tuple[Guarded, ...]:
    """The guards that a write may put, delete or exchange."""
    if write.verb in ("create", "delete"):
        every = all_guarded(model, identifier_too)
        return tuple(guarded for guarded in every if not has_no_guard(write, guarded))
    if write.may_replace:
        return model.uniques
    if write.verb != "update":
        return ()
    changed = (guarded for guarded in model.uniques if write.changed.intersection(guarded))
    return tuple(guarded for guarded in changed if not _stays_without(write, guarded))


def has_no_guard(write: EntityWrite, guarded: Guarded) -> bool:
    """Whether an item surely has no such guard before a write, as its conditions say; nor after it, if it is new."""
    return not write.lacks.isdisjoint(guarded)


def _stays_without(write: EntityWrite, guarded: Guarded) -> bool:
    """Whether an item surely has no such guard before an update, and none after it."""
    made = set(write.change.written) - set(write.change.remove)
    lacks = {*write.lacks, *write.change.remove}.intersection(guarded) - made
    return has_no_guard(write, guarded) and bool(lacks)


def known_for_guard(write: EntityWrite, guarded: Guarded) -> frozenset[str]:
    """Of what a write changes a guard of, the attributes whose present values name the guard before it or after it."""
    if not has_no_guard(write, guarded):
        return frozenset(guarded)
    return frozenset(guarded) - set(write.change.written)


def guards_written(write: EntityWrite, guarded: Guarded) -> int:
    """Guard items that a write which changes a guard writes at the most: the old one goes, the new one comes."""
    is_swap = write.verb in ("update", "upsert") and not set(guarded) & set(write.change.remove)
    return 2 if is_swap and not has_no_guard(write, guarded) else 1


def guards_stored(model: EntityModel, base: Structure, identifier_too: bool) -> float:
    """Billed bytes of the guards of one item, on average."""
    return sum(
        (guard_bytes(model, base, guarded) + ITEM_OVERHEAD_BYTES) * guard_density(model, guarded)
        for guarded in all_guarded(model, identifier_too)
    )


def guard_density(model: EntityModel, guarded: Guarded) -> float:
    """Share of the items that have this guard: those with all of its values."""
    return prod(map(model.presence, guarded), start=1.0)
