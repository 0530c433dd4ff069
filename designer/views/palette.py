"""What the palette finds: the parts, pages and actions of a design, and one's other designs."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from designer.core.design.document import Design
from designer.views.requests import Request
from projects import access, revisions
from projects.models import Draft

MOST_DESIGNS = 200
"""Designs that it offers, the last changed first; the list of one's designs has all."""


@dataclass(frozen=True)
class Entry:
    """One thing that can be found."""

    label: str
    url: str = ""
    hint: str = ""
    presses: str = ""
    """The `data-key` of the control on the page that does it, where that has no address."""


@dataclass(frozen=True)
class Group:
    """Entries of one kind."""

    label: str
    entries: tuple[Entry, ...]


@require_safe
def of_the_site(request: Request) -> HttpResponse:
    """One's designs, and the pages that belong to no design."""
    return _answer(request, [*_designs(request), Group("Pages", tuple(_pages(request)))])


@require_safe
def of_a_design(request: Request, slug: str) -> HttpResponse:
    """The same with all that belongs to a design first."""
    draft = access.draft_for(request, slug)
    design = revisions.latest(draft)
    return _answer(
        request,
        [
            *_parts(draft, design),
            Group("Pages", (*_pages_of(draft), *_pages(request))),
            Group("Actions", tuple(_actions(draft))),
            *_designs(request, besides=draft),
        ],
    )


def _answer(request: HttpRequest, groups: list[Group]) -> HttpResponse:
    shown = [group for group in groups if group.entries]
    return render(request, "designer/partials/_palette_entries.html", {"groups": shown})


def _parts(draft: Draft, design: Design) -> Iterator[Group]:
    workspace = reverse("workspace", args=[draft.slug])
    yield Group(
        "Access patterns",
        tuple(
            Entry(each.name, f"{workspace}?pattern={each.number}", str(each.number))
            for each in design.patterns
        ),
    )
    yield Group(
        "Entities",
        tuple(
            Entry(
                each.name, reverse("entity", args=[draft.slug, each.id]), ", ".join(each.identifier)
            )
            for each in design.entities
        ),
    )
    yield Group(
        "Relationships",
        tuple(
            Entry(each.name, reverse("relationship", args=[draft.slug, each.id]))
            for each in design.relationships
        ),
    )


def _pages_of(draft: Draft) -> Iterator[Entry]:
    yield Entry("Diagram", f"{reverse('workspace', args=[draft.slug])}?show=diagram")
    for label, name in PAGES:
        yield Entry(label, reverse(name, args=[draft.slug]))


PAGES = (
    ("Model", "workspace"),
    ("Decisions", "decisions"),
    ("Alternatives", "alternatives"),
    ("Comparison", "comparison"),
    ("Cost", "cost"),
    ("Heat", "heat"),
    ("Key analyser", "spread"),
    ("Proof", "prove"),
    ("Review", "reviews"),
    ("Export", "exports"),
    ("History", "history"),
    ("Migration", "migration"),
    ("Share", "sharing"),
    ("Text", "text"),
    ("Settings", "settings"),
    ("Pins", "pins"),
)
"""Of a design: what each is called, and its view."""


def _actions(draft: Draft) -> Iterator[Entry]:
    if draft.may_edit:
        yield Entry("Add access pattern", reverse("pattern-add", args=[draft.slug]))
        yield Entry("Add entity", reverse("entity-add", args=[draft.slug]))
        yield Entry("Add relationship", reverse("relationship-add", args=[draft.slug]))
        yield Entry("Items and rates", reverse("figures", args=[draft.slug]))
        yield Entry("Enter the model as text", reverse("outline", args=[draft.slug]))
        yield Entry("Undo", presses="undo")
        yield Entry("Redo", presses="redo")
    yield Entry("Templates or samples", presses="t")
    yield Entry("Light or dark", presses="theme")
    yield Entry("Keyboard shortcuts", presses="shortcuts")


def _pages(request: HttpRequest) -> Iterator[Entry]:
    yield Entry("My designs", reverse("designs"))
    yield Entry("New design", f"{reverse('designs')}#id_name")
    yield Entry("Gallery", reverse("gallery"))
    yield Entry("All findings", reverse("topics"))
    yield Entry("Import SQL", reverse("import"))
    yield Entry("Tour of the shop", f"{reverse('landing')}#tour")
    if request.user.is_authenticated:
        yield Entry("Notifications", reverse("notices"))
        yield Entry("Account", reverse("profile"))
    else:
        yield Entry("Sign in", reverse("sign-in"))


def _designs(request: HttpRequest, besides: Draft | None = None) -> Iterator[Group]:
    drafts = access.designs_of(request).select_related("project").order_by("-updated_at")
    if besides is not None and besides.is_saved:
        drafts = drafts.exclude(pk=besides.pk)
    yield Group(
        "My designs",
        tuple(
            Entry(
                each.name,
                reverse("workspace", args=[each.slug]),
                each.project.name if each.project is not None else "not kept yet",
            )
            for each in drafts[:MOST_DESIGNS]
        ),
    )
