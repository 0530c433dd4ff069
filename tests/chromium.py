"""Which Chromium the browser tests drive: the system's, or else Playwright's own."""

import shutil
import sys
from pathlib import Path
from typing import Any

from playwright.sync_api import Playwright, sync_playwright

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def launch_arguments(playwright: Playwright) -> dict[str, Any]:
    """What Playwright's `launch` is given; LookupError when no Chromium is to be had."""
    # Containers mostly have nothing to make a sandbox of, and a small /dev/shm. The tests open no
    # page but the site's own.
    arguments = ["--disable-dev-shm-usage", "--no-sandbox"]
    found = next(filter(None, map(shutil.which, NAMES)), None)
    if found is not None:
        return {"executable_path": found, "args": arguments}
    if not Path(playwright.chromium.executable_path).exists():
        raise LookupError("There is no Chromium here; `make test` installs it.")
    return {"args": arguments}


if __name__ == "__main__":
    # Does it work? Playwright's driver and the browser each lack a library on a bare system.
    try:
        with sync_playwright() as playwright:
            playwright.chromium.launch(**launch_arguments(playwright)).close()
    except Exception as error:
        sys.exit(str(error))
