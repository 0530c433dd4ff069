"""What all commands have in common."""

import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandError


class RefusingCommand(BaseCommand):
    """A command that prints only the reason when it refuses. Django would put the name of a class before it."""

    _called_from_command_line = False

    def execute(self, *args: Any, **options: Any) -> str | None:
        try:
            return super().execute(*args, **options)
        except CommandError as error:
            if not self._called_from_command_line or options["traceback"]:
                raise
            self.stderr.write(str(error))
            sys.exit(error.returncode)
