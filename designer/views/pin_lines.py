"""The list of pins, with what the plans say of each."""

from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256

from designer.core.design.document import Design
from designer.core.design.settings import Pin
from designer.core.messages import text
from designer.core.plan import Plan, Style
from designer.core.plan.pinning import pin_words

SaidInStyles = tuple[tuple[tuple[Style, ...], str], ...]


@dataclass(frozen=True)
class PinLine:
    """A pin of the list, and what the plan of each style says of it."""

    key: str
    pin: Pin
    about: str
    says: tuple[str, ...]
    faults: SaidInStyles
    """Why it is not followed."""
    prices: SaidInStyles
    """What it does to the plan."""


def pin_lines(design: Design, plans: Iterable[Plan]) -> list[PinLine]:
    """The pins of a design as some plans obey them."""
    plans = tuple(plans)
    return [
        PinLine(
            pin_key(pin),
            pin,
            *pin_words(pin),
            _in_styles(
                (plan.style, each.message)
                for plan in plans
                for each in plan.findings
                if (each.rule, each.where) == ("pin-not-obeyed", f"planner.pins.{number}")
            ),
            _in_styles(
                (plan.style, " ".join(text(one) for one in each.reasons if one.id != "pin-reason"))
                for plan in plans
                for each in plan.decisions
                if each.about == f"pin {number}"
            ),
        )
        for number, pin in enumerate(design.planner.pins, 1)
    ]


def _in_styles(said: Iterable[tuple[Style, str]]) -> SaidInStyles:
    """What is said of several styles, each once, with those of which it is."""
    found: dict[str, tuple[Style, ...]] = {}
    for style, words in said:
        found[words] = (*found.get(words, ()), style)
    return tuple((styles, words) for words, styles in found.items())


def pin_key(pin: Pin) -> str:
    """A pin in an address: it has no id, and is known by what it says."""
    return sha256(pin.model_dump_json().encode()).hexdigest()[:12]
