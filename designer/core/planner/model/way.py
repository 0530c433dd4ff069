"""How else a read of several ranges or lists can be read."""

from dataclasses import dataclass

from designer.core.patterns.base import Condition
from designer.core.patterns.document import Scalar
from designer.core.plan import Expression
from designer.core.planner.model.cardinality import Uneven
from designer.core.planner.model.listing import OtherList


@dataclass(frozen=True)
class Way:
    """How else a read of several ranges or lists can be read: what of it differs when a key serves other ones."""

    equals: dict[str, Expression]
    starts: dict[str, tuple[str, ...]]
    list_of: str | None
    always: tuple[Scalar, ...]
    unlike: tuple[float, ...]
    list_length: float
    other_lists: tuple[OtherList, ...]
    range: Condition | None
    range_share: float
    exists: tuple[str, ...]
    filters: tuple[Condition, ...]
    said: dict[str, float]
    matched: float
    uneven: tuple[Uneven, ...]
    kept: float
    tested: frozenset[str]
