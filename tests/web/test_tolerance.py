"""An approval outlasts figures that change within what the team tolerates, the plan staying the same; and says so."""

import pytest
from django.contrib.auth.models import User
from django.test import Client

from designer.core.design.document import Design
from designer.core.edits import replace_design
from designer.core.patterns.figures import Rate
from designer.views import likeness
from designer.views.results import Asked
from projects import reviews, revisions
from projects.models import Draft, Role
from projects.reviews import Kind
from tests.web.test_reviews import URL, page
from tests.web.test_standing import join


@pytest.fixture
def bob(bob: User, club: Draft) -> User:
    return join(club, bob, Role.REVIEWER)


def load(draft: Draft, author: User, average: float) -> None:
    """State how often the first access pattern runs, and nothing else."""

    def change(design: Design) -> Design:
        first = design.patterns[0].model_copy(update={"rate": Rate(average=average)})
        return replace_design(
            design, design.model_copy(update={"patterns": (first, *design.patterns[1:])})
        )

    revisions.edit(draft, change, f"Say {average} a second", author)


def test_an_approval_outlasts_figures_within_the_tolerance_and_says_so(
    club: Draft, alice: User, bob: User, as_alice: Client
) -> None:
    load(club, alice, 100)
    review = reviews.ask(club, alice)
    reviews.submit(review, bob, Kind.APPROVE)
    load(club, alice, 108)
    shown = page(as_alice, "1/")
    assert "stale: only figures changed, by up to 8 %; the plan is the same" in shown
    assert reviews.approved(club) == review.head

    as_alice.post(f"{URL}rules/", {"approvals": "1", "tolerance": "10"})
    standing = reviews.standing(club, revisions.current(club))
    assert standing.is_approved
    assert standing.approvers == (f"bob with the figures of r{review.head.number}",)
    assert reviews.approved(club) == revisions.current(club)
    shown = page(as_alice, "1/")
    assert "still holds: only figures changed since, by at most 8 %" in shown
    assert "the plan is the same: the approval still holds." in shown
    assert "does not cover" not in shown

    load(club, alice, 112)
    assert "stale: only figures changed, by up to 12 %" in page(as_alice, "1/")
    assert reviews.standing(club, revisions.current(club)).status == "changed since approval"


def test_steps_within_the_tolerance_do_not_add_up(
    club: Draft, alice: User, bob: User, as_alice: Client
) -> None:
    """What an approval is held against is what was read, not what it was last said to hold for."""
    as_alice.post(f"{URL}rules/", {"approvals": "1", "tolerance": "10"})
    load(club, alice, 100)
    reviews.submit(reviews.ask(club, alice), bob, Kind.APPROVE)
    for average, holds in ((108, True), (116, False), (105, True)):
        load(club, alice, average)
        page(as_alice, "1/")
        assert reviews.standing(club, revisions.current(club)).is_approved is holds


def test_no_figure_is_too_little_where_the_plan_changed(
    club: Draft, alice: User, bob: User, as_alice: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    as_alice.post(f"{URL}rules/", {"approvals": "1", "tolerance": "10"})
    load(club, alice, 100)
    reviews.submit(reviews.ask(club, alice), bob, Kind.APPROVE)
    load(club, alice, 101)
    monkeypatch.setattr(likeness, "same_plans", otherwise_planned)
    assert "by up to 1 %; the plan changed with them" in page(as_alice, "1/")
    assert reviews.standing(club, revisions.current(club)).status == "changed since approval"


def test_an_export_says_what_holds_though_no_review_was_opened_since(
    club: Draft, alice: User, bob: User, as_alice: Client
) -> None:
    as_alice.post(f"{URL}rules/", {"approvals": "1", "tolerance": "10"})
    load(club, alice, 100)
    reviews.submit(reviews.ask(club, alice), bob, Kind.APPROVE)
    load(club, alice, 108)
    made = as_alice.get(f"/d/{club.slug}/exports/terraform/single/")
    assert "with the figures of r" in made.content.decode()
    assert reviews.standing(club, revisions.current(club)).is_approved


def otherwise_planned(*_: object) -> bool:
    return False


def test_what_was_not_compared_yet_is_not_approved(
    club: Draft, alice: User, bob: User, as_alice: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    as_alice.post(f"{URL}rules/", {"approvals": "1", "tolerance": "10"})
    load(club, alice, 100)
    reviews.submit(reviews.ask(club, alice), bob, Kind.APPROVE)
    load(club, alice, 101)
    monkeypatch.setattr(likeness, "evaluated", lambda *_: Asked("planning"))
    assert "the plans are still being compared" in page(as_alice, "1/")
    assert reviews.standing(club, revisions.current(club)).status == "changed since approval"
