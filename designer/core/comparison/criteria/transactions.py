"""What is written together, of several entities."""

from designer.core.comparison.criteria.base import Answer, Criterion, Sides, listed
from designer.core.design.document import Design
from designer.core.patterns.base import Write
from designer.core.planner.model.wording import sentence


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
        single = [number for number in together if _is_of_one_item(number, sides)]
        several = [number for number in together if number not in single]
        said = []
        if several:
            are = (
                "is a transaction that involves"
                if len(several) == 1
                else "are transactions that involve"
            )
            said.append(
                f"{sentence(listed(several))} {are} several entities. A transaction can span tables, and takes twice "
                "the units in any style."
            )
        if single:
            write = "writes" if len(single) == 1 else "write"
            said.append(
                f"{sentence(listed(single))} {write} several entities, but in each style as one item, so without a "
                "transaction."
            )
        return Answer(" ".join(said))


def _is_of_one_item(number: int, sides: Sides) -> bool:
    """Whether a write of several entities comes to one item in every style, because one entity is in the other."""
    calls = [
        {step.call for step in one.steps}
        for side in sides
        for one in side.plan.operations_for(number)
        if one.steps
    ]
    return bool(calls) and not any("TransactWriteItems" in each for each in calls)
