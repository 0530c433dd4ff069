"""A strongly consistent pattern that an index answers."""

from collections.abc import Iterator

from designer.core.design.document import Design
from designer.core.lint.base import (
    Fix,
    Found,
    Plans,
    Rule,
    at_pattern,
    eventual,
    named,
    number_at,
    steps,
)
from designer.core.lint.filtering import not_served
from designer.core.messages import say
from designer.core.patterns.base import Read


class StrongReadOfIndex(Rule):
    id = "C101"
    severity = "error"
    title = "Strongly consistent read from an index"
    about = "pattern"
    what = (
        "An access pattern needs a strongly consistent or transactional read, but only a global secondary index "
        "could serve it. The planner does not serve the access pattern, because the result could be outdated."
    )
    why = (
        "DynamoDB updates a global secondary index a moment after its table, and does not support strongly "
        "consistent reads from it."
    )
    source = "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/HowItWorks.ReadConsistency.html"
    cure = (
        "Accept eventually consistent results, or query by an attribute that never changes, so that the item's "
        "own key can contain it."
    )
    offers = {
        "eventual": "Lets the access pattern accept eventually consistent results.",
    }

    def check(self, design: Design, plans: Plans) -> Iterator[Found]:
        strong = {
            p.number for p in design.patterns if isinstance(p, Read) and p.consistency != "eventual"
        }
        for plan, number, step in steps(plans):
            if step.index is None or number not in strong:
                continue
            kinds = {index.name: index.kind for index in plan.table(step.table).indexes}
            if kinds.get(step.index) == "global":
                yield Found(
                    at_pattern(number),
                    say(
                        "strong-read-of-index",
                        pattern=number,
                        consistency=_consistency(design, number),
                        index=named(step.table, step.index),
                    ),
                    say("accept-eventual-or-table-key"),
                )
        for number in sorted(strong & not_served(plans)):
            yield Found(
                at_pattern(number),
                say(
                    "strong-read-without-key",
                    pattern=number,
                    consistency=_consistency(design, number),
                ),
                say("accept-eventual-or-table-key"),
            )

    def fixes(self, design: Design, plans: Plans, where: str) -> Iterator[Fix]:
        number = number_at(where)
        yield Fix(
            "eventual",
            "Accept eventually consistent results",
            lambda now: eventual(now, number),
        )


def _consistency(design: Design, number: int) -> str:
    pattern = design.pattern(number)
    consistency = pattern.consistency if isinstance(pattern, Read) else ""
    return "strongly consistent" if consistency == "strong" else consistency
