"""What people own: designs and their revisions."""

import secrets
from datetime import datetime, timedelta

from django.conf import settings
from django.db import models
from django.utils import timezone

SANDBOX_LIFE = timedelta(hours=24)
_LETTERS = "23456789abcdefghjkmnpqrstuvwxyz"


def new_slug() -> str:
    """An address that nobody guesses; 10 of 31 letters are 49 bits."""
    return "".join(secrets.choice(_LETTERS) for _ in range(10))


def sandbox_end() -> datetime:
    return timezone.now() + SANDBOX_LIFE


class Project(models.Model):
    """A design that somebody owns, or a visitor's sandbox, which ends.

    A project that was never saved stands for a design of the gallery, as everyone sees it.
    """

    slug = models.CharField(max_length=40, unique=True, default=new_slug)
    name = models.CharField(max_length=200)
    template = models.CharField(max_length=80, blank=True)
    """The design of the gallery that it is a copy of."""
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.CASCADE,
        related_name="projects",
    )
    sandbox_key = models.CharField(max_length=64, blank=True, db_index=True)
    """What the session of a sandbox's visitor knows; empty once somebody owns it."""
    expires_at = models.DateTimeField(null=True, blank=True, db_index=True)
    position = models.PositiveIntegerField(default=0)
    """Number of the revision shown: the newest one, or an older one after an undo."""
    redo = models.JSONField(default=list, blank=True)
    """Numbers of the revisions that undo went back from, the next one to redo last."""
    version = models.PositiveIntegerField(default=0)
    """Counts every change, undo and redo: what other windows ask for."""
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    def __str__(self) -> str:
        return self.name

    @property
    def is_saved(self) -> bool:
        return self.pk is not None

    @property
    def is_sandbox(self) -> bool:
        return self.is_saved and self.owner_id is None


class Revision(models.Model):
    """A design as it was after one edit. Never changed."""

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="revisions")
    number = models.PositiveIntegerField()
    parent = models.PositiveIntegerField(null=True)
    """Number of the revision that was edited."""
    document = models.JSONField()
    meaning = models.CharField(max_length=80)
    digest = models.CharField(max_length=80, blank=True)
    """`projects.work.digest` of the document; empty in old ones."""
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
            models.UniqueConstraint(fields=["project", "number"], name="one_revision_a_number")
        ]
        ordering = ["project", "number"]

    def __str__(self) -> str:
        return f"r{self.number}: {self.note}"


class WorkedOut(models.Model):
    """What took long to work out from a design. `projects.work` writes and clears it."""

    key = models.CharField(max_length=120, primary_key=True)
    begun_at = models.DateTimeField(default=timezone.now, db_index=True)
    result = models.BinaryField(null=True)
    """As compressed text; nothing while it is being worked out."""

    def __str__(self) -> str:
        return self.key


class Proof(models.Model):
    """A proof of a design's plan in one style, from the moment it was asked for. `projects.proofs` writes it.

    It proves what its design meant to the planner of its version, whatever becomes of the design.
    """

    class Standing(models.TextChoices):
        WAITING = "waiting"
        RUNNING = "running"
        ENDED = "ended"
        CUT_OFF = "cut off"

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="proofs")
    style = models.CharField(max_length=20)
    revision = models.PositiveIntegerField()
    """Number of the revision that was proven."""
    meaning = models.CharField(max_length=80)
    planner = models.CharField(max_length=40)
    standing = models.CharField(
        max_length=20, choices=Standing.choices, default=Standing.WAITING, db_index=True
    )
    asked_at = models.DateTimeField(default=timezone.now)
    beat_at = models.DateTimeField(default=timezone.now)
    """When its worker was last known to be at it."""
    engine = models.CharField(max_length=200, blank=True)
    passed = models.BooleanField(default=False)
    problem = models.TextField(blank=True)
    """Why it could not begin, or not go on."""

    class Meta:
        indexes = [models.Index(fields=["project", "style", "-id"], name="newest_proof")]

    def __str__(self) -> str:
        return f"{self.style} style of r{self.revision}: {self.standing}"


class ProvenPattern(models.Model):
    """What came of one access pattern in a proof."""

    proof = models.ForeignKey(Proof, on_delete=models.CASCADE, related_name="patterns")
    number = models.PositiveIntegerField()
    verdict = models.JSONField()
    """A `PatternVerdict` of `designer.proof`, without its examples."""
    examples = models.JSONField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["proof", "number"], name="one_verdict_a_pattern")
        ]
        ordering = ["number"]

    def __str__(self) -> str:
        return f"pattern {self.number}"
