"""The design whose access patterns read and write children in their parent's item."""

from collections.abc import Sequence
from typing import Any

from designer.core.design.attributes import Attribute
from designer.core.design.document import Design
from designer.core.design.entities import Entity
from designer.core.patterns import AnyPattern, Get, Update
from designer.core.patterns.base import Condition, Member, Operand, Read, Write
from designer.core.planner.model.busier import said_of_busiest
from designer.core.planner.model.cardinality import children_of
from designer.core.planner.rewrites.embedded_items import EmbeddedItems
from designer.core.planner.rewrites.rewriting import NotApplicableError, alone, common, said
from designer.core.planner.workload.copies import with_copies


def rewritten(design: Design, found: EmbeddedItems) -> Design | None:
    """The design as if the child were an attribute of its parent; None where a pattern needs it apart."""
    copies = with_copies(design).copies
    if any({copied.entity, copied.parent} & set(found.concerns) for copied in copies):
        return None  # what is embedded neither carries copies nor is carried
    try:
        patterns = tuple(_as_hot(design, found, pattern) for pattern in design.patterns)
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


def _as_hot(design: Design, found: EmbeddedItems, pattern: AnyPattern) -> Any:
    """A pattern with the children in their parents. What is about these alone runs as hot as the children say."""
    folded = _folded(design, found, pattern)
    if not _is_about_children(found, pattern, folded):
        return folded
    parent = design.entity[found.parent]
    said = min(said_of_busiest(found.child, own) for own, _ in found.same)
    if said <= min(said_of_busiest(parent, theirs) for _, theirs in found.same):
        return folded
    return folded.model_copy(update={"hottest": max(said, folded.hottest or 0.0)})


def _is_about_children(found: EmbeddedItems, pattern: AnyPattern, folded: AnyPattern) -> bool:
    """Whether a pattern asks for a known parent's children, or changes some and nothing but their parent besides.

    What a read states of its hottest key says it in any case.
    """
    if isinstance(pattern, Write) and isinstance(folded, Write):
        of_child = any(change.entity == found.child.name for change in pattern.changes)
        left = folded.changes
        return of_child and all(c.entity == found.parent and c.verb != "create" for c in left)
    if not isinstance(pattern, Read) or pattern.hottest is not None:
        return False
    if pattern.entities == (found.child.name,):
        return True
    asked = {one.attribute for one in pattern.where if one.is_ is not None and one.is_.param}
    along = any(one.relationship == found.relationship.name for one in pattern.with_)
    return along and asked.issuperset(theirs for _, theirs in found.same)


def _folded(design: Design, found: EmbeddedItems, pattern: AnyPattern) -> Any:
    if isinstance(pattern, Read):
        return _folded_read(design, found, pattern)
    return _folded_write(found, pattern) if isinstance(pattern, Write) else pattern


def _folded_read(design: Design, found: EmbeddedItems, pattern: Read) -> Read:
    parent, child = design.entity[found.parent], found.child.name
    asked = [design.relationship[along.relationship] for along in pattern.with_]
    if any(
        condition.attribute.partition(".")[0] == found.relationship.name
        for condition in pattern.conditions
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


def _asked_of_parent(found: EmbeddedItems, pattern: Read, parent: Entity) -> Read:
    """Children of a parent that is known, as a read of that parent."""
    known = {c.attribute: c for c in pattern.where if c.is_ is not None and not c.optional}
    optional = any(c.optional for c in pattern.conditions)
    is_crossed = pattern.crossing is not None
    if optional or is_crossed or not all(own in known for own, _ in found.same):
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


def _folded_write(found: EmbeddedItems, pattern: Write) -> Write:
    mine = [c for c in pattern.changes if c.entity == found.child.name]
    hosts = [c for c in pattern.changes if c.entity == found.parent]
    if any(host.may_replace for host in hosts):
        raise NotApplicableError  # it would put the parent's item without its children
    if not mine:
        return pattern
    joined = {own for own, _ in found.same}
    if pattern.collection or any(
        (c.by and c.by != found.child.identifier)
        or any(t.attribute in joined for t in c.if_)
        or any(c.of_elements)
        or c.or_
        or (c.may_replace and c.if_)
        for c in mine
    ):
        raise NotApplicableError
    held = {found.attribute: Operand(param=found.attribute)}
    if not pattern.is_transaction:
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
        for change in (*pattern.changes, *(() if hosts else (host,)))
        if change not in mine
    )
    (first, *more) = members
    if more or first.verb == "check":
        return pattern.model_copy(update={"members": members})
    return alone(pattern, first)


def _host(
    found: EmbeddedItems, host: Member, mine: Sequence[Member], held: dict[str, Operand]
) -> Member:
    """What happens to the parent's item when children in it change."""
    verbs = {change.verb for change in mine}
    absent = {"create": {"update", "delete", "check"}, "delete": {"create", "upsert", "update"}}
    if verbs & absent.get(host.verb, set()) or host.exists is False or host.by:
        raise NotApplicableError
    if host.verb in ("create", "delete") or verbs == {"check"}:
        return host
    return Member(update=found.parent, **{**said(host), "set": {**host.set, **held}})
