"""A planner that takes its time, for tests of what the pages show meanwhile."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from designer.core.design.document import Design
from designer.core.evaluate import plans_of
from designer.core.plan import Plan, Style
from projects import plans, work


class SlowPlanner:
    """Plans like ours, but waits until it is let go."""

    def __init__(self) -> None:
        self.asked: list[Design] = []
        self.go = threading.Event()
        self.fails = False

    def __call__(self, design: Design) -> dict[Style, Plan]:
        self.asked.append(design)
        assert self.go.wait(30)
        if self.fails:
            raise RuntimeError("a bug")
        return plans_of(design)

    def finish(self) -> None:
        """Let it go, and wait until nothing is being worked out."""
        self.go.set()
        work._thread.submit(lambda: None).result(30)


@contextmanager
def planted(monkeypatch: pytest.MonkeyPatch) -> Iterator[SlowPlanner]:
    """Every design is large from now on, and what was planned before is forgotten."""
    slow = SlowPlanner()
    monkeypatch.setattr(work, "SMALL", 0)
    monkeypatch.setattr(work, "GRACE", 0.01)
    monkeypatch.setattr(plans, "PLANS", work.Work("slow", slow, plans.PLANS.kind))
    work.forget()
    yield slow
    slow.finish()
    work.forget()
