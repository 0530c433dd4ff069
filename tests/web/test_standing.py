"""How a revision stands with those who judge it: what an approval is bound to, and who may give it."""

from importlib import import_module

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.db import IntegrityError

from designer.core.design.document import Design
from designer.core.edits import change_settings, replace_design
from designer.core.errors import DesignError
from designer.core.messages import say
from projects import reviews, revisions, teams, threads, undoing
from projects.models import (
    Comment,
    Draft,
    Membership,
    Project,
    Review,
    ReviewRules,
    Revision,
    Role,
    Verdict,
)
from projects.reviews import Kind
from tests.web.conftest import client_of, thread_on


@pytest.fixture
def bob(bob: User, club: Draft) -> User:
    return join(club, bob, Role.REVIEWER)


@pytest.fixture
def cid(db: None, club: Draft) -> User:
    return join(club, User.objects.create(username="cid"), Role.REVIEWER)


def join(draft: Draft, person: User, role: Role) -> User:
    assert draft.project is not None
    Membership.objects.create(team=draft.project.team, user=person, role=role)
    return person


def mean(draft: Draft, region: str, author: User) -> None:
    revisions.edit(draft, lambda d: change_settings(d, region=region), f"Move to {region}", author)


def word(draft: Draft, text: str, author: User) -> None:
    revisions.edit(draft, lambda d: change_settings(d, description=text), "Word it", author)


def reorder(draft: Draft, author: User) -> None:
    """State the same, the entities the other way round."""

    def turned(design: Design) -> Design:
        return replace_design(design, design.model_copy(update={"entities": design.entities[::-1]}))

    revisions.edit(draft, turned, "Order it otherwise", author)
    head = revisions.current(draft)
    assert head.meaning == draft.revisions.get(number=head.parent).meaning


def status(draft: Draft, number: int | None = None) -> str:
    revision = draft.revisions.get(number=number or draft.position)
    return reviews.standing(draft, revision).status


def rule(draft: Draft, **rules: object) -> None:
    ReviewRules.objects.update_or_create(project=draft.project, defaults=rules)


def test_a_design_that_nobody_was_asked_about_is_a_draft(club: Draft) -> None:
    assert status(club) == "draft"
    assert reviews.approved(club) is None


def test_it_is_in_review_until_somebody_else_approves_it(
    club: Draft, alice: User, bob: User
) -> None:
    review = reviews.ask(club, alice, "Please look")
    assert status(club) == "in review"
    reviews.submit(review, bob, Kind.APPROVE)
    found = reviews.standing(club, revisions.current(club))
    assert (found.status, found.revision, found.approvers) == ("approved", 1, ("bob",))
    assert found.meaning == revisions.current(club).meaning
    assert reviews.approved(club) == revisions.current(club)


def test_an_approval_holds_after_a_change_of_words_and_not_of_meaning(
    club: Draft, alice: User, bob: User
) -> None:
    reviews.submit(reviews.ask(club, alice), bob, Kind.APPROVE)
    word(club, "In other words", alice)
    found = reviews.standing(club, revisions.current(club))
    assert (found.status, found.revision) == ("approved", 2)
    assert found.approvers == ("bob in the words of r1",)
    mean(club, "eu-west-1", alice)
    assert status(club) == "changed since approval"
    found = reviews.approved(club)
    assert found is not None
    assert found.number == 2


def test_an_approval_holds_for_no_other_order_of_what_is_stated(
    club: Draft, alice: User, bob: User
) -> None:
    reviews.submit(reviews.ask(club, alice), bob, Kind.APPROVE)
    reorder(club, alice)
    assert status(club) == "changed since approval"
    approved = reviews.approved(club)
    assert approved is not None
    assert approved.number == 1
    undoing.undo(club, alice)
    assert (revisions.current(club).number, status(club)) == (3, "approved")


def test_approvals_of_different_orders_are_not_added_up(
    club: Draft, alice: User, bob: User, cid: User
) -> None:
    rule(club, approvals=2)
    review = reviews.ask(club, alice)
    reviews.submit(review, bob, Kind.APPROVE)
    reorder(club, alice)
    reviews.move(review, alice)
    reviews.submit(review, cid, Kind.APPROVE)
    assert reviews.approved(club) is None
    reviews.submit(review, bob, Kind.APPROVE)
    assert status(club) == "approved"


def test_who_only_orders_otherwise_is_an_author(
    club: Draft, alice: User, bob: User, cid: User
) -> None:
    base = approved_by(cid, club, alice)
    reorder(club, bob)
    review = reviews.ask(club, alice, base=base)
    assert reviews.authors(review) == {bob.pk}


def test_of_several_approvals_that_of_the_very_words_is_told(
    club: Draft, alice: User, bob: User, cid: User
) -> None:
    review = reviews.ask(club, alice)
    reviews.submit(review, bob, Kind.APPROVE)
    for text in ("In other words", "In yet other words"):
        word(club, text, alice)
        reviews.move(review, alice)
        reviews.submit(review, cid if review.head.number == 2 else bob, Kind.APPROVE)
    word(club, "And once more", alice)
    told = [reviews.standing(club, each).approvers for each in club.revisions.order_by("number")]
    assert told == [
        ("bob", "cid in the words of r2"),
        ("bob in the words of r3", "cid"),
        ("bob", "cid in the words of r2"),
        ("bob in the words of r3", "cid in the words of r2"),
    ]


def test_revisions_from_before_learn_in_which_order_they_state_what_they_mean(
    club: Draft, alice: User
) -> None:
    reorder(club, alice)
    known = list(club.revisions.values_list("ordered_meaning", flat=True))
    assert len(set(known)) == 2
    Revision.objects.update(ordered_meaning="")
    import_module("projects.migrations.0024_ordered_meaning").of_every_document(apps, None)
    assert list(club.revisions.values_list("ordered_meaning", flat=True)) == known


def test_what_meant_the_same_before_is_approved_again_once_it_is_back(
    club: Draft, alice: User, bob: User
) -> None:
    reviews.submit(reviews.ask(club, alice), bob, Kind.APPROVE)
    mean(club, "eu-west-1", alice)
    revisions.restore(club, club.revisions.get(number=1), alice)
    assert (revisions.current(club).number, status(club)) == (3, "approved")


def test_a_request_for_changes_holds_for_what_comes_after_until_the_same_person_approves(
    club: Draft, alice: User, bob: User, cid: User
) -> None:
    review = reviews.ask(club, alice)
    reviews.submit(review, bob, Kind.CHANGES, "No index for the day.")
    assert status(club) == "changes requested"
    mean(club, "eu-west-1", alice)
    reviews.move(review, bob)
    reviews.submit(review, cid, Kind.APPROVE)
    assert status(club) == "changes requested"
    assert reviews.approved(club) is None
    reviews.submit(review, bob, Kind.APPROVE)
    assert status(club) == "approved"
    assert reviews.standing(club, revisions.current(club)).approvers == ("cid", "bob")


def test_a_request_for_changes_to_a_later_revision_leaves_an_earlier_approval_alone(
    club: Draft, alice: User, bob: User
) -> None:
    review = reviews.ask(club, alice)
    reviews.submit(review, bob, Kind.APPROVE)
    mean(club, "eu-west-1", alice)
    reviews.move(review, bob)
    reviews.submit(review, bob, Kind.CHANGES, "Not there.")
    assert [status(club, number) for number in (1, 2)] == ["approved", "changes requested"]
    approved = reviews.approved(club)
    assert approved is not None
    assert approved.number == 1


def test_who_left_the_team_stands_in_nobodys_way_and_their_approval_stays(
    club: Draft, alice: User, bob: User, cid: User
) -> None:
    review = reviews.ask(club, alice)
    reviews.submit(review, cid, Kind.APPROVE)
    reviews.submit(review, bob, Kind.CHANGES, "No.")
    Membership.objects.filter(user__in=(bob, cid)).delete()
    assert status(club) == "approved"


def test_an_approval_stays_when_who_gave_it_may_approve_no_more(
    club: Draft, alice: User, bob: User, cid: User
) -> None:
    review = reviews.ask(club, alice)
    reviews.submit(review, cid, Kind.APPROVE)
    reviews.submit(review, bob, Kind.CHANGES, "No.")
    Membership.objects.filter(user__in=(bob, cid)).update(role=Role.VIEWER)
    assert status(club) == "approved"


@pytest.mark.parametrize("how", ["left", "lowered", "removed"])
def test_who_may_approve_no_more_is_none_of_those_who_are_still_needed(
    how: str, club: Draft, alice: User, bob: User, cid: User
) -> None:
    rule(club, approvals=2)
    review = reviews.ask(club, alice)
    reviews.submit(review, bob, Kind.APPROVE)
    if how == "left":
        Membership.objects.filter(user=bob).delete()
    elif how == "lowered":
        Membership.objects.filter(user=bob).update(role=Role.VIEWER)
    else:
        bob.delete()
    reviews.submit(review, cid, Kind.APPROVE)
    found = reviews.standing(club, revisions.current(club))
    assert (found.status, found.approvers) == ("in review", ("cid",))
    reviews.submit(review, join(club, User.objects.create(username="dan"), Role.OWNER), "approve")
    assert status(club) == "approved"


def test_what_was_complete_stays_so_though_changes_were_asked_for_then(
    club: Draft, alice: User, bob: User, cid: User
) -> None:
    review = reviews.ask(club, alice)
    reviews.submit(review, cid, Kind.CHANGES, "No.")
    reviews.submit(review, bob, Kind.APPROVE)
    assert status(club) == "changes requested"
    Membership.objects.filter(user__in=(bob, cid)).delete()
    assert status(club) == "approved"


@pytest.mark.parametrize("how", ["rules", "move"])
def test_what_is_complete_once_fewer_are_asked_for_stays_so(
    how: str, club: Draft, alice: User, bob: User
) -> None:
    rule(club, approvals=2)
    reviews.submit(reviews.ask(club, alice), bob, Kind.APPROVE)
    mean(club, "eu-west-1", alice)
    revisions.restore(club, club.revisions.get(number=1), alice)
    assert club.project is not None
    if how == "rules":
        client_of(alice).post(f"/d/{club.slug}/reviews/rules/", {"approvals": "1"})
    else:
        looser = Project.objects.create(team=club.project.team, name="Looser")
        teams.move(club, looser, alice)
    assert status(club) == "approved"
    Membership.objects.filter(user=bob).delete()
    every = [status(club, number) for number in (1, 2, 3)]
    assert every == ["approved", "changed since approval", "approved"]


def test_approvals_from_before_are_told_to_be_complete_by_the_rules_of_today(
    club: Draft, alice: User, bob: User, cid: User
) -> None:
    rule(club, approvals=2)
    review = reviews.ask(club, alice)
    for person in (bob, bob, cid):
        reviews.submit(review, person, Kind.APPROVE)
    mean(club, "eu-west-1", alice)
    reviews.move(review, bob)
    reviews.submit(review, bob, Kind.APPROVE)
    complete = list(Verdict.objects.values_list("completes", flat=True))
    assert complete == [False, False, True, False]
    Verdict.objects.update(completes=False)
    import_module("projects.migrations.0020_complete_approvals").by_the_rules_of_today(apps, None)
    assert list(Verdict.objects.values_list("completes", flat=True)) == complete


def test_what_another_team_approved_does_not_count(club: Draft, alice: User, bob: User) -> None:
    here, there = club.project, teams.home(bob)
    assert here is not None
    teams.move(club, Project.objects.create(team=there.team, name="Second"), alice)
    review = reviews.ask(club, alice)
    reviews.submit(review, bob, Kind.APPROVE)
    teams.move(club, there, alice)
    assert status(club) == "approved"
    assert Review.objects.get().is_open
    teams.move(club, here, alice)
    assert status(club) == "draft"
    assert reviews.approved(club) is None
    closed = Review.objects.get()
    assert (closed.is_open, closed.closed_by) == (False, alice)
    teams.move(club, there, alice)
    assert status(club) == "approved"


def test_one_person_counts_once_even_after_their_account_is_deleted(
    club: Draft, alice: User, bob: User
) -> None:
    review = reviews.ask(club, alice)
    reviews.submit(review, bob, Kind.APPROVE)
    reviews.submit(review, bob, Kind.APPROVE)
    bob.delete()
    found = reviews.standing(club, revisions.current(club))
    assert (found.status, found.approvers) == ("approved", ("someone who left",))


def test_as_many_must_approve_as_the_rules_say(
    club: Draft, alice: User, bob: User, cid: User
) -> None:
    rule(club, approvals=2)
    review = reviews.ask(club, alice)
    reviews.submit(review, bob, Kind.APPROVE)
    assert status(club) == "in review"
    reviews.submit(review, cid, Kind.APPROVE)
    assert status(club) == "approved"


def test_nobody_approves_what_they_wrote_unless_the_rules_let_them(
    club: Draft, alice: User
) -> None:
    review = reviews.ask(club, alice)
    with pytest.raises(DesignError) as error:
        reviews.submit(review, alice, Kind.APPROVE)
    assert error.value.reason == say("approves-own-work")
    rule(club, own=True)
    reviews.submit(review, alice, Kind.APPROVE)
    assert status(club) == "approved"


def test_wording_and_what_came_before_the_base_make_nobody_an_author(
    club: Draft, alice: User, bob: User, cid: User
) -> None:
    base = approved_by(cid, club, alice)
    mean(club, "eu-west-1", bob)
    word(club, "In other words", alice)
    review = reviews.ask(club, alice, base=base)
    assert reviews.authors(review) == {bob.pk}
    reviews.submit(review, alice, Kind.APPROVE)
    with pytest.raises(DesignError) as error:
        reviews.submit(review, bob, Kind.APPROVE)
    assert error.value.reason == say("approves-own-work")


def approved_by(person: User, draft: Draft, asker: User) -> Revision:
    """The design as it is, approved in a review of its own."""
    review = reviews.ask(draft, asker)
    reviews.submit(review, person, Kind.APPROVE)
    reviews.close(review, asker)
    return revisions.current(draft)


def test_no_base_hides_an_author_of_what_was_not_approved(
    club: Draft, alice: User, bob: User, cid: User
) -> None:
    approved_by(cid, club, alice)
    mean(club, "eu-west-1", bob)
    word(club, "In other words", bob)
    review = reviews.ask(club, bob, base=club.revisions.get(number=2))
    assert [each.number for each in reviews.between(review)] == [3]
    assert reviews.authors(review) == {bob.pk}
    with pytest.raises(DesignError) as error:
        reviews.submit(review, bob, Kind.APPROVE)
    assert error.value.reason == say("approves-own-work")


def test_all_of_a_design_counts_while_nothing_of_it_is_approved(
    club: Draft, alice: User, bob: User
) -> None:
    word(club, "In other words", bob)
    review = reviews.ask(club, alice, base=club.revisions.get(number=1))
    assert reviews.authors(review) == {alice.pk}


def test_a_review_of_a_revision_beside_itself_can_still_be_read(
    club: Draft, alice: User, cid: User
) -> None:
    approved_by(cid, club, alice)
    mean(club, "eu-west-1", alice)
    base = approved_by(cid, club, alice)
    review = Review.objects.create(
        draft=club, number=3, team=club.project.team, base=base, head=base
    )
    assert reviews.between(review) == []
    assert reviews.authors(review) == {alice.pk}


def test_who_wrote_what_is_approved_stays_its_author(club: Draft, alice: User, bob: User) -> None:
    review = reviews.ask(club, alice)
    reviews.submit(review, bob, Kind.APPROVE)
    assert reviews.authors(review) == {alice.pk}


def test_what_was_undone_makes_nobody_an_author(club: Draft, alice: User, bob: User) -> None:
    mean(club, "eu-west-1", bob)
    undoing.undo(club, bob)
    assert reviews.authors(reviews.ask(club, alice)) == {alice.pk}


def test_threads_that_are_not_resolved_block_where_the_rules_say_so(
    club: Draft, alice: User, bob: User
) -> None:
    review = reviews.ask(club, alice)
    thread = thread_on(club)
    thread.comments.create(body="Why?", author=bob, sent_at=review.asked_at)
    assert reviews.obstacle_for(review, bob) is None
    rule(club, threads_block=True)
    with pytest.raises(DesignError) as error:
        reviews.submit(review, bob, Kind.APPROVE)
    assert error.value.reason == say("threads-block-approval")


def test_comments_that_were_collected_are_sent_with_the_verdict(
    club: Draft, alice: User, bob: User
) -> None:
    review = reviews.ask(club, alice)
    thread = thread_on(club)
    thread.comments.create(body="Why?", author=bob)
    assert reviews.unresolved(club) == 0
    verdict = reviews.submit(review, bob, Kind.COMMENT)
    (comment,) = verdict.comments.all()
    assert comment.is_sent
    assert (reviews.unresolved(club), reviews.waiting(club, bob)) == (1, [])


def test_a_comment_that_is_discarded_meanwhile_holds_no_verdict_up(
    club: Draft, alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    review = reviews.ask(club, alice)
    thread = thread_on(club)
    for body in ("Why?", "Why not?"):
        thread.comments.create(body=body, author=bob)

    def read(draft: Draft, person: User) -> list[Comment]:
        found = waiting(draft, person)
        threads.discard(found[0])
        return found

    waiting = reviews.waiting
    monkeypatch.setattr(reviews, "waiting", read)
    verdict = reviews.submit(review, bob, Kind.APPROVE)
    assert [comment.body for comment in verdict.comments.all()] == ["Why not?"]


def test_a_comment_that_was_sent_meanwhile_is_not_discarded(
    club: Draft, alice: User, bob: User
) -> None:
    review = reviews.ask(club, alice)
    thread = thread_on(club)
    comment = thread.comments.create(body="Why?", author=bob)
    reviews.submit(review, bob, Kind.COMMENT)
    assert comment.sent_at is None
    threads.discard(comment)
    assert Comment.objects.get().body == "Why?"


def test_a_comment_says_something(club: Draft, alice: User, bob: User) -> None:
    with pytest.raises(DesignError) as error:
        reviews.submit(reviews.ask(club, alice), bob, Kind.COMMENT, " ")
    assert error.value.reason == say("verdict-empty")


def test_a_design_has_one_open_review(club: Draft, alice: User) -> None:
    review = reviews.ask(club, alice)
    with pytest.raises(DesignError) as error:
        reviews.ask(club, alice)
    assert error.value.reason == say("review-already-open")
    with pytest.raises(IntegrityError):
        Review.objects.create(draft=club, number=2, head=review.head)


def test_a_closed_review_takes_no_more_verdicts_and_what_was_said_holds(
    club: Draft, alice: User, bob: User
) -> None:
    review = reviews.ask(club, alice)
    reviews.submit(review, bob, Kind.APPROVE)
    reviews.close(review, alice)
    assert status(club) == "approved"
    with pytest.raises(DesignError) as error:
        reviews.submit(review, bob, Kind.CHANGES, "Wait.")
    assert error.value.reason == say("review-closed")
    assert reviews.ask(club, alice).number == 2
