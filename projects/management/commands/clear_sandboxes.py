"""Remove the sandboxes whose time is over."""

from typing import Any

from django.core.management.base import BaseCommand

from designer.core.messages import say, text
from projects.access import clear_sandboxes


class Command(BaseCommand):
    help = "Remove visitors' sandboxes that are older than 24 hours. A worker does the same every minute."

    def handle(self, *args: Any, **options: Any) -> None:
        count = clear_sandboxes()
        self.stdout.write(text(say("sandboxes-removed", count=count)))
