"""The workspace of a design: its page, its fragments, and the one way in which every edit
replies.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from django.contrib import messages
from django.contrib.messages import get_messages
from django.db import transaction
from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_safe

from designer.core.cost.price import prices
from designer.core.design import unstated
from designer.core.design.document import Design
from designer.core.edits import identified, merged
from designer.core.errors import DesignError
from designer.core.evaluation.evaluate import Evaluation
from designer.core.messages import say
from designer.core.words.english import ended
from designer.forms.base import ConflictError, Form, InvalidError
from designer.views.addresses import Urls
from designer.views.guidance import Guided, guided
from designer.views.news import news_of, said
from designer.views.overlaps import Overlap, overlaps
from designer.views.pin_lines import pin_key
from designer.views.plan_tabs import tabs
from designer.views.requests import Place, Request, is_news, path_shown, place_of, tells_of_an_edit
from designer.views.results import derived, evaluated, results, styles_of
from projects import (
    access,
    later,
    plans,
    recording,
    reviews,
    revisions,
    shares,
    threads,
    undoing,
    work,
    workers,
)
from projects.models import Draft, Revision
from projects.reviews import name_of

NEW = {
    "entities": "entity-add",
    "relationships": "relationships-add",
    "patterns": "patterns-add",
    "figures": "figures",
    "proof": "prove",
}
"""The pages where parts of a kind are made, figures stated and plans proven."""


@dataclass(frozen=True)
class Left:
    """What stands in the left column: the statement, or one form."""

    template: str = "designer/partials/_statement.html"
    context: dict[str, Any] = field(default_factory=dict)
    waiting: bool = False
    """Something that it shows is still being worked out."""
    is_list: bool = False
    """Its parts have pages of their own, whose findings it shows too."""


@dataclass(frozen=True)
class Saved:
    """Where an edit leads: the address that the browser then shows, and what stands in the left
    column.
    """

    url: str
    left: Left
    state: dict[str, str | None] = field(default_factory=dict)


def to_statement(draft: Draft, design: Design, form: Form | None = None) -> Saved:
    """Where an edit leads after which nothing is left to type: back to the statement."""
    return Saved(reverse("workspace", args=[draft.slug]), Left())


class ChangedMeanwhileError(DesignError):
    """What was to be removed is not what the page showed any more."""

    def __init__(self) -> None:
        super().__init__("changed-meanwhile", say("changed-meanwhile"))


class DraftUrls(Urls):
    """Addresses of the parts of one draft's design."""

    def __init__(self, draft: Draft, design: Design) -> None:
        self.slug = draft.slug
        self.design = design
        self._by_number = {str(pattern.number): pattern for pattern in design.patterns}

    def of(self, place: str) -> str:
        """The address of the form for a part of the design; empty when there is none."""
        root, _, rest = place.partition(".")
        if root == "patterns":
            pattern = self._by_number.get(rest.partition(".")[0])
            if pattern is not None:
                return reverse("pattern", args=[self.slug, pattern.id])
        if place in NEW:
            return reverse(NEW[place], args=[self.slug])
        if root == "entities" and rest:
            name, _, rest = rest.partition(".")
            entity = self.design.entity.get(name)
            attribute = entity.by_name.get(rest.removeprefix("attributes.")) if entity else None
            if entity is not None and attribute is not None:
                return reverse("attribute", args=[self.slug, entity.id, attribute.id])
            if entity is not None:
                return reverse("entity", args=[self.slug, entity.id])
        if root == "relationships":
            relationship = self.design.relationship.get(rest.partition(".")[0])
            if relationship is not None:
                return reverse("relationship", args=[self.slug, relationship.id])
        if place.startswith("planner.pins"):
            number, pins = place.removeprefix("planner.pins").strip("."), self.design.planner.pins
            if number.isdecimal() and 0 < int(number) <= len(pins):
                return reverse("pin", args=[self.slug, pin_key(pins[int(number) - 1])])
            return reverse("pins", args=[self.slug])
        if root in ("planner", "region", "billing", "context"):
            return reverse("settings", args=[self.slug])
        return ""

    def page(self, name: str, *about: object) -> str:
        return reverse(name, args=[self.slug, *about])


@require_safe
def workspace(request: Request, slug: str) -> HttpResponse:
    draft = access.draft_for(request, slug)
    if draft.slug != slug:
        return redirect(str(place_of(request).at(reverse("workspace", args=[draft.slug]))))
    return show(request, draft, revisions.latest(draft), Left())


def show(
    request: Request,
    draft: Draft,
    design: Design,
    left: Left,
    *,
    place: Place | None = None,
    status: int = 200,
    page: str = "designer/workspace.html",
    with_grid: bool = True,
    waiting: bool = False,
    **more: Any,
) -> HttpResponse:
    """The page of a draft, or the part of it that was asked for. `waiting`: something of its own is still being worked
    out.
    """
    urls = DraftUrls(draft, design)
    mine: dict[str, Any] = {
        "draft": draft,
        "bar": "designer/partials/_bar.html",
        "may_edit": draft.may_edit,
        "without_rate": len(unstated.rates(design)),
        "lacks_rates": unstated.lacks_rates(design),
        "steps": lambda: undoing.steps(draft, request.user),
        # What was refused is on this page alone: it does not fetch itself anew.
        "is_kept": status >= 400 and not request.htmx,
        "news": lambda: news_of(request, draft, design),
        "may_comment": draft.may_comment and draft.project is not None,
        "open_threads": threads.open_on(draft),
        "is_in_review": lambda: reviews.open_review(draft) is not None,
        "plan_tabs": lambda: tabs(draft, design, place or place_of(request)),
        "guide": lambda evaluation: guided(draft, design, evaluation, urls),
    }
    if tells_of_an_edit(request, draft.version):
        mine["said"] = said(request, draft)
    if request.htmx and (told := list(get_messages(request))):
        # After a redirect that the browser followed by itself. A whole page tells them elsewhere.
        mine["said"] = " ".join(map(str, told))
    return look(
        request,
        draft,
        design,
        left,
        urls,
        place=place,
        status=status,
        page=page,
        with_grid=with_grid,
        waiting=waiting,
        **(mine | more),
    )


def look(
    request: Request,
    of: Draft,
    design: Design,
    left: Left,
    urls: Urls,
    *,
    place: Place | None = None,
    status: int = 200,
    page: str = "designer/workspace.html",
    with_grid: bool = True,
    waiting: bool = False,
    has_fragments: bool = True,
    keeps_panel: bool = False,
    answer: str = "",
    guide: Callable[[Evaluation | None], Guided] | None = None,
    **context: Any,
) -> HttpResponse:
    """The same of a design for whoever may look at it. The templates are given the draft by its own pages only.

    `has_fragments`: they may see the statement and the tables, so that parts of these answer where they are asked for;
    else the answer is the page whatever was asked for. `keeps_panel`: the left column stays as the browser has it, and
    the answer is all else. `answer`: the template of an answer that is none of these.
    """
    place = place or place_of(request)
    waiting = waiting or left.waiting
    was_planning = bool(request.htmx) and request.htmx.trigger == "planning"
    if was_planning and (waiting or evaluated(of, design, styles_of(place)).standing == "planning"):
        return HttpResponse(status=204)
    target = request.htmx.target if request.htmx and has_fragments else None
    # Only whoever is at a form asks for the news of the results alone.
    keeps_panel = keeps_panel or (is_news(request) and target == "results")
    found = results(of, design, place, urls, with_grid=with_grid)
    evaluation = found["evaluation"] if found["standing"] == "planned" else None
    context["stopped"] = context.get("stopped") or found["stopped"]
    if isinstance(form := left.context.get("form"), Form) and evaluation is not None:
        form.assumed = next(iter(evaluation.plans.values())).assumed
    shown = {
        **found,
        # A fragment is polled for at the address of what is shown, so a form finds its own findings again.
        "findings_here": [
            line
            for line in found["findings"]
            if line.url == place.page_url or (left.is_list and line.url.startswith(place.page_url))
        ],
        "design": design,
        "place": place,
        "urls": urls,
        # An edit is posted to another address than the one that the browser shows after it.
        "here": request.get_full_path() if request.method == "GET" else str(place),
        "with_grid": with_grid,
        "was_planning": was_planning,
        "is_news": is_news(request),
        "waiting": waiting,
        "left": left.template,
        "is_statement": left.template == Left().template and not keeps_panel,
        "keeps_panel": keeps_panel,
        "nobody_plans": lambda: not workers.is_at_work(work.QUEUE),
        "waits_its_turn": lambda: later.is_behind(shares.of(of)),
        "guide": partial(guide, evaluation) if guide is not None else None,
        **left.context,
        **context,
    }
    if answer:
        template = answer
    elif target == "results" or keeps_panel:
        template = "designer/partials/_shown.html"
    elif target == "statement":
        template = "designer/partials/_edited.html"
    else:
        template = page
    return render(request, template, shown, status=status)


def edit_page(
    request: Request,
    draft: Draft,
    make_form: Callable[[Design, QueryDict | None], Form],
    left: Callable[[Design, Form], Left],
    saved: Callable[[Draft, Design, Form], Saved],
    selected: Callable[[Form], int | None] = lambda form: None,
) -> HttpResponse:
    """Show a form, preview what is typed in it, or save it: the one way in which every form
    replies.
    """
    before = revisions.latest(draft)
    data = request.POST if request.method == "POST" else None
    asked: list[Overlap] = []
    try:
        form = make_form(before, data)
    except DesignError as error:
        if data is None and not is_news(request):
            raise Http404(error.message) from error
        return _gone(request, draft, before, error, make_form, data)
    place = place_of(request)
    number = selected(form)
    if number is not None:
        place = place.at(place.page_url, pattern=str(number))
    if data is None or _redraws(data):
        return show(request, draft, before, left(before, form), place=place)
    if data.get("intent") == "preview":
        return _preview(request, draft, before, form, left(before, form), place)
    try:
        own, design = save(request, draft, form.apply, lambda: form.note)
    except ConflictError:
        draft = access.as_it_is(request, draft)
        before, status = revisions.latest(draft), 409
        asked = overlaps(request, draft, form.clashes, _shown_by(make_form))
    except InvalidError:
        status = 422
    except DesignError as error:
        if error.code == "gone":
            draft = access.as_it_is(request, draft)
            return _gone(request, draft, revisions.latest(draft), error, make_form, data)
        form.refuse(error)
        status = 422
    else:
        return answer_edit(request, own, design, saved(own, design, form))
    return show(
        request, draft, before, left(before, form), place=place, status=status, overlaps=asked
    )


def _shown_by(
    make_form: Callable[[Design, QueryDict | None], Form],
) -> Callable[[Revision], revisions.Said]:
    """What the fields of a form show of a revision; None when the form is about nothing there."""

    def shown(revision: Revision) -> revisions.Said:
        try:
            return make_form(revisions.design_of(revision), None).stood
        except DesignError:
            return lambda field: None

    return shown


def save(
    request: Request, draft: Draft, change: revisions.Change, note: revisions.Note
) -> tuple[Draft, Design]:
    """Record an edit; of a design of the gallery in a sandbox copy that is made with it."""
    if draft.is_saved:
        return draft, revisions.edit(draft, change, note, request.user)
    ready = revisions.edited(draft, change)
    with access.begun_session(request), transaction.atomic():
        own = access.own(request, draft)
        return own, revisions.edit(own, change, note, request.user, ready)


def answer_edit(request: Request, draft: Draft, design: Design, saved: Saved) -> HttpResponse:
    """Everything that an edit changed, in one reply; without script, the page that shows it."""
    place = place_of(request).at(saved.url, **saved.state)
    notice, said = _outgrown(draft), _said(draft)
    if not request.htmx:
        messages.success(request, said)
        if notice:
            messages.warning(request, notice)
        return redirect(str(place))
    response = show(request, draft, design, saved.left, place=place, said=said, notice=notice)
    if path_shown(request) != str(place):
        response.headers["HX-Push-Url"] = str(place)
    return response


def refused(
    request: Request, draft: Draft, design: Design, error: DesignError, left: Left | None = None
) -> HttpResponse:
    """What cannot be done because what it was about is gone: the statement as it is now, and
    why.
    """
    place = place_of(request).at(reverse("workspace", args=[draft.slug]))
    left = left or Left()
    response = show(request, draft, design, left, place=place, status=409, notice=error.message)
    if request.htmx and request.htmx.target == "statement":
        response.headers["HX-Push-Url"] = str(place)
    return response


def _gone(
    request: Request,
    draft: Draft,
    design: Design,
    error: DesignError,
    make_form: Callable[[Design, QueryDict | None], Form],
    data: QueryDict | None,
) -> HttpResponse:
    """The same, with what was typed into the form of what is gone: nobody has to remember it."""
    newer: Revision | None = None
    older = Revision.objects.filter(draft_id=draft.pk).order_by("-number")
    looked = older[: revisions.LOOKED_AT] if data is not None else older.none()
    for each in revisions.one_by_one(looked):
        try:
            typed = make_form(revisions.design_of(each), data).typed
        except DesignError:
            newer = each
            continue
        by_name = name_of(newer.author) if newer is not None else ""
        context = {"message": error.message, "typed": typed, "by": newer, "by_name": by_name}
        left = Left("designer/partials/_gone.html", context) if typed else None
        return refused(request, draft, design, error, left)
    return refused(request, draft, design, error)


def _redraws(data: QueryDict) -> bool:
    return data.get("intent") == "redraw" or "add-row" in data or "remove-row" in data


def _preview(
    request: Request,
    draft: Draft,
    before: Design,
    form: Form,
    left: Left,
    place: Place,
) -> HttpResponse:
    """What would follow, without saving; nothing when what is typed says no design yet, or why it does not fit."""
    try:
        after = identified(form.apply(before))
        after = recording.with_planned_names(draft, before, after)
    except (InvalidError, ConflictError, DesignError) as error:
        if isinstance(error, DesignError):
            form.refuse(error)
        misfits = form.misfits if form.previews_faults else []
        if not misfits:
            return HttpResponse(status=204)
        return show(request, draft, before, left, place=place, misfits=misfits)
    known = [plans.known(before, style) for style in styles_of(place)]
    planned = [plan for plan in known if plan is not None]
    priced = derived(draft, before, prices, before, planned).found or {}
    return show(
        request, draft, after, left, place=place, is_preview=after != before, prices_before=priced
    )


def _said(draft: Draft) -> str:
    return ended(f"Saved: {revisions.current(draft).note}")


def _outgrown(draft: Draft) -> str:
    """That what was just saved is not approved, or in review, as what was there before; empty where that is not so. Who
    finds other words for a pattern need not expect it.
    """
    was = reviews.outgrown(draft)
    if was is None:
        return ""
    tolerated = ", unless only figures changed, and no more than the rules for reviews tolerate"
    unless = tolerated if reviews.rules_of(draft.project).tolerance else ""
    return (
        f"r{was.revision} is {was.status}. r{draft.position} differs from it in more than words,"
        f" so r{draft.position} needs an approval of its own{unless}."
    )


def remove_part(
    request: Request,
    slug: str,
    remove: Callable[[Design, bool], Design],
    note: Callable[[Design], str],
    after: Callable[[Draft, Design], Saved],
    left: Callable[[Design], Left],
) -> HttpResponse:
    """Remove a part of the design; what uses it goes too when that was asked for, else it is
    refused. Refused as well is what goes with it that others changed or added since the page showed it.
    """
    draft = access.draft_for(request, slug)
    before = revisions.latest(draft)
    and_users = bool(request.POST.get("and_users"))
    opened = revisions.opened(draft, request.POST.get("was-revision", ""))

    def removed(newest: Design) -> Design:
        done = remove(newest, and_users)
        if opened is not None and opened != newest:
            try:
                merged(opened, remove(opened, and_users), newest)
            except DesignError as error:
                raise ChangedMeanwhileError from error
        return done

    try:
        said = note(before)
        own, design = save(request, draft, removed, said)
    except DesignError as error:
        draft = access.as_it_is(request, draft)
        before = revisions.latest(draft)
        if error.code == "gone":
            return refused(request, draft, before, error)
        shown = left(before)
        asked = {"refusal": error, "refused_url": request.path, "and_users": and_users}
        return show(
            request, draft, before, Left(shown.template, {**shown.context, **asked}), status=422
        )
    return answer_edit(request, own, design, after(own, design))
