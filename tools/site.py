"""A site of its own with an empty database on a free port, and a Chromium to look at it."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

from playwright.sync_api import Browser, sync_playwright

ROOT = Path(__file__).resolve().parent.parent
PATIENCE = 60
"""Seconds until the site is there."""


@contextmanager
def site(**settings: str) -> Iterator[str]:
    """The address of a site that runs until this is left. Settings are variables of its environment."""
    with tempfile.TemporaryDirectory() as data, socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
        probe.close()
        environment = {
            **os.environ,
            "DJANGO_SETTINGS_MODULE": "designer.settings",  # Whoever begins it may have those of tests.
            "KEYWRIGHT_DATA_DIR": data,
            "PORT": str(port),
            **settings,
        }
        run = [sys.executable, "manage.py", "migrate", "--verbosity", "0"]
        subprocess.run(run, cwd=ROOT, env=environment, check=True)
        process = subprocess.Popen(
            [sys.executable, "-m", "tools.supervise"], cwd=ROOT, env=environment
        )
        try:
            address = f"http://127.0.0.1:{port}"
            _wait_for(f"{address}/healthz")
            yield address
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(PATIENCE)


@contextmanager
def chromium() -> Iterator[Browser]:
    """The system's Chromium, or Playwright's own where there is none."""
    with sync_playwright() as playwright:
        # Chromium refuses to begin its sandbox as root, as in a container.
        arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
        path = shutil.which("chromium") or shutil.which("chromium-browser")
        browser = playwright.chromium.launch(executable_path=path, args=arguments)
        yield browser
        browser.close()


def _wait_for(address: str) -> None:
    until = time.monotonic() + PATIENCE
    while True:
        try:
            with urlopen(address, timeout=5):
                return
        except (URLError, TimeoutError):
            if time.monotonic() > until:
                raise
            time.sleep(0.3)
