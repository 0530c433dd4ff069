"""A pattern without a limit that may return many pages, and on average does not."""

from designer.core.dynamodb.limits import FEW_PAGES, SELDOM
from designer.core.lint.base import Topic
from designer.core.words.figures import number


class ManyPagesAtWorst(Topic):
    id = "many-pages-at-worst"
    severity = "advice"
    title = "Many pages at worst"
    of_many = "access patterns take many pages at worst"
    about = "pattern"
    what = (
        "An access pattern has no limit. On average it takes few requests, but more than "
        f"{number(FEW_PAGES)} more for the largest collection that the design states, or for the widest range that a "
        f"caller may give. Access patterns that run at most about once an hour ({SELDOM} times a second at peak) are "
        "exempt."
    )
    why = (
        "One Query returns at most 1 MB, and the next one begins where it ended. Whoever has the most items waits for "
        "all of these pages, one after another."
    )
    source = (
        "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Query.Pagination.html"
    )
    cure = (
        "Give the access pattern a limit, and ask for further pages only when they are needed. If no collection is "
        "that large, state a smaller maximum in the relationship."
    )
