"""A server on a database of its own, which can be killed and started again."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit
from urllib.request import urlopen

from tests.fresh import with_tables
from tools.serve import is_free

ROOT = Path(__file__).resolve().parents[2]


class Site:
    """gunicorn with the settings of `make run`, in a process group of its own."""

    def __init__(self, folder: Path, database: str | None) -> None:
        self.port = next(filter(is_free, range(8300, 8400)))
        self.url = f"http://127.0.0.1:{self.port}"
        given = {"KEYWRIGHT_DATA_DIR": str(folder), "PORT": str(self.port)}
        self.environment = {**os.environ, **given, "DJANGO_SETTINGS_MODULE": "designer.settings"}
        self.environment.pop("DATABASE_URL", None)
        if database is None:
            with_tables(folder)
        else:
            self.environment["DATABASE_URL"] = database
            self._run("manage.py", "migrate", "--verbosity", "0")
        self.log = folder / "log"
        self.process: subprocess.Popen[bytes] | None = None

    def inside(self, *arguments: str) -> Any:
        """What `tests.editors.inside` says."""
        return json.loads(self._run("-m", "tests.editors.inside", *arguments))

    def start(self) -> None:
        command = ["gunicorn", "--config", "tools/serve.py", "designer.wsgi"]
        with self.log.open("ab") as said:
            self.process = subprocess.Popen(
                [sys.executable, "-m", *command],
                cwd=ROOT,
                env=self.environment,
                stdout=said,
                stderr=said,
                start_new_session=True,
            )
        end = time.monotonic() + 120
        while True:
            try:
                urlopen(f"{self.url}/sign-in/", timeout=60).close()
                return
            except OSError:
                assert time.monotonic() < end, self.log.read_text()
                time.sleep(0.2)

    def kill(self, by: signal.Signals = signal.SIGKILL) -> None:
        """The server with all its workers, at once."""
        if self.process is not None:
            os.killpg(self.process.pid, by)
            self.process.wait()
            self.process = None

    def _run(self, *arguments: str) -> bytes:
        command = [sys.executable, *arguments]
        ran = subprocess.run(
            command, cwd=ROOT, env=self.environment, check=True, capture_output=True
        )
        return ran.stdout


@contextmanager
def site(folder: Path) -> Iterator[Site]:
    """On SQLite, or beside the database that DATABASE_URL names when that is PostgreSQL."""
    with _database() as database:
        served = Site(folder, database)
        served.start()
        try:
            yield served
        finally:
            served.kill(signal.SIGTERM)


@contextmanager
def _database() -> Iterator[str | None]:
    """The address of a PostgreSQL database that nobody else uses; none for SQLite."""
    given = os.environ.get("DATABASE_URL", "")
    if not given.startswith("postgres"):
        yield None
        return
    import psycopg

    name = f"keywright_editors_{os.getpid()}"
    with psycopg.connect(given, autocommit=True) as server:
        server.execute(f"CREATE DATABASE {name}")  # type: ignore[call-overload]
        try:
            yield urlunsplit(urlsplit(given)._replace(path=f"/{name}"))
        finally:
            server.execute(f"DROP DATABASE {name} WITH (FORCE)")  # type: ignore[call-overload]
