"""Signing up, in and out."""

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login, logout
from django.contrib.auth.forms import AuthenticationForm
from django.forms import BaseForm
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from projects import access, accounts
from projects.forms import AccountForm, EmailForm, SignUpForm
from projects.views.invitations import opened

BACKEND = "django.contrib.auth.backends.ModelBackend"


@sensitive_post_parameters()
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def sign_up(request: HttpRequest) -> HttpResponse:
    """Make an account; where its address matters, begin with a letter to it."""
    if settings.SIGN_UP != "open" and not (settings.SIGN_UP == "invited" and opened(request)):
        status = 403 if request.method == "POST" else 200
        return render(
            request, "registration/no_sign_up.html", {"mode": settings.SIGN_UP}, status=status
        )
    if settings.SIGN_UP_DOMAINS:
        return _begin(request)
    form = SignUpForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        user = form.save()
        login(request, user, backend=BACKEND)
        email = form.cleaned_data["email"]
        if email:
            accounts.write_to_confirm.enqueue(user.pk, email, request.build_absolute_uri("/"))
            messages.info(request, f"A letter is on its way to {email}: open the link in it.")
        return onwards(request, request.POST.get("keep", ""), request.POST.get("next", ""))
    return _page(request, "registration/sign_up.html", form)


def _begin(request: HttpRequest) -> HttpResponse:
    """Send the letter; what is answered does not tell whether the address has an account."""
    form = EmailForm(request.POST or None)
    if request.method != "POST" or not form.is_valid():
        return _page(request, "registration/sign_up.html", form)
    email, site = form.cleaned_data["email"], request.build_absolute_uri("/")
    keep, wanted = request.POST.get("keep", ""), request.POST.get("next", "")
    accounts.write_to_begin.enqueue(email, keep, wanted, site)
    return render(request, "registration/letter_sent.html", {"email": email})


@sensitive_post_parameters()
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def finish(request: HttpRequest, token: str) -> HttpResponse:
    """Make the account whose link came in a letter."""
    beginning = accounts.begun(token)
    if beginning is None:
        return void_link(request)
    form = AccountForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        form.instance.email = beginning.email
        login(request, form.save(), backend=BACKEND)
        return onwards(request, beginning.keep, beginning.next)
    answer = _page(request, "registration/sign_up.html", form, email=beginning.email)
    answer.headers["Referrer-Policy"] = "no-referrer"
    return answer


@sensitive_post_parameters()
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def sign_in(request: HttpRequest) -> HttpResponse:
    form = AuthenticationForm(request, request.POST or None)
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
    """To the design that was to be kept, to where the visitor came from, or to their designs."""
    kept = access.keep(request, keep)
    if kept is not None:
        return redirect("workspace", kept.slug)
    # Only an address of this site: a bare word would be taken for the name of a view.
    if wanted.startswith("/") and url_has_allowed_host_and_scheme(
        wanted, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    ):
        return HttpResponseRedirect(wanted)
    return redirect("designs")
