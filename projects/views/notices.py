"""What somebody is told by e-mail."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from designer.core.messages import say, text
from projects.models import Notices


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def notices(request: HttpRequest) -> HttpResponse:
    assert request.user.is_authenticated
    mine = Notices.objects.filter(user=request.user).first() or Notices(user=request.user)
    wanted = request.POST.get("wanted")
    if wanted in Notices.Wanted.values:
        mine.wanted = wanted
        mine.save()
        messages.success(request, text(say("choice-saved")))
        return redirect("notices")
    context = {"mine": mine, "choices": Notices.Wanted.choices}
    status = 422 if request.method == "POST" else 200
    return render(request, "projects/notices.html", context, status=status)
