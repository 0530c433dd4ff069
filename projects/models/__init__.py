"""The tables: who works together, their designs, and what was said of these and worked out from them."""

from projects.models.drafts import Draft, FormerId, Revision, RevisionName, sandbox_end
from projects.models.events import ProjectEvent, ReviewMove, ThreadEvent
from projects.models.identities import Identity
from projects.models.invitations import Invitation
from projects.models.letters import Letter
from projects.models.links import ApiToken, GuestThread, Section, ShareLink
from projects.models.presence import Presence
from projects.models.results import PlannedNames, Proof, ProvenPattern, WorkedOut
from projects.models.reviews import (
    Comment,
    FeedKey,
    Likeness,
    Notices,
    Review,
    ReviewRules,
    Thread,
    Verdict,
)
from projects.models.rights import Right, Role
from projects.models.sessions import SignedIn
from projects.models.slugs import new_slug
from projects.models.teams import Membership, Project, Team
from projects.models.throttled import Throttled
from projects.models.waiting import Waiting
from projects.models.workers import Worker

__all__ = [
    "ApiToken",
    "Comment",
    "Draft",
    "FeedKey",
    "FormerId",
    "GuestThread",
    "Identity",
    "Invitation",
    "Letter",
    "Likeness",
    "Membership",
    "Notices",
    "PlannedNames",
    "Presence",
    "Project",
    "ProjectEvent",
    "Proof",
    "ProvenPattern",
    "Review",
    "ReviewMove",
    "ReviewRules",
    "Revision",
    "RevisionName",
    "Right",
    "Role",
    "Section",
    "ShareLink",
    "SignedIn",
    "Team",
    "Thread",
    "ThreadEvent",
    "Throttled",
    "Verdict",
    "Waiting",
    "WorkedOut",
    "Worker",
    "new_slug",
    "sandbox_end",
]
