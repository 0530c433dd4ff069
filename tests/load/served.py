"""A site from any checkout of Keywright, on a database of its own, with people in it."""

import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from statistics import median, quantiles
from typing import Any
from urllib.request import Request, urlopen

from tests.editors.site import _database
from tests.fresh import ROOT, with_tables
from tools.serve import is_free

MADE = """
import json, sys, django
django.setup()
from django.contrib.auth.models import User
from django.test import Client
from designer.core.design import gallery
from designer.core.design.load import load
from projects import links, revisions, teams
from projects.models import Draft
people = []
for number in range(int(sys.argv[1])):
    name = f"person{number}"
    person = User.objects.create(username=name, email=f"{name}@example.com")
    client = Client()
    client.force_login(person)
    draft = Draft(slug=f"shop{number}x", project=teams.home(person))
    revisions.start(draft, gallery.load("shop"), "Start", person)
    people.append({"session": client.session.session_key, "design": draft.slug})
_, token = links.make(draft, person)
json.dump({"people": people, "token": token}, sys.stdout)
"""


TICKS = os.sysconf("SC_CLK_TCK")


@dataclass
class Served:
    """A site that answers."""

    url: str
    root: Path
    environment: dict[str, str]
    process: "subprocess.Popen[bytes]"
    log: Path

    def people(self, count: int) -> dict[str, Any]:
        """People with an account, a session and a copy of the shop each, and a link to one of these."""
        found: dict[str, Any] = self.said("-c", MADE, str(count))
        return found

    def said(self, *arguments: str) -> Any:
        """The JSON that a Python program prints, run with the code and the data of this site."""
        ran = subprocess.run(
            [sys.executable, *arguments],
            cwd=self.root,
            env=self.environment,
            check=True,
            capture_output=True,
        )
        return json.loads(ran.stdout)

    def errors(self) -> dict[str, int]:
        """The last lines of tracebacks in its log, and how often each stands there."""
        found: Counter[str] = Counter()
        inside = False
        for line in self.log.read_text("utf-8", "replace").splitlines():
            if line.startswith("Traceback"):
                inside = True
            elif inside and line and not line.startswith(" "):
                found[line[:150]] += 1
                inside = False
        return dict(found)

    def processes(self) -> list[int]:
        """Of the site, with all below it."""
        return self.below(self.process.pid)

    def below(self, pid: int) -> list[int]:
        """A process, its children, their children."""
        return list(_below(pid))

    def every(self) -> dict[int, str]:
        """The command of each process with this site's data, also of those whose parents are gone (Linux)."""
        mark, found = f"KEYWRIGHT_DATA_DIR={self.environment['KEYWRIGHT_DATA_DIR']}".encode(), {}
        for each in Path("/proc").glob("[0-9]*"):
            with suppress(OSError):
                if mark in (each / "environ").read_bytes().split(b"\0"):
                    command = (each / "cmdline").read_bytes().replace(b"\0", b" ")
                    found[int(each.name)] = command.decode("utf-8", "replace")
        return found

    def pids(self, part: str) -> list[int]:
        """Its processes whose command has this part."""
        return sorted(pid for pid, command in self.every().items() if part in command)

    def memory_mb(self) -> float:
        """What all its processes take together."""
        return sum(self.memory_of_each().values())

    def memory_of_each(self, top: int = 0) -> dict[str, float]:
        """Megabytes by what a process is; each page that several share counts once (PSS, Linux). Of all of the site, or
        of a process and all below it.
        """
        found: Counter[str] = Counter()
        for pid, kind in _kinds(top or self.process.pid).items():
            with suppress(OSError):
                for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
                    if line.startswith("Pss:"):
                        found[kind] += int(line.split()[1]) // 1024
        return dict(found)

    def seconds_of_each(self, top: int = 0) -> Counter[str]:
        """Seconds of a processor that the same took until now, with those that ended, by what they are (Linux)."""
        found: Counter[str] = Counter()
        for pid, kind in _kinds(top or self.process.pid).items():
            with suppress(OSError):
                fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
                found[kind] += sum(map(int, fields[11:15])) / TICKS
        return found

    def warnings(self) -> dict[str, int]:
        """What its log warns of, without the times, and how often."""
        lines = self.log.read_text("utf-8", "replace").splitlines()
        warned = (line.partition(" ")[2].partition(" ")[2] for line in lines if " WARN" in line)
        return dict(Counter(line[:90].partition("[")[0] for line in warned).most_common(8))


def _below(pid: int) -> dict[int, int]:
    """A process and all below it, parents first, with the parent of each."""
    held = subprocess.run(["ps", "-A", "-o", "pid=,ppid="], capture_output=True, check=True)
    parents = dict(map(int, line.split()) for line in held.stdout.splitlines())
    found: dict[int, int] = {}
    below = [pid]
    while below:
        found |= {each: parents.get(each, 0) for each in below}
        below = [each for each, parent in parents.items() if parent in below]
    return found


def _kinds(top: int) -> dict[int, str]:
    """What each process is, from one on: children by whose they are."""
    found: dict[int, str] = {}
    for pid, parent in _below(top).items():
        with suppress(OSError):
            kind = _kind(Path(f"/proc/{pid}/cmdline").read_text().replace("\0", " "))
            if kind == "forkserver":
                kind = f"children of {found.get(parent, '').removeprefix('children of ')}"
            found[pid] = kind
    return found


def _kind(command: str) -> str:
    for part in ("gunicorn", "queues plans", "queues proofs", "queues mail", "forkserver"):
        if part in command:
            return part
    return "other"


@contextmanager
def served(root: Path, **settings: str) -> Iterator[Served]:
    # Not the first one that is free: another of these may be about to take it.
    port = next(filter(is_free, random.sample(range(20_000, 30_000), 100)))
    with tempfile.TemporaryDirectory() as folder, _database() as database:
        environment = {
            **os.environ,
            "KEYWRIGHT_DATA_DIR": folder,
            "DJANGO_SETTINGS_MODULE": "designer.settings",
            "PORT": str(port),
            # As on a site for others: a site for this machine alone lets visitors take more.
            "KEYWRIGHT_VISITOR_PERCENT": "20",
            "KEYWRIGHT_LATER_PERCENT": "15",
            **settings,
        }
        environment.pop("DATABASE_URL", None)
        if database is not None:
            environment["DATABASE_URL"] = database
        if database is None and root == ROOT:
            with_tables(Path(folder))
        else:  # an older site may have other tables
            migrate = [sys.executable, "manage.py", "migrate", "--verbosity", "0"]
            subprocess.run(migrate, cwd=root, env=environment, check=True)
        command = ["gunicorn", "--config", "tools/serve.py", "designer.wsgi"]
        if (root / "tools" / "supervise.py").exists():
            command = ["tools.supervise"]
        log = Path(folder, "log")
        with log.open("wb") as said:
            process = subprocess.Popen(
                [sys.executable, "-m", *command],
                cwd=root,
                env=environment,
                stdout=said,
                stderr=said,
            )
        site = Served(f"http://127.0.0.1:{port}", root, environment, process, log)
        try:
            _wait(site)
            yield site
        finally:
            below = site.processes()
            process.send_signal(signal.SIGTERM)
            try:
                process.wait(15)
            except subprocess.TimeoutExpired:
                process.kill()
            for pid in below:  # what an older site leaves behind
                try:
                    os.kill(pid, signal.SIGKILL)
                except ProcessLookupError:
                    continue


def _wait(site: Served) -> None:
    end = time.monotonic() + 60
    asked = Request(f"{site.url}/d/shop/", headers={"X-Forwarded-Proto": "https"})
    while True:
        try:
            urlopen(asked, timeout=60).close()
            return
        except OSError:
            assert time.monotonic() < end and site.process.poll() is None, site.log.read_text()
            time.sleep(0.2)


def spread(seconds: list[float]) -> str:
    """Median and 95th percentile, in milliseconds."""
    if len(seconds) < 2:
        return f"{len(seconds)} answers"
    p95 = quantiles(seconds, n=20)[-1]
    return f"median {median(seconds) * 1000:.0f} ms, p95 {p95 * 1000:.0f} ms, most {max(seconds) * 1000:.0f} ms"


def p95(seconds: list[float]) -> float:
    return quantiles(seconds, n=20)[-1] if len(seconds) > 1 else 0.0
