"""What is answered to somebody who may not do what they asked for."""

from django.http import HttpResponse, HttpResponseForbidden
from django.views.defaults import permission_denied

from designer.views.requests import Request


def denied(request: Request, exception: Exception) -> HttpResponse:
    """A page that says why; to a page that is open already the sentence alone, for it to say beside what was typed."""
    if request.htmx:
        return HttpResponseForbidden(str(exception), content_type="text/plain; charset=utf-8")
    return permission_denied(request, exception)
