"""A table for several entities.

An index slot (GSI1, GSI2 ...) is shared by one structure of each entity, and holds one list of names for all.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from designer.core.design.names import AttributeNames, NamedKey, StyleNames
from designer.core.design.settings import Pin
from designer.core.plan import keys
from designer.core.planner.layout.index_slots import Slot, key_names, local_slots, pinned_name
from designer.core.planner.layout.kept_names import MARK, TOKEN, KeptKey, fits, kept_key
from designer.core.planner.layout.kept_slots import NamedSlot, Written, named_slots, new_labels
from designer.core.planner.layout.key_templates import bound_piece, item_template
from designer.core.planner.layout.placement import (
    GuardPlacement,
    KeyPart,
    Layout,
    Placement,
    key_type,
)
from designer.core.planner.layout.sort_tokens import Kept, default_order, sort_tokens
from designer.core.planner.layout.tables import FreeNames, Lists, templates, when_of
from designer.core.planner.model.chosen import Choice
from designer.core.planner.model.entity_model import EntityModel
from designer.core.planner.model.key_text import (
    SELF,
    may_agree,
    own_partition,
    partition_text,
    shared_names,
    shared_partition,
    shared_sort,
    sort_token,
)
from designer.core.planner.model.naming import shared_name, table_name
from designer.core.planner.model.pins import obeyed
from designer.core.planner.model.structures import Guarded, Structure
from designer.core.planner.model.wording import capital, plural
from designer.core.planner.pricing.guards import all_guarded, guard_key, guard_shape
from designer.core.planner.solve.search import Search


def shared_table_name(search: Search, together: tuple[str, ...]) -> str:
    """The name of a shared table: as pinned, else of the design, the team, or the entity that the others refer to."""
    design = search.design
    pinned = (
        pin.name
        for _, pin in obeyed(design, search.style)
        if pin.name is not None and _names_table(pin, set(together))
    )
    called = next(pinned, None)
    if called is not None:
        return called
    if search.style == "single":
        return shared_name(design.table_prefix, design.name)
    teams = {e.needs.team if e.needs else None for e in map(design.entity.__getitem__, together)}
    if len(teams) == 1 and None not in teams:
        return table_name(design.table_prefix, capital(str(teams.pop())))
    first = search.models[together[0]].parents_first
    return table_name(design.table_prefix, plural(min(together, key=first.__getitem__)))


def _labels(called: Sequence[str | None]) -> list[str]:
    """What indexes of a shared table are called: by their place, unless one is pinned to be called so."""
    usual = [f"GSI{number}" for number in range(1, len(called) + 1)]
    free = iter(
        [label for label, name in zip(usual, called, strict=True) if name and label not in called]
    )
    return [
        name if name in usual else next(free) if label in called else label
        for label, name in zip(usual, called, strict=True)
    ]


def _names_table(pin: Pin, together: set[str]) -> bool:
    """Whether a pin names the table of these entities: some of them, or the one whose table it is."""
    named = {*(pin.table or ()), *([pin.entity] if pin.entity else [])}
    if pin.index is not None or pin.pattern is not None:
        return False
    return named == together if pin.entity else bool(named) and named <= together


def lay_out_shared(search: Search, choice: Choice, layout: Layout, table: str) -> None:
    names = FreeNames(
        a.name for name in choice.entities for a in search.models[name].entity.attributes
    )
    pk, sk = _shared_names(
        search, choice, [(name, chosen.base) for name, chosen in choice.entities.items()], "", names
    )
    members: list[tuple[str, Structure]] = []
    for name, chosen in choice.entities.items():
        members.append((name, chosen.base))
        members += [(name, s) for s in chosen.projections if s.kind == "copy"]
    known = search.design.names.of(search.style)
    index_keys = _written_keys(search, choice) if known.indexes else {}
    slots = named_slots(search, choice, known, index_keys)
    lists = Lists(besides=1)  # each has the type, too
    called, kept = _kept_items(search, members, known.items)
    tokens = sort_tokens(search, layout, members, None, kept)
    alike = _alike(search, members, kept)
    for name, structure in members:
        placement = _shared_placement(
            search, name, structure, table, None, pk, sk, tokens[name, structure], alike
        )
        if structure.kind == "base":
            layout.bases[name] = placement
        else:
            shape = called.get((name, structure), "")
            layout.others[name, structure] = replace(placement, called=shape)
    for one, (index, label) in zip(slots, _index_names(search, choice, slots, known), strict=True):
        slot = one.slot
        index_pk, index_sk = _shared_names(search, choice, slot, label, names, one.attributes)
        kept = {(name, s): one.keys[name] for name, s in slot if name in one.keys}
        tokens = sort_tokens(search, layout, slot, dict(slot), kept)
        alike = _alike(search, slot, kept)
        for name, structure in slot:
            token = tokens[name, structure]
            layout.others[name, structure] = _shared_placement(
                search, name, structure, table, index, index_pk, index_sk, token, alike
            )
        layout.index_projection[table, index] = lists(one.projection)
        if one.kept is not None and one.kept.holds != "all":
            layout.listed[table, index] = one.kept.holds
    for number, (slot, projection) in enumerate(local_slots(search, choice), start=1):
        index = f"LSI{number}"
        index_sk = names(f"{index}SK")
        kept = _kept_local(slot, known, index_keys)
        tokens = sort_tokens(search, layout, slot, dict(slot), kept)
        for name, structure in slot:
            placement = _shared_placement(
                search, name, structure, table, index, pk, index_sk, tokens[name, structure]
            )
            home = layout.bases[name].partition
            layout.others[name, structure] = replace(placement, partition=home)
        layout.index_projection[table, index] = lists(projection)
    homes = [layout.placement(name, structure) for name, structure in members]
    written = [item_template(p.partition[0], search.models[p.entity]) for p in homes]
    for name, chosen in choice.entities.items():
        model = search.models[name]
        layout.projections[name] = {
            s: layout.index_projection[table, str(layout.others[name, s].index)]
            if s.is_index
            else None
            for s in chosen.projections
        }
        for guarded in all_guarded(model, chosen.guard):
            key = {pk: _guard_text(model, guarded, written), sk: SELF}
            layout.guards[name, guarded] = GuardPlacement(
                name, guarded, guard_shape(model, guarded), table, key, ((pk, "S"), (sk, "S"))
            )


def _index_names(
    search: Search, choice: Choice, slots: list[NamedSlot], known: StyleNames
) -> list[tuple[str, str]]:
    """For each index its name, and what its key's attributes are called after where these have no names yet."""
    called = [pinned_name(search, choice, one.slot) for one in slots]
    pinned = {name for name in called if name is not None}
    wanted = [
        name or (one.kept.name if one.kept is not None and one.kept.name not in pinned else None)
        for name, one in zip(called, slots, strict=True)
    ]
    taken = [name for name in wanted if name]
    labels = new_labels(known, taken, len(slots)) if known.indexes else _labels(called)
    free = FreeNames()
    return [(free(name or label), label) for name, label in zip(wanted, labels, strict=True)]


def _written(
    search: Search, name: str, structure: Structure, index: str | None
) -> tuple[NamedKey, tuple[str, ...]]:
    """A key of a shared table as it is written, but for what earlier plans may have decided; and the tokens it may
    have.
    """
    model = search.models[name]
    marked = {} if partition_text(model, structure) is not None else {(name, structure): MARK}
    place = _shared_placement(search, name, structure, "", index, "", "", TOKEN, marked)
    plain = sort_token(model, structure)
    tokens = (plain, model.entity.token) if plain == SELF else (plain,)
    return templates(place, model), tokens


def _written_keys(search: Search, choice: Choice) -> Written:
    """The keys of all indexes of a shared table."""
    return {
        (name, structure): _written(search, name, structure, "")
        for name, chosen in choice.entities.items()
        for structure in chosen.projections
        if structure.is_index
    }


def _kept_items(
    search: Search, members: Slot, recorded: Mapping[str, NamedKey]
) -> tuple[dict[tuple[str, Structure], str], Kept]:
    """How copies were called, and what was decided of the table's keys."""
    called: dict[tuple[str, Structure], str] = {}
    kept: dict[tuple[str, Structure], KeptKey] = {}
    for name, structure in members if recorded else ():
        shapes = [name]
        if structure.kind == "copy":
            shapes = [shape for shape in recorded if shape.startswith(f"{name}By")]
        written, plain = _written(search, name, structure, None)
        for shape in shapes:
            key = kept_key(recorded[shape], written, plain) if shape in recorded else None
            if key is not None and shape not in called.values():
                kept[name, structure] = key
                if structure.kind == "copy":
                    called[name, structure] = shape
                break
    return called, kept


def _kept_local(slot: Slot, known: StyleNames, written: Written) -> Kept:
    """What was decided of the keys of a local index, by each of its items alone."""
    found = {}
    for name, structure in slot if known.indexes else ():
        fit = next(fits(known, {name: written[name, structure]}, local=True), None)
        if fit is not None:
            found[name, structure] = fit.keys[name]
    return found


def _guard_text(model: EntityModel, guarded: Guarded, written: Iterable[str]) -> str:
    """The partition key of a guard in a shared table: one that no item of the table can have, of those `written` there.

    `USER#ID#{userId}#{line}` says the same of one item as `USER#{userId}#LINE#{line}` of another.
    """
    marked = guard_key(
        model,
        guarded,
        lambda name: str(bound_piece(model.attribute(name), lambda n: f"{{{n}}}", item=True)),
    )
    texts = [f"{model.entity.token}{between}{marked}" for between in (keys.DELIMITER, ":")]
    return next((text for text in texts if not any(may_agree(text, w) for w in written)), texts[0])


def _shared_placement(
    search: Search,
    name: str,
    structure: Structure,
    table: str,
    index: str | None,
    pk: str,
    sk: str,
    token: str,
    alike: Mapping[tuple[str, Structure], str] = MappingProxyType({}),
) -> Placement:
    model = search.models[name]
    limited = structure.only
    pieces = shared_partition(model, structure)
    if (name, structure) in alike:
        pieces = (("text", f"{alike[name, structure]}#"), *pieces)
    partition = KeyPart(
        pk,
        "S",
        pieces=pieces,
        only=limited,
        when=when_of(model, structure, structure.partition),
    )
    if structure.own:
        return Placement(name, structure, table, index, (partition,), _own_sort(model, structure))
    sort = KeyPart(
        sk,
        "S",
        pieces=shared_sort(model, structure, token),
        only=limited,
        when=when_of(model, structure, structure.sort),
    )
    return Placement(name, structure, table, index, (partition,), (sort,), token)


def _alike(
    search: Search, members: list[tuple[str, Structure]], kept: Kept
) -> dict[tuple[str, Structure], str]:
    """Whose partition keys read like those of another entity's items, though their values have nothing to do with them,
    and what tells these apart: the entity's token, the same for all whose values are the same.

    They would lie in one partition and make it as hot as all of them together, so each says whose it is. What was
    decided before stays, for all whose values are the same.
    """
    by_text: dict[tuple[str, ...], dict[object, list[tuple[str, Structure]]]] = {}
    for name, structure in members:
        model = search.models[name]
        if structure.own or partition_text(model, structure) is not None:
            continue
        labels = tuple(t for kind, t in own_partition(model, structure) if kind == "text")
        values = search.tokens(name, structure.partition)
        by_text.setdefault(labels, {}).setdefault(values, []).append((name, structure))
    found: dict[tuple[str, Structure], str] = {}
    for by_values in by_text.values():
        for together in by_values.values():
            names = {name for name, _ in together}
            before = next((kept[one] for one in together if one in kept), None)
            if before is not None:
                found |= dict.fromkeys(together if before.mark else (), before.mark)
                continue
            others = (one for some in by_values.values() if some is not together for one in some)
            if any(names - {name} for name, _ in others):
                first = min(together, key=lambda one: default_order(search, one))
                found |= dict.fromkeys(together, search.models[first[0]].entity.token)
    return found


def _shared_names(
    search: Search,
    choice: Choice,
    members: Slot,
    index: str,
    names: FreeNames,
    kept: AttributeNames | None = None,
) -> tuple[str, str]:
    """How the key attributes that several entities share are called: as pinned for one of them, as they were, or as
    usual.
    """
    usual = shared_names(index, search.design.planner.key_names.single == "natural")
    if kept is not None:
        usual = (kept.partition or usual)[0], kept.sort[0] if kept.sort else usual[1]
    pinned = key_names(search, choice, members)
    return names(pinned.partition or usual[0]), names(pinned.sort or usual[1])


def _own_sort(model: EntityModel, structure: Structure) -> tuple[KeyPart, ...]:
    """The items' own attributes as the sort key of an index of a shared table."""
    return tuple(
        KeyPart(name, key_type(model.attribute(name)), native=name) for name in structure.sort
    )
