"""Reviews of designs: asked for, answered, moved on, closed; and how a revision stands with those who judge it.

An approval is bound to what a revision means and the order in which it states that, as the order decides between plans
that are equally good. It holds for every revision that differs in words only; and, where the project's rules allow it,
for one whose figures changed a little and whose plans did not.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import F, QuerySet
from django.utils import timezone

from designer.core.errors import DesignError
from designer.core.messages import Message, say
from designer.core.report.standing import Standing, Status
from projects import revisions, threads, undoing
from projects.models import (
    Comment,
    Draft,
    Likeness,
    Membership,
    Project,
    Review,
    ReviewMove,
    ReviewRules,
    Revision,
    Right,
    Role,
    Team,
    Thread,
    Verdict,
)
from projects.tally import Tally, Votes

Kind = Verdict.Kind

FORMER = "someone who left"


def name_of(person: User | None) -> str:
    """What people call somebody; their account may be gone."""
    return (person.get_full_name() or person.get_username()) if person is not None else FORMER


def writer_of(comment: Comment) -> str:
    """Who wrote a comment; a guest gave their name themselves."""
    if comment.guest_name:
        return f"{comment.guest_name} (guest)"
    return name_of(comment.author)


# How a revision stands ----------------------------------------------------------------------------


class Said:
    """What the standing of some designs depends on, read for all of them at once."""

    def __init__(self, drafts: Collection[Draft]) -> None:
        of = [draft.pk for draft in drafts]
        projects = {draft.project_id for draft in drafts}
        rules = ReviewRules.objects.filter(project__in=projects)
        self.rules: dict[int | None, ReviewRules] = {each.project_id: each for each in rules}
        self.open_reviews = {each.draft_id: each for each in _open_reviews().filter(draft__in=of)}
        # What another team said, whose the design was before, does not count in this one.
        said = Verdict.objects.filter(
            review__draft__in=of, review__team__projects=F("review__draft__project")
        ).order_by("pk")
        self.verdicts: dict[int, list[Verdict]] = defaultdict(list)
        for each in said.select_related("review", "revision", "author").defer("revision__document"):
            self.verdicts[each.review.draft_id].append(each)
        self.likenesses: dict[int, list[Likeness]] = defaultdict(list)
        for likeness in Likeness.objects.filter(draft__in=of):
            self.likenesses[likeness.draft_id].append(likeness)
        self.heard: dict[int | None, set[int]] = defaultdict(set)
        for project, person in _memberships(Right.COMMENT, projects).values_list(
            "team__projects", "user"
        ):
            self.heard[project].add(person)


class Reviewed:
    """What its team said of a design, read once: how any of its revisions stands."""

    def __init__(self, draft: Draft, said: Said | None = None) -> None:
        said = said or Said([draft])
        self.draft = draft
        self.rules = said.rules.get(draft.project_id) or ReviewRules(project=draft.project)
        self.review = said.open_reviews.get(draft.pk)
        self.verdicts = said.verdicts[draft.pk]
        self.likenesses = {(each.was, each.now): each for each in said.likenesses[draft.pk]}
        self.near = frozenset(pair for pair, each in self.likenesses.items() if self._allows(each))
        self._heard = said.heard[draft.project_id]
        self._settled = frozenset(
            each.revision.ordered_meaning for each in self.verdicts if each.completes
        )
        self._tally = Tally(self.verdicts, self.near)

    def votes(self, revision: Revision) -> Votes:
        """What holds for a revision, of what still counts."""
        found = self._tally.votes(revision)
        return Votes(
            {voter: each for voter, each in found.approve.items() if self.counts(each)},
            {voter: each for voter, each in found.request.items() if self.counts(each)},
        )

    def _allows(self, likeness: Likeness) -> bool:
        """Whether an approval of what was holds for what is, by the rules of today."""
        return likeness.has_same_plans and round(likeness.change * 100, 6) <= self.rules.tolerance

    def hears(self, verdict: Verdict) -> bool:
        """Whether whoever said it may still comment."""
        return verdict.voter in self._heard

    def counts(self, verdict: Verdict) -> bool:
        """Whether a verdict still counts. That of somebody who may comment no more stands in nobody's way, and is part
        of no approval that was not complete before.
        """
        is_settled = verdict.revision.ordered_meaning in self._settled
        return self.hears(verdict) or (verdict.kind == Kind.APPROVE and is_settled)

    def is_complete(self, revision: Revision) -> bool:
        """Whether a revision has all the approvals that the rules ask for."""
        return len(self.votes(revision).approve) >= self.rules.approvals

    def standing(self, revision: Revision) -> Standing:
        found = self.votes(revision)
        approvers = tuple(_approver(each, revision) for each in found.approve.values())
        status = self._status(revision, found)
        saved = f"{revision.created_at.day} {revision.created_at:%B %Y}"
        return Standing(status, revision.number, revision.meaning, approvers, saved)

    def approved(self, before: Revision | None = None) -> Revision | None:
        """The newest revision that has all the approvals that its project asks for; None without one.

        Where another is given, the newest before it that differs from it in more than words.
        """
        every = self.draft.revisions.order_by("-number").defer("document")
        judged = {e.revision.ordered_meaning for e in self.verdicts if e.kind == Kind.APPROVE}
        held = {now for was, now in self.near if was in judged}
        candidates = every.filter(ordered_meaning__in=judged | held)
        if before is not None:
            candidates = candidates.filter(number__lt=before.number).exclude(
                ordered_meaning=before.ordered_meaning
            )
        return next((each for each in candidates if self._is_enough(self.votes(each))), None)

    def _status(self, revision: Revision, found: Votes) -> Status:
        if found.request:
            return "changes requested"
        if self._is_enough(found):
            return "approved"
        head = self.review.head if self.review is not None else None
        is_asked = head is not None and head.ordered_meaning == revision.ordered_meaning
        if is_asked:
            return "in review"
        return "changed since approval" if self._was_approved(revision) else "draft"

    def _is_enough(self, found: Votes) -> bool:
        return not found.request and len(found.approve) >= self.rules.approvals

    def _was_approved(self, revision: Revision) -> bool:
        """Whether a revision before this one is approved."""
        return any(
            each.kind == Kind.APPROVE
            and each.revision.number < revision.number
            and self._is_enough(self.votes(each.revision))
            for each in self.verdicts
        )


def _approver(verdict: Verdict, revision: Revision) -> str:
    """Who approved a revision; of what they read in other words, or with other figures, it is said which these were."""
    name = name_of(verdict.author)
    if verdict.revision_id == revision.pk:
        return name
    is_same = verdict.revision.ordered_meaning == revision.ordered_meaning
    return (
        f"{name} {'in the words' if is_same else 'with the figures'} of r{verdict.revision.number}"
    )


def rules_of(project: Project | None) -> ReviewRules:
    """The rules of a project; the defaults where it has none of its own, or there is none."""
    found = ReviewRules.objects.filter(project=project).first() if project is not None else None
    return found or ReviewRules(project=project)


def members(draft: Draft, may: Right = Right.READ) -> QuerySet[User]:
    """The people who may do something with a design: read it, unless more is asked."""
    if draft.project_id is None:
        return User.objects.none()
    return User.objects.filter(memberships__in=_memberships(may, [draft.project_id]))


def _memberships(may: Right, projects: Collection[int | None]) -> QuerySet[Membership]:
    """Of those who may do something with the designs of some projects."""
    roles = [role for role in Role if may in role.rights]
    return Membership.objects.filter(
        team__projects__in=projects, role__in=roles, user__is_active=True
    )


def names(draft: Draft) -> frozenset[str]:
    """The names by which a comment on a design calls people."""
    return frozenset(members(draft).values_list("username", flat=True))


def open_review(draft: Draft) -> Review | None:
    return _open_reviews().filter(draft=draft.pk).first()


def _open_reviews() -> QuerySet[Review]:
    found = Review.objects.filter(closed_at=None).select_related("base", "head", "asked_by")
    return found.defer("base__document", "head__document")


def standing(draft: Draft, revision: Revision) -> Standing:
    """How a revision of a design stands."""
    return Reviewed(draft).standing(revision)


def note_status(drafts: Iterable[Draft]) -> None:
    """Let designs of projects know how each stands, in as many queries for many as for one."""
    listed = list(drafts)
    newest = Revision.objects.filter(draft__in=listed, number=F("draft__position"))
    revision = {each.draft_id: each for each in newest.defer("document")}
    said = Said(listed)
    for draft in listed:
        draft.status = Reviewed(draft, said).standing(revision[draft.pk]).status


def outgrown(draft: Draft) -> Standing | None:
    """How the revision before the newest stands, where it is approved or in review and the newest is not; else None."""
    if not draft.reviews.exists():
        return None
    newest = revisions.current(draft)
    before = draft.revisions.filter(number=newest.parent or 0).defer("document").first()
    if before is None or before.ordered_meaning == newest.ordered_meaning:
        return None
    reviewed = Reviewed(draft)
    was, now = reviewed.standing(before), reviewed.standing(newest)
    return was if was.status in ("approved", "in review") and was.status != now.status else None


def approved(draft: Draft) -> Revision | None:
    """The newest revision that has all the approvals that its project asks for; None without one."""
    return Reviewed(draft).approved()


# What people do -----------------------------------------------------------------------------------


@transaction.atomic
def ask(draft: Draft, person: User, message: str = "", base: Revision | None = None) -> Review:
    """Ask for a review of the design as it stands, compared with a base.

    DesignError when a review is open already, or the message is too long.
    """
    message = threads.limited(message)
    revisions.hold(draft)
    if open_review(draft) is not None:
        raise DesignError("review-open", say("review-already-open"))
    last = draft.reviews.first()
    threads.talked(draft)
    return Review.objects.create(
        draft=draft,
        number=last.number + 1 if last else 1,
        team=Team.objects.get(projects__drafts=draft.pk),
        base=base,
        head=draft.revisions.get(number=draft.position),
        message=message,
        asked_by=person,
    )


@transaction.atomic
def move(review: Review, person: User) -> ReviewMove | None:
    """Let an open review be of the design as it stands now; None when it is already. DesignError when it was closed."""
    _hold(review)
    if review.head.number == review.draft.position:
        return None
    review.head = review.draft.revisions.get(number=review.draft.position)
    review.save(update_fields=["head"])
    threads.talked(review.draft)
    return ReviewMove.objects.create(review=review, head=review.head, author=person)


@transaction.atomic
def close(review: Review, person: User) -> None:
    """End an open review. What was said in it stays, and holds. DesignError when it was closed already."""
    _hold(review)
    review.closed_by, review.closed_at = person, timezone.now()
    review.save(update_fields=["closed_by", "closed_at"])
    threads.talked(review.draft)


class MovedError(DesignError):
    """A review is of another revision than somebody read."""


@transaction.atomic
def submit(
    review: Review, person: User, kind: str, body: str = "", *, read: int | None = None
) -> Verdict:
    """Say what one thinks of a review's revision, and send the comments that were collected for that.

    `read` is the number of the revision that they read, unless it is the one that `review` knows. MovedError when the
    review is of another one now. DesignError when it is closed, when the rules of the project don't let this person
    approve, and when there is nothing to say, or too much.
    """
    body = threads.limited(body)
    read = review.head.number if read is None else read
    _hold(review)
    if read != review.head.number:
        raise MovedError("review-moved", say("review-moved", number=review.head.number))
    if kind == Kind.APPROVE and (obstacle := obstacle_for(review, person)):
        raise DesignError("may-not-approve", obstacle)
    collected = waiting(review.draft, person)
    if kind == Kind.COMMENT and not body and not collected:
        raise DesignError("nothing-said", say("verdict-empty"))
    said = Verdict.objects.filter(review__draft=review.draft_id)
    if not threads.has_room(said, threads.COMMENTS, threads.CHARACTERS):
        raise DesignError("too-much", say("design-full-of-verdicts"))
    verdict = Verdict.objects.create(
        review=review,
        revision=review.head,
        kind=kind,
        body=body,
        author=person,
        voter=person.pk,
    )
    if kind == Kind.APPROVE:
        settle(review.draft)
    # What its author discarded meanwhile, in another window, is not among them.
    sent = Comment.objects.filter(pk__in=[comment.pk for comment in collected])
    sent.update(sent_at=verdict.created_at, verdict=verdict)
    threads.talked(review.draft)
    return verdict


@transaction.atomic
def change_rules(rules: ReviewRules) -> None:
    """Save the rules of a project. What is approved by them stays so, whoever leaves then."""
    rules.save()
    for draft in Draft.objects.filter(project=rules.project).order_by("pk"):
        revisions.hold(draft)
        settle(draft)


def settle(draft: Draft) -> None:
    """Note which approvals of a design, which is held, are complete by the rules of today."""
    reviewed = Reviewed(draft)
    last = {
        each.revision.ordered_meaning: each
        for each in reviewed.verdicts
        if each.kind == Kind.APPROVE
    }
    complete = [each.pk for each in last.values() if reviewed.is_complete(each.revision)]
    Verdict.objects.filter(pk__in=complete).update(completes=True)


def obstacle_for(review: Review, person: User) -> Message | None:
    """Why somebody may not approve the revision of a review now; None when they may."""
    rules = rules_of(review.draft.project)
    if not rules.own and person.pk in authors(review):
        return say("approves-own-work")
    if rules.threads_block and unresolved(review.draft):
        return say("threads-block-approval")
    return None


def authors(review: Review) -> frozenset[int]:
    """The ids of those who changed more than words of what a review is of, and did not take it back.

    What counts came after the base of the review, or after what was approved before where that is older: whoever asks
    chooses the base, and must not choose who its authors are.
    """
    settled = Reviewed(review.draft).approved(before=review.head)
    since = min((each.number if each is not None else 0) for each in (review.base, settled))
    every = _edits(review, since)
    start = review.draft.revisions.filter(number=since).values_list("ordered_meaning", flat=True)
    meanings = [*(each.ordered_meaning for each in every), start.first()]
    here = {each.number for each in every}
    gone = undoing.undone(every)
    return frozenset(
        each.author_id
        for each, before in zip(every, meanings[1:], strict=True)
        if each.author_id is not None
        and before != each.ordered_meaning
        and each.number not in gone
        and not here & {each.undoes, each.redoes}
    )


def between(review: Review) -> list[Revision]:
    """The revisions after a review's base up to its head, newest first."""
    return _edits(review, review.base.number if review.base is not None else 0)


def _edits(review: Review, since: int) -> list[Revision]:
    """The revisions after a number up to a review's head, newest first."""
    found = review.draft.revisions.filter(number__gt=since, number__lte=review.head.number)
    return list(found.order_by("-number").defer("document").select_related("author"))


def unresolved(draft: Draft) -> int:
    """How many threads of a design are open."""
    sent = Comment.objects.filter(thread__draft=draft, sent_at__isnull=False)
    return Thread.objects.filter(pk__in=sent.values("thread"), resolved_at=None).count()


def waiting(draft: Draft, person: User) -> list[Comment]:
    """The comments that somebody collected and has not sent yet."""
    found = Comment.objects.filter(thread__draft=draft, author=person, sent_at=None)
    return list(found.select_related("thread"))


def _hold(review: Review) -> None:
    """Hold an open review's design to the end of the transaction, and know how both stand now."""
    revisions.hold(review.draft)
    now = Review.objects.select_related("head").defer("head__document").get(pk=review.pk)
    review.head, review.closed_at = now.head, now.closed_at
    if not review.is_open:
        raise DesignError("review-closed", say("review-closed"))
