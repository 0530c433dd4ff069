"""A pattern whose rate nobody stated."""

from collections.abc import Iterator

from designer.core.design.document import Design
from designer.core.lint.base import Found, Plans, Rule, at_pattern
from designer.core.messages import say
from designer.core.patterns.elsewhere import Elsewhere


class PatternWithoutRate(Rule):
    id = "P101"
    severity = "warning"
    title = "Access pattern without a rate"
    of_many = "access patterns have no rate"
    about = "pattern"
    what = "An access pattern that DynamoDB serves has no rate."
    why = (
        "The planner chooses keys by how often each access pattern runs. An access pattern without a rate counts "
        "little in that choice: the planner assumes one write of each item a month if no write of the entity has a "
        "rate. The bill and the heat estimate leave the access pattern out."
    )
    source = "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-general-nosql-design.html"
    cure = "State its average and its peak rate, in runs a second. Use an estimate if you have no measurement."

    def check(self, design: Design, plans: Plans) -> Iterator[Found]:
        for pattern in design.patterns:
            if (
                pattern.rate is None
                and pattern.status != "declined"
                and not isinstance(pattern, Elsewhere)
            ):
                yield Found(
                    at_pattern(pattern.number),
                    say("pattern-without-rate", pattern=pattern.number, name=pattern.name),
                    say("state-rate"),
                )
