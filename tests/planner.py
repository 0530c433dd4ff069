"""A planner that takes its time, for tests of what the pages show meanwhile."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from django.core.management import call_command
from django.db import connections

from designer.core.design.document import Design
from designer.core.plan import Plan, Style
from designer.core.planner import plan
from projects import plans, work
from projects.models import WorkedOut


class Going:
    """A worker beside the test, which does what waits."""

    def start(self) -> None:
        self._done = done = threading.Event()

        def run() -> None:
            while not done.wait(0.05):
                if WorkedOut.objects.filter(result=None, problem__isnull=True).exists():
                    call_command("worker", batch=True)
            connections.close_all()

        self._thread = threading.Thread(target=run)
        self._thread.start()

    def stop(self) -> None:
        if hasattr(self, "_thread"):
            self._done.set()
            self._thread.join()


class SlowPlanner:
    """Plans like ours, in a worker that waits until it is let go."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, Style]] = []
        self.fails = False
        self._going = Going()

    def __call__(self, design: Design, style: Style) -> Plan:
        self.asked.append((design.name, style))
        if self.fails:
            raise RuntimeError("a bug")
        return plan(design, style)

    def finish(self) -> None:
        """Do all that waits."""
        call_command("worker", batch=True)

    def go(self) -> None:
        """Let it go, beside the test, until it is told to stop."""
        self._going.start()

    def stop(self) -> None:
        """Let what is asked for wait again."""
        self._going.stop()


@contextmanager
def planted(monkeypatch: pytest.MonkeyPatch) -> Iterator[SlowPlanner]:
    """Every design is large from now on, and what was planned before is forgotten."""
    slow = SlowPlanner()
    monkeypatch.setattr("projects.pieces.SMALL", 0)
    for name in ("PLAN", "GLANCE"):
        kind = getattr(plans, name)
        monkeypatch.setattr(plans, name, work.Work(f"slow {kind.name}", "1", slow, kind.kind))
    work.forget()
    yield slow
    slow.stop()
    work.forget()
