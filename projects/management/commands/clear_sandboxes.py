"""Remove the sandboxes whose time is over."""

from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from projects.models import Project


class Command(BaseCommand):
    help = "Remove visitors' sandboxes that are older than 24 hours; run it daily."

    def handle(self, *args: Any, **options: Any) -> None:
        over = Project.objects.filter(owner=None, expires_at__lte=timezone.now())
        count = over.count()
        over.delete()
        self.stdout.write(f"Removed {count} sandbox{'' if count == 1 else 'es'}.")
