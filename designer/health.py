"""Two addresses for whoever watches the site: does this process answer, and can the site do its work?

They are answered before anything else, so that a probe needs no HTTPS, no host name that the site knows, no session.
"""

import logging
from collections.abc import Callable
from functools import cache
from typing import Final

from django.conf import settings
from django.db import DatabaseError, connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.http import HttpRequest, HttpResponse, JsonResponse

from projects import workers

log = logging.getLogger(__name__)

UNCACHED: Final = {"Cache-Control": "no-store"}


def probes(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Answer /healthz and /readyz, and leave the rest to the site."""

    def middleware(request: HttpRequest) -> HttpResponse:
        if request.path_info == "/healthz":
            return HttpResponse("ok\n", content_type="text/plain", headers=UNCACHED)
        if request.path_info == "/readyz":
            missing = what_is_missing()
            said = {"ready": not missing, "missing": missing}
            return JsonResponse(said, status=503 if missing else 200, headers=UNCACHED)
        return get_response(request)

    return middleware


def what_is_missing() -> list[str]:
    """What keeps the site from doing its work, as sentences; nothing when it is ready."""
    try:
        unapplied = _needed() - set(MigrationRecorder(connection).applied_migrations())
        if unapplied:
            return ["migrations are not applied; run manage.py migrate"]
        return [
            f"no worker of the queue {queue} was seen within a minute"
            for queue in settings.QUEUES
            if not workers.is_at_work(queue)
        ]
    except DatabaseError:
        log.exception("Not ready")
        return ["the database does not answer"]


@cache
def _needed() -> set[tuple[str, str]]:
    """The migrations that this version of the site relies on. A newer version may have applied more."""
    loader = MigrationLoader(None, ignore_no_migrations=True)
    # What was squashed counts by its own name or by those that it replaces: the newest of each app will do.
    return set(loader.graph.leaf_nodes())
