"""A pattern that returns more each time than fits into a few pages."""

from designer.core.dynamodb.limits import FEW_PAGES, SELDOM
from designer.core.lint.base import Topic
from designer.core.words.figures import number


class ManyPages(Topic):
    id = "many-pages"
    severity = "warning"
    title = "Served only in many pages"
    of_many = "access patterns are served only in many pages"
    about = "pattern"
    what = (
        f"An access pattern reads and returns more than {number(FEW_PAGES)} pages of 1 MB per run, on average. Access "
        f"patterns that run no more than about once an hour ({SELDOM} times a second at peak) are exempt."
    )
    why = (
        "One request returns at most 1 MB, and the next request continues from there. So the caller waits for all "
        "requests, one after another, and each is charged for all that it reads."
    )
    source = (
        "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Query.Pagination.html"
    )
    cure = (
        "Give the access pattern or its related items a limit, and ask for further pages only when they are needed. If "
        "the caller names the items, let it give fewer identifiers at a time. If it needs all items, read them in a "
        "job that runs rarely, or export the table."
    )
