"""Who is looking at which design now."""

from django.conf import settings
from django.db import models

from projects.models.drafts import Draft


class Presence(models.Model):
    """Somebody at a design of their team, and where in it they were when they last asked for news."""

    draft = models.ForeignKey(Draft, on_delete=models.CASCADE, related_name="presences")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    place = models.CharField(max_length=200, blank=True)
    """What they edit: the name of the page's address and its arguments; empty when they only look."""
    seen_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["draft", "user"], name="one_presence_a_person")
        ]

    def __str__(self) -> str:
        return f"{self.user} at {self.draft}"
