"""Requests that are refused because a table, an index or a partition takes too many."""

from collections.abc import Iterator

from designer.core.capacity.tables import peaks
from designer.core.design.document import Design
from designer.core.heat.keys import plan_heat
from designer.core.monitoring.base import MOST_SUMMED, RECOMMENDED, Alarm, Kind, Metric
from designer.core.plan import Plan
from designer.core.words.english import joined

METRIC_NAMES = ("ReadThrottleEvents", "WriteThrottleEvents")
"""Of reads and of writes; a table's do not count those of its indexes."""


class Throttles(Kind):
    """AWS recommends five minutes in a row; adaptive capacity and a split for heat take some of them.

    One alarm for a table with its indexes: what is to be done is the same, and the metrics say where.
    """

    slug = "throttles"
    place = 1
    essential = True
    title = "Throttled requests"
    then = (
        "The design's heat shows which key is hottest. CloudWatch Contributor Insights names the throttled "
        "key values. "
        "If an index is throttled, writes to its table are throttled too."
    )
    source = RECOMMENDED
    otherwise = "Throttled requests: no access pattern with a rate reads or writes a table."

    def alarms(self, design: Design, plan: Plan) -> Iterator[Alarm]:
        hottest = {
            (each.table, each.index): each.hottest for each in plan_heat(design, plan).structures
        }
        asked: dict[str, list[Metric]] = {}
        hot: dict[str, list[str]] = {}
        for (table, index), units in peaks(design, plan).items():
            mine = [name for name, load in zip(METRIC_NAMES, units, strict=True) if load]
            asked.setdefault(table, []).extend(Metric(name, table, index) for name in mine)
            key = hottest.get((table, index))
            if mine and key is not None and key.level == "hot":
                hot.setdefault(table, []).append(key.key)
        for table, metrics in asked.items():
            for first in range(0, len(metrics), MOST_SUMMED):
                number = f"{first // MOST_SUMMED + 1}" if first else ""
                yield Alarm(
                    self.slug,
                    table,
                    None,
                    f"ThrottleEvents{number}",
                    "Sum",
                    0,
                    "event",
                    5,
                    _because(hot.get(table, [])),
                    summed=tuple(metrics[first : first + MOST_SUMMED]),
                )


def _because(hot: list[str]) -> str:
    if hot:
        return (
            "The hottest key exceeds what a partition serves, so this alarm will go off at peak: "
            f"{joined(hot)}."
        )
    return "At the stated peaks no key reaches its limit, so no request should be throttled."
