"""A table's stream: on before what reads it, off after, and another view only by way of off.

A stream that is on cannot be turned on again
(https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_UpdateTable.html); what it holds can be read for
24 hours after it was turned off, and the next one has another ARN
(https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Streams.html).
"""

from collections.abc import Iterator

from designer.core.migration import deploying
from designer.core.migration.base import Caution, Change, Kind, Phase, Step
from designer.core.plan import Table

SOURCE = "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Streams.html"


UNREAD = Caution(
    "data",
    "Consumers can read the rest of the old stream for 24 hours more. No stream reports changes made while "
    "it is off.",
)


class Streams(Kind):
    slug = "stream"

    def steps(self, change: Change) -> tuple[Step, ...]:
        return tuple(step for was, one in change.kept for step in self._of(was, one.table))

    def _of(self, was: Table, is_: Table) -> Iterator[Step]:
        if was.stream == is_.stream:
            return
        phase = Phase.CLEAN_UP if is_.stream in (None, "keys-only", "old") else Phase.DEPLOY
        if was.stream is not None:
            yield Step(
                self.slug,
                phase,
                f"Turn off the stream of table {is_.name}",
                ("First let its consumers read to the end, then deploy.",),
                (UNREAD,),
                sources=(SOURCE,),
                table=is_.name,
                deploys=deploying.change(is_.name, stream=None),
            )
        if is_.stream is not None:
            yield Step(
                self.slug,
                phase,
                f"Turn on the stream of table {is_.name}: {is_.stream}",
                ("Deploy it, and connect its consumers to the stream's new ARN.",),
                sources=(SOURCE,),
                table=is_.name,
                deploys=deploying.change(is_.name, stream=is_.stream),
            )
