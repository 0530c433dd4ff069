"""Everything read, and picked over afterwards."""

from collections.abc import Iterator

from designer.core.design.document import Design
from designer.core.lint.base import Fix, Found, Plans, Rule, at_pattern, number_at, reads
from designer.core.lint.filtering import asked_by_key, by_key
from designer.core.messages import say


class FilterInsteadOfKey(Rule):
    id = "C105"
    severity = "warning"
    title = "Filter instead of a key"
    of_many = "access patterns filter instead of using a key"
    about = "pattern"
    what = "A read has no limit and nothing under “Found by”, and filters items by conditions that a key could serve."
    why = (
        "DynamoDB applies a filter after reading. You pay for every item read, including those that the filter drops, "
        "and the cost increases as the table grows."
    )
    source = "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-query-scan.html"
    cure = "Move the filter conditions to “Found by”, so that a key can serve them."
    offers = {
        "by-key": (
            "Moves the conditions that a key can serve from “Returned only if” to “Found by”. The result stays the "
            "same."
        ),
    }

    def check(self, design: Design, plans: Plans) -> Iterator[Found]:
        for read in reads(design):
            if not read.where and read.limit is None and by_key(read):
                yield Found(
                    at_pattern(read.number),
                    say(
                        "filter-instead-of-key",
                        pattern=read.number,
                        entities=read.entities,
                        attributes=tuple(by_key(read)),
                    ),
                    say("move-conditions-to-where"),
                )

    def fixes(self, design: Design, plans: Plans, where: str) -> Iterator[Fix]:
        return asked_by_key(design, number_at(where))
