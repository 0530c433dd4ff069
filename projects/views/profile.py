"""One's own account: name, e-mail address, password, where one is signed in, and its end."""

from tempfile import SpooledTemporaryFile

from django.contrib import messages
from django.contrib.auth import logout, update_session_auth_hash
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.http import FileResponse, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from designer.core.messages import say, text
from projects import access, accounts, sessions, taken_along, teams
from projects.forms import AddressForm, CheckedForm, OtherPasswordForm, ProfileForm, is_saved
from projects.proxies import address_of
from projects.views.accounts import void_link


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def profile(request: HttpRequest) -> HttpResponse:
    """The page of one's account; posted to, one gets another name."""
    # Read anew, so that a refused name does not stand in the header.
    own = User.objects.get(pk=access.person_of(request).pk)
    form = ProfileForm(request.POST or None, instance=own)
    if request.method != "POST":
        return _page(request)
    if not form.is_valid() or not is_saved(form):
        return _page(request, profile_form=form, status=422)
    messages.success(request, text(say("name-changed", name=str(form.instance))))
    return redirect("profile")


@login_required
@require_POST
@sensitive_post_parameters()
def address(request: HttpRequest) -> HttpResponse:
    """Send a letter to another address; it is the account's once the link in it was opened."""
    user = access.person_of(request)
    form = AddressForm(user, request.POST)
    if not form.is_valid():
        return _page(request, address_form=form, status=422)
    email = form.cleaned_data["email"]
    accounts.write_to_confirm.enqueue(user.pk, email, address_of(request))
    messages.info(request, text(say("link-sent", address=email)))
    return redirect("profile")


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def confirm(request: HttpRequest, token: str) -> HttpResponse:
    """The page of a letter's link, and its button: programs that look into mail follow links, and press nothing."""
    user = access.person_of(request)
    email = accounts.confirmed(token, user)
    if not email:
        return void_link(request)
    if request.method != "POST":
        return render(request, "registration/confirm.html", {"email": email})
    try:
        accounts.take_address(user, email)
    except teams.RefusedError as refused:
        messages.error(request, str(refused))
    else:
        messages.success(request, text(say("address-confirmed", address=email)))
    return redirect("profile")


@login_required
@require_POST
@sensitive_post_parameters()
def password(request: HttpRequest) -> HttpResponse:
    """Another password; all other sessions end."""
    user = access.person_of(request)
    form = OtherPasswordForm(user, request.POST)
    if not form.is_valid():
        return _page(request, password_form=form, status=422)
    form.save()
    update_session_auth_hash(request, user)
    # The old password's sessions open nothing any more; the list is not to name them.
    sessions.end_others(user, request.session.session_key)
    messages.success(request, text(say("password-changed")))
    return redirect("profile")


@login_required
@require_POST
def end_session(request: HttpRequest, number: int) -> HttpResponse:
    """Sign out of one browser."""
    sessions.end(access.person_of(request), number)
    messages.success(request, text(say("browser-signed-out")))
    return redirect("profile")


@login_required
@require_POST
def end_other_sessions(request: HttpRequest) -> HttpResponse:
    """Sign out everywhere but here."""
    sessions.end_others(access.person_of(request), request.session.session_key)
    messages.success(request, text(say("signed-in-only-here")))
    return redirect("profile")


@login_required
@require_safe
def data(request: HttpRequest) -> FileResponse:
    """What the site knows of whoever asks, as a ZIP."""
    file = SpooledTemporaryFile(max_size=8_000_000)  # noqa: SIM115  (the response closes it)
    taken_along.write(access.person_of(request), file)
    file.seek(0)
    return FileResponse(file, as_attachment=True, filename="keywright-account.zip")


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@sensitive_post_parameters()
def remove(request: HttpRequest) -> HttpResponse:
    """What goes with one's account and what stays, and the button."""
    user = access.person_of(request)
    form = CheckedForm(user, request.POST if request.method == "POST" else None)
    if request.method != "POST" or not form.is_valid():
        return _farewell(request, form, status=422 if form.errors else 200)
    try:
        teams.remove_account(user)
    except teams.RefusedError as refused:
        form.add_error(None, str(refused))
        return _farewell(request, form, status=409)
    logout(request)
    messages.success(request, text(say("account-removed")))
    return redirect("landing")


def _farewell(request: HttpRequest, form: CheckedForm, *, status: int) -> HttpResponse:
    what = teams.farewell(access.person_of(request))
    context = {"form": form, "farewell": what}
    return render(request, "registration/remove_account.html", context, status=status)


def _page(request: HttpRequest, *, status: int = 200, **context: object) -> HttpResponse:
    user = access.person_of(request)
    shown = {
        "profile_form": ProfileForm(instance=user),
        "address_form": AddressForm(user),
        "password_form": OtherPasswordForm(user) if user.has_usable_password() else None,
        **context,
        "signed_in": sessions.of(user),
        "here": request.session.session_key,
    }
    return render(request, "registration/profile.html", shown, status=status)
