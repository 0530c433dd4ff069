"""A design from what others wrote: read, shown with its report and its patterns to tick, and made only then."""

from dataclasses import dataclass
from itertools import groupby

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from designer.core.errors import DesignError
from designer.core.importers import (
    IMPORTERS,
    KINDS,
    MAX_BYTES,
    Imported,
    Line,
    Proposal,
    Tried,
    only,
    tried,
)
from designer.core.messages import Message, say
from designer.core.patterns import AnyPattern
from designer.views.requests import Request
from projects import access, documents, pool, revisions, shares, typed, work
from projects.refused import bounds_counted

SHOWN_LINES = 2000
PASTED = "Pasted schema.sql"
"""The file that a pasted text is read as: the design gets its name."""
TITLES = {
    "taken": "Taken as is",
    "guessed": "Guessed: check these",
    "missing": "Missing: not in the file",
    "dropped": "Dropped: not in the design",
}


@dataclass(frozen=True)
class Part:
    """The lines of the report that are of one kind."""

    kind: str
    title: str
    lines: tuple[Line, ...]
    more: int


@dataclass(frozen=True)
class Choice:
    """A proposed pattern to tick."""

    pattern: AnyPattern
    proposal: Proposal


@require_http_methods(["GET", "HEAD", "POST"])
def start(request: Request) -> HttpResponse:
    """What a file or a text says, before anything is saved."""
    if request.method != "POST":
        return _form(request)
    file = request.FILES.get("file")
    pasted = str(request.POST.get("text", ""))
    if file is None and not pasted.strip():
        return _form(request, DesignError("no-file", say("import-no-file")))
    if file is not None and (file.size or 0) > MAX_BYTES:
        said = say("import-file-too-large", megabytes=MAX_BYTES // 1_000_000)
        return _form(request, DesignError("too-large", said))
    content = pasted.encode() if file is None else file.read()
    name = PASTED if file is None else file.name or "The file"
    variant = str(request.POST.get("variant", ""))
    known = next((slug for slug, each in IMPORTERS.items() if variant in each.variants), "")
    try:
        made = work.derive(
            shares.current(), pool.FILE, tried, content, name, known, variant if known else ""
        )
    except pool.BusyError:
        return _form(request, DesignError("busy", say("import-busy")), 503)
    except work.FailedError:
        return _form(request, DesignError("too-large", say("import-too-heavy")))
    if isinstance(made, DesignError):
        return _form(request, made if file is not None else _of_pasted(made))
    return _preview(request, made)


@require_POST
def make(request: Request) -> HttpResponse:
    """The design with the patterns that are ticked, where its maker may put it."""
    numbers = {typed.number(str(value)) for value in request.POST.getlist("pattern")}
    try:
        with bounds_counted():
            design = documents.read(str(request.POST.get("design", "")), name="The design")
    except DesignError as error:
        return _form(request, error)
    chosen = only(design, {number for number in numbers if number is not None})
    place = access.place_for(request, str(request.POST.get("project", "")))
    draft = revisions.start(place, chosen, f"Import {chosen.name}", request.user)
    return redirect("workspace", draft.slug)


def _of_pasted(refusal: DesignError) -> DesignError:
    """A refusal that speaks of the text, which has no file's name."""
    reason = refusal.reason
    if reason.values.get("name") != PASTED:
        return refusal
    said = Message(id=reason.id, values={**reason.values, "name": "The pasted text"})
    return DesignError(refusal.code, said, refusal.problems)


def _form(request: Request, refusal: DesignError | None = None, status: int = 422) -> HttpResponse:
    context = {
        "import_refusal": refusal,
        "import_text": request.POST.get("text", ""),
        "import_variant": request.POST.get("variant", ""),
        "into": request.POST.get("project", ""),
        "lost_file": "file" in request.FILES,
    }
    return render(request, "designer/import.html", context, status=status if refusal else 200)


def _preview(request: Request, made: Tried) -> HttpResponse:
    found = made.found
    proposals = {each.number: each for each in found.proposals}
    choices = [Choice(p, proposals[p.number]) for p in found.design.patterns]
    context = {
        "design": found.design,
        "document": made.document,
        "parts": [_part(found, kind) for kind in KINDS],
        "groups": [(entity, list(of_it)) for entity, of_it in groupby(choices, key=_entity_of)],
        "choices": choices,
        "places": access.places_of(request),
        "chosen": request.POST.get("project", ""),
    }
    return render(request, "designer/import_preview.html", context)


def _entity_of(choice: Choice) -> str:
    return choice.proposal.entity


def _part(found: Imported, kind: str) -> Part:
    lines = tuple(line for line in found.lines if line.kind == kind)
    return Part(kind, TITLES[kind], lines[:SHOWN_LINES], max(0, len(lines) - SHOWN_LINES))
