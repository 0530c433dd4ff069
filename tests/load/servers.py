"""What listening with waitress costs beside gunicorn's own threads: requests a second, and memory."""

import random
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread

import requests

from tests.load.served import Served, p95, served
from tools.serve import is_free

KINDS = {"waitress": "tools.connections.ConnectionWorker", "gthread": "gthread"}
PAGES = {"a page": "/d/shop/", "a file": "/static/css/base.css", "a probe": "/healthz"}
CLIENTS, SECONDS, ROUNDS = 8, 5.0, 2
HTTPS = {"X-Forwarded-Proto": "https"}


def main(root: Path) -> None:
    with served(root, KEYWRIGHT_HTTPS="1", KEYWRIGHT_VISITOR_PERCENT="100000") as site:
        for number in range(ROUNDS):
            for name, kind in KINDS.items():
                with listening(site, kind) as (url, pid):
                    rest = sum(site.memory_of_each(pid).values())
                    for what, path in PAGES.items():
                        print(f"{name:9} round {number + 1}, {what:8}", told(site, url + path, pid))
                    taken = sum(site.memory_of_each(pid).values())
                    print(
                        f"{name:9} round {number + 1}, memory  {rest:.0f} MB, then {taken:.0f} MB"
                    )


@contextmanager
def listening(site: Served, kind: str) -> Iterator[tuple[str, int]]:
    """The address and the id of a gunicorn with workers of this kind, on the site's data."""
    port = next(filter(is_free, random.sample(range(20_000, 30_000), 100)))
    command = ["gunicorn", "--config", "tools/serve.py", "--worker-class", kind, "designer.wsgi"]
    with subprocess.Popen(
        [sys.executable, "-m", *command],
        cwd=site.root,
        env={**site.environment, "PORT": str(port)},
        stdout=subprocess.DEVNULL,
    ) as process:
        url = f"http://127.0.0.1:{port}"
        try:
            _wait(f"{url}/d/shop/", process)
            yield url, process.pid
        finally:
            process.terminate()


def told(site: Served, url: str, pid: int) -> str:
    times: list[float] = []
    end = time.monotonic() + SECONDS

    def ask() -> None:
        with requests.Session() as client:
            while time.monotonic() < end:
                begun = time.monotonic()
                assert client.get(url, headers=HTTPS, timeout=60).status_code == 200
                times.append(time.monotonic() - begun)

    before = sum(site.seconds_of_each(pid).values())
    clients = [Thread(target=ask) for _ in range(CLIENTS)]
    for client in clients:
        client.start()
    for client in clients:
        client.join()
    took = sum(site.seconds_of_each(pid).values()) - before
    each = 1000 * took / max(1, len(times))
    late = 1000 * p95(times)
    return f"{len(times) / SECONDS:6.0f} a second, p95 {late:.0f} ms, {each:.2f} ms of a processor each"


def _wait(url: str, process: "subprocess.Popen[bytes]") -> None:
    end = time.monotonic() + 60
    while process.poll() is None and time.monotonic() < end:
        try:
            requests.get(url, headers=HTTPS, timeout=60)
        except requests.RequestException:
            time.sleep(0.2)
        else:
            return
    raise SystemExit(f"{url} does not answer.")
