"""Requests that are refused because a table, an index or a partition takes too many."""

from collections.abc import Iterator

from designer.core.capacity import peaks
from designer.core.design.document import Design
from designer.core.heat.keys import KeyHeat, plan_heat
from designer.core.monitoring.base import RECOMMENDED, Alarm, Kind
from designer.core.plan import Plan


class Throttles(Kind):
    """AWS recommends five minutes in a row; adaptive capacity and a split for heat take some of them."""

    slug = "throttles"
    place = 1
    title = "Throttled requests"
    then = (
        "See on the heat page which key is hottest. CloudWatch Contributor Insights names the key values that were "
        "throttled. On an index, writes to the table are held back too."
    )
    source = RECOMMENDED
    otherwise = "Throttled requests: nothing that has a rate reads or writes a table."

    def alarms(self, design: Design, plan: Plan) -> Iterator[Alarm]:
        hottest = {
            (each.table, each.index): each.hottest for each in plan_heat(design, plan).structures
        }
        for (table, index), (reads, writes) in peaks(design, plan).items():
            key = hottest.get((table, index))
            for what, metric, units in (
                ("reads", "ReadThrottleEvents", reads),
                ("writes", "WriteThrottleEvents", writes),
            ):
                if units:
                    yield Alarm(
                        self.slug, table, index, metric, "Sum", 0, "event", 5, _because(what, key)
                    )


def _because(what: str, key: KeyHeat | None) -> str:
    if key is not None and key.level == "hot":
        return f"Its hottest key is above what a partition serves, so at peak this will sound: {key.key}."
    return f"At the stated peaks no key comes to its limit, so no {what} should be refused."
