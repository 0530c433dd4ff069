"""Teams made and looked up."""

from django.contrib.auth import get_user_model
from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction

from projects.models import Membership, Project, Role, Team

FIRST_PROJECT = "Designs"


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
