"""The subject and remedy of a finding, and facts about designs and plans that several rules need."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from typing import ClassVar, Literal, NamedTuple, TypeVar

from designer.core.design.attributes import Attribute
from designer.core.design.document import Design
from designer.core.design.entities import Entity
from designer.core.edits.attributes import attribute_of, change_attribute
from designer.core.edits.patterns import change_pattern, pattern_of
from designer.core.edits.replacing import replaced
from designer.core.messages import Message, say, text
from designer.core.patterns.base import Condition, Member, Read, Write
from designer.core.patterns.elsewhere import Elsewhere
from designer.core.plan import Finding, Index, Plan, Shape, Step, Style, Table, each_once

Plans = Mapping[Style, Plan]


class Found(NamedTuple):
    """One thing found: the path of the part of the design that it is about, what, and what to do."""

    where: str
    problem: Message
    solution: Message


class Fix(NamedTuple):
    """A remedy that is a mere edit of the document."""

    name: str
    """One of the rule's `offers`, and what tells it apart where a place has several: `unpin-ByLevel`."""
    label: str
    """What it does here, on a button: "Remove the pin of index ByLevel"."""
    edit: Callable[[Design], Design]
    """The design mended; a DesignError where what it is about is gone."""
    looks_first: bool = False
    """It may make something else worse: whoever wants it looks at the plan with it first."""


Severity = Literal["error", "warning", "advice"]
About = Literal["pattern", "entity", "attribute", "relationship", "pins", "settings"]


class Topic:
    """A kind of finding, of a rule or of the planner: what it is, why it matters, and what helps."""

    id: ClassVar[str]
    severity: ClassVar[Severity]
    title: ClassVar[str]
    of_many: ClassVar[str] = ""
    """What follows the number of its places in one line about them all; where it is empty, the title says it."""
    about: ClassVar[About]
    """What part of a design it leads to."""
    what: ClassVar[str]
    """When it appears, thresholds included."""
    why: ClassVar[str]
    source: ClassVar[str]
    """Where AWS says so."""
    cure: ClassVar[str]
    """What helps, in general; a finding says what helps in its place."""
    offers: ClassVar[Mapping[str, str]] = {}
    """By name what its fixes do, in general."""

    def fixes(self, design: Design, plans: Plans, where: str) -> Iterator[Fix]:
        """What one click can do about the findings at a place."""
        return iter(())


class Rule(Topic, ABC):
    """One thing that is unwise, looked for in a design and its plans.

    The letter of the id names the subject: P patterns and entities, K keys, I indexes, C consistency
    and capacity, L limits, N names.
    """

    misses_patterns: ClassVar[bool] = False
    """It is about what no pattern does: said once there are patterns, as until then it would be said of everything."""

    @abstractmethod
    def check(self, design: Design, plans: Plans) -> Iterator[Found]:
        """What is found in a design and its plans."""

    def findings(self, design: Design, plans: Plans) -> Iterator[Finding]:
        """The same as findings, each once."""
        if self.misses_patterns and not design.patterns:
            return
        found = (
            Finding(rule=self.id, severity=self.severity, **one._asdict())
            for one in self.check(design, plans)
        )
        yield from each_once(found)


# Paths


def at_pattern(number: int) -> str:
    return f"patterns.{number}"


def at_entity(name: str) -> str:
    return f"entities.{name}"


def at_attribute(entity: str, name: str) -> str:
    return f"entities.{entity}.attributes.{name}"


def at_relationship(name: str) -> str:
    return f"relationships.{name}"


def number_at(where: str) -> int:
    """The number of the pattern at a place."""
    return int(where.partition(".")[2])


def attribute_at(where: str) -> tuple[str, str]:
    """The entity and the attribute at a place."""
    entity, _, attribute = where.removeprefix("entities.").partition(".attributes.")
    return entity, attribute


# Edits


def with_pattern(design: Design, number: int, **fields: object) -> Design:
    """The design with some fields of a pattern replaced."""
    return change_pattern(design, number, replaced(pattern_of(design, number), **fields))


def eventual(design: Design, number: int) -> Design:
    """The design with a read that accepts an eventually consistent answer."""
    return with_pattern(design, number, consistency="eventual")


def with_attribute(design: Design, entity: str, name: str, **fields: object) -> Design:
    """The design with some fields of an attribute replaced."""
    attribute = replaced(attribute_of(design, entity, name), **fields)
    return change_attribute(design, entity, name, attribute)


# Designs


def reads(design: Design) -> Iterator[Read]:
    """The reads that the team has not declined."""
    return (p for p in design.patterns if isinstance(p, Read) and p.status != "declined")


def writes(design: Design) -> Iterator[Write]:
    """The writes that the team has not declined."""
    return (p for p in design.patterns if isinstance(p, Write) and p.status != "declined")


def changes(design: Design) -> Iterator[tuple[Write, Member]]:
    """Each item that a write touches, with its pattern."""
    return ((pattern, member) for pattern in writes(design) for member in pattern.changes)


def spoken(names: list[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def brought_along(design: Design, read: Read) -> Iterator[tuple[str, tuple[str, ...] | None]]:
    """The entities that come along with a read, each with the attributes asked of it (None: all)."""
    for along in read.with_:
        relationship = design.relationship[along.relationship]
        from_parent = relationship.parent in read.entities or (
            isinstance(relationship.many, tuple) and set(relationship.many) & set(read.entities)
        )
        yield relationship.child if from_parent else relationship.parent, along.attributes


def asked_elsewhere(design: Design) -> set[str]:
    """The entities that are read by another service."""
    found: set[str] = set()
    for pattern in design.patterns:
        if isinstance(pattern, Elsewhere):
            found |= {pattern.returns} if isinstance(pattern.returns, str) else set(pattern.returns)
    return found


def conditions(read: Read) -> Iterator[Condition]:
    """What a read asks of the items it returns."""
    yield from read.conditions


def distinct_values(design: Design, entity: Entity, attribute: Attribute) -> float | None:
    """How many different values an attribute has; None when nothing says so."""
    target, original = design.origin(entity, attribute)
    if attribute.distinct is not None:
        return attribute.distinct
    if attribute.values is not None:
        return len(attribute.values)
    if attribute.type == "BOOL":
        return 2
    if original is attribute:
        return None
    return target.items if target.identifier == (original.name,) else original.distinct


# Plans


def keyed(plans: Plans) -> Iterator[tuple[Plan, Table, str | None, Shape, str]]:
    """Each partition key of a shape: plan, table, index (None: the table itself), shape, template.

    In tables with natural names the template is the attribute itself. Keys of several attributes are
    joined by the delimiter.
    """
    for plan in plans.values():
        for table in plan.tables:
            keys: list[tuple[str | None, list[str]]] = [(None, [table.key.partition.name])]
            keys += [
                (index.name, [part.name for part in index.partition]) for index in table.indexes
            ]
            for shape in table.items:
                for index, names in keys:
                    parts = [template_of(shape, name) for name in names]
                    if all(part is not None for part in parts):
                        yield plan, table, index, shape, "#".join(part or "" for part in parts)


def template_of(shape: Shape, name: str) -> str | None:
    """What a shape's items hold in a key attribute; None where they do not have it."""
    if name in shape.set:
        return shape.set[name]
    return f"{{{name}}}" if name in shape.attributes else None


def steps(plans: Plans) -> Iterator[tuple[Plan, int, Step]]:
    """Every step of every operation, with its plan and its pattern's number."""
    for plan in plans.values():
        for operation in plan.operations:
            for step in operation.steps:
                yield plan, operation.pattern, step


def rated_steps(design: Design, plan: Plan) -> Iterator[tuple[int, float, Step]]:
    """Every step with its pattern's number, and how often a second that pattern takes it on average."""
    for operation in plan.operations:
        rate = design.pattern(operation.pattern).rate
        if rate is not None:
            often = rate.average / len(plan.operations_for(operation.pattern))
            for step in operation.steps:
                yield operation.pattern, often, step


def indexes(plans: Plans) -> Iterator[tuple[Plan, Table, Index]]:
    """Every index of every plan."""
    return (
        (plan, table, index)
        for plan in plans.values()
        for table in plan.tables
        for index in table.indexes
    )


T = TypeVar("T", bound=Hashable)


def gathered(places: Iterable[tuple[T, Message, Style]]) -> dict[T, tuple[Message, ...]]:
    """For each thing, all the places it was found at. What several styles share is said once.

    Styles may call their tables alike. Where places in one table are not of the same styles, each says of which.
    """
    found: dict[T, dict[str, tuple[Message, list[Style]]]] = {}
    for thing, place, style in places:
        _, styles = found.setdefault(thing, {}).setdefault(text(place), (place, []))
        if style not in styles:
            styles.append(style)
    return {thing: tuple(_told_apart([*where.values()])) for thing, where in found.items()}


def _told_apart(places: list[tuple[Message, list[Style]]]) -> Iterator[Message]:
    of_table: dict[object, list[list[Style]]] = {}
    for place, styles in places:
        of_table.setdefault(_table_of(place), []).append(styles)
    for place, styles in places:
        table = _table_of(place)
        if table is None or all(other == styles for other in of_table[table]):
            yield place
        else:
            named_styles = tuple(say("of-style", style=style) for style in styles)
            yield say("place-in-styles", place=place, styles=named_styles)


def _table_of(place: Message) -> object:
    return next((one.values["table"] for one in place.parts() if "table" in one.values), None)


def named(table: str, index: str | None) -> Message:
    """A table or an index as it is called in messages."""
    return say("table", table=table) if index is None else say("index-of", index=index, table=table)


def entity_of(design: Design, shape: Shape) -> Entity | None:
    """The entity whose items a shape holds, also as whole copies; None for guards and the like, which are no items."""
    return design.entity.get(shape.entity) if shape.role in ("entity", "edge", "copy") else None
