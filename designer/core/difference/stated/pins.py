"""The pins of two designs. They have no ids, and are known by what they say."""

from collections.abc import Iterator

from designer.core.design.document import Design
from designer.core.design.settings import Pin
from designer.core.difference.base import About, Change, What, code, line
from designer.core.plan.pinning import pin_text


def changes(before: Design, after: Design) -> Iterator[Change]:
    """`before` has the names of `after` for what both have."""
    old, new = ({_said(pin): pin for pin in each.planner.pins} for each in (before, after))
    for said, pin in old.items():
        if said not in new:
            yield _change(pin, f"No longer pinned: {code(pin_text(pin))}.", before=line(pin))
    for said, pin in new.items():
        was = old.get(said)
        if was is None:
            yield _change(pin, f"Pinned: {code(pin_text(pin))}.", after=line(pin))
        elif was.because != pin.because:
            sentence = f"The pin {code(pin_text(pin))} has another reason."
            yield Change(
                _about(pin), "changed", sentence, "because", was.because, pin.because,
                _numbers(pin), is_wording=True,
            )  # fmt: skip
    both = [said for said in new if said in old]
    if [said for said in old if said in new] != both:
        about = About("planner", "", "Planner")
        yield Change(about, "changed", "The pins are tried in another order.", "pins in order")


def _said(pin: Pin) -> str:
    return line(pin.model_copy(update={"because": ""}))


def _about(pin: Pin) -> About:
    return About("pin", _said(pin), pin_text(pin))


def _numbers(pin: Pin) -> tuple[int, ...]:
    return () if pin.pattern is None else (pin.pattern,)


def _change(pin: Pin, sentence: str, *, before: str = "", after: str = "") -> Change:
    what: What = "added" if after else "removed"
    return Change(_about(pin), what, sentence, before=before, after=after, patterns=_numbers(pin))
