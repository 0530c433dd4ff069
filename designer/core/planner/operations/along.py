"""What comes along with rows: for which rows it is asked for, and for how many at the worst."""

from designer.core.plan import ItemCondition, Repeat, ResultPart, Step
from designer.core.planner.model.reads_and_writes import PatternRead
from designer.core.planner.operations.context import Context
from designer.core.planner.pricing.at_worst import at_worst, got_at_worst, most_passing


def for_rows(repeat: Repeat, rows: ResultPart, source: Step) -> Repeat:
    """Repeated for the rows that are returned, of all that the step with the rows reads."""
    only: dict[str, object] = {"shape": rows.shapes[0]} if len(source.shapes) > 1 else {}
    if rows.crossed is not None:  # what comes along is asked for with what is left alone
        only |= {name: getattr(rows, name) for name in ("keep", "crossed", "order", "limit")}
    elif rows.shapes[0] in source.shapes:
        keep: tuple[ItemCondition, ...] = ()
        if source.for_each is None or source.for_each.keep != rows.keep:
            keep = rows.keep
        if rows.limit is not None and not ends_at_limit(source, rows):
            only |= {"order": rows.order, "limit": rows.limit}
        only |= {"keep": keep} if keep else {}
    return repeat.model_copy(update=only)


def ends_at_limit(source: Step, rows: ResultPart) -> bool:
    """Whether a step reads no more rows than are wanted."""
    if source.call == "GetItem" and source.for_each is None:
        return True
    if source.for_each is not None:  # the second read of keys that are cut already
        got = source.for_each
        return got.limit == rows.limit and got.rows is not None and got.keep == rows.keep
    is_cut = source.limit == rows.limit and len(source.shapes) == 1
    return is_cut and not rows.keep and (source.pages == "one" or not source.filter)


def rows_at_worst(context: Context, q: int) -> float:
    """Rows that a pattern returns at the worst: of all that it reads, those that can have the values it tests."""
    pattern_read = context.search.requirements.pattern_reads[q]
    rows = pattern_read.entity_reads[0]
    if rows.one:
        return 1.0
    most = _read_at_worst(context, q, pattern_read)
    if most is None:
        return rows.returned
    limit = rows.limit
    if rows.crossed is not None:  # each row of these has all values of the list
        most, limit = most / max(1.0, rows.list_length), rows.crossed.limit
    entity = context.search.design.entity[rows.entity]
    named = (way.combinations for way in rows.ways if entity.names_one(way.equals.keys()))
    most = min((most, *named))  # where a list names them, no more than it has values
    return most if limit is None else min(most, float(limit))


def _read_at_worst(context: Context, q: int, pattern_read: PatternRead) -> float | None:
    """Rows that are read at the worst and may pass; None for those that are got by their keys."""
    for group in context.choice.shared_queries:
        if group.pattern_read == q and 0 in group.parts:
            parts = context.search.shared_query_parts(group, context.choice.entities)
            rows_of = parts[group.parts.index(0)]
            passing = most_passing(rows_of.model, rows_of.entity_read, rows_of.access)
            return _least(rows_of.most, passing)
    rows = pattern_read.entity_reads[0]
    access = context.choice.entities[rows.entity].access.get((q, 0))
    if access is None:
        return None
    model, way = context.model(rows.entity), rows.ways[access.way]
    first = at_worst(model, way, access, None)
    if first is None:
        return None
    second = got_at_worst(model, way, first, access)
    most = first.read if second is None else second.read
    return _least(most, most_passing(model, way, access))


def _least(most: float, passing: float | None) -> float:
    return most if passing is None else min(most, passing)
