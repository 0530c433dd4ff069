"""To another Region: every table is made there, filled by copies and by the streams of the old ones, then relied on.

No transaction spans two Regions
(https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html), so nothing writes
both: the Region that is left decides until writes are switched, and a consumer of its streams brings every change.
"""

from collections.abc import Iterator
from dataclasses import replace

from designer.core.capacity.units import read_units
from designer.core.migration.base import (
    Backfill,
    Caution,
    Change,
    Deployed,
    Estimate,
    Migration,
    Phase,
    Placed,
    ShapeChange,
    Stage,
    Step,
)
from designer.core.migration.estimating import estimate, lying, scanned, there, written
from designer.core.migration.kinds.copy_items import counted, made, refused, sources, title
from designer.core.migration.kinds.create_tables import CreateTables
from designer.core.migration.kinds.drop_tables import DropTables
from designer.core.migration.kinds.find_duplicates import FindDuplicates
from designer.core.migration.kinds.streams import SOURCE as STREAMS
from designer.core.migration.kinds.streams import UNREAD
from designer.core.migration.kinds.switch_reads import stopping
from designer.core.migration.settling import settle
from designer.core.patterns.base import Pattern, Read
from designer.core.rational import Fraction
from designer.core.words.english import joined

TRANSACTIONS = (
    "https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html"
)
REPLICAS = "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/GlobalTables.html"
IMPORT = (
    "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/S3DataImport.Requesting.html"
)


def to_another_region(before: Deployed, after: Deployed) -> Migration:
    """The steps that lead from a plan in one Region to a plan in another."""
    change = settle(before, after)
    new = Stage(change.after.design, change.after.plan)
    steps: list[tuple[Step, Stage | None]] = [
        *((step, None) for step in FindDuplicates().steps(change)),
        *((step, None) for step in _choice(change)),
        *_streams(change),
        *((step, new) for step in _tables(change)),
        *((step, None) for step in (*_copied(change), *_switched(change), *_left(change))),
    ]
    placed = (Placed(number, step, stage) for number, (step, stage) in enumerate(steps, 1))
    return Migration(change, Stage(before.design, before.plan), tuple(placed))


def _regions(change: Change) -> tuple[str, str]:
    return change.before.design.region, change.after.design.region


def _is_the_same(change: Change) -> bool:
    """Whether nothing but the Region is another for the tables."""
    return change.before.plan.tables == change.after.plan.tables


def _choice(change: Change) -> Iterator[Step]:
    was, now = _regions(change)
    if _is_the_same(change):
        yield Step(
            "region-choice",
            Phase.CHECK,
            f"Choose how to move the tables to {now}",
            (
                f"The tables are the same in both Regions, so a replica of each in {now} (a global "
                f"table) can replace all these steps: DynamoDB fills it and keeps both in sync. A stream "
                f"that is on must show new and old images. Move the application, then remove the replica in {was}.",
                f"Or export each to S3 once the streams are on, and let an import create it in {now} "
                f"with its indexes, instead of the copies. Start the consumer when the import is done, "
                f"within the 24 hours that a stream keeps its records.",
                "Both ways create tables outside any stack: add them to one with a resource import.",
            ),
            sources=(REPLICAS, IMPORT),
        )


def _streams(change: Change) -> Iterator[tuple[Step, Stage]]:
    """Streams that tell what an item was: its keys alone, where the later plan has it under the same."""
    was, now = _regions(change)
    design, plan = change.before.design, change.before.plan
    read = {place for one in _moved(change) for place, _ in sources(change, one.origin)}
    old = ("old", "new-and-old")
    enough = ("keys-only", "new", *old) if _is_the_same(change) else old
    lacking = [t for t in plan.tables if t.name in read and t.stream not in enough]
    others = [table.name for table in lacking if table.stream]

    def deployed(names: list[str], stream: str | None) -> Stage:
        tables = tuple(
            table.model_copy(update={"stream": stream}) if table.name in names else table
            for table in plan.tables
        )
        return Stage(design, plan.model_copy(update={"tables": tables}))

    if others:
        yield (
            Step(
                "stream",
                Phase.DEPLOY,
                f"Turn off {_of(others)} in {was}",
                (
                    "First let its consumers read to the end, then deploy: a stream shows other images "
                    "only after it is created again.",
                ),
                (UNREAD,),
                sources=(STREAMS,),
            ),
            deployed(others, None),
        )
    if lacking:
        names = [table.name for table in lacking]
        yield (
            Step(
                "stream",
                Phase.DEPLOY,
                f"Turn on {_of(names)} in {was}: new-and-old",
                (f"Deploy it in {was}. A consumer reads from it what to copy to {now}.",),
                sources=(STREAMS,),
            ),
            deployed(names, "new-and-old"),
        )


def _of(tables: list[str]) -> str:
    return f"the {'stream' if len(tables) == 1 else 'streams'} of {joined(tables)}"


def _tables(change: Change) -> Iterator[Step]:
    was, now = _regions(change)
    for step in CreateTables().steps(change):
        yield replace(
            step,
            title=f"{step.title} in {now}",
            does=(
                *step.does,
                f"Deploy it in {now}, as a separate stack (in Terraform, with a separate provider and state). The "
                f"one in {was} stays as it is.",
            ),
        )


def _copied(change: Change) -> Iterator[Step]:
    was, now = _regions(change)
    entities: dict[tuple[str, str], list[ShapeChange]] = {}
    for one in _moved(change):
        entities.setdefault((one.table, one.shape.entity), []).append(one)
    if not entities:
        return
    yield Step(
        "write-both",
        Phase.WRITE_BOTH,
        f"Copy every change to {now}",
        (
            f"Let a stream consumer in {was} read each changed item again with strong "
            f"consistency, write its items of the later plan to {now} as a whole, and delete those that "
            f"it no longer has.",
            "It processes the changes to an item in order, and repeats those that fail.",
        ),
        (
            Caution(
                "data",
                f"No transaction spans two Regions. If the application itself writes to {now} meanwhile, "
                f"one of its two writes can fail alone.",
            ),
        ),
        sources=(TRANSACTIONS, STREAMS),
        patterns=_asked(change, is_read=False),
    )
    for (table, entity), those in entities.items():
        yield _copy(change, table, entity, those)


def _copy(change: Change, table: str, entity: str, those: list[ShapeChange]) -> Step:
    was, now = _regions(change)
    shapes = [one.shape for one in those]
    places = list(dict.fromkeys(place for place, _ in sources(change, those[0].origin)))
    own = {shape.shape for shape in shapes}
    lies = [each for each in lying(change.after, table) if each.shape in own]
    entries = [
        each
        for index in change.after.plan.table(table).indexes
        for each in lying(change.after, table, index.name)
        if each.shape in own
    ]
    again = sum(
        (Fraction(round(each.items)) * read_units(each.item_bytes, "strong") for each in lies),
        Fraction(0),
    )
    reads = sum((scanned(there(change, place)) for place in places), again)
    return Step(
        "copy-items",
        Phase.BACKFILL,
        f"{title(entity, table, shapes)} in {now}",
        (
            f"Read table {joined(places)} in {was} in segments (a parallel Scan), or from an export to "
            f"S3. For each {entity}, create its {joined([made(shape) for shape in shapes])}.",
            "Put each item on the condition that it does not exist: an item from the consumer is newer. Then "
            "read its source again with strong consistency, and delete the copy if the source is gone, "
            "until the two agree.",
            counted(entity, shapes),
        ),
        (
            Caution(
                "data",
                "Without the second read of its source, an item that is deleted between its read and its "
                "copy would come back.",
            ),
            Caution("note", "AWS also bills the data transfer between Regions."),
            *refused(change, entity, those),
        ),
        _in_both(
            estimate(change.before, reads=reads),
            estimate(
                change.after,
                items=sum(each.items for each in lies),
                writes=written(lies) + written(entries),
                keeps=(*lies, *entries),
            ),
        ),
        table=table,
        backfills=tuple(Backfill("put", entity, table, shape.shape) for shape in shapes),
    )


def _in_both(reading: Estimate, writing: Estimate) -> Estimate:
    """What is read in one Region and written in the other, each at its prices."""
    usd = (reading.usd or Fraction(0)) + (writing.usd or Fraction(0))
    return replace(writing, read_units=reading.read_units, usd=usd)


def _switched(change: Change) -> Iterator[Step]:
    was, now = _regions(change)
    if not change.made:
        return
    yield Step(
        "switch-reads",
        Phase.READS,
        f"Serve access patterns in {now}",
        (
            "Serve the access patterns there from the later plan: first in parallel, to compare the results, then for "
            "a "
            "share of the requests, then for all.",
            *_stopped(change, is_read=True),
        ),
        (
            Caution(
                "availability",
                f"Until writes are switched, {now} is a moment behind: reads there may miss the latest "
                f"writes.",
            ),
        ),
        patterns=_asked(change, is_read=True),
    )
    yield Step(
        "switch-writes",
        Phase.WRITES,
        f"Write only in {now}",
        (
            f"Stop the writes in {was}, wait until the consumer has read all changes, and stop it.",
            f"Then let the application write only in {now}, as the later plan says.",
            *_stopped(change, is_read=False),
        ),
        (
            Caution(
                "data",
                "Two Regions that are both written overwrite each other's items, so switch all writes at "
                "one moment.",
            ),
            Caution(
                "data",
                f"From here on, the data in {was} becomes outdated. Going back would take another "
                f"migration.",
            ),
        ),
        patterns=_asked(change, is_read=False),
    )


def _left(change: Change) -> Iterator[Step]:
    was, _ = _regions(change)
    for step in DropTables().steps(change):
        yield replace(
            step,
            title=f"{step.title} in {was}",
            does=(
                "Check in its metrics that nothing has read or written it for a while.",
                "Take an on-demand backup: without it, the table cannot be restored.",
                f"Remove the table from the stack in {was}, or delete the stack if it is the last table. "
                "The table stays until you turn off its deletion protection and delete it.",
            ),
            deploys=None,
        )


def _moved(change: Change) -> tuple[ShapeChange, ...]:
    """The kinds of items of which there are some to be copied."""
    return tuple(one for table in change.tables for one in table.shapes if one.is_moved)


def _stopped(change: Change, *, is_read: bool) -> Iterator[str]:
    """That patterns, or writes, end that the later plan does not serve."""
    lost = tuple(
        pattern.number
        for pattern in change.after.design.patterns
        if isinstance(pattern, Read) is is_read and change.loses(pattern.number)
    )
    if lost:
        yield stopping(lost)


def _asked(change: Change, *, is_read: bool) -> tuple[int, ...]:
    """The patterns, or the writes, that the later plan has requests for."""

    def has_requests(pattern: Pattern) -> bool:
        return any(one.steps for one in change.after.plan.operations_for(pattern.number))

    return tuple(
        pattern.number
        for pattern in change.after.design.patterns
        if isinstance(pattern, Read) is is_read and has_requests(pattern)
    )
