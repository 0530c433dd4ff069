"""An alternative taken: the settings that make it the plan."""

from math import ceil

from designer.core.design.document import Design
from designer.core.edits.replacing import checked, each, replaced
from designer.core.patterns import AnyPattern
from designer.core.planner.alternatives import Alternative


def use_alternative(design: Design, alternative: Alternative, as_set: Alternative) -> Design:
    """The design set so that its plan becomes the alternative, instead of the plan as set of the same style.

    Fewest requests are asked for at the patterns that get fewer, since that is a wish of each pattern.
    """
    planner = design.planner
    if alternative.name == "cheapest":
        return checked(design, replaced(design, planner=replaced(planner, objective="cost")))
    if alternative.name == "fewest indexes":
        return checked(design, replaced(design, planner=replaced(planner, objective="indexes")))
    if alternative.name == "without pins":
        kept = tuple(pin for pin in planner.pins if pin.style not in (None, alternative.style))
        return checked(design, replaced(design, planner=replaced(planner, pins=kept)))
    if alternative.name != "fewest requests":
        return design

    def asked(pattern: AnyPattern) -> AnyPattern:
        now = alternative.requests.get(pattern.number, 0.0)
        if not 0 < now < as_set.requests.get(pattern.number, 0.0):
            return pattern
        return replaced(pattern, at_most_requests=ceil(now))

    return checked(design, replaced(design, patterns=each(design.patterns, asked)))
