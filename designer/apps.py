"""The modelling core and its pages, as a Django app."""

from django.apps import AppConfig
from django.core.checks import Tags, register

from designer import checks
from designer.garbage import search_seldom


class DesignerConfig(AppConfig):
    name = "designer"
    label = "designer"
    verbose_name = "Designer"

    def ready(self) -> None:
        register(checks.shared_secret, Tags.security, deploy=True)
        register(checks.known_address, Tags.security, deploy=True)
        search_seldom()
