"""Undo and redo of one's own edits, and the question whose value shall stand where others changed the same."""

from collections.abc import Callable, Mapping

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import Resolver404, resolve, reverse
from django.views.decorators.http import require_POST
from django_htmx.http import trigger_client_event

from designer.core.design.document import Design
from designer.core.design.ids import ids
from designer.core.edits import Choice, Clash
from designer.core.words.english import ended
from designer.forms.base import Clash as FormClash
from designer.forms.choices import choices_in
from designer.forms.clashes import in_words
from designer.views.overlaps import overlaps_of_designs
from designer.views.requests import Place, Request, place_of
from designer.views.workspace import Left, show
from projects import access, revisions, typed, undoing
from projects.models import Draft
from projects.revisions import Person

Step = Callable[[Draft, Person, int | None, Mapping[str, Choice]], undoing.Taken | None]


@require_POST
def undo(request: Request, slug: str) -> HttpResponse:
    return _step(request, slug, "undo", undoing.undo, "Undone", "There is nothing to undo.")


@require_POST
def redo(request: Request, slug: str) -> HttpResponse:
    return _step(request, slug, "redo", undoing.redo, "Redone", "There is nothing to redo.")


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
    edit = taken.edit
    if taken.is_left:
        nothing_came = f"Nothing is {done.lower()}: what r{edit.number} changed stays as it is now."
        return _moved(request, draft, nothing_came)
    since = "" if known == edit.number else " Later changes stay."
    return _moved(request, draft, ended(f"{done}: {edit.note}") + since)


def _asked(
    request: Request, draft: Draft, name: str, error: undoing.OverlappingError
) -> HttpResponse:
    """Why it cannot be taken back by itself, and what can be done."""
    size = revisions.current(draft).bytes or revisions.USUAL_BYTES
    said = set(error.clashes[: min(MOST_IN_WORDS, BROUGHT_TOGETHER // size)])
    theirs = error.taking() if said else None

    def words(clash: Clash) -> FormClash:
        if clash not in said:
            return in_words(clash, None, None)
        return in_words(clash, error.taking(clash), theirs)

    context = {
        "step": name,
        "step_url": reverse(name, args=[draft.slug]),
        "taken": error.revision,
        "refusal": error,
        "overlaps": overlaps_of_designs(
            request,
            draft,
            error.clashes,
            error.revision.number,
            in_words=words,
            mine="as it was before",
            theirs="as it is now",
        ),
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


MOST_IN_WORDS = 20
BROUGHT_TOGETHER = 400_000
"""Clashes said in the words of their forms, and bytes of documents for all of them. Each takes the whole design brought
together once more; further ones are said as the document has them.
"""


def _moved(request: Request, draft: Draft, said: str) -> HttpResponse:
    """What came of it: in the form that somebody is in, when what it is about is still there, and beside one of
    something new, with what is typed in it; else beside the statement.
    """
    here = place_of(request)
    place = here.at(reverse("workspace", args=[draft.slug]))
    design = revisions.latest(draft)
    name, is_there = _form_at(here, design)
    if request.htmx and name in NEW_FORMS and is_there:
        response = show(request, draft, design, Left(), place=here, said=said, keeps_panel=True)
        response.headers["HX-Retarget"] = "#results"
        response.headers["HX-Reswap"] = "morph:innerHTML"
        return trigger_client_event(response, "panel-kept", after="settle")
    if not request.htmx or (name in FORMS and is_there):
        messages.success(request, said)
        return redirect(str(here if request.htmx else place))
    response = show(request, draft, design, Left(), place=place, said=said)
    response.headers["HX-Push-Url"] = str(place)
    return response


def _form_at(place: Place, design: Design) -> tuple[str, bool]:
    """The name of the page, and whether the parts that it is about are in the design."""
    try:
        match = resolve(place.page_url)
    except Resolver404:
        return "", False
    parts = {match.kwargs[key] for key in ("entity", "key") if key in match.kwargs}
    return match.url_name or "", parts <= ids(design)


FORMS = ("settings", "entity", "attribute", "relationship", "pattern")
"""The pages that change something that is there already."""
NEW_FORMS = (
    "entity-add",
    "attribute-add",
    "attributes-add",
    "outline",
    "relationship-add",
    "relationships-add",
    "pattern-add",
    "patterns-add",
    "pin-add",
    "pin-this",
    "rule-ignore",
    "finding-ignore",
)
"""The pages that add something. Nothing that is typed there is saved anywhere yet."""
