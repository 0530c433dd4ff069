"""What was worked out from designs, and proven of them."""

from django.db import models
from django.utils import timezone

from projects.models.drafts import Draft


class WorkedOut(models.Model):
    """What takes long to work out from a design, from when it is asked for. `projects.work` writes and clears it."""

    key = models.CharField(max_length=160, primary_key=True)
    name = models.CharField(max_length=40, default="")
    """The kind of work, and the arguments of what is asked."""
    args = models.JSONField(default=list)
    document = models.BinaryField(null=True)
    """The design, as compressed text; nothing once it is done."""
    about = models.CharField(max_length=160, default="")
    """Newer work about the same comes in its place while it waits."""
    share = models.CharField(max_length=60, default="", db_index=True)
    is_member = models.BooleanField(default=False)
    begun_at = models.DateTimeField(default=timezone.now, db_index=True)
    """When it was last asked for."""
    started_at = models.DateTimeField(null=True)
    """When a worker last began it."""
    result = models.BinaryField(null=True)
    """As compressed text; nothing while it is being worked out."""
    problem = models.JSONField(null=True)
    """Why there is none: the arguments of `projects.pieces.FailedError`."""

    def __str__(self) -> str:
        return self.key


class PlannedNames(models.Model):
    """What the plan of a document named, from when somebody saw it. `projects.recording` writes and reads it."""

    key = models.CharField(max_length=90, primary_key=True)
    """The style of the plan, and `projects.hashes.digest` of the document."""
    planner = models.CharField(max_length=40)
    """The version of the planner."""
    names = models.BinaryField()
    """Its `StyleNames`, as compressed text."""
    made_at = models.DateTimeField(default=timezone.now, db_index=True)

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

    draft = models.ForeignKey(Draft, on_delete=models.CASCADE, related_name="proofs")
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
        indexes = [models.Index(fields=["draft", "style", "-id"], name="newest_proof")]

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
