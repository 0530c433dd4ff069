"""Figures in access patterns: how often they run, how many items they concern, what they compute and add."""

from typing import Annotated

from pydantic import Field, model_validator

from designer.core.dynamodb.limits import SELDOM
from designer.core.errors import MisfitError
from designer.core.messages import say
from designer.core.patterns.document import Document, Name


class Rate(Document):
    """Runs a second: the average determines the bill, and the peak determines the heat."""

    average: Annotated[float, Field(ge=0, le=1e9)]
    peak: Annotated[float, Field(ge=0, le=1e9)] | None = None

    @model_validator(mode="after")
    def _peak_not_below(self) -> "Rate":
        if self.peak is not None and self.peak < self.average:
            raise MisfitError(say("peak-below-average"))
        return self

    @property
    def is_of_a_job(self) -> bool:
        """Whether something runs so seldom, at its peak too, that nobody waits for it."""
        return 0 < (self.peak or self.average) <= SELDOM


class Times(Document):
    """A number of items that one run writes, or of elements of a list or set."""

    average: Annotated[float, Field(gt=0, le=100_000)]
    most: Annotated[int, Field(ge=1, le=100_000)]


class Aggregate(Document):
    """Return one aggregate instead of the items: `{sum: total}`, `{greatest: bid}` or `{least: price}`."""

    sum: str | None = None
    greatest: str | None = None
    least: str | None = None

    @model_validator(mode="after")
    def _one_of(self) -> "Aggregate":
        if sum(part is not None for part in (self.sum, self.greatest, self.least)) != 1:
            raise MisfitError(say("one-figure"))
        return self

    @property
    def of(self) -> str:
        """The attribute that it is worked out from."""
        return self.sum or self.greatest or self.least or ""


class Amount(Document):
    """The amount to add to a number: `{param: n}`, `{minus: n}` (parameters) or `{value: 1}`."""

    param: Name | None = None
    minus: Name | None = None
    value: int | float | None = None

    @model_validator(mode="after")
    def _one_of(self) -> "Amount":
        if sum(part is not None for part in (self.param, self.minus, self.value)) != 1:
            raise MisfitError(say("param-minus-or-value"))
        return self
