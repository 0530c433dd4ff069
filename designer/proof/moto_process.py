"""A moto server in a process of its own: prints its port, and ends when its standard input does.

Run by `designer.proof.engine`; never inside the process that serves pages.
"""

import logging
import sys

from moto.server import ThreadedMotoServer


def main() -> None:
    """Serve until the parent goes away."""
    logging.getLogger("werkzeug").disabled = True
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    _, port = server.get_host_and_port()
    sys.stdout.write(f"{port}\n")
    sys.stdout.flush()
    sys.stdin.read()
    server.stop()


if __name__ == "__main__":
    main()
