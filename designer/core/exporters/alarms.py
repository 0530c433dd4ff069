"""What templates share of alarms: which there are, how they are called, and what they say."""

from designer.core.design.document import Design
from designer.core.exporters.base import Options
from designer.core.monitoring import KINDS, Alarm, essential, not_set, usd_per_month
from designer.core.monitoring import alarms as found
from designer.core.plan import Plan
from designer.core.words import figures

_KINDS = {kind.slug: kind for kind in KINDS}
MOST_DESCRIBED = 1024
"""Characters in an alarm's description. Source: PutMetricAlarm, AlarmDescription."""
MOST_NAMED = 255
"""Characters in its name. Source: PutMetricAlarm, AlarmName."""


def asked(design: Design, plan: Plan, options: Options) -> tuple[Alarm, ...]:
    """The alarms of a template: none unless they are asked for."""
    if not options.alarms:
        return ()
    return found(design, plan) if options.alarms == "every" else essential(design, plan)


def without(design: Design, plan: Plan, options: Options) -> tuple[str, ...]:
    """Of those that are asked for, the kinds that nothing can be derived for, each with its reason."""
    if not options.alarms:
        return ()
    found = not_set(design, plan, options.alarms == "essential")
    return tuple(f"No alarm for {said[0].lower()}{said[1:]}" for said in found)


def costs(watched: tuple[Alarm, ...]) -> tuple[str, ...]:
    """What CloudWatch asks for a template's alarms, which no bill of the tables has."""
    if not watched:
        return ()
    usd = figures.money(float(usd_per_month(watched)))
    them = "it" if len(watched) == 1 else "them"
    return (
        f"{figures.count(len(watched), 'alarm')}: CloudWatch charges {usd} a month for {them}.",
    )


def name(alarm: Alarm, prefix: str) -> str:
    """How it is called, with the prefix where its table has it: `shop-app/GSI1 WriteThrottleEvents`."""
    watched = alarm.table or f"{prefix}streams"
    watched += f"/{alarm.index}" if alarm.index else ""
    watched += f", {alarm.operation}" if alarm.operation else ""
    return f"{watched} {alarm.metric}"[:MOST_NAMED]


def sum_of(metrics: int) -> str:
    """So many metrics, `m1` and so on, added up in CloudWatch's language; one that was not sent counts as nothing."""
    return f"SUM([{', '.join(f'FILL(m{number}, 0)' for number in range(1, metrics + 1))}])"


def stem(alarm: Alarm) -> str:
    """The same for identifiers behind the table's: `GSI1 WriteThrottleEvents`."""
    words = (alarm.index, alarm.operation, alarm.metric)
    return " ".join(word[:60] for word in words if word)


def description(alarm: Alarm) -> str:
    """Why it sounds, and what to do then."""
    return f"{alarm.because} {_KINDS[alarm.kind].then}"[:MOST_DESCRIBED]
