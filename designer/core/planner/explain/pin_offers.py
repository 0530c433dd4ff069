"""Pins that a finding offers, tried: what else changes where one of them is followed."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from designer.core.design.document import Design
from designer.core.design.pins import pin_flaws
from designer.core.design.settings import Pin
from designer.core.messages import Message, say
from designer.core.patterns.base import Read
from designer.core.plan import Finding, Plan, Style
from designer.core.planner.explain.comparing import Difference
from designer.core.planner.operations.reading_less import how_to_read_less

TRIES = 3
"""Offers of one plan that are tried at most: each takes a plan."""
MOST_PARTS = 100
"""Entities and access patterns together of all these plans: about a second."""


def pins_offered(style: Style, number: int, remedy: Message) -> tuple[Pin, ...]:
    """The key of an index that a remedy of a pattern names, and the pattern that it is for."""
    if remedy.id != "pin-index":
        return ()
    said = remedy.values
    sort = said["sort"]
    assert isinstance(sort, Message)
    text = sort.values.get("sort")
    own = {"sort": str(text).strip("{}")} if sort.id == "pinned-own-sort-key" else None
    key = {"partition": said["partition"], "sort": text}
    asked = {"style": style, "index": said["called"]}
    return (
        Pin.model_validate({**asked, "entity": said["entity"], "key": key, "names": own}),
        Pin.model_validate({**asked, "pattern": number}),
    )


def in_place_of(design: Design, pins: tuple[Pin, ...]) -> tuple[Pin, ...]:
    """The pins that a design has already for the indexes of these patterns: an offer takes their place."""
    patterns = {pin.pattern for pin in pins} - {None}
    return tuple(
        pin for pin in design.planner.pins if pin.pattern in patterns and pin.index is not None
    )


def spares_others(remedy: Message) -> bool:
    """Whether a remedy's pin was tried, and all other patterns are served as well with it."""
    effect = remedy.values["effect"]
    return isinstance(effect, Message) and effect.id == "pin-spares-others"


@dataclass
class _Tries:
    """The offers of one plan, as they are tried one after the other."""

    design: Design
    made: Plan
    planned: Callable[[Design], Plan]
    left: int

    def tried(self, finding: Finding) -> Finding:
        """A finding with its offers as they turned out."""
        said = finding.solution.values.get("remedies")
        if finding.rule != "served-on-average" or not isinstance(said, tuple):
            return finding
        number = int(finding.where.partition(".")[2])
        remedies = tuple(
            one for each in said if isinstance(each, Message) for one in self._tried(number, each)
        )
        if remedies == said:
            return finding
        pattern = self.design.pattern(number)
        if not remedies and isinstance(pattern, Read):
            remedies = (how_to_read_less(self.design, pattern),)
        solution = say("several-remedies", remedies=remedies)
        return finding.model_copy(update={"solution": solution})

    def _tried(self, number: int, remedy: Message) -> Iterator[Message]:
        """A remedy with what else its pin changes; nothing where the pin does not help."""
        pins = pins_offered(self.made.style, number, remedy)
        if not pins or not self.left:
            yield remedy
            return
        self.left -= 1
        old = in_place_of(self.design, pins)
        kept = tuple(pin for pin in self.design.planner.pins if pin not in old)
        after = self.design.with_planner(pins=(*kept, *pins))
        places = range(len(kept), len(kept) + len(pins))
        if any(path[2] in places for path, _ in pin_flaws(after)):
            return
        difference = Difference(self.planned(after), self.made)
        if any(
            one.beyond or one.answer == "not served"
            for one in difference.plan.operations_for(number)
        ):
            return
        yield remedy.model_copy(
            update={"values": {**remedy.values, "effect": _changes(difference)}}
        )


def with_offers_tried(design: Design, made: Plan, planned: Callable[[Design], Plan]) -> Plan:
    """The plan, with the effect of the first few pins that its findings offer. `planned` plans a design likewise.

    A pin that does not serve its pattern is offered no more. Of a large design fewer are tried, or none.
    """
    parts = len(design.entities) + len(design.patterns)
    tries = _Tries(design, made, planned, min(TRIES, MOST_PARTS // max(1, parts)))
    return made.model_copy(update={"findings": tuple(map(tries.tried, made.findings))})


def _changes(difference: Difference) -> Message:
    """What else a pin does: to the whole plan, and to the patterns that are served less well with it."""
    worse = (*difference.losses(), *difference.served_less())
    worse += tuple(say("has-warning", warning=warning) for warning in difference.warnings)
    found = (*difference.sums(), *worse) or (say("costs-the-same"),)
    return say("pin-serves-others-less" if worse else "pin-spares-others", differences=found)
