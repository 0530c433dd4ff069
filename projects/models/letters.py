"""Letters that strangers can ask the site to send."""

from django.db import models
from django.utils import timezone


class Letter(models.Model):
    """That a letter was asked for to an address, so that nobody's mailbox is flooded. `projects.mail` clears it."""

    address = models.CharField(max_length=64, db_index=True)
    """A digest of it."""
    asked_at = models.DateTimeField(default=timezone.now, db_index=True)

    def __str__(self) -> str:
        return f"a letter of {self.asked_at:%-d %B, %H:%M}"
