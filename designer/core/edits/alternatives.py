"""An alternative taken: the settings that make it the plan."""

from designer.core.design.document import Design
from designer.core.edits.replacing import checked, replaced
from designer.core.planner.what_if.alternatives import (
    ALLOWING,
    LOOK_UPS,
    OBJECTIVES,
    Alternative,
)


def use_alternative(design: Design, alternative: Alternative) -> Design:
    """The design set so that its plan becomes the alternative, instead of the plan as set of the same style."""
    planner = design.planner
    if alternative.name in OBJECTIVES:
        objective = OBJECTIVES[alternative.name]
        return checked(design, replaced(design, planner=replaced(planner, objective=objective)))
    if alternative.name == LOOK_UPS:
        return checked(design, replaced(design, planner=replaced(planner, **ALLOWING)))
    if alternative.name == "without pins":
        kept = tuple(pin for pin in planner.pins if pin.style not in (None, alternative.style))
        return checked(design, replaced(design, planner=replaced(planner, pins=kept)))
    return design
