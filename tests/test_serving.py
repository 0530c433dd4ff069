"""What `make run` starts comes back when it dies, and ends with it, however it ends."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

import pytest

from tools.serve import is_free

ROOT = Path(__file__).resolve().parent.parent
QUEUES = ("plans", "proofs", "mail")
STOPS_IN = 8.0
"""Seconds that stopping the site may take; containers are killed after ten."""

pytestmark = pytest.mark.slow


def until(is_so: Callable[[], bool], seconds: float = 40) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end and not is_so():
        time.sleep(0.1)
    return is_so()


@dataclass(frozen=True)
class Site:
    """A site as `make run` serves it."""

    supervisor: "subprocess.Popen[bytes]"
    port: int
    log: Path

    def processes(self) -> dict[int, tuple[int, str]]:
        """Below the supervisor: parent and command by process id."""
        held = subprocess.run(
            ["ps", "-A", "-ww", "-o", "pid=,ppid=,command="],
            capture_output=True,
            text=True,
            check=True,
        )
        rows = [line.split(None, 2) for line in held.stdout.splitlines()]
        every = {int(pid): (int(parent), command) for pid, parent, command in rows}
        found: dict[int, tuple[int, str]] = {}
        below = {self.supervisor.pid}
        while below:
            found |= {pid: every[pid] for pid in below if pid in every}
            below = {pid for pid, (parent, _) in every.items() if parent in below}
        del found[self.supervisor.pid]
        return found

    def called(self, part: str) -> list[int]:
        """The ids of its processes with this in their command, the oldest first."""
        return sorted(pid for pid, (_, command) in self.processes().items() if part in command)

    def answers(self) -> bool:
        try:
            address = f"http://127.0.0.1:{self.port}/d/starter/"
            with urlopen(address, timeout=30) as answer:
                return bool(answer.status == 200 and b"grid-scroll" in answer.read())
        except (URLError, OSError):
            return False

    def is_whole(self) -> bool:
        """Whether everything is there, and says that it works."""
        said = self.log.read_text()
        workers = all(self.called(f"worker --with-parent --queues {queue}") for queue in QUEUES)
        return workers and said.count("Starting worker") >= 3 and self.answers()


@contextmanager
def served(folder: Path) -> Iterator[Site]:
    port = next(filter(is_free, range(8150, 8250)))
    settings = {
        "KEYWRIGHT_DATA_DIR": str(folder),
        "PORT": str(port),
        "KEYWRIGHT_PYTHON": sys.executable,
        "DJANGO_SETTINGS_MODULE": "designer.settings",
    }
    environment = {**os.environ, **settings}
    environment.pop("DATABASE_URL", None)
    migrate = [sys.executable, "manage.py", "migrate", "--verbosity", "0"]
    subprocess.run(migrate, cwd=ROOT, env=environment, check=True)
    log = folder / "log"
    supervise = [sys.executable, "-m", "supervisor.supervisord"]
    with (
        log.open("w") as said,
        subprocess.Popen(
            [*supervise, "--configuration", "tools/supervisord.conf"],
            cwd=ROOT,
            env=environment,
            stdout=said,
            stderr=said,
        ) as supervisor,
    ):
        site = Site(supervisor, port, log)
        try:
            assert until(site.is_whole), log.read_text()
            yield site
        finally:
            supervisor.kill()


def is_running(pid: int) -> bool:
    """Whether a process is there, and is more than a number that nobody has asked for yet."""
    asked = ["ps", "-o", "stat=", "-p", str(pid)]
    state = subprocess.run(asked, capture_output=True, text=True, check=False).stdout.strip()
    return bool(state) and not state.startswith("Z")


def test_whatever_dies_is_started_again_and_leaves_nothing_behind(tmp_path: Path) -> None:
    with served(tmp_path) as site:
        assert f"Keywright is at http://127.0.0.1:{site.port}/" in site.log.read_text()
        kinds = [
            ("gunicorn", 0),
            ("gunicorn", 1),
            ("forkserver", 0),
            ("forkserver", -1),
            *((f"--queues {queue}", 0) for queue in QUEUES),
        ]
        for command, which in kinds:
            before = site.processes()
            victim = site.called(command)[which]
            os.kill(victim, signal.SIGKILL)
            assert until(lambda victim=victim: not is_running(victim)), command
            assert until(site.is_whole), command
            orphans = [pid for pid, (parent, _) in before.items() if parent == victim]
            assert until(lambda pids=orphans: not any(map(is_running, pids))), command


@pytest.mark.parametrize("by", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_all_of_it_ends_with_the_site(by: signal.Signals, tmp_path: Path) -> None:
    with served(tmp_path) as site:
        every = site.processes()
        began = time.monotonic()
        site.supervisor.send_signal(by)
        assert until(lambda: not any(map(is_running, every)))
        assert time.monotonic() - began < STOPS_IN
