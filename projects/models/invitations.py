"""Invitations into teams."""

from datetime import datetime, timedelta

from django.conf import settings
from django.db import models
from django.utils import timezone

from projects import tokens
from projects.models.rights import Role
from projects.models.teams import Team

INVITATION_LIFE = timedelta(days=14)


def invitation_end() -> datetime:
    return timezone.now() + INVITATION_LIFE


class Invitation(models.Model):
    """A way into a team: a letter to one person, or a link for whoever is given it."""

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="invitations")
    role = models.CharField(
        max_length=20, choices=[each for each in Role.choices if each[0] != Role.OWNER]
    )
    email = models.EmailField(blank=True)
    """Whom the letter goes to, who may use it once; empty for a link."""
    digest = models.CharField(max_length=64, unique=True, default=tokens.digest_of_none)
    """Of its secret; of none until the letter is written."""
    invited_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="+",
    )
    used = models.PositiveIntegerField(default=0)
    """How many joined by it."""
    created_at = models.DateTimeField(default=timezone.now)
    sent_at = models.DateTimeField(null=True, blank=True)
    expires_at = models.DateTimeField(default=invitation_end)
    ended_at = models.DateTimeField(null=True, blank=True)
    """When it was withdrawn, or its letter used."""

    def __str__(self) -> str:
        return f"{self.email or 'a link'} into {self.team}: {self.role}"

    @property
    def is_open(self) -> bool:
        return self.ended_at is None and self.expires_at > timezone.now()
