"""A folder for what processes keep in files only while they live. Whoever is killed does not empty it."""

import fcntl
import os
import shutil
import tempfile
from contextlib import suppress
from pathlib import Path

PREFIX = "keywright"
"""No longer: sockets lie in it, and a socket's path has at most 103 characters (macOS)."""

_held: list[int] = []
"""Open files, each with a lock that ends with this process, however it ends."""


def begin() -> Path:
    """A new folder of this process, beside which those of processes that are gone are removed."""
    there = Path(tempfile.gettempdir())
    for left in there.glob(f"{PREFIX}????????"):
        with suppress(OSError):
            if _is_left(left):
                shutil.rmtree(left, ignore_errors=True)
    folder = Path(tempfile.mkdtemp(prefix=PREFIX))
    lock = os.open(folder / "new", os.O_CREAT | os.O_WRONLY, 0o600)
    fcntl.flock(lock, fcntl.LOCK_EX)
    # Under this name only now: nobody finds it without its lock.
    (folder / "new").rename(folder / "lock")
    _held.append(lock)
    return folder


def _is_left(folder: Path) -> bool:
    """Whether it is of a process that is gone, and of the same user; OSError where it is not."""
    if folder.stat(follow_symlinks=False).st_uid != os.getuid():
        return False
    lock = os.open(folder / "lock", os.O_WRONLY)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    finally:
        os.close(lock)
    return True


def empty(folder: Path | None) -> None:
    """Remove it with all that is in it, where there is one."""
    if folder is not None:
        shutil.rmtree(folder, ignore_errors=True)
