"""Access patterns added, changed and removed."""

from designer.core.design.document import Design
from designer.core.edits.removing import heeding_gone
from designer.core.edits.replacing import checked, replaced
from designer.core.errors import DesignError
from designer.core.messages import say
from designer.core.patterns import AnyPattern


def next_number(design: Design) -> int:
    return max((pattern.number for pattern in design.patterns), default=0) + 1


def add_pattern(design: Design, pattern: AnyPattern) -> Design:
    """At the end, whatever number it comes with."""
    numbered = replaced(pattern, number=next_number(design), id=None)
    return checked(design, replaced(design, patterns=(*design.patterns, numbered)))


def change_pattern(design: Design, number: int, pattern: AnyPattern) -> Design:
    """It may become one of another kind; its number stays."""
    pattern_of(design, number)
    if pattern.number != number:
        raise DesignError("number-fixed", say("pattern-keeps-number", number=number))
    patterns = tuple(pattern if old.number == number else old for old in design.patterns)
    return checked(design, replaced(design, patterns=patterns))


def remove_pattern(design: Design, number: int) -> Design:
    pattern_of(design, number)
    kept = tuple(pattern for pattern in design.patterns if pattern.number != number)
    pins = tuple(pin for pin in design.planner.pins if pin.pattern != number)
    after = replaced(design, patterns=kept, planner=replaced(design.planner, pins=pins))
    return checked(design, heeding_gone(design, after))


def same_pattern(design: Design, old: AnyPattern) -> AnyPattern:
    """The pattern as it is now, whatever its number; refused when it is not there any more."""
    same = (each for each in design.patterns if old.id is not None and each.id == old.id)
    return next(same, None) or pattern_of(design, old.number)


def pattern_of(design: Design, number: int) -> AnyPattern:
    """The pattern of a number; refused when it is not there any more."""
    try:
        return design.pattern(number)
    except KeyError:
        raise DesignError("gone", say("pattern-gone", number=number)) from None
