"""A stated peak above what a new table or index serves at once."""

from collections.abc import Iterator

from designer.core import figures
from designer.core.capacity import is_provisioned, peaks
from designer.core.design.document import Design
from designer.core.limits import TABLE_UNITS, WARM_READS, WARM_WRITES
from designer.core.lint.base import Found, Plans, Rule


class LaunchAboveWarmThroughput(Rule):
    id = "L105"
    severity = "warning"
    title = "Peak above what a new table serves"
    about = "settings"
    what = (
        f"All access patterns at their peaks take more of an on-demand table, or of an index of it, than "
        f"{WARM_READS:,} read or {WARM_WRITES:,} write units a second, or more of a table than its quota of "
        f"{TABLE_UNITS:,} units."
    )
    why = (
        f"A new table on demand, and each of its indexes, serves {WARM_READS:,} read and {WARM_WRITES:,} write units a "
        "second at once, and twice the former peak within half an hour. Traffic that grows faster is throttled, so "
        "a launch or a campaign fails although no key is hot."
    )
    source = "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/warm-throughput.html"
    cure = (
        "Raise the warm throughput of the table and the index before the launch (once, for a charge), let the traffic "
        f"grow in steps, and ask for a higher quota where a table is to take more than {TABLE_UNITS:,} units a second."
    )

    def check(self, design: Design, plans: Plans) -> Iterator[Found]:
        for plan in plans.values():
            for (table, index), units in peaks(design, plan).items():
                if is_provisioned(design, plan.table(table)):
                    continue
                place = f"index {index} of {table}" if index else f"table {table}"
                for kind, peak, warm in zip(
                    ("read", "write"), units, (WARM_READS, WARM_WRITES), strict=True
                ):
                    if peak > TABLE_UNITS:
                        yield Found(
                            "billing",
                            f"At the stated peaks {place} takes {figures.number(peak)} {kind} units a second; the "
                            f"quota of a table is {TABLE_UNITS:,}.",
                            "Ask AWS for a higher quota, and raise the warm throughput before the launch.",
                        )
                    elif peak > warm:
                        yield Found(
                            "billing",
                            f"At the stated peaks {place} takes {figures.number(peak)} {kind} units a second; when "
                            f"new it serves {warm:,}.",
                            "Raise its warm throughput before the launch, or let the traffic grow in steps.",
                        )
