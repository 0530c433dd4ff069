"""A table with many indexes."""

from collections.abc import Iterator

from designer.core.design.document import Design
from designer.core.figures import share
from designer.core.limits import GSIS
from designer.core.lint.base import Found, Plans, Rule

NEAR = 0.75
"""Share of the quota from which there is little room for the next pattern."""


class IndexQuotaNear(Rule):
    id = "I101"
    severity = "warning"
    title = "Number of indexes near the quota"
    about = "settings"
    what = (
        f"A table has {share(NEAR)} or more of the {GSIS} global secondary indexes that it can"
        " have."
    )
    why = (
        f"A table has at most {GSIS} global secondary indexes unless the quota is raised, and each write pays "
        "for every index it enters."
    )
    source = "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ServiceQuotas.html"
    cure = (
        "See which access patterns could share an index, set the objective to `indexes`, or let another service "
        "answer some access patterns."
    )

    def check(self, design: Design, plans: Plans) -> Iterator[Found]:
        for plan in plans.values():
            for table in plan.tables:
                count = sum(index.kind == "global" for index in table.indexes)
                if GSIS * NEAR <= count <= GSIS:
                    yield Found(
                        "planner.max_gsis",
                        f"Table {table.name} has {count} of at most {GSIS} global secondary indexes.",
                        "See which access patterns could share an index, or be served by another service.",
                    )
