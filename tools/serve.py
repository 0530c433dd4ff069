"""How `make run` and the container serve: gunicorn's settings, and the worker beside it.

    gunicorn --config tools/serve.py designer.wsgi

On this machine only, unless --bind says otherwise. PORT chooses the port; without it the first free
one from 8000 on is taken.
"""

import os
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

MANAGE = Path(__file__).resolve().parent.parent / "manage.py"


def is_free(port: int) -> bool:
    with socket.socket() as probe:
        # As the server does; without it, a port that was served a minute ago looks taken.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
        return True


def chosen_port() -> int:
    port = os.environ.get("PORT", "")
    if port:
        if not port.isdecimal() or not 0 < int(port) < 65536:
            raise SystemExit(f"PORT is {port!r}; write a number from 1 to 65535.")
        if not is_free(int(port)):
            raise SystemExit(f"Port {port} is taken; choose another with PORT=.")
        return int(port)
    free = next(filter(is_free, range(8000, 8100)), None)
    if free is None:
        raise SystemExit("Every port from 8000 to 8099 is taken; choose one with PORT=.")
    return free


bind = f"127.0.0.1:{chosen_port()}"
workers = 2
threads = 4
# Loaded once, before the address is printed: the first page is then as fast as the second.
preload_app = True
# A PDF of a large design takes its time.
timeout = 120
loglevel = "warning"


worker: "subprocess.Popen[bytes] | None" = None


def when_ready(server: Any) -> None:
    global worker
    # In a session of its own, so that Ctrl+C reaches it through this process alone; it ends when the
    # pipe to it does, even if this process is killed.
    worker = subprocess.Popen(
        [sys.executable, MANAGE, "worker", "--with-parent"],
        stdin=subprocess.PIPE,
        start_new_session=True,
    )
    print(f"Keywright is at http://{bind}/ (Ctrl+C stops it)", flush=True)


def on_exit(server: Any) -> None:
    if worker is not None:
        worker.terminate()
        try:
            worker.wait(timeout=10)
        except subprocess.TimeoutExpired:
            worker.kill()
