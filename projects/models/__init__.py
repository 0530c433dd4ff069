"""The tables: who works together, their designs, and what was worked out from these."""

from projects.models.drafts import Draft, Revision, sandbox_end
from projects.models.results import Proof, ProvenPattern, WorkedOut
from projects.models.slugs import new_slug
from projects.models.teams import Membership, Project, Right, Role, Team

__all__ = [
    "Draft",
    "Membership",
    "Project",
    "Proof",
    "ProvenPattern",
    "Revision",
    "Right",
    "Role",
    "Team",
    "WorkedOut",
    "new_slug",
    "sandbox_end",
]
