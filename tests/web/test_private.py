"""What the site keeps in files is its own."""

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.mark.slow
def test_nobody_else_reads_the_database_or_the_folder(tmp_path: Path) -> None:
    folder = tmp_path / "kept"
    environment = {**os.environ, "KEYWRIGHT_DATA_DIR": str(folder)}
    environment.pop("DATABASE_URL", None)
    environment["DJANGO_SETTINGS_MODULE"] = "designer.settings"
    migrate = [sys.executable, "manage.py", "migrate", "--verbosity", "0"]

    def run() -> None:
        subprocess.run(migrate, cwd=ROOT, env=environment, check=True, umask=0o022)

    run()
    database = folder / "keywright.sqlite3"
    assert mode(folder) == 0o700
    assert mode(database) == 0o600
    database.chmod(0o644)  # as an earlier version left it
    run()
    assert mode(database) == 0o600
    left = [each for each in folder.iterdir() if mode(each) & 0o077]
    assert left == []
