"""What each access pattern must answer, worked out from the entities alone.

This is what a proof compares with, so it shares nothing with what it judges: it imports neither
the planner, nor the plan, nor the key templates. A state is the items of each entity; a value is a
`str`, `Decimal`, `bool`, `bytes`, `list`, `dict` or `set`, and an attribute that is not in an item
is missing.
"""

from designer.core.answers.expected import (
    Along,
    Answer,
    Answered,
    Item,
    Join,
    Parameters,
    Refused,
    Row,
    Rows,
    State,
    Value,
)
from designer.core.answers.facts import Facts, left_out
from designer.core.answers.reads import answer
from designer.core.answers.values import canonical, equal, number, sort_key
from designer.core.answers.writes import apply

__all__ = [
    "Along",
    "Answer",
    "Answered",
    "Facts",
    "Item",
    "Join",
    "Parameters",
    "Refused",
    "Row",
    "Rows",
    "State",
    "Value",
    "answer",
    "apply",
    "canonical",
    "equal",
    "left_out",
    "number",
    "sort_key",
]
