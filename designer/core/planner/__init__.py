"""The planner: from what a team states to tables, keys, indexes and operations.

First `variants` tries other designs that keep the same data, such as a child inside its parent's item, and keeps
those that cost less. Then passes in order, each its own module: `copies` lets children carry what they are asked by of
their parents; `requirements` reads the patterns into demands; `keeping` and `upkeep` add what keeps figures over
children and copies right; `candidates` lists keys, `scale` spreads those that would run hot, and neither judges;
`accesses` and `pricing` price them; `choice` chooses; `layout` names tables, slots and templates; `reads`, `writes` and
`following` write the operations (`changing` says what one change of an item becomes); `planned` puts the document
together with `decisions`. Listing, pricing and choosing are kept apart so that the choice can be proven against
everything that was listed.
"""

from designer.core.planner.alternatives import Alternative, alternatives
from designer.core.planner.pins import Candidates
from designer.core.planner.planning import VERSION, plan
from designer.core.planner.why import AskedOfKey, KeyAsked, WhyNot, questions_of_key, why_not

__all__ = [
    "VERSION",
    "Alternative",
    "AskedOfKey",
    "Candidates",
    "KeyAsked",
    "WhyNot",
    "alternatives",
    "plan",
    "questions_of_key",
    "why_not",
]
