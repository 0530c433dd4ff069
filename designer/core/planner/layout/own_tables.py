"""A table for each entity. Of such an entity, each guard and each set of edge items has a table too."""

from dataclasses import replace

from designer.core.design.names import AttributeNames, NamedIndex
from designer.core.planner.layout.index_slots import key_names, pinned_name
from designer.core.planner.layout.kept_names import fits
from designer.core.planner.layout.key_templates import item_template
from designer.core.planner.layout.placement import (
    GuardPlacement,
    KeyPart,
    Layout,
    Placement,
    key_type,
)
from designer.core.planner.layout.tables import FreeNames, Lists, templates, when_of
from designer.core.planner.model.chosen import Choice
from designer.core.planner.model.entity_model import EntityModel
from designer.core.planner.model.key_text import own_name, own_text
from designer.core.planner.model.naming import natural_name, table_name
from designer.core.planner.model.structures import Structure
from designer.core.planner.model.wording import capital, plural
from designer.core.planner.pricing.guards import all_guarded, guard_shape
from designer.core.planner.solve.search import Search


def lay_out_own(search: Search, choice: Choice, layout: Layout, tables: FreeNames) -> None:
    design = search.design
    for name, chosen in choice.entities.items():
        model = search.models[name]
        pins = model.pins
        pinned = pins.table if pins is not None else ""
        table = tables(pinned or table_name(design.table_prefix, plural(name)))
        attributes = FreeNames(a.name for a in model.entity.attributes)
        made: dict[object, KeyPart] = {}
        layout.bases[name] = _own_placement(
            search, choice, name, chosen.base, table, None, "", attributes, made
        )
        kept = _kept_own(search, choice, name, layout)
        pinned_names = _pinned_names(search, choice, name)
        indexes = FreeNames((*pinned_names.values(), *_former_names(search, name)))
        for structure, one in kept.items():
            # Before what is new, so that this takes none of their names.
            _own_placement(
                search, choice, name, structure, "", "", "", attributes, made, one.keys
            )  # fmt: skip
        placed = 0
        lists = Lists()
        layout.projections[name] = {}
        for structure, projection in chosen.projections.items():
            if structure.kind == "copy":
                other = tables(table_name(design.table_prefix, natural_name(model, structure)))
                layout.others[name, structure] = _own_placement(
                    search, choice, name, structure, other, None, "", attributes, made
                )
                layout.projections[name][structure] = None
                continue
            placed += 1
            before = kept.get(structure)
            index = pinned_names.get(structure) or (before.name if before is not None else None)
            index = index or indexes(natural_name(model, structure))
            kind = "LSI" if structure.kind == "local" else "GSI"
            while kept and before is None and f"{kind}{placed}PK" in attributes.taken:
                placed += 1
            number = f"{kind}{placed}"
            placement = _own_placement(
                search, choice, name, structure, table, index, number, attributes, made,
                before.keys if before is not None else None,
            )  # fmt: skip
            if structure.kind == "local":
                placement = replace(placement, partition=layout.bases[name].partition)
            layout.others[name, structure] = placement
            held = lists(projection)
            layout.projections[name][structure] = held
            layout.index_projection[table, index] = held
        for guarded in all_guarded(model, chosen.guard):
            shape = guard_shape(model, guarded)
            wanted = f"{name}{capital(plural(guarded[-1]))}" if guarded else f"{name}Lookup"
            names = guarded or model.entity.identifier
            key = Structure(name, "guard", names, ())
            part = _part(model, key, names, None, None, "PK", attributes, made)
            layout.guards[name, guarded] = GuardPlacement(
                name,
                guarded,
                shape,
                tables(table_name(design.table_prefix, wanted)),
                {part.name: item_template(part, model)},
                ((part.name, part.type),),
            )


def _pinned_names(search: Search, choice: Choice, name: str) -> dict[Structure, str]:
    """The indexes of an entity's own table that are pinned to be called something."""
    free = FreeNames()
    return {
        structure: free(called)
        for structure in choice.entities[name].projections
        if structure.is_index and (called := pinned_name(search, choice, [(name, structure)]))
    }


def _former_names(search: Search, name: str) -> set[str]:
    """What indexes of an entity were ever called."""
    indexes = search.design.names.of(search.style).indexes
    return {each.name for each in indexes if name in each.of or name in each.was}


def _kept_own(
    search: Search, choice: Choice, name: str, layout: Layout
) -> dict[Structure, NamedIndex]:
    """Which indexes of an entity's own table were there before: those whose keys and contents are the same."""
    known = search.design.names.of(search.style)
    found: dict[Structure, NamedIndex] = {}
    for structure, projection in choice.entities[name].projections.items() if known.indexes else ():
        if not structure.is_index:
            continue
        place = _own_placement(search, choice, name, structure, "", "", "", FreeNames(), {})
        if structure.kind == "local":
            place = replace(place, partition=layout.bases[name].partition)
        natives = {part.native for part in (*layout.bases[name].parts, *place.parts)}
        stored = search.models[name].entity.stored_names
        holds = None if projection is None else (projection & stored) - natives
        key = templates(place, search.models[name])
        pinned = pinned_name(search, choice, [(name, structure)])
        for fit in fits(known, {name: (key, ())}, structure.kind == "local"):
            index = fit.index
            held = None if index.holds == "all" else frozenset(index.holds)
            if held == holds and pinned in (None, index.name) and index not in found.values():
                found[structure] = index
                break
    return found


def _own_placement(
    search: Search,
    choice: Choice,
    name: str,
    structure: Structure,
    table: str,
    index: str | None,
    number: str,
    attributes: FreeNames,
    made: dict[object, KeyPart],
    kept: AttributeNames | None = None,
) -> Placement:
    model = search.models[name]
    names = key_names(search, choice, [(name, structure)])
    before = AttributeNames() if kept is None else kept
    partition, sort = (
        tuple(
            _part(
                model,
                structure,
                part,
                called,
                was[at] if at < len(was) else None,
                f"{number}{generic}",
                attributes,
                made,
            )
            for at, part in enumerate(parts)
        )
        for parts, called, was, generic in zip(
            model.split(structure),
            (names.partition, names.sort),
            (before.partition, before.sort),
            ("PK", "SK"),
            strict=True,
        )
    )
    return Placement(name, structure, table, index, partition, sort)


def _part(
    model: EntityModel,
    structure: Structure,
    part: tuple[str, ...],
    called: str | None,
    before: str | None,
    generic: str,
    attributes: FreeNames,
    made: dict[object, KeyPart],
) -> KeyPart:
    """A key attribute as it is pinned to be called, else as it was, under a natural name or the generic one; equal ones
    are one attribute.
    """
    limits = tuple(limit for limit in structure.only if limit[0] in part)
    when = when_of(model, structure, part)
    if model.is_native(structure, part):
        attribute = model.attribute(part[0])
        return KeyPart(part[0], key_type(attribute), native=part[0])
    pieces = own_text(model, structure, part)
    key = (part, limits, when, pieces, called)
    if key not in made:
        is_generic = model.pins is not None and model.pins.generic
        own = generic if is_generic else own_name(model, structure, part)
        name = called or before or own
        # An item has no attribute of a derived one's name; only one key can have it, though.
        is_free = all(other.name != name for other in made.values())
        if is_free and len(part) == 1 and name == part[0] and model.attribute(name).derived:
            attributes.taken.discard(name)
        made[key] = KeyPart(attributes(name), "S", pieces=pieces, only=limits, when=when)
    return made[key]
