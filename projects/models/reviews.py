"""What people say of designs: reviews, their verdicts, threads of comments, and the rules of a project."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from designer.core.anchors import LONGEST
from projects.models.drafts import Draft, Revision
from projects.models.teams import Project, Team


class ReviewRules(models.Model):
    """How the designs of a project are approved. A project without them keeps to the defaults."""

    project = models.OneToOneField(Project, on_delete=models.CASCADE, related_name="review_rules")
    approvals = models.PositiveSmallIntegerField(default=1)
    """How many people must approve."""
    own = models.BooleanField(default=False)
    """Whether the authors of what a review is of may approve it."""
    threads_block = models.BooleanField(default=False)
    """Whether a thread that is not resolved stands in the way of approving."""
    tolerance = models.PositiveSmallIntegerField(default=0)
    """Per cent by which each figure may change, the plan staying the same, until an approval does not hold any more."""

    def __str__(self) -> str:
        return f"Rules of {self.project_id}"

    def are_looser(self, others: "ReviewRules") -> bool:
        """Whether these let something pass that the others don't."""
        return (
            self.approvals < others.approvals
            or (self.own and not others.own)
            or (others.threads_block and not self.threads_block)
            or self.tolerance > others.tolerance
        )


class Review(models.Model):
    """A revision of a design that people are asked to judge. A design has one open review at most."""

    draft = models.ForeignKey(Draft, on_delete=models.CASCADE, related_name="reviews")
    number = models.PositiveIntegerField()
    team = models.ForeignKey(
        Team, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    """Whose design it was: what was said holds for that team alone."""
    base = models.ForeignKey(
        Revision, null=True, blank=True, on_delete=models.CASCADE, related_name="+"
    )
    """What it is compared with; nothing for the whole design."""
    head = models.ForeignKey(Revision, on_delete=models.CASCADE, related_name="+")
    """What is judged; it moves on when somebody asks to look at a newer revision."""
    message = models.TextField(blank=True)
    asked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="+",
    )
    asked_at = models.DateTimeField(default=timezone.now)
    closed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="+",
    )
    closed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["draft", "number"], name="one_review_a_number"),
            models.UniqueConstraint(
                fields=["draft"], condition=Q(closed_at=None), name="one_open_review"
            ),
        ]
        ordering = ["-number"]

    def __str__(self) -> str:
        return f"Review {self.number} of {self.draft}"

    @property
    def is_open(self) -> bool:
        return self.closed_at is None


class Verdict(models.Model):
    """What somebody said of the revision that a review was of. It stays bound to what that revision meant."""

    class Kind(models.TextChoices):
        APPROVE = "approve", "Approve"
        CHANGES = "changes", "Request changes"
        COMMENT = "comment", "Comment"

    review = models.ForeignKey(Review, on_delete=models.CASCADE, related_name="verdicts")
    revision = models.ForeignKey(Revision, on_delete=models.CASCADE, related_name="+")
    kind = models.CharField(max_length=20, choices=Kind.choices)
    body = models.TextField(blank=True)
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="+",
    )
    voter = models.PositiveBigIntegerField()
    """The author's id. It stays when they delete their account, so that one person still counts once."""
    completes = models.BooleanField(default=False)
    """With it the revision had all the approvals that the rules asked for then, or since they ask for fewer."""
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.kind} of {self.revision_id}"


class Likeness(models.Model):
    """Two states of a design that differ in figures only, and what that did to its plans."""

    draft = models.ForeignKey(Draft, on_delete=models.CASCADE, related_name="likenesses")
    was = models.CharField(max_length=80)
    """What was judged: `Revision.ordered_meaning`."""
    now = models.CharField(max_length=80)
    change = models.FloatField()
    """The largest change of a figure, as a share of what it was."""
    has_same_plans = models.BooleanField()
    """Whether the keys and operations are the same in every style."""

    class Meta:
        constraints = [models.UniqueConstraint(fields=["draft", "was", "now"], name="one_likeness")]

    def __str__(self) -> str:
        return f"Likeness of {self.was} and {self.now}"


def within_sentence(label: str) -> str:
    """A label after other words: `commented on the design as a whole`. Names keep their first letter."""
    return f"t{label[1:]}" if label.startswith("The ") else label


class Thread(models.Model):
    """Comments on one object of a design, as it was in the revision on which the first was written."""

    draft = models.ForeignKey(Draft, on_delete=models.CASCADE, related_name="threads")
    on = models.CharField(max_length=LONGEST, db_index=True)
    """The object: `designer.core.anchors` reads it."""
    label = models.CharField(max_length=300)
    """What the object was called then; for when it is gone."""
    digest = models.CharField(max_length=80, blank=True)
    """What the object said then; empty where that was not known."""
    revision = models.ForeignKey(Revision, on_delete=models.CASCADE, related_name="+")
    begun_at = models.DateTimeField(default=timezone.now)
    resolved_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="+",
    )
    resolved_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"Thread on {self.named}"

    @property
    def named(self) -> str:
        """What the object was called, within a sentence: `commented on the design as a whole`."""
        return within_sentence(self.label)

    @property
    def is_resolved(self) -> bool:
        return self.resolved_at is not None


class Comment(models.Model):
    """One contribution to a thread, in Markdown. Until it is sent only its author sees it."""

    thread = models.ForeignKey(Thread, on_delete=models.CASCADE, related_name="comments")
    body = models.TextField()
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="+",
    )
    """Nobody when a guest wrote it, or its author deleted their account."""
    guest_name = models.CharField(max_length=80, blank=True)
    """What somebody without an account called themselves."""
    created_at = models.DateTimeField(default=timezone.now)
    sent_at = models.DateTimeField(null=True, blank=True)
    """Nothing while it waits for its author to submit their review."""
    verdict = models.ForeignKey(
        Verdict, null=True, blank=True, on_delete=models.SET_NULL, related_name="comments"
    )
    """What it was sent with."""

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return self.body[:80]

    @property
    def is_sent(self) -> bool:
        return self.sent_at is not None


class Notices(models.Model):
    """What somebody is told by e-mail. Who never chose is told all that concerns them."""

    class Wanted(models.TextChoices):
        ALL = (
            "all",
            "Everything that concerns me, including replies to me, and verdicts and comments on my reviews",
        )
        CALLED = "called", "Only when I am mentioned or asked for a review"
        NONE = "none", "Nothing"

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="notices"
    )
    wanted = models.CharField(max_length=20, choices=Wanted.choices, default=Wanted.ALL)

    def __str__(self) -> str:
        return f"{self.user}: {self.wanted}"


class FeedKey(models.Model):
    """Lets the feed reader of one person in to what happens in a project: it has no session."""

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="feed_keys")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="feed_keys"
    )
    digest = models.CharField(max_length=64, unique=True)
    """`projects.tokens.digest` of the secret in its address."""
    made_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["project", "user"], name="one_feed_a_person")
        ]

    def __str__(self) -> str:
        return f"Feed of {self.project} for {self.user}"
