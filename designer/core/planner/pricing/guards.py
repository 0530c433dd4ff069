"""Guard items (rule 14): what one carries, how many there are, and what each write does to them.

See docs/modelling-rules.md.
"""

from fractions import Fraction

from designer.core.limits import ITEM_OVERHEAD_BYTES
from designer.core.planner.model.entity_facts import cached
from designer.core.planner.model.entity_model import EntityModel
from designer.core.planner.model.key_text import label_of
from designer.core.planner.model.naming import free_name
from designer.core.planner.model.reads_and_writes import EntityWrite
from designer.core.planner.model.score import exact
from designer.core.planner.model.structures import Structure
from designer.core.planner.model.wording import capital
from designer.core.sizes import attribute_value_bytes, text_bytes
from designer.core.units import write_units


def guard_names(model: EntityModel, base: Structure, attribute: str) -> tuple[str, ...]:
    """What a guard carries: its value, the identifier and the base key, so that it leads to the item.

    An empty `attribute` is the guard of the identifier itself.
    """
    own = (attribute,) if attribute else ()
    named = map(model.stored_name, base.attributes)
    return tuple(dict.fromkeys((*own, *model.entity.identifier, *named)))


def guard_shape(model: EntityModel, attribute: str) -> str:
    """The name of a guard's items, as far as the entity says: where another shape has it, the layout numbers it."""
    return guard_shapes(model)[attribute]


@cached
def guard_shapes(model: EntityModel) -> dict[str, str]:
    """By attribute the name of its guard's items, numbered where another guard of the entity has the same."""
    found: dict[str, str] = {}
    for name in all_guarded(model, True):
        found[name] = free_name(f"{model.name}{capital(name)}Guard", found.values())
    return found


@cached
def guard_markers(model: EntityModel) -> dict[str, str]:
    """By attribute what its guard's key says in a shared table: a label, numbered where another guard has the same."""
    found: dict[str, str] = {}
    for name in all_guarded(model, True):
        # An identifier of several values has more parts than any other guard's key.
        taken = found.values() if name or len(model.entity.identifier) == 1 else ()
        found[name] = free_name(label_of(model, name) if name else "ID", taken)
    return found


@cached
def guard_bytes(model: EntityModel, base: Structure, attribute: str) -> float:
    """Average bytes of a guard item, names and keys included."""
    carried = sum(
        len(name.encode()) + attribute_value_bytes(model.attribute(name))
        for name in guard_names(model, base, attribute)
    )
    guarded = (attribute,) if attribute else model.entity.identifier
    text = sum(text_bytes(model.attribute(name)) for name in guarded) + len(guarded) - 1
    if model.style == "single":
        before = f"{model.entity.token}#{guard_markers(model)[attribute]}#"
        key = len("PK") + len(before.encode()) + text + len("SK") + 1
        return carried + key + len("Type") + len(guard_shape(model, attribute).encode())
    if model.is_native(Structure(model.name, "guard", guarded, ()), guarded):
        return carried
    name = "_".join(guarded) + ("_key" if len(guarded) == 1 else "")
    return carried + len(name.encode()) + text


def all_guarded(model: EntityModel, identifier_too: bool) -> tuple[str, ...]:
    """The attributes with guards; the empty name is the identifier."""
    return (*model.unique, *(("",) if identifier_too else ()))


def guard_writes(
    model: EntityModel, base: Structure, attribute: str, write: EntityWrite
) -> Fraction:
    """Write units that a write which changes a guard takes for it: the old one goes, the new one comes.

    An optional value has a guard as often as it is there.
    """
    keyed = Structure(model.name, "index", (attribute,) if attribute else (), ())
    before, after = model.membership(keyed, write)
    units = write_units(guard_bytes(model, base, attribute), True)
    return units * (exact(before) + exact(after))


def changed_guards(model: EntityModel, write: EntityWrite, identifier_too: bool) -> tuple[str, ...]:
    """The guards that a write may put, delete or exchange."""
    if write.verb in ("create", "delete"):
        return all_guarded(model, identifier_too)
    if write.verb == "upsert":
        return model.unique
    return tuple(name for name in model.unique if write.verb == "update" and name in write.changed)


def guards_written(write: EntityWrite, attribute: str) -> int:
    """Guard items that a write which changes a guard writes at the most: the old one goes, the new one comes."""
    is_swap = write.verb in ("update", "upsert") and attribute not in write.change.remove
    return 2 if is_swap else 1


def guards_stored(model: EntityModel, base: Structure, identifier_too: bool) -> float:
    """Billed bytes of the guards of one item, on average."""
    return sum(
        (guard_bytes(model, base, attribute) + ITEM_OVERHEAD_BYTES)
        * guard_density(model, attribute)
        for attribute in all_guarded(model, identifier_too)
    )


def guard_density(model: EntityModel, attribute: str) -> float:
    """Share of the items that have this guard."""
    return model.presence(attribute) if attribute else 1.0
