"""What somebody did of which nothing else keeps who and when. It is never changed, and told in a project's activity.
`projects.events` says how many of a project are kept.
"""

from django.conf import settings
from django.db import models
from django.utils import timezone

from projects.models.drafts import Draft, Revision
from projects.models.reviews import Review, Thread
from projects.models.teams import Project


class Event(models.Model):
    """What all of them have in common: who and when."""

    author = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="+",
    )
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        abstract = True


class ThreadEvent(Event):
    """A thread was resolved, or opened again."""

    class Kind(models.TextChoices):
        RESOLVED = "resolved", "resolved"
        REOPENED = "reopened", "reopened"

    thread = models.ForeignKey(Thread, on_delete=models.CASCADE, related_name="events")
    kind = models.CharField(max_length=20, choices=Kind.choices)

    def __str__(self) -> str:
        return f"{self.thread} {self.kind}"


class ReviewMove(Event):
    """An open review was made to be of another revision."""

    review = models.ForeignKey(Review, on_delete=models.CASCADE, related_name="moves")
    head = models.ForeignKey(Revision, on_delete=models.CASCADE, related_name="+")
    """What it was of from then on."""

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.review} moved to r{self.head.number}"


class ProjectEvent(Event):
    """A project was archived or restored, a design was moved into it or out of it, or a link or a token was made, or
    opens nothing more.
    """

    class Kind(models.TextChoices):
        ARCHIVED = "archived", "archived"
        RESTORED = "restored", "restored"
        MOVED_IN = "moved in", "moved in"
        MOVED_OUT = "moved out", "moved out"
        LINK_MADE = "link made", "link made"
        LINK_RENEWED = "link renewed", "link renewed"
        LINK_REVOKED = "link revoked", "link revoked"
        TOKEN_MADE = "token made", "token made"
        TOKEN_REVOKED = "token revoked", "token revoked"

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="events")
    kind = models.CharField(max_length=20, choices=Kind.choices)
    draft = models.ForeignKey(
        Draft, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    """What was moved or opened; nothing when it was removed since."""
    name = models.CharField(max_length=200, blank=True)
    """What that was called then."""
    other = models.CharField(max_length=200, blank=True)
    """What the project at the other end was called then, nothing where that is another team's; or the link or token."""

    def __str__(self) -> str:
        return f"{self.project} {self.kind}"
