"""Who may open which design."""

import secrets

from django.contrib.sessions.models import Session
from django.core.exceptions import PermissionDenied
from django.db.models import Q, QuerySet
from django.http import Http404, HttpRequest
from django.utils import timezone

from designer.core import gallery
from projects import revisions, teams
from projects.models import Draft, Membership, Right, Role, Team, sandbox_end

SAFE = ("GET", "HEAD", "OPTIONS")
OWN = Role.OWNER.rights
"""What visitors may do with what they made themselves."""
SANDBOX = "sandbox"
"""Where a visitor's session keeps the key of their sandboxes."""


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
    draft.rights = _rights(request, draft)
    needed = may or (Right.READ if request.method in SAFE else Right.EDIT)
    if needed not in draft.rights:
        raise PermissionDenied(_denied(draft))
    return draft


def designs_of(request: HttpRequest) -> QuerySet[Draft]:
    """Every design of the visitor's teams, and what they have in a sandbox, the last changed first."""
    found = Draft.objects.filter(_theirs(request)).select_related("project__team")
    return found.order_by("-updated_at")


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


def begin_session(request: HttpRequest) -> None:
    """Make sure that the visitor has a session in the database, which an edit can hold."""
    if request.session.session_key is None:
        request.session.save()


def sandbox_of_now(request: HttpRequest, slug: str) -> Draft | None:
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


def copy(request: HttpRequest, draft: Draft, *, to_keep: bool = False) -> Draft:
    """A sandbox copy of the design; to keep, it is the visitor's own if they are signed in."""
    new = place_for(request) if to_keep else _sandbox(request)
    new.rights = OWN
    new.template = draft.template
    design = revisions.latest(draft)
    return revisions.start(new, design, f"Copy {design.name}", request.user)


def place_for(request: HttpRequest) -> Draft:
    """An empty draft for a new design: in the visitor's own project, or a sandbox for 24 hours."""
    draft = (
        Draft(project=teams.home(request.user))
        if request.user.is_authenticated
        else _sandbox(request)
    )
    draft.rights = OWN
    return draft


CLEARED_AT_ONCE = 20


def clear_sandboxes(most: int | None = None) -> int:
    """Remove sandboxes whose time is over, at most so many; the number removed."""
    over = Draft.objects.filter(project=None, expires_at__lte=timezone.now()).order_by("expires_at")
    old = list(over.values_list("pk", flat=True)[:most])
    Draft.objects.filter(pk__in=old).delete()
    return len(old)


def _sandbox(request: HttpRequest) -> Draft:
    clear_sandboxes(CLEARED_AT_ONCE)
    if SANDBOX not in request.session:
        request.session[SANDBOX] = secrets.token_urlsafe(32)
    return Draft(sandbox_key=request.session[SANDBOX], expires_at=sandbox_end())


def keep(request: HttpRequest, slug: str) -> Draft | None:
    """Make the visitor's sandbox theirs for good, now that they are signed in. None when it
    isn't there.
    """
    draft = Draft.objects.filter(_sandboxes(request), slug=slug).first()
    if draft is None:
        return None
    assert request.user.is_authenticated
    draft.project = teams.home(request.user)
    draft.sandbox_key = ""
    draft.expires_at = None
    draft.save(update_fields=["project", "sandbox_key", "expires_at"])
    # What they did before they signed in, they did: they can undo it, and the history says so.
    draft.revisions.filter(author=None).update(author=request.user.pk)
    return draft


def _theirs(request: HttpRequest) -> Q:
    sandboxes = _sandboxes(request)
    if not request.user.is_authenticated:
        return sandboxes
    return Q(project__team__in=Team.objects.filter(memberships__user=request.user)) | sandboxes


def _sandboxes(request: HttpRequest) -> Q:
    key = request.session.get(SANDBOX)
    if not key:
        return Q(pk__in=[])
    return Q(project=None, sandbox_key=key, expires_at__gt=timezone.now())


def _rights(request: HttpRequest, draft: Draft) -> frozenset[Right]:
    """What the visitor may do with a design that they may see; with one of an archived project, read it."""
    if draft.project is None:
        return OWN
    assert request.user.is_authenticated
    membership = Membership.objects.get(team_id=draft.project.team_id, user=request.user)
    rights = Role(membership.role).rights
    return rights if draft.project.archived_at is None else rights & {Right.READ, Right.MANAGE}


def _denied(draft: Draft) -> str:
    if draft.project is not None and draft.project.archived_at is not None:
        return "The project of this design is archived. An owner of its team can restore it."
    return (
        "You may read this design, and not do that. An owner of its team can give you another role."
    )
