"""Exports: looked at, copied, downloaded."""

from dataclasses import replace

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_for_filename
from pygments.util import ClassNotFound

from designer.core.design.document import Design
from designer.core.exporters import EXPORTERS, Export, Options
from designer.core.plan import ALL_STYLES, Style
from designer.views.requests import Request
from designer.views.results import Standing, evaluated, planned
from designer.views.workspace import Left, show
from projects import access, revisions
from projects.models import Draft


@require_safe
def exports(request: Request, slug: str) -> HttpResponse:
    """The list of exports and a preview of the one chosen."""
    draft = access.draft_for(request, slug)
    design = revisions.latest(draft)
    slugs = list(EXPORTERS)
    chosen = request.GET.get("as", slugs[0])
    style = request.GET.get("style", ALL_STYLES[0])
    if chosen not in EXPORTERS or style not in ALL_STYLES:
        raise Http404("There is no such export.")
    exporter = EXPORTERS[chosen]
    options = _options(request, chosen)
    _, export = _export(draft, design, chosen, ALL_STYLES[ALL_STYLES.index(style)], options)
    return show(
        request,
        draft,
        design,
        Left(),
        page="designer/exports.html",
        with_grid=False,
        exporters=EXPORTERS.values(),
        exporter=exporter,
        export=export,
        style=style,
        options=options,
        preview=_preview(export),
    )


@require_safe
def download(request: Request, slug: str, exporter: str, style: str) -> HttpResponse:
    draft = access.draft_for(request, slug)
    if exporter not in EXPORTERS or style not in ALL_STYLES:
        raise Http404("There is no such export.")
    design = revisions.latest(draft)
    options = _options(request, exporter)
    standing, export = _export(
        draft, design, exporter, ALL_STYLES[ALL_STYLES.index(style)], options
    )
    if standing == "planning":
        # Not even an older plan's: a file outlives the page that would say so.
        later = render(request, "designer/planning.html", {"draft": draft}, status=503)
        later.headers["Retry-After"] = "2"
        return later
    if export is None:
        raise Http404("This design cannot be exported.")
    disposition = "inline" if request.GET.get("show") else "attachment"
    return HttpResponse(
        export.content,
        content_type=export.content_type,
        headers={"Content-Disposition": f'{disposition}; filename="{export.filename}"'},
    )


def _options(request: Request, exporter: str) -> Options:
    return Options(alarms=EXPORTERS[exporter].has_alarms and request.GET.get("alarms") == "1")


def _export(
    draft: Draft, design: Design, exporter: str, style: Style, options: Options
) -> tuple[Standing, Export | None]:
    """Nothing without the finished plan of this very design, and those beside it where it is compared with them."""
    asked = planned(draft, design, style)
    if asked.found is not None and EXPORTERS[exporter].compares:
        every = evaluated(draft, design, ALL_STYLES)
        if every.found is None:
            return every.standing, None
        beside = {other: plan for other, plan in every.found.plans.items() if other != style}
        options = replace(options, beside=beside)
    plan = asked.found
    return asked.standing, None if plan is None else EXPORTERS[exporter].export(
        design, plan, options
    )


def _preview(export: Export | None) -> str | None:
    """The text with its syntax marked by classes; None for what is no text."""
    if export is None or isinstance(export.content, bytes):
        return None
    formatter = HtmlFormatter(nowrap=True, classprefix="code-")
    try:
        lexer = get_lexer_for_filename(export.filename)
    except ClassNotFound:
        lexer = get_lexer_for_filename("plain.txt")
    marked: str = highlight(export.content, lexer, formatter)
    return marked
