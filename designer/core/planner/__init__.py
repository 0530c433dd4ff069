"""The planner: from what a team states to tables, keys, indexes and operations.

A room for each pass; `pipeline` has the passes in their order, and `assemble` puts the plan together. Imports go
down only (docs/architecture.md shows the rooms).

- `rewrites` tries other designs that keep the same data, such as a child inside its parent's item.
- `workload` reads the patterns into entity reads, and adds what keeps aggregates and copies right.
- `candidates` lists keys and spreads those that would run hot; it judges nothing.
- `pricing` says what structures cost, and what a read through each takes.
- `solve` chooses, by integer programs.
- `layout` names tables, indexes and key templates; `operations` writes each pattern's requests.
- `explain` says why the plan is so; `what_if` prices other plans.

Listing, pricing and choosing are kept apart, so that the choice can be proven against all that was listed.
"""

from designer.core.planner.model.pins import Candidates
from designer.core.planner.pipeline import VERSION, plan
from designer.core.planner.what_if.alternatives import Alternative, alternatives
from designer.core.planner.what_if.patterns_of_key import AskedOfKey, KeyAsked, patterns_of_key
from designer.core.planner.what_if.why_not import WhyNot, why_not

__all__ = [
    "VERSION",
    "Alternative",
    "AskedOfKey",
    "Candidates",
    "KeyAsked",
    "WhyNot",
    "alternatives",
    "patterns_of_key",
    "plan",
    "why_not",
]
