"""The kinds of form field. Each says what a value looks like as text, and what value a text means.

What a field holds as text is called raw: a string, a dict of further fields, or a list of such
dicts (rows). Raw is what is sent, shown again, and compared when two windows edit one thing; so one
value has one raw.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal, InvalidOperation
from itertools import zip_longest
from typing import Any, ClassVar

from django.http import QueryDict

from designer.core.errors import SaidError
from designer.core.messages import Message, say
from designer.core.words.spoken import one_word

Raw = Any
"""str, dict[str, Raw] or list[dict[str, Raw]]."""
Choices = tuple[tuple[str, str], ...]


NOT_YET = say("not-filled-in")


class FieldError(SaidError, ValueError):
    """A text that means no value. `path` leads to it from the field."""

    def __init__(self, reason: Message, path: tuple[str | int, ...] = ()) -> None:
        super().__init__(reason)
        self.path = path


@dataclass(frozen=True, kw_only=True)
class Field:
    """One line of text."""

    widget: ClassVar[str] = "text"
    name: str
    label: str
    hint: str = ""
    placeholder: str = ""
    suggestions: tuple[str, ...] = ()
    required: bool = False
    redraws: bool = False
    """Other fields depend on it: an unsaved form is drawn anew when it changes."""

    def raw(self, value: Any) -> Raw:
        return "" if value is None else clean(str(value))

    def value(self, raw: Raw) -> Any:
        """The value for the document; None for nothing."""
        return raw or None

    def decode(self, data: QueryDict, prefix: str) -> Raw:
        return clean(data.get(prefix) or "")

    def is_blank(self, raw: Raw) -> bool:
        return not raw

    def lines(self, raw: Raw) -> list[str]:
        """What it says to those who read it, a line for each part; none while it is not filled in."""
        return [] if self.is_blank(raw) else [raw]

    def words(self, raw: Raw) -> str:
        """All that stands in it, in one line."""
        return "; ".join(self.lines(raw)) or "nothing"

    def said(self, raw: Raw) -> str:
        """What stands in it within a sentence; empty for nothing, and for what is too long to be said."""
        return f"“{_short(raw)}”" if raw else ""

    def changed(self, was: Raw, now: Raw) -> str:
        """That it changed: `At most 20 → 9`, `At most set to 9`; only its label where no value can be said."""
        before, after = self.said(was), self.said(now)
        if before == after:
            return self.label
        if not before:
            return f"{self.label} set to {after}"
        return f"{self.label} {before} {f'→ {after}' if after else 'removed'}"


@dataclass(frozen=True, kw_only=True)
class Called(Field):
    """A name of the design. One of several words is written as one."""

    capital: bool = False

    def value(self, raw: Raw) -> Any:
        return one_word(str(raw), capital=self.capital) or None


@dataclass(frozen=True, kw_only=True)
class Area(Field):
    """Text of several lines."""

    widget: ClassVar[str] = "area"

    def said(self, raw: Raw) -> str:
        return ""


@dataclass(frozen=True, kw_only=True)
class Number(Field):
    """A number, whole when it can be."""

    widget: ClassVar[str] = "number"
    unit: str = ""
    factor: Decimal = Decimal(1)
    """What one of the document's is in the form: 100 for a share shown in percent."""
    most: int | None = None
    """What the form takes at the most, and then 0 at the least."""

    def raw(self, value: Any) -> Raw:
        if value is None:
            return ""
        return _plain(Decimal(str(value)) * self.factor)

    def value(self, raw: Raw) -> Any:
        if not raw:
            return None
        try:
            number = Decimal(raw.replace(" ", "").replace("\u202f", "").replace("_", ""))
        except InvalidOperation:
            raise FieldError(say("not-a-number", typed=_short(raw))) from None
        if not number.is_finite() or abs(number.adjusted()) > 30:
            raise FieldError(say("typed-out-of-range", typed=_short(raw)))
        if self.most is not None and not 0 <= number <= self.most:
            said = say("typed-not-within", typed=_short(raw), most=self.most, unit=self.unit)
            raise FieldError(said)
        number /= self.factor
        return int(number) if number == number.to_integral_value() else float(number)

    def decode(self, data: QueryDict, prefix: str) -> Raw:
        return together(super().decode(data, prefix))

    def lines(self, raw: Raw) -> list[str]:
        return [f"{_apart(raw)} {self.unit}".strip()] if raw else []

    def said(self, raw: Raw) -> str:
        return _short(_apart(raw or ""))


def percent(**given: Any) -> Number:
    """A share, said in percent."""
    return Number(unit="%", factor=Decimal(100), most=100, **given)


@dataclass(frozen=True, kw_only=True)
class Choice(Field):
    """One of several."""

    widget: ClassVar[str] = "choice"
    choices: Choices = ()

    def raw(self, value: Any) -> Raw:
        """The first choice stands for nothing said."""
        return super().raw(value) or self._first

    def value(self, raw: Raw) -> Any:
        return raw or self._first or None

    @property
    def _first(self) -> str:
        return self.choices[0][0] if self.choices else ""

    def decode(self, data: QueryDict, prefix: str) -> Raw:
        return clean(data.get(prefix) or "") if prefix in data else self._first

    def is_blank(self, raw: Raw) -> bool:
        return raw in ("", self._first)

    def offered(self, raw: Raw) -> Choices:
        """The choices, with what is chosen among them even where it is no choice any more."""
        if any(raw == value for value, _ in self.choices):
            return self.choices
        return (*self.choices, (raw, raw or "choose"))

    def lines(self, raw: Raw) -> list[str]:
        return [self._label(raw)] if raw else []

    def said(self, raw: Raw) -> str:
        return super().said(raw and self._label(raw))

    def _label(self, raw: str) -> str:
        return next((label for value, label in self.choices if value == raw), raw)


@dataclass(frozen=True, kw_only=True)
class Flag(Field):
    """Yes or no."""

    widget: ClassVar[str] = "flag"

    def raw(self, value: Any) -> Raw:
        return "on" if value else ""

    def value(self, raw: Raw) -> Any:
        return True if raw else None

    def decode(self, data: QueryDict, prefix: str) -> Raw:
        return "on" if data.get(prefix) else ""

    def lines(self, raw: Raw) -> list[str]:
        return ["yes"] if raw else []

    def words(self, raw: Raw) -> str:
        return self.said(raw)

    def said(self, raw: Raw) -> str:
        return "yes" if raw else "no"


@dataclass(frozen=True, kw_only=True)
class Ticks(Field):
    """Any of several, each with a box to tick."""

    widget: ClassVar[str] = "ticks"
    groups: tuple[tuple[str, Choices], ...] = ()
    """The choices under what they are about; a choice that is gone counts as not ticked."""

    def raw(self, value: Any) -> Raw:
        return list(value or ())

    def value(self, raw: Raw) -> Any:
        known = [value for _, choices in self.groups for value, _ in choices]
        return tuple(value for value in known if value in raw) or None

    def decode(self, data: QueryDict, prefix: str) -> Raw:
        return [clean(each) for each in data.getlist(prefix)]

    def lines(self, raw: Raw) -> list[str]:
        return [
            label for _, choices in self.groups for value, label in choices if value in (raw or ())
        ]

    def said(self, raw: Raw) -> str:
        return _short(", ".join(self.lines(raw)))


@dataclass(frozen=True, kw_only=True)
class Names(Field):
    """Several names in their order, separated by commas."""

    def raw(self, value: Any) -> Raw:
        return ", ".join(value or ())

    def value(self, raw: Raw) -> Any:
        return tuple(word for word in raw.replace(",", " ").split() if word) or None


@dataclass(frozen=True, kw_only=True)
class Lines(Area):
    """Several texts, one on each line."""

    of: Field = field(default_factory=lambda: Field(name="", label=""))

    def raw(self, value: Any) -> Raw:
        return "\n".join(self.of.raw(element) for element in value or ())

    def value(self, raw: Raw) -> Any:
        lines = (line.strip() for line in raw.split("\n"))
        return tuple(self.of.value(line) for line in lines if line) or None

    def said(self, raw: Raw) -> str:
        return self.of.said(", ".join((raw or "").split("\n")))


@dataclass(frozen=True, kw_only=True)
class Group(Field):
    """Fields that are one value together."""

    widget: ClassVar[str] = "group"
    fields: tuple[Field, ...]
    kind: str = ""
    """What it is one of, where a form has many: its look besides that of its name."""

    def raw(self, value: Any) -> Raw:
        return {inner.name: inner.raw((value or {}).get(inner.name)) for inner in self.fields}

    def value(self, raw: Raw) -> Any:
        return read(self.fields, raw) or None

    def decode(self, data: QueryDict, prefix: str) -> Raw:
        return {inner.name: inner.decode(data, f"{prefix}-{inner.name}") for inner in self.fields}

    def alone(self, inner: Field) -> Field:
        """One of its fields as it is called beside those of the form: `rate-peak`, `How often, at peak`."""
        label = f"{self.label}, {inner.label[:1].lower()}{inner.label[1:]}"
        return replace(inner, name=f"{self.name}-{inner.name}", label=label)

    def is_blank(self, raw: Raw) -> bool:
        return all(inner.is_blank(raw.get(inner.name, "")) for inner in self.fields)

    def lines(self, raw: Raw) -> list[str]:
        each = (_labelled([(inner, raw[inner.name])]) for inner in self.fields)
        return [line for line in each if line]

    def changed(self, was: Raw, now: Raw) -> str:
        was = was or self.raw(None)
        inner = [
            each.changed(was[each.name], now[each.name])
            for each in self.fields
            if was[each.name] != now[each.name]
        ]
        return f"{self.label}: {', '.join(said[:1].lower() + said[1:] for said in inner)}"


MOST_ROWS = 200
"""Rows that are read of what was sent."""


@dataclass(frozen=True, kw_only=True)
class Rows(Field):
    """Any number of rows. A row whose `key` field is blank does not count."""

    widget: ClassVar[str] = "rows"
    fields: Callable[[Mapping[str, Raw]], tuple[Field, ...]]
    """The fields of a row, given what the row says so far."""
    key: str
    row_label: str = "Row"
    add_label: str = "Add"
    enter_adds: bool = False
    """Enter in the text of a row adds another one."""
    is_phrase: bool = False
    """What its choices and texts say reads without their labels: `email is given as address`."""
    show_row: Callable[[Any], Mapping[str, Any]] = lambda value: value
    """An element of the document as values for the row's fields."""
    read_row: Callable[[dict[str, Any]], Any] = lambda values: values
    """The reverse. May raise FieldError."""

    def raw(self, value: Any) -> Raw:
        return [self._raw_row(self.show_row(element)) for element in value or ()]

    def _raw_row(self, values: Mapping[str, Any]) -> dict[str, Raw]:
        return {inner.name: inner.raw(values.get(inner.name)) for inner in self.fields(values)}

    def value(self, raw: Raw) -> Any:
        rows = []
        for index, row in enumerate(raw):
            if not row.get(self.key):
                continue
            try:
                rows.append(self.read_row(read(self.fields(row), row)))
            except FieldError as error:
                raise FieldError(error.reason, (index, *error.path)) from None
        return tuple(rows) or None

    def decode(self, data: QueryDict, prefix: str) -> Raw:
        # A row looks only at what was sent of it: a form of a hundred steps has thousands of fields.
        rows: dict[int, QueryDict] = {}
        for name in data:
            rest = name.removeprefix(f"{prefix}-")
            index = rest.partition("-")[0]
            if rest != name and index.isdecimal() and len(index) < 5:
                row = rows.setdefault(int(index), QueryDict(mutable=True))
                row.setlist(rest.removeprefix(f"{index}-"), data.getlist(name))
        return [self._decode_row(rows[index]) for index in sorted(rows)[:MOST_ROWS]]

    def _decode_row(self, row: QueryDict) -> dict[str, Raw]:
        so_far = {name: clean(str(row[name])) for name in row}
        return {inner.name: inner.decode(row, inner.name) for inner in self.fields(so_far)}

    def blank(self) -> dict[str, Raw]:
        return self._raw_row({})

    def is_blank(self, raw: Raw) -> bool:
        return not self._filled(raw)

    def lines(self, raw: Raw) -> list[str]:
        together = _phrase if self.is_phrase else _labelled
        return [
            together([(inner, row[inner.name]) for inner in self.fields(row)])
            for row in self._filled(raw)
        ]

    def said(self, raw: Raw) -> str:
        return ""

    def changed(self, was: Raw, now: Raw) -> str:
        """`Found by: “status is given as state” added`; of many rows only how many. Empty where none of them that
        counts is another.
        """
        if self._filled(was) == self._filled(now):
            return ""
        before, after = self.lines(was), self.lines(now)
        gone, come = _without(before, after), _without(after, before)
        if not (gone or come):
            return f"{self.label}: in another order" if before != after else self.label
        if len(gone) == len(come) == 1:
            one, other = (f"“{_short(line, ROW)}”" for line in (*gone, *come))
            number = after.index(come[0]) + 1
            said = [f"{one} → {other}" if one != other else f"{self.row_label.lower()} {number}"]
        elif len(gone) + len(come) <= TOLD:
            said = [f"“{_short(line, ROW)}” removed" for line in gone]
            said += [f"“{_short(line, ROW)}” added" for line in come]
        else:
            said = [f"{len(gone)} removed"] if gone else []
            said += [f"{len(come)} added"] if come else []
        return f"{self.label}: {', '.join(said)}"

    def _filled(self, raw: Raw) -> list[dict[str, Raw]]:
        return [row for row in raw or () if row.get(self.key)]


TOLD = 3
"""Rows that are told one by one where several came or went."""
ROW = 60
"""How long each is then at the most."""


def _without(some: list[str], others: list[str]) -> list[str]:
    """What is left of some lines, each of the others taken away once."""
    left = list(some)
    for line in others:
        if line in left:
            left.remove(line)
    return left


def _labelled(filled: Iterable[tuple[Field, Raw]]) -> str:
    """What fields say, each with its label: `By relationship: writes (Order), At most: 5 for each`."""
    said = ((each.label, "; ".join(each.lines(raw))) for each, raw in filled)
    return ", ".join(f"{label}: {words}" for label, words in said if words)


def _phrase(filled: list[tuple[Field, Raw]]) -> str:
    """The same of a row that is a phrase: `email is given as address, Optional`.

    How a value is compared goes unsaid where there is no value.
    """
    words: list[str] = []
    marks: list[str] = []
    for (each, raw), after in zip_longest(filled, filled[1:]):
        if isinstance(each, Flag):
            marks += [each.label] if raw else []
        elif isinstance(each, Number):
            marks += [_labelled([(each, raw)])] if raw else []
        elif (
            after is None
            or isinstance(after[0], Choice)
            or not (each.is_blank(raw) and after[0].is_blank(after[1]))
        ):
            words += each.lines(raw)
    return ", ".join([" ".join(words), *marks])


def read(fields: Iterable[Field], raw: Mapping[str, Raw]) -> dict[str, Any]:
    """The values of some fields, those with nothing in them left out. FieldError for the first
    that means none.
    """
    values = {}
    for inner in fields:
        try:
            value = inner.value(raw[inner.name]) if inner.name in raw else None
        except FieldError as error:
            raise FieldError(error.reason, (inner.name, *error.path)) from None
        if value is None and inner.required:
            raise FieldError(NOT_YET, (inner.name,))
        if value is not None:
            values[inner.name] = value
    return values


def clean(text: str) -> str:
    """Text as a browser would send it back: with plain line breaks, and nothing around it."""
    return text.replace("\r\n", "\n").replace("\r", "\n").strip()


def _plain(number: Decimal) -> str:
    text = format(number, "f")
    return text.rstrip("0").rstrip(".") if "." in text else text


def together(text: str) -> str:
    """A number without the commas between its thousands, where it has them as pages write them.

    >>> together("200,000"), together("-1,234.5"), together("0,500"), together("12,34")
    ('200000', '-1234.5', '0,500', '12,34')
    """
    is_apart = re.fullmatch(r"[+-]?[1-9]\d{0,2}(,\d{3})+(\.\d+)?", text, re.ASCII)
    return text.replace(",", "") if is_apart else text


def _apart(raw: str) -> str:
    """A number with its thousands apart, as pages write it; anything else as it was typed."""
    return f"{Decimal(raw):,f}" if re.fullmatch(r"-?\d+(\.\d+)?", raw, re.ASCII) else raw


def _short(text: str, most: int = 40) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"
