"""What is written together, of several entities."""

from designer.core.comparison.criteria.base import Answer, Criterion, Sides, listed
from designer.core.design.document import Design
from designer.core.patterns.base import Write


class Transactions(Criterion):
    """DynamoDB's transactions reach over tables, so this is no matter of the style.

    Source: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis.html
    """

    slug = "transactions"
    title = "Written together"
    rank = 130

    def answer(self, design: Design, sides: Sides) -> Answer:
        together = [
            pattern.number
            for pattern in design.patterns
            if isinstance(pattern, Write) and len({one.entity for one in pattern.changes}) > 1
        ]
        if not together:
            return Answer("No transaction involves several entities.")
        says = f"{listed(together)[:1].upper()}{listed(together)[1:]}"
        are = (
            "is a transaction that involves"
            if len(together) == 1
            else "are transactions that involve"
        )
        return Answer(
            f"{says} {are} several entities. A transaction can span tables, and takes twice the units in any style."
        )
