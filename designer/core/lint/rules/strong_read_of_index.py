"""A strongly consistent pattern that an index answers."""

from collections.abc import Iterator

from designer.core.design.document import Design
from designer.core.lint.base import Found, Plans, Rule, at_pattern, steps
from designer.core.patterns.base import Read


class StrongReadOfIndex(Rule):
    id = "C101"
    severity = "error"
    title = "Strong read asked of an index"
    why = "A global secondary index follows its table a moment later and knows no strongly consistent reads."
    source = "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/HowItWorks.ReadConsistency.html"

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
                        f"Pattern {number} wants a {_consistency(design, number)} read, and the index "
                        f"{step.index} of {step.table} answers it."
                    ),
                    "Accept an eventually consistent answer, or let a key of the table answer it.",
                )


def _consistency(design: Design, number: int) -> str:
    pattern = design.pattern(number)
    return pattern.consistency if isinstance(pattern, Read) else ""
