"""A shared page read by three hundred readers at once, from gunicorn as `make run` has it; and how long it takes to
tell a right token from a wrong one."""

import asyncio
import os
import random
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from email.parser import BytesParser
from pathlib import Path
from statistics import median, quantiles
from urllib.request import urlopen

from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from designer.core.design import gallery
from designer.views import shared
from projects import links, revisions, teams
from projects.models import Draft

ROOT = Path(__file__).parents[2]
READERS = 300
SECONDS = 20
PAUSE = 10.0
"""Seconds between two clicks of a reader, on average."""


def once_shared_page_with_300_readers() -> Iterator[str]:
    """How long readers of a link wait, and how much the site can serve."""
    token = links.make(_shop(), None)[1]
    with _served() as port:
        path = f"/s/{token}/?pattern=3"
        for _ in range(8):  # every thread of both processes has planned it
            urlopen(f"http://127.0.0.1:{port}{path}").read()
        for title, conditional in (("whole pages", False), ("304 where nothing changed", True)):
            for pause, how in ((PAUSE, f"a click every {PAUSE:g} s"), (0.0, "as fast as they can")):
                load = Load(port, path, conditional)
                asyncio.run(load.run(pause))
                yield f"{title}, {READERS} readers, {how}: {load.said}"


def bench_shared_page_made_anew() -> Callable[[], object]:
    """Server time of the shop's page for the first reader after a change."""
    client, url = _reader()

    def read() -> object:
        shared.KEPT.clear()
        return client.get(url)

    return read


def bench_shared_page_for_the_next_reader() -> Callable[[], object]:
    client, url = _reader()
    return lambda: client.get(url)


def bench_shared_page_not_modified() -> Callable[[], object]:
    """The same for a reader who has it already."""
    client, url = _reader()
    known = {"If-None-Match": client.get(url).headers["ETag"]}

    def read_again() -> object:
        answer = client.get(url, headers=known)
        assert answer.status_code == 304
        return answer

    return read_again


def bench_token_that_is_right() -> Callable[[], object]:
    """To find its link; the three after it should take as long."""
    return _lookups(links.make(_shop(), None)[1])


def bench_token_that_was_never_given() -> Callable[[], object]:
    return _lookups("x" * 43)


def bench_token_that_is_over() -> Callable[[], object]:
    past = timezone.now() - timedelta(days=1)
    return _lookups(links.make(_shop(), None, expires_at=past)[1])


def bench_token_that_was_revoked() -> Callable[[], object]:
    link, token = links.make(_shop(), None)
    link.revoke()
    return _lookups(token)


def _reader() -> tuple[Client, str]:
    """Somebody who reads a page whose plan is there."""
    client, url = Client(), f"/s/{links.make(_shop(), None)[1]}/?pattern=3"
    while "ETag" not in client.get(url).headers:
        time.sleep(0.5)
    return client, url


def _lookups(token: str) -> Callable[[], object]:
    return lambda: links.find(token)


def _shop() -> Draft:
    person, _ = User.objects.get_or_create(username="reader-bench")
    found = Draft.objects.filter(project__team__home_of=person).first()
    place = Draft(project=teams.home(person))
    return found or revisions.start(place, gallery.load("shop"), "Start", person)


@dataclass
class Load:
    """Readers, each with a connection of their own, who ask for a page again and again."""

    port: int
    path: str
    conditional: bool
    times: list[float] = field(default_factory=list)
    statuses: dict[int, int] = field(default_factory=dict)
    failed: int = 0

    @property
    def said(self) -> str:
        p95 = quantiles(self.times, n=20)[-1] * 1000
        statuses = ", ".join(f"{count} x {status}" for status, count in self.statuses.items())
        return (
            f"{len(self.times) / SECONDS:.0f} requests a second,"
            f" median {median(self.times) * 1000:.0f} ms, p95 {p95:.0f} ms ({statuses},"
            f" {self.failed} failed)"
        )

    async def run(self, pause: float) -> None:
        end = time.perf_counter() + SECONDS
        await asyncio.gather(
            *(
                self._reader(f"127.{each % 250}.{each // 250}.1", pause, end)
                for each in range(READERS)
            )
        )

    async def _reader(self, address: str, pause: float, end: float) -> None:
        """Reads from a network of its own, as three hundred people do: readers of one network share its limits."""
        tag = ""
        await asyncio.sleep(random.uniform(0, pause or 1))
        while time.perf_counter() < end:
            start = time.perf_counter()
            try:
                status, found = await self._ask(address, tag)
            except OSError:
                self.failed += 1
                continue
            self.times.append(time.perf_counter() - start)
            self.statuses[status] = self.statuses.get(status, 0) + 1
            tag = found if self.conditional else ""
            await asyncio.sleep(random.uniform(0.5, 1.5) * pause)

    async def _ask(self, address: str, tag: str) -> tuple[int, str]:
        """One request on a connection of its own, as after a pause of seconds; its status and its ETag."""
        reader, writer = await asyncio.open_connection(
            "127.0.0.1", self.port, local_addr=(address, 0)
        )
        known = f"If-None-Match: {tag}\r\n" if tag else ""
        writer.write(
            f"GET {self.path} HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip\r\n"
            f"{known}Connection: close\r\n\r\n".encode()
        )
        answer = await reader.read()
        writer.close()
        head = answer.partition(b"\r\n\r\n")[0]
        status, _, lines = head.partition(b"\r\n")
        return int(status.split(b" ", 2)[1]), BytesParser().parsebytes(lines).get("ETag", "")


@contextmanager
def _served() -> Iterator[int]:
    """The port of a gunicorn on this database, with the settings of `make run`."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    name = settings.DATABASES["default"]["NAME"]
    environment = {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "designer.settings",
        "PORT": str(port),
        "DATABASE_URL": os.environ.get("KEYWRIGHT_BENCH_DATABASE_URL") or f"sqlite:///{name}",
    }
    command = [sys.executable, "-m", "gunicorn", "--config", "tools/serve.py", "designer.wsgi"]
    server = subprocess.Popen(command, cwd=ROOT, env=environment)
    try:
        _wait(port)
        yield port
    finally:
        server.terminate()
        server.wait(timeout=30)


def _wait(port: int) -> None:
    for _ in range(600):
        try:
            urlopen(f"http://127.0.0.1:{port}/findings/").read()
            return
        except OSError:
            time.sleep(0.2)
    raise TimeoutError("gunicorn did not answer")
