"""What the sort keys of item types in one partition begin with, so that these sort as patterns want."""

from collections.abc import Mapping
from itertools import pairwise

from designer.core.plan import keys
from designer.core.planner.layout.kept_names import KeptKey
from designer.core.planner.layout.kept_order import between
from designer.core.planner.layout.key_templates import brace
from designer.core.planner.layout.placement import GroupRange, Layout
from designer.core.planner.model.chosen import SharedQuery
from designer.core.planner.model.key_text import (
    SELF,
    own_partition,
    owns_collection,
    partition_text,
    sort_token,
)
from designer.core.planner.model.structures import Structure
from designer.core.planner.solve.search import Search

Kept = Mapping[tuple[str, Structure], KeptKey]
"""What earlier plans decided of the keys of a table or an index."""


def sort_tokens(
    search: Search,
    layout: Layout,
    members: list[tuple[str, Structure]],
    slot: dict[str, Structure] | None,
    kept: Kept,
) -> dict[tuple[str, Structure], str]:
    """What the sort keys of each item type start with, so that each joined pattern reads one range (rules 7, 20).

    See docs/modelling-rules.md.
    """
    collections: dict[object, list[tuple[str, Structure]]] = {}
    texts: list[str]
    for name, structure in members:
        # By the text: two entities may give one text to values that have nothing to do with each other.
        model = search.models[name]
        labels = tuple(text for kind, text in own_partition(model, structure) if kind == "text")
        collection_of = partition_text(model, structure) or labels or (model.entity.token,)
        collections.setdefault(collection_of, []).append((name, structure))
    tokens: dict[tuple[str, Structure], str] = {}
    for collection in collections.values():
        ordered = sorted(collection, key=lambda item: default_order(search, item))
        groups = _groups_in(search, layout, collection, slot)
        pinned = _pinned_tokens(search, ordered)
        named = ((one, kept[one].token) for one in ordered if one in kept)
        before = {one: token for one, token in named if token is not None}
        best, texts = _as_before(search, ordered, groups, pinned, before)
        for item, text in zip(best, texts, strict=True):
            tokens[item] = text
        for position, group in groups:
            layout.ranges[position] = _range(search, group, best, texts)
    return tokens


Order = tuple[list[tuple[str, Structure]], list[str]]
"""Item types of a collection as they sort, and what their sort keys start with."""


def _as_before(
    search: Search,
    items: list[tuple[str, Structure]],
    groups: list[tuple[int, SharedQuery]],
    pinned: dict[tuple[str, Structure], str],
    before: dict[tuple[str, Structure], str],
) -> Order:
    """The order and the texts of a collection: those of before stay, but for the fewest that stand in the way of what
    the patterns want.
    """
    afresh = _beside(search, items, groups, pinned)
    before = {item: text for item, text in before.items() if item not in pinned}
    least = _disorder(search, groups, *afresh)
    for released in ((), *((item,) for item in before)) if before else ():
        fixed = {**pinned, **{i: text for i, text in before.items() if i not in released}}
        found = _beside(search, items, groups, fixed)
        if _disorder(search, groups, *found) <= least:
            return found
    return afresh


def _beside(
    search: Search,
    items: list[tuple[str, Structure]],
    groups: list[tuple[int, SharedQuery]],
    fixed: dict[tuple[str, Structure], str],
) -> Order:
    """The order and the texts of a collection where some texts are fixed: the others one by one where patterns want
    them, if need be between two of those.
    """
    texts = {item: fixed.get(item) or _free_texts(search, item)[0] for item in items}
    best = _sorted(texts)
    least = _disorder(search, groups, *best)
    for item in reversed(items):  # the owner of the collection keeps its place where it can
        if item in fixed:
            continue
        if not any(least):
            break
        others = sorted(text for other, text in texts.items() if other != item)
        (plain, *places) = _free_texts(search, item)
        middle = (between(low, high, plain) for low, high in pairwise(others))
        for text in (plain, *places, *(each for each in middle if each is not None)):
            trial = _sorted({**texts, item: text})
            left = _disorder(search, groups, *trial)
            if left < least:
                least, best, texts = left, trial, {**texts, item: text}
    return best


def _sorted(texts: Mapping[tuple[str, Structure], str]) -> Order:
    order = sorted(texts, key=lambda item: texts[item])
    return order, [texts[item] for item in order]


def _disorder(
    search: Search,
    groups: list[tuple[int, SharedQuery]],
    order: list[tuple[str, Structure]],
    texts: list[str],
) -> tuple[int, int]:
    """How far an order is from what patterns want: types of which one's keys begin as another's, and what a joined
    pattern reads besides. The items of a collection's owner are asked for by their whole key, which no other has.
    """
    mixed = sum(
        after == text if text == SELF else after.startswith(text) for text, after in pairwise(texts)
    )
    return mixed, sum(_misplaced(search, group, order) for _, group in groups)


def _pinned_tokens(
    search: Search, items: list[tuple[str, Structure]]
) -> dict[tuple[str, Structure], str]:
    """What pinned sort keys start with."""
    found = {}
    for name, structure in items:
        text = search.models[name].pinned_text(structure, structure.sort)
        if text is not None:
            found[name, structure] = text.token
    return found


def _free_texts(search: Search, item: tuple[str, Structure]) -> list[str]:
    """What a sort key may start with: before or after those of other types."""
    plain = sort_token(search.models[item[0]], item[1])
    after = search.models[item[0]].entity.token if plain == SELF else plain
    return list(dict.fromkeys((plain, f"#{plain}", after, f"~{after}")))


def default_order(search: Search, item: tuple[str, Structure]) -> tuple[bool, str, str]:
    model = search.models[item[0]]
    return (not owns_collection(model, item[1]), model.entity.token, item[1].kind)


def _groups_in(
    search: Search,
    layout: Layout,
    collection: list[tuple[str, Structure]],
    slot: dict[str, Structure] | None,
) -> list[tuple[int, SharedQuery]]:
    found = []
    entities = {name: structure for name, structure in collection if structure.kind != "copy"}
    for position, group in enumerate(layout.shared_queries):
        if group.index != (slot is not None):
            continue
        pattern_read = search.requirements.pattern_reads[group.pattern_read]
        names = [pattern_read.entity_reads[at].entity for at in group.parts]
        if not all(name in entities for name in names):
            continue
        if slot is not None:
            if any(slot.get(name) != group.structure(name) for name in names):
                continue
        else:
            first = pattern_read.entity_reads[group.parts[0]]
            if set(first.equals) != set(entities[first.entity].partition):
                continue
        found.append((position, group))
    return found


def _limited(search: Search, group: SharedQuery) -> tuple[str, bool | None] | None:
    """The entity that a group reads the first or last few of, and whether backwards."""
    pattern_read = search.requirements.pattern_reads[group.pattern_read]
    for at in group.parts:
        entity_read = pattern_read.entity_reads[at]
        if entity_read.limit is not None and not entity_read.one:
            return entity_read.entity, (
                entity_read.order[0].descending if entity_read.order else None
            )
    return None


def _bounded(
    search: Search, group: SharedQuery, order: list[tuple[str, Structure]]
) -> tuple[str, bool] | None:
    """The entity whose range ends what a group reads, and whether its items come first."""
    entity_reads = search.requirements.pattern_reads[group.pattern_read].entity_reads
    sorts = {name: structure.sort for name, structure in order}
    for entity_read in (entity_reads[at] for at in group.parts):
        limits = entity_read.range
        if (
            entity_read.range_ends
            and limits
            and sorts[entity_read.entity][:1] == (limits.attribute,)
        ):
            return entity_read.entity, (limits.from_ or limits.after) is not None
    return None


def _misplaced(search: Search, group: SharedQuery, order: list[tuple[str, Structure]]) -> int:
    pattern_read = search.requirements.pattern_reads[group.pattern_read]
    names = [name for name, _ in order]
    places = [names.index(pattern_read.entity_reads[at].entity) for at in group.parts]
    cost = max(places) - min(places) + 1 - len(set(places))
    limited = _limited(search, group)
    if limited is not None:
        place = names.index(limited[0])
        good = {True: (min(places),), False: (max(places),), None: (min(places), max(places))}[
            limited[1]
        ]
        cost += 0 if place in good else 100
    bounded = _bounded(search, group, order)
    if bounded is not None:
        outermost = min(places) if bounded[1] else max(places)
        cost += 0 if names.index(bounded[0]) == outermost else 100
    return cost


def _range(
    search: Search, group: SharedQuery, order: list[tuple[str, Structure]], texts: list[str]
) -> GroupRange:
    pattern_read = search.requirements.pattern_reads[group.pattern_read]
    names = [name for name, _ in order]
    places = sorted(names.index(pattern_read.entity_reads[at].entity) for at in group.parts)
    first, last = places[0], places[-1]
    limited = _limited(search, group)
    ends_with_limited = False
    if limited is not None:
        place, descending = names.index(limited[0]), limited[1]
        if descending is None:
            descending = place == first
        forward = not descending
        ends_with_limited = place == (last if forward else first)
    else:
        entity_reads = [pattern_read.entity_reads[at] for at in group.parts]
        forward = {d.order[0].descending for d in entity_reads if d.order} != {True}
    bounded = _bounded(search, group, order)
    if bounded is not None and names.index(bounded[0]) != (first if bounded[1] else last):
        bounded = None
    if bounded is None and first == 0 and last == len(order) - 1:
        return GroupRange(None, None, forward, ends_with_limited)
    upper = texts[last]
    if upper.endswith(keys.DELIMITER):
        upper = upper[:-1] + keys.ABOVE
    ends = bounded[0] if bounded is not None else None
    return GroupRange(brace(texts[first]), brace(upper), forward, ends_with_limited, ends)
