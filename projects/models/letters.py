"""Letters that strangers and members can ask the site to send to anybody."""

from django.conf import settings
from django.db import models
from django.utils import timezone


class Letter(models.Model):
    """That a letter was asked for to an address, so that nobody's mailbox is flooded, and nobody floods many.
    `projects.mail` clears it.
    """

    address = models.CharField(max_length=64, db_index=True)
    """A digest of it."""
    asked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.CASCADE,
        related_name="+",
    )
    """Who invites by it; nobody where strangers can ask for it too."""
    asked_at = models.DateTimeField(default=timezone.now, db_index=True)

    def __str__(self) -> str:
        return f"a letter of {self.asked_at:%-d %B, %H:%M}"
