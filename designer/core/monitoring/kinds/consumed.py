"""More capacity taken than the design reckons with."""

from collections.abc import Iterator
from math import ceil

from designer.core.capacity.tables import capacity_units, is_provisioned, peaks
from designer.core.design.document import Design
from designer.core.monitoring.base import MINUTE, Alarm, Kind
from designer.core.plan import Plan
from designer.core.words import figures

WARN_AT = 0.8
"""Share of provisioned capacity at which AWS's own example warns."""


class Consumed(Kind):
    """Source of the share: the example that AWS gives for such an alarm."""

    slug = "consumed"
    place = 2
    title = "Consumed capacity"
    then = (
        "Find the call whose rate rose, and state its new rate in the design. Then check the bill and the heat, which "
        "assumed a lower rate. On demand, more requests cost more. If capacity is provisioned, raise it before "
        "requests are throttled."
    )
    source = (
        "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/"
        "Monitoring-metrics-creating-cloudwatch-alarms.html"
    )
    otherwise = "Consumed capacity: there is no access pattern with a rate to compare it with."

    def alarms(self, design: Design, plan: Plan) -> Iterator[Alarm]:
        for (table, index), loads in peaks(design, plan).items():
            provisioned = is_provisioned(design, plan.table(table))
            for kind, peak in zip(("Read", "Write"), loads, strict=True):
                if not peak:
                    continue
                if provisioned:
                    units = capacity_units(peak)
                    a_minute = ceil(units * MINUTE * WARN_AT)
                    because = (
                        f"{figures.share(WARN_AT)} of {units:,} provisioned units a second, which the stated "
                        f"peaks use to {figures.share(peak / units)}."
                    )
                else:
                    a_minute = ceil(peak * MINUTE)
                    noun = "unit" if peak == 1 else "units"
                    because = f"All patterns at their peaks at once: {peak:,.6g} {noun} a second."
                yield Alarm(
                    self.slug,
                    table,
                    index,
                    f"Consumed{kind}CapacityUnits",
                    "Sum",
                    a_minute,
                    "unit",
                    5,
                    because,
                )
