"""A DynamoDB Local of one's own, for tests and benches."""

import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

SCRIPT = Path(__file__).resolve().parent.parent / "tools" / "dynamodb_local.sh"


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@contextmanager
def running() -> Iterator[str]:
    """Its address, as long as it is needed; LookupError when it cannot run here."""
    port = free_port()
    server = subprocess.Popen(
        [SCRIPT, str(port)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    with server:
        assert server.stdout is not None and server.stderr is not None
        if server.stdout.readline() != "ready\n":
            raise LookupError(server.stderr.read().strip())
        try:
            yield f"http://127.0.0.1:{port}"
        finally:
            server.terminate()
