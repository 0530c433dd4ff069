"""How `make run` and the container serve: gunicorn's settings.

    gunicorn --config tools/serve.py designer.wsgi

`tools/supervisord.conf` starts it with a worker for each queue beside it.

On this machine only, unless --bind says otherwise. PORT chooses the port; without it the first free
one from 8000 on is taken.
"""

import os
import signal
import socket
from typing import Any

from designer.processes import end_with_parent


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
# Most of what takes long is done by child processes, for which a thread waits.
threads = 16
# Loaded once, before the address is printed: the first page is then as fast as the second.
preload_app = True
# A worker that says nothing for so long is ended. What takes longer is done elsewhere.
timeout = 60
# How long requests that are being answered may take when the site is stopped.
graceful_timeout = 3
loglevel = "warning"


def on_starting(server: Any) -> None:
    end_with_parent(os.getppid(), signal.SIGTERM)


def when_ready(server: Any) -> None:
    print(f"Keywright is at http://{bind}/ (Ctrl+C stops it)", flush=True)


def post_fork(server: Any, worker: Any) -> None:
    end_with_parent(server.pid)


def post_worker_init(worker: Any) -> None:
    from projects.pool import pool

    pool.warm()
