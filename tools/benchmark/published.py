"""A published design's keys, and what they cost by our rules: a plan that chooses among them alone."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

import yaml
from pydantic import Field, field_validator

from designer.core.design.document import Design
from designer.core.design.entities import Entity
from designer.core.patterns.document import AttributeName, Document, Name, Text
from designer.core.plan import Plan, Style
from designer.core.planner import plan
from designer.core.planner.model.pins import Candidates, Projected
from designer.core.planner.model.shard_attributes import shard
from designer.core.planner.model.structures import Structure
from tools.benchmark.apart import apart
from tools.benchmark.cooling import cooled


class Key(Document):
    """`country + state | city, postcode`: what must be known, and what it is sorted by.

    `all | orderDate`: nothing need be known.
    """

    partition: tuple[AttributeName, ...]
    sort: tuple[AttributeName, ...] = ()


def _key(text: Any) -> Any:
    if not isinstance(text, str):
        return text
    partition, _, sort = text.partition("|")
    return {
        "partition": () if partition.strip() == "all" else _names(partition, "+"),
        "sort": _names(sort, ","),
    }


def _names(text: str, between: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in text.split(between) if name.strip())


class PublishedIndex(Document):
    """An entity's keys in an index."""

    key: Key
    holds: Literal["all", "keys-only"] | tuple[AttributeName, ...] = "all"
    own: bool = False
    """Its keys are several attributes, instead of one composed text."""
    shards: Annotated[int, Field(ge=2)] | None = None
    """Over how many partitions its items with one key are spread, by their identifiers."""

    _written = field_validator("key", mode="before")(_key)

    @property
    def projected(self) -> Projected:
        return self.holds if isinstance(self.holds, str) else frozenset(self.holds)


class PublishedPart(Document):
    """Attributes of an entity that lie in an item of their own, and its key."""

    key: Key
    attributes: tuple[AttributeName, ...]

    _written = field_validator("key", mode="before")(_key)


class PublishedEntity(Document):
    """An entity's keys, and where else its items lie."""

    key: Key
    indexes: dict[str, PublishedIndex] = Field(default_factory=dict)
    """By name; entities of one name share an index."""
    copies: tuple[Key, ...] = ()
    """Whole items once more, under another key."""
    guards: tuple[AttributeName, ...] = ()
    """Attributes that a guard item keeps unique; the identifier's where it leads to the item."""
    apart: dict[Name, PublishedPart] = Field(default_factory=dict)
    """What lies in items of its own."""

    _written = field_validator("key", mode="before")(_key)

    @field_validator("copies", mode="before")
    @classmethod
    def _copies(cls, keys: Any) -> Any:
        return [_key(key) for key in keys]


class Published(Document):
    """A published design: the keys of each entity, and what was repaired because our rules forbid it."""

    style: Style
    """Whether its keys are generic and shared by entities, or each index has attributes of its own."""
    entities: dict[Name, PublishedEntity]
    repairs: tuple[Text, ...] = ()
    reason: Text = ""
    """Why our plans are dearer or of more structures, where they are."""

    @property
    def structures(self) -> int:
        """Indexes, whole-item copies and items split off."""
        entities = self.entities.values()
        indexes = {name for entity in entities for name in entity.indexes}
        return len(indexes) + sum(len(e.copies) + len(e.apart) for e in entities)


def read_keys(folder: Path, slug: str) -> Published:
    """The published design of a case. FileNotFoundError when the folder has none."""
    path = folder / f"{slug}.keys.yaml"
    return Published.model_validate(yaml.safe_load(path.read_text("utf-8")))


def as_published(design: Design, published: Published) -> Design:
    """The design with what was published to lie apart in entities of its own."""
    for name, entity in published.entities.items():
        for part, held in entity.apart.items():
            design = apart(design, name, part, held.attributes)
    return design


@dataclass(frozen=True)
class Priced:
    """A published design by our rules."""

    plan: Plan
    """One of `as_published`."""
    repairs: tuple[str, ...]
    """What was changed of its keys, as they broke the limits of a partition."""


def priced(design: Design, published: Published) -> Priced:
    """The plan that keeps a design under published keys, priced as every plan is.

    Patterns and writes choose freely among those keys, and no key is left out for not being needed. A key that
    would run hot is spread over shards, as ours are.
    """
    given = {}
    for name, entity in published.entities.items():
        given[name] = _candidates(design.entity[name], entity)
        for part, held in entity.apart.items():
            given[part] = Candidates((_base(part, held.key),), {})
    lowest = design.with_planner(objective="cost")  # no key has to save anything
    kept = as_published(lowest, published)
    cool = cooled(kept, published.style, given)
    made = plan(kept, published.style, cool.given, reasons="findings")
    return Priced(made, cool.repairs)


def _base(name: str, key: Key) -> Structure:
    return Structure(name, "base", key.partition, key.sort)


def _candidates(entity: Entity, published: PublishedEntity) -> Candidates:
    name = entity.name
    held: dict[Structure, Projected | None] = {}
    for index in published.indexes.values():
        partition = index.key.partition
        if index.shards is not None:
            by = next(own for own in entity.identifier if own not in partition)
            partition = (*partition, shard(index.shards, by))
        key = Structure(name, "index", partition, index.key.sort, own=index.own)
        held[key] = index.projected
    for copy in published.copies:
        held[Structure(name, "copy", copy.partition, copy.sort)] = "all"
    return Candidates((_base(name, published.key),), held)
