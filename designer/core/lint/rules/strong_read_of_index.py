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
    number_at,
    steps,
)
from designer.core.lint.filtering import not_served
from designer.core.patterns.base import Read

REMEDY = "Accept an eventually consistent answer, or let a key of the table answer it."


class StrongReadOfIndex(Rule):
    id = "C101"
    severity = "error"
    title = "Strong read from an index"
    about = "pattern"
    what = (
        "An access pattern needs a strong or transactional read, and only a global secondary "
        "index could answer it. The planner then does not serve it, since the answer could be "
        "stale."
    )
    why = "A global secondary index follows its table a moment later and does not support strongly consistent reads."
    source = "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/HowItWorks.ReadConsistency.html"
    cure = (
        "Accept an eventually consistent answer, or query by something that the item's own key "
        "can hold because it never changes."
    )
    offers = {
        "eventual": "Lets the access pattern accept an eventually consistent answer.",
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
                    (
                        f"Pattern {number} needs a {_consistency(design, number)} read, and the index "
                        f"{step.index} of {step.table} answers it."
                    ),
                    REMEDY,
                )
        for number in sorted(strong & not_served(plans)):
            yield Found(
                at_pattern(number),
                (
                    f"Pattern {number} needs a {_consistency(design, number)} read, and no key "
                    "of a table that can be read that way answers it."
                ),
                REMEDY,
            )

    def fixes(self, design: Design, plans: Plans, where: str) -> Iterator[Fix]:
        number = number_at(where)
        yield Fix(
            "eventual",
            "Accept an eventually consistent answer",
            lambda now: eventual(now, number),
        )


def _consistency(design: Design, number: int) -> str:
    pattern = design.pattern(number)
    return pattern.consistency if isinstance(pattern, Read) else ""
