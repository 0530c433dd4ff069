"""Items that are over, and are still returned."""

from collections.abc import Iterator

from designer.core.design.document import Design
from designer.core.lint.base import Found, Plans, Rule, at_pattern, conditions, reads


class TtlNotChecked(Rule):
    id = "P107"
    severity = "advice"
    title = "Time to live taken for an expiry"
    why = (
        "DynamoDB deletes an item some time after its time to live, typically within a few days. "
        "Until then it is read like any other: a session or an offer that must not be used any more "
        "has to be refused by a condition."
    )
    source = "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/TTL.html"

    def check(self, design: Design, plans: Plans) -> Iterator[Found]:
        for pattern in reads(design):
            asked = {condition.attribute for condition in conditions(pattern)}
            for entity in (design.entity[name] for name in pattern.entities):
                ttl = next((a.name for a in entity.attributes if a.ttl), None)
                if ttl is not None and ttl not in asked:
                    yield Found(
                        at_pattern(pattern.number),
                        f"Pattern {pattern.number} may return {entity.name} items that are past their {ttl}.",
                        f"Where that matters, add `keep: [{{attribute: {ttl}, after: {{param: now}}}}]`.",
                    )
