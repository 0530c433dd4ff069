"""A pattern that no plan within the rules answers."""

from designer.core.dynamodb.limits import FEW_PAGES, SMALL_COLLECTION_BYTES
from designer.core.lint.base import Topic
from designer.core.words.figures import binary_size, number


class NotServed(Topic):
    id = "not-served"
    severity = "error"
    title = "Access pattern not served"
    of_many = "access patterns are not served"
    about = "pattern"
    what = (
        "Within the settings and the pins, no key or index can serve the access pattern, or one could serve it only by "
        "reading much more than it returns. The finding states the obstacle."
    )
    why = (
        "A plan never scans a table, and never returns an outdated result for a strongly consistent read. If a read "
        f"takes more than {binary_size(SMALL_COLLECTION_BYTES)} on average (not counting the text of keys), the plan "
        f"never drops more than 90 % of that. Nor does it drop more than {number(FEW_PAGES)} pages of 1 MB on "
        "average if the dropped part is at least half of what the read takes. An aggregate returns no items, "
        "so all items that are read for it count as dropped. If there is no other way, the plan "
        "does not serve the access pattern."
    )
    source = "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-query-scan.html"
    cure = (
        "Change the access pattern: give one more attribute, sort by an attribute that a key can contain, or "
        "accept eventually consistent results. Store an item for each element that you search for, or the aggregate "
        "itself. Or let another service serve it. If it runs at most once an hour, state that rate: such a "
        "job may read any number of pages."
    )
