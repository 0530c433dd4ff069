"""The modelling core and its pages, as a Django app."""

from django.apps import AppConfig


class DesignerConfig(AppConfig):
    name = "designer"
    label = "designer"
    verbose_name = "Designer"
