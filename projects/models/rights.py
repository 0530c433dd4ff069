"""What somebody may do, and what they are in a team."""

from enum import Enum, auto

from django.db import models


class Right(Enum):
    """What somebody may do with the designs of a team."""

    READ = auto()
    COMMENT = auto()
    """And ask for reviews, approve, and request changes."""
    EDIT = auto()
    """And begin, move and remove designs, and begin projects."""
    MANAGE = auto()
    """Invite and remove people, change their roles, rename, archive and remove projects."""


class Role(models.TextChoices):
    """What somebody is in a team; each may what those before it may."""

    VIEWER = "viewer", "Viewer"
    REVIEWER = "reviewer", "Reviewer"
    EDITOR = "editor", "Editor"
    OWNER = "owner", "Owner"

    @property
    def rights(self) -> frozenset[Right]:
        return frozenset(list(Right)[: list(Role).index(self) + 1])


class Guarded:
    """Something that visitors may do more or less with."""

    rights: frozenset[Right] = frozenset()
    """What the visitor who opened it may do; `projects.access` says it, and nothing is saved of it."""

    @property
    def role(self) -> Role | None:
        """The role that has these rights; none of what is archived."""
        return next((role for role in Role if role.rights == self.rights), None)

    @property
    def may_comment(self) -> bool:
        return Right.COMMENT in self.rights

    @property
    def may_edit(self) -> bool:
        return Right.EDIT in self.rights

    @property
    def may_manage(self) -> bool:
        return Right.MANAGE in self.rights
