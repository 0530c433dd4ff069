"""What `make run` starts comes back when it dies, and ends with it, however it ends."""

import os
import random
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.request import urlopen

import pytest

from tests.fresh import with_tables
from tools import supervise
from tools.serve import is_free

ROOT = Path(__file__).resolve().parent.parent
QUEUES = ("plans", "proofs", "mail")
STOPS_IN = 8.0
"""Seconds that stopping the site may take; containers are killed after ten."""
ANSWERS_IN = 15.0
"""Seconds in which it answers whatever others do; clients that hang were waited for for 20 and more."""

pytestmark = pytest.mark.slow


def until(is_so: Callable[[], bool], seconds: float = 60) -> bool:
    end = time.monotonic() + seconds
    while not (found := is_so()) and time.monotonic() < end:
        time.sleep(0.1)
    return found


def table() -> dict[int, tuple[int, str, str]]:
    """Parent, state and command of every process, by its id."""
    held = subprocess.run(
        ["ps", "-A", "-ww", "-o", "pid=,ppid=,stat=,command="],
        capture_output=True,
        text=True,
        check=True,
    )
    rows = (line.split(None, 3) for line in held.stdout.splitlines())
    return {int(pid): (int(parent), state, command) for pid, parent, state, command in rows}


def is_running(pid: int) -> bool:
    """Whether a process is there, and is more than a number that nobody has asked for yet."""
    found = table().get(pid)
    return found is not None and not found[1].startswith("Z")


@dataclass(frozen=True)
class Site:
    """A site as `make run` serves it."""

    supervisor: "subprocess.Popen[bytes]"
    port: int
    log: Path

    def processes(self) -> dict[int, tuple[int, str, str]]:
        """All below the supervisor."""
        every, found, below = table(), {}, {self.supervisor.pid}
        while below:
            below = {pid for pid, (parent, *_) in every.items() if parent in below}
            found |= {pid: every[pid] for pid in below}
        return found

    def servers(self) -> list[int]:
        """gunicorn's master, then its workers, the oldest first."""
        mine = self.processes()
        masters = [pid for pid in mine if self._is_own(mine, pid, "gunicorn")]
        children = sorted(
            pid
            for pid, (parent, _, command) in mine.items()
            if parent in masters and "gunicorn" in command
        )
        return [*masters, *children]

    def workers(self) -> list[int]:
        mine = self.processes()
        return sorted(pid for pid in mine if self._is_own(mine, pid, "manage.py worker"))

    def children(self) -> list[int]:
        """What does work for these: the processes of pools, and those that begin them."""
        return sorted(pid for pid, row in self.processes().items() if "forkserver" in row[2])

    def _is_own(self, mine: dict[int, tuple[int, str, str]], pid: int, part: str) -> bool:
        """Whether the supervisor itself started it."""
        parent, _, command = mine[pid]
        return parent == self.supervisor.pid and part in command

    def answers(self) -> bool:
        try:
            with urlopen(f"http://127.0.0.1:{self.port}/d/starter/", timeout=60) as answer:
                return bool(answer.status == 200 and b"grid-scroll" in answer.read())
        except OSError:
            return False

    def is_whole(self) -> bool:
        return len(self.workers()) == 3 and len(self.servers()) == 3 and self.answers()


def environment_of(folder: Path, **more: str) -> dict[str, str]:
    settings = {"KEYWRIGHT_DATA_DIR": str(folder), "DJANGO_SETTINGS_MODULE": "designer.settings"}
    environment = {**os.environ, **settings, **more}
    environment.pop("DATABASE_URL", None)
    return environment


@contextmanager
def served(folder: Path, **more: str) -> Iterator[Site]:
    # Not the first one that is free: another test may be about to take it.
    port = next(filter(is_free, random.sample(range(30_000, 32_000), 100)))
    environment = environment_of(folder, PORT=str(port), **more)
    with_tables(folder)
    log = folder / "log"
    with (
        log.open("w") as said,
        subprocess.Popen(
            [sys.executable, "-m", "tools.supervise"],
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


def test_whatever_dies_is_started_again_and_leaves_nothing_behind(tmp_path: Path) -> None:
    with served(tmp_path) as site:
        assert f"Keywright is at http://127.0.0.1:{site.port}/" in site.log.read_text()
        victims: list[Callable[[], int]] = [
            lambda: site.servers()[0],
            lambda: site.servers()[1],
            lambda: site.children()[0],
            lambda: site.children()[-1],
            *(lambda which=which: site.workers()[which] for which in range(3)),  # type: ignore[misc]
        ]
        for find in victims:
            before, victim = site.processes(), find()
            os.kill(victim, signal.SIGKILL)
            # Nobody is refused meanwhile: the supervisor holds the socket.
            socket.create_connection(("127.0.0.1", site.port), timeout=10).close()
            children = [pid for pid, (parent, *_) in before.items() if parent == victim]
            gone = [victim, *children]
            assert until(lambda pids=gone: not any(map(is_running, pids))), before
            assert until(site.is_whole), site.log.read_text()


def test_whoever_is_killed_leaves_no_files(tmp_path: Path) -> None:
    # Not below `tmp_path`: sockets lie in it, and their paths are short.
    with tempfile.TemporaryDirectory() as kept:

        def there() -> list[str]:
            found = (each.relative_to(kept) for each in Path(kept).rglob("*") if each.is_dir())
            return sorted(map(str, found))

        (tmp_path / "first").mkdir()
        (tmp_path / "second").mkdir()
        with served(tmp_path / "first", TMPDIR=kept) as site:
            assert until(lambda: str(there()).count("pymp-") == 2), there()
            before = there()
            for find in (lambda: site.servers()[0], lambda: site.servers()[-1]):
                os.kill(find(), signal.SIGKILL)
                time.sleep(1)
                assert until(site.is_whole), site.log.read_text()
                assert until(lambda: len(there()) == len(before)), there()
            for worker in site.workers():
                os.kill(worker, signal.SIGKILL)
            time.sleep(1)
            assert until(site.is_whole), site.log.read_text()
            assert until(lambda: len(there()) == len(before)), there()
        left = [each for each in there() if "/" not in each]
        assert len(left) == 1  # the supervisor itself was killed
        with served(tmp_path / "second", TMPDIR=kept) as site:
            assert until(lambda: len(there()) == len(before)), there()
            assert left[0] not in there()
            site.supervisor.send_signal(signal.SIGTERM)
            assert site.supervisor.wait(10) == 0
            assert list(Path(kept).iterdir()) == []


@pytest.mark.parametrize("by", [signal.SIGINT, signal.SIGKILL])
def test_all_of_it_ends_with_the_site(by: signal.Signals, tmp_path: Path) -> None:
    """By SIGTERM as well, which the next test sends."""
    with served(tmp_path) as site:
        every = site.processes()
        assert len(every) >= 6
        began = time.monotonic()
        site.supervisor.send_signal(by)
        assert until(lambda: not any(map(is_running, every)))
        assert time.monotonic() - began < STOPS_IN
        if by != signal.SIGKILL:
            assert site.supervisor.wait(5) == 0


def test_stopping_does_not_wait_for_those_who_are_slow(tmp_path: Path) -> None:
    """More requests than there are threads do not come to their end, or begin at all; others are answered."""
    with served(tmp_path) as site:
        kind = "application/x-www-form-urlencoded"
        head = f"POST /sign-in/ HTTP/1.1\r\nHost: localhost\r\nContent-Type: {kind}\r\n"
        held = [socket.create_connection(("127.0.0.1", site.port)) for _ in range(200)]
        for each in held[::2]:
            each.sendall(f"{head}Content-Length: 1000\r\n\r\nabc".encode())
        time.sleep(1)
        asked = time.monotonic()
        assert site.answers()
        assert time.monotonic() - asked < ANSWERS_IN
        every = site.processes()
        began = time.monotonic()
        site.supervisor.send_signal(signal.SIGTERM)
        assert until(lambda: not any(map(is_running, every)))
        assert time.monotonic() - began < STOPS_IN
        assert site.supervisor.wait(5) == 0
        for each in held:
            each.close()


SIGN_IN = (
    b"POST /sign-in/ HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
)


def sent(port: int) -> str:
    """What becomes of a request that changes something."""
    try:
        client = socket.create_connection(("127.0.0.1", port), timeout=20)
    except OSError:
        return "refused"  # a proxy sends it to another host
    with client:
        try:
            client.sendall(SIGN_IN)
            return "answered" if client.recv(10_000) else "closed"
        except OSError:
            return "reset"


def test_who_comes_while_it_stops_is_answered_or_refused_at_once(tmp_path: Path) -> None:
    """As hosts are replaced one by one: a proxy sends to another host only what this one never let in."""
    with served(tmp_path) as site:
        found: list[tuple[str, float]] = []

        def come() -> None:
            while not any(what == "refused" for what, _ in found[-20:]):
                begun = time.monotonic()
                found.append((sent(site.port), time.monotonic() - begun))
                time.sleep(0.01)

        people = [Thread(target=come) for _ in range(12)]
        for each in people:
            each.start()
        time.sleep(1)
        site.supervisor.send_signal(signal.SIGTERM)
        for each in people:
            each.join()
        assert site.supervisor.wait(10) == 0
        assert {what for what, _ in found} == {"answered", "refused"}
        assert max(seconds for what, seconds in found if what == "refused") < 1


def test_who_does_not_end_when_told_to_is_killed_with_all_it_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(supervise, "PATIENCE", 0.5)
    program = """if True:
        import signal, subprocess, sys, time
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
        with open(sys.argv[1], "w") as file:
            file.write(str(child.pid))
        time.sleep(600)
    """
    part = supervise.Part("stubborn", ["-c", program, str(tmp_path / "pid")])
    supervisor = supervise.Supervisor([part])
    child: list[int] = []

    def stop_when_begun() -> None:
        until(lambda: (tmp_path / "pid").exists() and bool((tmp_path / "pid").read_text()))
        child.append(int((tmp_path / "pid").read_text()))
        supervisor.stop(signal.SIGTERM, None)

    before = {each: signal.getsignal(each) for each in (signal.SIGINT, signal.SIGTERM)}
    thread = Thread(target=stop_when_begun)
    thread.start()
    try:
        supervisor.run()
    finally:
        for signum, handler in before.items():
            signal.signal(signum, handler)
        thread.join()
    assert part.pid
    os.waitpid(part.pid, 0)
    assert until(lambda: not is_running(child[0]))


def test_a_web_server_that_does_not_start_ends_it_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(supervise, "LONGEST_PAUSE", 1.0)
    web = supervise.Part("web", ["-c", "raise SystemExit(3)"], is_vital=True)
    worker = supervise.Part("worker", ["-c", "import time; time.sleep(600)"])
    before = {each: signal.getsignal(each) for each in (signal.SIGINT, signal.SIGTERM)}
    try:
        assert supervise.Supervisor([worker, web]).run() == 1
    finally:
        for signum, handler in before.items():
            signal.signal(signum, handler)
    assert worker.pid == 0


def test_where_there_is_no_room_for_a_process_it_is_tried_again(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(supervise, "LONGEST_PAUSE", 0.2)
    start, tries = subprocess.Popen, []

    def started(*args: Any, **more: Any) -> "subprocess.Popen[bytes]":
        tries.append(args)
        if len(tries) < 3:
            raise BlockingIOError("Resource temporarily unavailable")
        supervisor.stop(signal.SIGTERM, None)
        return start(*args, **more)

    monkeypatch.setattr(subprocess, "Popen", started)
    part = supervise.Part("worker", ["-c", "import time; time.sleep(600)"])
    supervisor = supervise.Supervisor([part])
    before = {each: signal.getsignal(each) for each in (signal.SIGINT, signal.SIGTERM)}
    try:
        assert supervisor.run() == 0
    finally:
        for signum, handler in before.items():
            signal.signal(signum, handler)
    assert len(tries) == 3 and part.pid == 0
    assert "worker cannot be started (Resource temporarily unavailable)" in caplog.text


def test_what_ends_at_once_each_time_is_tried_again_ever_less_often(tmp_path: Path) -> None:
    environment = environment_of(tmp_path, KEYWRIGHT_SIGN_UP="nonsense")
    supervise = [sys.executable, "-m", "tools.supervise", "mail"]
    with subprocess.Popen(
        supervise, cwd=ROOT, env=environment, stderr=subprocess.PIPE, text=True
    ) as supervisor:
        said: list[str] = []
        assert supervisor.stderr is not None
        reader = Thread(target=said.extend, args=[supervisor.stderr], daemon=True)
        reader.start()
        pauses = [f"starting it again in {pause} s" for pause in ("0.5", "1.0", "2.0")]
        try:
            assert until(lambda: all(any(p in line for line in said) for p in pauses)), said
        finally:
            supervisor.terminate()
        assert supervisor.wait(10) == 0
        reader.join(5)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"PORT": "8x"}, "PORT is '8x'; write a number from 1 to 65535."),
        ({"KEYWRIGHT_METRICS_PORT": "some"}, "KEYWRIGHT_METRICS_PORT is 'some'; write 9100"),
        ({"PORT": "taken"}, "is taken; choose another with PORT=."),
    ],
)
def test_a_port_that_cannot_be_had_is_said_and_ends_it(
    given: dict[str, str], said: str, tmp_path: Path
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        if given.get("PORT") == "taken":
            given = {"PORT": str(taken.getsockname()[1])}
        ran = subprocess.run(
            [sys.executable, "-m", "tools.supervise"],
            cwd=ROOT,
            env=environment_of(tmp_path, **given),
            capture_output=True,
            text=True,
            check=False,
        )
    assert ran.returncode == 1
    assert said in ran.stderr


def test_metrics_of_all_processes_are_served_on_a_port_of_their_own(tmp_path: Path) -> None:
    port = next(filter(is_free, range(8450, 8550)))

    def metrics() -> str:
        with suppress(OSError), urlopen(f"http://127.0.0.1:{port}/metrics", timeout=10) as answer:
            return str(answer.read().decode())
        return ""

    def answered() -> int:
        name = 'keywright_request_seconds_count{status="2xx",view="workspace"} '
        lines = [line for line in metrics().splitlines() if line.startswith(name)]
        return int(float(lines[0].removeprefix(name))) if lines else 0

    with served(tmp_path, KEYWRIGHT_METRICS_PORT=str(port)) as site:
        assert until(lambda: answered() > 0)
        before = answered()
        for _ in range(20):
            assert site.answers()
        assert answered() == before + 20
        os.kill(site.servers()[1], signal.SIGKILL)
        assert until(site.is_whole)
        assert answered() > before + 20  # what a dead process counted still counts
        assert "keywright_database_up 1.0" in metrics()


def test_who_is_on_this_machine_alone_may_take_a_whole_processor(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("KEYWRIGHT_VISITOR_PERCENT", "KEYWRIGHT_LATER_PERCENT"):
        for stated, then in (({}, "100"), ({name: "30"}, "30")):
            monkeypatch.setattr(os, "environ", dict(stated))
            supervise.alone_here()
            assert os.environ[name] == then
