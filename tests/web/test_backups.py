"""A backup holds all that was answered before it began, and is put back whole or not at all."""

import os
import shutil
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from threading import Event, Thread

import pytest

from designer.core.messages import say
from projects import backups

ROOT = Path(__file__).resolve().parents[2]


def run(
    folder: Path, *command: str, is_well: bool = True, **more: str
) -> "subprocess.CompletedProcess[str]":
    """A command of manage.py, on the data folder given."""
    environment = {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "designer.settings",
        "KEYWRIGHT_DATA_DIR": str(folder),
        **more,
    }
    if not more:
        environment.pop("DATABASE_URL", None)
    ran = subprocess.run(
        [sys.executable, *command],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ran.returncode == 0) is is_well, ran.stderr
    return ran


@pytest.fixture(scope="module")
def fresh(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with an empty database."""
    folder = tmp_path_factory.mktemp("fresh")
    run(folder, "manage.py", "migrate", "--verbosity", "0")
    return folder


@pytest.fixture
def data(fresh: Path, tmp_path: Path) -> Path:
    return shutil.copytree(fresh, tmp_path / "data")


def numbers(database: Path) -> list[int]:
    with closing(sqlite3.connect(database)) as kept:
        return [n for (n,) in kept.execute("SELECT number FROM written ORDER BY number")]


@contextmanager
def written_to(database: Path) -> Iterator[list[int]]:
    """While somebody writes into it: the numbers that were committed so far."""
    done, acknowledged = Event(), [0]
    begun = Event()

    def write() -> None:
        with closing(sqlite3.connect(database, timeout=20)) as kept:
            kept.execute("PRAGMA synchronous=NORMAL")
            while not done.is_set():
                with kept:
                    number = acknowledged[-1] + 1
                    kept.execute("INSERT INTO written VALUES (?, ?)", (number, "x" * 2000))
                acknowledged.append(number)
                begun.set()

    with closing(sqlite3.connect(database)) as kept, kept:
        kept.execute("PRAGMA journal_mode=WAL")
        kept.execute("CREATE TABLE written (number INTEGER, text TEXT)")
        kept.execute("INSERT INTO written VALUES (0, '')")
    thread = Thread(target=write)
    thread.start()
    try:
        assert begun.wait(20)
        yield acknowledged
    finally:
        done.set()
        thread.join()


def test_a_backup_under_load_holds_all_that_was_committed_before_it(
    data: Path, tmp_path: Path
) -> None:
    with written_to(data / "keywright.sqlite3") as acknowledged:
        for turn in range(5):
            before = acknowledged[-1]
            backup = tmp_path / f"backup-{turn}"
            backups.back_up(data / "keywright.sqlite3", data / "secret-key", backup)
            found = numbers(backup / "keywright.sqlite3")
            assert found == list(range(len(found)))
            assert len(found) > before
        new = tmp_path / "new"
        backups.restore(backup, new / "keywright.sqlite3", new / "secret-key", replace=False)
    assert numbers(new / "keywright.sqlite3") == found
    assert sorted(each.name for each in backup.iterdir()) == [
        "about.json",
        "keywright.sqlite3",
        "secret-key",
    ]


def test_a_backup_is_its_owners_alone(data: Path, tmp_path: Path) -> None:
    backup = tmp_path / "deep" / "backup"
    backups.back_up(data / "keywright.sqlite3", data / "secret-key", backup)
    assert stat.S_IMODE(backup.stat().st_mode) == 0o700
    assert {stat.S_IMODE(each.stat().st_mode) for each in backup.iterdir()} == {0o600}
    assert [each.name for each in backup.parent.iterdir()] == ["backup"]


SERVES = """if True:
    import django
    django.setup()
    from django.contrib.auth.models import User
    from django.test import Client
    from django.conf import settings
    settings.ALLOWED_HOSTS = ["*"]
    client = Client()
    client.cookies["sessionid"] = "{session}"
    print(client.get("/designs/").status_code, User.objects.get().username)
"""
SIGNS_IN = """if True:
    import django
    django.setup()
    from django.contrib.auth.models import User
    from django.test import Client
    from django.conf import settings
    settings.ALLOWED_HOSTS = ["*"]
    client = Client()
    client.force_login(User.objects.create_user("alice"), "django.contrib.auth.backends.ModelBackend")
    print(client.cookies["sessionid"].value)
"""


@pytest.mark.slow
def test_the_site_works_on_what_was_restored_into_an_empty_folder(
    data: Path, tmp_path: Path
) -> None:
    """People are still signed in: the secret came along."""
    session = run(data, "-c", SIGNS_IN).stdout.strip()
    backup, new = tmp_path / "backup", tmp_path / "new"
    run(data, "manage.py", "backup", str(backup))
    said = run(new, "manage.py", "restore", str(backup)).stdout
    assert "Run `manage.py migrate`" in said
    run(new, "manage.py", "migrate", "--verbosity", "0")
    assert run(new, "-c", SERVES.format(session=session)).stdout == "200 alice\n"
    assert (new / "secret-key").read_bytes() == (data / "secret-key").read_bytes()
    assert stat.S_IMODE((new / "keywright.sqlite3").stat().st_mode) == 0o600


@pytest.fixture
def backup(data: Path, tmp_path: Path) -> Path:
    made = tmp_path / "backup"
    backups.back_up(data / "keywright.sqlite3", data / "secret-key", made)
    return made


def put_back(backup: Path, data: Path, *, replace: bool = False) -> Path | None:
    return backups.restore(backup, data / "keywright.sqlite3", data / "secret-key", replace=replace)


def contents(folder: Path) -> dict[str, bytes]:
    return {each.name: each.read_bytes() for each in folder.iterdir()}


def test_a_database_is_replaced_only_when_that_is_said_and_is_kept(
    backup: Path, data: Path
) -> None:
    database = data / "keywright.sqlite3"
    with closing(sqlite3.connect(database)) as kept, kept:
        kept.execute("CREATE TABLE newer (x)")
    before = contents(data)
    with pytest.raises(backups.BackupError) as error:
        put_back(backup, data)
    assert error.value.reason == say("database-stands-at", file=str(database))
    assert contents(data) == before
    aside = put_back(backup, data, replace=True)
    assert aside is not None
    tables = "SELECT count(*) FROM sqlite_master WHERE name = 'newer'"
    for path, count in ((database, 0), (aside, 1)):
        with closing(sqlite3.connect(path)) as kept:
            assert kept.execute(tables).fetchone() == (count,)


def test_a_database_that_somebody_has_open_is_not_replaced(backup: Path, data: Path) -> None:
    database = data / "keywright.sqlite3"
    with closing(sqlite3.connect(database)) as open_elsewhere:
        open_elsewhere.execute("PRAGMA journal_mode=WAL")
        open_elsewhere.execute("SELECT count(*) FROM django_migrations").fetchone()
        with pytest.raises(backups.BackupError) as error:
            put_back(backup, data, replace=True)
        assert error.value.reason.id in ("site-is-running", "site-holds-database")
    assert put_back(backup, data, replace=True) is not None


def test_a_database_whose_worker_lives_is_not_replaced(backup: Path, data: Path) -> None:
    database = data / "keywright.sqlite3"
    insert = "INSERT INTO projects_worker VALUES ('key', 'mail', datetime('now', ?))"
    with closing(sqlite3.connect(database)) as kept, kept:
        kept.execute(insert, ("-5 seconds",))
    with pytest.raises(backups.BackupError) as error:
        put_back(backup, data, replace=True)
    assert error.value.reason == say("worker-is-running")
    with closing(sqlite3.connect(database)) as kept, kept:
        kept.execute("UPDATE projects_worker SET seen_at = datetime('now', '-70 seconds')")
    assert put_back(backup, data, replace=True) is not None


def cut(backup: Path) -> None:
    database = backup / "keywright.sqlite3"
    database.write_bytes(database.read_bytes()[:-8192])


def scribble(backup: Path) -> None:
    database = backup / "keywright.sqlite3"
    whole = bytearray(database.read_bytes())
    whole[4096 * 3 : 4096 * 9] = b"\xff" * (4096 * 6)
    database.write_bytes(whole)


def be_newer(backup: Path) -> None:
    with closing(sqlite3.connect(backup / "keywright.sqlite3")) as kept, kept:
        insert = (
            "INSERT INTO django_migrations (app, name, applied) VALUES ('projects', '9999_x', 0)"
        )
        kept.execute(insert)


def be_another(backup: Path) -> None:
    with closing(sqlite3.connect(backup / "keywright.sqlite3")) as kept, kept:
        kept.execute("DROP TABLE django_migrations")


@pytest.mark.parametrize(
    ("spoil", "ids"),
    [
        (cut, ("not-a-database", "database-damaged")),
        (scribble, ("not-a-database", "database-damaged")),
        (be_newer, ("backup-of-newer-version",)),
        (be_another, ("backup-of-something-else",)),
        (lambda backup: (backup / "keywright.sqlite3").write_text("hello"), ("not-a-database",)),
        (lambda backup: (backup / "keywright.sqlite3").unlink(), ("backup-incomplete",)),
        (lambda backup: (backup / "about.json").unlink(), ("not-a-backup",)),
        (
            lambda backup: (backup / "about.json").write_text('{"format": 2}'),
            ("backup-of-other-version",),
        ),
    ],
)
def test_what_is_no_good_backup_changes_nothing(
    spoil: object, ids: tuple[str, ...], backup: Path, data: Path
) -> None:
    assert callable(spoil)
    spoil(backup)
    before = contents(data)
    with pytest.raises(backups.BackupError) as error:
        put_back(backup, data, replace=True)
    assert error.value.reason.id in ids
    assert contents(data) == before


def test_a_backup_is_written_over_nothing(backup: Path, data: Path) -> None:
    with pytest.raises(backups.BackupError) as error:
        backups.back_up(data / "keywright.sqlite3", None, backup)
    assert error.value.reason == say("backup-folder-exists", folder=str(backup))


@pytest.mark.slow
@pytest.mark.parametrize(("command", "program"), [("backup", "pg_dump"), ("restore", "pg_restore")])
def test_for_postgresql_its_own_program_is_named_and_nothing_is_pretended(
    command: str, program: str, tmp_path: Path
) -> None:
    url = "postgres://ana:secret@db.example.com:5433/kw"
    asked = ("manage.py", command, "/backups/monday")
    ran = run(tmp_path, *asked, is_well=False, DATABASE_URL=url)
    assert "Nothing was done" in ran.stderr
    assert f"  {program} --host=db.example.com --port=5433 --username=ana" in ran.stderr
    assert "--dbname=kw" in ran.stderr and "/backups/monday" in ran.stderr
    assert "secret@" not in ran.stderr and ":secret" not in ran.stderr
