"""What a visitor asks of the cost page: options, other rates and counts, and a rate to estimate. Nothing is saved."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeVar

from django.http import QueryDict

from designer.core.cost.estimate import EVENLY, Estimate, estimated_rate
from designer.core.cost.modes import MODES
from designer.core.cost.options import TARGET, Changes, Options, Rate, as_planned, exact
from designer.core.cost.usage import rate_of
from designer.core.design.document import Design
from designer.core.dynamodb.prices import REGIONS, TableClass
from designer.core.rational import Fraction
from designer.forms.fields import together

MOST_RATE = 10**9
MOST_ITEMS = 10**15
CLASSES: tuple[tuple[TableClass | Literal["as-planned"], str], ...] = (
    ("as-planned", "as set on each table"),
    ("standard", "Standard"),
    ("infrequent-access", "Standard-IA"),
)
RECOVERIES: tuple[tuple[Literal["as-planned", "on", "off"], str], ...] = (
    ("as-planned", "as set on each table"),
    ("on", "for all tables"),
    ("off", "for no table"),
)
Choice = TypeVar("Choice", bound=str)


@dataclass(frozen=True)
class RateField:
    """A pattern whose rate can be changed."""

    number: int
    name: str
    average: str
    """As typed."""
    peak: str
    stated_average: float | None
    stated_peak: float | None


@dataclass(frozen=True)
class ItemsField:
    """An entity whose count can be changed."""

    entity: str
    items: str
    stated: str


class CostForm:
    """The form of the cost page, read from an address. What cannot be read is as if it were not there, and is said."""

    def __init__(self, design: Design, query: QueryDict) -> None:
        self.design = design
        self.query = query
        self.refused: list[str] = []
        self.options = self._options()
        self.changes = self._changes()
        self.estimate = self._estimate()

    @property
    def regions(self) -> tuple[str, ...]:
        """Those with prices, and the design's own."""
        return tuple(dict.fromkeys((self.design.region, *REGIONS)))

    @property
    def other_regions(self) -> tuple[str, ...]:
        """Where replicas can be."""
        home = self.options.region or self.design.region
        return tuple(region for region in REGIONS if region != home)

    @property
    def percent(self) -> float:
        """The target utilisation."""
        return float(self.options.utilisation * 100)

    @property
    def stream_reads(self) -> str:
        return self.query.get("stream", "")

    @property
    def busiest(self) -> str:
        return self.query.get("busiest", "")

    def rates(self) -> Iterator[RateField]:
        for pattern in self.design.patterns:
            rate = rate_of(self.design, pattern.number, Changes())
            yield RateField(
                pattern.number,
                pattern.name,
                self.query.get(f"rate-{pattern.number}", ""),
                self.query.get(f"peak-{pattern.number}", ""),
                None if rate is None else float(rate.average),
                None if rate is None else float(rate.peak),
            )

    def items(self) -> Iterator[ItemsField]:
        for entity in self.design.entities:
            stated = "" if entity.items is None else f"{entity.items:,}"
            yield ItemsField(entity.name, self.query.get(f"items-{entity.name}", ""), stated)

    def address(self, **changed: str | None) -> str:
        """What is asked, without what is left at its default, as the query of an address."""
        said = QueryDict(mutable=True)
        for name, values in self.query.lists():
            if name not in changed and any(values):
                said.setlist(name, [value for value in values if value])
        for name, value in changed.items():
            if value:
                said[name] = value
        return f"?{said.urlencode()}" if said else ""

    def _options(self) -> Options:
        region = self.query.get("region")
        use = self._number("use", "The target utilisation", Fraction(100))
        replicas = (each for each in self.query.getlist("replica") if each in REGIONS)
        mode = self.query.get("mode", "")
        home = region if region in self.regions else self.design.region
        return Options(
            mode=mode if mode in MODES else as_planned(self.design).mode,
            table_class=_one_of(CLASSES, self.query.get("class")),
            region=home,
            replicas=tuple(dict.fromkeys(each for each in replicas if each != home)),
            recovery=_one_of(RECOVERIES, self.query.get("recovery")),
            utilisation=use / 100 if use else TARGET,
            stream_reads=self._number("stream", "Calls of GetRecords", Fraction(MOST_RATE))
            or Fraction(0),
        )

    def _changes(self) -> Changes:
        rates: dict[int, Rate] = {}
        for pattern in self.design.patterns:
            number = pattern.number
            average = self._number(
                f"rate-{number}", f"The rate of pattern {number}", Fraction(MOST_RATE)
            )
            peak = self._number(
                f"peak-{number}", f"The peak rate of pattern {number}", Fraction(MOST_RATE)
            )
            if average is None and peak is None:
                continue
            stated = rate_of(self.design, number, Changes())
            rates[number] = _rate(average, peak, stated)
        items: dict[str, int] = {}
        for entity in self.design.entities:
            said = self._number(
                f"items-{entity.name}", f"Items of {entity.name}", Fraction(MOST_ITEMS)
            )
            if said is not None:
                items[entity.name] = int(said)
        return Changes(rates, items)

    def _estimate(self) -> Estimate | None:
        users = self._number("users", "Users", Fraction(MOST_ITEMS))
        actions = self._number("actions", "Actions a day", Fraction(MOST_ITEMS))
        busiest = self._number("busiest", "The busiest hour", Fraction(100))
        if actions is None:
            return None
        share = EVENLY if busiest is None else busiest / 100
        return estimated_rate(Fraction(1) if users is None else users, actions, share)

    def _number(self, name: str, label: str, most: Fraction) -> Fraction | None:
        """A number that is typed, not below 0; None where there is none, or none that can be."""
        typed = self.query.get(name, "").strip()
        if not typed:
            return None
        try:
            number = exact(float(together(typed)))
        except (ValueError, OverflowError):
            number = Fraction(-1)
        if not 0 <= number <= most:
            self.refused.append(f"{label}: “{typed[:40]}” is not a number from 0 to {int(most):,}.")
            return None
        return number


def _rate(average: Fraction | None, peak: Fraction | None, stated: Rate | None) -> Rate:
    """A rate of which one figure may be left out: the peak is then as much higher as it was, and never below."""
    if average is None:
        average = stated.average if stated is not None else peak or Fraction(0)
    if peak is None:
        peak = average
        if stated is not None and stated.average:
            peak = average * stated.peak / stated.average
    return Rate(average, max(average, peak))


def _one_of(choices: tuple[tuple[Choice, str], ...], said: str | None) -> Choice:
    """What was chosen; the first, unless it is one of them."""
    return next((each for each, _ in choices if each == said), choices[0][0])
