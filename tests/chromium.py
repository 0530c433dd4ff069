"""Which Chromium the browser tests drive: the system's, or else Playwright's own."""

import os
import shutil
import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def launch_arguments() -> dict[str, object]:
    """What Playwright's `launch` is given; LookupError when no Chromium is to be had."""
    # A container has no user namespaces to make a sandbox of when its user is root, and mostly a
    # small /dev/shm.
    arguments = ["--disable-dev-shm-usage"]
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        arguments.append("--no-sandbox")
    found = next(filter(None, map(shutil.which, NAMES)), None)
    if found is not None:
        return {"executable_path": found, "args": arguments}
    with sync_playwright() as playwright:
        if not Path(playwright.chromium.executable_path).exists():
            raise LookupError("no Chromium: install it with the system's package manager")
    return {"args": arguments}


if __name__ == "__main__":
    try:
        launch_arguments()
    except LookupError as error:
        sys.exit(str(error))
