"""Two web hosts and two hosts of workers behind nginx, over PgBouncer and PostgreSQL; one of each is killed.

Each host is a network namespace of this machine, so that nothing but the network joins them. It needs Linux, root,
`ip`, nginx, PgBouncer and PostgreSQL. All traffic stays between these namespaces, for about two minutes.
"""

import ctypes
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from math import inf
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import Request, urlopen

from tests.editors.editing import Editor
from tests.editors.replay import faults
from tests.load.large import large
from tests.load.served import MADE, spread

NET = "10.86.0."
HOSTS = {"people": 1, "proxy": 2, "database": 3, "web1": 11, "web2": 12, "work1": 21, "work2": 22}
"""The last part of each address. The bridge between them belongs to the people."""
EDITORS, READERS = 4, 20
PHASES = {"all hosts": 20.0, "a web host killed": 25.0, "a host of workers killed": 50.0}
"""Seconds of each."""
LATER = 180.0
"""Seconds after the last of them in which workers may end what they do: a slow machine needs some."""
NEEDED = ("ip", "nginx", "pgbouncer", "setpriv", "initdb", "pg_ctl")
PASSWORD = "only-in-here"
CLONE_NEWNET = 0x40000000


def address(host: str) -> str:
    return f"{NET}{HOSTS[host]}"


def sh(*command: str, **more: Any) -> str:
    done = subprocess.run(command, check=True, capture_output=True, text=True, **more)
    return done.stdout


@dataclass
class Network:
    """The hosts, by namespaces whose names nobody else has."""

    mark: str = field(default_factory=lambda: f"kw{os.getpid()}")

    def name(self, host: str) -> str:
        return f"{self.mark}-{host}"

    def make(self) -> None:
        for host in HOSTS:
            sh("ip", "netns", "add", self.name(host))
            sh("ip", "-n", self.name(host), "link", "set", "lo", "up")
        here = self.name("people")
        sh("ip", "-n", here, "link", "add", "bridge", "type", "bridge")
        sh("ip", "-n", here, "address", "add", f"{address('people')}/24", "dev", "bridge")
        sh("ip", "-n", here, "link", "set", "bridge", "up")
        for host in HOSTS:
            if host == "people":
                continue
            there = self.name(host)
            peer = ("type", "veth", "peer", "name", "eth", "netns", there)
            sh("ip", "-n", here, "link", "add", f"to-{host}", *peer)
            sh("ip", "-n", here, "link", "set", f"to-{host}", "master", "bridge", "up")
            sh("ip", "-n", there, "address", "add", f"{address(host)}/24", "dev", "eth")
            sh("ip", "-n", there, "link", "set", "eth", "up")

    def join(self) -> None:
        """Be one of the people from now on: this thread, and whatever it starts."""
        libc = ctypes.CDLL(None, use_errno=True)
        with open(f"/run/netns/{self.name('people')}", "rb") as space:
            if libc.setns(space.fileno(), CLONE_NEWNET):
                raise OSError(ctypes.get_errno(), "cannot enter a network namespace")

    def start(self, host: str, *command: str, **more: Any) -> "subprocess.Popen[bytes]":
        return subprocess.Popen(["ip", "netns", "exec", self.name(host), *command], **more)

    def kill(self, host: str) -> None:
        """All of its processes at once, and then the host is not to be reached."""
        self._end_all(host)
        time.sleep(0.5)
        sh("ip", "-n", self.name("people"), "link", "set", f"to-{host}", "down")

    def remove(self) -> None:
        for host in HOSTS:
            with suppress(subprocess.CalledProcessError):
                if host != "people":  # which this process is one of
                    self._end_all(host)
                sh("ip", "netns", "delete", self.name(host))

    def _end_all(self, host: str) -> None:
        for pid in sh("ip", "netns", "pids", self.name(host)).split():
            with suppress(ProcessLookupError):
                os.kill(int(pid), signal.SIGKILL)


@dataclass
class Reader:
    """Somebody who reads a shared page once a second."""

    url: str
    told: list[tuple[float, float, int]] = field(default_factory=list)
    """When each answer was asked for, how long it took, and its status."""

    def work(self, until: float) -> None:
        while time.monotonic() < until:
            begun = time.monotonic()
            self.told.append((begun, *ask(self.url)[1:]))
            time.sleep(1)


def ask(url: str, session: str = "", data: dict[str, str] | None = None) -> tuple[str, float, int]:
    """What a page says, how long that took, and its status: 0 when no answer came."""
    token = "x" * 32
    headers = {"Cookie": f"sessionid={session}; csrftoken={token}", "X-CSRFToken": token}
    body = urlencode(data).encode() if data is not None else None
    begun = time.monotonic()
    try:
        with urlopen(Request(url, body, headers), timeout=100) as answer:
            text, status = answer.read().decode(), answer.status
    except HTTPError as error:
        text, status = "", error.code
    except OSError:
        text, status = "", 0
    return text, time.monotonic() - begun, status


def main(root: Path) -> None:
    missing = [name for name in NEEDED if shutil.which(name, path=_path()) is None]
    if sys.platform != "linux" or os.geteuid() != 0 or missing:
        raise SystemExit(f"Skipped: it needs Linux, root and {', '.join(missing or NEEDED)}.")
    os.environ["PATH"] = _path()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(dir="/tmp")))
        folder.chmod(0o755)
        network = Network()
        stack.callback(network.remove)
        try:
            network.make()
        except subprocess.CalledProcessError as error:
            raise SystemExit(f"Skipped: no network namespaces here. {error.stderr}") from None
        network.join()
        stack.enter_context(_database(network, folder))
        direct = {**os.environ, **_settings(folder / "migrate", 5432)}
        python = [sys.executable]
        sh(*python, "manage.py", "migrate", "--verbosity", "0", cwd=root, env=direct)
        static = {**direct, "KEYWRIGHT_STATIC_ROOT": str(folder / "static")}
        sh(*python, "manage.py", "collectstatic", "--noinput", cwd=root, env=static)
        _proxy(network, folder, root)
        for host in ("web1", "web2", "work1", "work2"):
            parts = ["--bind", f"{address(host)}:8000", "web"]
            if host.startswith("work"):
                parts = ["plans", "proofs", "mail"]
            log = stack.enter_context((folder / f"{host}.log").open("wb"))
            environment = {**os.environ, **_settings(folder / host, 6432)}
            command = (sys.executable, "-m", "tools.supervise", *parts)
            network.start(host, *command, cwd=root, env=environment, stdout=log, stderr=log)
        url = f"http://{address('proxy')}:8080"
        try:
            _work(network, url, root, direct)
        finally:
            if os.environ.get("LOGS"):
                for log_path in sorted(folder.glob("*.log")):
                    print(log_path.name, log_path.read_text("utf-8", "replace")[-5000:], sep="\n")


def _work(network: Network, url: str, root: Path, direct: dict[str, str]) -> None:
    def said(*arguments: str) -> Any:
        return json.loads(sh(sys.executable, *arguments, cwd=root, env=direct))

    for host in ("web1", "web2"):
        _until(f"{host} answers", lambda host=host: _is_there(f"http://{address(host)}:8000"))
    _until("the proxy answers", lambda: _is_there(url))
    editors = [
        Editor(url, **each, seed=seed)
        for seed, each in enumerate(said("-m", "tests.editors.inside", "people", str(EDITORS)))
    ]
    made = said("-c", MADE, "4")
    shared = f"{url}/s/{made['token']}/?pattern=3"
    _until("the shared page is planned", lambda: "data-planning" not in ask(shared)[0])
    readers = [Reader(shared) for _ in range(READERS)]
    marks = [time.monotonic()]
    for seconds in PHASES.values():
        marks.append(marks[-1] + seconds)
    working = [Thread(target=each.work, args=[marks[-1]]) for each in (*editors, *readers)]
    for thread in working:
        thread.start()
    time.sleep(marks[1] - time.monotonic())
    network.kill("web1")
    time.sleep(marks[2] - time.monotonic() - 3)
    # For the workers: plans that take long, and proofs.
    waiting = _begin(url, made["people"])
    time.sleep(max(0.0, marks[2] - time.monotonic()))
    network.kill("work1")
    took = _wait_for(waiting, marks[-1] + LATER)
    for thread in working:
        thread.join()
    for at, phase in enumerate(PHASES):
        edits = [
            done
            for each in editors
            for done in each.done
            # What was under way when a host was killed is answered after it.
            if marks[at] <= done.ended < (marks[at + 1] if at + 1 < len(PHASES) else inf)
        ]
        reads = [
            told for each in readers for told in each.told if marks[at] <= told[0] < marks[at + 1]
        ]
        times = [done.seconds for done in edits if done.number is not None]
        print(f"{phase}:")
        print(f"  edits  {len(times) / PHASES[phase]:5.1f} a second, {spread(times)},")
        print(f"         answers {dict(Counter(done.status for done in edits))}")
        print(
            f"  reads  {len(reads) / PHASES[phase]:5.1f} a second, {spread([r[1] for r in reads])},"
        )
        print(f"         answers {dict(Counter(r[2] for r in reads))}")
    for what, seconds in took.items():
        print(
            f"{what}: {'NOT DONE' if seconds is None else f'done {seconds:.0f} s after the kill'}"
        )
    recorded = said("-m", "tests.editors.inside", "recorded")
    print("edits lost, or of nobody:", list(faults(editors, recorded)) or "none")


Waiting = dict[str, tuple[str, str, tuple[str, ...]]]
"""By what it is: a page, the session of who looks at it, and what it says once that is done."""


def _begin(url: str, people: list[dict[str, str]]) -> Waiting:
    found: Waiting = {}
    for at, each in enumerate(people):
        page, session = f"{url}/d/{each['design']}/", each["session"]
        if at % 2:
            sent = ask(f"{page}prove/single/start/", session, {})
            found[f"proof {at // 2 + 1}"] = (
                f"{page}prove/?view=single",
                session,
                ("Proven", "Cut"),
            )
        else:
            text = large(f"Large {at}", of=25)
            sent = ask(f"{page}text/", session, {"text": text, "was-revision": "1"})
            found[f"plan {at // 2 + 1}"] = (page, session, ("grid-scroll", "was stopped"))
        assert sent[2] == 200, f"{page} answers {sent[2]}"
    return found


def _wait_for(waiting: Waiting, end: float) -> dict[str, float | None]:
    """After how many seconds each was done."""
    begun = time.monotonic()
    took: dict[str, float | None] = dict.fromkeys(waiting)
    while None in took.values() and time.monotonic() < end:
        for what, (page, session, words) in waiting.items():
            if took[what] is None:
                text = ask(page, session)[0]
                if any(word in text for word in words) and "data-planning" not in text:
                    took[what] = time.monotonic() - begun
        time.sleep(1)
    return took


def _settings(folder: Path, port: int) -> dict[str, str]:
    """PostgreSQL itself at 5432, PgBouncer at 6432."""
    return {
        "DJANGO_SETTINGS_MODULE": "designer.settings",
        "DATABASE_URL": f"postgres://keywright:{PASSWORD}@{address('database')}:{port}/keywright",
        "KEYWRIGHT_SECRET_KEY": PASSWORD * 5,
        "KEYWRIGHT_DATA_DIR": str(folder),
        "KEYWRIGHT_ALLOWED_HOSTS": ",".join(map(address, HOSTS)),
    }


@contextmanager
def _database(network: Network, folder: Path) -> Iterator[None]:
    """PostgreSQL, and PgBouncer before it as compose.yaml runs it."""
    data, here = folder / "database", address("database")
    data.mkdir()
    shutil.chown(data, "postgres")
    as_postgres = ("setpriv", "--reuid", "postgres", "--clear-groups", "--")
    asked = ("-U", "keywright", "--auth", "trust", "--encoding", "UTF8", "--no-sync")
    sh(*as_postgres, "initdb", "-D", str(data / "data"), *asked, cwd="/")
    with (data / "data" / "pg_hba.conf").open("a") as rules:
        rules.write(f"host all all {NET}0/24 trust\n")
    options = f"-c listen_addresses={here} -c unix_socket_directories={data} -c fsync=off"
    start = ("pg_ctl", "start", "--wait", "-D", str(data / "data"), "-l", str(data / "log"))
    inside = ("ip", "netns", "exec", network.name("database"))
    quiet = {"check": True, "stdout": subprocess.DEVNULL, "cwd": "/"}
    subprocess.run([*inside, *as_postgres, *start, "-o", options], **quiet)  # type: ignore[call-overload]
    sh("createdb", "-h", str(data), "-U", "keywright", "keywright", cwd="/")
    deploy = Path(__file__).parents[2] / "deploy" / "pgbouncer"
    given = {**os.environ, "POSTGRES_PASSWORD": PASSWORD, "DATABASE_HOST": here}
    copied = shutil.copytree(deploy, folder / "pgbouncer")
    with (folder / "pgbouncer.log").open("wb") as log:
        command = (*as_postgres, "sh", str(copied / "start.sh"))
        bouncer = network.start("database", *command, env=given, stdout=log, stderr=log, cwd="/")
    try:
        yield
    finally:
        with suppress(OSError):
            command_line = Path(f"/proc/{bouncer.pid}/cmdline").read_text().split("\0")
            shutil.rmtree(Path(command_line[1]).parent, ignore_errors=True)
        bouncer.terminate()
        bouncer.wait()


def _proxy(network: Network, folder: Path, root: Path) -> None:
    """nginx with the files of deploy/nginx, but that the two hosts have addresses instead of a name of Docker's."""
    conf = Path(shutil.copytree(Path(__file__).parents[2] / "deploy" / "nginx", folder / "nginx"))
    servers = "".join(f"server {address(host)}:8000; " for host in ("web1", "web2"))
    scratch = folder / "scratch"
    scratch.mkdir()
    shutil.chown(scratch, "nobody")
    for path in conf.glob("*.conf"):
        text = path.read_text().replace("/tmp/", f"{scratch}/")
        text = text.replace(
            "resolver 127.0.0.11 valid=5s ipv6=off;", f"upstream web {{ {servers}}}"
        )
        text = text.replace("http://web:8000", "http://web")
        path.write_text(text.replace("alias /static/", f"alias {folder}/static/"))
    as_nobody = ("setpriv", "--reuid", "nobody", "--clear-groups", "--")
    command = (*as_nobody, "nginx", "-e", "stderr", "-c", str(conf / "https-0.conf"))
    with (folder / "nginx.log").open("wb") as log:
        network.start("proxy", *command, "-g", "daemon off;", stdout=log, stderr=log)


def _is_there(url: str) -> bool:
    return ask(f"{url}/sign-in/")[2] == 200


def _until(what: str, is_so: Any) -> None:
    end = time.monotonic() + 90
    while not is_so():
        if time.monotonic() > end:
            raise SystemExit(f"It took more than 90 s until {what}.")
        time.sleep(0.3)


def _path() -> str:
    """PATH with the programs of PostgreSQL, which Debian keeps out of it, and of administrators."""
    newest = sorted(map(str, Path("/usr/lib/postgresql").glob("*/bin")))[-1:]
    return os.pathsep.join([*newest, os.environ["PATH"], "/usr/sbin", "/sbin"])
