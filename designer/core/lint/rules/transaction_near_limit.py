"""Transactions whose items come near 4 MB together."""

from collections.abc import Iterator

from designer.core.design.document import Design
from designer.core.dynamodb.limits import TRANSACTION_BYTES
from designer.core.lint.base import Found, Plans, Rule, at_pattern, changes, steps
from designer.core.messages import say
from designer.core.plan import Member, Plan
from designer.core.words.figures import binary_size as size
from designer.core.words.figures import share

NEAR = 0.5
"""Averages above this share of the limit: many items are twice their average."""


class TransactionNearLimit(Rule):
    id = "L103"
    severity = "warning"
    title = "Transaction near 4 MB"
    about = "pattern"
    what = (
        f"At their average sizes, the items that a transaction may write add up to {share(NEAR)} or more of the limit "
        f"of {size(TRANSACTION_BYTES)}. Copies and guards count, too."
    )
    why = "A transaction can contain at most 100 items and 4 MB. DynamoDB rejects a larger transaction as a whole."
    source = (
        "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis.html"
    )
    cure = (
        "If the transaction writes fewer items than assumed, state their maximum number. Store large values in "
        "Amazon S3 and their object keys in the item. Or write the items in several transactions that can each be "
        "repeated safely."
    )

    def check(self, design: Design, plans: Plans) -> Iterator[Found]:
        most: dict[int, float] = {}
        for plan, number, step in steps(plans):
            if step.call == "TransactWriteItems":
                written = _bytes_written(design, plan, number, step.members)
                most[number] = max(written, most.get(number, 0.0))
        for number, written in most.items():
            if written >= TRANSACTION_BYTES * NEAR:
                yield Found(
                    at_pattern(number),
                    say(
                        "transaction-near-limit",
                        pattern=number,
                        bytes=written,
                        most=TRANSACTION_BYTES,
                    ),
                    say("write-less-in-transaction"),
                )


def _bytes_written(design: Design, plan: Plan, number: int, members: tuple[Member, ...]) -> float:
    """Bytes of all items that a transaction may write, at their average sizes."""
    sizes = {
        (table.name, shape.shape): shape.bytes for table in plan.tables for shape in table.items
    }
    most = {
        change.each or change.entity: change.times.most
        for pattern, change in changes(design)
        if pattern.number == number and change.times is not None
    }
    return sum(
        sizes[member.table, member.shape]
        * (most.get(member.for_each.values or "", 1) if member.for_each is not None else 1)
        for member in members
    )
