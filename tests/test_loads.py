"""A connection goes to the process that answers the fewest requests."""

import os
import random
import socket
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.request import urlopen

import pytest
from waitress.task import ThreadedTaskDispatcher

from tools import connections
from tools.loads import Loads
from tools.serve import is_free

ROOT = Path(__file__).resolve().parent.parent
TAKES = 0.4
"""Seconds that each answer takes."""
APP = f"""
import os, time
import django
django.setup()

def application(environ, start_response):
    if environ["PATH_INFO"] != "/ready":
        time.sleep({TAKES})
    start_response("200 OK", [("Content-Type", "text/plain")])
    return [str(os.getpid()).encode()]
"""


def test_who_answers_the_fewest_is_known() -> None:
    loads = Loads()
    first, second = loads.free(set()), loads.free({0})
    assert (first, second) == (0, 1)
    loads.note(first, 2)
    assert loads.is_least(first)
    loads.note(second, 1)
    assert not loads.is_least(first) and loads.is_least(second)
    loads.note(first, 1)
    assert loads.is_least(first) and loads.is_least(second)


def test_nothing_is_left_to_a_process_that_is_gone() -> None:
    loads = Loads()
    loads.note(0, 3)
    loads.note(1, 0)
    loads.leave(1)
    assert loads.is_least(0)


def test_however_many_are_answered_a_process_is_there() -> None:
    loads = Loads()
    loads.note(0, 1000)
    loads.note(1, 1000)
    assert loads.is_least(0) and loads.is_least(1)


def test_processes_beyond_the_places_take_whoever_comes() -> None:
    loads = Loads()
    assert loads.free(set(range(64))) == -1
    loads.note(-1, 9)
    loads.note(0, 0)
    loads.leave(-1)
    assert loads.is_least(-1)


@pytest.fixture
def known(monkeypatch: pytest.MonkeyPatch) -> Loads:
    found = Loads()
    monkeypatch.setattr(connections, "loads", found)
    return found


@pytest.fixture
def busy(known: Loads) -> Iterator[connections.Server]:
    """A process that answers two requests, beside one that answers none."""
    known.note(0, 2)
    known.note(1, 0)
    threads = ThreadedTaskDispatcher()
    everything: dict[int, Any] = {}
    with socket.create_server(("127.0.0.1", 0)) as listener:
        server = connections.serving(None, listener, everything, threads, place=0)
        yield server
        server.trigger.close()


def test_a_connection_is_left_to_another_process_but_not_for_long(
    busy: connections.Server, known: Loads
) -> None:
    assert not busy.readable()
    with socket.create_connection(("127.0.0.1", int(busy.effective_port))):
        assert not busy.readable()
        time.sleep(connections.LEFT + 0.01)
        assert busy.readable()  # nobody took it
        busy.handle_accept()
        for each in list(busy.active_channels.values()):
            each.handle_close()
        with socket.create_connection(("127.0.0.1", int(busy.effective_port))):
            assert not busy.readable()
        busy.accept()[0].close()
        assert not busy.readable()
    known.note(1, 2)
    assert busy.readable()


@pytest.fixture
def port(tmp_path: Path) -> Iterator[int]:
    """Where two processes of gunicorn's answer."""
    (tmp_path / "slow_app.py").write_text(APP)
    found = next(filter(is_free, random.sample(range(20_000, 30_000), 100)))
    environment = {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "designer.settings",
        "KEYWRIGHT_DATA_DIR": str(tmp_path),
        "KEYWRIGHT_WEB_PROCESSES": "2",
        "PORT": str(found),
        "PYTHONPATH": os.pathsep.join([str(tmp_path), str(ROOT)]),
    }
    command = ["gunicorn", "--config", "tools/serve.py", "slow_app"]
    with subprocess.Popen(
        [sys.executable, "-m", *command], cwd=ROOT, env=environment, stderr=subprocess.DEVNULL
    ) as process:
        try:
            _wait(found, process)
            yield found
        finally:
            process.terminate()


def _wait(port: int, process: "subprocess.Popen[bytes]") -> None:
    """Until both processes have answered something."""
    end, seen = time.monotonic() + 60, set[bytes]()
    while len(seen) < 2:
        assert process.poll() is None and time.monotonic() < end
        try:
            with urlopen(f"http://127.0.0.1:{port}/ready", timeout=10) as answer:
                seen.add(answer.read())
        except OSError:
            time.sleep(0.1)


@pytest.mark.slow
def test_two_processes_share_what_comes_at_once(port: int) -> None:
    def ask(by: list[bytes]) -> None:
        with urlopen(f"http://127.0.0.1:{port}/", timeout=30) as answer:
            by.append(answer.read())

    for _ in range(4):  # once, they might share it evenly by chance
        by: list[bytes] = []
        asking = [Thread(target=ask, args=[by]) for _ in range(6)]
        for each in asking:
            each.start()
            time.sleep(TAKES / 8)  # all are answered at the same time
        for each in asking:
            each.join()
        assert sorted(Counter(by).values()) == [3, 3]
