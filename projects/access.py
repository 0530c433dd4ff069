"""Who may open which design."""

import secrets
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.db import transaction
from django.db.models import F, Prefetch, Q, QuerySet
from django.db.models.lookups import IsNull
from django.http import Http404, HttpRequest
from django.urls import reverse
from django.utils import timezone

from designer.core.design import gallery
from designer.core.design.document import Design
from designer.core.messages import say
from projects import quotas, reviews, revisions, teams, typed
from projects.models import Draft, Membership, Project, Revision, Right, Role, Team, sandbox_end
from projects.refused import DeniedError

SAFE = ("GET", "HEAD", "OPTIONS")
OWN = Role.OWNER.rights
"""What visitors may do with what they made themselves."""
SANDBOX = "sandbox"
"""Where a visitor's session keeps the key of their sandboxes."""
BY_NAME = (IsNull(F("archived_at"), False), "name", "pk")
"""The order of projects: by name, archived ones last."""


def draft_for(request: HttpRequest, slug: str, may: Right | None = None) -> Draft:
    """A design that the visitor may open, with their rights: one of their teams', one in their sandbox, or a design of
    the gallery (their sandbox copy of it, once there is one).

    What they must be allowed to do follows from the method unless it is given: to read, or to edit. Http404 when
    there is none that they may see: to a stranger a design does not exist. PermissionDenied when they may see it,
    and no more.
    """
    if slug in gallery.SLUGS:
        return sandbox_of(request, slug) or from_gallery(slug)
    draft = designs_of(request).filter(slug=slug).first()
    if draft is None:
        raise Http404("There is no such design, or it isn't yours.")
    draft.rights = OWN if draft.project is None else _rights_in(request, draft.project)
    _demand(request, may, Right.EDIT, draft.rights, draft.project)
    return draft


def revision_of(draft: Draft, number: int) -> Revision:
    """A revision of a draft that the visitor may see, with its name if it has one. Http404 when there is none."""
    every = Revision.objects.filter(draft_id=draft.pk).select_related("author", "named__author")
    found = every.filter(number=number).first()
    if found is None:
        raise Http404("There is no such revision.")
    return found


def revision_asked(request: HttpRequest, draft: Draft, name: str) -> Revision | None:
    """The revision that a parameter of the address names: `12`, or `r12`; None without one. Http404 when there is no
    such revision.
    """
    asked = request.GET.get(name, "").strip()
    # No revision has the number 0.
    return revision_of(draft, typed.number(asked.removeprefix("r")) or 0) if asked else None


def person_of(request: HttpRequest) -> User:
    """The visitor, on a page for those who are signed in."""
    assert isinstance(request.user, User)
    return request.user


def project_for(request: HttpRequest, slug: str, may: Right | None = None) -> Project:
    """A project of one of the visitor's teams, with their rights; else as `draft_for`, but that more than to read
    is to manage it unless it is given.
    """
    found = Project.objects.filter(team__in=_teams(request), slug=slug)
    project = found.select_related("team").first()
    if project is None:
        raise Http404("There is no such project, or it isn't your team's.")
    project.rights = _rights_in(request, project)
    _demand(request, may, Right.MANAGE, project.rights, project)
    return project


def team_for(request: HttpRequest, slug: str, may: Right | None = None) -> Team:
    """One of the visitor's teams, with their rights; else as `project_for`."""
    team = _teams(request).filter(slug=slug).first()
    if team is None:
        raise Http404("There is no such team, or you aren't in it.")
    team.rights = _rights_of(request, team.pk)
    _demand(request, may, Right.MANAGE, team.rights)
    return team


def teams_of(
    request: HttpRequest, found_in: Callable[[list[Draft]], list[Draft]] = list
) -> Sequence[Team]:
    """The visitor's teams, their own first, with their rights, and with `shown`: their projects by name, archived
    ones last, each with its rights and its designs (`shown_drafts`) with their status, the last changed first, or what
    is found in these.
    """
    drafts = Prefetch("drafts", Draft.objects.order_by("-updated_at"), to_attr="shown_drafts")
    projects = Project.objects.order_by(*BY_NAME).prefetch_related(drafts)
    found = _teams(request).prefetch_related(Prefetch("projects", projects, to_attr="shown"))
    roles = dict(_memberships(request).values_list("team_id", "role"))
    teams = sorted(
        found.order_by("name", "pk"), key=lambda team: team.home_of_id != request.user.pk
    )
    for team in teams:
        team.rights = Role(roles[team.pk]).rights
        for project in team.shown:
            project.rights = _rights_left(team.rights, project)
            project.shown_drafts = found_in(project.shown_drafts)
    reviews.note_status(
        draft for team in teams for project in team.shown for draft in project.shown_drafts
    )
    return teams


def places_of(request: HttpRequest) -> list[Project]:
    """The projects that the visitor may put designs into, team by team, their own first."""
    writing = _memberships(request).filter(role__in=[Role.EDITOR, Role.OWNER])
    found = Project.objects.filter(team__memberships__in=writing, archived_at=None)
    by_team = found.select_related("team").order_by("team__name", "team__pk", "name", "pk")
    return sorted(by_team, key=lambda project: project.team.home_of_id != request.user.pk)


def designs_of(request: HttpRequest) -> QuerySet[Draft]:
    """Every design of the visitor's teams, and what they have in a sandbox, the last changed first."""
    found = Draft.objects.filter(_theirs(request)).select_related("project__team")
    return found.order_by("-updated_at")


def sandboxes_of(request: HttpRequest) -> QuerySet[Draft]:
    """What the visitor has in sandboxes, the last changed first."""
    return Draft.objects.filter(_sandboxes(request)).order_by("-updated_at")


def from_gallery(slug: str) -> Draft:
    """A draft that stands for a design of the gallery; it is not saved."""
    if slug not in gallery.SLUGS:
        raise Http404("The gallery has no such design.")
    draft = Draft(slug=slug, template=slug, name=gallery.load(slug).name)
    draft.rights = OWN
    return draft


def sandbox_of(request: HttpRequest, slug: str) -> Draft | None:
    """The visitor's newest sandbox copy of a design of the gallery."""
    key = request.session.get(SANDBOX)
    if not key:
        return None
    live = Draft.objects.filter(_sandboxes(request), template=slug)
    draft = live.order_by("-pk").first()
    if draft is not None:
        draft.rights = OWN
    return draft


@contextmanager
def begun_session(request: HttpRequest) -> Iterator[None]:
    """Within it the visitor has a session in the database, which an edit can hold. One that was begun for an edit that
    is refused goes again: a flood of refused edits must not fill the disk.
    """
    is_new = request.session.session_key is None
    if is_new:
        request.session.save()
    try:
        yield
    except Exception:
        if is_new:
            request.session.flush()
        raise


def sandbox_of_now(request: HttpRequest, slug: str) -> Draft | None:
    """The same as the database has it now, within a transaction that may make one: it holds the
    visitor's session to its end, so that two first edits at once share one copy.
    """
    held = Session.objects.select_for_update().filter(pk=request.session.session_key).first()
    key = held.get_decoded().get(SANDBOX) if held is not None else None
    if key:
        request.session[SANDBOX] = key
    elif held is not None:
        request.session.set_expiry(None)  # one that was begun for single sign-on ends soon
        request.session.setdefault(SANDBOX, secrets.token_urlsafe(32))
        request.session.save()
    return sandbox_of(request, slug)


def own(request: HttpRequest, draft: Draft) -> Draft:
    """The draft; of a design of the gallery the visitor's sandbox copy, which is made when there is none."""
    if draft.is_saved:
        return draft
    with begun_session(request), transaction.atomic():
        # Another window may have made the copy since this request began.
        return sandbox_of_now(request, draft.slug) or copy(request, draft)


def as_it_is(request: HttpRequest, draft: Draft) -> Draft:
    """The draft; of a design of the gallery the sandbox copy that another window made since this request began."""
    return draft if draft.is_saved else sandbox_of(request, draft.slug) or draft


def copy(
    request: HttpRequest, draft: Draft, into: Draft | None = None, design: Design | None = None
) -> Draft:
    """A copy of the design, or of what was made of it: a sandbox, or `into` an empty draft that `place_for` gave."""
    new = into or _sandbox(request)
    new.rights = OWN
    new.template = draft.template
    design = design or revisions.latest(draft)
    return revisions.start(new, design, f"Copy {design.name}", request.user)


def place_for(request: HttpRequest, project: str = "") -> Draft:
    """An empty draft for a new design: in the project of this slug, in the visitor's own when none is given, or a
    sandbox for 24 hours when nobody is signed in. Errors as of `project_for`.
    """
    if not request.user.is_authenticated:
        draft = _sandbox(request)
    elif project:
        draft = Draft(project=project_for(request, project, Right.EDIT))
    else:
        draft = Draft(project=teams.home(request.user))
    draft.rights = OWN
    return draft


def clear_sandboxes(most: int | None = None) -> int:
    """Remove sandboxes whose time is over, at most so many; the number removed."""
    over = Draft.objects.filter(project=None, expires_at__lte=timezone.now()).order_by("expires_at")
    old = list(over.values_list("pk", flat=True)[:most])
    Draft.objects.filter(pk__in=old).delete()
    return len(old)


def _sandbox(request: HttpRequest) -> Draft:
    key = request.session.get(SANDBOX) or secrets.token_urlsafe(32)
    # Before the session has it: what is refused leaves no session.
    quotas.room_for_a_sandbox(key)
    if SANDBOX not in request.session:
        request.session.set_expiry(None)
        request.session[SANDBOX] = key
    return Draft(sandbox_key=key, expires_at=sandbox_end())


def keep(request: HttpRequest, slug: str, project: str = "") -> Draft | None:
    """Make the visitor's sandbox theirs for good, now that they are signed in: in the project of this slug, or in their
    own when none is given. None when it isn't there; errors as of `project_for`.
    """
    draft = Draft.objects.filter(_sandboxes(request), slug=slug).first()
    if draft is None:
        return None
    assert request.user.is_authenticated
    draft.project = (
        project_for(request, project, Right.EDIT) if project else teams.home(request.user)
    )
    draft.sandbox_key = ""
    draft.expires_at = None
    draft.save(update_fields=["project", "sandbox_key", "expires_at"])
    # What they did before they signed in, they did: they can undo it, and the history says so.
    draft.revisions.filter(author=None).update(author=request.user.pk)
    draft.links.filter(made_by=None).update(made_by=request.user.pk)
    return draft


def page_of(draft: Draft, wanted: str) -> str:
    """An address that was asked for, where it is a page of this design; else the workspace."""
    workspace = reverse("workspace", args=[draft.slug])
    return wanted if wanted.startswith(workspace) and ".." not in wanted else workspace


def _theirs(request: HttpRequest) -> Q:
    sandboxes = _sandboxes(request)
    if not request.user.is_authenticated:
        return sandboxes
    return Q(project__team__in=_teams(request)) | sandboxes


def _sandboxes(request: HttpRequest) -> Q:
    key = request.session.get(SANDBOX)
    if not key:
        return Q(pk__in=[])
    return Q(project=None, sandbox_key=key, expires_at__gt=timezone.now())


def _memberships(request: HttpRequest) -> QuerySet[Membership]:
    if not request.user.is_authenticated:
        return Membership.objects.none()
    return Membership.objects.filter(user=request.user)


def _teams(request: HttpRequest) -> QuerySet[Team]:
    return Team.objects.filter(pk__in=_memberships(request).values("team"))


def _rights_of(request: HttpRequest, team: int) -> frozenset[Right]:
    return Role(_memberships(request).get(team_id=team).role).rights


def _rights_in(request: HttpRequest, project: Project) -> frozenset[Right]:
    return _rights_left(_rights_of(request, project.team_id), project)


def _rights_left(rights: frozenset[Right], project: Project) -> frozenset[Right]:
    """What may be done in a project by who has these rights in its team; an archived one is read, and managed."""
    return rights & {Right.READ, Right.MANAGE} if project.is_archived else rights


def _demand(
    request: HttpRequest,
    may: Right | None,
    to_write: Right,
    rights: frozenset[Right],
    project: Project | None = None,
) -> None:
    needed = may or (Right.READ if request.method in SAFE else to_write)
    if needed in rights:
        return
    if project is not None and project.is_archived and needed is not Right.MANAGE:
        raise DeniedError(say("project-archived"))
    raise DeniedError(say("role-too-low"))
