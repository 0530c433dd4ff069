"""Together (rule 17): a child that lives in its parent's item, as an entry of a map or as a map of its own.

`embeddings` lists the children that may. `rewritten` is the design with one of them inside its parent, which is
searched and priced like any other; `mapped_back` puts its plan back into the words of the design as it is stated.

What is embedded is an identifying relationship's child: it is meaningless without its parent, so it cannot be
there before the parent is, and goes with it.

See docs/modelling-rules.md.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from designer.core.design.document import Attribute, Design, Entity, Pin, Relationship
from designer.core.limits import EMBEDDED_BYTES, ITEM_BYTES
from designer.core.patterns import AnyPattern, Delete, Get, Transaction, Update
from designer.core.patterns.base import Condition, Member, Operand, Read, Write
from designer.core.plan import (
    Decision,
    Expression,
    Inner,
    ItemCondition,
    Operation,
    Place,
    Plan,
    Repeat,
    ResultPart,
    Shape,
    StoredAttribute,
    Style,
    Table,
)
from designer.core.plan import Member as Written
from designer.core.planner.model.cardinality import children_of
from designer.core.planner.model.pins import obeyed
from designer.core.planner.model.reads_and_writes import EntityWrite, PatternRead, operand
from designer.core.planner.model.score import Score
from designer.core.planner.model.structures import Access
from designer.core.planner.model.values import amount_of, put_to
from designer.core.planner.model.wording import plural
from designer.core.planner.operations.context import Stated
from designer.core.planner.operations.item_tests import item_condition, order_lines, tests_after
from designer.core.planner.operations.parameters import read_parameters, write_parameters
from designer.core.planner.operations.reads import result_of
from designer.core.planner.rewrites.rewriting import (
    NotApplicableError,
    Tried,
    alone,
    asking,
    cheaper,
    common,
    per_second,
    said,
)
from designer.core.planner.workload.copies import with_copies
from designer.core.sizes import attribute_value_bytes, entity_bytes

_ELEMENT = 1
"""Bytes that DynamoDB counts for each element of a map, besides name and value."""
_MAP = 3
"""Bytes that DynamoDB counts for a map itself."""


@dataclass(frozen=True)
class Embedding:
    """A child inside its parent's item."""

    relationship: Relationship
    child: Entity
    parent: str
    attribute: str
    """The attribute of the parent's item that holds it."""
    same: tuple[tuple[str, str], ...]
    """The child's reference to its parent: pairs (its attribute, the parent's)."""

    @property
    def concerns(self) -> tuple[str, ...]:
        return (self.child.name, self.parent)

    @property
    def rest(self) -> tuple[str, ...]:
        """What tells one child of a parent from another; nothing for a 1:1 partner."""
        joined = {own for own, _ in self.same}
        return tuple(name for name in self.child.identifier if name not in joined)

    @property
    def stored(self) -> tuple[Attribute, ...]:
        """What is kept of the child: what its parent's item does not hold already."""
        joined = {own for own, _ in self.same}
        return tuple(a for a in self.child.stored if a.name not in joined)

    @property
    def at(self) -> str | None:
        """The child's name in the map, a template over its attributes."""
        if not self.rest:
            return None
        if len(self.rest) == 1:
            return f"{{text({self.rest[0]})}}"
        return "#".join(f"{{{name}}}" for name in self.rest)

    @property
    def element_bytes(self) -> float:
        """Average bytes of one child inside its parent, its name in the map included."""
        own = sum(
            a.present * (len(a.name.encode()) + attribute_value_bytes(a) + _ELEMENT)
            for a in self.stored
        )
        name = sum(attribute_value_bytes(self.child.by_name[n]) + 1 for n in self.rest)
        return _MAP + own + (name - 1 + _ELEMENT if self.rest else 0)

    def bytes_of(self, count: float) -> float:
        """Bytes of so many children in the parent's item."""
        return self.element_bytes * count + (_MAP if self.rest else 0)

    def blocking_pin(self, design: Design) -> str:
        """Nothing: a child with a pin is never looked at."""
        return ""

    def rewritten(self, design: Design) -> Design | None:
        """The design as if the child were an attribute of its parent; None where a pattern needs it apart."""
        return rewritten(design, self)

    def pays(self, before: Score, after: Score) -> bool:
        """Whether it is kept: where it costs less."""
        return cheaper(before, after)

    def mapped_back(self, plan: Plan, stated: Stated) -> Plan:
        """The plan of the rewritten design in the words of the one before. `stated`: its models and patterns."""
        return mapped_back(plan, self, stated)

    def decision(self, design: Design, tried: Tried) -> Decision:
        """Together or apart: how often both are asked for, how big they are and how often they change."""
        parent, child = design.entity[self.parent], self.child
        count = children_of(design, self.relationship, parent.name) if self.rest else 1
        many = f"{count:g} {plural(child.name)}" if self.rest else f"the {child.name}"
        because = (
            f"{_share_of_both(design, self):.0%} of the reads of {parent.name} or {child.name} need both. "
            f"{parent.name} has {entity_bytes(parent):,.0f} bytes and {many} {self.bytes_of(count):,.0f}; "
            f"{parent.name} is written {_writes_of(design, parent.name):g} times a second, {child.name} "
            f"{_writes_of(design, child.name):g} times."
        )
        if tried.kept:
            because += (
                f" Together, one read returns both, and each write is charged for the whole item; {child.name} "
                f"cannot be "
                f"there before its {parent.name}, and goes with it."
            )
        return tried.told(
            f"together {parent.name} {child.name}",
            ("an item of its own", f"inside {parent.name}, in {self.attribute}"),
            asking(design, child.name),
            because,
        )


def _share_of_both(design: Design, found: Embedding) -> float:
    """Of the reads that ask for the parent or the child, by their rates, the share that ask for both."""
    both = all_of_them = 0.0
    for pattern in design.patterns:
        if isinstance(pattern, Read) and pattern.rate is not None:
            asked = set(pattern.entities)
            if any(along.relationship == found.relationship.name for along in pattern.with_):
                asked |= {found.child.name, found.parent}
            common = asked & {found.child.name, found.parent}
            all_of_them += pattern.rate.average * bool(common)
            both += pattern.rate.average * (len(common) == 2)
    return both / all_of_them if all_of_them else 0.0


def _writes_of(design: Design, entity: str) -> float:
    """How often an entity's items are written in a second."""
    return sum(
        per_second(pattern, change)
        for pattern in design.patterns
        if isinstance(pattern, Write)
        for change in pattern.changes
        if change.entity == entity and change.verb != "check"
    )


def embeddings(design: Design, style: Style) -> Iterator[Embedding]:
    """The children that may live in their parent's item, whatever the patterns ask."""
    pins = [pin for _, pin in obeyed(design, style)]
    for relationship in design.relationships:
        if not relationship.identifying or relationship.cardinality == "N:M":
            continue
        child, parent = design.entity[relationship.child], design.entity[relationship.parent]
        same = design.references(relationship, parent.name)
        one = relationship.cardinality == "1:1"
        taken = {a.name for entity in design.entities for a in entity.attributes}
        name = child.name if one else plural(child.name)
        attribute = name[:1].lower() + name[1:]
        while attribute in taken:
            attribute += "_"
        found = Embedding(relationship, child, parent.name, attribute, same)
        most = 1 if one else relationship.most
        if most is None or bool(found.rest) == one or not _may_lie_inside(design, found, pins):
            continue
        whole = found.bytes_of(most)
        if whole <= EMBEDDED_BYTES and entity_bytes(parent) + whole <= ITEM_BYTES:
            yield found


def _may_lie_inside(design: Design, found: Embedding, pins: Iterable[Pin]) -> bool:
    child, parent = found.child, design.entity[found.parent]
    others = [r for r in design.relationships if r.name != found.relationship.name]
    edges = {r.through for r in others}
    return (
        child.name != parent.name
        and all(own == theirs and own in child.identifier for own, theirs in found.same)
        and not child.unique_attributes
        and not any(a.ttl for a in child.attributes)
        and child.needs in (None, parent.needs)
        and not any(child.name in other.parents for other in others)
        and not edges & {child.name, parent.name}
        and not _has_figures(design, found)
        and not any(_needs_item(design, child.name, pin) for pin in pins)
    )


def _needs_item(design: Design, child: str, pin: Pin) -> bool:
    """Whether a pin speaks of a child's own items: of its keys or its table, or of what finds it first."""
    if pin.pattern is None:
        return child in (pin.entity, *(pin.table or ()))
    pattern = design.pattern(pin.pattern)
    return isinstance(pattern, Read) and pattern.entities[0] == child


def _has_figures(design: Design, found: Embedding) -> bool:
    """Whether a figure is kept on the parent or the child, or over the child's items: writes of items keep it."""
    for entity in design.entities:
        for attribute in entity.attributes:
            _, _, path = (attribute.aggregate or "").partition(" of ")
            over = design.relationship.get(path.partition(".")[0])
            if over is not None and {entity.name, over.child} & set(found.concerns):
                return True
    return False


# The design with a child inside its parent


def rewritten(design: Design, found: Embedding) -> Design | None:
    """The design as if the child were an attribute of its parent; None where a pattern needs it apart."""
    copies = with_copies(design).copies
    if any({copied.entity, copied.parent} & set(found.concerns) for copied in copies):
        return None  # what is embedded neither carries copies nor is carried
    try:
        patterns = tuple(_folded(design, found, pattern) for pattern in design.patterns)
    except NotApplicableError:
        return None
    parent = design.entity[found.parent]
    count = children_of(design, found.relationship, parent.name)
    share = 1.0
    if not found.rest and parent.items and found.child.items is not None:
        share = min(1.0, found.child.items / parent.items)
    held = Attribute.model_construct(
        **{
            **dict(Attribute(name=found.attribute, type="M")),
            "bytes": found.bytes_of(count if found.rest else 1),
            "present": share,
            "mutable": True,
        }
    )
    widened = parent.model_copy(update={"attributes": (*parent.attributes, held)})
    gone = {found.child.name}
    return design.model_copy(
        update={
            "entities": tuple(
                widened if e.name == parent.name else e
                for e in design.entities
                if e.name not in gone
            ),
            "relationships": tuple(r for r in design.relationships if r.child not in gone),
            "patterns": patterns,
        }
    )


def _folded(design: Design, found: Embedding, pattern: AnyPattern) -> Any:
    if isinstance(pattern, Read):
        return _folded_read(design, found, pattern)
    return _folded_write(found, pattern) if isinstance(pattern, Write) else pattern


def _folded_read(design: Design, found: Embedding, pattern: Read) -> Read:
    parent, child = design.entity[found.parent], found.child.name
    asked = [design.relationship[along.relationship] for along in pattern.with_]
    if any(
        condition.attribute.partition(".")[0] == found.relationship.name
        for condition in (*pattern.where, *pattern.keep)
    ):
        raise NotApplicableError
    others = [r for r in asked if r.name != found.relationship.name]
    if any(child in (r.child, *r.parents) for r in others):
        raise NotApplicableError
    if pattern.entities == (child,):
        return _asked_of_parent(found, pattern, parent)
    if child in pattern.entities or (parent.name in pattern.entities and len(pattern.entities) > 1):
        raise NotApplicableError
    own = tuple(a.name for a in parent.stored)
    along = tuple(
        part.model_copy(update={"attributes": own})
        if part.attributes is None
        and parent.name in (r.child, *r.parents)
        and r in others
        and parent.name not in pattern.entities
        else part
        for part, r in zip(pattern.with_, asked, strict=True)
        if r in others
    )
    update: dict[str, Any] = {"with_": along}
    if pattern.entities == (parent.name,):
        wanted = own if pattern.attributes is None else pattern.attributes
        if len(along) < len(pattern.with_):
            wanted = tuple(dict.fromkeys((*wanted, *parent.identifier, found.attribute)))
        update["attributes"] = wanted
    return pattern.model_copy(update=update)


def _asked_of_parent(found: Embedding, pattern: Read, parent: Entity) -> Read:
    """Children of a parent that is known, as a read of that parent."""
    known = {c.attribute: c for c in pattern.where if c.is_ is not None and not c.optional}
    optional = any(c.optional for c in (*pattern.where, *pattern.keep))
    if optional or not all(own in known for own, _ in found.same):
        raise NotApplicableError
    wanted = [*parent.identifier, found.attribute]
    for along in pattern.with_:
        wanted += along.attributes or [a.name for a in parent.stored]
    return Get(
        **common(pattern),
        returns=parent.name,
        where=tuple(Condition(attribute=t, is_=known[own].is_) for own, t in found.same),
        attributes=tuple(dict.fromkeys(wanted)),
        consistency=pattern.consistency,
    )


def _folded_write(found: Embedding, pattern: Write) -> Write:
    mine = [c for c in pattern.changes if c.entity == found.child.name]
    hosts = [c for c in pattern.changes if c.entity == found.parent]
    if any(host.verb == "upsert" for host in hosts):
        raise NotApplicableError  # it would put the parent's item without its children
    if not mine:
        return pattern
    joined = {own for own, _ in found.same}
    if (isinstance(pattern, Delete) and pattern.where) or any(
        (c.by and c.by != found.child.identifier)
        or any(t.attribute in joined for t in c.if_)
        or any(c.of_elements)
        or c.or_
        or (c.verb == "upsert" and c.if_)
        for c in mine
    ):
        raise NotApplicableError
    held = {found.attribute: Operand(param=found.attribute)}
    if not isinstance(pattern, Transaction):
        (change,) = mine
        rows = (change.each or change.entity) if change.times else None
        return Update(
            **common(pattern), entity=found.parent, set=held, times=change.times, each=rows
        )
    if len(hosts) > 1 or any(host.times for host in hosts):
        raise NotApplicableError
    if not hosts:
        if any(change.times for change in mine):
            raise NotApplicableError  # two rows might be about one parent, and no item is written twice
        host = Member(check=found.parent, exists=True)
    else:
        host = hosts[0]
    members = tuple(
        _host(found, host, mine, held) if change is host else change
        for change in (*pattern.members, *(() if hosts else (host,)))
        if change not in mine
    )
    (first, *more) = members
    if more or first.verb == "check":
        return pattern.model_copy(update={"members": members})
    return alone(pattern, first)


def _host(
    found: Embedding, host: Member, mine: Sequence[Member], held: dict[str, Operand]
) -> Member:
    """What happens to the parent's item when children in it change."""
    verbs = {change.verb for change in mine}
    absent = {"create": {"update", "delete", "check"}, "delete": {"create", "upsert", "update"}}
    if verbs & absent.get(host.verb, set()) or host.exists is False or host.by:
        raise NotApplicableError
    if host.verb in ("create", "delete") or verbs == {"check"}:
        return host
    return Member(update=found.parent, **{**said(host), "set": {**host.set, **held}})


# Its plan, in the words of the design as it is stated


def mapped_back(plan: Plan, found: Embedding, stated: Stated) -> Plan:
    """The plan of a rewritten design as one of the design that was rewritten. `stated`: its models and patterns.

    Every copy of a parent's item holds the children too, and is written with it.
    """
    hosts = {
        shape.shape
        for table in plan.tables
        for shape in table.items
        if shape.entity == found.parent and found.attribute in shape.attributes
    }
    operations = tuple(
        _unfolded(found, stated, hosts, operation) if operation.steps else operation
        for operation in plan.operations
    )
    tables = tuple(_table(found, hosts, table) for table in plan.tables)
    return plan.model_copy(update={"operations": operations, "tables": tables})


def _table(found: Embedding, hosts: Collection[str], table: Table) -> Table:
    shapes: list[Shape] = []
    for shape in table.items:
        if shape.shape not in hosts:
            shapes.append(shape)
            continue
        own = {n: a for n, a in shape.attributes.items() if n != found.attribute}
        child = found.child
        holds = {**shape.holds, found.attribute: child.name}
        shapes.append(shape.model_copy(update={"attributes": own, "holds": holds}))
        if shape.role == "copy":  # it holds what the item that it is a copy of holds
            continue
        shapes.append(
            Shape(
                shape=child.name,
                entity=child.name,
                role="embedded",
                inside=Place(
                    shape=shape.shape,
                    attribute=found.attribute,
                    at=found.at,
                    same=dict(found.same),
                ),
                attributes={
                    a.name: StoredAttribute(type=a.type, optional=a.present < 1)
                    for a in found.stored
                },
                bytes=round(found.element_bytes, 1),
                items=float(child.items or 0),
            )
        )
    return table.model_copy(update={"items": tuple(shapes)})


def _unfolded(
    found: Embedding, stated: Stated, hosts: Collection[str], operation: Operation
) -> Operation:
    design = stated.search.design
    pattern = design.pattern(operation.pattern)
    names = {found.child.name, found.parent}
    if isinstance(pattern, Write):
        entity_reads = [
            d
            for d in stated.search.requirements.writes
            if d.pattern.number == pattern.number and not d.is_upkeep
        ]
        if not names & {entity_read.entity for entity_read in entity_reads}:
            return operation
        return _write_back(found, stated, hosts, operation, entity_reads)
    if not isinstance(pattern, Read) or operation.result is None:
        return operation
    brought = any(part.relationship == found.relationship.name for part in pattern.with_)
    if found.child.name not in pattern.entities and not brought:
        return operation
    pattern_read = next(
        q
        for q in stated.search.requirements.pattern_reads
        if q.number == pattern.number and q.given == operation.given
    )
    return _read_back(found, stated, operation, pattern_read)


def _read_back(
    found: Embedding, stated: Stated, operation: Operation, pattern_read: PatternRead
) -> Operation:
    assert operation.result is not None
    before = {part.name: part for part in operation.result.parts}
    rows = before["rows"]
    joined = {own for own, _ in found.same}
    parts: list[ResultPart] = []
    for entity_read in pattern_read.entity_reads:
        is_child = entity_read.entity == found.child.name
        if entity_read.part in before and not (entity_read.part == "rows" and is_child):
            parts.append(before[entity_read.part])
            continue
        left = tuple(name for name in entity_read.equals if name not in joined) if not parts else ()
        _, keep = tests_after(stated, None, entity_read, Access(None, "get", left=left))
        parts.append(
            ResultPart(
                name=entity_read.part,
                steps=rows.steps,
                shapes=(entity_read.entity,),
                keep=(*(rows.keep if entity_read.part == "rows" else ()), *keep),
                order=order_lines(stated.model(entity_read.entity), entity_read),
                limit=entity_read.limit,
                per=pattern_read.links.get(entity_read.part, ()),
            )
        )
    return operation.model_copy(
        update={
            "parameters": read_parameters(stated, pattern_read),
            "result": result_of(stated, pattern_read, tuple(parts)),
        }
    )


def _write_back(
    found: Embedding,
    stated: Stated,
    hosts: Collection[str],
    operation: Operation,
    entity_writes: list[EntityWrite],
) -> Operation:
    inner = tuple(
        _inner(found, stated, entity_write)
        for entity_write in entity_writes
        if entity_write.entity == found.child.name
    )

    def own(member: Written) -> Written:
        if member.shape not in hosts:
            return member
        return member.model_copy(
            update={
                "values": {n: v for n, v in member.values.items() if n != found.attribute},
                "set": {n: v for n, v in member.set.items() if n != found.attribute},
                "inside": (*member.inside, *inner),
            }
        )

    steps = tuple(
        step.model_copy(update={"members": tuple(own(member) for member in step.members)})
        for step in operation.steps
    )
    return operation.model_copy(
        update={"steps": steps, "parameters": write_parameters(stated, entity_writes)}
    )


_VERBS: dict[str, tuple[str, bool | None]] = {
    "create": ("put", False),
    "upsert": ("put", None),
    "update": ("update", True),
    "delete": ("delete", True),
    "check": ("check", True),
}


def _inner(found: Embedding, stated: Stated, entity_write: EntityWrite) -> Inner:
    """What a change of a child does inside its parent's item."""
    change, model = entity_write.change, stated.model(entity_write.entity)
    known: dict[str, Expression] = {
        name: operand(change.set[name]) if name in change.set else f"{{{name}}}"
        for name in (a.name for a in found.child.stored)
    }
    verb, exists = _VERBS[change.verb]
    if change.exists is False:
        exists = False
    tests = [item_condition(model, condition) for condition in change.if_]
    tests += [
        ItemCondition(attribute=name, below_or_missing=f"{{{param}}}")
        for name, param in change.greatest.items()
    ]
    said: dict[str, Any] = {}
    if verb == "put":
        said["values"] = {a.name: known[a.name] for a in found.stored}
    elif verb == "update":
        said["set"] = {name: operand(side) for name, side in change.set.items()}
        said["set"] |= {name: f"{{{param}}}" for name, param in change.greatest.items()}
        said["remove"] = change.remove
        said["add"] = {name: amount_of(amount) for name, amount in change.add.items()}
    of_rows = change.times is not None and isinstance(entity_write.pattern, Transaction)
    return Inner.model_validate(
        {
            verb: found.child.name,
            **said,
            "at": put_to(found.at, known) if found.at is not None else None,
            "exists": exists,
            "if_": tuple(tests),
            "for_each": Repeat(values=change.each or change.entity) if of_rows else None,
        }
    )
