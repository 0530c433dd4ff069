"""What each pin costs: the plan beside the one without it."""

from collections.abc import Callable
from dataclasses import dataclass

from designer.core.design.document import Design
from designer.core.pinning import pin_text
from designer.core.plan import Decision, Finding, Plan, Rejected
from designer.core.planner.explain.amounts import CENT
from designer.core.planner.explain.comparing import Difference
from designer.core.planner.model.pins import obeyed
from designer.core.planner.model.wording import spoken

ONE_BY_ONE = 8
"""Pins that are priced each by itself, besides all together; of more, only all together."""


@dataclass(frozen=True)
class PinEffect:
    """What some pins do to a plan."""

    pins: tuple[int, ...]
    """Their numbers, counted from 1."""
    difference: Difference
    """The plan with them beside the one without them."""


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
    return design.model_copy(update={"planner": design.planner.model_copy(update={"pins": kept})})


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
    because = " ".join(pin.because for pin in pins if pin.because)
    difference = effect.difference
    moved = {*(number for number, _, _ in difference.requests), *difference.broken}
    back = Difference(difference.other, difference.plan)
    return Decision(
        about=_named(effect).lower(),
        choice="; ".join(pin_text(pin) for pin in pins),
        serves=tuple(sorted(moved)),
        because=f"{because} {sentence(effect)}".strip(),
        per_month=made.cost.per_month,
        instead_of=(
            Rejected(
                choice=f"the plan without {'it' if len(pins) == 1 else 'them'}",
                because=spoken(back.words()) or "is the same",
                per_month=difference.other.cost.per_month,
            ),
        ),
    )


def _named(effect: PinEffect) -> str:
    if len(effect.pins) == 1:
        return f"Pin {effect.pins[0]}"
    return f"Pins {spoken(tuple(map(str, effect.pins)))}"


def sentence(effect: PinEffect) -> str:
    """What pins do: "With pin 1 the plan costs $41.00 a month more, and pattern 7 takes 2 requests instead of 1."."""
    difference = effect.difference
    words = difference.words() or ("costs the same",)
    of_plan = abs(difference.usd) >= CENT or difference.indexes or not difference.words()
    return f"With {_named(effect).lower()}, {'the plan ' if of_plan else ''}{spoken(words)}."


def _findings(effect: PinEffect) -> tuple[Finding, ...]:
    difference = effect.difference
    where = f"planner.pins.{effect.pins[0]}" if len(effect.pins) == 1 else "planner.pins"
    if difference.broken:
        return (
            Finding(
                rule="pin-breaks",
                severity="error",
                where=where,
                message=sentence(effect),
                remedy="Change the pin or the access pattern.",
            ),
        )
    slower = any(now > before for _, before, now in difference.requests)
    if difference.usd < CENT and not slower:
        return ()
    return (
        Finding(
            rule="pin-costs",
            severity="advice",
            where=where,
            message=sentence(effect),
            remedy=(
                "Keep the pin if it is worth its price. Otherwise, remove it, so that the planner chooses "
                "freely."
            ),
        ),
    )
