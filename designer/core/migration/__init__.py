"""From one deployed plan to another: the ordered steps, what each deploys, what it costs and what it puts at risk.

The earlier plan answers every pattern until reads are switched, and could answer them again until writes are: what is
new is made beside what is there, filled, and only then relied upon.
"""

from designer.core.migration.base import (
    Backfill,
    Caution,
    Change,
    Deployed,
    Estimate,
    Migration,
    Phase,
    Placed,
    ShapeChange,
    Stage,
    Step,
    TableChange,
)
from designer.core.migration.naming import naming_pins, with_names_in_use
from designer.core.migration.ordering import migrate
from designer.core.migration.settling import settle

__all__ = [
    "Backfill",
    "Caution",
    "Change",
    "Deployed",
    "Estimate",
    "Migration",
    "Phase",
    "Placed",
    "ShapeChange",
    "Stage",
    "Step",
    "TableChange",
    "migrate",
    "naming_pins",
    "settle",
    "with_names_in_use",
]
