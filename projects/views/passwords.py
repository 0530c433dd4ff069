"""A forgotten password, and a new one by the link of a letter."""

from typing import Any

from django.contrib.auth.views import PasswordResetConfirmView
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from projects import accounts, sessions
from projects.forms import ForgottenForm, NewPasswordForm
from projects.proxies import address_of
from projects.views.accounts import BACKEND, void_link


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def forgotten(request: HttpRequest) -> HttpResponse:
    """Ask for a letter; what is answered, and how fast, does not tell whether the address has an account."""
    form = ForgottenForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        email = form.cleaned_data["email"]
        accounts.write_to_reset.enqueue(email, address_of(request))
        return render(request, "registration/letter_sent.html", {"email": email})
    status = 422 if form.errors else 200
    return render(request, "registration/forgotten.html", {"form": form}, status=status)


class NewPassword(PasswordResetConfirmView):
    """Django's own: it exchanges the secret of the address for a note in the session at once, and once the
    password is another one, neither the link nor any session from before works.
    """

    form_class = NewPasswordForm
    template_name = "registration/new_password.html"
    post_reset_login = True
    post_reset_login_backend = BACKEND
    success_url = reverse_lazy("designs")

    def form_valid(self, form: Any) -> HttpResponse:
        answer = super().form_valid(form)
        sessions.end_others(form.user, self.request.session.session_key)
        return answer

    def form_invalid(self, form: Any) -> HttpResponse:
        answer = super().form_invalid(form)
        answer.status_code = 422
        return answer

    def render_to_response(self, context: dict[str, Any], **kwargs: Any) -> HttpResponse:
        if not self.validlink:
            return void_link(self.request)
        return super().render_to_response(context, **kwargs)


new_password = NewPassword.as_view()
