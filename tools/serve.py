"""How the site is served: gunicorn's settings. `tools/supervise.py` starts it, with the workers beside it.

    gunicorn --config tools/serve.py designer.wsgi

By itself it serves on this machine only, unless --bind says otherwise. PORT chooses the port; without it the first free
one from 8000 on is taken.
"""

import gc
import os
import socket
import sys
import tempfile
from pathlib import Path
from typing import Any

from designer import logs
from designer.processes import end_with_parent
from tools import scratch
from tools.loads import loads


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


def number(name: str, default: int) -> int:
    value = os.environ.get(name, "").strip() or str(default)
    if not value.isdecimal() or not int(value):
        raise SystemExit(f"{name} is {value!r}; write a number from 1 on.")
    return int(value)


held = os.environ.get("KEYWRIGHT_SOCKET", "")
"""The socket that the supervisor holds."""
address = os.environ.get("KEYWRIGHT_ADDRESS") or f"127.0.0.1:{chosen_port()}"
bind = f"fd://{held}" if held else address
workers = number("KEYWRIGHT_WEB_PROCESSES", 2)
worker_class = "tools.connections.ConnectionWorker"
# Most of what takes long is done by child processes, for which a thread waits.
threads = number("KEYWRIGHT_WEB_THREADS", 24)
# Loaded once, before the address is printed: the first page is then as fast as the second.
preload_app = True
# A worker that says nothing for so long is ended. What takes longer is done elsewhere.
timeout = 60
# Time for requests that are being answered when the site is stopped; then they are cut off.
graceful_timeout = 3
# Nothing steers a running server; its file would lie in somebody's home.
control_socket_disable = True
# What a client sent wrong is logged with its address by default; these formats leave it out.
logconfig_dict = logs.config(os.environ.get("KEYWRIGHT_LOG_FORMAT", "").strip() or "plain")
loglevel = "warning"


def on_starting(server: Any) -> None:
    if held and sys.platform != "linux":  # there the supervisor has seen to it
        end_with_parent(os.getppid())


def when_ready(server: Any) -> None:
    # What is loaded is never garbage: unless it is looked through, the web processes share it.
    gc.collect()
    gc.freeze()
    print(f"Keywright is at http://{address}/ (Ctrl+C stops it)", flush=True)


def pre_fork(server: Any, worker: Any) -> None:
    worker.place = loads.free({each.place for each in server.WORKERS.values()})
    # The supervisor sees to what is in the folder of all of them when the server is gone.
    worker.folder = Path(tempfile.gettempdir(), str(worker.age)) if held else None
    if worker.folder is not None:
        worker.folder.mkdir(mode=0o700, exist_ok=True)


def child_exit(server: Any, worker: Any) -> None:
    loads.leave(worker.place)
    scratch.empty(worker.folder)


def post_fork(server: Any, worker: Any) -> None:
    end_with_parent(server.pid)
    if worker.folder is not None:
        os.environ["TMPDIR"] = tempfile.tempdir = str(worker.folder)


def post_worker_init(worker: Any) -> None:
    from projects.pool import pool

    pool.warm()
