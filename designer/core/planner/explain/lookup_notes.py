"""Why writes find their item through an index, or do not."""

from collections.abc import Iterator

from designer.core.messages import say
from designer.core.plan import Decision, Rejected
from designer.core.planner.model.score import money
from designer.core.planner.operations.context import Context


def lookup_decisions(context: Context) -> Iterator[Decision]:
    """For each entity that could be found through an index, how it is, with both prices."""
    for one in context.search.requirements.lookups:
        ways = (say("found-through-index"), say("found-by-key"))
        chosen, other = ways if one.is_taken else ways[::-1]
        usd, instead = (one.with_it, one.without)[:: 1 if one.is_taken else -1]
        yield Decision(
            about=f"look-up {one.name}",
            chosen=chosen,
            serves=one.patterns,
            reasons=(say("write-finds-item", entity=one.name),),
            per_month=money(usd),
            instead_of=(
                Rejected(
                    chosen=other,
                    reasons=(say("costs-more-anyhow" if instead > usd else "has-no-advantage"),),
                    per_month=money(instead),
                ),
            ),
        )
