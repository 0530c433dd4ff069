"""Takes README's pictures from the site as it is, with Chromium: `make pictures`.

A site of its own is started for it, with an empty database on a free port, and stopped again.
"""

import io
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

from PIL import Image
from playwright.sync_api import Page, sync_playwright

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "docs" / "images"
WIDTH, HEIGHT = 1440, 900
MOST_BYTES = 200_000
"""Of a picture: README is read on slow lines too."""
QUALITIES = (90, 80, 70, 60, 50)
"""Of WebP, the best first; the first that is small enough is taken."""
PAGES = {
    "workspace": "/d/shop/?pattern=12&view=single",
    "comparison": "/d/merchant-orders/compare/",
    "cost": "/d/shop/cost/?view=single",
}
"""The pages by the names of their pictures."""
PATIENCE = 60
"""Seconds until the site is there, and until a page's plans are."""


def main() -> int:
    with tempfile.TemporaryDirectory() as data, socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
        probe.close()
        environment = {**os.environ, "KEYWRIGHT_DATA_DIR": data, "PORT": str(port)}
        run = [sys.executable, "manage.py", "migrate", "--verbosity", "0"]
        subprocess.run(run, cwd=ROOT, env=environment, check=True)
        site = subprocess.Popen(
            [sys.executable, "-m", "tools.supervise"], cwd=ROOT, env=environment
        )
        try:
            _take(f"http://127.0.0.1:{port}")
        finally:
            site.send_signal(signal.SIGTERM)
            site.wait(PATIENCE)
    return 0


def _take(address: str) -> None:
    _wait_for(f"{address}/healthz")
    with sync_playwright() as playwright:
        # Chromium refuses to begin its sandbox as root, as in a container.
        arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
        browser = playwright.chromium.launch(executable_path=_chromium(), args=arguments)
        size = {"width": WIDTH, "height": HEIGHT}
        page = browser.new_page(viewport=size, color_scheme="light", reduced_motion="reduce")  # type: ignore[arg-type]
        for name, path in PAGES.items():
            _settle(page, address + path)
            print(f"{name}: {_save(page.screenshot(), FOLDER / f'{name}.webp'):,} bytes")
        browser.close()


def _settle(page: Page, address: str) -> None:
    """Open a page, and once more until its plans are there."""
    until = time.monotonic() + PATIENCE
    while True:
        page.goto(address, wait_until="networkidle")
        if not page.locator("#planning").count() or time.monotonic() > until:
            break
        time.sleep(1)
    page.evaluate("document.fonts.ready.then(() => null)")


def _save(picture: bytes, to: Path) -> int:
    """Write a picture as WebP; its size in bytes. SystemExit where it cannot be made small enough."""
    with Image.open(io.BytesIO(picture)) as image:
        for quality in QUALITIES:
            packed = io.BytesIO()
            image.save(packed, "WEBP", quality=quality, method=6)
            if packed.tell() <= MOST_BYTES:
                to.write_bytes(packed.getvalue())
                return packed.tell()
    raise SystemExit(f"{to.name} is larger than {MOST_BYTES:,} bytes at every quality.")


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


def _chromium() -> str | None:
    """The system's Chromium, or Playwright's own where there is none."""
    return shutil.which("chromium") or shutil.which("chromium-browser")


if __name__ == "__main__":
    sys.exit(main())
