"""The modelling core and its pages, as a Django app."""

import gc

from django.apps import AppConfig
from django.core.checks import Tags, register

from designer import checks


class DesignerConfig(AppConfig):
    name = "designer"
    label = "designer"
    verbose_name = "Designer"

    def ready(self) -> None:
        # A plan is hundreds of thousands of objects, nearly all of them needed to its end. By Python's own limits (700,
        # 10, 10) they are searched for garbage over and over, for a fifth of the time and in pauses of 0.1 s.
        gc.set_threshold(50_000, 20, 100)
        register(checks.shared_secret, Tags.security, deploy=True)
