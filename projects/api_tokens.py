"""Tokens for programs: made, found, counted, and the designs that they open."""

from datetime import datetime

from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone

from projects import events, tokens
from projects.models import ApiToken, Draft, Project, ProjectEvent, Team
from projects.models.links import is_live
from projects.revisions import Person

PREFIX = "keywright_"
"""Tells whoever finds one in a log what it is; scanners for secrets look for it."""


@transaction.atomic
def make(
    project: Project,
    person: Person,
    *,
    draft: Draft | None = None,
    name: str = "",
    expires_at: datetime | None = None,
) -> tuple[ApiToken, str]:
    """A new token for a design of the project, or for all of them; and its secret, which is not kept."""
    secret = PREFIX + tokens.new()
    token = ApiToken.objects.create(
        project=project,
        draft=draft,
        digest=tokens.digest(secret),
        name=name,
        expires_at=expires_at,
        made_by_id=person.pk if person is not None else None,
    )
    events.note(ProjectEvent.Kind.TOKEN_MADE, token, project, draft, person)
    return token, secret


@transaction.atomic
def revoke(token: ApiToken, person: Person) -> None:
    """It opens nothing from now on."""
    token.revoke()
    events.note(ProjectEvent.Kind.TOKEN_REVOKED, token, token.project, token.draft, person)


def find(secret: str) -> ApiToken | None:
    """The token of a secret, if it opens something; found nothing in one way, as `projects.links.find`."""
    live = ApiToken.objects.filter(is_live(timezone.now()), digest=tokens.digest(secret))
    return live.select_related("project").first()


def designs(token: ApiToken) -> QuerySet[Draft]:
    """What it opens: a design that left the project is none of all its designs any more."""
    one = Q() if token.draft_id is None else Q(pk=token.draft_id)
    return Draft.objects.filter(one, project_id=token.project_id).order_by("name", "pk")


def reaching(draft: Draft) -> QuerySet[ApiToken]:
    """The tokens that open a design."""
    of_it = Q(draft=None) | Q(draft_id=draft.pk)
    return ApiToken.objects.filter(of_it, project=draft.project).select_related("made_by")


def of(project: Project) -> QuerySet[ApiToken]:
    """The tokens that open designs of a project, the newest first."""
    live = ApiToken.objects.filter(is_live(timezone.now()), project=project)
    return live.select_related("draft")


def left_behind(team: Team) -> QuerySet[ApiToken]:
    """The tokens that still open designs of a team, made by somebody who is not in it any more."""
    live = ApiToken.objects.filter(is_live(timezone.now()), project__team=team)
    left = live.exclude(made_by__in=team.memberships.values("user"))
    return left.select_related("made_by", "project", "draft")


def used(token: ApiToken) -> None:
    """Count that a program used it."""
    ApiToken.objects.filter(pk=token.pk).update(used=F("used") + 1, used_at=timezone.now())
