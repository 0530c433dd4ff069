"""The kinds of work: plans, and what is worked out by planning again. A worker finds each by its name."""

from functools import partial
from typing import Literal

from pydantic import TypeAdapter

from designer.core.comparison.turning import VERSION as TURNING_VERSION
from designer.core.comparison.turning import Turning, turning
from designer.core.plan import Plan
from designer.core.planner import VERSION, plan
from designer.core.planner.what_if.alternatives import Alternative, alternatives
from designer.core.planner.what_if.key_asked import KeyAnswer, answer_of_key, why_of
from designer.core.planner.what_if.why_not import WhyNot
from projects.pieces import Work

PLAN = Work("plan", VERSION, plan, TypeAdapter(Plan))
"""Of a style: its plan with all reasons."""
GLANCE = Work("glance", VERSION, partial(plan, reasons="findings"), TypeAdapter(Plan))
"""The same without decisions and certificate: what changes on the page while somebody types."""
ALTERNATIVES = Work(
    "alternatives", VERSION, alternatives, TypeAdapter(tuple[Alternative, ...]), plans=12
)
TURNING = Work("turning", f"{TURNING_VERSION} {VERSION}", turning, TypeAdapter(Turning), plans=15)
WHY: Work[WhyNot | Literal["nothing"]] = Work(
    "why", VERSION, why_of, TypeAdapter(WhyNot | Literal["nothing"]), plans=2
)
"""Of a style, and what a decision is about."""
KEY = Work("key", VERSION, answer_of_key, TypeAdapter(KeyAnswer), plans=2)
"""Of a style, an entity, and a key as `answer_of_key` takes it."""
