"""The design document: what a team states about its application."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import Annotated, Any, Literal, Self

from pydantic import Field, field_validator

from designer.core.design.attributes import GENERATED_FORMATS, Attribute
from designer.core.design.entities import Entity, Held, Relationship
from designer.core.design.names import Names
from designer.core.design.settings import Context, IgnoredFinding, PlannerSettings
from designer.core.dynamodb.prices import SECONDS_PER_MONTH
from designer.core.patterns import AnyPattern
from designer.core.patterns.base import Write
from designer.core.patterns.document import Document, Line, Text

FORMAT = 1
"""The version of the format that this code writes."""
OF_ENTITIES = ("entity", "relationship", "of_child", "referred", "held", "_sides")
"""What a design works out from its entities and relationships alone."""


class Design(Document):
    """A complete design."""

    unordered = ("entities", "relationships", "patterns")

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

    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Self:
        """A copy with changes. What was worked out from the entities and relationships comes along if they stay."""
        copied = super().model_copy(update=update, deep=deep)
        if not deep and not {"entities", "relationships"} & (update or {}).keys():
            known = {name: self.__dict__[name] for name in OF_ENTITIES if name in self.__dict__}
            copied.__dict__.update(known)
        return copied

    @field_validator("patterns")
    @classmethod
    def _patterns_by_number(cls, patterns: tuple[AnyPattern, ...]) -> tuple[AnyPattern, ...]:
        return tuple(sorted(patterns, key=lambda pattern: pattern.number))

    def with_planner(self, **settings: object) -> Self:
        """The same with other settings of the planner."""
        return self.model_copy(update={"planner": self.planner.model_copy(update=settings)})

    @cached_property
    def entity(self) -> dict[str, Entity]:
        """The entities by name."""
        return {entity.name: entity for entity in self.entities}

    @cached_property
    def relationship(self) -> dict[str, Relationship]:
        """The relationships by name."""
        return {relationship.name: relationship for relationship in self.relationships}

    @cached_property
    def created(self) -> dict[str, float]:
        """By entity, how many of its items access patterns create in a month; none where no rate says so."""
        found: dict[str, float] = {}
        for pattern in self.patterns:
            if isinstance(pattern, Write) and pattern.rate is not None:
                for change in pattern.changes:
                    if change.verb == "create" and pattern.rate.average:
                        more = pattern.rate.average * (change.times.average if change.times else 1)
                        found[change.entity] = found.get(change.entity, 0.0) + more
        return {name: more * SECONDS_PER_MONTH for name, more in found.items()}

    @cached_property
    def of_child(self) -> dict[str, tuple[Relationship, ...]]:
        """By the entity that is their child (for N:M the edge), the relationships."""
        found: dict[str, tuple[Relationship, ...]] = {}
        for relationship in self.relationships:
            found[relationship.child] = (*found.get(relationship.child, ()), relationship)
        return found

    @cached_property
    def ignored_at(self) -> dict[tuple[str, str], tuple[int, IgnoredFinding]]:
        """What is ignored by its rule and place, with its number in the list."""
        numbered = list(enumerate(self.ignored_findings))
        return {(each.rule, each.place): (at, each) for at, each in reversed(numbered)}

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

    @cached_property
    def referred_to_alone(self) -> frozenset[tuple[str, str]]:
        """The last parts of identifiers by which alone other items refer.

        An entity that holds a `campaignId` but no `advertiserId` implies that no two advertisers have the same one.
        """
        found = set()
        for (name, _), (above, part) in self.referred.items():
            *others, last = self.entity[above].identifier
            if part != last:
                continue
            mine = {self._root(name, one.name) for one in self.entity[name].attributes}
            if others and not any(self._root(above, one) in mine for one in others):
                found.add((above, part))
        return frozenset(found)

    def _root(self, entity: str, attribute: str) -> tuple[str, str]:
        """The entity and the attribute where the values of an attribute come from."""
        of, original = self.origin(self.entity[entity], self.entity[entity].by_name[attribute])
        return of.name, original.name

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
            for led in [tuple(_led_to(entity, above, self.referred))]
        }

    @cached_property
    def leading_up(self) -> dict[str, tuple[Relationship, ...]]:
        """For each entity the relationships that lead from its items to one parent each."""
        found: dict[str, list[Relationship]] = {}
        for one in self.relationships:
            if one.cardinality != "N:M" and one.parent in self.entity:
                found.setdefault(one.child, []).append(one)
        return {child: tuple(led) for child, led in found.items()}

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
        if isinstance(relationship.many, tuple):
            is_second = bool(taken) or parent != relationship.many[0]
            return self._joined_by_place(relationship, is_second)
        if len(relationship.references) == len(identifier):
            return tuple(zip(relationship.references, identifier, strict=True))
        return ()

    def _joined_by_place(
        self, relationship: Relationship, is_second: bool
    ) -> tuple[tuple[str, str], ...]:
        """The pairs of a side of N:M, where `by` has those of the first side, then those of the second.

        Both may have the same attribute, such as the tenant.
        """
        one, other = (self.entity[name].identifier for name in relationship.parents)
        if len(relationship.references) != len(one) + len(other):
            return ()
        mine = relationship.references[len(one) :] if is_second else relationship.references
        return tuple(zip(mine, other if is_second else one, strict=False))


def _led_to(
    entity: Entity,
    above: Mapping[str, Iterable[tuple[Relationship, int, str, tuple[tuple[str, str], ...]]]],
    referred: Mapping[tuple[str, str], tuple[str, str]],
) -> Iterator[Held]:
    """The identifiers that relationships lead to from an entity's items, step by step.

    A copy of what its parent refers by leads to the grandparent, where only one relationship leads to that parent.
    """
    copies: dict[str, dict[str, str]] = {}
    for one in entity.by_name:
        target, theirs = referred.get((entity.name, one), ("", ""))
        copies.setdefault(target, {})[theirs] = one
    parents = Counter(parent for _, _, parent, _ in above.get(entity.name, ()))
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
                way = (*by, (relationship, at))
                beside = copies.get(parent, {}) if not by and parents[parent] == 1 else {}
                ways.append((parent, {**beside, **up}, way))
                yield Held(parent, tuple(frozenset({own}) for own in up.values()), way)
