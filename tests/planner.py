"""A planner that takes its time, for tests of what the pages show meanwhile."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

import pytest

from designer.core.design.document import Design
from designer.core.plan import ALL_STYLES, Plan, Style
from designer.core.planner import plan
from projects import plans, work


class SlowPlanner:
    """Plans like ours, but waits until it is let go."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, Style]] = []
        self.go = threading.Event()
        self.fails = False

    def __call__(self, design: Design, style: Style) -> Plan:
        self.asked.append((design.name, style))
        assert self.go.wait(30)
        if self.fails:
            raise RuntimeError("a bug")
        return plan(design, style)

    def finish(self) -> None:
        """Let it go, and wait until nothing is being worked out."""
        self.go.set()
        for begun in list(work._begun.values()):
            begun.result(30)
        work._thread.submit(lambda: None).result(30)


@contextmanager
def planted(monkeypatch: pytest.MonkeyPatch) -> Iterator[SlowPlanner]:
    """Every design is large from now on, and what was planned before is forgotten."""
    slow = SlowPlanner()
    monkeypatch.setattr(work, "SMALL", 0)
    monkeypatch.setattr(work, "GRACE", 0.01)
    works = {
        style: work.Work(f"slow {style}", partial(slow, style=style), plans.PLANS[style].kind)
        for style in ALL_STYLES
    }
    monkeypatch.setattr(plans, "PLANS", works)
    glances = {
        style: work.Work(f"slow glance {style}", what.do, what.kind)
        for style, what in works.items()
    }
    monkeypatch.setattr(plans, "GLANCES", glances)
    work.forget()
    yield slow
    slow.finish()
    work.forget()
