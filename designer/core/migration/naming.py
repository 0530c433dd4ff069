"""The names under which a plan is deployed, said in its design: the planner then gives the names that are in use."""

from collections.abc import Iterator

from designer.core.design.document import Design
from designer.core.design.settings import Pin, PinnedNames
from designer.core.edits import add_pins, change_settings
from designer.core.errors import DesignError
from designer.core.migration.base import Change, TableChange
from designer.core.plan import Index, KeyAttribute, Operation, Plan
from designer.core.plan.pinning import pin_of

BECAUSE = "It is deployed under this name."


def with_names_in_use(design: Design, change: Change) -> Design:
    """The later design with the prefix that is in use, and with pins of the other names.

    What the team pinned itself to be called otherwise stays so; DesignError where that is all.
    """
    kept = change_settings(design, table_prefix=change.after.design.table_prefix)
    try:
        return add_pins(kept, naming_pins(change))
    except DesignError:
        if kept == design:
            raise
        return kept


def naming_pins(change: Change) -> tuple[Pin, ...]:
    """Pins of each table and index that is called otherwise than in the later plan, for its style.

    Not everything can be pinned so: neither a table of guards or copies alone, nor an index that no pattern reads
    first, nor a local index.
    """
    pins = (pin for table in change.tables for pin in _of_table(change, table))
    return tuple(pin.model_copy(update={"because": BECAUSE}) for pin in pins)


def _of_table(change: Change, one: TableChange) -> Iterator[Pin]:
    deployed, planned = one.table, change.planned.table(one.planned)
    if deployed.name != planned.name:
        pin = pin_of(change.after.plan, f"table {deployed.name}")
        if pin is not None:
            yield pin
    own = {name for shape in deployed.items for name in shape.set}
    # Local indexes that stay as nothing can remove them come last, and the plan has none beside them.
    for index, as_planned in zip(deployed.indexes, planned.indexes, strict=False):
        pattern = _read_first(change.after.plan, deployed.name, index)
        if index.kind != "global" or pattern is None or _names(index) == _names(as_planned):
            continue
        names = PinnedNames(partition=_lone(index.partition, own), sort=_lone(index.sort, own))
        yield Pin(
            style=change.after.plan.style,
            pattern=pattern,
            name=index.name,
            names=names if names != PinnedNames() else None,
        )


def _names(index: Index) -> tuple[str, ...]:
    return index.name, *(part.name for part in (*index.partition, *index.sort))


def _lone(parts: tuple[KeyAttribute, ...], own: set[str]) -> str | None:
    """The name of a key's attribute that the plan adds; None for the items' own attributes."""
    return parts[0].name if len(parts) == 1 and parts[0].name in own else None


def _read_first(plan: Plan, table: str, index: Index) -> int | None:
    """A pattern whose rows are found in an index by the first request: a pin of the pattern names that one."""
    for number in index.serves:
        for operation in plan.operations_for(number):
            first = operation.steps[0] if operation.steps else None
            if first is None or (first.table, first.index) != (table, index.name):
                continue
            if operation.result is None or _finds_rows(operation, first.id):
                return number  # what comes along may be read first, too
    return None


def _finds_rows(operation: Operation, first: str) -> bool:
    """Whether a step finds the rows of a read, or the keys by which they are got."""
    assert operation.result is not None
    rows = operation.result.parts[0].steps
    return first in rows or any(
        step.id in rows and step.for_each is not None and step.for_each.rows == first
        for step in operation.steps
    )
