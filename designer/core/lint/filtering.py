"""Reads that filter where a key could answer."""

from collections.abc import Iterator

from designer.core.design.document import Design
from designer.core.lint.base import Fix, Plans, with_pattern
from designer.core.messages import Message
from designer.core.patterns.base import Condition, Read
from designer.core.plan import Style


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
