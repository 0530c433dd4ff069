"""Why writes find their item through an index, or do not."""

from collections.abc import Iterator

from designer.core.plan import Decision, Rejected
from designer.core.planner.model.score import money
from designer.core.planner.operations.context import Context


def lookup_decisions(context: Context) -> Iterator[Decision]:
    """For each entity that could be found through an index, how it is, with both prices."""
    for one in context.search.requirements.lookups:
        ways = ("through an index", "by its key or a guard")
        chosen, other = ways if one.is_through_index else ways[::-1]
        usd, instead = (one.through_index, one.otherwise)[:: 1 if one.is_through_index else -1]
        yield Decision(
            about=f"look-up {one.entity}",
            choice=chosen,
            serves=one.patterns,
            because=(
                f"Writes of {one.entity} can find their item through an index. DynamoDB updates an index a moment "
                "after its table, so a write may not find an item that was just created. The key that the index "
                "returns never changes, and each write requires that the item still exists."
            ),
            per_month=money(usd),
            instead_of=(
                Rejected(
                    choice=other,
                    because="costs more" if instead > usd else "has no advantage",
                    per_month=money(instead),
                ),
            ),
        )
