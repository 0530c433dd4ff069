"""Signing up, in and out."""

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login, logout
from django.contrib.auth.models import User
from django.db import transaction
from django.forms import BaseForm
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from designer.core.messages import say, text
from projects import access, accounts, invitations
from projects.forms import AccountForm, EmailForm, SignInForm, SignUpForm, is_saved
from projects.models import Invitation
from projects.proxies import address_of
from projects.teams import RefusedError
from projects.views.invitations import SESSION as INVITATION
from projects.views.invitations import opened

BACKEND = "django.contrib.auth.backends.ModelBackend"


@sensitive_post_parameters()
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def sign_up(request: HttpRequest) -> HttpResponse:
    """Make an account; where its address matters, begin with a letter to it."""
    invitation = opened(request)
    if not _may_sign_up(invitation):
        return _no_sign_up(request)
    if settings.SIGN_UP_DOMAINS:
        return _begin(request, invitation)
    form = SignUpForm(request.POST or None, invited=_address_of(invitation))
    if request.method == "POST" and form.is_valid():
        try:
            user = _make(form, invitation, form.confirmed)
        except RefusedError:
            return _no_sign_up(request)
        if user is not None:
            login(request, user, backend=BACKEND)
            email = form.cleaned_data["email"]
            if email and not user.email:
                accounts.write_to_confirm.enqueue(user.pk, email, address_of(request))
                messages.info(request, text(say("link-sent", address=email)))
            return _welcome(
                request, request.POST.get("keep", ""), request.POST.get("next", ""), invitation
            )
    return _page(request, "registration/sign_up.html", form)


def _may_sign_up(invitation: Invitation | None) -> bool:
    return settings.SIGN_UP == "open" or (settings.SIGN_UP == "invited" and invitation is not None)


def _address_of(invitation: Invitation | None) -> str:
    """Where the letter went whose secret the visitor has; nowhere for a link."""
    return invitation.email if invitation is not None else ""


def _no_sign_up(request: HttpRequest) -> HttpResponse:
    status = 403 if request.method == "POST" else 200
    return render(
        request, "registration/no_sign_up.html", {"mode": settings.SIGN_UP}, status=status
    )


@transaction.atomic
def _make(form: AccountForm, invitation: Invitation | None, email: str = "") -> User | None:
    """The account, with this address, which is confirmed; where only the invited may have one, in the team at once, so
    that one letter makes one account. None when the form refuses its name by now.

    RefusedError when the invitation is void by now, or another account has the address.
    """
    if email:
        accounts.hold_addresses()
        if accounts.owner_of(email) is not None:
            raise RefusedError(say("address-taken"))
        form.instance.email = email
    if not is_saved(form):
        return None
    user: User = form.instance
    if settings.SIGN_UP == "invited" and invitation is not None:
        invitations.accept(invitation, user)
    return user


def _welcome(
    request: HttpRequest, keep: str, wanted: str, invitation: Invitation | None
) -> HttpResponse:
    """Onwards for a new account: where only the invited have one, to their team instead of the button to join it."""
    if settings.SIGN_UP == "invited" and invitation is not None:
        request.session.pop(INVITATION, None)
        messages.success(request, text(say("joined", team=invitation.team.name)))
        wanted = reverse("team", args=[invitation.team.slug])
    return onwards(request, keep, wanted)


def _begin(request: HttpRequest, invitation: Invitation | None) -> HttpResponse:
    """Send e-mail; what is answered does not tell whether the address has an account."""
    form = EmailForm(request.POST or None, initial={"email": _address_of(invitation)})
    if request.method != "POST" or not form.is_valid():
        return _page(request, "registration/sign_up.html", form)
    email, site = form.cleaned_data["email"], address_of(request)
    keep, wanted = request.POST.get("keep", ""), request.POST.get("next", "")
    number = invitation.pk if invitation is not None else None
    accounts.write_to_begin.enqueue(email, keep, wanted, site, number)
    return render(request, "registration/letter_sent.html", {"email": email})


@sensitive_post_parameters()
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def finish(request: HttpRequest, token: str) -> HttpResponse:
    """Make the account whose link came in a letter."""
    beginning = accounts.begun(token)
    invitation = invitations.numbered(beginning.invitation) if beginning is not None else None
    if beginning is None or not _may_sign_up(invitation):
        return void_link(request)
    form = AccountForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            user = _make(form, invitation, beginning.email)
        except RefusedError:
            return void_link(request)
        if user is not None:
            login(request, user, backend=BACKEND)
            return _welcome(request, beginning.keep, beginning.next, invitation)
    return _page(request, "registration/sign_up.html", form, email=beginning.email)


@sensitive_post_parameters()
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def sign_in(request: HttpRequest) -> HttpResponse:
    form = SignInForm(request, request.POST or None)
    if request.method == "POST" and form.is_valid():
        login(request, form.get_user())
        return onwards(request, request.POST.get("keep", ""), request.POST.get("next", ""))
    return _page(request, "registration/sign_in.html", form)


@require_POST
def sign_out(request: HttpRequest) -> HttpResponse:
    logout(request)
    return redirect("landing")


def void_link(request: HttpRequest) -> HttpResponse:
    """The page where a link of a letter leads that does not work any more."""
    return render(request, "registration/void_link.html", status=404)


def _page(request: HttpRequest, template: str, form: BaseForm, **more: object) -> HttpResponse:
    asked = request.POST or request.GET
    context = {"form": form, "keep": asked.get("keep", ""), "next": asked.get("next", ""), **more}
    context["may_sign_up"] = settings.SIGN_UP != "closed"
    context["single_sign_on"] = settings.OIDC_NAME if settings.OIDC_ISSUER else ""
    return render(request, template, context, status=422 if form.errors else 200)


def onwards(request: HttpRequest, keep: str, wanted: str) -> HttpResponse:
    """To the design that was to be kept, as it was shown; to where the visitor came from, or to their designs."""
    kept = access.keep(request, keep)
    if kept is not None:
        return HttpResponseRedirect(access.page_of(kept, wanted))
    # Only an address of this site: a bare word would be taken for the name of a view.
    if wanted.startswith("/") and url_has_allowed_host_and_scheme(
        wanted, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    ):
        return HttpResponseRedirect(wanted)
    return redirect("designs")
