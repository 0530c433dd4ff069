"""An index that no operation reads."""

from collections.abc import Iterator

from designer.core.design.document import Design
from designer.core.lint.base import Found, Plans, Rule, steps


class IndexServesNothing(Rule):
    id = "I102"
    severity = "warning"
    title = "Index that serves nothing"
    why = "An index is paid for with every write of its items and with its storage. This one answers no pattern."
    source = (
        "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-indexes-general.html"
    )

    def check(self, design: Design, plans: Plans) -> Iterator[Found]:
        read = {(plan.style, step.table, step.index) for plan, _, step in steps(plans)}
        for plan in plans.values():
            for table in plan.tables:
                for index in table.indexes:
                    if (plan.style, table.name, index.name) not in read:
                        yield Found(
                            "planner.pins",
                            f"No access pattern reads the index {index.name} of {table.name}.",
                            "Remove the pin that asks for it, or add the pattern it is for.",
                        )
