"""Pins added and removed."""

from collections.abc import Mapping

from designer.core.design.document import Design
from designer.core.design.settings import Pin
from designer.core.edits.replacing import checked, replaced
from designer.core.errors import DesignError
from designer.core.messages import say


def add_pin(design: Design, pin: Pin) -> Design:
    """After the others: where two contradict each other, it is the new one that is refused."""
    if pin in design.planner.pins:
        raise DesignError("pinned-already", say("pinned-already"))
    return checked(design, _with(design, (*design.planner.pins, pin)))


def add_pins(design: Design, pins: tuple[Pin, ...]) -> Design:
    """Those of some pins that can be kept beside the ones that are there; refused when there are none."""
    refused: DesignError | None = None
    found = design
    for pin in pins:
        try:
            found = add_pin(found, pin)
        except DesignError as error:
            refused = error
    if found is design and refused is not None:
        raise refused
    return found


def remove_pin(design: Design, pin: Pin) -> Design:
    """A pin is known by what it says; refused when it is not there any more."""
    return without_pins(design, (pin,))


def without_pins(design: Design, pins: tuple[Pin, ...]) -> Design:
    """Several removed at once; refused when one is not there any more."""
    if not set(pins) <= set(design.planner.pins):
        raise DesignError("gone", say("pin-gone"))
    kept = tuple(each for each in design.planner.pins if each not in pins)
    return checked(design, _with(design, kept))


def replace_pins(design: Design, pins: Mapping[Pin, Pin]) -> Design:
    """Pins said otherwise, each in its place; refused when one is not there any more."""
    if not pins.keys() <= set(design.planner.pins):
        raise DesignError("gone", say("pin-gone"))
    changed = tuple(pins.get(each, each) for each in design.planner.pins)
    return checked(design, _with(design, tuple(dict.fromkeys(changed))))


def _with(design: Design, pins: tuple[Pin, ...]) -> Design:
    return replaced(design, planner=replaced(design.planner, pins=pins))
