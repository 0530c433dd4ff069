"""A pattern whose rate nobody stated."""

from collections.abc import Iterator

from designer.core.design.document import Design
from designer.core.lint.base import Found, Plans, Rule, at_pattern
from designer.core.patterns.elsewhere import Elsewhere


class PatternWithoutRate(Rule):
    id = "P101"
    severity = "warning"
    title = "Access pattern without a rate"
    about = "pattern"
    what = "An access pattern that DynamoDB answers has no rate."
    why = (
        "Keys are chosen by how often each access pattern runs. An access pattern without a rate weighs nothing "
        "in that choice and is left out of the bill and of the heat."
    )
    source = "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-general-nosql-design.html"
    cure = (
        "State how often a second it runs on average and at its peak. An estimate is better than nothing. Only you "
        "can make it: Keywright never invents a rate."
    )

    def check(self, design: Design, plans: Plans) -> Iterator[Found]:
        for pattern in design.patterns:
            if (
                pattern.rate is None
                and pattern.status != "declined"
                and not isinstance(pattern, Elsewhere)
            ):
                yield Found(
                    at_pattern(pattern.number),
                    f"Pattern {pattern.number} ({pattern.name}) has no rate, so the bill leaves it out.",
                    (
                        "State how often a second it runs on average and at its peak; an "
                        "estimate is better than nothing."
                    ),
                )
