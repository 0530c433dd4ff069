"""A stated peak above what a new table or index serves at once."""

from collections.abc import Iterator

from designer.core.capacity.tables import is_provisioned, peaks
from designer.core.design.document import Design
from designer.core.dynamodb.limits import TABLE_UNITS, WARM_READS, WARM_WRITES
from designer.core.lint.base import Found, Plans, Rule, named
from designer.core.messages import Message, say
from designer.core.plan import Style

WARM = {"read": WARM_READS, "write": WARM_WRITES}
"""Units a second that a new table or index serves, by their kind."""


class LaunchAboveWarmThroughput(Rule):
    id = "L105"
    severity = "warning"
    title = "Launch peak above warm throughput"
    about = "settings"
    what = (
        "If all access patterns run at their peaks, an on-demand table or one of its indexes takes more than "
        f"{WARM_READS:,} read units or {WARM_WRITES:,} write units a second. Or a table takes more than its quota "
        f"of {TABLE_UNITS:,} read units or {TABLE_UNITS:,} write units a second."
    )
    why = (
        f"A new on-demand table, and each of its indexes, serves {WARM_READS:,} read units and {WARM_WRITES:,} "
        "write units a second immediately. Within 30 minutes, its traffic can grow to twice its previous peak. "
        "DynamoDB throttles traffic that grows faster, so a launch or a campaign can fail even if no key is hot."
    )
    source = "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/warm-throughput.html"
    cure = (
        "Raise the warm throughput of the table and the index before the launch (a one-time charge), or let the "
        f"traffic grow in steps. If a table needs more than {TABLE_UNITS:,} read units or {TABLE_UNITS:,} "
        "write units a second, request a higher quota."
    )

    def check(self, design: Design, plans: Plans) -> Iterator[Found]:
        for place, kind, warm, by_style in _peaks(design, plans):
            for style, exact_peak in by_style.items():
                # What is said to be the limit is not above it: rare writes add hundredths of a unit.
                peak = round(exact_peak)
                if peak <= warm:
                    continue
                # Tables of the same name, of two styles, can take different traffic.
                differs = len(set(by_style.values())) > 1
                said = say("place-in-style", place=place, style=style) if differs else place
                is_over = peak > TABLE_UNITS
                yield Found(
                    "billing",
                    say("peak-above-quota", place=said, units=peak, kind=kind, most=TABLE_UNITS)
                    if is_over
                    else say(
                        "peak-above-warm-throughput", place=said, units=peak, kind=kind, warm=warm
                    ),
                    say("request-quota" if is_over else "raise-warm-throughput"),
                )


def _peaks(design: Design, plans: Plans) -> Iterator[tuple[Message, str, int, dict[Style, float]]]:
    """Tables and indexes on demand, each with a kind of unit, what it serves when new, and its peaks by style."""
    found: dict[tuple[str, str | None, str], dict[Style, float]] = {}
    for style, plan in plans.items():
        for (table, index), units in peaks(design, plan).items():
            if not is_provisioned(design, plan.table(table)):
                for kind, peak in zip(WARM, units, strict=True):
                    found.setdefault((table, index, kind), {})[style] = peak
    for (table, index, kind), by_style in found.items():
        yield named(table, index), kind, WARM[kind], by_style
