"""What templates share of alarms: which there are, how they are called, and what they say."""

from designer.core.design.document import Design
from designer.core.exporters.base import Options
from designer.core.monitoring import KINDS, Alarm, not_set
from designer.core.monitoring import alarms as found
from designer.core.plan import Plan

_KINDS = {kind.slug: kind for kind in KINDS}
MOST_DESCRIBED = 1024
"""Characters in an alarm's description. Source: PutMetricAlarm, AlarmDescription."""
MOST_NAMED = 255
"""Characters in its name. Source: PutMetricAlarm, AlarmName."""


def asked(design: Design, plan: Plan, options: Options) -> tuple[Alarm, ...]:
    """The alarms of a template: none unless they are asked for."""
    return found(design, plan) if options.alarms else ()


def without(design: Design, plan: Plan, options: Options) -> tuple[str, ...]:
    """Of those that are asked for, the kinds that nothing can be derived for, each with its reason."""
    return not_set(design, plan) if options.alarms else ()


def name(alarm: Alarm, prefix: str) -> str:
    """How it is called, with the prefix where its table has it: `shop-app/GSI1 WriteThrottleEvents`."""
    watched = alarm.watches if alarm.table else f"{prefix}streams"
    return f"{watched} {alarm.metric}"[:MOST_NAMED]


def stem(alarm: Alarm) -> str:
    """The same for identifiers behind the table's: `GSI1 WriteThrottleEvents`."""
    words = (alarm.index, alarm.operation, alarm.metric)
    return " ".join(word[:60] for word in words if word)


def description(alarm: Alarm) -> str:
    """Why it sounds, and what to do then."""
    return f"{alarm.because} {_KINDS[alarm.kind].then}"[:MOST_DESCRIBED]
