"""What has to be done from time to time: every worker does it about once a minute, and twice does no harm."""

from datetime import timedelta

from django.core.management import call_command

from projects import access

EVERY = timedelta(minutes=1)
AT_ONCE = 200
"""Rows that are removed at once, so that nobody waits long for the database."""


def run() -> None:
    """Remove what is over: visitors' sandboxes, and tasks that were done a day ago."""
    access.clear_sandboxes(AT_ONCE)
    call_command("prune_db_task_results", min_age_days=1, verbosity=0)
