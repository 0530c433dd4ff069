"""Serve what is counted, in Prometheus's format."""

import os
import signal
from argparse import ArgumentParser
from types import FrameType
from typing import Any

from django.core.management.base import CommandError
from prometheus_client import CollectorRegistry, start_http_server
from prometheus_client.multiprocess import MultiProcessCollector

from designer.core.messages import say, text
from projects.management.base import RefusingCommand
from projects.queues import FromDatabase


class Command(RefusingCommand):
    help = (
        "Serve the site's metrics in Prometheus's format. `make run` starts this if KEYWRIGHT_METRICS_PORT is set. "
        "Keep the port private: it has no password."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("address", help="PORT on this machine only, or ADDRESS:PORT")

    def handle(self, *args: Any, **options: Any) -> None:
        host, _, port = options["address"].rpartition(":")
        if not port.isdecimal() or not 0 < int(port) < 65536:
            raise CommandError(text(say("not-a-port", typed=options["address"])))
        registry = CollectorRegistry()
        registry.register(FromDatabase())
        if os.environ.get("PROMETHEUS_MULTIPROC_DIR"):
            MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
        _, thread = start_http_server(int(port), host or "127.0.0.1", registry)
        signal.signal(signal.SIGTERM, _stop)
        thread.join()


def _stop(signum: int, frame: FrameType | None) -> None:
    raise SystemExit(0)
