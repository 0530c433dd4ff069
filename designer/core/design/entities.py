"""Entities and the relationships between them."""

from collections.abc import Collection
from functools import cached_property
from typing import Annotated, Literal, NamedTuple

from pydantic import Field, model_validator

from designer.core.design.attributes import Attribute
from designer.core.design.uniqueness import Uniqueness
from designer.core.errors import MisfitError
from designer.core.messages import say
from designer.core.patterns.document import AttributeName, Document, Id, Line, Name, Text

Prefix = Annotated[str, Field(pattern=r"^[A-Za-z0-9_.-]{1,40}$")]
Count = Annotated[int, Field(ge=0, le=10**15)]
Pixels = Annotated[int, Field(ge=-20_000, le=20_000)]


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

    unordered = ("attributes",)

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
    def expires(self) -> bool:
        """Whether DynamoDB deletes its items once their time to live has passed."""
        return any(attribute.ttl for attribute in self.attributes)

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
            raise MisfitError(say("one-and-many"))
        if pair_of_many != (self.through is not None):
            raise MisfitError(say("through-of-many"))
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
