"""Reads that filter where a key could answer."""

from collections.abc import Iterator

from designer.core.design.document import Design
from designer.core.lint.base import Fix, Plans, brought_along, with_pattern
from designer.core.messages import Message
from designer.core.patterns.base import Condition, Pattern, Read
from designer.core.plan import Plan, Shape, Step, Style
from designer.core.planner.model.shares import share_kept


def not_served(plans: Plans) -> set[int]:
    """The numbers of the patterns that some plan does not serve."""
    return {
        operation.pattern
        for plan in plans.values()
        for operation in plan.operations
        if operation.answer == "not served"
    }


def remedies(plans: Plans, where: str) -> Iterator[tuple[Style, Message]]:
    """What the plans say helps a read that is served only on average, in each style."""
    for style, made in plans.items():
        for finding in made.findings:
            if (finding.rule, finding.where) == ("served-on-average", where):
                said = finding.solution.values["remedies"]
                assert isinstance(said, tuple)
                yield from ((style, one) for one in said if isinstance(one, Message))


def passing(design: Design, plan: Plan, number: int, step: Step) -> float:
    """The items that pass the filter of a step, on average.

    Of these, a merge or a limit may drop some, too: `expects.returned` is what is left of them in the end.
    """
    pattern, expects = design.pattern(number), step.expects
    if isinstance(pattern, Read) and _says_what_passes(pattern):
        return expects.returned
    shapes = [
        shape
        for table in plan.tables
        if table.name == step.table
        for shape in table.items
        if shape.shape in step.shapes and shape.entity in design.entity
    ]
    items = sum(shape.items for shape in shapes)
    passed = sum(shape.items * _kept(design, pattern, step, shape) for shape in shapes)
    return max(expects.returned, expects.read * passed / items if items else 0.0)


def _says_what_passes(read: Read) -> bool:
    """Whether the team has counted the items that pass, which no limit cuts."""
    return read.expects is not None and (read.limit is None or read.expects < read.limit)


def _kept(design: Design, pattern: Pattern, step: Step, shape: Shape) -> float:
    """The share of a shape's items that pass a filter; 0 where the pattern has no such condition."""
    asked = {one.attribute: one for one in _tested(design, pattern, shape.entity)}
    share = 1.0
    for test in step.filter:
        if test.shape in (None, shape.shape):
            found = asked.get(test.attribute)
            share *= share_kept(design, design.entity[shape.entity], found) if found else 0.0
    return share


def _tested(design: Design, pattern: Pattern, entity: str) -> Iterator[Condition]:
    """What a read asks of the items of an entity, be they its rows or come along."""
    if isinstance(pattern, Read):
        if entity in pattern.entities:
            yield from pattern.conditions
        for (name, _), along in zip(brought_along(design, pattern), pattern.with_, strict=True):
            if name == entity:
                yield from along.keep


def by_key(read: Read) -> list[str]:
    """The attributes by which a read keeps what it has read, and which a key could find."""
    return [condition.attribute for condition in read.keep if _is_for_key(condition)]


def asked_by_key(design: Design, number: int) -> Iterator[Fix]:
    """The fix that lets keys answer what a read filters by: the meaning of the read stays the same."""
    read = design.pattern(number)
    if isinstance(read, Read) and by_key(read):
        yield Fix("by-key", "Let a key serve these conditions", lambda now: _moved(now, number))


def _is_for_key(condition: Condition) -> bool:
    return condition.is_ is not None or condition.any_of is not None or condition.is_range


def _moved(design: Design, number: int) -> Design:
    read = design.pattern(number)
    assert isinstance(read, Read)
    moved = tuple(condition for condition in read.keep if _is_for_key(condition))
    kept = tuple(condition for condition in read.keep if condition not in moved)
    return with_pattern(design, number, where=(*read.where, *moved), keep=kept)
