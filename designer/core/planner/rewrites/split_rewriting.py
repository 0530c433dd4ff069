"""The design whose access patterns read and write the two items of a split one."""

from typing import Any, TypeVar

from designer.core.design.document import Design
from designer.core.design.pins import key_text
from designer.core.design.settings import Pin, PlannerSettings
from designer.core.dynamodb.limits import TRANSACTION_ITEMS
from designer.core.patterns import AnyPattern, Transaction
from designer.core.patterns.base import Condition, Member, Read, With, Write
from designer.core.planner.model.pins import obeyed
from designer.core.planner.model.shard_attributes import is_shard
from designer.core.planner.rewrites.rewriting import NotApplicableError, alone, common, returned
from designer.core.planner.rewrites.split_items import SplitItems

Changed = TypeVar("Changed")


def rewritten(design: Design, split: SplitItems) -> Design | None:
    """The design as if the attributes were an entity; None where a pattern needs them in their place."""
    name = split.whole.name
    if design.entity.get(name) != split.whole:
        return None  # something lies in it
    try:
        patterns = tuple(_folded(design, split, pattern) for pattern in design.patterns)
    except NotApplicableError:
        return None
    entities = [
        each
        for entity in design.entities
        for each in ((split.rest, split.part) if entity.name == name else (entity,))
    ]
    return design.model_copy(
        update={
            "entities": tuple(entities),
            "relationships": (*design.relationships, split.relationship),
            "patterns": patterns,
            "planner": _pinned(design, split),
        }
    )


def _pinned(design: Design, split: SplitItems) -> PlannerSettings:
    """Each pin for the item that has what it speaks of, and one that has both items in one table."""
    both = (split.whole.name, split.name)
    pins = list(design.planner.pins)
    keys = pinned_indexes(design, split)
    for at, pin in obeyed(design, split.style):
        if pin.entity != split.whole.name:
            continue
        if pin.index is not None:
            in_part = keys[pin.index] <= split.of_part and keys[pin.index] & set(split.attributes)
            pins[at] = pin.model_copy(update={"entity": split.name}) if in_part else pin
        elif pin.name is not None and split.shares:
            pins[at] = pin.model_copy(update={"table": both})
    if split.shares and split.style == "multi":
        pins.append(Pin(style="multi", table=both))
    return design.planner.model_copy(update={"pins": tuple(pins)})


def pinned_indexes(design: Design, split: SplitItems) -> dict[str, frozenset[str]]:
    """The attributes in the pinned keys of each index of the entity."""
    found: dict[str, frozenset[str]] = {}
    for _, pin in obeyed(design, split.style):
        if pin.entity == split.whole.name and pin.index is not None:
            texts = (
                (key_text(split.whole, template) for template in pin.key.templates)
                if pin.key
                else ()
            )
            held = {name for text in texts for name in text.attributes if not is_shard(name)}
            found[pin.index] = found.get(pin.index, frozenset()) | held
    return found


def _folded(design: Design, split: SplitItems, pattern: AnyPattern) -> Any:
    if pattern.status == "declined":
        return pattern
    if isinstance(pattern, Read):
        return _folded_read(design, split, pattern)
    if isinstance(pattern, Write) and any(c.entity == split.whole.name for c in pattern.changes):
        return _folded_write(split, pattern)
    return pattern


def _folded_read(design: Design, split: SplitItems, pattern: Read) -> Read:
    moved = set(split.attributes)
    wanted = returned(design, pattern, split.whole, moved)
    if not wanted:
        return pattern
    # A pinned index is the entity's own.
    if _is_of_part(split, pattern) and not _is_pinned(design, split, pattern):
        return pattern.model_copy(update={"returns": split.name})
    own, mine = None, None
    if pattern.attributes is not None:
        own = tuple(name for name in pattern.attributes if name not in moved)
        own = own or split.whole.identifier  # by which the other item is found to belong to it
        mine = tuple(name for name in split.attributes if name in wanted)
    along = With(relationship=split.relationship.name, attributes=mine)
    return pattern.model_copy(update={"attributes": own, "with_": (*pattern.with_, along)})


def _is_pinned(design: Design, split: SplitItems, pattern: Read) -> bool:
    return any(pin.pattern == pattern.number for _, pin in obeyed(design, split.style))


def _is_of_part(split: SplitItems, pattern: Read) -> bool:
    """Whether the part's item alone answers a read: it is named by its identifier, and nothing else is needed."""
    return (
        pattern.by_identifier
        and pattern.attributes is not None
        and set(pattern.attributes) <= {a.name for a in split.part.attributes}
        and {c.attribute for c in pattern.where} == set(split.whole.identifier)
        and not pattern.keep
        and not pattern.with_
        and not pattern.order
    )


def _folded_write(split: SplitItems, pattern: Write) -> Write:
    if pattern.collection:
        raise NotApplicableError
    members: list[Member] = []
    for change in pattern.changes:
        mine = _members(split, change) if change.entity == split.whole.name else [change]
        if change.times is not None and len(mine) > 1 and not pattern.is_transaction:
            raise NotApplicableError  # of many items, each is written by itself
        members += mine
    if not pattern.is_transaction and len(members) == 1:
        return alone(pattern, members[0])
    if sum(change.times.most if change.times else 1 for change in members) > TRANSACTION_ITEMS:
        raise NotApplicableError
    return Transaction(**common(pattern), members=tuple(members))


def _members(split: SplitItems, change: Member) -> list[Member]:
    """What a change of the entity's item does to the two."""
    if change.may_replace:
        raise NotApplicableError  # it is not known whether the other item is there
    if change.or_:
        raise NotApplicableError  # what is tested of the one item may do for what is tested of the other
    moved = set(split.attributes)
    of_part = moved | set(split.whole.identifier)
    found = []
    for name, mine in ((split.whole.name, None), (split.name, of_part)):
        own = _own(change, moved, mine)
        verb = change.verb
        if verb == "update" and not own.written:
            verb = "check"
        # That it is there is asked of the entity's own item, which has the other with it.
        if verb != "check" or own.if_ or (mine is None and change.exists is not None):
            found.append(own.model_copy(update={change.verb: None, verb: name}))
    by_identifier = not change.by or change.by == split.whole.identifier
    if any(member.entity == split.name for member in found) and not by_identifier:
        raise NotApplicableError
    return found


def _own(change: Member, moved: set[str], of_part: set[str] | None) -> Member:
    """Of a change, what concerns the one item or the other."""

    def mine(name: str) -> bool:
        return name not in moved if of_part is None else name in of_part

    def kept(names: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(name for name in names if mine(name))

    def those(named: dict[str, Changed]) -> dict[str, Changed]:
        return {name: value for name, value in named.items() if mine(name)}

    def tests(conditions: tuple[Condition, ...]) -> tuple[Condition, ...]:
        return tuple(c for c in conditions if (c.attribute in moved) == (of_part is not None))

    return change.model_copy(
        update={
            "given": kept(change.given),
            "set": those(change.set),
            "remove": kept(change.remove),
            "add": those(change.add),
            "greatest": those(change.greatest),
            "append": those(change.append),
            "include": those(change.include),
            "exclude": those(change.exclude),
            "if_": tests(change.if_),
            "each": change.each or (change.entity if change.times is not None else None),
        }
    )
