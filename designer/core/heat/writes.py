"""Where in a key of a plan a write falls: what it puts there, what it takes away, and what it changes where it is."""

from collections.abc import Iterator

from designer.core.design.entities import Entity
from designer.core.heat.shares import KeyShare
from designer.core.patterns.base import Change, Pattern, Write
from designer.core.patterns.base import Member as StatedChange
from designer.core.plan import Index, Member, Shape
from designer.core.plan.keys import Form, Part, Reference, parse
from designer.core.planner.model.falling import (
    Fall,
    Load,
    found_with,
    left_with,
    moved_between,
    names_one_item,
)
from designer.core.planner.model.shares import Busier
from designer.core.rational import Fraction

VERBS = {"put": ("create", "upsert"), "update": ("update",), "delete": ("delete",)}
"""What the changes of a pattern are called that a member of a step makes."""


def fall_of(
    share: KeyShare,
    pattern: Pattern | None,
    member: Member,
    index: Index | None,
    shape: Shape,
    units: Fraction,
    busier: Busier,
) -> Fall:
    """Where the units that a member of a step takes of a table or an index fall. `share`: of the partition key.

    `busier`: attributes of its item that others with the same values say to be busier.
    """
    stated = pattern.hottest if pattern is not None else None
    changes = changes_of(pattern, member, shape)
    of_one = is_of_one(share.entity, pattern, member, shape, busier)
    is_new = member.verb == "put" and not of_one
    shards = share.shards_of(of_one)

    def of_hottest(constants: frozenset[str]) -> Fraction:
        return share.of_hottest(stated, is_new, constants, of_one=of_one, busier=busier)

    varying = share.names | frozenset(limited_to(share.parts))
    old, new = (
        {name: text for name, text in known.items() if name in varying}
        for known in known_values(pattern, changes)
    )
    if member.verb == "put":
        return Fall(of_hottest, shards, stays=Load(units, new))
    if member.verb == "delete":
        return Fall(of_hottest, shards, stays=Load(units, old))
    parts = tuple(key_parts(index, shape)) if index is not None else ()
    written = frozenset(name for change in changes for name in change.written)
    changed = written & {part.name for part in parts}
    if not changed:
        return Fall(of_hottest, shards, stays=Load(units, {**old, **new}))
    was, becomes = _is_there(parts, changes, *known_values(pattern, changes))
    put = units / (1 + was) if becomes or not was else Fraction(0)
    moves, not_before, not_after = moved_between(old, new, changed, varying)
    return Fall(
        of_hottest,
        shards,
        put=Load(put, new, not_after),
        taken=Load(units - put, old, not_before),
        moves=moves,
    )


def is_of_one(
    entity: Entity | None, pattern: Pattern | None, member: Member, shape: Shape, busier: Busier
) -> bool:
    """Whether what is said of the hottest key is said of one item that a member of a step writes.

    By a pattern, or by what else has the values of its attributes (`busier`).
    """
    changes = changes_of(pattern, member, shape)
    if entity is None or not (busier or (pattern is not None and pattern.hottest is not None)):
        return False
    if not changes:  # it keeps figures of a parent
        return bool(busier) and member.verb == "update" and member.for_each is None
    return all(names_one_item(entity, change) for change in changes)


def limited_to(parts: tuple[Part, ...]) -> dict[str, tuple[str, ...]]:
    """The attributes of a key that has only some of their values, with these."""
    forms = (part for part in parts if isinstance(part, Form) and part.form == "only")
    return {part.name: part.texts for part in forms if len(part.texts) > 1}


def changes_of(pattern: Pattern | None, member: Member, shape: Shape) -> tuple[StatedChange, ...]:
    """The changes of a pattern that may be the one that a member of a step makes."""
    if not isinstance(pattern, Write):
        return ()
    verbs = VERBS.get(member.verb, ())
    return tuple(
        change
        for change in pattern.changes
        if change.entity == shape.entity and change.verb in verbs
    )


def known_values(
    pattern: Pattern | None, changes: tuple[StatedChange, ...]
) -> tuple[dict[str, str], dict[str, str]]:
    """The values that an item surely has before and afterwards, whichever of some changes it is."""
    if not isinstance(pattern, Write) or not changes:
        return {}, {}

    def in_all(each: list[dict[str, str]]) -> dict[str, str]:
        first, *others = each
        return {n: text for n, text in first.items() if all(o.get(n) == text for o in others)}

    return (
        in_all([found_with(pattern, change) for change in changes]),
        in_all([left_with(pattern, change) for change in changes]),
    )


def key_parts(index: Index, shape: Shape) -> Iterator[Reference | Form]:
    """What the key of an index is written of."""
    for attribute in (*index.partition, *index.sort):
        template = shape.set.get(attribute.name, f"{{{attribute.name}}}")
        yield from (part for part in parse(template) if not isinstance(part, str))


def _is_there(
    parts: tuple[Reference | Form, ...],
    changes: tuple[Change, ...],
    old: dict[str, str],
    new: dict[str, str],
) -> tuple[bool, bool]:
    """Whether an item may be in an index before it is changed, and afterwards."""
    was = becomes = True
    removed = {name for change in changes for name in change.remove}
    for part in parts:
        form = part.form if isinstance(part, Form) else ""
        if isinstance(part, Form) and form == "only":
            was = was and old.get(part.name, part.texts[0]) in part.texts
            becomes = becomes and new.get(part.name, part.texts[0]) in part.texts
        if form == "absent":
            was = was and part.name not in removed
            becomes = becomes and all(part.name not in change.set for change in changes)
        elif part.name in removed:
            becomes = False
    return was, becomes
