"""A pattern that is served on average, and not at the worst."""

from collections.abc import Iterator

from designer.core.design.document import Design
from designer.core.dynamodb.limits import FEW_PAGES, MANY_REQUESTS, SELDOM
from designer.core.lint.base import Fix, Plans, Topic, number_at, with_pattern
from designer.core.patterns.base import Read
from designer.core.planner.operations.reading_less import beside_the_nearest
from designer.core.words.figures import number


class ServedOnAverage(Topic):
    id = "served-on-average"
    severity = "warning"
    title = "Served only on average"
    of_many = "access patterns are served only on average"
    about = "pattern"
    what = (
        f"In the worst case, one Query of the access pattern reads more than {number(FEW_PAGES)} pages of 1 MB "
        f"that it does not return, or asks for more than {MANY_REQUESTS} pages before it has found enough. Or it has "
        "no limit, and takes too many requests for the largest collection that the design states or the widest range "
        f"that a caller may give: more than {number(FEW_PAGES)} additional requests that wait for one another, or more "
        f"than {MANY_REQUESTS} additional BatchGetItem requests, which can run at the same time. Or at its peak, the "
        "access pattern alone puts more load on the busiest partition than a partition can serve. Access patterns that "
        f"run at most about once an hour ({SELDOM} times a second at peak) may read as many pages as they need."
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
        "if”. If the result itself is large, give the access pattern a limit, and ask for further pages only when they "
        "are needed. If no collection is that large, state the maximum in the relationship. Cache results that are "
        "read too often."
    )
    offers = {
        "nearest": (
            "Moves the condition on the nearest item from “Found by” or “Returned only if” to “Then only if”, so "
            "that one request reads one item. The result stays the same if at most one item can meet all "
            "conditions, as with ranges that do not overlap."
        ),
    }

    def fixes(self, design: Design, plans: Plans, where: str) -> Iterator[Fix]:
        number = number_at(where)
        read = design.pattern(number)
        if isinstance(read, Read) and beside_the_nearest(read):
            yield Fix("nearest", "Test only the nearest item", lambda now: _nearest(now, number))


def _nearest(design: Design, number: int) -> Design:
    read = design.pattern(number)
    assert isinstance(read, Read)
    beside = beside_the_nearest(read)
    where = tuple(one for one in read.where if one not in beside)
    return with_pattern(
        design, number, where=where, keep=(), then_keep=(*read.after_limit, *beside)
    )
