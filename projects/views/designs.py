"""One's designs: the list and what is searched in it, a new one, one from a file, a duplicate, one removed."""

from collections.abc import Iterable

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from designer.core.design import gallery
from designer.core.design.text import MAX_BYTES
from designer.core.edits import new_design
from designer.core.errors import DesignError
from designer.core.messages import say, text
from projects import access, documents, reviews, revisions, teams, waiting
from projects.forms import NameForm
from projects.models import Draft, Project, Right
from projects.refused import DeniedError, bounds_counted


@require_safe
def designs(request: HttpRequest) -> HttpResponse:
    """The visitor's designs by team and project, and their sandboxes with the time until which they last."""
    return _page(request)


@require_POST
def new(request: HttpRequest) -> HttpResponse:
    """A design from nothing; a sandbox when nobody is signed in."""
    form = NameForm(request.POST)
    if not form.is_valid():
        return _page(request, new_form=form, status=422)
    design = new_design(form.cleaned_data["name"])
    place = access.place_for(request, request.POST.get("project", ""))
    draft = revisions.start(place, design, "Start", request.user)
    return redirect("workspace", draft.slug)


@require_POST
def upload(request: HttpRequest) -> HttpResponse:
    """A design from a file; nothing is saved unless all of it is right."""
    file = request.FILES.get("file")
    try:
        if file is None:
            raise DesignError("no-file", say("design-file-needed"))
        with bounds_counted():
            if (file.size or 0) > MAX_BYTES:
                said = say("file-too-large", kilobytes=MAX_BYTES // 1000)
                raise DesignError("too-large", said)
            design = documents.read(file.read(), name=file.name or "The file")
    except DesignError as error:
        return _page(request, upload_error=error, status=422)
    place = access.place_for(request, request.POST.get("project", ""))
    draft = revisions.start(place, design, f"Upload {file.name}", request.user)
    return redirect("workspace", draft.slug)


@require_POST
def duplicate(request: HttpRequest, slug: str) -> HttpResponse:
    """A copy of the newest revision beside the design; in the visitor's own project where they may not add one there.

    It takes along no history, comments or links.
    """
    draft = access.draft_for(request, slug, Right.READ)
    beside = draft.project if draft.project is not None and draft.may_edit else None
    place = access.place_for(request, beside.slug if beside is not None else "")
    design = revisions.latest(draft)
    name = f"{design.name[:LONGEST_NAME]} (copy)"
    copy = design.model_copy(update={"name": name})
    made = revisions.start(place, copy, f"Duplicate {design.name}", request.user)
    messages.success(request, text(say("design-created", name=name)))
    return redirect("workspace", made.slug)


@require_POST
def remove(request: HttpRequest, slug: str) -> HttpResponse:
    draft = access.draft_for(request, slug, Right.MANAGE)
    if not draft.is_saved or draft.is_sandbox:
        raise Http404("A design without an owner cannot be removed; it expires.")
    draft.delete()
    messages.success(request, text(say("was-removed", name=draft.name)))
    return redirect("designs")


@login_required
@require_POST
def seen(request: HttpRequest) -> HttpResponse:
    """All that waits for somebody is seen: they have read it elsewhere, or need not."""
    waiting.all_seen(access.person_of(request))
    return redirect("designs")


@require_POST
def move(request: HttpRequest, slug: str) -> HttpResponse:
    """Put a design into another project. Only owners take it away from their team, and from stricter rules."""
    draft = access.draft_for(request, slug)
    if draft.project is None:
        raise Http404("Keep a design without an owner before you move it.")
    project = access.project_for(request, request.POST.get("project", ""), Right.EDIT)
    leaves = project.team_id != draft.project.team_id
    if leaves:
        access.draft_for(request, slug, Right.MANAGE)
    elif not draft.may_manage:
        _refuse_looser_rules(draft.project, project)
    try:
        teams.move(draft, project, access.person_of(request))
    except teams.RefusedError as refused:
        messages.error(request, str(refused))
        return redirect("designs")
    moved = say("design-moved", design=draft.name, project=project.name)
    ended = (say("former-links-ended"),) if leaves else ()
    messages.success(request, text(say("all-done", sentences=(moved, *ended))))
    return redirect("project", project.slug)


def _refuse_looser_rules(here: Project, there: Project) -> None:
    """Where a design goes to be approved with less, its move is a change of the rules, which is for owners."""
    if reviews.rules_of(there).are_looser(reviews.rules_of(here)):
        raise DeniedError(say("rules-looser", there=there.name, here=here.name))


LONGEST_NAME = 190
"""Characters of a name to which something can be added."""
MOST_WAITING = 12
"""Lines of what waits; the others come up when these are seen."""
BY_CHANGE = "changed"
SORTS = {BY_CHANGE: "Last changed", "name": "Name"}
"""The orders in which designs are listed, and what each is called."""


def _found(drafts: Iterable[Draft], words: list[str], sort: str) -> list[Draft]:
    """The drafts whose names have all the words, in an order."""
    found = [one for one in drafts if all(word in one.name.lower() for word in words)]
    return sorted(found, key=lambda one: one.name.lower()) if sort == "name" else found


def _page(request: HttpRequest, *, status: int = 200, **context: object) -> HttpResponse:
    context.setdefault("new_form", NameForm())
    asked = request.GET.get("q", "")
    sort = request.GET.get("sort", BY_CHANGE)
    words = asked.lower().split()
    found: list[Draft] = []

    def find(drafts: Iterable[Draft]) -> list[Draft]:
        here = _found(drafts, words, sort)
        found.extend(here)
        return here

    teams_shown = access.teams_of(request, find)
    sandboxes = find(access.sandboxes_of(request))
    waits, waiting_count = waiting.lines(request.user, MOST_WAITING)
    shown = {
        **context,
        "waiting": waits,
        "waiting_count": waiting_count,
        "asked": asked,
        "sort": sort,
        "sorts": SORTS,
        "is_searched": bool(words),
        "has_found": bool(found),
        "has_several": access.designs_of(request).count() > 1,
        "teams": teams_shown,
        "sandboxes": sandboxes,
        "places": access.places_of(request),
        "chosen": request.POST.get("project", ""),
        "cards": gallery.cards(),
    }
    return render(request, "projects/designs.html", shown, status=status)
