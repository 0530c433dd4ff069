"""Pins added and removed."""

from designer.core.design.document import Design, Pin
from designer.core.edits.replacing import checked, replaced
from designer.core.errors import DesignError


def add_pin(design: Design, pin: Pin) -> Design:
    """After the others: where two contradict each other, it is the new one that is refused."""
    if pin in design.planner.pins:
        raise DesignError("pinned-already", "This is pinned already.")
    return checked(design, _with(design, (*design.planner.pins, pin)))


def remove_pin(design: Design, pin: Pin) -> Design:
    """A pin is known by what it says; refused when it is not there any more."""
    if pin not in design.planner.pins:
        raise DesignError("gone", "This pin is no longer in this design.")
    return checked(
        design, _with(design, tuple(each for each in design.planner.pins if each != pin))
    )


def _with(design: Design, pins: tuple[Pin, ...]) -> Design:
    return replaced(design, planner=replaced(design.planner, pins=pins))
