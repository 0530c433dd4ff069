"""The form that asks for every number at once: items of each entity, and how often each access pattern runs."""

from collections.abc import Iterator, Mapping
from typing import Any

from designer.core.cost.estimate import EVENLY, estimated_rate
from designer.core.design import unstated
from designer.core.design.document import Design
from designer.core.design.entities import Entity
from designer.core.edits import state_figures
from designer.core.messages import say
from designer.core.patterns.base import Pattern
from designer.core.patterns.figures import Rate
from designer.core.rational import Fraction
from designer.core.words import figures
from designer.core.words.english import joined
from designer.forms.base import Form, InvalidError
from designer.forms.bound import Section
from designer.forms.fields import NOT_YET, Field, Group, Number, Raw, percent
from designer.forms.outline import Understood

NO_TIMES = say("times-a-day-needed")
EVEN = f"{float(EVENLY) * 100:.1f} (evenly spread)"
"""The share of each hour of a day, where all hours are alike."""


class FiguresForm(Form):
    """Saved in one edit. A rate is stated, or worked out from how many times a day something is done."""

    key = "figures"
    previews_faults = True
    awaited = (NOT_YET, NO_TIMES)

    @property
    def is_new(self) -> bool:
        return True

    @property
    def unsaved(self) -> str:
        return "Not saved yet."

    def document(self, subject: Design) -> dict[str, Any]:
        rates = {
            _name(each): None if each.rate is None else each.rate.model_dump()
            for each in unstated.asked(subject)
        }
        return {"items": {_key(each): each.items for each in subject.entities}, **rates}

    def sections(self, raw: Mapping[str, Raw]) -> tuple[Section, ...]:
        counts = tuple(
            Number(name=_key(each), label=each.name, placeholder="items")
            for each in self.design.entities
        )
        items = Group(name="items", label="Items by entity", fields=counts)
        basis = Group(
            name="basis",
            label="Daily use",
            hint="An access pattern can state how many times a day it runs: for each user or, if “Users a day” is "
            "empty, for all users together.",
            fields=(
                Number(name="users", label="Users a day"),
                percent(name="busiest", label="Busiest hour's share", placeholder=EVEN),
                Number(name="times", label="Times a day, for access patterns that state none"),
            ),
        )
        rates = tuple(
            Group(
                name=_name(each),
                label=f"{each.number} {each.name}",
                kind="pattern-rate",
                fields=(
                    Number(name="average", label="Average", unit="/s"),
                    Number(name="peak", label="Peak", unit="/s"),
                    Number(name="times", label="Times a day"),
                ),
            )
            for each in unstated.asked(self.design)
        )
        fields: tuple[Field, ...] = (items, basis, *rates) if rates else (items,)
        return (Section("Figures", fields),)

    @property
    def note(self) -> str:
        items, rates = self._stated
        said = [f"items of {figures.count(len(items), 'entity', 'entities')}"] if items else []
        said += [f"rates of {figures.count(len(rates), 'access pattern')}"] if rates else []
        return f"State {joined(said)}"

    def apply(self, design: Design) -> Design:
        self.design = self.subject = design
        self.merged(design)
        items, rates = self._stated = self._read(self.changes())
        return state_figures(design, items, rates)

    def _read(
        self, values: Mapping[str, Any]
    ) -> tuple[dict[str, int | None], dict[int, Rate | None]]:
        """What the changed fields say. InvalidError where that cannot be, or is nothing."""
        counted = values.get("items") or {}
        items = {
            each.name: counted.get(_key(each))
            for each in self.design.entities
            if counted.get(_key(each)) != each.items and "items" in values
        }
        basis = values.get("basis") or {}
        rates = dict(self._rates(values, basis))
        if basis and not self.errors and not any(self._times(values, basis)):
            self.fail(("basis", "times"), NO_TIMES)
        elif not items and not rates and not self.errors:
            self.fail((), say("nothing-changed"))
        if self.errors:
            raise InvalidError
        return items, rates

    def _rates(
        self, values: Mapping[str, Any], basis: Mapping[str, Any]
    ) -> Iterator[tuple[int, Rate | None]]:
        for each in unstated.asked(self.design):
            name = _name(each)
            said = values.get(name) or {}
            times = said.get("times", basis.get("times") if self._is_open(each) else None)
            if times is not None:
                said = _worked_out(times, basis)
            elif name not in values:
                continue
            if "peak" in said and "average" not in said:
                self.fail((name, "average"), NOT_YET)
                continue
            try:
                yield each.number, self.build(Rate, said, (name,)) if said else None
            except InvalidError:
                continue

    def _is_open(self, pattern: Pattern) -> bool:
        """Whether neither the design nor what is typed says how often it runs."""
        return pattern.rate is None and not any(self.raw[_name(pattern)].values())

    def _times(self, values: Mapping[str, Any], basis: Mapping[str, Any]) -> Iterator[bool]:
        """Whether anything says how many times a day: for the rest, and for each access pattern."""
        yield "times" in basis
        for each in unstated.asked(self.design):
            yield "times" in (values.get(_name(each)) or {})

    @property
    def understood(self) -> tuple[Understood, ...]:
        """The rates that were worked out."""
        _, rates = getattr(self, "_stated", ({}, {}))
        was = {each.number: each for each in self.design.patterns}
        meanings = tuple(
            (
                f"{number} {was[number].name}",
                f"{figures.number(rate.average)} a second, {figures.number(rate.peak or 0)} at peak",
            )
            for number, rate in rates.items()
            if rate is not None and not self.raw[f"rate_{number}"]["average"]
        )
        return (Understood("", (), meanings=meanings),) if meanings else ()


def _name(pattern: Pattern) -> str:
    return f"rate_{pattern.number}"


def _key(entity: Entity) -> str:
    """What its field is called: an id's hyphens would part the names of fields."""
    return str(entity.id).replace("-", "_")


def _worked_out(times: float, basis: Mapping[str, Any]) -> dict[str, float]:
    """A rate of four digits: nobody knows it better."""
    users, busiest = basis.get("users", 1), basis.get("busiest")
    share = EVENLY if busiest is None else Fraction(busiest)
    rate = estimated_rate(Fraction(users), Fraction(times), share)
    return {name: float(f"{float(getattr(rate, name)):.4g}") for name in ("average", "peak")}
