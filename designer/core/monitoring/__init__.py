"""What to watch once a plan runs: CloudWatch alarms, each with a threshold that follows from the design.

A kind of alarm a file, in `kinds/`. Whatever cannot be derived is not set, and its kind says why.
"""

from designer.core.design.document import Design
from designer.core.monitoring import kinds
from designer.core.monitoring.base import Alarm, Kind, Metric, usd_per_month
from designer.core.plan import Plan
from designer.core.registry import load
from designer.core.words import figures

__all__ = [
    "KINDS",
    "Alarm",
    "Kind",
    "Metric",
    "alarms",
    "billed_apart",
    "essential",
    "not_set",
    "usd_per_month",
]

_FOUND: dict[str, type[Kind]] = load(kinds, Kind, "slug")  # type: ignore[type-abstract]
KINDS: tuple[Kind, ...] = tuple(sorted((k() for k in _FOUND.values()), key=lambda kind: kind.place))
"""Every kind of alarm, in the order in which they are shown."""


def alarms(design: Design, plan: Plan) -> tuple[Alarm, ...]:
    """The alarms of a plan, kind by kind, table by table."""
    return tuple(alarm for kind in KINDS for alarm in kind.alarms(design, plan))


def essential(design: Design, plan: Plan) -> tuple[Alarm, ...]:
    """Those that go off for what users notice: requests refused or failed, and answers out of date."""
    return tuple(alarm for kind in KINDS if kind.essential for alarm in kind.alarms(design, plan))


def not_set(design: Design, plan: Plan, only_essential: bool = False) -> tuple[str, ...]:
    """For each kind without an alarm a sentence that says why."""
    return tuple(
        kind.otherwise
        for kind in KINDS
        if (kind.essential or not only_essential)
        and not any(True for _ in kind.alarms(design, plan))
    )


def billed_apart(design: Design, plan: Plan) -> str:
    """What CloudWatch asks for the alarms, which is in no bill of the tables; empty where there are none."""
    every, few = alarms(design, plan), essential(design, plan)
    if not every:
        return ""
    usd = figures.money(float(usd_per_month(every)))
    said = "The alarm costs" if len(every) == 1 else f"All {len(every)} cost"
    said += f" {usd} a month."
    if few and len(few) < len(every):
        part = f"The {len(few)} alarms" if len(few) > 1 else "The alarm"
        cost = "cost" if len(few) > 1 else "costs"
        usd = figures.money(float(usd_per_month(few)))
        said = f"{part} for problems that users notice {cost} {usd} a month. {said}"
    return f"Not included: CloudWatch alarms. {said} AWS bills each metric that an alarm watches."
