"""Where people are signed in."""

from django.conf import settings
from django.contrib.sessions.models import Session
from django.db import models
from django.utils import timezone


class SignedIn(models.Model):
    """A browser in which somebody is signed in; it goes with its session. `projects.sessions` keeps it."""

    session = models.OneToOneField(Session, on_delete=models.CASCADE, related_name="signed_in")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="signed_in"
    )
    browser = models.CharField(max_length=80)
    """As people call it: "Firefox on Linux"."""
    begun_at = models.DateTimeField(default=timezone.now)
    seen_at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return f"{self.user} in {self.browser}"
