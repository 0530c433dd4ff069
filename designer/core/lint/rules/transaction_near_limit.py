"""Transactions whose items come near 4 MB together."""

from collections.abc import Iterator
from typing import NamedTuple

from designer.core.capacity.sizes import attribute_bytes, largest_value_bytes
from designer.core.design.document import Design
from designer.core.dynamodb.limits import TRANSACTION_BYTES
from designer.core.lint.base import Found, Plans, Rule, at_pattern, changes, steps
from designer.core.messages import say
from designer.core.plan import Member, Plan, Shape, Step
from designer.core.words.figures import binary_size as size
from designer.core.words.figures import share

NEAR = 0.5
"""Averages above this share of the limit: many items are twice their average."""


class _Size(NamedTuple):
    """Bytes of all items of a transaction, as many as there may be."""

    usual: float
    """At their average sizes."""
    largest: float
    """Each at its largest, as far as that is stated."""
    reads: bool


class TransactionNearLimit(Rule):
    id = "L103"
    severity = "warning"
    title = "Large transaction"
    about = "pattern"
    what = (
        f"At their average sizes, the items that a transaction may read or write add up to {share(NEAR)} or more of "
        f"the limit of {size(TRANSACTION_BYTES)}. Or their total is above the limit at their largest sizes, with "
        "every attribute at its stated maximum. Copies and guards count, too."
    )
    why = "A transaction can contain at most 100 items and 4 MB. DynamoDB rejects a larger transaction as a whole."
    source = (
        "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis.html"
    )
    cure = (
        "If the transaction writes fewer items than assumed, state their maximum number. Store large values in "
        "Amazon S3 and their object keys in the item. Or write the items in several transactions that can each be "
        "repeated safely. If the transaction reads, give fewer identifiers at a time."
    )

    def check(self, design: Design, plans: Plans) -> Iterator[Found]:
        sizes: dict[int, list[_Size]] = {}
        for plan, number, step in steps(plans):
            if step.call in ("TransactWriteItems", "TransactGetItems"):
                sizes.setdefault(number, []).append(_size(design, plan, number, step))
        for number, found in sizes.items():
            usual, largest = max(one.usual for one in found), max(one.largest for one in found)
            is_near = usual >= TRANSACTION_BYTES * NEAR
            if not is_near and largest <= TRANSACTION_BYTES:
                continue
            reads = any(one.reads for one in found)
            yield Found(
                at_pattern(number),
                say(
                    "transaction-near-limit" if is_near else "transaction-too-large-at-most",
                    pattern=number,
                    bytes=usual if is_near else largest,
                    most=TRANSACTION_BYTES,
                ),
                say("get-less-in-transaction" if reads else "write-less-in-transaction"),
            )


def _size(design: Design, plan: Plan, number: int, step: Step) -> _Size:
    shapes = {(table.name, shape.shape): shape for table in plan.tables for shape in table.items}
    if step.call == "TransactGetItems":
        expects = step.expects.worst or step.expects
        items = [(shapes[step.table, step.shapes[0]], expects.read)]
    else:
        most = _most_rows(design, number)
        items = [
            (shapes[member.table, member.shape], _times(member, most)) for member in step.members
        ]
    return _Size(
        sum(times * shape.bytes for shape, times in items),
        sum(times * _largest_bytes(design, shape) for shape, times in items),
        step.call == "TransactGetItems",
    )


def _most_rows(design: Design, number: int) -> dict[str, int]:
    """How many rows a transaction has at the most, for each name of rows."""
    return {
        change.each or change.entity: change.times.most
        for pattern, change in changes(design)
        if pattern.number == number and change.times is not None
    }


def _times(member: Member, most: dict[str, int]) -> int:
    return 1 if member.for_each is None else most.get(member.for_each.values or "", 1)


def _largest_bytes(design: Design, shape: Shape) -> float:
    """Bytes of an item with all attributes, each at its largest; the plan's own at their average sizes."""
    stated = design.entity[shape.entity].by_name if shape.entity in design.entity else {}
    own = (stated[name] for name in shape.attributes if name in stated)
    return shape.bytes + sum(
        len(one.name.encode()) + largest_value_bytes(one) - attribute_bytes(one) for one in own
    )
