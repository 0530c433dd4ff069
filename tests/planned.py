"""Plans that many tests look at: each process of tests makes each of them once."""

from collections.abc import Callable
from functools import partial

from designer.core.design.document import Design
from designer.core.plan import Plan, Style
from designer.core.planner import pipeline

OF_ALL_KINDS = (
    "shop",
    "order-lines",
    "inbox",
    "event-log",
    "merchant-orders",
    "user-preferences",
    "running-totals",
    "order-states",
    "folder-tree",
    "idempotency",
    "video-views",
    "sessions",
)
"""Designs of the gallery whose plans have, between them, what any other's has: `test_runner.py` holds them to it."""
MOST = 400
"""Plans that are kept; of more the oldest goes, so that designs made up at random do not fill the memory."""
_kept: dict[tuple[str, Style, bool], Plan] = {}


def planned(design: Design, style: Style) -> Plan:
    """The plan with all its reasons."""
    return _once(partial(pipeline.plan, design, style), (design.model_dump_json(), style, True))


def outlined(design: Design, style: Style) -> Plan:
    """The plan without reasons, which takes a fraction of the time: for tests that run its operations."""
    make = partial(pipeline.outlined, design, style)
    return _once(make, (design.model_dump_json(), style, False))


def _once(make: Callable[[], Plan], key: tuple[str, Style, bool]) -> Plan:
    if key not in _kept:
        _kept[key] = make()
        if len(_kept) > MOST:
            del _kept[next(iter(_kept))]
    return _kept[key]
