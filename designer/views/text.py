"""The design document as text: read, changed, applied whole or not at all, down- and uploaded."""

from collections.abc import Sequence

from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_safe

from designer.core.design.document import Design
from designer.core.design.text import MAX_BYTES
from designer.core.edits import ClashError, merged, replace_design, with_names_kept
from designer.core.errors import DesignError
from designer.core.messages import say
from designer.forms.choices import choices_in
from designer.views.overlaps import Overlap, overlaps_of_designs
from designer.views.requests import Request
from designer.views.workspace import Left, save, show
from projects import access, documents, revisions
from projects.models import Draft, Right
from projects.refused import DeniedError, bounds_counted

FORMATS = {"yaml": "application/yaml", "json": "application/json"}


@require_http_methods(["GET", "HEAD", "POST"])
def text(request: Request, slug: str) -> HttpResponse:
    """The document to read and to change. A text is applied when all of it is right, together with what others did
    since it was opened; where both changed the same, it is asked whose shall stand.
    """
    draft = access.draft_for(request, slug, Right.READ)
    design = revisions.latest(draft)
    if request.method != "POST":
        return _page(request, draft, design, documents.write(design, "yaml"))
    typed = _sent(request)
    try:
        access.draft_for(request, slug)
    except DeniedError as denied:
        # It may have been allowed while they wrote it, so it is shown again for them to keep.
        kept, error = (
            typed if isinstance(typed, str) else "",
            DesignError("denied", denied.reason),
        )
        return _page(request, draft, design, kept, error=error, status=403)
    if isinstance(typed, DesignError):
        return _page(
            request, draft, design, documents.write(design, "yaml"), error=typed, status=422
        )
    known = request.POST.get("was-revision", "")
    choices = choices_in(request.POST)
    opened = revisions.opened(draft, known) if draft.is_saved else design
    is_alone = True
    try:
        with bounds_counted():
            new = documents.read(typed, name="The text")

        def applied(newest: Design) -> Design:
            nonlocal is_alone
            is_alone = opened in (None, newest)
            base = opened or newest
            mine = with_names_kept(base, new)
            return replace_design(newest, merged(base, mine, newest, choices))

        own, _ = save(request, draft, applied, "Apply the text")
    except ClashError as error:
        draft = access.as_it_is(request, draft)
        clashes = overlaps_of_designs(
            request,
            draft,
            error.clashes,
            int(known),
            mine="all of these",
            theirs="all of these",
        )
        design = revisions.latest(draft)
        return _page(request, draft, design, typed, clashes=clashes, status=409, known=known)
    except DesignError as error:
        return _page(request, draft, design, typed, error=error, status=422, known=known)
    said = "?applied=alone" if is_alone else "?applied=together"
    return redirect(reverse("text", args=[own.slug]) + said)


@require_safe
def download(request: Request, slug: str, format: str) -> HttpResponse:
    draft = access.draft_for(request, slug)
    return file_of(revisions.latest(draft), format)


def file_of(design: Design, format: str) -> HttpResponse:
    """The document to keep."""
    if format not in FORMATS:
        raise Http404("There is no such format.")
    written = documents.write(design, "yaml" if format == "yaml" else "json")
    return HttpResponse(
        written,
        content_type=f"{FORMATS[format]}; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="design.{format}"'},
    )


def _sent(request: Request) -> str | DesignError:
    """What was typed or uploaded, as text."""
    upload = request.FILES.get("file")
    if upload is None:
        return str(request.POST.get("text", "")).replace("\r\n", "\n")
    if (upload.size or 0) > MAX_BYTES:
        return DesignError("too-large", say("file-too-large", kilobytes=MAX_BYTES // 1000))
    try:
        return str(upload.read(), "utf-8-sig")
    except UnicodeDecodeError:
        return DesignError("no-text", say("file-not-utf8"))


def _page(
    request: Request,
    draft: Draft,
    design: Design,
    typed: str,
    *,
    error: DesignError | None = None,
    status: int = 200,
    known: str | None = None,
    clashes: Sequence[Overlap] = (),
) -> HttpResponse:
    """`known` is the number of the revision that the text was made from; of the newest one when absent."""
    return show(
        request,
        draft,
        design,
        Left(),
        status=status,
        page="designer/text.html",
        with_grid=False,
        text=typed,
        known=max(draft.position, 1) if known is None else known,
        overlaps=clashes,
        lines=_numbered(typed, error) if error is not None and error.problems else (),
        error=error,
        applied=request.GET.get("applied"),
    )


SHOWN_LINES = 2000
AROUND = 5


def _numbered(text: str, error: DesignError) -> list[tuple[int, str, bool]]:
    """Each line with its number and whether something is wrong in it; of a long text those around
    the wrong ones."""
    wrong = {problem.line for problem in error.problems if problem.line is not None}
    lines = text.split("\n")
    near = {number + by for number in wrong for by in range(-AROUND, AROUND + 1)}
    return [
        (number, line[:1000], number in wrong)
        for number, line in enumerate(lines, 1)
        if len(lines) <= SHOWN_LINES or number in near
    ]
