"""A backup of all that the site keeps in SQLite, and the way back.

A backup is a folder with the database as one file, the secret that signs sessions and letters where it lies in the
data folder, and a note of what made it. It opens everything that the site keeps: it is its owner's alone, as they are.
"""

import json
import os
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

from django.db.migrations.loader import MigrationLoader
from django.utils import timezone

from designer.core.errors import SaidError
from designer.core.messages import say
from projects.workers import SEEN

DATABASE, SECRET, NOTE = "keywright.sqlite3", "secret-key", "about.json"
FORMAT = 1


class BackupError(SaidError):
    """A backup that cannot be made or restored."""


def back_up(database: Path, secret: Path | None, to: Path) -> int:
    """Write a backup into the new folder `to`, while the site runs; its size in bytes.

    All that was answered before it began is in it. Nothing is there until all of it is.
    """
    if to.exists():
        raise BackupError(say("backup-folder-exists", folder=str(to)))
    if not database.exists():
        raise BackupError(say("no-database-at", file=str(database)))
    draft = to.with_name(f".{to.name}.{os.getpid()}")
    to.parent.mkdir(parents=True, exist_ok=True)
    draft.mkdir(mode=0o700)
    try:
        _copy(database, draft / DATABASE)
        if secret is not None and secret.exists():
            _write(draft / SECRET, secret.read_bytes())
        note = {"format": FORMAT, "made_at": timezone.now().isoformat(timespec="seconds")}
        _write(draft / NOTE, json.dumps(note).encode())
        _sync(draft)
        draft.rename(to)
        _sync(to.parent)
    finally:
        shutil.rmtree(draft, ignore_errors=True)
    return (to / DATABASE).stat().st_size


def restore(backup: Path, database: Path, secret: Path | None, *, replace: bool) -> Path | None:
    """Put a backup in the place of the database; where one was, the path at which it lies now.

    BackupError, and nothing is changed, when the backup is not whole or not one of this version or an older one, when
    there is a database and it is not to be replaced, or when the site runs on it.
    """
    _check_note(backup)
    is_there = database.exists() and database.stat().st_size > 0
    if is_there and not replace:
        raise BackupError(say("database-stands-at", file=str(database)))
    database.parent.mkdir(parents=True, exist_ok=True)
    draft = database.with_name(f".{database.name}.{os.getpid()}")
    try:
        _copy(backup / DATABASE, draft)
        _check_migrations(draft)
        before = _set_aside(database) if is_there else None
        if secret is not None and (backup / SECRET).exists():
            key = secret.with_name(f".{secret.name}.{os.getpid()}")
            _write(key, (backup / SECRET).read_bytes())
            key.replace(secret)
        draft.replace(database)
        _sync(database.parent)
    finally:
        draft.unlink(missing_ok=True)
    return before


def _copy(source: Path, to: Path) -> None:
    """A copy as one file, of one moment, whatever is written to the source meanwhile; checked whole."""
    _write(to, b"")  # before SQLite makes it, which would let others read it
    try:
        with (
            closing(sqlite3.connect(f"{source.absolute().as_uri()}?mode=ro", uri=True)) as kept,
            closing(sqlite3.connect(to)) as copy,
        ):
            # In one step: in smaller ones it begins anew whenever somebody writes.
            kept.backup(copy)
            copy.execute("PRAGMA journal_mode=DELETE")
            (said,) = copy.execute("PRAGMA integrity_check(1)").fetchone()
    except sqlite3.DatabaseError as error:
        raise BackupError(say("not-a-database", file=str(source), problem=str(error))) from error
    if said != "ok":
        raise BackupError(say("database-damaged", file=str(source), problem=str(said)))
    _sync(to)


def _check_note(backup: Path) -> None:
    try:
        note: Any = json.loads((backup / NOTE).read_text())
    except (OSError, ValueError):
        raise BackupError(say("not-a-backup", folder=str(backup), note=NOTE)) from None
    if not isinstance(note, dict) or note.get("format") != FORMAT:
        raise BackupError(say("backup-of-other-version", folder=str(backup)))
    if not (backup / DATABASE).exists():
        raise BackupError(say("backup-incomplete", folder=str(backup), file=DATABASE))


def _check_migrations(database: Path) -> None:
    """Refuse a database that a newer version made: this one would not know what it holds."""
    try:
        with closing(sqlite3.connect(database)) as copy:
            applied = set(copy.execute("SELECT app, name FROM django_migrations"))
    except sqlite3.DatabaseError as error:
        raise BackupError(say("backup-of-something-else", problem=str(error))) from error
    loader = MigrationLoader(None, ignore_no_migrations=True)
    known = set(loader.disk_migrations or {})
    unknown = sorted(
        f"{app}.{name}" for app, name in applied - known if app in loader.migrated_apps
    )
    if unknown:
        raise BackupError(say("backup-of-newer-version", migration=unknown[-1]))


def _set_aside(database: Path) -> Path:
    """Keep what is there under another name too, as one file; its path. BackupError when somebody is at it."""
    try:
        with closing(sqlite3.connect(database, timeout=0, isolation_level=None)) as there:
            _refuse_live(there)
            # Only whoever is alone with a database may change how it is written.
            (mode,) = there.execute("PRAGMA journal_mode=DELETE").fetchone()
            if mode != "delete":
                raise BackupError(say("site-is-running"))
    except sqlite3.OperationalError as error:
        raise BackupError(say("site-holds-database", problem=str(error))) from error
    except sqlite3.DatabaseError:
        pass  # what is damaged may be replaced
    moment = timezone.now().strftime("%Y%m%dT%H%M%S")
    aside = database.with_name(f"{database.name}.replaced-{moment}")
    aside.hardlink_to(database)
    for leftover in ("-wal", "-shm"):
        # Of a damaged one. Beside the new one they would be taken for its own.
        database.with_name(database.name + leftover).unlink(missing_ok=True)
    return aside


def _refuse_live(there: sqlite3.Connection) -> None:
    """Between two requests nobody holds the file; but workers say every few seconds that they live."""
    try:
        (seen,) = there.execute("SELECT max(seen_at) FROM projects_worker").fetchone()
    except sqlite3.OperationalError as error:
        if "no such table" in str(error):
            return
        raise
    now = timezone.now()
    if seen and str(seen) > (now - SEEN).strftime("%Y-%m-%d %H:%M:%S"):
        raise BackupError(say("worker-is-running"))


def _write(path: Path, content: bytes) -> None:
    """A new file that nobody else may read."""
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def _sync(path: Path) -> None:
    """Have a file, or the names in a folder, on the disk before going on."""
    held = os.open(path, os.O_RDONLY)
    try:
        os.fsync(held)
    finally:
        os.close(held)
