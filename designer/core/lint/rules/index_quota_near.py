"""A table with many indexes."""

from collections.abc import Iterator

from designer.core.design.document import Design
from designer.core.dynamodb.limits import GSIS
from designer.core.lint.base import Found, Plans, Rule
from designer.core.messages import say
from designer.core.words.figures import share

NEAR = 0.75
"""Share of the quota from which there is little room for the next pattern."""


class IndexQuotaNear(Rule):
    id = "I101"
    severity = "warning"
    title = "Index quota nearly reached"
    about = "settings"
    what = f"A table has {share(NEAR)} or more of the {GSIS} global secondary indexes that the quota allows."
    why = (
        f"The quota is {GSIS} global secondary indexes for each table, unless AWS raises it. A write "
        "that changes what an index holds is also charged for that index."
    )
    source = "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ServiceQuotas.html"
    cure = (
        "Let access patterns share an index, choose the objective “fewest indexes”, or move some access patterns to "
        "another service."
    )

    def check(self, design: Design, plans: Plans) -> Iterator[Found]:
        for plan in plans.values():
            for table in plan.tables:
                count = sum(index.kind == "global" for index in table.indexes)
                if GSIS * NEAR <= count <= GSIS:
                    yield Found(
                        "planner.max_gsis",
                        say("index-quota-near", table=table.name, count=count, most=GSIS),
                        say("share-index-or-move"),
                    )
