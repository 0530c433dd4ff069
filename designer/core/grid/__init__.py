"""Tables and indexes as people look at them: item collections, rows and cells, and what a pattern
reads of them.

The page, the PDF and the tests read the same objects. An index is the same items regrouped under
its own keys.
"""

import re
from dataclasses import replace
from typing import Any

from designer.core.design.document import Design
from designer.core.examples.ask import ask
from designer.core.examples.items import Examples
from designer.core.examples.simulate import Trace
from designer.core.examples.stored_items import (
    StoredItem,
    index_key_names,
    is_in,
    sort_value,
    stored_items,
)
from designer.core.grid.build import Builder
from designer.core.grid.marks import marks_by_shape, marks_of
from designer.core.grid.pieces import short, value_text
from designer.core.grid.shown import MOST_COLUMNS, Grid, Reading, Sheet, Showing, Tab
from designer.core.plan import READS, WRITES, Operation, Plan, Style, Table
from designer.core.words import figures
from designer.core.words.english import joined

MOST_GIVEN = 4
"""Parameters that a sentence gives with their values; of more, the first."""


def sheet(
    design: Design,
    plan: Plan,
    examples: Examples,
    operation: Operation | None = None,
    table: str | None = None,
    index: str | None = None,
    form: Showing = "samples",
) -> Sheet:
    """The grids of one style.

    With a table (and an index) that one. Otherwise what the operation uses, in the order of its
    steps; without one, every table.
    """
    stored = {t.name: stored_items(design, plan, examples, t) for t in plan.tables}
    trace = None if operation is None else ask(design, plan, examples, operation, stored)
    used = _structures(operation)
    every = [(t.name, name) for t in plan.tables for name in (None, *(i.name for i in t.indexes))]
    chosen = [(name, of) for name, of in every if (name, of) == (table, index)]
    shown = chosen or [structure for structure in used if structure in every]
    if not shown:
        shown = [(t.name, None) for t in plan.tables]
    reading = _reading(operation, trace)
    return Sheet(
        plan.style,
        tuple(
            Tab(
                name or table_name.removeprefix(design.table_prefix),
                table_name,
                name,
                sum(is_in(plan.table(table_name), name, item) for item in stored[table_name]),
                (table_name, name) in shown,
                (table_name, name) in used,
            )
            for table_name, name in every
        ),
        tuple(
            _grid(
                design, plan, stored[table_name], table_name, name, form, operation, trace, reading
            )
            for table_name, name in shown
        ),
        reading,
    )


def grid(
    design: Design,
    plan: Plan,
    examples: Examples,
    table: str,
    index: str | None = None,
    operation: Operation | None = None,
    form: Showing = "samples",
) -> Grid:
    """One table of a plan, or one of its indexes; KeyError when there is none of that name."""
    stored = {t.name: stored_items(design, plan, examples, t) for t in plan.tables}
    trace = None if operation is None else ask(design, plan, examples, operation, stored)
    plan.table(table)
    if index is not None and index not in {i.name for i in plan.table(table).indexes}:
        raise KeyError(index)
    reading = _reading(operation, trace)
    return _grid(design, plan, stored[table], table, index, form, operation, trace, reading)


def every_grid(
    design: Design, plan: Plan, examples: Examples, form: Showing = "samples"
) -> tuple[Grid, ...]:
    """All tables of a plan, each before its indexes, with a column for every attribute however many there are."""
    found = []
    for table in plan.tables:
        stored = stored_items(design, plan, examples, table)
        for index in (None, *(each.name for each in table.indexes)):
            one = _grid(
                design, plan, stored, table.name, index, form, None, None, None, most_columns=None
            )
            found.append(one)
    return tuple(found)


def _structures(operation: Operation | None) -> list[tuple[str, str | None]]:
    """The tables and indexes an operation uses, in the order of its steps."""
    found: dict[tuple[str, str | None], None] = {}
    for step in operation.steps if operation else ():
        if step.call in READS:
            found[step.table, step.index] = None
        for member in step.members:
            found[member.table, None] = None
    return list(found)


def _reading(operation: Operation | None, trace: Trace | None) -> Reading | None:
    if operation is None or trace is None:
        return None
    read, returned = len(trace.read), len(trace.returned)
    written = len(trace.written) + trace.added
    deleted = len(trace.deleted)
    checked = len(trace.checked)
    shown = tuple((name, short(value_text(value))) for name, value in trace.parameters.items())
    given = [_given(name, value) for name, value in trace.parameters.items()]
    if len(given) > MOST_GIVEN:
        given = [given[0], figures.count(len(given) - 1, "other parameter")]
    start = f"with {joined(given)}, " if given else ""
    said = []
    if read or not (written or checked):
        said.append(f"reads {figures.count(read, 'item')}")
    if written > deleted:
        said.append(f"writes {figures.count(written - deleted, 'item')}")
    if deleted:
        said.append(f"deletes {figures.count(deleted, 'item')}")
    if checked:
        said.append(f"checks {checked if written else figures.count(checked, 'item')}")
    if written or checked:
        return Reading(shown, read, returned, written, _said(start, said))
    if operation.result is not None and operation.result.kind == "count":
        said.append(f"counts {returned}")
    elif operation.result is not None and operation.result.kind in ("sum", "greatest", "least"):
        said.append(f"works it out from {returned}")
    else:
        said.append(f"returns {returned}")
    return Reading(shown, read, returned, written, _said(start, said))


def _said(start: str, does: list[str]) -> str:
    return f"{start}the selected access pattern {joined(does)}."


_PLAIN = re.compile(r"\S*[^\s.,;!?]")
"""A value that stands in a sentence as one word."""


def _given(name: str, value: Any) -> str:
    """A parameter with its value; of a list of rows, how many there are."""
    if isinstance(value, (list, tuple)) and any(isinstance(each, dict) for each in value):
        return f"{name} ({figures.count(len(value), 'row')})"
    said = short(value_text(value))
    # Several words, or one with a full stop, would run into the sentence.
    return f"{name} = {said if _PLAIN.fullmatch(said) else f'“{said}”'}"


def _grid(
    design: Design,
    plan: Plan,
    stored: list[StoredItem],
    table_name: str,
    index: str | None,
    form: Showing,
    operation: Operation | None,
    trace: Trace | None,
    reading: Reading | None,
    most_columns: int | None = MOST_COLUMNS,
) -> Grid:
    table = plan.table(table_name)
    items = stored if form == "samples" else _one_for_each_shape(table, stored)
    inside = [item for item in items if is_in(table, index, item)]
    partition, sort = index_key_names(table, index)
    inside.sort(key=lambda item: [sort_value(item.values[name]) for name in (*partition, *sort)])
    if form == "templates":
        inside.sort(key=lambda item: [item.shape.set.get(n, n) for n in partition])
    is_write = operation is not None and any(step.call in WRITES for step in operation.steps)
    builder = Builder(
        design, plan, table, index, form, partition, sort, inside, most_columns, is_write
    )
    marks = marks_of(operation, trace, table_name, index)
    if form == "templates":
        marks = marks_by_shape(marks)
    collections = builder.collections(marks)
    prefix = grid_id(plan.style, table_name, index)
    return Grid(
        id=prefix,
        table=table_name,
        index=index,
        partition=partition,
        sort=sort,
        key_columns=builder.key_columns,
        columns=builder.columns,
        layout=builder.layout,
        width=builder.width,
        collections=tuple(
            replace(c, rows=tuple(replace(r, id=f"{prefix}-{r.id}") for r in c.rows))
            for c in collections
        ),
        items=len(inside),
        elsewhere=len(items) - len(inside) if index else 0,
        others=tuple(builder.other_keys()),
        words=tuple(builder.words()),
        form=form,
        is_lit=bool(marks),
        reading=reading,
    )


def grid_id(style: Style, table: str, index: str | None) -> str:
    """The id of a grid on the page; those of its rows begin with it."""
    return f"grid-{style}-{table}{'-' + index if index else ''}".replace(".", "_")


def _one_for_each_shape(table: Table, stored: list[StoredItem]) -> list[StoredItem]:
    """One item for each shape: the one that has most, so that optional keys are seen."""
    found: list[StoredItem] = []
    for shape in table.items:
        mine = [item for item in stored if item.shape is shape]
        if mine:
            found.append(max(mine, key=lambda item: len(item.values)))
    return found
