"""What a read goes through that returns much less, and what helps."""

from designer.core.design.document import LISTS, Design
from designer.core.english import joined
from designer.core.limits import FEW_PAGES
from designer.core.patterns.base import Read
from designer.core.planner.model.reads_and_writes import EntityRead


def reads_too_much(entity_read: EntityRead) -> str:
    """What a Query would do that reads too much to be a plan's: rule 3 of docs/modelling-rules.md."""
    if entity_read.is_figure:
        return f"read more than {FEW_PAGES} pages of 1 MB for one figure, or drop more than 90 % of what it reads."
    return f"drop more than 90 % of what it reads, or half of it and more than {FEW_PAGES} pages of 1 MB."


def how_to_read_less(design: Design, pattern: Read) -> str:
    """What keeps a read within a few pages: a key, a stored figure, or another service, that finds what it asks for."""
    by_key = _by_one_key(pattern)
    return (
        _of_elements(design, pattern)
        or _of_a_figure(pattern)
        or _of_the_nearest(pattern)
        or (
            by_key
            and f"An index by {by_key} would serve it in the worst case too, but costs more than it saves. Pin such an "
            "index to the access pattern. If a collection is smaller, state `most` in its relationship."
        )
        or "Test for equality, which a key can serve, or store an attribute that marks the wanted items. Or let a "
        "search service serve the access pattern, and mark it as `elsewhere`. If a collection is smaller, state "
        "`most` in its relationship."
    )


def if_not_served(design: Design, pattern: Read) -> str:
    """The same where no key serves the read; empty where nothing helps for sure."""
    return _of_elements(design, pattern) or _of_a_figure(pattern) or _of_the_nearest(pattern)


def _of_elements(design: Design, pattern: Read) -> str:
    """Of elements of lists, and of parts of texts."""
    held = [test.attribute for test in (*pattern.where, *pattern.keep) if test.contains is not None]
    by_name = design.entity[pattern.entities[0]].by_name
    listed = [name for name in held if name in by_name and by_name[name].type in LISTS]
    if listed:
        return (
            f"No key can find one element of {listed[0]}. Store an item for each element, in an entity of its own, and "
            "query by it."
        )
    if held:
        return (
            "No key can find a part of a text. Let a search service serve the access pattern, and mark it as "
            "`elsewhere`."
        )
    return ""


def _of_a_figure(pattern: Read) -> str:
    """Of one figure over many items."""
    result, is_count = pattern.aggregate, pattern.kind == "count"
    if result is None and not is_count:
        return ""
    if result is not None and result.sum is None:
        way = "descending" if result.greatest else "ascending"
        return f"List the items sorted by {result.of} {way} instead, with a limit of 1, which an index can serve."
    ranges = [test.attribute for test in pattern.where if test.is_range]
    if ranges and is_count:
        return (
            f"Store the number of items for each range of {ranges[0]}, in an entity of its own that the writes add to, "
            "and add these up. Or let a service that ranks, such as a sorted set in Valkey, serve the access pattern, "
            "and mark it as `elsewhere`."
        )
    return (
        "Store the figure where the writes keep it: in the parent, by an attribute with `aggregate`, or in an item "
        "of its own that they add to."
    )


def _of_the_nearest(pattern: Read) -> str:
    """Of the item nearest to a value, of which something else is tested."""
    ranges = {test.attribute for test in pattern.where if test.is_range}
    nearest = {order.attribute for order in pattern.orders[:1]}
    beside = ranges - nearest
    if not (pattern.limit == 1 and nearest and nearest <= ranges and len(beside) == 1):
        return ""
    name = next(iter(beside))
    return (
        f"Ask for the nearest item alone, without the condition on {name}, and test {name} of the item in the "
        "application."
    )


def _by_one_key(pattern: Read) -> str:
    """What an index has to have so that its key alone finds and sorts what a read asks for; empty where none does."""
    fixed = [test.attribute for test in pattern.where if test.is_ is not None]
    without = [test.attribute for test in pattern.where if test.missing]
    # An index has only the items that have the attributes of its key.
    ranges = [test.attribute for test in pattern.where if test.is_range or test.exists]
    keyed = [*fixed, *without, *ranges]
    is_whole = len(keyed) == len(pattern.where) and not any("." in name for name in keyed)
    if pattern.with_ or pattern.keep or not fixed or not is_whole:
        return ""
    sorts = [order.attribute for order in pattern.orders if order.attribute not in fixed]
    rest = list(dict.fromkeys((*ranges, *sorts)))
    if len(ranges) > 1 or ranges != rest[: len(ranges)]:
        return ""
    only = f" for the items without {joined(without)}" if without else ""
    return joined([*fixed, *rest]) + only
