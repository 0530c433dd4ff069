"""Fifth pass: lay the chosen structures out as tables, indexes, key names and key templates.

Where several entities share a table, an index slot (GSI1, GSI2 ...) is shared by one structure of each, and holds one
list of names for all. Of an entity with a table of its own, each guard and each set of edge items has a table too.
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise, permutations, product
from types import MappingProxyType

from designer.core import keys
from designer.core.design.document import Attribute, Pin
from designer.core.design.names import AttributeNames, NamedIndex, NamedKey, StyleNames
from designer.core.limits import INCLUDE_NAMES, PROJECTED_NAMES
from designer.core.plan import Constant, Expression, KeyType
from designer.core.planner.layout.index_slots import Slot, key_names, local_slots, pinned_name
from designer.core.planner.layout.kept_names import (
    MARK,
    TOKEN,
    KeptKey,
    fits,
    kept_key,
)
from designer.core.planner.layout.kept_order import between
from designer.core.planner.layout.kept_slots import NamedSlot, Written, named_slots, new_labels
from designer.core.planner.model.chosen import Choice, Group
from designer.core.planner.model.entity_model import EntityModel
from designer.core.planner.model.key_text import (
    SELF,
    may_agree,
    own_name,
    own_partition,
    own_text,
    owns_collection,
    partition_text,
    shared_names,
    shared_partition,
    shared_sort,
    sort_token,
)
from designer.core.planner.model.naming import free_name, natural_name, shared_name, table_name
from designer.core.planner.model.pins import obeyed
from designer.core.planner.model.structures import Held, Pieces, Projection, Structure
from designer.core.planner.model.wording import capital, plural
from designer.core.planner.pricing.guards import all_guarded, guard_markers, guard_shape
from designer.core.planner.solve.choice import Search

PERMUTED = 7
"""Item types of one collection whose order is searched in full."""

Known = Callable[[str], Expression | None]
"""For an attribute, what is known of its value: `{name}`, a constant, or None."""


@dataclass(frozen=True)
class KeyPart:
    """A key attribute: native (the attribute itself), or composed from pieces of text and attributes."""

    name: str
    type: KeyType
    native: str | None = None
    pieces: Pieces = ()
    only: tuple[tuple[str, tuple[str, ...]], ...] = ()
    when: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """Attributes of the other key part that a sparse index hangs on: without them this part is left out too."""

    @property
    def attributes(self) -> tuple[str, ...]:
        if self.native is not None:
            return (self.native,)
        return tuple(value for kind, value in self.pieces if kind != "text")


@dataclass(frozen=True)
class Placement:
    """Where a structure of an entity lies."""

    entity: str
    structure: Structure
    table: str
    index: str | None
    partition: tuple[KeyPart, ...]
    sort: tuple[KeyPart, ...]
    """One key attribute each; of an index whose keys are the items' own attributes up to four."""
    token: str = ""
    """What the sort keys of this entity's items start with, here (single-table style)."""
    called: str = ""
    """The name of the items' shape, where it is not the entity's: of a copy."""

    @property
    def parts(self) -> tuple[KeyPart, ...]:
        return (*self.partition, *self.sort)

    @property
    def shape(self) -> str:
        """The name of the items' shape: the entity's, or for items under another key one of their own."""
        return self.called or self.entity


@dataclass(frozen=True)
class GuardPlacement:
    """Where the guard items of an attribute (or of an identifier: empty) lie."""

    entity: str
    attribute: str
    shape: str
    table: str
    key: dict[str, str]
    """Templates over the entity's attributes."""
    types: tuple[tuple[str, KeyType], ...]
    """The key attributes with their types."""


@dataclass(frozen=True)
class GroupRange:
    """The stretch of a collection that answers a joined question."""

    lower: str | None
    upper: str | None
    """Sort keys; None for the whole collection."""
    forward: bool
    ends_with_limited: bool
    """What only some of is wanted is read last, so that reading stops when there is enough of it."""


@dataclass
class Layout:
    """All placements of a design in one style."""

    style: str
    bases: dict[str, Placement] = field(default_factory=dict)
    others: dict[tuple[str, Structure], Placement] = field(default_factory=dict)
    """Indexes and copies."""
    guards: dict[tuple[str, str], GuardPlacement] = field(default_factory=dict)
    held: dict[str, Held] = field(default_factory=dict)
    """For each entity its indexes and copies with what each really holds (shared lists included)."""
    index_projection: dict[tuple[str, str], Projection] = field(default_factory=dict)
    """By (table, index): what it holds; None for all."""
    listed: dict[tuple[str, str], tuple[str, ...]] = field(default_factory=dict)
    """By (table, index): the names that one which was there before holds, though fewer might do now."""
    groups: tuple[Group, ...] = ()
    ranges: dict[int, GroupRange] = field(default_factory=dict)
    """For each group, by position."""
    type_attribute: str = "Type"
    ttl: dict[str, str] = field(default_factory=dict)
    """For each table, its TTL attribute."""
    extra: dict[str, dict[str, str]] = field(default_factory=dict)
    """For each entity, further attributes that the plan adds to its items: templates."""

    def placement(self, entity: str, structure: Structure) -> Placement:
        if structure.kind == "base":
            return self.bases[entity]
        return self.others[entity, structure]

    def placements_of(self, entity: str) -> tuple[Placement, ...]:
        """The base, then the others."""
        others = [place for key, place in self.others.items() if key[0] == entity]
        return (self.bases[entity], *others)


def key_type(attribute: Attribute) -> KeyType:
    """The type of an attribute that can be a key."""
    if attribute.type == "N" or attribute.type == "B":
        return attribute.type
    return "S"


# Templates of key parts


def item_template(part: KeyPart, model: EntityModel) -> str:
    """The key as a template over the entity's own attributes."""
    if part.native is not None:
        return f"{{{part.native}}}"

    def known(name: str) -> Expression:
        return f"{{{name}}}"

    return stored_template(part, model, known, item=True) or ""


def stored_template(
    part: KeyPart, model: EntityModel, known: Known, item: bool = False
) -> str | None:
    """The key as an item carries it: missing where the item is not to be in a sparse index."""
    text = bound_template(part, model, known, item)
    for name, values in reversed(part.when):
        source = model.attribute(name).source
        value = known(source[1] if source else name)
        if value is None:
            return None
        if isinstance(value, Constant):
            if values and keys.plain_text(value.value) not in values:
                return None
            continue
        texts = "".join(f", {json.dumps(text, ensure_ascii=False)}" for text in values)
        text = None if text is None else f"{{when({value[1:-1]}{texts})}}{text}"
    return text


def bound_template(
    part: KeyPart, model: EntityModel, known: Known, item: bool = False
) -> str | None:
    """The key with each attribute taken from what is known; None when a constant keeps it out of a sparse index."""
    text = ""
    for kind, value in part.pieces:
        if kind == "text":
            text += _brace(value)
            continue
        attribute, only = model.attribute(value), dict(part.only).get(value)
        piece = bound_piece(attribute, model, known, only, item, kind == "inverse")
        if piece is None:
            return None
        text += piece
    return keys.as_text(text)


def bound_piece(
    attribute: Attribute,
    model: EntityModel,
    known: Known,
    only: tuple[str, ...] | None = None,
    item: bool = False,
    inverse: bool = False,
) -> str | None:
    """One component: formatted so that it sorts as its values do, or the other way round."""
    source = attribute.source
    value = known(attribute.name) if not (source and item) else None
    if value is None and source is not None:
        template = f"{{{attribute.derived}}}"
        value = known(source[1])
        if isinstance(value, Constant):
            constant = value.value
            return _brace(keys.render(template, lambda _: constant))
        new = None if value is None else value[1:-1]
        return None if new is None else keys.rename(template, lambda _: new)
    if value is None:
        return None
    if inverse:
        name = "x" if isinstance(value, Constant) else value[1:-1]
        inverted = attribute.inverted(name)
        if inverted is None or not isinstance(value, Constant):
            return inverted
        text = keys.render(inverted, lambda _: value.value)
        return None if text is None else _brace(text)
    if isinstance(value, Constant):
        text = _constant_text(attribute, value)
        return None if only is not None and text not in only else _brace(keys.escape(text))
    name = value[1:-1]
    if only is not None:
        return (
            f"{{only({name}, {', '.join(json.dumps(text, ensure_ascii=False) for text in only)})}}"
        )
    if attribute.type == "N":
        digits, scale = attribute.padding
        return f"{{pad({digits}, {scale}, {name})}}"
    return value


def _constant_text(attribute: Attribute, value: Constant) -> str:
    if attribute.type == "N":
        return keys.pad(value.value, *attribute.padding)
    return keys.plain_text(value.value)


def _brace(text: str) -> str:
    return text.replace("{", "{{").replace("}", "}}")


# Names


class _Names:
    """Gives each thing a name of its own."""

    def __init__(self, taken: Iterable[str] = ()) -> None:
        self.taken = set(taken)

    def __call__(self, wanted: str) -> str:
        name = free_name(wanted, self.taken)
        self.taken.add(name)
        return name


def lay_out(search: Search, choice: Choice) -> Layout:
    """Place every structure."""
    layout = Layout(search.style, groups=choice.groups)
    own = {a.name for model in search.models.values() for a in model.entity.attributes}
    layout.type_attribute = next(
        n for n in ("Type", "EntityType", "ItemType", "KeywrightType") if n not in own
    )
    tables = _Names()
    for together in search.requirements.tables:
        part = _part_of(search, choice, together)
        if search.models[together[0]].style == "single":
            _lay_out_shared(search, part, layout, tables(_shared_table(search, together)))
        else:
            _lay_out_own(search, part, layout, tables)
    # By the design's order, whoever shares a table.
    layout.bases = {name: layout.bases[name] for name in choice.entities}
    layout.held = {name: layout.held[name] for name in choice.entities}
    _name_shapes(layout, search.design.entity)
    _time_to_live(search, layout, own)
    return layout


def _name_shapes(layout: Layout, entities: Iterable[str]) -> None:
    """Call copies by their partition key, or by all their key where that is not enough; and no two shapes alike."""
    every = {key: p for key, p in layout.others.items() if p.structure.kind == "copy"}
    free = _Names((*entities, *(copy.called for copy in every.values())))
    copies = {key: copy for key, copy in every.items() if not copy.called}
    short = {key: _copy_name(p, p.structure.partition) for key, p in copies.items()}
    for key, copy in copies.items():
        twins = list(short.values()).count(short[key]) > 1
        wanted = _copy_name(copy, copy.structure.attributes) if twins else short[key]
        layout.others[key] = replace(copy, called=free(wanted))
    for named, guard in layout.guards.items():
        layout.guards[named] = replace(guard, shape=free(guard.shape))


def _copy_name(copy: Placement, names: tuple[str, ...]) -> str:
    return f"{copy.entity}By{''.join(map(capital, names))}"


def _part_of(search: Search, choice: Choice, together: tuple[str, ...]) -> Choice:
    """The choice for the entities of one table."""
    groups = tuple(
        group
        for group in choice.groups
        if search.requirements.questions[group.question].demands[group.parts[0]].entity in together
    )
    entities = {name: choice.entities[name] for name in together}
    return replace(choice, entities=entities, groups=groups)


# A table for several entities


def _shared_table(search: Search, together: tuple[str, ...]) -> str:
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


def _lay_out_shared(search: Search, choice: Choice, layout: Layout, table: str) -> None:
    names = _Names(
        a.name for name in choice.entities for a in search.models[name].entity.attributes
    )
    pk, sk = _shared_names(
        search, choice, [(name, chosen.base) for name, chosen in choice.entities.items()], "", names
    )
    members: list[tuple[str, Structure]] = []
    for name, chosen in choice.entities.items():
        members.append((name, chosen.base))
        members += [(name, s) for s in chosen.held if s.kind == "copy"]
    known = search.design.names.of(search.style)
    index_keys = _written_keys(search, choice) if known.indexes else {}
    slots = named_slots(search, choice, known, index_keys)
    lists = _Lists(besides=1)  # each has the type, too
    called, kept = _kept_items(search, members, known.items)
    tokens = _tokens(search, layout, members, None, kept)
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
        tokens = _tokens(search, layout, slot, dict(slot), kept)
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
        tokens = _tokens(search, layout, slot, dict(slot), kept)
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
        layout.held[name] = {
            s: layout.index_projection[table, str(layout.others[name, s].index)]
            if s.is_index
            else None
            for s in chosen.held
        }
        for attribute in all_guarded(model, chosen.guard):
            key = {pk: _guard_text(model, attribute, written), sk: SELF}
            layout.guards[name, attribute] = GuardPlacement(
                name, attribute, guard_shape(model, attribute), table, key, ((pk, "S"), (sk, "S"))
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
    free = _Names()
    return [(free(name or label), label) for name, label in zip(wanted, labels, strict=True)]


Kept = Mapping[tuple[str, Structure], KeptKey]
"""What earlier plans decided of the keys of a table or an index."""


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
    return _templates(place, model), tokens


def _templates(place: Placement, model: EntityModel) -> NamedKey:
    """What an item has in the attributes of a key."""
    return NamedKey(
        partition=tuple(item_template(part, model) for part in place.partition),
        sort=tuple(item_template(part, model) for part in place.sort),
    )


def _written_keys(search: Search, choice: Choice) -> Written:
    """The keys of all indexes of a shared table."""
    return {
        (name, structure): _written(search, name, structure, "")
        for name, chosen in choice.entities.items()
        for structure in chosen.held
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


def _guard_text(model: EntityModel, attribute: str, written: Iterable[str]) -> str:
    """The partition key of a guard in a shared table: one that no item of the table can have, of those `written` there.

    `USER#ID#{userId}#{line}` says the same of one item as `USER#{userId}#LINE#{line}` of another.
    """
    guarded = (attribute,) if attribute else model.entity.identifier
    values = "#".join(
        str(bound_piece(model.attribute(name), model, lambda n: f"{{{n}}}", item=True))
        for name in guarded
    )
    token, marker = model.entity.token, guard_markers(model)[attribute]
    texts = [f"{token}{between}{marker}#{values}" for between in (keys.DELIMITER, ":")]
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
        when=_when(model, structure, structure.partition),
    )
    if structure.own:
        return Placement(name, structure, table, index, (partition,), _own_sort(model, structure))
    sort = KeyPart(
        sk,
        "S",
        pieces=shared_sort(model, structure, token),
        only=limited,
        when=_when(model, structure, structure.sort),
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
                first = min(together, key=lambda one: _default_order(search, one))
                found |= dict.fromkeys(together, search.models[first[0]].entity.token)
    return found


def _shared_names(
    search: Search,
    choice: Choice,
    members: Slot,
    index: str,
    names: "_Names",
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


def _when(
    model: EntityModel, structure: Structure, part: tuple[str, ...]
) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """What one part of a sparse index key waits for, because the other part does."""
    limited = dict(structure.only)
    return tuple((name, limited.get(name, ())) for name in model.waits_for(structure, part))


class _Lists:
    """What the indexes of a table hold: all, where a list of names, or all lists together, would be too long."""

    def __init__(self, besides: int = 0) -> None:
        self.besides, self.names = besides, 0

    def __call__(self, projection: Projection) -> Projection:
        if not projection:
            return projection
        names = len(projection) + self.besides
        if names > INCLUDE_NAMES or self.names + names > PROJECTED_NAMES:
            return None
        self.names += names
        return projection


def _tokens(
    search: Search,
    layout: Layout,
    members: list[tuple[str, Structure]],
    slot: dict[str, Structure] | None,
    kept: Kept,
) -> dict[tuple[str, Structure], str]:
    """What the sort keys of each item type start with, so that each joined question reads one range (rules 7, 20).

    See docs/modelling-rules.md.
    """
    collections: dict[object, list[tuple[str, Structure]]] = {}
    texts: list[str]
    for name, structure in members:
        # By the text: two entities may give one text to values that have nothing to do with each other.
        model = search.models[name]
        labels = tuple(text for kind, text in own_partition(model, structure) if kind == "text")
        collection_of = partition_text(model, structure) or labels or (model.entity.token,)
        collections.setdefault(collection_of, []).append((name, structure))
    tokens: dict[tuple[str, Structure], str] = {}
    for collection in collections.values():
        ordered = sorted(collection, key=lambda item: _default_order(search, item))
        groups = _groups_in(search, layout, collection, slot)
        pinned = _pinned_tokens(search, ordered)
        before = {one: text for one in ordered if (text := _kept_token(kept, one)) is not None}
        best, texts = _as_before(search, ordered, groups, pinned, before)
        for item, text in zip(best, texts, strict=True):
            tokens[item] = text
        for position, group in groups:
            layout.ranges[position] = _range(search, group, best, texts)
    return tokens


def _kept_token(kept: Kept, item: tuple[str, Structure]) -> str | None:
    return kept[item].token if item in kept else None


Order = tuple[list[tuple[str, Structure]], list[str]]
"""Item types of a collection as they sort, and what their sort keys start with."""


def _as_before(
    search: Search,
    items: list[tuple[str, Structure]],
    groups: list[tuple[int, Group]],
    pinned: dict[tuple[str, Structure], str],
    before: dict[tuple[str, Structure], str],
) -> Order:
    """The order and the texts of a collection: those of before stay, but for the fewest that stand in the way of what
    the questions want.
    """
    if pinned:
        afresh = _around(search, items, groups, pinned)
    else:
        best = _best_order(search, items, groups) if groups else items
        afresh = best, _token_texts(search, best)
    before = {item: text for item, text in before.items() if item not in pinned}
    least = _disorder(search, groups, *afresh)
    for released in ((), *((item,) for item in before)) if before else ():
        fixed = {**pinned, **{i: text for i, text in before.items() if i not in released}}
        found = _beside(search, items, groups, fixed)
        if _disorder(search, groups, *found) <= least:
            return found
    return afresh


def _beside(
    search: Search,
    items: list[tuple[str, Structure]],
    groups: list[tuple[int, Group]],
    fixed: dict[tuple[str, Structure], str],
) -> Order:
    """The order and the texts of a collection where some texts are fixed: the others one by one where questions want
    them, if need be between two of those.
    """
    texts = {item: fixed.get(item) or _free_texts(search, item)[0] for item in items}
    best = _sorted(texts)
    for item in items:
        if item in fixed:
            continue
        others = sorted(text for other, text in texts.items() if other != item)
        (plain, *places) = _free_texts(search, item)
        middle = (between(low, high, plain) for low, high in pairwise(others))
        for text in (plain, *places, *(each for each in middle if each is not None)):
            trial = _sorted({**texts, item: text})
            if _disorder(search, groups, *trial) < _disorder(search, groups, *best):
                best, texts = trial, {**texts, item: text}
    return best


def _sorted(texts: Mapping[tuple[str, Structure], str]) -> Order:
    order = sorted(texts, key=lambda item: texts[item])
    return order, [texts[item] for item in order]


def _disorder(
    search: Search,
    groups: list[tuple[int, Group]],
    order: list[tuple[str, Structure]],
    texts: list[str],
) -> tuple[int, int]:
    """How far an order is from what questions want: types of which one's keys begin as another's, and what a joined
    question reads besides.
    """
    mixed = sum(after.startswith(text) for text, after in pairwise(texts))
    return mixed, sum(_misplaced(search, group, order) for _, group in groups)


def _pinned_tokens(
    search: Search, items: list[tuple[str, Structure]]
) -> dict[tuple[str, Structure], str]:
    """What pinned sort keys start with."""
    found = {}
    for name, structure in items:
        text = search.models[name].pinned_text(structure, structure.sort)
        if text is not None:
            found[name, structure] = text.token
    return found


def _around(
    search: Search,
    items: list[tuple[str, Structure]],
    groups: list[tuple[int, Group]],
    pinned: dict[tuple[str, Structure], str],
) -> tuple[list[tuple[str, Structure]], list[str]]:
    """The order and the texts of a collection where some texts are pinned: the others go where questions want them."""
    free = [item for item in items if item not in pinned]
    choices = [_free_texts(search, item) for item in free]
    choices = [*choices[:PERMUTED], *(texts[:1] for texts in choices[PERMUTED:])]
    best: tuple[tuple[int, int], list[tuple[str, Structure]], list[str]] | None = None
    for chosen in product(*choices):
        texts = {**pinned, **dict(zip(free, chosen, strict=True))}
        order = sorted(items, key=lambda item: texts[item])
        sorted_texts = [texts[item] for item in order]
        mixed = sum(after.startswith(text) for text, after in pairwise(sorted_texts))
        cost = mixed, sum(_misplaced(search, group, order) for _, group in groups)
        if best is None or cost < best[0]:
            best = cost, order, sorted_texts
    assert best is not None
    return best[1], best[2]


def _free_texts(search: Search, item: tuple[str, Structure]) -> list[str]:
    """What a sort key may start with: before or after those of other types."""
    (plain,) = _token_texts(search, [item])
    after = search.models[item[0]].entity.token if plain == SELF else plain
    return list(dict.fromkeys((plain, f"#{plain}", after, f"~{after}")))


def _default_order(search: Search, item: tuple[str, Structure]) -> tuple[bool, str, str]:
    model = search.models[item[0]]
    return (not owns_collection(model, item[1]), model.entity.token, item[1].kind)


def _groups_in(
    search: Search,
    layout: Layout,
    collection: list[tuple[str, Structure]],
    slot: dict[str, Structure] | None,
) -> list[tuple[int, Group]]:
    found = []
    entities = {name: structure for name, structure in collection if structure.kind != "copy"}
    for position, group in enumerate(layout.groups):
        if group.index != (slot is not None):
            continue
        question = search.requirements.questions[group.question]
        names = [question.demands[at].entity for at in group.parts]
        if not all(name in entities for name in names):
            continue
        if slot is not None:
            if any(slot.get(name) != group.structure(name) for name in names):
                continue
        else:
            first = question.demands[group.parts[0]]
            if set(first.equals) != set(entities[first.entity].partition):
                continue
        found.append((position, group))
    return found


def _limited(search: Search, group: Group) -> tuple[str, bool | None] | None:
    """The entity that a group reads the first or last few of, and whether backwards."""
    question = search.requirements.questions[group.question]
    for at in group.parts:
        demand = question.demands[at]
        if demand.limit is not None and not demand.one:
            return demand.entity, (demand.order[0].descending if demand.order else None)
    return None


def _best_order(
    search: Search, default: list[tuple[str, Structure]], groups: list[tuple[int, Group]]
) -> list[tuple[str, Structure]]:
    asked = {
        search.requirements.questions[group.question].demands[at].entity
        for _, group in groups
        for at in group.parts
    }
    moving = [item for item in default if item[0] in asked and item[1].kind != "copy"]
    staying = [item for item in default if item not in moving]
    if len(moving) > PERMUTED:
        moving, staying = moving[:PERMUTED], moving[PERMUTED:] + staying
    best, least = [*moving, *staying], None
    for arrangement in permutations(moving):
        trial = [*arrangement, *staying]
        cost = sum(_misplaced(search, group, trial) for _, group in groups)
        if least is None or cost < least:
            best, least = trial, cost
        if least == 0:
            break
    return best


def _misplaced(search: Search, group: Group, order: list[tuple[str, Structure]]) -> int:
    question = search.requirements.questions[group.question]
    names = [name for name, _ in order]
    places = [names.index(question.demands[at].entity) for at in group.parts]
    cost = max(places) - min(places) + 1 - len(set(places))
    limited = _limited(search, group)
    if limited is not None:
        place = names.index(limited[0])
        good = {True: (min(places),), False: (max(places),), None: (min(places), max(places))}[
            limited[1]
        ]
        cost += 0 if place in good else 100
    return cost


def _token_texts(search: Search, order: list[tuple[str, Structure]]) -> list[str]:
    """Token texts that sort in the given order: plain where that does, `#` before the owner's, else numbered."""

    def plain(item: tuple[str, Structure], before: bool) -> str:
        text = sort_token(search.models[item[0]], item[1])
        return f"#{text}" if before and text != SELF else text

    owner = next(
        (at for at, item in enumerate(order) if owns_collection(search.models[item[0]], item[1])),
        None,
    )
    texts = [plain(item, owner is not None and at < owner) for at, item in enumerate(order)]
    if texts == sorted(texts) and len(set(texts)) == len(texts):
        return texts
    if owner is None:
        return (
            [f"{at}#{plain(item, False)}" for at, item in enumerate(order, start=1)]
            if _order_matters(order)
            else texts
        )
    return [f"{at}#{plain(item, False)}" for at, item in enumerate(order, start=1)]


def _order_matters(order: list[tuple[str, Structure]]) -> bool:
    return len(order) > 1


def _range(
    search: Search, group: Group, order: list[tuple[str, Structure]], texts: list[str]
) -> GroupRange:
    question = search.requirements.questions[group.question]
    names = [name for name, _ in order]
    places = sorted(names.index(question.demands[at].entity) for at in group.parts)
    first, last = places[0], places[-1]
    limited = _limited(search, group)
    ends_with_limited = False
    if limited is not None:
        place, descending = names.index(limited[0]), limited[1]
        if descending is None:
            descending = place == first
        forward = not descending
        ends_with_limited = place == (last if forward else first)
    else:
        demands = [question.demands[at] for at in group.parts]
        forward = {d.order[0].descending for d in demands if d.order} != {True}
    if first == 0 and last == len(order) - 1:
        return GroupRange(None, None, forward, ends_with_limited)
    upper = texts[last]
    if upper.endswith(keys.DELIMITER):
        upper = upper[:-1] + keys.ABOVE
    return GroupRange(_brace(texts[first]), _brace(upper), forward, ends_with_limited)


# A table for one entity


def _lay_out_own(search: Search, choice: Choice, layout: Layout, tables: "_Names") -> None:
    design = search.design
    for name, chosen in choice.entities.items():
        model = search.models[name]
        pins = model.pins
        pinned = pins.table if pins is not None else ""
        table = tables(pinned or table_name(design.table_prefix, plural(name)))
        attributes = _Names(a.name for a in model.entity.attributes)
        made: dict[object, KeyPart] = {}
        layout.bases[name] = _own_placement(
            search, choice, name, chosen.base, table, None, "", attributes, made
        )
        kept = _kept_own(search, choice, name, layout)
        pinned_names = _pinned_names(search, choice, name)
        indexes = _Names((*pinned_names.values(), *_former_names(search, name)))
        placed = 0
        lists = _Lists()
        layout.held[name] = {}
        for structure, projection in chosen.held.items():
            if structure.kind == "copy":
                other = tables(table_name(design.table_prefix, natural_name(model, structure)))
                layout.others[name, structure] = _own_placement(
                    search, choice, name, structure, other, None, "", attributes, made
                )
                layout.held[name][structure] = None
                continue
            placed += 1
            before = kept.get(structure)
            index = pinned_names.get(structure) or (before.name if before is not None else None)
            index = index or indexes(natural_name(model, structure))
            number = f"{'LSI' if structure.kind == 'local' else 'GSI'}{placed}"
            placement = _own_placement(
                search, choice, name, structure, table, index, number, attributes, made,
                before.keys if before is not None else None,
            )  # fmt: skip
            if structure.kind == "local":
                placement = replace(placement, partition=layout.bases[name].partition)
            layout.others[name, structure] = placement
            held = lists(projection)
            layout.held[name][structure] = held
            layout.index_projection[table, index] = held
        for attribute in all_guarded(model, chosen.guard):
            shape = guard_shape(model, attribute)
            wanted = f"{name}{capital(plural(attribute))}" if attribute else f"{name}Lookup"
            guarded = (attribute,) if attribute else model.entity.identifier
            key = Structure(name, "guard", guarded, ())
            part = _part(model, key, guarded, None, None, "PK", attributes, made)
            layout.guards[name, attribute] = GuardPlacement(
                name,
                attribute,
                shape,
                tables(table_name(design.table_prefix, wanted)),
                {part.name: item_template(part, model)},
                ((part.name, part.type),),
            )


def _pinned_names(search: Search, choice: Choice, name: str) -> dict[Structure, str]:
    """The indexes of an entity's own table that are pinned to be called something."""
    free = _Names()
    return {
        structure: free(called)
        for structure in choice.entities[name].held
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
    for structure, projection in choice.entities[name].held.items() if known.indexes else ():
        if not structure.is_index:
            continue
        place = _own_placement(search, choice, name, structure, "", "", "", _Names(), {})
        if structure.kind == "local":
            place = replace(place, partition=layout.bases[name].partition)
        natives = {part.native for part in (*layout.bases[name].parts, *place.parts)}
        stored = search.models[name].entity.stored_names
        holds = None if projection is None else (projection & stored) - natives
        key = _templates(place, search.models[name])
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
    attributes: _Names,
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
    attributes: _Names,
    made: dict[object, KeyPart],
) -> KeyPart:
    """A key attribute as it is pinned to be called, else as it was, under a natural name or the generic one; equal ones
    are one attribute.
    """
    limits = tuple(limit for limit in structure.only if limit[0] in part)
    when = _when(model, structure, part)
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


# Time to live


def _time_to_live(search: Search, layout: Layout, own: set[str]) -> None:
    by_table: dict[str, dict[str, str]] = {}
    for name, model in search.models.items():
        for attribute in model.entity.attributes:
            if attribute.ttl:
                for placement in layout.placements_of(name):
                    by_table.setdefault(placement.table, {})[name] = attribute.name
    for table, attributes in by_table.items():
        names = set(attributes.values())
        # Another entity's attribute of that name must not make its items expire.
        others = {
            a.name
            for name, placement in layout.bases.items()
            if placement.table == table and name not in attributes
            for a in search.models[name].entity.attributes
        }
        if len(names) == 1 and not names & others:
            layout.ttl[table] = names.pop()
            continue
        shared = _Names(own)("ttl")
        layout.ttl[table] = shared
        for name, source in attributes.items():
            layout.extra.setdefault(name, {})[shared] = f"{{{source}}}"
