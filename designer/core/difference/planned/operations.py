"""How each access pattern is served. Those in only one design are listed with the stated changes."""

from collections.abc import Iterator

from designer.core.difference.base import About, Change, code
from designer.core.difference.planned.sides import Side, Sides
from designer.core.plan import Operation
from designer.core.sentences.steps import served_by
from designer.core.words import figures
from designer.core.words.english import joined

UNITS = "units"
"""What `Change.field` says where the same requests take more or fewer units."""


def changes(sides: Sides) -> Iterator[Change]:
    was = {sides.names.pattern(number): found for number, found in _by_pattern(sides.before)}
    for number, now in _by_pattern(sides.after):
        old = was.get(number)
        if old is not None:
            yield from _between(sides, number, old, now)


def _by_pattern(side: Side) -> Iterator[tuple[int, tuple[Operation, ...]]]:
    for pattern in side.design.patterns:
        if found := side.plan.operations_for(pattern.number):
            yield pattern.number, found


def _between(
    sides: Sides, number: int, old: tuple[Operation, ...], new: tuple[Operation, ...]
) -> Iterator[Change]:
    was = "; or ".join(served_by(sides.before.plan, each) for each in old)
    now = "; or ".join(served_by(sides.after.plan, each) for each in new)
    otherwise, units = list(_said(old, new)), list(_units(old, new))
    said = otherwise or units
    # A parameter may keep the name that an attribute has no more.
    if not said and now in (was, sides.said_now(was)):
        return
    pattern = sides.after.design.pattern(number)
    words = joined([*otherwise, *units]) or "uses a different request"
    is_lost = _is_served(old) and not _is_served(new)
    ids = {each.id for each in sides.before.design.patterns}
    own = pattern.id if pattern.id and pattern.id in ids else str(number)
    yield Change(
        About("operation", own, f"{number} {pattern.name}"),
        "changed",
        f"Pattern {number} ({pattern.name}) {words}.",
        "operation" if otherwise or now not in (was, sides.said_now(was)) else UNITS,
        was,
        now,
        (number,),
        "It is no longer served." if is_lost else "",
    )


def _said(old: tuple[Operation, ...], new: tuple[Operation, ...]) -> Iterator[str]:
    """What follows the pattern."""
    if _is_served(old) and not _is_served(new):
        yield "is no longer answered"
        return
    if _is_served(new) and not _is_served(old):
        yield "is now answered"
        return
    was, now = max(each.requests for each in old), max(each.requests for each in new)
    if figures.number(was) != figures.number(now):
        yield f"takes {figures.count(now, 'request')} instead of {figures.number(was)}"
    had, has = _structures(old), _structures(new)
    if come := [each for each in has if each not in had]:
        gone = [each for each in had if each not in has]
        yield f"uses {joined(come)}{f' instead of {joined(gone)}' if gone else ''}"
    elif gone := [each for each in had if each not in has]:
        yield f"no longer uses {joined(gone)}"


def _units(old: tuple[Operation, ...], new: tuple[Operation, ...]) -> Iterator[str]:
    if _is_served(old) != _is_served(new):
        return
    for words, name in (("read", "read_units"), ("write", "write_units")):
        was, now = (max(getattr(each, name) for each in side) for side in (old, new))
        if figures.number(was) != figures.number(now):
            yield f"takes {figures.count(now, f'{words} unit')} instead of {figures.number(was)}"


def _is_served(operations: tuple[Operation, ...]) -> bool:
    return all(each.answer in ("in one request", "in several requests") for each in operations)


def _structures(operations: tuple[Operation, ...]) -> list[str]:
    found: dict[str, None] = {}
    for operation in operations:
        for step in operation.steps:
            if step.members:
                found |= {f"table {code(member.table)}": None for member in step.members}
            elif step.index is not None:
                found[f"index {code(step.index)}"] = None
            else:
                found[f"table {code(step.table)}"] = None
    return sorted(found)
