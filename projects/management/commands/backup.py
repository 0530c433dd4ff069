"""Write all that the site keeps into a folder."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from designer.core.messages import say, text
from projects import backups
from projects.management.base import RefusingCommand
from projects.management.kept import instead, secret, sqlite_database


class Command(RefusingCommand):
    help = (
        "Write the database and the secret into a new folder, while the site runs. Anyone who has the folder can read "
        "everything on the site. For PostgreSQL, print the command to use."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("path", help="a folder that does not exist yet")

    def handle(self, *args: Any, **options: Any) -> None:
        database = sqlite_database()
        if database is None:
            raise instead("pg_dump", options["path"])
        try:
            size = backups.back_up(database, secret(), Path(options["path"]))
        except (backups.BackupError, OSError) as error:
            raise CommandError(str(error)) from error
        self.stdout.write(text(say("backup-written", bytes=size, folder=options["path"])))
        if secret() is None:
            self.stdout.write(text(say("backup-without-secret")))
