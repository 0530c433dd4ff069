"""Comments of the readers of a link that lets them."""

from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods, require_POST

from designer.core.errors import DesignError
from designer.forms.guests import GuestForm, ReplyForm
from designer.views.requests import Request
from designer.views.shared import Opened, page, shared
from designer.views.thread_pages import pages
from projects import guests, notices, prose, threads
from projects.models import Section
from projects.proxies import address_of


@require_http_methods(["GET", "HEAD", "POST"])
@shared
def comments(request: Request, opened: Opened) -> HttpResponse:
    """What this link's readers said, and what they were answered; and a new comment."""
    _must_comment(opened)
    if request.method != "POST":
        on = request.GET.get("on", "design")
        return _page(request, opened, form=_form(opened, initial={"on": on}))
    form = _form(opened, request.POST)
    if form.is_valid():
        given = form.cleaned_data
        try:
            made = guests.begin(
                opened.link,
                opened.of,
                opened.revision,
                opened.design,
                given["on"],
                given["name"],
                given["body"],
            )
        except DesignError as error:
            form.add_error(None, error.message)
        else:
            notices.commented(made, address_of(request))
            return redirect(_at(opened, made.thread_id))
    return _page(request, opened, status=422, form=form)


@require_POST
@shared
def answer(request: Request, opened: Opened, number: int) -> HttpResponse:
    """An answer in a thread of this link."""
    _must_comment(opened)
    found = opened.link.threads.filter(thread__pk=number).select_related("thread").first()
    if found is None:
        raise Http404("No reader of this link began such a thread.")
    form = ReplyForm(request.POST, prefix=f"thread-{number}")
    if form.is_valid():
        given = form.cleaned_data
        try:
            made = guests.reply(opened.link, found.thread, given["name"], given["body"])
        except DesignError as error:
            form.add_error(None, error.message)
        else:
            notices.commented(made, address_of(request))
            return redirect(_at(opened, number))
    return _page(request, opened, status=422, form=_form(opened), replies={number: form})


def _form(opened: Opened, *args: Any, **given: Any) -> GuestForm:
    """A new comment; on a pattern where the link shows these."""
    shown = opened.design.patterns if opened.link.shows(Section.TABLES) else ()
    return GuestForm(shown, *args, **given)


def _page(
    request: Request,
    opened: Opened,
    *,
    form: GuestForm,
    status: int = 200,
    replies: dict[int, ReplyForm] | None = None,
) -> HttpResponse:
    said = threads.readable(None).filter(thread__guests__link=opened.link)
    url = opened.urls.page("comments")
    refused = next(iter(replies or ()), None)
    every = guests.begun(opened.link)
    found = pages(request, every, said, url, number_of=int, thread=refused)
    lines: list[dict[str, Any]] = [
        {
            "talk": talk,
            "comments": [(said, prose.html(said.body)) for said in talk.comments],
            "form": (replies or {}).get(talk.thread.pk)
            or ReplyForm(prefix=f"thread-{talk.thread.pk}"),
            "url": f"{url}{talk.thread.pk}/",
        }
        for talk in guests.talks(list(found.page), found.up_to)
    ]
    return page(
        request,
        opened,
        template="designer/shared_comments.html",
        status=status,
        is_whole=False,
        is_open=guests.is_open(opened.link),
        form=form,
        lines=lines,
        pages=found,
    )


def _at(opened: Opened, thread: int) -> str:
    return f"{opened.urls.page('comments')}?thread={thread}#thread-{thread}"


def _must_comment(opened: Opened) -> None:
    if not opened.link.may_comment:
        raise Http404("Readers of this link cannot comment.")
