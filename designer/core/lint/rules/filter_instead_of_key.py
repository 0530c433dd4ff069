"""Everything read, and picked over afterwards."""

from collections.abc import Iterator

from designer.core.design.document import Design
from designer.core.lint.base import Fix, Found, Plans, Rule, at_pattern, number_at, reads, spoken
from designer.core.lint.filtering import asked_by_key, by_key


class FilterInsteadOfKey(Rule):
    id = "C105"
    severity = "warning"
    title = "Everything read and filtered in the application"
    about = "pattern"
    what = "A read has neither `where` nor `limit`, and keeps items by conditions that a key could answer."
    why = (
        "A filter is applied after reading: the application pays for every item and throws most of them away, and "
        "for more as the table grows."
    )
    source = "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-query-scan.html"
    cure = "Put what it filters by under `where`, so that a key can answer it."
    offers = {
        "by-key": "Moves the conditions under `keep` that a key can answer to `where`. The answer stays the same.",
    }

    def check(self, design: Design, plans: Plans) -> Iterator[Found]:
        for read in reads(design):
            if not read.where and read.limit is None and by_key(read):
                yield Found(
                    at_pattern(read.number),
                    f"Pattern {read.number} reads all {spoken(list(read.entities))} items and "
                    f"then filters them by {spoken(by_key(read))}.",
                    "Put what it filters by under `where`, so that a key can answer it.",
                )

    def fixes(self, design: Design, plans: Plans, where: str) -> Iterator[Fix]:
        return asked_by_key(design, number_at(where))
