"""A filter that drops most of what is read."""

from collections.abc import Iterator

from designer.core.design.document import Design
from designer.core.figures import share, size
from designer.core.limits import MOST_DROPPED, SMALL_COLLECTION_BYTES
from designer.core.lint.base import Found, Plans, Rule, at_pattern, steps


class FilterDropsMost(Rule):
    id = "C102"
    severity = "warning"
    title = "Filter that drops most of what is read"
    why = (
        "A filter runs after the items were read and paid for, so it saves neither units nor time."
    )
    source = "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Query.FilterExpression.html"

    def check(self, design: Design, plans: Plans) -> Iterator[Found]:
        for _, number, step in steps(plans):
            expects = step.expects
            if step.call != "Query" or not step.filter or expects.bytes <= SMALL_COLLECTION_BYTES:
                continue
            dropped = 1 - expects.returned / expects.read if expects.read else 0
            if dropped > MOST_DROPPED:
                yield Found(
                    at_pattern(number),
                    (
                        f"Pattern {number} reads {size(expects.bytes)} from {step.index or step.table} and "
                        f"drops {share(dropped)} of it."
                    ),
                    "Put what it filters by under `where`, so that a key can answer it.",
                )
