"""The way from one deployed revision to another, or from a SQL database: the steps, and the template of each stage."""

from dataclasses import dataclass
from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import content_disposition_header, urlencode
from django.views.decorators.http import require_POST, require_safe

from designer.core.design.document import Design
from designer.core.errors import DesignError
from designer.core.exporters import TEMPLATES, export
from designer.core.messages import say
from designer.core.migration import Deployed, Migration, migrate, with_names_in_use
from designer.core.migration.markdown import RISKS, document, estimated, summary
from designer.core.migration.sql import from_sql
from designer.core.plan import ALL_STYLES, Style
from designer.views.exports import not_made
from designer.views.requests import Request, place_of
from designer.views.results import Asked, Standing, derived, planned, styles_of
from designer.views.workspace import DraftUrls, Left, refused, save, show
from projects import access, naming, pool, recording, revisions
from projects.models import Draft, Revision

ICONS = {"data": "circle-alert", "availability": "triangle-alert", "note": "info"}


@require_safe
def migration(request: Request, slug: str) -> HttpResponse:
    draft = access.draft_for(request, slug)
    way = _way(request, draft)
    newest = revisions.latest(draft)
    return show(
        request,
        draft,
        newest,
        Left(),
        page="designer/migration.html",
        with_grid=False,
        waiting=way.standing == "planning",
        way=way,
        styles=ALL_STYLES,
        exporters=list(TEMPLATES.values()),
        named=draft.names.select_related("revision").defer("revision__document")
        if draft.is_saved
        else (),
        summary=summary(way.found) if way.found is not None else "",
        stopped=way.stopped,
        phases=[] if way.found is None else _phases(way.found),
        can_keep=way.is_to(draft.position) and _can_be_kept(newest, way),
    )


@require_POST
def keep_names(request: Request, slug: str) -> HttpResponse:
    """Let the newest design say the names that are in use, which its plan then has: one edit."""
    draft = access.draft_for(request, slug)
    way = _way(request, draft)
    if way.found is None:
        return _not_made(request, draft, way)
    change = way.found.change
    try:
        if not way.is_to(draft.position):
            raise DesignError("gone", say("steps-outdated"))
        own, _ = save(
            request,
            draft,
            lambda design: with_names_in_use(design, change),
            "Keep the names that are deployed",
        )
    except DesignError as error:
        return refused(request, draft, revisions.latest(draft), error)
    return redirect(f"{reverse('migration', args=[own.slug])}?{way.query_from}")


def _can_be_kept(design: Design, way: "Way") -> bool:
    try:
        return way.found is not None and with_names_in_use(design, way.found.change) != design
    except DesignError:
        return False


@require_safe
def text(request: Request, slug: str) -> HttpResponse:
    """The steps as a file in Markdown."""
    draft = access.draft_for(request, slug)
    way = _way(request, draft)
    if way.found is None:
        return _not_made(request, draft, way)
    _use(draft, way)
    return _file(document(way.found, way.title), "text/markdown", f"{way.stem}.md")


@require_safe
def template(request: Request, slug: str, step: int, exporter: str) -> HttpResponse:
    """What is deployed after a step; before the first one, of step 0."""
    draft = access.draft_for(request, slug)
    if exporter not in TEMPLATES:
        raise Http404("There is no such template.")
    way = _way(request, draft)
    if way.found is None:
        return _not_made(request, draft, way)
    stages = {placed.number: placed.stage for placed in way.found.steps} | {0: way.found.start}
    stage = stages.get(step)
    if stage is None:
        raise Http404("Nothing is deployed at that step.")
    asked = derived(
        draft, stage.design, export, exporter, stage.design, stage.plan, limits=pool.FILE
    )
    made = asked.found
    if made is None:
        return _not_made(request, draft, asked)
    _use(draft, way)
    return _file(made.content, made.content_type, f"{way.stem}-step-{step}-{made.filename}")


@dataclass(frozen=True)
class Way:
    """What was asked for: from where to where, and in which styles."""

    before: Revision | None
    """None where it begins in a SQL database, or the design was never saved."""
    after: Revision | None
    name: str
    is_from_sql: bool
    was: Style
    style: Style
    standing: Standing
    found: Migration | None
    stopped: str

    @property
    def query(self) -> str:
        """The same question for other addresses."""
        end = f"&to={self.after.number}" if self.after else ""
        return f"{self.query_from}{end}"

    @property
    def query_from(self) -> str:
        """The same, to the newest revision whichever that is then."""
        start = "sql" if self.is_from_sql else str(self.before.number) if self.before else ""
        asked = {"from": start, "was": self.was, "view": self.style}
        return urlencode({name: value for name, value in asked.items() if value})

    def is_to(self, position: int) -> bool:
        """Whether it leads to a revision, or to a design without any."""
        return self.after is None or self.after.number == position

    @property
    def stem(self) -> str:
        """What the files are called."""
        start = "sql" if self.is_from_sql else f"r{self.before.number}" if self.before else "design"
        return f"migration-{start}-to-{f'r{self.after.number}' if self.after else 'design'}"

    @property
    def title(self) -> str:
        start = (
            "a SQL database"
            if self.is_from_sql
            else f"r{self.before.number}"
            if self.before
            else ""
        )
        end = f"r{self.after.number}" if self.after else "the design"
        return f"{self.name}: from {start or end} to {end}"


def _way(request: Request, draft: Draft) -> Way:
    style = styles_of(place_of(request))[0]
    was = next((each for each in ALL_STYLES if each == request.GET.get("was")), style)
    is_from_sql = request.GET.get("from") == "sql"
    before, after = _asked(request, draft, is_from_sql)
    design = revisions.design_of(after) if after is not None else revisions.latest(draft)
    start = revisions.design_of(before) if before is not None else design
    made = _between(draft, start, was, design, style, is_from_sql)
    return Way(
        before,
        after,
        design.name,
        is_from_sql,
        was,
        style,
        made.standing,
        made.found,
        made.stopped,
    )


def _asked(
    request: Request, draft: Draft, is_from_sql: bool
) -> tuple[Revision | None, Revision | None]:
    """The revisions: `from` and `to`; else the last one with a name, or the first of all, and the newest."""
    if not draft.is_saved:
        return None, None
    to = access.revision_asked(request, draft, "to")
    after = to or access.revision_of(draft, draft.position)
    if is_from_sql:
        return None, after
    asked = access.revision_asked(request, draft, "from")
    before = asked or naming.last_named(draft, after.number)
    return before or draft.revisions.order_by("number").first(), after


def _between(
    draft: Draft, start: Design, was: Style, design: Design, style: Style, is_from_sql: bool
) -> Asked[Migration]:
    later = planned(draft, design, style)
    if later.found is None:
        return Asked(later.standing, stopped=later.stopped)
    after = Deployed(design, later.found)
    if is_from_sql:
        return derived(draft, design, from_sql, after)
    earlier = planned(draft, start, was)
    if earlier.found is None:
        return Asked(earlier.standing, stopped=earlier.stopped)
    return derived(draft, design, migrate, Deployed(start, earlier.found), after)


def _use(draft: Draft, way: Way) -> None:
    """What it leads to may be deployed from now on."""
    recording.use(draft if way.after is None else revisions.as_of(draft, way.after))


def _phases(found: Migration) -> list[dict[str, Any]]:
    """The steps as they are shown, phase by phase."""
    return [
        {
            "label": phase.value,
            "steps": [
                {
                    "placed": placed,
                    "cautions": [
                        (each.risk, RISKS[each.risk], ICONS[each.risk], each.says)
                        for each in placed.step.cautions
                    ],
                    "takes": estimated(placed.step.estimate),
                }
                for placed in steps
            ],
        }
        for phase, steps in found.phases
    ]


def _not_made(request: Request, draft: Draft, of: "Way | Asked[Any]") -> HttpResponse:
    design = revisions.latest(draft)
    asked: Asked[Any] = Asked(of.standing, stopped=of.stopped)
    return not_made(request, design, DraftUrls(draft, design), asked)


def _file(content: str | bytes, content_type: str, filename: str) -> HttpResponse:
    disposition = content_disposition_header(True, filename) or "attachment"
    return HttpResponse(
        content, content_type=content_type, headers={"Content-Disposition": disposition}
    )
