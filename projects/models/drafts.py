"""Designs as people work on them, and their revisions."""

from datetime import datetime, timedelta

from django.conf import settings
from django.db import models
from django.db.models.functions import Lower
from django.utils import timezone

from designer.core.report.standing import Status
from projects.models.rights import Guarded
from projects.models.slugs import new_slug
from projects.models.teams import Project

SANDBOX_LIFE = timedelta(hours=24)


def sandbox_end() -> datetime:
    return timezone.now() + SANDBOX_LIFE


class Draft(Guarded, models.Model):
    """A design with its revisions: one of a project, or a visitor's sandbox, which ends.

    A draft that was never saved stands for a design of the gallery, as everyone sees it.
    """

    slug = models.CharField(max_length=40, unique=True, default=new_slug)
    name = models.CharField(max_length=200)
    template = models.CharField(max_length=80, blank=True)
    """The design of the gallery that it is a copy of."""
    project = models.ForeignKey(
        Project, null=True, blank=True, on_delete=models.CASCADE, related_name="drafts"
    )
    """Where it belongs; nowhere while it is a sandbox."""
    sandbox_key = models.CharField(max_length=64, blank=True, db_index=True)
    """What the session of a sandbox's visitor knows; empty once it belongs to a project."""
    expires_at = models.DateTimeField(null=True, blank=True, db_index=True)
    position = models.PositiveIntegerField(default=0)
    """Number of the newest revision, which is the one shown."""
    version = models.PositiveIntegerField(default=0)
    """Counts every change: what other windows ask for."""
    talked_at = models.DateTimeField(null=True, blank=True)
    """When something was last said of it, or settled: what other windows ask for too."""
    bytes = models.PositiveBigIntegerField(default=0)
    """What its revisions take."""
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    seen_at: int | None = None
    """The number of the revision as which it is looked at, where that is not the newest; nothing is saved of it."""
    status: Status | None = None
    """How its newest revision stands, where designs are listed; nothing is saved of it."""

    def __str__(self) -> str:
        return self.name

    @property
    def is_saved(self) -> bool:
        return self.pk is not None

    @property
    def is_sandbox(self) -> bool:
        return self.is_saved and self.project_id is None


class Revision(models.Model):
    """A design as it was after one edit. Never changed, but for `is_left` and `is_used`."""

    draft = models.ForeignKey(Draft, on_delete=models.CASCADE, related_name="revisions")
    number = models.PositiveIntegerField()
    parent = models.PositiveIntegerField(null=True)
    """Number of the revision that was edited."""
    undoes = models.PositiveIntegerField(null=True, blank=True)
    """Number of the revision whose change this one takes back."""
    redoes = models.PositiveIntegerField(null=True, blank=True)
    """Number of the undo that this one takes back."""
    is_left = models.BooleanField(default=False)
    """Nothing of it is left to take back, or its author left it at what others made of it: undo and redo go past it."""
    is_used = models.BooleanField(default=False)
    """Somebody took a plan of it along, as a template or a document."""
    document = models.JSONField()
    bytes = models.PositiveIntegerField(default=0)
    """Of the document as text."""
    meaning = models.CharField(max_length=80)
    ordered_meaning = models.CharField(max_length=80)
    """The hash that approvals are bound to: what it means, and the order in which it states that."""
    digest = models.CharField(max_length=80, blank=True)
    """`projects.hashes.digest` of the document; empty in old ones."""
    note = models.CharField(max_length=300)
    """What was done, as a sentence without its full stop: "Add entity Customer"."""
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="+",
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["draft", "number"], name="one_revision_a_number")
        ]
        ordering = ["draft", "number"]

    def __str__(self) -> str:
        return f"r{self.number}: {self.note}"


class FormerId(models.Model):
    """The id of a part that a design had and removed. No new part gets it, as comments and merges know parts by it."""

    draft = models.ForeignKey(Draft, on_delete=models.CASCADE, related_name="+")
    part = models.CharField(max_length=40)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["draft", "part"], name="one_former_id")]

    def __str__(self) -> str:
        return self.part


class RevisionName(models.Model):
    """What people call a revision, and what they say of it. Never changed, and never taken back."""

    draft = models.ForeignKey(Draft, on_delete=models.CASCADE, related_name="names")
    revision = models.OneToOneField(Revision, on_delete=models.CASCADE, related_name="named")
    name = models.CharField(max_length=80)
    message = models.TextField(max_length=2000, blank=True)
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="+",
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.UniqueConstraint("draft", Lower("name"), name="one_revision_a_name")]
        ordering = ["-revision__number"]

    def __str__(self) -> str:
        return self.name
