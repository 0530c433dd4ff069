"""People and what they own, as a Django app."""

from django.apps import AppConfig


class ProjectsConfig(AppConfig):
    name = "projects"
    label = "projects"
    verbose_name = "Projects"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        # A worker finds kinds of work by their names.
        from projects import kinds  # noqa: F401
