"""What `make run` starts ends with it, however it ends."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tools.serve import is_free

ROOT = Path(__file__).resolve().parent.parent

pytestmark = pytest.mark.slow


def until(is_so: Callable[[], bool]) -> bool:
    end = time.monotonic() + 40
    while time.monotonic() < end and not is_so():
        time.sleep(0.1)
    return is_so()


@pytest.mark.parametrize("by", [signal.SIGINT, signal.SIGKILL])
def test_the_worker_is_there_and_ends_with_the_site(by: signal.Signals, tmp_path: Path) -> None:
    port = next(filter(is_free, range(8150, 8250)))
    settings = {"KEYWRIGHT_DATA_DIR": str(tmp_path), "PORT": str(port)}
    environment = {**os.environ, **settings, "DJANGO_SETTINGS_MODULE": "designer.settings"}
    environment.pop("DATABASE_URL", None)
    migrate = [sys.executable, "manage.py", "migrate", "--verbosity", "0"]
    subprocess.run(migrate, cwd=ROOT, env=environment, check=True)
    log = tmp_path / "log"
    gunicorn = ["gunicorn", "--config", "tools/serve.py", "designer.wsgi"]
    with (
        log.open("w") as said,
        subprocess.Popen(
            [sys.executable, "-m", *gunicorn], cwd=ROOT, env=environment, stdout=said, stderr=said
        ) as site,
    ):
        try:
            assert until(lambda: "Starting worker" in log.read_text()), log.read_text()
            held = subprocess.run(
                ["ps", "-A", "-ww", "-o", "pid=,ppid=,command="],
                capture_output=True,
                text=True,
                check=True,
            )
            rows = [line.split(None, 2) for line in held.stdout.splitlines()]
            worker = next(
                int(pid)
                for pid, parent, command in rows
                if int(parent) == site.pid and "manage.py worker" in command
            )
        finally:
            site.send_signal(by)
    assert until(lambda: not is_running(worker))


def is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True
