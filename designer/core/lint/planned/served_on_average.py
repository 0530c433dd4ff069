"""A pattern that is served on average, and not at the worst."""

from designer.core.dynamodb.limits import FEW_PAGES
from designer.core.lint.base import Topic
from designer.core.words.figures import number


class ServedOnAverage(Topic):
    id = "served-on-average"
    severity = "warning"
    title = "Served only on average"
    of_many = "access patterns are served only on average"
    about = "pattern"
    what = (
        f"In the worst case, one Query of the access pattern reads more than {number(FEW_PAGES)} pages of 1 MB "
        "that it does not return. Or at its peak, the access pattern alone puts more load on the busiest "
        "partition than a partition can serve."
    )
    why = (
        "A limit ends a Query after enough items are found. If no item meets a condition that is tested after "
        "the read, the Query reads the whole collection, page after page. The worst case assumes the largest "
        "collection that the design states, if it states one."
    )
    source = "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Query.FilterExpression.html"
    cure = (
        "Let a key contain the tested value, or let another service serve the access pattern. If collections are "
        "smaller, state `most` in the relationship. Cache results that are read too often."
    )
