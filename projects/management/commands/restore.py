"""Put a backup where the site keeps what it has."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from projects import backups
from projects.management.kept import instead, secret, sqlite_database


class Command(BaseCommand):
    help = (
        "Put a backup that `manage.py backup` wrote in the place of the database, as a whole or not at all. Stop "
        "the site "
        "first, and run `manage.py migrate` afterwards. For PostgreSQL, print the command to use."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("path", help="the folder of the backup")
        parser.add_argument(
            "--replace",
            action="store_true",
            help="even where there is a database; that one is kept under another name",
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
        self.stdout.write(f"Restored {database}. Run `manage.py migrate`, then start the site.")
        if before is not None:
            self.stdout.write(f"What was there is {before}; remove it when all is well.")
