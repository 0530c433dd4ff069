"""Put a backup where the site keeps what it has."""

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
        "Replace the database with a backup that `manage.py backup` wrote, completely or not at all. Stop the site "
        "first, and run `manage.py migrate` afterwards. For PostgreSQL, print the command to use."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("path", help="the folder of the backup")
        parser.add_argument(
            "--replace",
            action="store_true",
            help="replace an existing database, which is kept under another name",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        database = sqlite_database()
        if database is None:
            raise instead("pg_restore", options["path"])
        backup = Path(options["path"])
        try:
            before = backups.restore(backup, database, secret(), replace=options["replace"])
        except (backups.BackupError, OSError) as error:
            raise CommandError(str(error)) from error
        self.stdout.write(text(say("backup-restored", file=str(database))))
        if before is not None:
            self.stdout.write(text(say("database-kept", file=str(before))))
