"""Signing up, in and out."""

from django.contrib.auth import login, logout
from django.contrib.auth.forms import AuthenticationForm
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from projects import access
from projects.forms import SignUpForm

BACKEND = "django.contrib.auth.backends.ModelBackend"


@sensitive_post_parameters()
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def sign_up(request: HttpRequest) -> HttpResponse:
    form = SignUpForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        login(request, form.save(), backend=BACKEND)
        return _onwards(request)
    return _page(request, "registration/sign_up.html", form)


@sensitive_post_parameters()
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def sign_in(request: HttpRequest) -> HttpResponse:
    form = AuthenticationForm(request, request.POST or None)
    if request.method == "POST" and form.is_valid():
        login(request, form.get_user())
        return _onwards(request)
    return _page(request, "registration/sign_in.html", form)


@require_POST
def sign_out(request: HttpRequest) -> HttpResponse:
    logout(request)
    return redirect("landing")


def _page(
    request: HttpRequest, template: str, form: SignUpForm | AuthenticationForm
) -> HttpResponse:
    asked = request.POST or request.GET
    context = {"form": form, "keep": asked.get("keep", ""), "next": asked.get("next", "")}
    return render(request, template, context, status=422 if form.errors else 200)


def _onwards(request: HttpRequest) -> HttpResponse:
    """To the design that was to be kept, to where the visitor came from, or to their designs."""
    kept = access.keep(request, request.POST.get("keep", ""))
    if kept is not None:
        return redirect("workspace", kept.slug)
    wanted = request.POST.get("next", "")
    # Only an address of this site: a bare word would be taken for the name of a view.
    if wanted.startswith("/") and url_has_allowed_host_and_scheme(
        wanted, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    ):
        return HttpResponseRedirect(wanted)
    return redirect("designs")
