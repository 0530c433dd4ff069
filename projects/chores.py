"""What has to be done from time to time: every worker does it about once a minute, and twice does no harm."""

from datetime import timedelta

from axes.models import AccessAttempt, AccessFailureLog, AccessLog
from django.conf import settings
from django.contrib.sessions.models import Session
from django.core.management import call_command
from django.db.models import Model, QuerySet
from django.utils import timezone

from projects import access
from projects.models import PlannedNames, Throttled, WorkedOut

EVERY = timedelta(minutes=1)
AT_ONCE = 200
"""Rows of a kind that are removed at once, so that nobody waits long for the database."""
MOST = 10_000
"""Rows of a kind that are removed in one go."""
NAMES_KEPT = 20_000
NAMES_KEPT_FOR = timedelta(days=30)
"""What plans named, of those that were seen last."""


def run() -> None:
    """Remove what is over: visitors' sandboxes, sessions, counts, old names of plans, tasks done a day ago, the log of
    sign-ins.
    """
    now = timezone.now()
    access.clear_sandboxes(AT_ONCE)
    _remove(Session.objects.filter(expire_date__lt=now))
    _remove(Throttled.objects.filter(ends_at__lt=now))
    names = PlannedNames.objects.order_by("-made_at")
    _remove(names.filter(made_at__lt=now - NAMES_KEPT_FOR))
    _remove(names[NAMES_KEPT:])
    _remove(WorkedOut.objects.filter(result=None, begun_at__lt=now - timedelta(days=1)))
    before = now - timedelta(days=settings.SIGN_INS_KEPT_DAYS)
    for log in (AccessLog, AccessAttempt, AccessFailureLog):
        _remove(log.objects.filter(attempt_time__lt=before))
    call_command("prune_db_task_results", min_age_days=1, verbosity=0)


def _remove(over: QuerySet[Model]) -> None:
    """These rows, a few at once, or so many that the others can wait for the next minute."""
    for _ in range(MOST // AT_ONCE):
        some = list(over.values_list("pk", flat=True)[:AT_ONCE])
        if not some:
            return
        over.model._default_manager.filter(pk__in=some).delete()
