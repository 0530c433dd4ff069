"""A pattern that is served on average, and not at the worst."""

from collections.abc import Iterator

from designer.core.design.document import Design
from designer.core.design.settings import Pin
from designer.core.dynamodb.limits import FEW_PAGES, MANY_REQUESTS, SELDOM
from designer.core.edits.pins import add_pins, without_pins
from designer.core.lint.base import Fix, Plans, Topic, number_at, with_pattern
from designer.core.lint.filtering import remedies
from designer.core.patterns.base import Condition, Read
from designer.core.planner.explain.pin_offers import in_place_of, pins_offered, spares_others
from designer.core.planner.operations.reading_less import beside_the_nearest, excluded
from designer.core.words.figures import number


class ServedOnAverage(Topic):
    id = "served-on-average"
    severity = "warning"
    title = "Served only on average"
    of_many = "access patterns are served only on average"
    about = "pattern"
    what = (
        "It appears in three cases. First, at worst, one Query of the access pattern reads more than "
        f"{number(FEW_PAGES)} pages of 1 MB that it does not return, or more than {MANY_REQUESTS} pages "
        "before it has found enough. Second, for the largest collections that the design states, or the widest range "
        "that a caller can give, the parts of the result that have no limit take many more requests than on average: "
        f"more than {number(FEW_PAGES)} extra requests one after another, or more than {MANY_REQUESTS} extra "
        "BatchGetItem requests, which can run at the same time. Third, at its peak, the access pattern alone puts more "
        "load on the busiest partition than a partition can serve. Access patterns "
        "that run no more than about once an hour "
        f"({SELDOM} times a second at peak) may read as many pages as they need."
    )
    why = (
        "A limit ends a Query after enough items are found. If no item meets a condition that is tested after "
        "the read, the Query reads the whole collection, page by page. The worst case assumes the largest "
        "collection that the design states, if it states one. If the access pattern returns all that it reads, "
        "whoever has the most items waits for all pages, one after another."
    )
    source = "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Query.FilterExpression.html"
    cure = (
        "Let a key contain the tested value, or let another service serve the access pattern. If only the nearest "
        "item can be the result, such as the range that holds an address, test it after the limit, under “Then only "
        "if”. If the result itself is large, give the access pattern, or the related items that the finding names, a "
        "limit, and ask for further pages only when they are needed. If no collection is as large as assumed, state "
        "the maximum in the relationship. Cache results that are read too often."
    )
    offers = {
        "nearest": (
            "Moves the condition on the nearest item from “Found by” or “Returned only if” to “Then only if”, so "
            "that one request reads one item. The result stays the same if at most one item can meet all "
            "conditions, as with ranges that do not overlap."
        ),
        "others": (
            "Replaces the condition “is not” with one under “Found by” that asks for any of the other values, so "
            "that a key can serve it. The result stays the same."
        ),
        "pin": (
            "Pins the index that would serve the access pattern in the worst case too, and pins the access pattern to "
            "that index. The pin can change how other access patterns are served. Unless the design is "
            "large, the planner also tries the pin, and the finding says what would change. If the pin "
            "was not tried, or other access patterns are served less well with it, you see the plan with the "
            "pin before you confirm it."
        ),
    }

    def fixes(self, design: Design, plans: Plans, where: str) -> Iterator[Fix]:
        number = number_at(where)
        read = design.pattern(number)
        if not isinstance(read, Read):
            return
        if beside_the_nearest(read):
            yield Fix("nearest", "Test only the nearest item", lambda now: _nearest(now, number))
        offered = {one.id for _, one in remedies(plans, where)}
        if "ask-for-others" in offered:
            yield Fix("others", "Ask for the other values", lambda now: _others(now, number))
        found = [
            (one, pins)
            for style, one in remedies(plans, where)
            if (pins := pins_offered(style, number, one))
        ]
        if found:
            harmless = [pins for one, pins in found if spares_others(one)]
            chosen = harmless or [pins for _, pins in found]
            pins = tuple(pin for each in chosen for pin in each)
            yield Fix(
                "pin",
                "Pin an index that serves it",
                lambda now: _pinned(now, pins),
                looks_first=not harmless,
            )


def _pinned(design: Design, pins: tuple[Pin, ...]) -> Design:
    """The design with these pins, in place of what it says already of the patterns' indexes."""
    return add_pins(without_pins(design, in_place_of(design, pins)), pins)


def _others(design: Design, number: int) -> Design:
    read = design.pattern(number)
    assert isinstance(read, Read)
    found = excluded(design, read)
    if found is None:
        return design
    test, others = found
    any_of = Condition.model_validate({"attribute": test.attribute, "any_of": {"value": others}})
    where = tuple(one for one in read.where if one != test)
    keep = tuple(one for one in read.keep if one != test)
    return with_pattern(design, number, where=(*where, any_of), keep=keep)


def _nearest(design: Design, number: int) -> Design:
    read = design.pattern(number)
    assert isinstance(read, Read)
    beside = beside_the_nearest(read)
    where = tuple(one for one in read.where if one not in beside)
    return with_pattern(
        design, number, where=where, keep=(), then_keep=(*read.after_limit, *beside)
    )
