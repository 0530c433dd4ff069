"""Teams made and looked up, who is in them, and what becomes of them."""

from dataclasses import dataclass

from axes.models import AccessAttempt, AccessFailureLog, AccessLog
from django.contrib.auth import get_user_model
from django.contrib.auth.models import AbstractBaseUser, User
from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from designer.core.errors import SaidError
from designer.core.messages import say
from projects import events, reviews, revisions
from projects.models import Draft, Membership, Project, ProjectEvent, Role, Team

FIRST_PROJECT = "Designs"


class RefusedError(SaidError):
    """What was asked for cannot be done."""


@transaction.atomic
def create(name: str, owner: AbstractBaseUser) -> Team:
    """A new team of one."""
    team = Team.objects.create(name=name)
    Membership.objects.create(team=team, user_id=owner.pk, role=Role.OWNER)
    return team


@transaction.atomic
def home(person: AbstractBaseUser) -> Project:
    """Where somebody's designs go unless they say otherwise: a project of the team that was made for them alone.

    It is made when it is needed first, and again when they own it no more, or all its projects are archived.
    """
    # Held, so that two first designs at once make one team.
    get_user_model().objects.select_for_update().get(pk=person.pk)
    made = Team.objects.filter(home_of=person.pk)
    team = made.filter(memberships__user=person.pk, memberships__role=Role.OWNER).first()
    if team is None:
        made.update(home_of=None)
        team = create(f"{person.get_username()}'s team", person)
        team.home_of_id = person.pk
        team.save(update_fields=["home_of"])
    project = team.projects.filter(archived_at=None).order_by("pk").first()
    return project or Project.objects.create(team=team, name=FIRST_PROJECT)


@transaction.atomic
def change_role(membership: Membership, role: Role) -> int:
    """Make somebody something else in their team; how many invitations that ended. RefusedError for its only owner."""
    held = _hold(membership)
    if role != Role.OWNER:
        _leave_an_owner(held)
    is_lower = role.rights < Role(held.role).rights
    held.role = role
    held.save(update_fields=["role"])
    return _end_ways_back(held) if is_lower else 0


@transaction.atomic
def hand_over(mine: Membership, theirs: Membership) -> int:
    """Make another member the owner, and oneself an editor; how many invitations that ended."""
    return change_role(theirs, Role.OWNER) + change_role(mine, Role.EDITOR)


@transaction.atomic
def remove(membership: Membership) -> int:
    """Take somebody out of a team, or leave it; how many invitations that ended. RefusedError for its only owner."""
    held = _hold(membership)
    _leave_an_owner(held)
    held.delete()
    return _end_ways_back(held)


@dataclass(frozen=True)
class Farewell:
    """What becomes of somebody's teams when their account is removed."""

    alone: list[Team]
    """Nobody else is in them: they go, with all their designs."""
    only_owner: list[Team]
    """Others are in them and none of these is an owner: somebody has to be made one first."""
    others: list[Team]
    """They stay with those who are in them."""


def farewell(person: AbstractBaseUser) -> Farewell:
    said = Farewell([], [], [])
    mine = Membership.objects.filter(user=person.pk).select_related("team").order_by("team__name")
    for membership in mine:
        others = membership.team.memberships.exclude(pk=membership.pk)
        if not others.exists():
            said.alone.append(membership.team)
        elif membership.role == Role.OWNER and not others.filter(role=Role.OWNER).exists():
            said.only_owner.append(membership.team)
        else:
            said.others.append(membership.team)
    return said


@transaction.atomic
def remove_account(person: AbstractBaseUser) -> None:
    """Remove an account, and the teams that nobody else is in. What somebody did in other teams stays, without their
    name. RefusedError while a team of others has no other owner.
    """
    mine = Membership.objects.filter(user=person.pk).values("team")
    # Held, so that nobody joins a team that goes, and no other owner leaves one that stays.
    list(Team.objects.select_for_update().filter(pk__in=mine))
    what = farewell(person)
    if what.only_owner:
        names = tuple(team.name for team in what.only_owner)
        raise RefusedError(say("only-owner-of", teams=names))
    Team.objects.filter(pk__in=[team.pk for team in what.alone]).delete()
    for membership in Membership.objects.filter(user=person.pk).select_related("team", "user"):
        _end_ways_back(membership)
    for log in (AccessLog, AccessAttempt, AccessFailureLog):
        log.objects.filter(username=person.get_username()).delete()
    person.delete()


@transaction.atomic
def archive(project: Project, person: User) -> None:
    """Nothing happens where it is archived already."""
    in_use = Project.objects.filter(pk=project.pk, archived_at=None)
    if in_use.update(archived_at=timezone.now()):
        events.keep(project, ProjectEvent.Kind.ARCHIVED, person)


@transaction.atomic
def restore(project: Project, person: User) -> None:
    """Nothing happens where it is not archived."""
    archived = Project.objects.filter(pk=project.pk, archived_at__isnull=False)
    if archived.update(archived_at=None):
        events.keep(project, ProjectEvent.Kind.RESTORED, person)


@transaction.atomic
def move(draft: Draft, project: Project, person: User) -> None:
    """Put a design of a project into another one; who may open it is then said by that project's team.

    In another team nothing is approved that was not approved there, and the review that is open is closed. Its links
    and tokens end then: the team that it leaves gave them out. Within a team its tokens come along. RefusedError when
    it was moved meanwhile: whoever may take it from where it was need not be one who may take it from where it is.
    """
    was = draft.project
    assert was is not None, "What is in no project is kept, not moved."
    revisions.hold(draft)
    if draft.project != was:
        raise RefusedError(say("design-moved-meanwhile", design=draft.name))
    if was == project:
        return
    is_within = was.team_id == project.team_id
    if is_within:
        draft.tokens.filter(project=was).update(project=project)
    else:
        for openings in (draft.links, draft.tokens):
            openings.filter(revoked_at=None).update(revoked_at=timezone.now())
    review = reviews.open_review(draft)
    if review is not None and review.team_id != project.team_id:
        reviews.close(review, person)
    draft.project = project
    draft.save(update_fields=["project"])
    reviews.settle(draft)
    # No team is told what another one calls its projects.
    to, start = (project.name, was.name) if is_within else ("", "")
    moved = {"draft": draft, "name": draft.name}
    events.keep(was, ProjectEvent.Kind.MOVED_OUT, person, other=to, **moved)
    events.keep(project, ProjectEvent.Kind.MOVED_IN, person, other=start, **moved)


def _hold(membership: Membership) -> Membership:
    """The membership as it is now, with its team held to the end of the transaction, so that of two owners
    who go at once the second one is the only one.
    """
    Team.objects.select_for_update().get(pk=membership.team_id)
    found = Membership.objects.filter(pk=membership.pk).first()
    if found is None:
        raise RefusedError(say("no-longer-in-team"))
    return found


def _leave_an_owner(membership: Membership) -> None:
    others = membership.team.memberships.exclude(pk=membership.pk)
    if membership.role == Role.OWNER and not others.filter(role=Role.OWNER).exists():
        raise RefusedError(say("team-needs-owner"))


def _end_ways_back(gone: Membership) -> int:
    """End the open invitations by which somebody who was removed or lowered could become again what they were: every
    link, since anybody may know it, letters to their address, and what they issued themselves.
    """
    theirs = Q(email="") | Q(invited_by=gone.user_id)
    if gone.user.email:
        theirs |= Q(email__iexact=gone.user.email)
    now = timezone.now()
    live = gone.team.invitations.filter(theirs, ended_at=None, expires_at__gt=now)
    return live.update(ended_at=now)
