"""A stated peak above what a new table or index serves at once."""

from collections.abc import Iterator

from designer.core.capacity.tables import is_provisioned, peaks
from designer.core.design.document import Design
from designer.core.dynamodb.limits import TABLE_UNITS, WARM_READS, WARM_WRITES
from designer.core.lint.base import Found, Plans, Rule, named
from designer.core.messages import say


class LaunchAboveWarmThroughput(Rule):
    id = "L105"
    severity = "warning"
    title = "Launch peak above warm throughput"
    about = "settings"
    what = (
        "If all access patterns run at their peaks, an on-demand table or one of its indexes takes more than "
        f"{WARM_READS:,} read units or {WARM_WRITES:,} write units a second. Or a table takes more than its quota "
        f"of {TABLE_UNITS:,} units a second."
    )
    why = (
        f"A new on-demand table, and each of its indexes, serves {WARM_READS:,} read units and {WARM_WRITES:,} "
        "write units a second immediately. Within 30 minutes, its traffic can grow to twice its previous peak. "
        "DynamoDB throttles traffic that grows faster, so a launch or a campaign can fail even if no key is hot."
    )
    source = "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/warm-throughput.html"
    cure = (
        "Raise the warm throughput of the table and the index before the launch (a one-time charge), or let the "
        f"traffic grow in steps. If a table needs more than {TABLE_UNITS:,} units a second, request a higher "
        "quota."
    )

    def check(self, design: Design, plans: Plans) -> Iterator[Found]:
        for plan in plans.values():
            for (table, index), units in peaks(design, plan).items():
                if is_provisioned(design, plan.table(table)):
                    continue
                place = named(table, index)
                for kind, peak, warm in zip(
                    ("read", "write"), units, (WARM_READS, WARM_WRITES), strict=True
                ):
                    if peak > TABLE_UNITS:
                        yield Found(
                            "billing",
                            say(
                                "peak-above-quota",
                                place=place,
                                units=peak,
                                kind=kind,
                                most=TABLE_UNITS,
                            ),
                            say("request-quota"),
                        )
                    elif peak > warm:
                        yield Found(
                            "billing",
                            say(
                                "peak-above-warm-throughput",
                                place=place,
                                units=peak,
                                kind=kind,
                                warm=warm,
                            ),
                            say("raise-warm-throughput"),
                        )
