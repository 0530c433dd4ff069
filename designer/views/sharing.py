"""Sharing a design: its read-only links, and the tokens with which programs read it."""

from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from designer.core.errors import DesignError
from designer.core.messages import say
from designer.forms.sharing import LinkForm, TokenForm
from designer.views.requests import Request
from designer.views.workspace import Left, show
from projects import access, api_tokens, links, revisions, shown_once
from projects.models import Draft, Right, ShareLink
from projects.proxies import address_of
from projects.refused import DeniedError

LINK, TOKEN = "link", "token"


@require_safe
def sharing(request: Request, slug: str) -> HttpResponse:
    """The links and tokens of a design, and once the secret of the one that was just made."""
    draft = access.draft_for(request, slug)
    made = shown_once.brought(request)
    response = _page(request, draft, **_made(request, made))
    if made is not None:
        shown_once.forget(response, request.path)
        response.headers["Cache-Control"] = "no-store"
    return response


@require_POST
def add_link(request: Request, slug: str) -> HttpResponse:
    draft = access.draft_for(request, slug)
    form = LinkForm(draft, request.POST, auto_id="link-%s")
    if not form.is_valid():
        return _page(request, draft, status=422, link_form=form)
    draft = access.own(request, draft)
    try:
        _, token = links.make(
            draft,
            request.user,
            name=form.cleaned_data["name"],
            revision=form.revision,
            sections=form.sections_chosen,
            expires_at=form.expires_at,
            password=form.cleaned_data["password"],
            may_comment=form.cleaned_data["may_comment"],
        )
    except DesignError as error:
        form.add_error(None, error.message)
        return _page(request, draft, status=422, link_form=form)
    return _back(request, draft, LINK, token)


@require_POST
def renew_link(request: Request, slug: str, number: int) -> HttpResponse:
    """Another address for a link; the one before opens nothing any more."""
    draft = access.draft_for(request, slug)
    return _back(request, draft, LINK, links.renew(_link(draft, number), request.user))


@require_POST
def revoke_link(request: Request, slug: str, number: int) -> HttpResponse:
    draft = _to_revoke(request, slug)
    links.revoke(_link(draft, number), request.user)
    return redirect("sharing", draft.slug)


@require_POST
def add_token(request: Request, slug: str) -> HttpResponse:
    draft = access.draft_for(request, slug)
    if draft.project is None:
        raise Http404("Only a design in a project can have tokens.")
    form = TokenForm(request.POST, auto_id="token-%s")
    if not form.is_valid():
        return _page(request, draft, status=422, token_form=form)
    is_of_all = form.cleaned_data["opens"] == "project"
    if is_of_all and Right.MANAGE not in draft.rights:
        raise DeniedError(say("token-needs-owner"))
    try:
        _, secret = api_tokens.make(
            draft.project,
            request.user,
            draft=None if is_of_all else draft,
            name=form.cleaned_data["name"],
            expires_at=form.expires_at,
        )
    except DesignError as error:
        form.add_error(None, error.message)
        return _page(request, draft, status=422, token_form=form)
    return _back(request, draft, TOKEN, secret)


@require_POST
def revoke_token(request: Request, slug: str, number: int) -> HttpResponse:
    draft = _to_revoke(request, slug)
    token = get_object_or_404(api_tokens.reaching(draft), pk=number, revoked_at=None)
    if token.draft_id is None and Right.MANAGE not in draft.rights:
        raise DeniedError(say("revoking-needs-owner"))
    api_tokens.revoke(token, request.user)
    return redirect("sharing", draft.slug)


def _link(draft: Draft, number: int) -> ShareLink:
    """A link of a design that was not revoked yet. Http404 when there is none."""
    return get_object_or_404(ShareLink, draft_id=draft.pk, pk=number, revoked_at=None)


def _to_revoke(request: Request, slug: str) -> Draft:
    """A design whose editors may take back what they gave out; its owners too, when its project is archived."""
    draft = access.draft_for(request, slug, may=Right.READ)
    if not draft.rights & {Right.EDIT, Right.MANAGE}:
        raise DeniedError(say("revoking-needs-editor"))
    return draft


def _page(request: Request, draft: Draft, *, status: int = 200, **context: Any) -> HttpResponse:
    shows = request.GET.get("revision", "")
    initial = {"shows": shows} if shows else {}
    context.setdefault("link_form", LinkForm(draft, initial=initial, auto_id="link-%s"))
    context.setdefault("token_form", TokenForm(auto_id="token-%s"))
    return show(
        request,
        draft,
        revisions.latest(draft),
        Left(),
        status=status,
        page="designer/sharing.html",
        with_grid=False,
        links=links.listed(draft),
        tokens=api_tokens.listed(draft) if draft.project is not None else (),
        members=_members(draft),
        may_manage=Right.MANAGE in draft.rights,
        api_url=address_of(request, f"/api/v1/designs/{draft.slug}/"),
        **context,
    )


def _members(draft: Draft) -> set[int] | None:
    """Who is in the design's team; None where it has none."""
    if draft.project is None:
        return None
    return set(draft.project.team.memberships.values_list("user_id", flat=True))


def _back(request: Request, draft: Draft, kind: str, secret: str) -> HttpResponse:
    path = reverse("sharing", args=[draft.slug])
    return shown_once.send(request, redirect(path), path, f"{kind} {secret}")


def _made(request: Request, made: str | None) -> dict[str, Any]:
    """What the page shows once: the address of the new link, or the new token."""
    kind, _, secret = (made or "").partition(" ")
    if kind == LINK:
        path = reverse("shared-workspace", args=[secret])
        return {"new_link": address_of(request, path)}
    return {"new_token": secret} if kind == TOKEN else {}
