"""Expiry of items: off at once, on when the items have the attribute and nothing reads as before.

A change takes up to an hour, and another one in that hour is refused
(https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_UpdateTimeToLive.html).
"""

from collections.abc import Iterator

from designer.core.migration import deploying
from designer.core.migration.base import Caution, Change, Kind, Phase, Step
from designer.core.plan import Table

SOURCE = "https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_UpdateTimeToLive.html"


class TimeToLive(Kind):
    slug = "time-to-live"

    def steps(self, change: Change) -> tuple[Step, ...]:
        return tuple(step for was, one in change.kept for step in self._of(was, one.table))

    def _of(self, was: Table, is_: Table) -> Iterator[Step]:
        if was.ttl == is_.ttl:
            return
        if was.ttl is not None:
            yield Step(
                self.slug,
                Phase.DEPLOY,
                f"Stop expiring items of table {is_.name} by {was.ttl}",
                ("Deploy it.",),
                (
                    Caution(
                        "availability",
                        "It takes up to an hour, during which the time-to-live setting cannot be changed "
                        "again. Until then items still expire.",
                    ),
                ),
                sources=(SOURCE,),
                table=is_.name,
                deploys=deploying.change(is_.name, ttl=None),
            )
        if is_.ttl is not None:
            yield Step(
                self.slug,
                Phase.CLEAN_UP,
                f"Expire items of table {is_.name} by {is_.ttl}",
                (
                    f"Look first at what {is_.ttl} holds: items whose time has passed are deleted within "
                    f"days.",
                    "Deploy it an hour or more after any other change to time to live.",
                ),
                (
                    Caution(
                        "data",
                        "Expired items are gone for good. Items without the attribute never expire.",
                    ),
                ),
                sources=(SOURCE,),
                table=is_.name,
                deploys=deploying.change(is_.name, ttl=is_.ttl),
            )
