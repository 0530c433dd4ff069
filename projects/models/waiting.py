"""What waits for somebody until they look at it."""

from django.conf import settings
from django.db import models
from django.utils import timezone

from projects.models.drafts import Draft
from projects.models.reviews import Review, Thread


class Waiting(models.Model):
    """A review or a thread in which something new concerns one person. It goes when they see the page of it."""

    class Why(models.TextChoices):
        """Why it concerns them: the end of a sentence that begins with "because"."""

        CALLED = "called", "you were mentioned"
        ASKED = "asked", "you may review this design"
        MINE = "mine", "you asked for this review"
        REPLIED = "replied", "you wrote in this thread"
        LINK = "link", "a reader of your link commented"

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="waiting"
    )
    draft = models.ForeignKey(Draft, on_delete=models.CASCADE, related_name="+")
    review = models.ForeignKey(
        Review, null=True, blank=True, on_delete=models.CASCADE, related_name="+"
    )
    thread = models.ForeignKey(
        Thread, null=True, blank=True, on_delete=models.CASCADE, related_name="+"
    )
    """One of the two; the newest that happened there stands for what happened before it."""
    why = models.CharField(max_length=20, choices=Why.choices)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="+",
    )
    """Nobody when a guest wrote it, or its author deleted their account."""
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["user", "review"], name="one_waiting_a_review"),
            models.UniqueConstraint(fields=["user", "thread"], name="one_waiting_a_thread"),
        ]

    def __str__(self) -> str:
        return f"For {self.user}: {self.why}"
