"""Pins removed where a finding is about one."""

from collections.abc import Iterator

from designer.core.design.document import Design
from designer.core.edits.pins import remove_pin
from designer.core.lint.base import Fix
from designer.core.plan.pinning import pin_words


def unpinned(design: Design, where: str) -> Iterator[Fix]:
    """Remove the pin at a place: `planner.pins.2`. Where it is about several, which one is the team's to say."""
    number = where.removeprefix("planner.pins").removeprefix(".")
    if number.isdecimal() and int(number) <= len(design.planner.pins):
        pin = design.planner.pins[int(number) - 1]
        said = pin_words(pin)[0]
        yield Fix("unpin", f"Remove pin {number}: {said}", lambda now: remove_pin(now, pin))
