"""What comes along with rows: for which rows it is asked for."""

from designer.core.plan import ItemCondition, Repeat, ResultPart, Step


def for_rows(repeat: Repeat, rows: ResultPart, source: Step) -> Repeat:
    """Repeated for the rows that are returned, of all that the step with the rows reads."""
    only: dict[str, object] = {"shape": rows.shapes[0]} if len(source.shapes) > 1 else {}
    if rows.crossed is not None:  # what comes along is asked for with what is left alone
        only |= {name: getattr(rows, name) for name in ("keep", "crossed", "order", "limit")}
    elif rows.shapes[0] in source.shapes:
        keep: tuple[ItemCondition, ...] = ()
        if source.for_each is None or source.for_each.keep != rows.keep:
            keep = rows.keep
        if rows.limit is not None and not _ends_at_limit(source, rows):
            only |= {"order": rows.order, "limit": rows.limit}
        only |= {"keep": keep} if keep else {}
    return repeat.model_copy(update=only)


def _ends_at_limit(source: Step, rows: ResultPart) -> bool:
    """Whether a step reads no more rows than are wanted."""
    if source.call == "GetItem" and source.for_each is None:
        return True
    if source.for_each is not None:  # the second trip of keys that are cut already
        got = source.for_each
        return got.limit == rows.limit and got.rows is not None and got.keep == rows.keep
    is_cut = source.limit == rows.limit and len(source.shapes) == 1
    return is_cut and not rows.keep and (source.pages == "one" or not source.filter)
