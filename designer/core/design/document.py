"""The design document: what a team states about its application."""

import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cached_property
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import Field, WithJsonSchema, field_validator, model_validator

from designer.core.design.names import Names
from designer.core.design.numbers import as_text, decimals, digits_before_the_point
from designer.core.design.uniqueness import MOST_IN_SCOPE, Uniqueness
from designer.core.patterns import AnyPattern
from designer.core.patterns.base import (
    AttributeName,
    Document,
    Id,
    Line,
    Name,
    Scalar,
    Share,
    Text,
    Times,
)

FORMAT = 1
"""The version of the format that this code writes."""

KEY_TYPES = ("S", "N", "B")
"""The types whose values can be in a key."""
AttributeType = Literal["S", "N", "B", "BOOL", "M", "L", "SS", "NS", "BS", "NULL"]
AttributeFormat = Literal[
    "uuid", "ulid", "ksuid", "email", "enum", "text", "url", "date", "datetime",
    "epoch", "integer", "decimal", "version", "json",
]  # fmt: skip

GENERATED_FORMATS = frozenset({"uuid", "ulid", "ksuid"})
"""Formats whose values never occur twice, because a generator made them."""

NUMBER_FORMATS = frozenset({"epoch", "integer", "decimal", "version"})

TEXT_FORMATS = GENERATED_FORMATS | {"email", "text", "url", "date", "datetime"}

LISTS = frozenset({"L", "SS", "NS", "BS"})
"""Types whose values have elements."""

Prefix = Annotated[str, Field(pattern=r"^[A-Za-z0-9_.-]{1,40}$")]
Count = Annotated[int, Field(ge=0, le=10**15)]
Pixels = Annotated[int, Field(ge=-20_000, le=20_000)]


class Attribute(Document):
    """An attribute of an entity."""

    name: AttributeName
    id: Id | None = None
    description: Text = ""
    type: AttributeType = "S"
    format: AttributeFormat | None = None
    digits: Annotated[int, Field(ge=1, le=38)] | None = None
    """The largest number of significant digits, including those after the decimal point."""
    scale: Annotated[int, Field(ge=0, le=37)] | None = None
    """Digits after the decimal point."""
    minimum: Annotated[int | float, Field(gt=-1e38, lt=1e38)] | None = None
    """The smallest possible number."""
    maximum: Annotated[int | float, Field(gt=-1e38, lt=1e38)] | None = None
    """The largest possible number. Together with the smallest, it determines the number of digits."""
    bytes: Annotated[float, Field(ge=0, le=409_600)] | None = None
    """Average size of the value in bytes, without the name; if absent, from the format."""
    most_bytes: Annotated[float, Field(ge=0, le=409_600)] | None = None
    """Size of the largest value in bytes."""
    elements: Times | None = None
    """The number of elements of a list or set: on average and at most."""
    distinct: Annotated[int, Field(ge=1)] | None = None
    """The number of different values in use."""
    values: (
        tuple[
            Annotated[
                str,
                Field(min_length=1, max_length=200),
                WithJsonSchema(
                    {
                        "anyOf": [
                            {"type": "string", "minLength": 1, "maxLength": 200},
                            {"type": "number"},
                        ]
                    }
                ),
            ],
            ...,
        ]
        | None
    ) = None
    """The possible values (an enum). For a number, they are numbers, with or without quotes."""
    shares: tuple[Share, ...] | None = None
    """The share of the items that have each of `values`."""
    busiest: Share | None = None
    """The share of items and traffic on the busiest value; if absent, one divided by `distinct`."""
    present: Share = 1.0
    """The share of the items that have the attribute."""
    later: bool = False
    """A new item does not have it; a later update sets it."""
    mutable: bool = False
    unique: bool = False
    unique_within: Annotated[tuple[AttributeName, ...], Field(max_length=MOST_IN_SCOPE)] = ()
    """The scope in which it is unique, as attributes: for example, an e-mail address within `[tenantId]`."""
    ttl: bool = False
    refers_to: (
        Annotated[
            str, Field(pattern=r"^[A-Za-z][A-Za-z0-9_]{0,63}\.[A-Za-z_][A-Za-z0-9_-]{0,126}$")
        ]
        | None
    ) = None
    """`Entity.attribute` whose value this attribute holds."""
    derived: (
        Annotated[str, Field(pattern=r"^(date|hour|month|year)\([A-Za-z_][A-Za-z0-9_-]{0,126}\)$")]
        | None
    ) = None
    """Derived from another attribute and used only in keys: `date(readAt)`."""
    aggregate: (
        Annotated[
            str,
            Field(
                pattern=r"^(count|sum|greatest|least) of [A-Za-z][A-Za-z0-9_]{0,63}(\.[A-Za-z_][A-Za-z0-9_-]{0,126})?$"
            ),
        ]
        | None
    ) = None
    """An aggregate over a relationship's children: `count of places`, `sum of places.total`."""
    kept: Literal["at-once", "by-stream", "by-price"] = "at-once"
    """How the aggregate follows its children: in their transaction, or a moment later by a stream consumer."""
    examples: tuple[Scalar, ...] = ()

    @model_validator(mode="before")
    @classmethod
    def _numbersas_text(cls, data: Any) -> Any:
        """The numbers among `values` are kept as the text they once had to be written as."""
        if not isinstance(data, dict) or data.get("type") != "N":
            return data
        values = data.get("values")
        if not isinstance(values, (list, tuple)):
            return data
        return {**data, "values": tuple(map(as_text, values))}

    @model_validator(mode="after")
    def _consistent(self) -> "Attribute":
        if self.shares is not None and (
            self.values is None or len(self.shares) != len(self.values)
        ):
            raise ValueError("`shares` needs one share for each of `values`")
        if self.shares is not None and abs(sum(self.shares) - 1) > 0.011:
            raise ValueError("`shares` must add up to 1")
        if self.values is not None and len(set(self.values)) != len(self.values):
            raise ValueError("`values` names a value twice")
        if (self.digits is not None or self.scale is not None) and self.type != "N":
            raise ValueError("`digits` and `scale` belong to numbers (type N)")
        if self.scale is not None and self.scale >= (self.digits or 38):
            raise ValueError("`scale` must be smaller than `digits`")
        self._range_fits()
        if self.format in NUMBER_FORMATS and self.type != "N":
            raise ValueError(f"format {self.format} belongs to numbers (type N)")
        if self.format in TEXT_FORMATS and self.type != "S":
            raise ValueError(f"format {self.format} belongs to text (type S)")
        if self.elements is not None and self.type not in LISTS:
            raise ValueError("`elements` belong to lists and sets (type L, SS, NS or BS)")
        if self.elements is not None and self.elements.average > self.elements.most:
            raise ValueError("`elements` has more on average than at the most; correct one of them")
        if self.most_bytes is not None and self.most_bytes < (self.bytes or 0):
            raise ValueError("`most_bytes` is below `bytes`, the average; correct one of them")
        if self.later and self.present == 1:
            raise ValueError(
                "what comes `later` is missing at first: state the share of the items that have it (`present`)"
            )
        if self.ttl and self.type != "N":
            raise ValueError(
                "a time to live is a number: seconds since 1970 (type N, format epoch)"
            )
        return self

    def _range_fits(self) -> None:
        bounds = [bound for bound in (self.minimum, self.maximum) if bound is not None]
        if not bounds:
            return
        if self.type != "N":
            raise ValueError("`minimum` and `maximum` belong to numbers (type N)")
        if bounds[0] > bounds[-1]:
            raise ValueError("`minimum` is above `maximum`; swap them")
        needed = digits_before_the_point(bounds) + self.behind_the_point
        if needed > (self.digits or 38):
            raise ValueError(
                f"`minimum` and `maximum` need {needed} digits, {self.behind_the_point} of them "
                "after the decimal point, "
                f"and there are {self.digits or 38}; correct one of them"
            )

    @property
    def width(self) -> int | None:
        """Significant digits that a number can have: as stated, or as its range needs; None where nothing says."""
        if self.digits is not None or self.minimum is None or self.maximum is None:
            return self.digits
        return digits_before_the_point((self.minimum, self.maximum)) + self.behind_the_point

    @property
    def behind_the_point(self) -> int:
        """How many of them: as stated, else by the format and by what the range is written with."""
        if self.scale is not None:
            return self.scale
        bounds = (bound for bound in (self.minimum, self.maximum) if bound is not None)
        return max(2 if self.format == "decimal" else 0, *map(decimals, bounds), 0)

    @property
    def span(self) -> float | None:
        """How many numbers lie in its range; None where the range is not stated."""
        if self.minimum is None or self.maximum is None:
            return None
        return (self.maximum - self.minimum) * 10.0**self.behind_the_point + 1

    @property
    def padding(self) -> tuple[int, int]:
        """(digits, scale) of a number inside a composed key: 38 digits when nothing says how many."""
        return self.width or 38, self.behind_the_point

    def inverted(self, name: str) -> str | None:
        """The key template form that writes its value, known by a name, so that it sorts the other way round.

        None where none does: it takes a fixed width.
        """
        if self.derived is not None or self.type not in ("S", "N"):
            return None
        if self.type == "N":
            digits, scale = self.padding
            return f"{{inverse({digits}, {scale}, {name})}}"
        if not self.values and self.format not in ("date", "datetime"):
            return None
        values = sorted(self.values or (), key=str.encode)
        listed = (json.dumps(value, ensure_ascii=False) for value in values)
        return f"{{inverse({', '.join((name, *listed))})}}"

    @property
    def source(self) -> tuple[str, str] | None:
        """For a derived attribute: the form and the attribute it is worked out from."""
        if self.derived is None:
            return None
        form, _, rest = self.derived.partition("(")
        return form, rest.rstrip(")")


class Needs(Document):
    """The requirements of an entity for its table."""

    team: Line | None = None
    tenant: AttributeName | None = None
    """The attribute that identifies the tenant of the item."""
    stream: Literal["keys-only", "new", "old", "new-and-old"] | None = None
    recovery_days: Annotated[int, Field(ge=0, le=35)] | None = None
    """Days of point-in-time recovery; 0 for none; if absent, 35."""
    table_class: Literal["standard", "infrequent-access"] | None = None
    billing: Literal["on-demand", "provisioned"] | None = None
    personal_data: bool = False


class Entity(Document):
    """A type of thing that the application stores."""

    name: Name
    id: Id | None = None
    description: Text = ""
    prefix: Prefix | None = None
    """The first token of composed keys; if absent, the name in capitals."""
    identifier: Annotated[tuple[AttributeName, ...], Field(min_length=1, max_length=6)]
    items: Count | None = None
    growth_per_month: Count | None = None
    needs: Needs | None = None
    drawn_at: tuple[Pixels, Pixels] | None = None
    """Position of the top left corner of its box in the diagram, right and down; if absent, automatic layout."""
    attributes: tuple[Attribute, ...] = ()

    @property
    def token(self) -> str:
        """The token that starts this entity's composed keys."""
        return self.prefix or self.name.upper()

    @cached_property
    def by_name(self) -> dict[str, Attribute]:
        return {attribute.name: attribute for attribute in self.attributes}

    @cached_property
    def stored(self) -> tuple[Attribute, ...]:
        """The attributes an item carries: all but the derived ones."""
        return tuple(attribute for attribute in self.attributes if attribute.derived is None)

    @cached_property
    def stored_names(self) -> frozenset[str]:
        return frozenset(attribute.name for attribute in self.stored)

    @property
    def unique_attributes(self) -> tuple[Attribute, ...]:
        """Attributes that are unique among all items, other than the identifier itself."""
        return tuple(a for a in self.attributes if a.unique and self.identifier != (a.name,))

    @cached_property
    def uniques(self) -> tuple[Uniqueness, ...]:
        """What is unique besides the identifier, in the order of the attributes."""
        stated = (
            Uniqueness(attribute.name, attribute.unique_within)
            for attribute in self.attributes
            if attribute.unique or attribute.unique_within
        )
        return tuple(one for one in stated if not self._follows_from_identifier(one))

    def _follows_from_identifier(self, unique: Uniqueness) -> bool:
        if unique.within:
            return set(self.identifier) <= set(unique.names)
        return self.identifier == unique.names

    @cached_property
    def unique_names(self) -> frozenset[str]:
        """The attributes of all stated uniqueness, scopes included."""
        return frozenset(name for unique in self.uniques for name in unique.names)

    def names_one(self, known: Collection[str]) -> bool:
        """Whether at most one item has the known values: the identifier, or what is unique, is among them."""
        told = set(known)
        return told.issuperset(self.identifier) or any(
            told.issuperset(unique.names) for unique in self.uniques
        )


class Relationship(Document):
    """A relationship between two entities.

    `one: User, many: Order` with `by`, the child's attributes that refer to the parent; `one: [User, Profile]`
    for 1:1 (the second refers to the first); `many: [Student, Class], through: Enrolment` for N:M.
    """

    name: Name
    id: Id | None = None
    description: Text = ""
    one: Name | Annotated[tuple[Name, Name], Field()] | None = None
    many: Name | Annotated[tuple[Name, Name], Field()] | None = None
    through: Name | None = None
    by: AttributeName | tuple[AttributeName, ...] | None = None
    identifying: bool = False
    """The child cannot exist without its parent."""
    average: Annotated[float, Field(ge=0)] | None = None
    """The average number of children of a parent."""
    most: Annotated[int, Field(ge=0)] | None = None
    """The largest number of children of a parent."""
    averages: tuple[float, float] | None = None
    """For N:M: edges of one item of the first entity, and of the second."""
    mosts: tuple[int, int] | None = None

    @model_validator(mode="after")
    def _shape(self) -> "Relationship":
        pair_of_one = isinstance(self.one, tuple)
        pair_of_many = isinstance(self.many, tuple)
        one_to_many = isinstance(self.one, str) and isinstance(self.many, str)
        if not (
            one_to_many
            or (pair_of_one and self.many is None)
            or (pair_of_many and self.one is None)
        ):
            raise ValueError(
                "write `one: A` with `many: B` (1:N), `one: [A, B]` (1:1) or `many: [A, B]` with `through` (N:M)"
            )
        if pair_of_many != (self.through is not None):
            raise ValueError("`through` names the edge entity of `many: [A, B]`, and only there")
        return self

    @property
    def cardinality(self) -> Literal["1:1", "1:N", "N:M"]:
        if isinstance(self.many, tuple):
            return "N:M"
        return "1:1" if isinstance(self.one, tuple) else "1:N"

    @property
    def parent(self) -> str:
        """The one side; for N:M the first side."""
        if isinstance(self.one, str):
            return self.one
        pair = self.one if self.one is not None else self.many
        assert isinstance(pair, tuple)
        return pair[0]

    @property
    def parents(self) -> tuple[str, ...]:
        """The entities that the child refers to: one, or both sides of N:M."""
        return self.many if isinstance(self.many, tuple) else (self.parent,)

    @property
    def child(self) -> str:
        """The many side; the second of a 1:1; the edge entity of N:M."""
        if self.through is not None:
            return self.through
        if isinstance(self.one, tuple):
            return self.one[1]
        assert isinstance(self.many, str)
        return self.many

    def brings(self, entity: str) -> str:
        """What comes along with an entity's items: the parent with a child (of N:M the first side), else the child."""
        to_parent = self.child == entity and self.parent != entity
        return self.parent if to_parent else self.child

    @property
    def references(self) -> tuple[str, ...]:
        """The child's attributes that refer to the parent, as written; empty when left to `refers_to`."""
        if self.by is None:
            return ()
        return (self.by,) if isinstance(self.by, str) else self.by


class Held(NamedTuple):
    """The identifier of another item that the items of an entity hold."""

    of: str
    """Whose it is."""
    parts: tuple[frozenset[str], ...]
    """For each attribute of that identifier, those of the entity that hold it."""
    by: tuple[tuple[Relationship, int], ...]
    """The relationships that lead up there, each with the place of its side; empty where only references do."""


class Context(Document):
    """What the application is for."""

    domain: Line | None = None
    business: Text = ""
    scale: Text = ""


class KeyNames(Document):
    """Generic names (PK, GSI1SK) or natural names (userId), for each style."""

    single: Literal["generic", "natural"] = "generic"
    multi: Literal["generic", "natural"] = "natural"


class PinnedKey(Document):
    """The key templates of the partition key and the sort key. The planner chooses an omitted part."""

    partition: Line | None = None
    sort: Line | None = None

    @property
    def templates(self) -> tuple[str, ...]:
        """Those that are stated."""
        return tuple(text for text in (self.partition, self.sort) if text is not None)


class PinnedNames(Document):
    """The attribute names of the partition key and the sort key."""

    partition: Line | None = None
    sort: Line | None = None


class Pin(Document):
    """A decision taken by hand, which the planner plans around.

    Of an entity: its base key and its table's name, or with `index` its keys in that index, which is then built. Of a
    pattern: the index that answers it, and what that holds. Of several entities (`table`): that they share one.
    """

    style: Literal["single", "multi", "grouped"] | None = None
    """The style that it applies to; if absent, all styles."""
    entity: Name | None = None
    pattern: int | None = None
    key: PinnedKey | None = None
    names: PinnedNames | None = None
    index: Line | None = None
    """The name of an index."""
    projection: Literal["keys-only", "include", "all"] | None = None
    """The projection: only the keys, the attributes that its patterns need, or all attributes."""
    name: Line | None = None
    """Another name for the index; without `index`, the name of the table."""
    table: tuple[Name, ...] | None = None
    """Entities that share a table."""
    because: Text = ""

    @model_validator(mode="before")
    @classmethod
    def _by_attribute(cls, data: Any) -> Any:
        """Pins were once written with the names of the key's attributes: `key: {PK: "USER#{userId}", SK: A}`."""
        key = data.get("key") if isinstance(data, dict) else None
        if not isinstance(key, dict) or not 0 < len(key) <= 2 or key.keys() & {"partition", "sort"}:
            return data
        parts = ("partition", "sort")
        key_of = dict(zip(parts, key.values(), strict=False))
        return {**data, "key": key_of, "names": dict(zip(parts, key, strict=False))}


class PlannerSettings(Document):
    """Settings for the planner's choices."""

    objective: Literal["simplest", "cost", "indexes", "requests"] = "simplest"
    worth: Annotated[float, Field(gt=0)] | None = None
    """US dollars a month that an index must save with the objective `simplest`; None: by the design's cost."""
    tolerance: Annotated[float, Field(ge=0, le=1)] = 0.05
    composite_index_keys: Literal["strings", "multi-attribute"] = "strings"
    key_names: KeyNames = KeyNames()
    lookups_before_writes: Literal["no-gsi", "gsi"] = "no-gsi"
    point_reads: Literal["one-request", "by-price"] = "one-request"
    """Whether a read by identifier may take two requests if that costs less."""
    items: Literal["by-price", "as-stated"] = "by-price"
    """Whether a child may be in its parent's item, and attributes in an item of their own, if that costs less."""
    max_gsis: Annotated[int, Field(ge=0, le=20)] = 20
    delimiter: Literal["#"] = "#"
    """Sorts before every character that values keep (see the key templates)."""
    work_limit: Annotated[int, Field(ge=1)] = 20_000
    """Node limit of each integer program; at the limit, the best solution so far is used, with its gap."""
    pins: tuple[Pin, ...] = ()


class IgnoredFinding(Document):
    """An ignored finding, with the reason that reviewers see."""

    rule: Line
    about: Line | None = None
    because: Text

    @property
    def place(self) -> str:
        """The path of what it is about, which may also be written in words (`pattern 2`); empty: everything."""
        return (self.about or "").replace("pattern ", "patterns.")


class Design(Document):
    """A complete design."""

    keywright: Literal[1] = 1
    name: Line
    description: Text = ""
    context: Context | None = None
    region: Annotated[str, Field(pattern=r"^[a-z]{2}(-[a-z]+)+-[0-9]$")] = "us-east-1"
    billing: Literal["on-demand", "provisioned"] = "on-demand"
    table_prefix: Annotated[str, Field(pattern=r"^[a-zA-Z0-9_.-]{0,60}$")] = ""
    entities: tuple[Entity, ...] = ()
    relationships: tuple[Relationship, ...] = ()
    patterns: tuple[AnyPattern, ...] = ()
    planner: PlannerSettings = PlannerSettings()
    ignored_findings: tuple[IgnoredFinding, ...] = ()
    names: Names = Names()
    """Names that plans use, so that later plans use them again."""

    @field_validator("patterns")
    @classmethod
    def _patterns_by_number(cls, patterns: tuple[AnyPattern, ...]) -> tuple[AnyPattern, ...]:
        return tuple(sorted(patterns, key=lambda pattern: pattern.number))

    @cached_property
    def entity(self) -> dict[str, Entity]:
        """The entities by name."""
        return {entity.name: entity for entity in self.entities}

    @cached_property
    def relationship(self) -> dict[str, Relationship]:
        """The relationships by name."""
        return {relationship.name: relationship for relationship in self.relationships}

    @cached_property
    def of_child(self) -> dict[str, tuple[Relationship, ...]]:
        """By the entity that is their child (for N:M the edge), the relationships."""
        found: dict[str, tuple[Relationship, ...]] = {}
        for relationship in self.relationships:
            found[relationship.child] = (*found.get(relationship.child, ()), relationship)
        return found

    def pattern(self, number: int) -> AnyPattern:
        """The access pattern of a number; KeyError when there is none."""
        return self._by_number[number]

    @cached_property
    def _by_number(self) -> dict[int, AnyPattern]:
        return {pattern.number: pattern for pattern in reversed(self.patterns)}

    def references(self, relationship: Relationship, parent: str) -> tuple[tuple[str, str], ...]:
        """Pairs (child's attribute, parent's attribute) that join a relationship's child to `parent`.

        From `by` where it is written, else from the child's `refers_to`. For N:M, `parent` is either side; of an
        entity with itself the first. Empty when nothing joins them, which `check` reports.
        """
        return self._joined_by(relationship, parent, ())

    @cached_property
    def referred(self) -> dict[tuple[str, str], tuple[str, str]]:
        """By entity and attribute, the entity and attribute whose value it holds.

        From `refers_to`, else from `by` of the first relationship that has it: both say the same.
        """
        found: dict[tuple[str, str], tuple[str, str]] = {}
        for entity in self.entities:
            for attribute in entity.attributes:
                name, _, wanted = (attribute.refers_to or "").partition(".")
                if name in self.entity and wanted in self.entity[name].by_name:
                    found[entity.name, attribute.name] = (name, wanted)
        for relationship, (parent, pairs), _ in self._sides:
            for mine, theirs in pairs:
                if (relationship.child, mine) != (parent, theirs):
                    found.setdefault((relationship.child, mine), (parent, theirs))
        return found

    def is_generated(self, entity: Entity) -> bool:
        """Whether the identifier alone is unique because a generator made its own part for each item.

        That is the last that refers to nothing: of `[tenantId, userId]` the user's, of `[orderId, line]` none. It is
        not made for each item where it has fewer values than there are items.
        """
        own = [name for name in entity.identifier if (entity.name, name) not in self.referred]
        last = entity.by_name[own[-1]] if own else None
        if last is None or last.format not in GENERATED_FORMATS:
            return False
        is_part = len(entity.identifier) > 1
        return not (is_part and last.distinct and last.distinct < (entity.items or 0))

    def origin(self, entity: Entity, attribute: Attribute) -> tuple[Entity, Attribute]:
        """Where the values of an attribute come from, following references to their end."""
        for _ in self.entities:
            above = self.referred.get((entity.name, attribute.name))
            if above is None:
                break
            entity = self.entity[above[0]]
            attribute = entity.by_name[above[1]]
        return entity, attribute

    @cached_property
    def held(self) -> dict[str, tuple[Held, ...]]:
        """For each entity the identifiers that its items hold: of its parents, of theirs, and so on, the nearest first.

        Those that no relationship leads to, but references do, come last.
        """
        above: dict[str, list[tuple[Relationship, int, str, tuple[tuple[str, str], ...]]]] = {}
        for relationship, (parent, pairs), at in self._sides:
            if pairs:
                above.setdefault(relationship.child, []).append((relationship, at, parent, pairs))
        return {
            entity.name: (*led, *self._referring(entity, led))
            for entity in self.entities
            for led in [tuple(_led_to(entity, above))]
        }

    @cached_property
    def _sides(
        self,
    ) -> tuple[tuple[Relationship, tuple[str, tuple[tuple[str, str], ...]], int], ...]:
        """The sides of all relationships whose entities are there, each with its place."""
        return tuple(
            (relationship, side, at)
            for relationship in self.relationships
            if {relationship.child, *relationship.parents} <= self.entity.keys()
            for at, side in enumerate(self.sides(relationship))
        )

    def _referring(self, entity: Entity, led: tuple[Held, ...]) -> Iterator[Held]:
        """The identifiers that references alone lead to."""
        holding: dict[tuple[str, str], set[str]] = {}
        for attribute in entity.attributes:
            at = (entity.name, attribute.name)
            for _ in self.entities:
                if at not in self.referred:
                    break
                at = self.referred[at]
                holding.setdefault(at, set()).add(attribute.name)
        for name in dict.fromkeys(target for target, _ in holding):
            parts = [holding.get((name, part), set()) for part in self.entity[name].identifier]
            ways = [way.parts for way in led if way.of == name]
            if len(parts) == 1:
                parts = [parts[0].difference(*(held for (held,) in ways))]
            elif ways:
                continue
            if all(parts):
                yield Held(name, tuple(map(frozenset, parts)), ())

    def sides(
        self, relationship: Relationship
    ) -> tuple[tuple[str, tuple[tuple[str, str], ...]], ...]:
        """Each entity that a relationship's child refers to, with the pairs that join them.

        The two sides of an entity with itself have different attributes: `by` has those of the first first.
        """
        if not isinstance(relationship.many, tuple):
            return ((relationship.parent, self.references(relationship, relationship.parent)),)
        one, other = relationship.many
        first = self.references(relationship, one)
        taken = tuple(name for name, _ in first) if other == one else ()
        return ((one, first), (other, self._joined_by(relationship, other, taken)))

    def _joined_by(
        self, relationship: Relationship, parent: str, taken: tuple[str, ...]
    ) -> tuple[tuple[str, str], ...]:
        child = self.entity[relationship.child]
        identifier = self.entity[parent].identifier
        stated = tuple(name for name in relationship.references if name not in taken)
        candidates = stated or tuple(a.name for a in child.attributes if a.name not in taken)
        found: dict[str, str] = {}
        for name in candidates:
            attribute = child.by_name.get(name)
            if attribute is None or attribute.refers_to is None:
                continue
            entity, _, target = attribute.refers_to.partition(".")
            if entity == parent and target in identifier:
                found.setdefault(target, name)
        pairs = tuple((found[target], target) for target in identifier if target in found)
        if len(pairs) == len(identifier):
            return pairs
        if len(relationship.references) == len(identifier) and relationship.cardinality != "N:M":
            return tuple(zip(relationship.references, identifier, strict=True))
        return ()


def _led_to(
    entity: Entity,
    above: Mapping[str, Iterable[tuple[Relationship, int, str, tuple[tuple[str, str], ...]]]],
) -> Iterator[Held]:
    """The identifiers that relationships lead to from an entity's items, step by step."""
    start = (entity.name, {name: name for name in entity.by_name}, ())
    ways: list[tuple[str, dict[str, str], tuple[tuple[Relationship, int], ...]]] = [start]
    seen = {(entity.name, tuple(entity.identifier))}
    for name, held, by in ways:
        for relationship, at, parent, pairs in above.get(name, ()):
            if not all(mine in held for mine, _ in pairs):
                continue
            up = {theirs: held[mine] for mine, theirs in pairs}
            if (parent, tuple(up.values())) not in seen:
                seen.add((parent, tuple(up.values())))
                way = (parent, up, (*by, (relationship, at)))
                ways.append(way)
                yield Held(parent, tuple(frozenset({own}) for own in up.values()), way[2])
