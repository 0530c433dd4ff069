"""Undo and redo of one's own edits, and the question whose value shall stand where others changed the same."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_POST

from designer.core.design.wording import ended
from designer.core.edits import Choice, Clash
from designer.views.requests import Request, place_of
from designer.views.workspace import Left, show
from projects import access, revisions, typed, undoing
from projects.models import Draft, Revision
from projects.reviews import name_of
from projects.revisions import Person

Step = Callable[[Draft, Person, int | None, Mapping[str, Choice]], Revision | None]


@require_POST
def undo(request: Request, slug: str) -> HttpResponse:
    return _step(request, slug, "undo", undoing.undo, "Undone", "Nothing of yours to undo.")


@require_POST
def redo(request: Request, slug: str) -> HttpResponse:
    return _step(request, slug, "redo", undoing.redo, "Done again", "Nothing of yours to redo.")


def _step(
    request: Request, slug: str, name: str, step: Step, done: str, nothing: str
) -> HttpResponse:
    draft = access.draft_for(request, slug)
    known = draft.position
    asked = request.POST.get("revision", "")
    number = typed.number(asked)
    is_there = draft.is_saved and (number is not None or not asked)
    try:
        taken = step(draft, request.user, number, choices_in(request.POST)) if is_there else None
    except undoing.OverlappingError as error:
        return _asked(request, draft, name, error)
    if taken is None:
        return _moved(request, draft, nothing)
    since = "" if known == taken.number else " What came after it stays."
    return _moved(request, draft, ended(f"{done}: {taken.note}") + since)


def choices_in(data: QueryDict) -> dict[str, Choice]:
    """What was chosen for each clash, as `_clashes.html` sends it."""
    found = {}
    for name in data:
        key = name.removeprefix("resolve-")
        if key != name:
            seen = str(data.get(f"seen-{key}", "")).replace("\r\n", "\n")
            found[key] = Choice("theirs" if data[name] == "theirs" else "mine", seen)
    return found


@dataclass(frozen=True)
class Overlap:
    """A clash, and the revision that made it."""

    clash: Clash
    by: Revision | None

    @property
    def by_name(self) -> str:
        return name_of(self.by.author) if self.by is not None else ""


def overlaps(draft: Draft, clashes: tuple[Clash, ...], since: int) -> list[Overlap]:
    return [Overlap(each, revisions.last_changed(draft, each.key, since)) for each in clashes]


def _asked(
    request: Request, draft: Draft, name: str, error: undoing.OverlappingError
) -> HttpResponse:
    """Why it cannot be taken back by itself, and what can be done."""
    context = {
        "step": name,
        "step_url": reverse(name, args=[draft.slug]),
        "taken": error.revision,
        "refusal": error,
        "overlaps": overlaps(draft, error.clashes, error.revision.number),
    }
    left = Left("designer/partials/_overlap.html", context)
    return show(
        request,
        draft,
        revisions.latest(draft),
        left,
        place=place_of(request).at(reverse("workspace", args=[draft.slug])),
        status=409,
    )


def _moved(request: Request, draft: Draft, said: str) -> HttpResponse:
    place = place_of(request).at(reverse("workspace", args=[draft.slug]))
    if not request.htmx:
        return redirect(str(place))
    design = revisions.latest(draft)
    response = show(request, draft, design, Left(), place=place, said=said)
    response.headers["HX-Push-Url"] = str(place)
    return response
