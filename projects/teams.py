"""Teams made and looked up, who is in them, and what becomes of them."""

from django.contrib.auth import get_user_model
from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.utils import timezone

from projects.models import Draft, Membership, Project, Role, Team

FIRST_PROJECT = "Designs"


class RefusedError(Exception):
    """What was asked for cannot be; its text is a sentence for the page."""


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
def change_role(membership: Membership, role: Role) -> None:
    """Make somebody something else in their team. RefusedError for its only owner."""
    held = _hold(membership)
    if role != Role.OWNER:
        _leave_an_owner(held)
    held.role = role
    held.save(update_fields=["role"])


@transaction.atomic
def hand_over(mine: Membership, theirs: Membership) -> None:
    """Make another member the owner, and oneself an editor."""
    change_role(theirs, Role.OWNER)
    change_role(mine, Role.EDITOR)


@transaction.atomic
def remove(membership: Membership) -> None:
    """Take somebody out of a team, or leave it. RefusedError for its only owner."""
    held = _hold(membership)
    _leave_an_owner(held)
    held.delete()


def archive(project: Project) -> None:
    Project.objects.filter(pk=project.pk, archived_at=None).update(archived_at=timezone.now())


def restore(project: Project) -> None:
    Project.objects.filter(pk=project.pk).update(archived_at=None)


def move(draft: Draft, project: Project) -> None:
    """Put a design into another project; who may open it is then said by that project's team."""
    draft.project = project
    draft.save(update_fields=["project"])


def _hold(membership: Membership) -> Membership:
    """The membership as it is now, with its team held to the end of the transaction, so that of two owners
    who go at once the second one is the only one.
    """
    Team.objects.select_for_update().get(pk=membership.team_id)
    found = Membership.objects.filter(pk=membership.pk).first()
    if found is None:
        raise RefusedError("They are not in this team any more.")
    return found


def _leave_an_owner(membership: Membership) -> None:
    others = membership.team.memberships.exclude(pk=membership.pk)
    if membership.role == Role.OWNER and not others.filter(role=Role.OWNER).exists():
        raise RefusedError("A team always has an owner. Make somebody else one first.")
