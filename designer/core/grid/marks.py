"""What a pattern does with the items of a grid."""

from collections.abc import Mapping

from designer.core.examples.simulate import Trace
from designer.core.grid.shown import Mark
from designer.core.plan import Operation


def marks_of(
    operation: Operation | None, trace: Trace | None, table: str, index: str | None
) -> dict[str, tuple[Mark, int | None]]:
    """What a pattern does with the items of one table or index."""
    marks: dict[str, tuple[Mark, int | None]] = {}
    if operation is None or trace is None:
        return marks
    numbers: dict[str, int] = {}
    for number, item in enumerate(trace.returned, 1):
        numbers.setdefault(trace.inside.get(item, item), number)
    for touch in trace.touched:
        if touch.table != table or (touch.index != index and touch.verb == "read"):
            continue
        if touch.verb != "read":
            verb: Mark = touch.verb  # type: ignore[assignment]
            marks[touch.item] = (verb, None)
        elif touch.item in numbers:
            marks[touch.item] = ("returned", numbers[touch.item])
        elif touch.step in trace.looked_up and touch.kept:
            marks.setdefault(touch.item, ("looked-up", None))
        else:
            marks.setdefault(touch.item, ("dropped", None))
    return marks


def marks_by_shape(
    marks: Mapping[str, tuple[Mark, int | None]],
) -> dict[str, tuple[Mark, int | None]]:
    """Marks of items as marks of their shapes, without numbers; what is returned wins."""
    found: dict[str, tuple[Mark, int | None]] = {}
    for item, (mark, _) in marks.items():
        shape = item.rpartition("-")[0]
        if mark == "returned" or shape not in found:
            found[shape] = (mark, None)
    return found
