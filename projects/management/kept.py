"""What `backup` and `restore` act on."""

import shlex
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError
from django.db import connection

from designer.core.messages import say, text


def sqlite_database() -> Path | None:
    """The file of the database; None when it is PostgreSQL."""
    if connection.vendor != "sqlite":
        return None
    return Path(str(settings.DATABASES["default"]["NAME"]))


def secret() -> Path | None:
    """The file of the secret; None when it is given in the environment, and kept there."""
    return None if settings.IS_SECRET_GIVEN else settings.DATA_DIR / "secret-key"


def instead(program: str, path: str) -> CommandError:
    """What to run for PostgreSQL instead."""
    database: dict[str, Any] = settings.DATABASES["default"]
    server = {
        "--host": database["HOST"],
        "--port": database["PORT"],
        "--username": database["USER"],
    }
    where = [f"{name}={value}" for name, value in server.items() if value]
    if program == "pg_dump":
        command = ["pg_dump", *where, "--format=custom", "--no-owner", f"--file={path}"]
        command.append(f"--dbname={database['NAME']}")
    else:
        options = ["--no-owner", "--clean", "--if-exists", "--single-transaction"]
        command = ["pg_restore", *where, *options, f"--dbname={database['NAME']}", path]
    return CommandError(text(say("postgresql-instead", command=shlex.join(command))))
