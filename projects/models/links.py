"""What opens a design without an account: links for readers, and tokens for programs. Of their secrets only the hash is
kept."""

from datetime import datetime

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from projects.models.drafts import Draft, Revision
from projects.models.reviews import Thread
from projects.models.teams import Project


class Section(models.TextChoices):
    """A part of a design that a link can show."""

    TABLES = "tables", "Access patterns, tables and requests"
    FINDINGS = "findings", "Findings"
    COMPARISON = "comparison", "Comparison of the styles"
    DOCUMENTS = "documents", "PDF and Markdown documents"
    TEMPLATES = "templates", "Templates to deploy"


class Opening(models.Model):
    """What a link and a token have in common: until when they open something, and when they did."""

    digest = models.CharField(max_length=64, unique=True)
    """`projects.tokens.digest` of the secret."""
    name = models.CharField(max_length=100, blank=True)
    """What the team calls it; readers never see it."""
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="+",
    )
    made_at = models.DateTimeField(default=timezone.now)
    expires_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)
    used = models.PositiveIntegerField(default=0)
    """How often it opened something."""
    used_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        abstract = True

    @property
    def state(self) -> str:
        """ "live", "expired" or "revoked"."""
        if self.revoked_at is not None:
            return "revoked"
        over = self.expires_at is not None and self.expires_at <= timezone.now()
        return "expired" if over else "live"

    @property
    def is_live(self) -> bool:
        return self.state == "live"

    def revoke(self) -> None:
        """It opens nothing from now on."""
        self.revoked_at = timezone.now()
        self.save(update_fields=["revoked_at"])


class ShareLink(Opening):
    """An address at which whoever has it reads a design."""

    draft = models.ForeignKey(Draft, on_delete=models.CASCADE, related_name="links")
    revision = models.ForeignKey(
        Revision, null=True, blank=True, on_delete=models.CASCADE, related_name="+"
    )
    """The one that it shows; nothing where it shows the design as it is."""
    sections = models.JSONField(default=list, blank=True)
    """Of `Section`, what it shows; the whole design when none is named."""
    password = models.CharField(max_length=128, blank=True)
    """As Django keeps passwords; empty where none is asked for."""
    may_comment = models.BooleanField(default=False)
    """Whether its readers may say something, by the names that they give."""
    wrong = models.PositiveIntegerField(default=0)
    """Wrong passwords since `wrong_at`."""
    wrong_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return self.name or f"Link of {self.made_at:%d %B %Y}"

    def shows(self, section: str) -> bool:
        return not self.sections or section in self.sections

    @property
    def section_labels(self) -> list[str]:
        return [section.label for section in Section if section in self.sections]

    @property
    def shown_on(self) -> Draft:
        """The design on whose page it can be revoked."""
        return self.draft


class GuestThread(models.Model):
    """A thread that a link's reader began: readers of the same link see it, and no other."""

    link = models.ForeignKey(ShareLink, on_delete=models.CASCADE, related_name="threads")
    thread = models.OneToOneField(Thread, on_delete=models.CASCADE, related_name="guests")

    def __str__(self) -> str:
        return f"{self.thread} by {self.link}"


class ApiToken(Opening):
    """What a program reads designs with: one design, or all of a project."""

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="tokens")
    draft = models.ForeignKey(
        Draft, null=True, blank=True, on_delete=models.CASCADE, related_name="tokens"
    )
    """The one that it opens; nothing where it opens every design of the project."""

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return self.name or f"Token of {self.made_at:%d %B %Y}"

    @property
    def shown_on(self) -> Draft | None:
        """A design on whose page it can be revoked; none where its project has none."""
        return self.draft or self.project.drafts.first()


def is_live(now: datetime) -> Q:
    """The openings that open something at a time."""
    return Q(revoked_at=None) & (Q(expires_at=None) | Q(expires_at__gt=now))
