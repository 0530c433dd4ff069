"""Replicas in other Regions that lag behind."""

from collections.abc import Iterator

from designer.core.design.document import Design
from designer.core.monitoring.base import RECOMMENDED, Alarm, Kind
from designer.core.plan import Plan


class Replication(Kind):
    """A design states no replicas; a bill may ask for some, but names no table that has them."""

    slug = "replication"
    place = 5
    title = "Replication lag"
    then = (
        "Look at the AWS Health Dashboard of both Regions, and at write throttles of the replica."
    )
    source = RECOMMENDED
    otherwise = (
        "Replication lag: a design cannot state global table replicas. If you add some to a table, watch "
        "ReplicationLatency of each receiving Region. AWS recommends investigating an average lag of more than three "
        "minutes."
    )

    def alarms(self, design: Design, plan: Plan) -> Iterator[Alarm]:
        yield from ()
