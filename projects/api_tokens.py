"""Tokens for programs: made, found, counted, and the designs that they open."""

from datetime import datetime

from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone

from designer.core.errors import DesignError
from designer.core.messages import say
from projects import events, tokens
from projects.models import ApiToken, Draft, Project, ProjectEvent, Team
from projects.models.links import is_live
from projects.revisions import Person

PREFIX = "keywright_"
"""Tells whoever finds one in a log what it is; scanners for secrets look for it."""
MOST = 50
"""Tokens of a project that open something at once."""
OVER = 20
"""Of those that open nothing any more, so many are listed, and further ones forgotten."""


@transaction.atomic
def make(
    project: Project,
    person: Person,
    *,
    draft: Draft | None = None,
    name: str = "",
    expires_at: datetime | None = None,
) -> tuple[ApiToken, str]:
    """A new token for a design of the project, or for all of them; and its secret, which is not kept.
    DesignError when the project has as many as it may.
    """
    Project.objects.select_for_update().only("pk").get(pk=project.pk)
    now = timezone.now()
    if project.tokens.filter(is_live(now)).count() >= MOST:
        raise DesignError("too-much", say("tokens-at-limit", most=MOST))
    secret = PREFIX + tokens.new()
    token = ApiToken.objects.create(
        project=project,
        draft=draft,
        digest=tokens.digest(secret),
        name=name,
        expires_at=expires_at,
        made_by_id=person.pk if person is not None else None,
    )
    over = project.tokens.exclude(is_live(now))
    forgotten = list(over.values_list("pk", flat=True)[OVER:])
    ApiToken.objects.filter(pk__in=forgotten).delete()
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


def listed(draft: Draft) -> list[ApiToken]:
    """The tokens that a page shows of a design: those that open it, and the newest of the others."""
    every, live = reaching(draft), is_live(timezone.now())
    return [*every.filter(live)[:MOST], *every.exclude(live)[:OVER]]


def of(project: Project) -> QuerySet[ApiToken]:
    """The tokens that open designs of a project, the newest first."""
    live = ApiToken.objects.filter(is_live(timezone.now()), project=project)
    return live.select_related("draft")[:MOST]


def left_behind(team: Team) -> QuerySet[ApiToken]:
    """The tokens that still open designs of a team, made by somebody who is not in it any more: so many as
    one project may have, and others once these are revoked.
    """
    live = ApiToken.objects.filter(is_live(timezone.now()), project__team=team)
    left = live.exclude(made_by__in=team.memberships.values("user"))
    return left.select_related("made_by", "project", "draft")[:MOST]


def used(token: ApiToken) -> None:
    """Count that a program used it."""
    ApiToken.objects.filter(pk=token.pk).update(used=F("used") + 1, used_at=timezone.now())
