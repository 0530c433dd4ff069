"""Exports: looked at, copied, downloaded."""

from collections.abc import Collection
from dataclasses import replace
from typing import Any
from urllib.parse import urlencode

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_for_filename
from pygments.util import ClassNotFound

from designer.core.design.document import Design
from designer.core.exporters import EXPORTERS, Export, Options, export
from designer.core.exporters.base import AlarmsAsked
from designer.core.plan import ALL_STYLES, Style
from designer.core.report.standing import Standing as Stands
from designer.views.addresses import Urls
from designer.views.likeness import compared
from designer.views.requests import Request
from designer.views.results import Asked, derived, evaluated, planned, style_named
from designer.views.workspace import DraftUrls, Left, show
from projects import access, pool, recording, reviews, revisions
from projects.models import Draft

ALARMS: dict[str, AlarmsAsked] = {"1": "essential", "every": "every"}
"""What an address asks for."""


@require_safe
def exports(request: Request, slug: str) -> HttpResponse:
    """The list of exports and a preview of the one chosen."""
    draft = access.draft_for(request, slug)
    design = revisions.latest(draft)
    context = chosen(request, draft, design, EXPORTERS)
    page = "designer/exports.html"
    return show(request, draft, design, Left(), page=page, with_grid=False, **context)


@require_safe
def download(request: Request, slug: str, exporter: str, style: str) -> HttpResponse:
    draft = access.draft_for(request, slug)
    design = revisions.latest(draft)
    return file(request, draft, design, DraftUrls(draft, design), exporter, style)


def chosen(request: Request, of: Draft, design: Design, offered: Collection[str]) -> dict[str, Any]:
    """The context of the page: the exports that are offered, and the one that its address chooses."""
    slugs = [slug for slug in EXPORTERS if slug in offered]
    slug = request.GET.get("as", slugs[0])
    style = style_named(request.GET.get("style", ALL_STYLES[0]))
    if slug not in slugs:
        raise Http404("There is no such export.")
    options = _options(request, slug)
    asked = exported(of, design, slug, style, options)
    made = asked.found
    shown = None if made is None or isinstance(made.content, bytes) else _beginning(made.content)
    return {
        "exporters": [EXPORTERS[each] for each in slugs],
        "exporter": EXPORTERS[slug],
        "export": made,
        "style": style,
        "options": options,
        "file_query": _query(options),
        "open_query": _query(options, show="1"),
        "preview": None if made is None or shown is None else _marked(made.filename, shown),
        "is_cut": made is not None and shown is not None and len(shown) < len(made.content),
        "waiting": asked.standing == "planning",
        "stopped": asked.stopped,
    }


def file(
    request: Request, of: Draft, design: Design, urls: Urls, exporter: str, style: str
) -> HttpResponse:
    """An export to keep, or to open in the browser."""
    if exporter not in EXPORTERS:
        raise Http404("There is no such export.")
    options = _options(request, exporter)
    asked = exported(of, design, exporter, style_named(style), options)
    made = asked.found
    if made is None:
        # Not even an older plan's: a file outlives the page that would say so.
        return not_made(request, design, urls, asked)
    recording.use(of)
    disposition = "inline" if request.GET.get("show") else "attachment"
    return HttpResponse(
        made.content,
        content_type=made.content_type,
        headers={"Content-Disposition": f'{disposition}; filename="{made.filename}"'},
    )


def not_made(request: Request, design: Design, urls: Urls, asked: Asked[Any]) -> HttpResponse:
    """Why there is no file: its plan is being worked out, it was stopped, or we failed."""
    context = {"design": design, "urls": urls, "stopped": asked.stopped}
    if asked.standing != "planning":
        status = 422 if asked.stopped else 500
        return render(request, "designer/not_made.html", context, status=status)
    later = render(request, "designer/planning.html", context, status=503)
    later.headers["Retry-After"] = "2"
    return later


def exported(
    of: Draft, design: Design, exporter: str, style: Style, options: Options
) -> Asked[Export]:
    """Nothing without the finished plan of this very design, and those beside it where it is compared with them."""
    asked = planned(of, design, style)
    options = replace(options, standing=_standing(of))
    if asked.found is not None and EXPORTERS[exporter].compares:
        every = evaluated(of, design, ALL_STYLES)
        if every.found is None:
            return Asked(every.standing, stopped=every.stopped)
        beside = {other: plan for other, plan in every.found.plans.items() if other != style}
        options = replace(options, beside=beside)
    if asked.found is None:
        return Asked(asked.standing, stopped=asked.stopped)
    return derived(of, design, export, exporter, design, asked.found, options, limits=pool.FILE)


def _standing(of: Draft) -> Stands | None:
    """How what is exported stands with the team; nothing of what belongs to none, and to those without any right in the
    team, as readers of a link, no names.
    """
    if of.project_id is None or not of.is_saved:
        return None
    seen = of.revisions.defer("document").get(number=of.seen_at or of.position)
    reviewed, _ = compared(of, reviews.Reviewed(of), seen)
    found = reviewed.standing(seen)
    return found if of.rights else replace(found, approvers=())


def _options(request: Request, exporter: str) -> Options:
    asked = ALARMS.get(request.GET.get("alarms", ""), "")
    return Options(
        alarms=asked if EXPORTERS[exporter].has_alarms else "",
        maximum=request.GET.get("maximum") == "1" and EXPORTERS[exporter].is_template,
        with_appendix=request.GET.get("appendix") != "no" or not EXPORTERS[exporter].has_appendix,
    )


def _query(options: Options, **more: str) -> str:
    """The same for the address of a file."""
    alarms = "1" if options.alarms == "essential" else options.alarms
    maximum, appendix = "1" if options.maximum else "", "" if options.with_appendix else "no"
    asked = {"alarms": alarms, "maximum": maximum, "appendix": appendix, **more}
    given = {name: value for name, value in asked.items() if value}
    return f"?{urlencode(given)}" if given else ""


MOST_SHOWN = 100_000
"""Characters of an export that its page shows: marking more takes seconds, and nobody reads them there."""


def _beginning(text: str) -> str:
    """As many whole lines of a text as its page shows."""
    if len(text) <= MOST_SHOWN:
        return text
    end = text.rfind("\n", 0, MOST_SHOWN)
    return text[: end + 1 or MOST_SHOWN]


def _marked(filename: str, text: str) -> str:
    """The text with its syntax marked by classes."""
    formatter = HtmlFormatter(nowrap=True, classprefix="code-")
    try:
        lexer = get_lexer_for_filename(filename)
    except ClassNotFound:
        lexer = get_lexer_for_filename("plain.txt")
    marked: str = highlight(text, lexer, formatter)
    return marked
