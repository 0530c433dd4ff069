"""A database with the site's tables and nothing in them: each process of tests makes it once, and copies it then."""

import atexit
import os
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path
from tempfile import mkdtemp

ROOT = Path(__file__).resolve().parent.parent
FILE = "keywright.sqlite3"


def with_tables(folder: Path) -> None:
    """Put the database into a folder that is to be a site's; what else the site keeps there, it makes itself."""
    shutil.copy(_made() / FILE, folder / FILE)


@cache
def _made() -> Path:
    folder = mkdtemp(prefix="keywright-fresh-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    own = {"KEYWRIGHT_DATA_DIR": folder, "DJANGO_SETTINGS_MODULE": "designer.settings"}
    environment = {**os.environ, **own}
    environment.pop("DATABASE_URL", None)
    migrate = [sys.executable, "manage.py", "migrate", "--verbosity", "0"]
    subprocess.run(migrate, cwd=ROOT, env=environment, check=True)
    return Path(folder)
