"""A design as the readers of a link see it: its pages without anything of the team whose it is.

Nothing here is given the draft, its address or anybody's name; whatever opens nothing answers with one and the same
page.
"""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from functools import cached_property, wraps
from threading import Lock
from typing import Any, Concatenate, ParamSpec

from cachetools import LRUCache
from django.http import Http404, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_safe

from designer.core.design.document import Design
from designer.core.exporters import EXPORTERS
from designer.core.planner import VERSION
from designer.core.report.standing import Standing
from designer.views import comparison as comparisons
from designer.views import diagram as diagrams
from designer.views import exports as all_exports
from designer.views.addresses import Urls
from designer.views.conditional import tag_of, unchanged
from designer.views.requests import Request, place_of
from designer.views.results import evaluated, styles_of
from designer.views.workspace import Left, look
from projects import links, reviews, revisions, shares
from projects.access import SAFE
from projects.models import Draft, Revision, Section, ShareLink

UNLOCKED = "unlocked"
UNLOCKED_FOR = timedelta(hours=12)

Answer = tuple[bytes, dict[str, str]]


def size_of(answer: Answer) -> int:
    """Bytes of an answer, with some for its headers."""
    return len(answer[0]) + 2048


KEPT_BYTES = 24 * 1024 * 1024
KEPT: LRUCache[str, Answer] = LRUCache(KEPT_BYTES, getsizeof=size_of)
"""The newest answers by their tags, which say all that is in them: a page is made once for all its readers. A file may
be megabytes, and an address may end in any query.
"""
_lock = Lock()

Rest = ParamSpec("Rest")


class SharedUrls(Urls):
    """The pages that a link shows, at its own address; it leads to no form."""

    def __init__(self, link: ShareLink, token: str) -> None:
        self.link = link
        self.token = token

    def of(self, place: str) -> str:
        return ""

    def page(self, name: str, *about: object) -> str:
        if not self._has(name, *about):
            return ""
        return reverse(f"shared-{name}", args=[self.token, *about])

    def _has(self, name: str, *about: object) -> bool:
        if name == "comments":
            return self.link.may_comment
        section = section_of(str(about[0])) if name == "export" else SECTIONS.get(name)
        return section is not None and self.link.shows(section)

    @property
    def pages(self) -> list[tuple[str, str]]:
        """What stands in the bar: each page's name and address."""
        exports = reverse("shared-exports", args=[self.token])
        every = [
            ("Tables", self.page("workspace")),
            ("Comparison", self.page("comparison")),
            (self._files, exports if self._files else ""),
            ("Findings", self.page("findings")),
            ("Comments", self.page("comments")),
        ]
        return [(label, url) for label, url in every if url]

    @property
    def _files(self) -> str:
        """What the link shows to take along: `Documents and templates`, or one of these; empty for neither."""
        shown = [
            word
            for section, word in (
                (Section.DOCUMENTS, "documents"),
                (Section.TEMPLATES, "templates"),
            )
            if self.link.shows(section)
        ]
        return " and ".join(shown).capitalize()


SECTIONS = {
    "workspace": Section.TABLES,
    "diagram": Section.TABLES,
    "comparison": Section.COMPARISON,
    "findings": Section.FINDINGS,
}


def section_of(exporter: str) -> Section:
    return Section.TEMPLATES if EXPORTERS[exporter].is_template else Section.DOCUMENTS


def offered(link: ShareLink) -> list[str]:
    """The exports that a link shows."""
    return [slug for slug in EXPORTERS if link.shows(section_of(slug))]


@dataclass(frozen=True)
class Opened:
    """A link that somebody opened, and what it shows."""

    link: ShareLink
    urls: SharedUrls
    revision: Revision

    @cached_property
    def design(self) -> Design:
        return revisions.design_of(self.revision)

    @property
    def of(self) -> Draft:
        """What the plans are asked for of."""
        draft = self.link.draft
        return draft if self.link.revision_id is None else revisions.as_of(draft, self.revision)

    def tag(self, request: Request) -> str:
        """Of a page whose plans are all there.

        What is asked of a part counts as `look` takes it: not at all in a request that htmx did not send.
        """
        return tag_of(
            request.get_full_path(),
            self.link.pk,
            self.link.sections,
            self.revision.pk,
            VERSION,
            (request.htmx.target, request.htmx.trigger) if request.htmx else None,
            request.COOKIES.get("theme"),
            self._standing(request),
        )

    def _standing(self, request: Request) -> Standing | None:
        """How the revision stands with its team, where that is said: in files, and where they are shown."""
        match = request.resolver_match
        if match is None or match.url_name not in ("shared-exports", "shared-export"):
            return None
        return reviews.standing(self.link.draft, self.revision)


def shared(
    view: Callable[Concatenate[Request, Opened, Rest], HttpResponse],
) -> Callable[..., HttpResponseBase]:
    """Open the link of the address, or answer as if there was nothing.

    No token against forgery is asked for, or given to readers as a cookie: the address itself is the secret, and what
    is sent to it does nothing that somebody who knows it could not do as well.
    """

    @csrf_exempt
    @wraps(view)
    def answered(
        request: Request, token: str, *args: Rest.args, **given: Rest.kwargs
    ) -> HttpResponseBase:
        link = links.find(token)
        if link is None:
            return _nothing(request)
        if link.password and not _is_unlocked(request, link):
            return _locked(request, link, token)
        opened = Opened(link, SharedUrls(link, token), _seen(link))
        if request.method in SAFE:
            if not request.htmx:
                links.opened(link)
            tag = opened.tag(request)
            known = unchanged(request, tag) or _kept(tag)
            if known is not None:
                return known
        try:
            return view(request, opened, *args, **given)
        except Http404:
            return _nothing(request)

    return answered


@require_safe
@shared
def workspace(request: Request, opened: Opened) -> HttpResponse:
    """The tables and what each pattern reads of them; where the link doesn't show these, the first page it shows."""
    if not opened.link.shows(Section.TABLES):
        return redirect(opened.urls.pages[0][1])
    place = place_of(request)
    patterns = opened.design.patterns
    if "pattern" not in place.state and not request.htmx and patterns:
        place = place.at(place.page_url, pattern=str(patterns[0].number))
    return page(request, opened, place=place, with_grid=True)


@require_safe
@shared
def diagram(request: Request, opened: Opened) -> HttpResponse:
    _must_show(opened, Section.TABLES)
    return diagrams.file_of(opened.design)


@require_safe
@shared
def findings(request: Request, opened: Opened) -> HttpResponse:
    _must_show(opened, Section.FINDINGS)
    return page(request, opened, template="designer/shared_findings.html")


@require_safe
@shared
def comparison(request: Request, opened: Opened) -> HttpResponse:
    _must_show(opened, Section.COMPARISON)
    context = comparisons.side_by_side(request, opened.of, opened.design)
    is_whole = not context.get("is_trying") and not context["waiting"]
    template = "designer/comparison.html"
    return page(request, opened, template=template, is_whole=is_whole, **context)


@require_safe
@shared
def exports(request: Request, opened: Opened) -> HttpResponse:
    those = offered(opened.link)
    if not those:
        raise Http404("This link shows no files.")
    context = all_exports.chosen(request, opened.of, opened.design, those)
    is_whole = context["export"] is not None
    template = "designer/exports.html"
    return page(request, opened, template=template, is_whole=is_whole, **context)


@require_safe
@shared
def export(request: Request, opened: Opened, exporter: str, style: str) -> HttpResponse:
    if exporter not in offered(opened.link):
        raise Http404("This link shows no such file.")
    response = all_exports.file(request, opened.of, opened.design, opened.urls, exporter, style)
    return _tagged(request, opened, response, is_whole=response.status_code == 200)


@require_safe
@shared
def news(request: Request, opened: Opened) -> HttpResponse:
    """Whether the link shows something else than the page that asks."""
    if request.GET.get("since") == str(opened.revision.number):
        return HttpResponse(status=204)
    url = opened.urls.pages[0][1]
    return render(request, "designer/partials/_shared_news.html", {"url": url})


@csrf_exempt
@require_http_methods(["POST"])
def unlock(request: Request, token: str) -> HttpResponse:
    """The password of a link: once it is right, this browser may read for half a day."""
    link = links.find(token)
    if link is None or not link.password:
        return _nothing(request)
    who = shares.current().key
    if links.is_paused(link, who):
        return _locked(request, link, token, status=429)
    if not links.unlocks(link, request.POST.get("password", ""), who):
        return _locked(request, link, token, status=422)
    path = reverse("shared-workspace", args=[token])
    response = redirect(path)
    response.set_signed_cookie(
        UNLOCKED,
        link.digest,
        salt=link.password,
        max_age=UNLOCKED_FOR,
        path=path,
        secure=request.is_secure(),
        httponly=True,
        samesite="Lax",
    )
    return response


@csrf_exempt
def nothing(request: Request, token: str, rest: str) -> HttpResponse:
    """Any other address below a link's."""
    return _nothing(request)


def page(
    request: Request,
    opened: Opened,
    *,
    template: str = "designer/workspace.html",
    with_grid: bool = False,
    is_whole: bool = True,
    status: int = 200,
    **context: Any,
) -> HttpResponse:
    """A page of the workspace's own partials. It may be kept once nothing of it is still worked out."""
    of, design = opened.of, opened.design
    response = look(
        request,
        of,
        design,
        Left(),
        opened.urls,
        status=status,
        page=template,
        with_grid=with_grid,
        bar="designer/partials/_shared_bar.html",
        may_edit=False,
        is_shared=True,
        has_fragments=opened.link.shows(Section.TABLES),
        shows_findings=opened.link.shows(Section.FINDINGS),
        link=opened.link,
        revision=opened.revision,
        news_url=reverse("shared-news", args=[opened.urls.token]),
        **context,
    )
    standing = evaluated(of, design, styles_of(place_of(request))).standing
    return _tagged(request, opened, response, is_whole=is_whole and standing == "planned")


def _tagged(
    request: Request, opened: Opened, response: HttpResponse, *, is_whole: bool
) -> HttpResponse:
    if is_whole and response.status_code == 200:
        tag = opened.tag(request)
        response.headers["ETag"] = tag
        kept = response.content, dict(response.headers)
        with _lock, suppress(ValueError):  # it is larger than all that is kept
            KEPT[tag] = kept
    return response


def _kept(tag: str) -> HttpResponse | None:
    """What another reader was sent of the same."""
    with _lock:
        found = KEPT.get(tag)
    return None if found is None else HttpResponse(found[0], headers=found[1])


def _seen(link: ShareLink) -> Revision:
    """The revision that a link shows; its document is read when it is asked for, as what is kept needs none."""
    every = link.draft.revisions.defer("document")
    if link.revision_id is not None:
        return every.get(pk=link.revision_id)
    return every.get(number=link.draft.position)


def _must_show(opened: Opened, section: Section) -> None:
    if not opened.link.shows(section):
        raise Http404("This link doesn't show that.")


def _is_unlocked(request: Request, link: ShareLink) -> bool:
    found = request.get_signed_cookie(UNLOCKED, None, salt=link.password, max_age=UNLOCKED_FOR)
    return found == link.digest


def _locked(request: Request, link: ShareLink, token: str, status: int = 403) -> HttpResponse:
    context = {
        "url": reverse("shared-unlock", args=[token]),
        "is_paused": links.is_paused(link, shares.current().key),
        "is_wrong": status == 422,
        "is_shared": True,
    }
    return render(request, "designer/shared_locked.html", context, status=status)


def _nothing(request: Request) -> HttpResponse:
    """What a link that never was, that is over or that was revoked answers, and a page that a link doesn't show."""
    gone = render(request, "designer/shared_gone.html", {"is_shared": True}, status=404)
    gone.headers["Cache-Control"] = "no-store"
    return gone
