"""Second pass: candidate keys for each entity. Lists them and judges nothing.

If costs never fall when a key gets more attributes, some best design uses only keys of the form P | block | block ...
where each block is what one demand knows beyond the demand before it, then its range or order. So candidates are the
chains of demands in which each finds all that the one before it knows and sorts by.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import combinations

from designer.core.limits import KEY_ATTRIBUTES
from designer.core.plan import Constant
from designer.core.planner.made import is_shard
from designer.core.planner.requirements import ReadDemand
from designer.core.planner.structures import EntityModel, Structure

MOST_CHAINS = 400
"""Chains looked at for each entity; beyond that only the shorter ones are."""


def chain_of(demand: ReadDemand) -> tuple[str, ...]:
    """The sort attributes a demand wants after what it knows: its order, or its range."""
    if demand.order:
        return tuple(
            order.attribute for order in demand.order if order.attribute not in demand.equals
        )
    return (demand.range.attribute,) if demand.range is not None else ()


def base_candidates(model: EntityModel, demands: Iterable[ReadDemand]) -> tuple[Structure, ...]:
    """Keys that determine the item: the identifier split in every way, and each chain with the identifier after it."""
    identifier = model.entity.identifier
    demands = tuple(demands)
    found: dict[Structure, None] = {}
    for size in range(len(identifier), 0, -1):
        for partition in combinations(identifier, size):
            rest = tuple(name for name in identifier if name not in partition)
            found[Structure(model.name, "base", model_order(model, partition), rest)] = None
    for partition, sort in _keys(model, demands):
        if not partition or not all(model.may_be_base_key(name) for name in (*partition, *sort)):
            continue
        rest = tuple(name for name in identifier if name not in (*partition, *sort))
        for inverse in _inverses(model, demands, sort):
            if not any(model.attribute(name).values for name in inverse):
                base = Structure(model.name, "base", partition, (*sort, *rest), inverse=inverse)
                found[base] = None
    return tuple(found)


def index_candidates(
    model: EntityModel, demands: Iterable[ReadDemand], edge: bool
) -> tuple[Structure, ...]:
    """Index keys for the demands, plain and sparse, of texts and of attributes.

    For the edges of N:M also edge items under the other side; for strong reads local indexes, and whole copies of
    the item under another key.
    """
    found: dict[Structure, None] = {}
    demands = tuple(demands)
    for partition, sort in _keys(model, demands):
        for inverse in _inverses(model, demands, sort):
            structure = Structure(model.name, "index", partition, sort, inverse=inverse)
            found |= dict.fromkeys(_forms(model, structure))
    for demand in demands:
        found |= dict.fromkeys(_sparse(model, demand))
    strong = tuple(demand for demand in demands if demand.strong)
    for partition, sort in _keys(model, strong):
        for inverse in _inverses(model, strong, sort):
            found |= dict.fromkeys(_locals(model, partition, sort, inverse))
    for partition, sort in _keys(model, demands if edge else strong):
        if partition and all(model.may_be_base_key(name) for name in (*partition, *sort)):
            rest = tuple(n for n in model.entity.identifier if n not in (*partition, *sort))
            found[Structure(model.name, "copy", partition, (*sort, *rest))] = None
    return tuple(found)


def _locals(
    model: EntityModel,
    partition: tuple[str, ...],
    sort: tuple[str, ...],
    inverse: tuple[str, ...],
) -> Iterator[Structure]:
    """A local index for strong reads. What needs none is as well served by a global one, which can come and go."""
    local = Structure(model.name, "local", partition, sort, inverse=inverse)
    may_start_the_table = bool(partition) and all(map(model.may_be_base_key, partition))
    if (
        sort
        and may_start_the_table
        and all(model.may_be_index_key(name) for name in sort)
        and model.can_be_kept(local)
    ):
        yield local


def _sparse(model: EntityModel, demand: ReadDemand) -> Iterator[Structure]:
    """Indexes that hold only the items with the demand's constants."""
    constants = {
        name: str(value.value)
        for name, value in demand.equals.items()
        if isinstance(value, Constant) and isinstance(value.value, str)
    }
    if not constants:
        return
    only = tuple(sorted((name, (value,)) for name, value in constants.items()))
    free = tuple(name for name in demand.equals if name not in constants)
    structure = Structure(
        model.name,
        "index",
        (*free, *constants),
        chain_of(demand),
        only,
        inverse=model.to_invert(demand) or (),
    )
    yield from _forms(model, structure)


def _inverses(
    model: EntityModel, demands: tuple[ReadDemand, ...], sort: tuple[str, ...]
) -> Iterator[tuple[str, ...]]:
    """What of a sort key to write the other way round: nothing, or what some demand's order takes."""
    yield ()
    found: dict[tuple[str, ...], None] = {}
    for demand in demands:
        inverse, chain = model.to_invert(demand), chain_of(demand)
        if inverse and any(sort[at : at + len(chain)] == chain for at in range(len(sort))):
            found[inverse] = None
    yield from found


def _forms(model: EntityModel, structure: Structure) -> Iterator[Structure]:
    """An index with keys composed as texts, and with the items' own attributes as its keys."""
    if all(model.may_be_index_key(name) for name in structure.attributes):
        if model.can_be_kept(structure):
            yield structure
        own = replace(structure, own=True)
        if not structure.inverse and _may_have_own_keys(model, own) and model.can_be_kept(own):
            yield own


def _may_have_own_keys(model: EntityModel, structure: Structure) -> bool:
    """Whether the items' own attributes may be the keys, and that is another index than one of composed texts.

    Only where the team allows several attributes in a key; but a counter in a shared table has no other way.
    """
    partition, sort = model.split(structure)
    if max(len(partition), len(sort)) > KEY_ATTRIBUTES:
        return False
    allowed = model.design.planner.composite_index_keys == "multi-attribute"
    if model.style == "multi":
        return allowed and max(len(partition), len(sort)) > 1
    counted = len(sort) == 1 and bool(model.counters & set(structure.sort))
    return (allowed or counted) and bool(sort) and all(map(model.may_share_key, structure.sort))


def _keys(
    model: EntityModel, demands: Iterable[ReadDemand]
) -> Iterator[tuple[tuple[str, ...], tuple[str, ...]]]:
    """(partition, sort) of every chain, shorter chains first."""
    shapes: dict[tuple[frozenset[str], tuple[str, ...]], None] = {}
    for demand in demands:
        known = frozenset(
            name for name in demand.equals if model.attribute(name).type not in ("M", "L")
        )
        chain = chain_of(demand)
        shapes[(known, chain)] = None
        for name in demand.exists:
            if name not in chain and name not in known:
                shapes[(known, (name, *chain) if not chain else (*chain, name))] = None
        mutable = known & model.mutable
        if mutable and known - mutable:
            # The same without what changes: cheaper to write, filtered when read.
            shapes[(known - mutable, chain)] = None
        if chain and known:
            shapes[(known, ())] = None
    ordered = sorted(shapes, key=lambda shape: (len(shape[0]), sorted(shape[0]), shape[1]))
    count = 0
    chains: list[tuple[tuple[frozenset[str], tuple[str, ...]], ...]] = [
        (shape,) for shape in ordered
    ]
    seen: dict[tuple[tuple[str, ...], tuple[str, ...]], None] = {}
    while chains and count < MOST_CHAINS:
        longer = []
        for chain_shapes in chains:
            count += 1
            key = _key(model, chain_shapes)
            if key is not None:
                seen[key] = None
            known, sort = chain_shapes[-1]
            for shape in ordered:
                if (
                    known | set(sort) <= shape[0]
                    and shape != chain_shapes[-1]
                    and len(chain_shapes) < 5
                ):
                    longer.append((*chain_shapes, shape))
        chains = longer
    yield from seen


def _key(
    model: EntityModel, shapes: tuple[tuple[frozenset[str], tuple[str, ...]], ...]
) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
    first, chain = shapes[0]
    partition = model_order(model, first)
    sort = list(chain)
    for known, following in shapes[1:]:
        sort += [n for n in model_order(model, known) if n not in partition and n not in sort]
        sort += [n for n in following if n not in partition and n not in sort]
    if not partition and not sort:
        return (), ()
    return partition, tuple(sort)


def model_order(model: EntityModel, names: Iterable[str]) -> tuple[str, ...]:
    """Attributes in one order for all structures: as the identifier they refer to, then as declared."""
    position = {attribute.name: at for at, attribute in enumerate(model.entity.attributes)}
    entities = model.parents_first
    last = (len(entities), len(entities))

    def key(name: str) -> tuple[tuple[int, int], int, int]:
        root_entity, root = root_of(model, name)
        target = model.design.entity[root_entity]
        if root in target.identifier:
            return (entities[root_entity], target.identifier.index(root), position[name])
        return (last, 0, position[name])

    return tuple(sorted(names, key=key))


def root_of(model: EntityModel, name: str) -> tuple[str, str]:
    """Where the values of an attribute come from: (entity, attribute), following references to their end."""
    entity, attribute = model.entity, model.attribute(name)
    for _ in range(len(model.design.entities) + 1):
        if attribute.refers_to is None:
            break
        target_entity, _, target = attribute.refers_to.partition(".")
        if (
            target_entity not in model.design.entity
            or target not in model.design.entity[target_entity].by_name
        ):
            break
        if (target_entity, target) == (entity.name, attribute.name):
            break
        entity = model.design.entity[target_entity]
        attribute = entity.by_name[target]
    return entity.name, attribute.name


def label_of(model: EntityModel, name: str) -> str:
    """The token before a value in a partition key: USER for userId, STATUS for status."""
    if is_shard(name):
        return "SHARD"
    entity, attribute = root_of(model, name)
    target = model.design.entity[entity]
    if target.identifier == (attribute,):
        return target.token
    bare = re.sub(r"(?<=[a-z0-9])_?[Ii]d$", "", attribute)
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", bare).upper() or attribute.upper()
