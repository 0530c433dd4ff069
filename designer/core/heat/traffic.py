"""A partition key's traffic as somebody states it: its values, their shares, how often it is written and read."""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from decimal import Decimal
from math import ceil
from typing import Literal

from designer.core.capacity.units import read_units, write_units
from designer.core.messages import say
from designer.core.plan.keys import (
    OF_ROWS,
    PERIODS,
    Form,
    TemplateError,
    names,
    parse,
    render,
    write,
)

Shape = Literal["uniform", "zipf", "hot", "time"]
Collection = Literal["one", "spread", "increasing"]
MOST_KEYS = 50_000
"""Values times shards that are simulated."""
MOST_MINUTES = 120


@dataclass(frozen=True)
class Traffic:
    """What comes in, on which key. Requests are those of a second."""

    key: str
    """A key template: `SENSOR#{sensorId}`."""
    values: int = 1000
    """Values of the key; by time, as many as there are periods instead."""
    shape: Shape = "uniform"
    exponent: float = 1.0
    """For Zipf: the value of rank r has a share in proportion to 1 / r ** exponent."""
    hot_share: float = 0.5
    """For one hot key: its share; all others share the rest evenly."""
    period_seconds: int = 3600
    """By time: so long all traffic goes to one value, and then to the next."""
    collection: Collection = "one"
    """What lies under a value: one item, items whose traffic is even over their sort keys, or items that come in the
    order of their sort keys."""
    reads: float = 0.0
    writes: float = 0.0
    item_bytes: float = 1000.0
    is_strong: bool = False
    partitions: int = 4
    """To begin with."""
    read_capacity: float | None = None
    """Provisioned read units a second of the table; None: on demand, bounded by its partitions alone."""
    write_capacity: float | None = None
    shards: int = 1
    """Suffixes that each value of the key is spread over, evenly."""
    reads_ask_all: bool = False
    """A read asks every shard, as it must where the suffix is drawn at random or a collection is read whole; else it
    knows the suffix."""
    minutes: int = 30

    @property
    def read_demand(self) -> float:
        """Read units a second; of a read that asks all shards each request costs as much as the one would."""
        each = read_units(self.item_bytes, "strong" if self.is_strong else "eventual")
        return self.reads * float(each) * (self.shards if self.reads_ask_all else 1)

    @property
    def write_demand(self) -> float:
        """Write units a second."""
        return self.writes * float(write_units(self.item_bytes))

    @property
    def seconds(self) -> int:
        return self.minutes * 60

    @property
    def count(self) -> int:
        """Values of the key that get traffic at some time; one where nothing in it varies."""
        if self.shape == "time":
            return ceil(self.seconds / self.period_seconds)
        return self.values if names(self.key) else 1

    def shares(self, second: int) -> list[float]:
        """The share of the traffic on each value of the key at a second."""
        if self.shape == "time":
            now = second // self.period_seconds
            return [float(value == now) for value in range(self.count)]
        if self.shape == "zipf":
            weights = [(rank + 1) ** -self.exponent for rank in range(self.count)]
            whole = sum(weights)
            return [weight / whole for weight in weights]
        if self.shape == "hot" and self.count > 1:
            rest = (1 - self.hot_share) / (self.count - 1)
            return [self.hot_share] + [rest] * (self.count - 1)
        return [1 / self.count] * self.count


def key_text(template: str, value: int) -> str:
    """The text of the key's value of a number: each attribute is its name and the number, a time counts hours.

    >>> key_text("SENSOR#{sensorId}", 7)
    'SENSOR#sensorId-7'
    >>> key_text("{hour(readAt)}", 25)
    '2026-01-02T01'
    """
    parts = (part for part in parse(template) if isinstance(part, Form))
    forms = {part.name: part for part in parts}

    def valued(name: str) -> Decimal | str:
        form = forms.get(name)
        if form is not None and form.form in PERIODS:
            return (datetime(2026, 1, 1) + value * _STEPS[form.form]).isoformat()
        if form is not None and form.numbers:
            return Decimal(value)
        return form.texts[0] if form is not None and form.texts else f"{name}-{value}"

    return str(render(template, valued))


_STEPS = {
    "hour": timedelta(hours=1),
    "date": timedelta(days=1),
    "month": timedelta(days=31),
    "year": timedelta(days=366),
}


def check_template(template: str, count: int = 1) -> str:
    """What is wrong with a key template for so many values, as a sentence; empty when it can be simulated.

    >>> check_template("EVENT#{shard(eventId)}")
    'This cannot be read as a key: write `{shard(8, eventId)}`.'
    >>> check_template("{pad(2, 0, place)}", 1000)
    'This cannot be read as a key: 999 does not fit into 2 digits with 0 after the decimal point.'
    """
    try:
        for part in parse(template):
            if isinstance(part, Form):
                _check(part)
        key_text(template, count - 1)
    except (TemplateError, ValueError, ArithmeticError) as error:
        return f"This cannot be read as a key: {error}."
    return ""


def _check(part: Form) -> None:
    """TemplateError for a form that makes no text of one value."""
    needed = {"pad": (4, 0), "shard": (8,), "inverse": (4, 0) if part.numbers else ()}
    example = needed.get(part.form, part.numbers)
    if len(part.numbers) != len(example) or (part.form == "shard" and not part.numbers[0]):
        said = write((Form(part.form, part.name, example),))
        raise TemplateError(say("write-form-so", form=said))
    if part.form in OF_ROWS:
        raise TemplateError(say("form-needs-rows", form=part.form))
    if part.form == "only" and not part.texts:
        raise TemplateError(say("only-needs-values", example=f'{{only({part.name}, "A")}}'))


def with_shards(traffic: Traffic, shards: int) -> Traffic:
    """The same traffic with each value of the key spread over suffixes."""
    return replace(traffic, shards=shards)
