"""Takes README's pictures from the site as it is, with Chromium: `make pictures`.

A site of its own is started for it, and stopped again.
"""

import io
import sys
import time
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page

from tools.site import ROOT, chromium, site

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
"""Seconds until a page's plans are there."""


def main() -> int:
    with site() as address, chromium() as browser:
        size = {"width": WIDTH, "height": HEIGHT}
        page = browser.new_page(viewport=size, color_scheme="light", reduced_motion="reduce")  # type: ignore[arg-type]
        for name, path in PAGES.items():
            _settle(page, address + path)
            print(f"{name}: {_save(page.screenshot(), FOLDER / f'{name}.webp'):,} bytes")
    return 0


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


if __name__ == "__main__":
    sys.exit(main())
