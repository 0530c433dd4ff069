"""What a team's pins leave of the candidates in one style, and how pinned keys are written and called.

Pins narrow the lists of candidates before anything is priced (`Search.bases`, `Search.indexes`, the accesses of an
entity read), so the choice is proven against what the pins allow; layout asks here for texts and names.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from designer.core.design.pins import KeyText, key_text
from designer.core.design.settings import Pin, PinnedNames
from designer.core.planner.candidates.chains import model_order
from designer.core.planner.candidates.keys import base_candidates, index_candidates
from designer.core.planner.model.entity_model import EntityModel
from designer.core.planner.model.key_text import (
    may_agree,
    own_partition,
    root_of,
    rooted,
    template_of,
)
from designer.core.planner.model.naming import natural_name
from designer.core.planner.model.pins import (
    NO_PINS,
    Candidates,
    EntityPins,
    IndexPin,
    KeyPin,
    Projected,
    obeyed,
)
from designer.core.planner.model.reads_and_writes import EntityRead, PatternRead, Requirements
from designer.core.planner.model.shard_attributes import is_shard
from designer.core.planner.model.structures import Pieces, Structure
from designer.core.planner.pricing.access_paths import accesses

"""A key in pieces: ("text", ...) or ("attribute", ...)."""


def pinned(
    requirements: Requirements, style: str, candidates: Mapping[str, Candidates]
) -> Requirements:
    """The requirements with what is pinned for a style, and what the entities may have instead of our candidates.

    `requirements.tables` says who shares a table.
    """
    design = requirements.design
    pins = [pin for _, pin in obeyed(design, style)]
    found: dict[str, EntityPins] = {}
    # An index that several entities of a table share holds the same of each.
    for entity in design.entities:
        form = requirements.form_of(entity.name, style)
        model = EntityModel(design, entity, form, requirements)
        mine = [pin for pin in pins if pin.entity == entity.name]
        home = requirements.table_of(entity.name)
        projections: dict[str, Projected] = {
            pin.index: pin.projection
            for pin in pins
            if pin.index is not None and pin.projection is not None
            if pin.entity is None or requirements.table_of(pin.entity) == home
        }
        entity_reads = _entity_reads_of(requirements, entity.name)
        found[entity.name] = _entity_pins(
            model, mine, entity_reads, candidates.get(entity.name), projections
        )
    found |= _distinguished(requirements, found)
    found |= _beside(requirements, style, found)
    requirements = replace(requirements, pins={n: p for n, p in found.items() if p != NO_PINS})
    return _patterns_pinned(requirements, style, [pin for pin in pins if pin.pattern is not None])


def _distinguished(
    requirements: Requirements, found: dict[str, EntityPins]
) -> dict[str, EntityPins]:
    """With pinned sort keys that begin with a value what the entity is called before it, where others may lie there.

    Else nobody could tell where in a collection its items are, and what is read of the others would have them in it.
    """
    marked: dict[str, EntityPins] = {}
    for together in requirements.tables:
        unmarked = [
            n for n in together if (sort := found[n].base.sort) is not None and not sort.token
        ]
        if len(together) < 2 or not unmarked:
            continue
        written = {name: tuple(_partitions(requirements, name, found[name])) for name in together}
        for name in unmarked:
            bases = [one for one in written[name] if one.structure.kind == "base"]
            beside = tuple(
                other
                for other in together
                if other != name
                and any(mine.may_meet(theirs) for mine in bases for theirs in written[other])
            )
            sort = found[name].base.sort
            if beside and sort is not None:
                token = requirements.design.entity[name].token
                pieces = (("text", f"{token}#"), *sort.pieces)
                base = replace(found[name].base, sort=replace(sort, pieces=pieces))
                marked[name] = replace(found[name], base=base, distinct_from=beside)
    return marked


@dataclass(frozen=True)
class _Partition:
    """A partition key of a shared table, as an entity may write it."""

    structure: Structure
    pieces: Pieces
    roots: frozenset[tuple[str, str]]
    """Where the values in it come from."""
    is_pinned: bool

    def may_meet(self, other: "_Partition") -> bool:
        """Whether items of another entity under a key of theirs may lie in a partition of this one."""
        if self.roots == other.roots and self.is_pinned != other.is_pinned:
            return True  # what is not pinned is written as the other is
        # Values of two origins are not taken for each other; a value may be what the other's text says.
        can_agree = self.roots == other.roots or not (self.roots and other.roots)
        return can_agree and may_agree(template_of(self.pieces), template_of(other.pieces))


def _partitions(requirements: Requirements, name: str, pins: EntityPins) -> Iterator[_Partition]:
    """The partition keys that an entity's items may have in a shared table: its own, and those of copies."""
    entity = requirements.design.entity[name]
    model = EntityModel(requirements.design, entity, "single", requirements)
    entity_reads = _entity_reads_of(requirements, name)
    own = pins.bases or base_candidates(model, entity_reads)
    listed = index_candidates(model, entity_reads)
    for structure in (*own, *listed, *pins.of_structure):
        if structure.is_index:
            continue
        text = pins.base.partition if structure.kind == "base" else None
        plain = (value for value in structure.partition if not is_shard(value))
        yield _Partition(
            structure,
            own_partition(model, structure) if text is None else text.pieces,
            frozenset(root_of(model, value) for value in plain),
            text is not None,
        )


def _beside(
    requirements: Requirements, style: str, found: dict[str, EntityPins]
) -> dict[str, EntityPins]:
    """With each entity how others in its table are pinned, so that its items can lie beside theirs."""
    with_others: dict[str, EntityPins] = {}
    for together in requirements.tables:
        pinned_texts: list[Pieces] = []
        for name in together:
            text = found[name].base.partition
            if text is not None and requirements.form_of(name, style) == "single":
                entity = requirements.design.entity[name]
                model = EntityModel(requirements.design, entity, "single", requirements)
                pinned_texts.append(rooted(model, text.pieces))
        for name in together if pinned_texts else ():
            with_others[name] = replace(found[name], beside=tuple(dict.fromkeys(pinned_texts)))
    return with_others


def _entity_reads_of(requirements: Requirements, entity: str) -> list[EntityRead]:
    return [
        entity_read
        for pattern_read in requirements.pattern_reads
        for entity_read in pattern_read.entity_reads
        if entity_read.entity == entity
    ]


# Of an entity


def _entity_pins(
    model: EntityModel,
    pins: list[Pin],
    entity_reads: list[EntityRead],
    candidates: Candidates | None,
    projections: Mapping[str, Projected],
) -> EntityPins:
    base = _key_pin(model, [pin for pin in pins if pin.index is None])
    called: dict[str, list[Pin]] = {}
    for pin in pins:
        if pin.index is not None:
            called.setdefault(pin.index, []).append(pin)
    indexes = tuple(
        made
        for name, mine in called.items()
        if (made := _index_pin(model, name, mine, projections.get(name))) is not None
    )
    names = [pin.name for pin in pins if pin.index is None and pin.pattern is None and pin.name]
    bases = _bases(model, base, entity_reads) if base.partition or base.sort else None
    found = EntityPins(
        bases=bases,
        base=base,
        indexes=indexes,
        table=names[0] if names else "",
        generic=model.style == "multi" and model.design.planner.key_names.multi == "generic",
    )
    if candidates is None:
        return found
    if candidates.bases is not None:
        found = replace(found, bases=candidates.bases)
    if candidates.indexes is not None:
        listed = tuple(
            IndexPin(structure, projection=projection)
            for structure, projection in candidates.indexes.items()
        )
        found = replace(found, indexes=listed, only_indexes=True)
    return found


def _key_pin(model: EntityModel, pins: list[Pin]) -> KeyPin:
    texts: dict[str, KeyText] = {}
    names: dict[str, str] = {}
    for pin in pins:
        for part in ("partition", "sort"):
            template, name = getattr(pin.key, part, None), getattr(pin.names, part, None)
            if template is not None:
                texts[part] = key_text(model.entity, template)
            if name is not None:
                names[part] = name
    return KeyPin(texts.get("partition"), texts.get("sort"), PinnedNames(**names))


def _index_pin(
    model: EntityModel, called: str, pins: list[Pin], projection: Projected | None
) -> IndexPin | None:
    """The index that some pins describe; None when they don't say what its key is."""
    key = _key_pin(model, pins)
    if key.partition is None:
        return None
    sort = key.sort.attributes if key.sort is not None else ()
    only = _limits(key)
    lone = key.sort.lone if key.sort is not None else None
    structure = Structure(
        model.name,
        "index",
        _ordered(model, key.partition),
        sort,
        tuple(sorted(only.items())),
        # Said with its name, the item's own attribute is meant, and not its text in a key that others share.
        own=model.style == "single"
        and lone is not None
        and key.names.sort == lone
        and model.may_share_key(lone),
        inverse=key.sort.inverse if key.sort is not None else (),
    )
    name = next((pin.name for pin in pins if pin.name), called)
    return IndexPin(structure, called, name, projection, key)


def _limits(key: KeyPin) -> dict[str, tuple[str, ...]]:
    """The attributes and values that pinned keys limit an index to, whether they are in the keys or not."""
    texts = [text for text in (key.partition, key.sort) if text is not None]
    waited = {name: values for text in texts for name, values in text.when if values}
    return waited | {name: values for text in texts for name, values in text.only}


def _bases(
    model: EntityModel, key: KeyPin, entity_reads: list[EntityRead]
) -> tuple[Structure, ...]:
    """The base keys that fit a pinned key, the plainest first."""
    partition = None if key.partition is None else _ordered(model, key.partition)
    sort = None if key.sort is None else key.sort.attributes
    inverse = () if key.sort is None else key.sort.inverse
    found: dict[Structure, None] = {}
    identifier = model.entity.identifier
    if partition is not None:
        rest = tuple(name for name in identifier if name not in partition)
        whole = rest if sort is None else sort
        found[Structure(model.name, "base", partition, whole, inverse=inverse)] = None
    elif sort is not None and set(identifier) - set(sort):
        rest = tuple(name for name in identifier if name not in sort)
        found[Structure(model.name, "base", model_order(model, rest), sort, inverse=inverse)] = None
    for base in base_candidates(model, entity_reads):
        written = sort is None or (sort == base.sort and set(inverse) == set(base.inverse))
        if partition in (None, base.partition) and written:
            found[base] = None
    return tuple(found)


def _ordered(model: EntityModel, partition: KeyText) -> tuple[str, ...]:
    """The attributes of a pinned partition key as structures have them: shards last."""
    names = partition.attributes
    plain = model_order(model, (name for name in names if not is_shard(name)))
    return (*plain, *filter(is_shard, names))


# Of patterns


def _patterns_pinned(requirements: Requirements, style: str, pins: list[Pin]) -> Requirements:
    if not pins:
        return requirements
    models = {
        e.name: EntityModel(
            requirements.design, e, requirements.form_of(e.name, style), requirements
        )
        for e in requirements.design.entities
    }
    indexed = {pin.pattern: pin.index for pin in pins if pin.index is not None}
    projected = {pin.pattern: pin.projection for pin in pins if pin.projection is not None}
    renamed = {pin.pattern: pin.name for pin in pins if pin.name is not None}
    key_names = {pin.pattern: pin.names for pin in pins if pin.names is not None}
    asked: dict[tuple[str, str], list[EntityRead]] = {}
    for pattern_read in requirements.pattern_reads:
        index = indexed.get(pattern_read.number)
        if index is not None:
            first = pattern_read.entity_reads[0]
            asked.setdefault((first.entity, index), []).append(first)
    through = {
        (entity, index): _answering(models[entity], index, entity_reads, requirements)
        for (entity, index), entity_reads in asked.items()
    }

    def restricted(pattern_read: PatternRead) -> PatternRead:
        number = pattern_read.number
        if not any(number in pinned for pinned in (indexed, projected, renamed, key_names)):
            return pattern_read
        first = pattern_read.entity_reads[0]
        index = indexed.get(number)
        usable = through[first.entity, index] if index is not None else None
        own = requirements.pins.get(first.entity, NO_PINS).of_structure
        is_new = index is not None and not own.keys() & set(usable or ())
        called = renamed.get(number) or (str(index) if is_new else "")
        held = projected.get(number)
        pinned_so = replace(
            first,
            through=usable,
            in_shards=True,
            holding=held,
            called=called,
            key_names=key_names.get(number),
        )
        if index is None and not _is_answered(models[first.entity], pinned_so, requirements):
            return pattern_read  # no index answers it, so none can hold anything for it
        return replace(pattern_read, entity_reads=(pinned_so, *pattern_read.entity_reads[1:]))

    pattern_reads = tuple(restricted(pattern_read) for pattern_read in requirements.pattern_reads)
    return replace(requirements, pattern_reads=pattern_reads)


def _answering(
    model: EntityModel, index: str, entity_reads: list[EntityRead], requirements: Requirements
) -> tuple[Structure, ...]:
    """The index keys among which the index of a name is found that answers some entity reads.

    Pinned ones of that name; else those that the plan would call so; else, for the name is new, all that answer.
    """
    pins = requirements.pins.get(model.name, NO_PINS)
    declared = tuple(pin.structure for pin in pins.indexes if index in (pin.called, pin.name))
    if declared:
        return declared
    base, listed = _listed(model, requirements)
    named = [s for s in listed if model.style == "multi" and natural_name(model, s) == index]
    fitting = [
        structure
        for structure in named or listed
        if all(
            any(accesses(model, base, structure, entity_read, 0.0)) for entity_read in entity_reads
        )
    ]
    # Several patterns of one index need one key: the first that answers them all.
    return tuple(fitting[:1] if len(entity_reads) > 1 else fitting)


def _is_answered(model: EntityModel, entity_read: EntityRead, requirements: Requirements) -> bool:
    """Whether some index can answer an entity read."""
    base, listed = _listed(model, requirements)
    mine = tuple(requirements.pins.get(model.name, NO_PINS).of_structure)
    return any(
        any(accesses(model, base, structure, entity_read, 0.0)) for structure in listed + mine
    )


def _listed(
    model: EntityModel, requirements: Requirements
) -> tuple[Structure, tuple[Structure, ...]]:
    """The plainest base key of an entity, and the indexes that could be of use."""
    every = _entity_reads_of(requirements, model.name)
    listed = tuple(s for s in index_candidates(model, every) if s.is_index)
    return base_candidates(model, every)[0], listed
