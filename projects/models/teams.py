"""Teams, who is in them, and their projects."""

from django.conf import settings
from django.db import models

from projects.models.rights import Guarded, Role
from projects.models.slugs import new_slug


class Team(Guarded, models.Model):
    """People who work on the same projects. Somebody who works alone is a team of one."""

    slug = models.CharField(max_length=40, unique=True, default=new_slug)
    name = models.CharField(max_length=200)
    home_of = models.OneToOneField(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="home_team",
    )
    """Whom it was made for when they kept their first design."""
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return self.name


class Membership(models.Model):
    """Somebody in a team, and their role. Every team has an owner."""

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="memberships")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="memberships"
    )
    role = models.CharField(max_length=20, choices=Role.choices)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["team", "user"], name="one_membership_a_person")
        ]

    def __str__(self) -> str:
        return f"{self.user} in {self.team}: {self.role}"


class Project(Guarded, models.Model):
    """Designs of a team that belong together. An archived one is read, and not changed."""

    slug = models.CharField(max_length=40, unique=True, default=new_slug)
    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="projects")
    name = models.CharField(max_length=200)
    archived_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return self.name

    @property
    def is_archived(self) -> bool:
        return self.archived_at is not None
