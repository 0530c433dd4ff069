"""From a SQL database to a plan: gradually, with both databases written and their answers compared, or all at once.

It is taken that each entity has a table of its own there, and each attribute a column, both under their names in small
letters with underscores. Where they are called otherwise, the queries say where to change that.
"""

import re
from collections.abc import Iterator

from designer.core.design.document import Design
from designer.core.design.entities import Entity
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
    TableChange,
)
from designer.core.migration.estimating import estimate, lying, written
from designer.core.migration.kinds.copy_items import items_of
from designer.core.migration.kinds.create_tables import CreateTables
from designer.core.patterns.base import Read
from designer.core.plan import Shape
from designer.core.sentences.templates import template_text
from designer.core.words import figures
from designer.core.words.english import a, joined

ROWS_A_SECOND = 1_000
"""What one loader puts in a second, to say how long a pause would be."""
STREAMS_TTL = (
    "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/time-to-live-ttl-streams.html"
)
BATCH = "https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchWriteItem.html"
CAPTURE = "https://docs.aws.amazon.com/dms/latest/userguide/CHAP_Target.DynamoDB.html"


def from_sql(after: Deployed) -> Migration:
    """The steps that lead from a SQL database to a plan."""
    change = _change(after)
    steps = (
        *_checks(after),
        *CreateTables().steps(change),
        _write_both(after),
        *(_copy(after, entity) for entity in _parents_first(after.design)),
        *_switches(after),
        *_clean_up(after),
    )
    start = Stage(after.design, change.before.plan)
    placed = tuple(
        Placed(number, step, Stage(after.design, after.plan) if step.deploys is not None else None)
        for number, step in enumerate(steps, 1)
    )
    return Migration(change, start, placed)


def _change(after: Deployed) -> Change:
    """Every table is new, and its items come from elsewhere."""
    nothing = after.plan.model_copy(update={"tables": (), "operations": (), "upkeep": ()})
    tables = tuple(
        TableChange(
            table,
            table.name,
            None,
            shapes=tuple(
                ShapeChange(table.name, shape, None, shape.entity)
                for shape in table.items
                if shape.inside is None
            ),
        )
        for table in after.plan.tables
    )
    return Change(Deployed(after.design, nothing), after, after.plan, tables)


def _checks(after: Deployed) -> Iterator[Step]:
    design = after.design
    unique = [
        f"{entity.name}.{one.attribute}" + (f" within {joined(one.within)}" if one.within else "")
        for entity in design.entities
        for one in entity.uniques
    ]
    yield Step(
        "sql-profile",
        Phase.CHECK,
        "Check the rows before anything is created",
        (
            "Count the rows of each table and compare them with the items that the design states.",
            "Look for empty strings that become part of a key, for times that are not in UTC, and for "
            "numbers with more digits than the design states.",
            *(
                (
                    f"Look for values that occur twice, or that differ only in case: {joined(unique)}.",
                )
                if unique
                else ()
            ),
            "Take the rates of the access patterns from the log of the database, and state them in the design.",
        ),
        (
            Caution(
                "data",
                "NULL becomes a missing attribute. If the application distinguishes NULL from an empty "
                "string, add an attribute for that.",
            ),
        ),
    )
    yield Step(
        "sql-archive",
        Phase.CHECK,
        "Decide what stays behind",
        (
            "Rows that no access pattern asks for need not move: export them to S3 as Parquet, where Athena can still "
            "query them.",
            "Note the time up to which rows are archived, so that the archive and the copy leave no gap.",
        ),
        (
            Caution(
                "data",
                "Rows that are neither archived nor copied are lost when the database is deleted. For each table, "
                "the number of rows must equal the sum of the archived and the copied rows.",
            ),
        ),
    )


def _write_both(after: Deployed) -> Step:
    return Step(
        "sql-write-both",
        Phase.WRITE_BOTH,
        "Copy every change to both databases",
        (
            "SQL remains the source of truth. Record each change in an outbox table in the same "
            "transaction, and copy the changes to DynamoDB from there, in order. Or capture the changes "
            "with AWS DMS.",
            "Write each change with the plan's operations, so that guards, copies and aggregates are right from "
            "the first item.",
        ),
        (
            Caution(
                "data",
                "No transaction spans both databases. If the application writes to both directly, one of "
                "the two writes can fail alone.",
            ),
        ),
        sources=(CAPTURE,),
        patterns=tuple(
            p.number
            for p in after.design.patterns
            if not isinstance(p, Read) and after.plan.operations_for(p.number)
        ),
    )


def _copy(after: Deployed, entity: Entity) -> Step:
    those = [
        (table.name, shape)
        for table in after.plan.tables
        for shape in table.items
        if shape.entity == entity.name and shape.inside is None
    ]
    inside = [s for t in after.plan.tables for s in t.items if s.entity == entity.name and s.inside]
    lies = [
        each
        for name in dict.fromkeys(name for name, _ in those)
        for each in lying(after, name)
        if each.entity == entity.name
    ]
    entries = [
        each
        for name in dict.fromkeys(name for name, _ in those)
        for index in after.plan.table(name).indexes
        for each in lying(after, name, index.name)
        if each.entity == entity.name
    ]
    made = [
        f"{items_of(shape) if shape.shards else a(items_of(shape))} in table {name}{_keys(shape)}"
        for name, shape in those
    ]
    does = [f"Each row becomes {joined(made)}." if made else ""]
    does += [
        f"Each row is stored in the attribute {shape.inside.attribute} of its {shape.inside.shape}: read the rows "
        "of both together."
        for shape in inside
        if shape.inside is not None
    ]
    does.append(
        "Put each item on the condition that it does not exist, so that a newer change wins. If one row "
        "becomes several items, put them in one transaction."
    )
    seconds = sum(each.items for each in lies) / ROWS_A_SECOND
    hours = round(seconds / 3600)
    takes = "less than an hour" if seconds < 3600 else f"about {figures.count(hours, 'hour')}"
    return Step(
        "sql-copy",
        Phase.BACKFILL,
        f"Copy the rows of {entity.name}",
        tuple(filter(None, does)),
        (
            Caution(
                "note",
                f"At {ROWS_A_SECOND:,} items a second, the copy takes {takes}.",
            ),
        )
        if seconds >= 60
        else (),
        estimate(
            after,
            items=sum(each.items for each in lies),
            writes=written(lies, transactional=len(those) > 1) + written(entries),
        )
        if lies
        else Estimate(),
        (BATCH,),
        listing=_query(entity),
        backfills=tuple(Backfill("put", entity.name, name, shape.shape) for name, shape in those),
    )


def _keys(shape: Shape) -> str:
    said = ", ".join(f"{name} = {template_text(said)}" for name, said in shape.set.items())
    return f" ({said})" if said else ""


def _query(entity: Entity) -> str:
    """The rows of an entity, with the attributes that it is planned with."""
    columns = []
    for attribute in entity.stored:
        column = _underscored(attribute.name)
        alias = "" if column == attribute.name else f' AS "{attribute.name}"'
        figure = f" -- {attribute.aggregate}" if attribute.aggregate else ""
        columns.append((f"{column}{alias}", figure))
    listed = [
        f"  {column}{',' if number < len(columns) else ''}{figure}"
        for number, (column, figure) in enumerate(columns, 1)
    ]
    order = ", ".join(_underscored(name) for name in entity.identifier)
    table = _underscored(_plural(entity.name))
    return "\n".join(["SELECT", *listed, f"FROM {table}", f"ORDER BY {order};"])


def _underscored(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).replace("-", "_").lower()


def _plural(name: str) -> str:
    return re.sub(r"([^aeiou])y$", r"\1ie", name) + (
        "es" if re.search(r"(s|x|ch|sh)$", name) else "s"
    )


def _parents_first(design: Design) -> tuple[Entity, ...]:
    """The entities such that each comes after those it refers to, as far as there is such an order."""
    placed: list[str] = []
    waiting = [entity.name for entity in design.entities]
    parents = {
        name: {
            parent
            for relationship in design.relationships
            if relationship.child == name
            for parent in relationship.parents
            if parent != name
        }
        for name in waiting
    }
    while waiting:
        ready = [name for name in waiting if parents[name] <= set(placed)] or waiting[:1]
        placed.append(ready[0])
        waiting.remove(ready[0])
    return tuple(design.entity[name] for name in placed)


def _switches(after: Deployed) -> Iterator[Step]:
    reads = tuple(
        p.number
        for p in after.design.patterns
        if isinstance(p, Read) and after.plan.operations_for(p.number)
    )
    yield Step(
        "sql-shadow",
        Phase.READS,
        "Compare reads of both databases",
        (
            "Serve reads from SQL, run the same reads on DynamoDB, and record the differences. Do so for at least a "
            "week that includes the end of a month.",
            "Begin with the access pattern that runs most often. Compare times as well as answers.",
        ),
        (
            Caution(
                "note",
                "A difference in something that has just changed is not necessarily an error: read again before "
                "you count it.",
            ),
        ),
        patterns=reads,
    )
    yield Step(
        "sql-reads",
        Phase.READS,
        "Serve reads from DynamoDB, a share at a time",
        (
            "Move one access pattern after another: first one request in a hundred, then one in ten, then all. Keep a "
            "switch for each access pattern, so that you can switch back at once.",
            "If a pause is allowed, switch all at once instead: stop the writes, copy, compare the "
            "counts, and continue on DynamoDB. This avoids writing to both, but cannot be undone once "
            "items are written.",
        ),
        (
            Caution(
                "availability",
                "SQL still takes every write, and must be able to serve all reads until the writes have "
                "moved.",
            ),
        ),
        patterns=reads,
    )
    yield Step(
        "sql-writes",
        Phase.WRITES,
        "Make DynamoDB the source of truth",
        (
            "Move one entity after another: write to DynamoDB with the plan's operations. To keep a way back, copy "
            "the changes to SQL from a stream.",
        ),
        (
            Caution(
                "data",
                "If both databases take writes of one entity, they overwrite each other: switch each "
                "entity in one step.",
            ),
            Caution("data", "Once the changes are no longer copied to SQL, there is no way back."),
        ),
        patterns=tuple(
            p.number
            for p in after.design.patterns
            if not isinstance(p, Read) and after.plan.operations_for(p.number)
        ),
    )


def _clean_up(after: Deployed) -> Iterator[Step]:
    expiring = [table for table in after.plan.tables if table.ttl]
    for table in expiring:
        yield Step(
            "sql-expiry",
            Phase.CLEAN_UP,
            f"Archive what expires in table {table.name}",
            (
                f"Items expire by {table.ttl}. To keep them, let a consumer of the table's stream write "
                f"each expired item to S3.",
                "In the stream, the record of an expired item has the principalId dynamodb.amazonaws.com in its "
                "userIdentity.",
                *(
                    ()
                    if table.stream in ("old", "new-and-old")
                    else (
                        "The stream must show the item as it was (old image, or new and old "
                        "images): state this in the needs of the table's entities.",
                    )
                ),
            ),
            (Caution("data", "Otherwise, the items are lost within days of expiring."),),
            sources=(STREAMS_TTL,),
            table=table.name,
        )
    yield Step(
        "sql-end",
        Phase.CLEAN_UP,
        "Retire the database",
        (
            "Make the database read-only for a month, and check in its log that nobody reads it.",
            "Export all data to S3, test the restore once, then delete the database.",
        ),
        (
            Caution(
                "data", "Forgotten reports may still read the database: ask before you delete it."
            ),
        ),
    )
