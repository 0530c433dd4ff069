"""The slugs of the gallery, one a line."""

from typing import Any

from django.core.management.base import BaseCommand

from designer.core.design.gallery import SLUGS


class Command(BaseCommand):
    help = "List the designs of the gallery, one a line. To use one as DESIGN, write gallery:SLUG."
    requires_system_checks = []

    def handle(self, *args: Any, **options: Any) -> None:
        for slug in SLUGS:
            self.stdout.write(slug)
