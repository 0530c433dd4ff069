"""Who may open which design."""

import secrets

from django.contrib.sessions.models import Session
from django.db.models import Q, QuerySet
from django.http import Http404, HttpRequest
from django.utils import timezone

from designer.core import gallery
from projects import revisions
from projects.models import Project, sandbox_end

SANDBOX = "sandbox"
"""Where a visitor's session keeps the key of their sandboxes."""


def project_for(request: HttpRequest, slug: str) -> Project:
    """The visitor's own project, or a design of the gallery (their sandbox copy of it, once there
    is one).

    Http404 when there is none that they may see: to a stranger a design does not exist.
    """
    if slug in gallery.SLUGS:
        return sandbox_of(request, slug) or from_gallery(slug)
    project = Project.objects.filter(_theirs(request), slug=slug).first()
    if project is None:
        raise Http404("There is no such design, or it isn't yours.")
    return project


def designs_of(request: HttpRequest) -> QuerySet[Project]:
    """Every design that the visitor owns or has in a sandbox, the last changed first."""
    return Project.objects.filter(_theirs(request)).order_by("-updated_at")


def from_gallery(slug: str) -> Project:
    """A project that stands for a design of the gallery; it is not saved."""
    if slug not in gallery.SLUGS:
        raise Http404("The gallery has no such design.")
    return Project(slug=slug, template=slug, name=gallery.load(slug).name)


def sandbox_of(request: HttpRequest, slug: str) -> Project | None:
    """The visitor's newest sandbox copy of a design of the gallery."""
    key = request.session.get(SANDBOX)
    if not key:
        return None
    live = Project.objects.filter(_sandboxes(request), template=slug)
    return live.order_by("-pk").first()


def begin_session(request: HttpRequest) -> None:
    """Make sure that the visitor has a session in the database, which an edit can hold."""
    if request.session.session_key is None:
        request.session.save()


def sandbox_of_now(request: HttpRequest, slug: str) -> Project | None:
    """The same as the database has it now, within a transaction that may make one: it holds the
    visitor's session to its end, so that two first edits at once share one copy.
    """
    held = Session.objects.select_for_update().filter(pk=request.session.session_key).first()
    key = held.get_decoded().get(SANDBOX) if held is not None else None
    if key:
        request.session[SANDBOX] = key
    elif held is not None:
        request.session.setdefault(SANDBOX, secrets.token_urlsafe(32))
        request.session.save()
    return sandbox_of(request, slug)


def copy(request: HttpRequest, project: Project, *, to_keep: bool = False) -> Project:
    """A sandbox copy of the design; to keep, it is the visitor's own if they are signed in."""
    new = place_for(request) if to_keep else _sandbox(request)
    new.template = project.template
    design = revisions.latest(project)
    return revisions.start(new, design, f"Copy {design.name}", request.user)


def place_for(request: HttpRequest) -> Project:
    """An empty project for a new design: the visitor's own, or a sandbox for 24 hours."""
    if request.user.is_authenticated:
        return Project(owner_id=request.user.pk)
    return _sandbox(request)


CLEARED_AT_ONCE = 20


def clear_sandboxes(most: int | None = None) -> int:
    """Remove sandboxes whose time is over, at most so many; the number removed."""
    over = Project.objects.filter(owner=None, expires_at__lte=timezone.now()).order_by("expires_at")
    old = list(over.values_list("pk", flat=True)[:most])
    Project.objects.filter(pk__in=old).delete()
    return len(old)


def _sandbox(request: HttpRequest) -> Project:
    clear_sandboxes(CLEARED_AT_ONCE)
    if SANDBOX not in request.session:
        request.session[SANDBOX] = secrets.token_urlsafe(32)
    return Project(sandbox_key=request.session[SANDBOX], expires_at=sandbox_end())


def keep(request: HttpRequest, slug: str) -> Project | None:
    """Make the visitor's sandbox theirs for good, now that they are signed in. None when it
    isn't there.
    """
    project = Project.objects.filter(_sandboxes(request), slug=slug).first()
    if project is None:
        return None
    project.owner_id = request.user.pk
    project.sandbox_key = ""
    project.expires_at = None
    project.save(update_fields=["owner", "sandbox_key", "expires_at"])
    return project


def _theirs(request: HttpRequest) -> Q:
    sandboxes = _sandboxes(request)
    return Q(owner=request.user) | sandboxes if request.user.is_authenticated else sandboxes


def _sandboxes(request: HttpRequest) -> Q:
    key = request.session.get(SANDBOX)
    if not key:
        return Q(pk__in=[])
    return Q(owner=None, sandbox_key=key, expires_at__gt=timezone.now())
