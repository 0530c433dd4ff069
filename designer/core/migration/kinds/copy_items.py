"""Items that the later plan has in another place: another table, another key, or a guard, a copy or an edge of its own.

A copy puts an item only where none is, and only while its source is what was read, so that a newer write wins: both in
one transaction, as a batch takes no conditions
(https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html). An import from S3 makes a
table of its own and cannot add to one that is there
(https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/S3DataImport.HowItWorks.html).
"""

from collections.abc import Iterator, Sequence

from designer.core.migration.base import Backfill, Caution, Change, Kind, Phase, ShapeChange, Step
from designer.core.migration.estimating import estimate, lying, scanned, there, written
from designer.core.plan import Shape
from designer.core.rational import Fraction
from designer.core.sentences.templates import template_text
from designer.core.words.english import joined

SOURCES = (
    "https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html",
    "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/S3DataImport.HowItWorks.html",
)
LARGE_BYTES = 10**11
"""From here on an export is worth its trouble: what is read from S3 takes nothing from the table."""


class CopyItems(Kind):
    slug = "copy-items"

    def steps(self, change: Change) -> tuple[Step, ...]:
        found = []
        for table in change.tables:
            entities: dict[str, list[ShapeChange]] = {}
            for one in table.shapes:
                if one.is_moved:
                    entities.setdefault(one.shape.entity, []).append(one)
            found += [self._step(change, entity, those) for entity, those in entities.items()]
        return tuple(found)

    def _step(self, change: Change, entity: str, those: Sequence[ShapeChange]) -> Step:
        name, origin = those[0].table, those[0].origin
        shapes = [one.shape for one in those]
        places = dict.fromkeys(place for place, _ in sources(change, origin))
        own = {shape.shape for shape in shapes}
        lies = [each for each in lying(change.after, name) if each.shape in own]
        entries = [
            each
            for index in change.after.plan.table(name).indexes
            for each in lying(change.after, name, index.name)
            if each.shape in own
        ]
        # Each put is in a transaction with the check of its source: two units for each of the two.
        checks = sum((Fraction(round(each.items)) * 2 for each in lies), Fraction(0))
        size = sum(each.bytes for each in lies)
        return Step(
            self.slug,
            Phase.BACKFILL,
            title(entity, name, shapes),
            (
                f"Read table {joined(list(places))} in segments (a parallel Scan)"
                + (", or from an export to S3" if size >= LARGE_BYTES else "")
                + f". For each {entity}, create its "
                + joined([made(shape) for shape in shapes])
                + ".",
                "Put each item on the condition that it does not exist, in one transaction with a check that "
                "its source is unchanged. If the item exists, the application has written it since: "
                "skip it. If the source has changed, read it again.",
                counted(entity, shapes),
            ),
            tuple(
                [
                    Caution(
                        "data",
                        "Without the check of its source, an item that is deleted between its read and "
                        "its copy would come back.",
                    )
                ]
                + (
                    [
                        Caution(
                            "note",
                            "An import from S3 always creates a new table. It can replace the Scan if it "
                            "creates this table before the application writes both; an incremental "
                            "export then brings later changes.",
                        )
                    ]
                    if size >= LARGE_BYTES and name in {made.table.name for made in change.made}
                    else []
                )
                + [*refused(change, entity, those)]
            ),
            estimate(
                change.after,
                items=sum(each.items for each in lies),
                reads=sum((scanned(there(change, place)) for place in places), Fraction(0)),
                writes=written(lies, transactional=True) + checks + written(entries),
                keeps=(*lies, *entries),
            ),
            SOURCES if size >= LARGE_BYTES else SOURCES[:1],
            table=name,
            backfills=tuple(Backfill("put", entity, name, shape.shape) for shape in shapes),
        )


def title(entity: str, table: str, shapes: Sequence[Shape]) -> str:
    """What is put there of an entity: all that it says, or guards alone."""
    guards = [shape.shape for shape in shapes if shape.role == "guard"]
    if len(guards) < len(shapes):
        return f"Copy every {entity} to table {table}"
    return f"Put {joined(guards)} items for every {entity}"


def counted(entity: str, shapes: Sequence[Shape]) -> str:
    """What the counts must show once all is copied."""
    each = joined(
        [
            f"at most {shape.shards} {shape.shape} items"
            if shape.shards
            else f"one {shape.shape} item"
            for shape in shapes
        ]
    )
    new = {1: "the new item", 2: "both new items"}.get(len(shapes), "all new items")
    return (
        f"At the end, compare the counts: there must be {each} for each {entity} in the source that has the "
        f"key attributes of {new}."
    )


def refused(change: Change, entity: str, those: Sequence[ShapeChange]) -> Iterator[Caution]:
    """That some items cannot be put, where a value is unique from now on."""
    guarded = [one.shape.guards for one in those if change.becomes_unique(one)]
    if guarded:
        taken = joined(
            [
                f"whose {'combination of ' if len(names) > 1 else ''}{joined(names)} is taken"
                for names in guarded
            ],
            "or",
        )
        yield Caution(
            "availability",
            f"{entity} items {taken} are refused: see the step that looks for duplicates.",
        )


def sources(change: Change, origin: str | None) -> list[tuple[str, Shape]]:
    """Where the earlier plan keeps what an entity's items say."""
    found = []
    for table in change.before.plan.tables:
        for shape in table.items:
            if shape.entity == origin and shape.role in (
                "entity",
                "edge",
                "split",
                "embedded",
                "counter",
            ):
                found.append((table.name, shape))
    return found


def made(shape: Shape) -> str:
    keys = ", ".join(f"{name} = {template_text(said)}" for name, said in shape.set.items())
    return f"{items_of(shape)} ({keys})" if keys else items_of(shape)


def items_of(shape: Shape) -> str:
    """What a row has of a shape: `Post item`, of counters `PostViews items`."""
    return f"{shape.shape} {'items' if shape.shards else 'item'}"
