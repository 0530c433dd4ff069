"""What a read goes through that returns much less, and what helps."""

from collections.abc import Collection, Iterator, Sequence

from designer.core.design.attributes import KEY_TYPES, LISTS, Attribute
from designer.core.design.document import Design
from designer.core.dynamodb.limits import FEW_PAGES
from designer.core.messages import Message, say
from designer.core.patterns.base import Condition, Read, With
from designer.core.planner.model.marks import is_too_long
from designer.core.planner.model.reads_and_writes import EntityRead
from designer.core.planner.workload.root_reads import MOST_LEFT


def reads_too_much(entity_read: EntityRead) -> Message:
    """What a Query would do that reads too much to be a plan's: rule 3 of docs/modelling-rules.md."""
    if entity_read.crossed is not None:
        return say("reads-too-much-to-cross", pages=FEW_PAGES)
    if entity_read.is_figure:
        return say("reads-too-much-of-figure", pages=FEW_PAGES)
    return say("reads-too-much", pages=FEW_PAGES)


def in_case(pattern: Read, given: Sequence[str] | None) -> Read:
    """A pattern as it is asked when of its optional parameters only some are given."""

    def asked(conditions: tuple[Condition, ...]) -> tuple[Condition, ...]:
        return tuple(
            one for one in conditions if not one.optional or set(one.parameters) <= set(given or ())
        )

    return pattern.model_copy(update={"where": asked(pattern.where), "keep": asked(pattern.keep)})


def how_to_read_less(design: Design, pattern: Read) -> Message:
    """What keeps a read within a few pages: a key, a stored figure, or another service, that finds what it asks for.

    A key of which the planner knows that it serves the read is better than all but what `if_not_served` says.
    """
    helps = if_not_served(design, pattern)
    if helps is not None and (kept := _findable(design, pattern)):
        # What a key could find does not make the plan have such a key.
        found = tuple(test for test in pattern.keep if test.attribute in kept)
        rest = tuple(test for test in pattern.keep if test.attribute not in kept)
        moved = pattern.model_copy(update={"where": (*pattern.where, *found), "keep": rest})
        keyed = _keyed(design, moved)
        if helps.id == "move-to-where" and keyed:
            return say("move-to-where-and-pin", attributes=kept, keyed=keyed)
    return helps or _of_strong(pattern) or _of_a_case(design, pattern) or say("test-for-equality")


def if_smaller(design: Design, pattern: Read) -> Message | None:
    """What to state if the collections that a read goes through are smaller than thought; None where that is stated."""
    unstated = [name for name, most in _mosts(design, pattern) if most is None]
    return say("state-most-if-smaller", relationship=unstated[0]) if unstated else None


def if_smaller_than_stated(design: Design, pattern: Read, parts: Collection[str]) -> Message | None:
    """The same where the most that is stated may be too large, of the largest; None where none is stated.

    `parts`: those of the answer that have too much: `rows`, or relationships.
    """
    along = {one.relationship for one, _ in _children(design, pattern)}
    found = _mosts(design, pattern, whole=True)
    stated = [
        (most, name)
        for name, most in found
        if most is not None and (name if name in along else "rows") in parts
    ]
    largest = max(stated, default=None, key=lambda one: one[0])
    return say("state-smaller-most", relationship=largest[1]) if largest else None


def _mosts(
    design: Design, pattern: Read, whole: bool = False
) -> Iterator[tuple[str, float | None]]:
    """The relationships by which a read gets the children of one parent, with the most that there may be of them.

    `whole`: only those of whose children all are returned, also where it gives a part of what identifies the parent,
    and so gets those of others besides.
    """
    given = {
        one.attribute for one in pattern.where if one.is_ is not None or one.listed is not None
    }
    children = (one for one, _ in _children(design, pattern) if not whole or one.limit is None)
    along = {one.relationship for one in children}
    for relationship in design.relationships:
        if relationship.name in along:
            yield relationship.name, relationship.most
        if relationship.child not in pattern.entities or relationship.cardinality == "1:1":
            continue
        mosts = relationship.mosts or (relationship.most, relationship.most)
        for (_, pairs), most in zip(design.sides(relationship), mosts, strict=False):
            known = [own in given for own, _ in pairs]
            if pairs and (any(known) if whole else all(known)):
                yield relationship.name, most


def if_not_served(design: Design, pattern: Read) -> Message | None:
    """The same where no key serves the read; None where nothing helps for sure."""
    return (
        _of_items_together(pattern)
        or _of_related(design, pattern)
        or _of_elements(design, pattern)
        or _of_a_figure(pattern)
        or _of_the_nearest(pattern)
        or _of_kept(design, pattern)
        or _of_others(design, pattern)
    )


def _of_items_together(pattern: Read) -> Message | None:
    """Of what several items meet together."""
    crossing = pattern.crossing
    return None if crossing is None else say("narrow-crossing", attribute=crossing.attribute)


def _of_related(design: Design, pattern: Read) -> Message | None:
    """Of related items that are tested after the reading: a key can find them where they are asked for themselves."""
    if pattern.keep:
        return None
    for along, child in _children(design, pattern):
        if along.keep:
            kept = _compared(design, child, along.keep)
            if len(kept) < len(along.keep):
                return say("list-related-marked", relationship=along.relationship, entity=child)
            return say(
                "list-related", relationship=along.relationship, entity=child, attributes=kept
            )
    return None


def _children(design: Design, pattern: Read) -> Iterator[tuple[With, str]]:
    """What comes along with the items of a read that may be many, with their entity."""
    for along in pattern.with_:
        relationship = design.relationship[along.relationship]
        is_parent = (
            relationship.child in pattern.entities and relationship.parent not in pattern.entities
        )
        if not is_parent:
            yield along, relationship.child


def _of_elements(design: Design, pattern: Read) -> Message | None:
    """Of elements of lists, and of parts of texts."""
    held = [test.attribute for test in (*pattern.where, *pattern.keep) if test.contains is not None]
    by_name = design.entity[pattern.entities[0]].by_name
    listed = [name for name in held if name in by_name and by_name[name].type in LISTS]
    if listed:
        return say("store-elements", attribute=listed[0])
    return say("search-finds-parts") if held else None


def _of_a_figure(pattern: Read) -> Message | None:
    """Of one figure over many items."""
    result, is_count = pattern.aggregate, pattern.answer_kind == "count"
    if not is_count and (result is None or result.sum is None):
        return None
    ranges = [test.attribute for test in pattern.where if test.is_range]
    if ranges and is_count:
        return say("store-counts-of-ranges", attribute=ranges[0])
    return say("store-figure")


def _of_the_nearest(pattern: Read) -> Message | None:
    """Of the item nearest to a value, of which something else is tested."""
    beside = beside_the_nearest(pattern)
    return None if not beside else say("nearest-alone", attribute=beside[0].attribute)


def _of_kept(design: Design, pattern: Read) -> Message | None:
    """Of what is compared with a value after the reading, though a key could find it."""
    kept = _findable(design, pattern)
    return say("move-to-where", attributes=kept) if kept else None


def _findable(design: Design, pattern: Read) -> tuple[str, ...]:
    """The attributes that are compared with values after the reading, and that a key could have."""
    return _compared(design, pattern.entities[0], pattern.keep)


def _compared(design: Design, entity: str, tests: Sequence[Condition]) -> tuple[str, ...]:
    """The attributes that tests compare with values, or want there or missing, and that a key could have."""
    by_name = design.entity[entity].by_name
    kept = [
        test.attribute
        for test in tests
        if (attribute := by_name.get(test.attribute)) is not None
        and (
            _is_mark(attribute, test)
            if test.exists or test.missing
            else (test.is_ is not None or test.listed is not None)
            and attribute.type in (*KEY_TYPES, "BOOL")
        )
    ]
    return tuple(dict.fromkeys(kept))


def _is_mark(attribute: Attribute, test: Condition) -> bool:
    """Whether a sparse index can hold the items that have an attribute, or those that lack it."""
    if test.missing:
        return attribute.present < 1 and attribute.source is None
    return attribute.type in (*KEY_TYPES, "BOOL") and not is_too_long(attribute)


def beside_the_nearest(pattern: Read) -> tuple[Condition, ...]:
    """The conditions, all on one attribute, that are tested beside the range whose nearest item is wanted.

    Empty where that is not what a pattern asks, or where more is tested, so that it could still find nothing.
    """
    nearest = {order.attribute for order in pattern.orders[:1]}
    beside = [one for one in pattern.where if one.is_range and one.attribute not in nearest]
    beside += pattern.keep
    found = [one for one in pattern.where if one not in beside]
    is_asked = any(one.is_range for one in found) and all(
        one.is_ is not None or one.attribute in nearest for one in found
    )
    is_one = len({one.attribute for one in beside}) == 1 and all(one.is_range for one in beside)
    is_list = pattern.returns_items and not pattern.by_identifier and len(pattern.entities) == 1
    return tuple(beside) if is_list and pattern.limit == 1 and is_asked and is_one else ()


def excluded(design: Design, pattern: Read) -> tuple[Condition, tuple[str | int, ...]] | None:
    """A condition that leaves out a value, with the others that are stated, of an attribute that each item has.

    What stands under `where` and leaves few values is looked for by each of these anyway.
    """
    for test in (*pattern.keep, *pattern.where):
        attribute = design.entity[pattern.entities[0]].by_name.get(test.attribute)
        if attribute is None or attribute.present < 1 or test.optional or test.not_ is None:
            continue
        lost = None if test.not_.value is None else str(test.not_.value)
        others = tuple(value for value in attribute.values or () if str(value) != lost)
        if lost is not None and others and (test in pattern.keep or len(others) > MOST_LEFT):
            return test, others
    return None


def _of_others(design: Design, pattern: Read) -> Message | None:
    """Of all values but one: a key can find each of the others."""
    found = excluded(design, pattern)
    if found is None or pattern.with_:
        return None
    test, others = found
    return say("ask-for-others", attribute=test.attribute, others=tuple(map(str, others)))


def _of_strong(pattern: Read) -> Message | None:
    """Of what only the table and its local indexes may answer."""
    return say("accept-eventual") if pattern.consistency == "strong" else None


def _of_a_case(design: Design, pattern: Read) -> Message | None:
    """Of what is asked with some optional conditions: its key serves no other case."""
    keyed = _keyed(design, pattern)
    is_case = any(test.optional and test.attribute in keyed for test in pattern.where)
    return say("own-pattern-for-case", attributes=keyed) if is_case else None


def _keyed(design: Design, pattern: Read) -> tuple[str, ...]:
    """The attributes of a key that alone finds and sorts what a read asks for; empty where none does."""
    fixed = [
        test.attribute
        for test in pattern.where
        if test.is_ is not None or test.listed is not None  # each value of a list is asked for
    ]
    without = [test.attribute for test in pattern.where if test.missing]
    # An index has only the items that have the attributes of its key.
    there = [test.attribute for test in pattern.where if test.exists]
    ranges = [test.attribute for test in pattern.where if test.is_range]
    keyed = [*fixed, *without, *ranges, *there]
    is_whole = len(keyed) == len(pattern.where) and not any("." in name for name in keyed)
    if pattern.with_ or pattern.keep or not fixed or not is_whole:
        return ()
    sorts = [order.attribute for order in pattern.sought[0] if order.attribute not in fixed]
    rest = list(dict.fromkeys((*ranges, *sorts)))
    by_name = design.entity[pattern.entities[0]].by_name
    if ranges and pattern.sought[1] is not None and sorts[:1] not in ([], ranges):
        return ()  # what the range finds is in another order
    if len(ranges) > 1 or any(is_too_long(by_name[name]) for name in there):
        return ()
    return tuple(dict.fromkeys((*fixed, *rest, *there)))
