"""People and what they own, as a Django app."""

from pathlib import Path
from typing import Any

from django.apps import AppConfig
from django.db.backends.signals import connection_created


class ProjectsConfig(AppConfig):
    name = "projects"
    label = "projects"
    verbose_name = "Projects"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        connection_created.connect(_private)
        # A worker finds kinds of work by their names.
        from projects import kinds  # noqa: F401


def _private(connection: Any, **sent: Any) -> None:
    """Let nobody but us read an SQLite file, nor what SQLite makes beside it with the same rights."""
    if connection.vendor != "sqlite":
        return
    path = Path(str(connection.settings_dict["NAME"]))
    for each in (path, path.with_name(f"{path.name}-wal"), path.with_name(f"{path.name}-shm")):
        try:
            if each.stat().st_mode & 0o077:
                each.chmod(0o600)
        except OSError:
            pass  # it is in memory, not there, or somebody else's
