"""Attributes of entities: their types, formats, sizes and values."""

import json
from typing import Annotated, Any, Literal

from pydantic import Field, WithJsonSchema, model_validator

from designer.core.design.numbers import as_text, decimals, digits_before_the_point
from designer.core.design.uniqueness import MOST_IN_SCOPE
from designer.core.errors import MisfitError
from designer.core.messages import say
from designer.core.patterns.document import AttributeName, Document, Id, Scalar, Share, Text
from designer.core.patterns.figures import Times

KEY_TYPES = ("S", "N", "B")
"""The types whose values can be in a key."""
AttributeType = Literal["S", "N", "B", "BOOL", "M", "L", "SS", "NS", "BS", "NULL"]
AttributeFormat = Literal[
    "uuid", "ulid", "ksuid", "email", "enum", "text", "url", "date", "datetime",
    "epoch", "integer", "decimal", "version", "json",
]  # fmt: skip

GENERATED_FORMATS = frozenset({"uuid", "ulid", "ksuid"})
"""Formats whose values never occur twice, because a generator made them."""

NUMBER_FORMATS = frozenset({"epoch", "integer", "decimal", "version"})
EPOCH_DIGITS = 10
"""Digits of the seconds since 1970, from 2001 to 2286."""

TEXT_FORMATS = GENERATED_FORMATS | {"email", "text", "url", "date", "datetime"}

FLAGS = ("true", "false")
"""The values of type BOOL as texts, in the order of their `shares`."""

LISTS = frozenset({"L", "SS", "NS", "BS"})
"""Types whose values have elements."""


class Attribute(Document):
    """An attribute of an entity."""

    unordered = ("values",)

    name: AttributeName
    id: Id | None = None
    description: Text = ""
    type: AttributeType = "S"
    format: AttributeFormat | None = None
    digits: Annotated[int, Field(ge=1, le=38)] | None = None
    """The largest number of significant digits, including those after the decimal point."""
    scale: Annotated[int, Field(ge=0, le=37)] | None = None
    """Digits after the decimal point."""
    minimum: Annotated[int | float, Field(gt=-1e38, lt=1e38)] | None = None
    """The smallest possible number."""
    maximum: Annotated[int | float, Field(gt=-1e38, lt=1e38)] | None = None
    """The largest possible number. Together with the smallest, it determines the number of digits."""
    bytes: Annotated[float, Field(ge=0, le=409_600)] | None = None
    """Average size of the value in bytes, without the name; if absent, from the format."""
    most_bytes: Annotated[float, Field(ge=0, le=409_600)] | None = None
    """Size of the largest value in bytes."""
    elements: Times | None = None
    """The number of elements of a list or set: on average and at most."""
    distinct: Annotated[int, Field(ge=1)] | None = None
    """The number of different values in use."""
    values: (
        tuple[
            Annotated[
                str,
                Field(min_length=1, max_length=200),
                WithJsonSchema(
                    {
                        "anyOf": [
                            {"type": "string", "minLength": 1, "maxLength": 200},
                            {"type": "number"},
                        ]
                    }
                ),
            ],
            ...,
        ]
        | None
    ) = None
    """The possible values (an enum). For a number, they are numbers, with or without quotes."""
    shares: tuple[Share, ...] | None = None
    """Of the items that have the attribute, the share with each of `values`; of type BOOL with true and with false."""
    busiest: Share | None = None
    """The share of items and traffic on the busiest value; if absent, one divided by `distinct`."""
    present: Share = 1.0
    """The share of the items that have the attribute."""
    later: bool = False
    """A new item does not have it; a later update sets it."""
    mutable: bool = False
    unique: bool = False
    unique_within: Annotated[tuple[AttributeName, ...], Field(max_length=MOST_IN_SCOPE)] = ()
    """The scope in which it is unique, as attributes: for example, an e-mail address within `[tenantId]`."""
    ttl: bool = False
    refers_to: (
        Annotated[
            str, Field(pattern=r"^[A-Za-z][A-Za-z0-9_]{0,63}\.[A-Za-z_][A-Za-z0-9_-]{0,126}$")
        ]
        | None
    ) = None
    """`Entity.attribute` whose value this attribute holds."""
    derived: (
        Annotated[str, Field(pattern=r"^(date|hour|month|year)\([A-Za-z_][A-Za-z0-9_-]{0,126}\)$")]
        | None
    ) = None
    """Derived from another attribute and used only in keys: `date(readAt)`."""
    aggregate: (
        Annotated[
            str,
            Field(
                pattern=r"^(count|sum|greatest|least) of [A-Za-z][A-Za-z0-9_]{0,63}(\.[A-Za-z_][A-Za-z0-9_-]{0,126})?$"
            ),
        ]
        | None
    ) = None
    """An aggregate over a relationship's children: `count of places`, `sum of places.total`."""
    kept: Literal["at-once", "by-stream", "by-price"] = "at-once"
    """How the aggregate follows its children: in their transaction, or a moment later by a stream consumer."""
    examples: tuple[Scalar, ...] = ()

    @model_validator(mode="before")
    @classmethod
    def _numbersas_text(cls, data: Any) -> Any:
        """The numbers among `values` are kept as the text they once had to be written as."""
        if not isinstance(data, dict) or data.get("type") != "N":
            return data
        values = data.get("values")
        if not isinstance(values, (list, tuple)):
            return data
        return {**data, "values": tuple(map(as_text, values))}

    @property
    def listed(self) -> tuple[str, ...]:
        """The possible values as texts, where they or their shares are stated."""
        is_flag = self.type == "BOOL" and self.shares is not None
        return FLAGS if is_flag else self.values or ()

    @model_validator(mode="after")
    def _consistent(self) -> "Attribute":
        if self.shares is not None and len(self.shares) != len(self.listed):
            raise MisfitError(say("share-for-each-value"))
        if self.shares is not None and abs(sum(self.shares) - 1) > 0.011:
            raise MisfitError(say("shares-add-up"))
        if self.values is not None and len(set(self.values)) != len(self.values):
            raise MisfitError(say("value-twice"))
        if (self.digits is not None or self.scale is not None) and self.type != "N":
            raise MisfitError(say("digits-of-numbers"))
        if self.scale is not None and self.scale >= (self.digits or 38):
            raise MisfitError(say("scale-below-digits"))
        self._range_fits()
        if self.format in NUMBER_FORMATS and self.type != "N":
            raise MisfitError(say("format-of-numbers", format=self.format))
        if self.format in TEXT_FORMATS and self.type != "S":
            raise MisfitError(say("format-of-text", format=self.format))
        if self.elements is not None and self.type not in LISTS:
            raise MisfitError(say("elements-of-lists"))
        if self.elements is not None and self.elements.average > self.elements.most:
            raise MisfitError(say("elements-above-most"))
        if self.most_bytes is not None and self.most_bytes < (self.bytes or 0):
            raise MisfitError(say("bytes-above-most"))
        if self.later and self.present == 1:
            raise MisfitError(say("later-is-missing-at-first"))
        if self.ttl and self.type != "N":
            raise MisfitError(say("ttl-is-number"))
        return self

    def _range_fits(self) -> None:
        bounds = [bound for bound in (self.minimum, self.maximum) if bound is not None]
        if not bounds:
            return
        if self.type != "N":
            raise MisfitError(say("range-of-numbers"))
        if bounds[0] > bounds[-1]:
            raise MisfitError(say("range-upside-down"))
        needed = digits_before_the_point(bounds) + self.behind_the_point
        if needed > (self.digits or 38):
            raise MisfitError(
                say(
                    "range-needs-digits",
                    needed=needed,
                    behind=self.behind_the_point,
                    digits=self.digits or 38,
                )
            )

    @property
    def width(self) -> int | None:
        """Significant digits that a number can have: as stated, as its range or its values need, or as those of seconds
        since 1970; None where nothing says.
        """
        if self.digits is not None:
            return self.digits
        is_bounded = self.minimum is not None and self.maximum is not None
        if not is_bounded and not (self.type == "N" and self.values):
            return EPOCH_DIGITS if self.format == "epoch" else None
        return digits_before_the_point(self._numbers) + self.behind_the_point

    @property
    def _numbers(self) -> tuple[float, ...]:
        """The numbers that say how long its values are written: the ends of its range, and the values it may have."""
        bounds = (bound for bound in (self.minimum, self.maximum) if bound is not None)
        return (*bounds, *(map(float, self.values or ()) if self.type == "N" else ()))

    @property
    def behind_the_point(self) -> int:
        """How many of them: as stated, else by the format and by what the range and the values are written with."""
        if self.scale is not None:
            return self.scale
        return max(2 if self.format == "decimal" else 0, *map(decimals, self._numbers), 0)

    @property
    def span(self) -> float | None:
        """How many numbers lie in its range; None where the range is not stated."""
        if self.minimum is None or self.maximum is None:
            return None
        return (self.maximum - self.minimum) * 10.0**self.behind_the_point + 1

    @property
    def padding(self) -> tuple[int, int]:
        """(digits, scale) of a number inside a composed key: 38 digits when nothing says how many."""
        return self.width or 38, self.behind_the_point

    def inverted(self, name: str) -> str | None:
        """The key template form that writes its value, known by a name, so that it sorts the other way round.

        None where none does: it takes a fixed width.
        """
        if self.derived is not None or self.type not in ("S", "N"):
            return None
        if self.type == "N":
            digits, scale = self.padding
            return f"{{inverse({digits}, {scale}, {name})}}"
        if not self.values and self.format not in ("date", "datetime"):
            return None
        values = sorted(self.values or (), key=str.encode)
        listed = (json.dumps(value, ensure_ascii=False) for value in values)
        return f"{{inverse({', '.join((name, *listed))})}}"

    @property
    def source(self) -> tuple[str, str] | None:
        """For a derived attribute: the form and the attribute it is worked out from."""
        if self.derived is None:
            return None
        form, _, rest = self.derived.partition("(")
        return form, rest.rstrip(")")
