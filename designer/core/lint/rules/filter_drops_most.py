"""A filter that drops most of what is read."""

from collections.abc import Iterator

from designer.core.design.document import Design
from designer.core.dynamodb.limits import MOST_DROPPED, SMALL_COLLECTION_BYTES
from designer.core.lint.base import Fix, Found, Plans, Rule, at_pattern, number_at, reads, steps
from designer.core.lint.filtering import asked_by_key, by_key, not_served, passing, remedies
from designer.core.messages import Message, say
from designer.core.patterns.base import Read
from designer.core.plan import Plan
from designer.core.words.figures import binary_size as size
from designer.core.words.figures import share


class FilterDropsMost(Rule):
    id = "C102"
    severity = "warning"
    title = "Filter drops most items"
    about = "pattern"
    what = (
        f"A Query reads more than {size(SMALL_COLLECTION_BYTES)} and its filter drops more than "
        f"{share(MOST_DROPPED)} of it. What a merge or a limit drops does not count. Or an access pattern is not "
        "served, because its Query would drop that much."
    )
    why = (
        "DynamoDB applies a filter after it has read and billed the items, so a filter saves neither units nor "
        "time."
    )
    source = "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Query.FilterExpression.html"
    cure = "Move the filter conditions to “Found by”, so that a key can serve them."
    offers = {
        "by-key": (
            "Moves the conditions that a key can serve from “Returned only if” to “Found by”. The result stays the "
            "same."
        ),
    }

    def check(self, design: Design, plans: Plans) -> Iterator[Found]:
        for plan, number, step in steps(plans):
            expects = step.expects
            if step.call != "Query" or not step.filter or expects.bytes <= SMALL_COLLECTION_BYTES:
                continue
            dropped = 1 - passing(design, plan, number, step) / expects.read if expects.read else 0
            if dropped > MOST_DROPPED:
                yield Found(
                    at_pattern(number),
                    say(
                        "filter-drops-most",
                        pattern=number,
                        bytes=expects.bytes,
                        place=step.index or step.table,
                        share=dropped,
                    ),
                    _remedy(design, plan, number),
                )
        unserved = not_served(plans)
        pinned = {pin.pattern for pin in design.planner.pins}
        for read in reads(design):
            # Strong reads and pinned ones are not served for reasons of their own.
            is_free = read.consistency == "eventual" and read.number not in pinned
            if read.number in unserved and is_free and by_key(read):
                yield Found(
                    at_pattern(read.number),
                    say(
                        "filter-would-drop-most",
                        pattern=read.number,
                        attributes=tuple(by_key(read)),
                        share=MOST_DROPPED,
                    ),
                    say("move-conditions-to-where"),
                )

    def fixes(self, design: Design, plans: Plans, where: str) -> Iterator[Fix]:
        return asked_by_key(design, number_at(where))


def _remedy(design: Design, plan: Plan, number: int) -> Message:
    """What helps: what stands under `where` already is there in vain, unless the planner knows of a key for it."""
    pattern = design.pattern(number)
    if isinstance(pattern, Read) and by_key(pattern):
        return say("move-conditions-to-where")
    said = (one for _, one in remedies({plan.style: plan}, at_pattern(number)))
    keyed = (one for one in said if one.id in ("pin-index", "ask-for-others"))
    return next(keyed, say("mark-wanted-items"))
