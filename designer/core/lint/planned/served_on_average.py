"""A pattern that is served on average, and not at the worst."""

from designer.core.figures import number
from designer.core.limits import FEW_PAGES
from designer.core.lint.base import Topic


class ServedOnAverage(Topic):
    id = "served-on-average"
    severity = "warning"
    title = "Access pattern that is served on average only"
    about = "pattern"
    what = (
        f"At the worst one Query of the access pattern reads more than {number(FEW_PAGES)} pages of 1 MB to return "
        "little of them, or at its peak the access pattern alone takes more than the busiest partition serves."
    )
    why = (
        "A limit ends a Query once enough was found. What is tested after the reading may be met by nothing, and then "
        "the Query reads the whole collection, page after page; the largest one that is stated, where one is."
    )
    source = "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Query.FilterExpression.html"
    cure = (
        "Let a key hold what is tested, or another service answer it. State `most` of the relationship where a "
        "collection is smaller. Keep an answer that is read too often in a cache."
    )
