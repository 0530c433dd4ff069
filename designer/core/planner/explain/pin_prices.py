"""What each pin costs: the plan beside the one without it."""

from collections.abc import Callable
from dataclasses import dataclass

from designer.core.design.document import Design
from designer.core.messages import Message, say, text
from designer.core.plan import Decision, Finding, Plan, Rejected
from designer.core.plan.pinning import pin_message
from designer.core.planner.explain.amounts import CENT
from designer.core.planner.explain.comparing import Difference
from designer.core.planner.model.pins import obeyed

ONE_BY_ONE = 8
"""Pins that are priced each by itself, besides all together; of more, only all together."""


@dataclass(frozen=True)
class PinEffect:
    """What some pins do to a plan."""

    pins: tuple[int, ...]
    """Their numbers, counted from 1."""
    difference: Difference
    """The plan with them beside the one without them."""

    @property
    def message(self) -> Message:
        """What they do: "With pin 1, the plan costs $41 a month more and has 1 more index."."""
        difference, found = self.difference, self.difference.messages()
        of_plan = abs(difference.usd) >= CENT or difference.indexes or not found
        id = "pin-effect-on-plan" if of_plan else "pin-effect"
        return say(id, pins=self.pins, differences=found or (say("costs-the-same"),))


def pin_effects(
    design: Design, made: Plan, planned: Callable[[Design], Plan]
) -> tuple[PinEffect, ...]:
    """The effect of each pin that holds for a plan's style. `planned` plans a design in the same way."""
    held = [at for at, _ in obeyed(design, made.style)]
    sets: list[tuple[int, ...]] = [(at,) for at in held] if len(held) <= ONE_BY_ONE else []
    if len(held) > 1:
        sets.append(tuple(held))
    return tuple(
        PinEffect(tuple(at + 1 for at in pins), Difference(made, planned(without(design, pins))))
        for pins in sets
    )


def without(design: Design, pins: tuple[int, ...]) -> Design:
    """The design without the pins at these places."""
    kept = tuple(pin for at, pin in enumerate(design.planner.pins) if at not in pins)
    return design.with_planner(pins=kept)


def with_effects(design: Design, made: Plan, effects: tuple[PinEffect, ...]) -> Plan:
    """The plan with a decision for each pin, and findings for those that cost or break something."""
    decisions = tuple(_decision(design, made, effect) for effect in effects)
    alone = [effect for effect in effects if len(effect.pins) == 1]
    sum_of_each = sum(effect.difference.usd for effect in alone)
    findings = tuple(
        found
        for effect in effects
        # Of all together only what does not show in one of them already.
        if effect in alone or abs(effect.difference.usd - sum_of_each) >= CENT or not alone
        for found in _findings(effect)
    )
    return made.model_copy(
        update={
            "decisions": (*made.decisions, *decisions),
            "findings": (*made.findings, *findings),
        }
    )


def _decision(design: Design, made: Plan, effect: PinEffect) -> Decision:
    pins = [design.planner.pins[number - 1] for number in effect.pins]
    stated = (say("pin-reason", text=pin.because) for pin in pins if pin.because)
    difference = effect.difference
    moved = {*(number for number, _, _ in difference.requests), *difference.broken}
    moved |= {number for number, _ in difference.less}
    back = Difference(difference.other, difference.plan)
    return Decision(
        about=text(say("pins", pins=effect.pins)),
        chosen=say("as-pinned", pins=tuple(map(pin_message, pins))),
        serves=tuple(sorted(moved)),
        reasons=(*stated, effect.message),
        per_month=made.cost.per_month,
        instead_of=(
            Rejected(
                chosen=say("without-pins", pins=effect.pins),
                reasons=(_differing(back),),
                per_month=difference.other.cost.per_month,
            ),
        ),
    )


def _differing(difference: Difference) -> Message:
    found = difference.messages()
    return say("differs", differences=found) if found else say("is-the-same")


def _findings(effect: PinEffect) -> tuple[Finding, ...]:
    difference = effect.difference
    where = f"planner.pins.{effect.pins[0]}" if len(effect.pins) == 1 else "planner.pins"
    if difference.broken:
        return (
            Finding(
                rule="pin-breaks",
                severity="error",
                where=where,
                problem=effect.message,
                solution=say("change-pin-or-pattern"),
            ),
        )
    slower = any(now > before for _, before, now in difference.requests)
    if difference.usd < CENT and not slower and not difference.less:
        return ()
    return (
        Finding(
            rule="pin-costs",
            severity="advice",
            where=where,
            problem=effect.message,
            solution=say("keep-pin-if-worth"),
        ),
    )
