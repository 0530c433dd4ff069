"""Several writes that happen together or not at all."""

from typing import Annotated, Literal

from pydantic import Field

from designer.core.patterns.base import Member, Write


class Transaction(Write):
    """Write all of `members`, or none. Parameters with the same name are one parameter."""

    label = "Transaction"
    kind: Literal["transaction"] = "transaction"
    is_transaction = True
    unordered = ("members",)
    members: Annotated[tuple[Member, ...], Field(min_length=1, max_length=100)]

    @property
    def changes(self) -> tuple[Member, ...]:
        return self.members
