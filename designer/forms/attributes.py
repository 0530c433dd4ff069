"""The form of an attribute: what it is called and what its values are like."""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.http import QueryDict

from designer.core.design.attributes import LISTS, Attribute
from designer.core.design.document import Design
from designer.core.design.entities import Entity
from designer.core.design.load import plain
from designer.core.edits import add_attribute, change_attribute
from designer.core.edits.attributes import same_attribute
from designer.core.edits.entities import same_entity
from designer.core.plan import Assumed
from designer.core.sentences.attribute_types import KINDS
from designer.core.words.spoken import one_word
from designer.forms.base import Form, InvalidError
from designer.forms.bound import Section
from designer.forms.conditions import constant, constant_text
from designer.forms.fields import (
    Area,
    Called,
    Choice,
    Choices,
    Field,
    FieldError,
    Flag,
    Group,
    Lines,
    Names,
    Number,
    Raw,
    percent,
)
from designer.forms.kinds import read_kind, show_kind

KEPT: Choices = (
    ("at-once", "in the same transaction"),
    ("by-stream", "a moment later, by a stream consumer"),
    ("by-price", "whichever is cheaper"),
)


@dataclass(frozen=True, kw_only=True)
class TrueShare(Number):
    """The shares of true and of false as one number: that of true."""

    def raw(self, value: Any) -> Raw:
        return super().raw(value[0] if isinstance(value, (list, tuple)) else value)

    def value(self, raw: Raw) -> Any:
        share = super().value(raw)
        return None if share is None else (share, float(1 - Decimal(str(share))))

    def decode(self, data: QueryDict, prefix: str) -> Raw:
        sent = super().decode(data, prefix)
        return (
            "" if "\n" in sent else sent
        )  # Shares of the values that it had before it became a flag.


TRUE = TrueShare(
    name="shares",
    label="True in",
    unit="%",
    factor=Decimal(100),
    most=100,
    hint="Share of the items that have it. In the others, it is false.",
)


class AttributeForm(Form):
    key = "attribute"
    renames = {"type": "kind", "format": "kind"}

    def __init__(self, design: Design, entity: Entity, *given: Any, **start: Raw) -> None:
        self.entity = entity
        super().__init__(design, *given, **start)

    def document(self, subject: Any) -> dict[str, Any]:
        document = super().document(subject)
        document["kind"] = show_kind(document)
        document.setdefault("kept", KEPT[0][0])
        document["examples"] = [constant_text(value) for value in document.get("examples", ())]
        return document

    def sections(self, raw: Mapping[str, Raw]) -> tuple[Section, ...]:
        kind = str(raw.get("kind") or "S")
        type = kind.partition(":")[0]
        is_number = type == "N"
        values: tuple[Field, ...] = (
            Lines(name="values", label="Values", hint="One per line."),
            Lines(
                name="shares",
                label="Share of each",
                hint="One percentage per line, 100 in total.",
                of=percent(name="", label=""),
            ),
        )
        numbers = (
            Number(name="minimum", label="Minimum"),
            Number(name="maximum", label="Maximum", hint=_padded(raw)),
            Number(name="digits", label="Digits"),
            Number(name="scale", label="Decimal places"),
        )
        first: tuple[Field, ...] = (
            Called(name="name", label="Name", placeholder="email", required=True),
            Choice(name="kind", label="Type", choices=KINDS, redraws=True),
            *(values if kind == "S:enum" else ()),
            *((TRUE,) if kind == "BOOL" else ()),
            *(numbers if is_number else ()),
            Choice(name="refers_to", label="Refers to", choices=_targets(self.design)),
            Flag(name="unique", label="Unique"),
            Names(
                name="unique_within",
                label="Unique within",
                placeholder="tenantId",
                hint="Attributes, separated by commas. Among items that agree on all of them, each value occurs only "
                "once.",
                suggestions=self._scopes,
            ),
            Flag(name="mutable", label="May change"),
        )
        return (
            Section("Attribute", first),
            Section(
                "Distribution of values",
                (
                    percent(name="present", label="Items that have it", placeholder="100"),
                    Flag(name="later", label="Absent until set"),
                    Number(name="distinct", label="Distinct values"),
                    percent(name="busiest", label="Busiest value's share"),
                    Number(name="bytes", label="Average size", unit="bytes"),
                    Number(name="most_bytes", label="Largest size", unit="bytes"),
                    *self._of_kind(raw, type in LISTS, _ELEMENTS),
                    *(
                        ()
                        if kind in ("S:enum", "BOOL")
                        else self._of_kind(raw, type in ("S", "N"), *values)
                    ),
                    *(() if is_number else self._of_kind(raw, False, *numbers)),
                ),
                aside=True,
            ),
            Section(
                "Derived values and expiry",
                (
                    Field(
                        name="derived",
                        label="Derived value",
                        placeholder="date(placedAt)",
                        hint="For keys: the date, hour, month or year of a time attribute.",
                    ),
                    Field(
                        name="aggregate",
                        label="Aggregate over children",
                        placeholder="count of places",
                        hint="count, sum, greatest (maximum) or least (minimum) of a relationship's children.",
                    ),
                    Choice(
                        name="kept",
                        label="Updated",
                        choices=KEPT,
                        hint="A stream consumer may count a change twice if it is delivered twice.",
                    ),
                    Flag(name="ttl", label="Time to live"),
                ),
                folded=True,
            ),
            Section(
                "Examples and description",
                (
                    Lines(name="examples", label="Examples", hint="One per line."),
                    Area(name="description", label="Description"),
                ),
                aside=True,
            ),
        )

    def _of_kind(self, raw: Mapping[str, Raw], is_asked: bool, *fields: Field) -> tuple[Field, ...]:
        """Those that attributes of the kind have, and others that say something: so that it can be removed."""
        stated = self.document(self.subject)
        return tuple(
            each
            for each in fields
            if is_asked or _says(raw.get(each.name)) or _says(stated.get(each.name))
        )

    @property
    def _scopes(self) -> tuple[str, ...]:
        own = None if self.subject is None else self.subject.name
        return tuple(each.name for each in self.entity.stored if each.name != own)

    def assumed_at(self) -> dict[str, Assumed]:
        name = "" if self.subject is None else self.subject.name
        found = self._assumed_of(f"entities.{self.entity.name}.attributes.{name}")
        fields = {"size": "bytes", "flag": "shares", "value": "shares", "busiest": "busiest"}
        # Of several for one field, the first could change most.
        return {fields.get(one.what, "distinct"): one for one in reversed(found)}

    @property
    def place(self) -> str:
        entities = [entity.name for entity in self.design.entities]
        names = list(self.entity.by_name)
        at = len(names) if self.subject is None else names.index(self.subject.name)
        return f"entities[{entities.index(self.entity.name)}].attributes[{at}]"

    @property
    def note(self) -> str:
        name, entity = one_word(str(self.raw["name"]), capital=False), self.entity.name
        if self.subject is None:
            return f"Add attribute {entity}.{name}"
        if name != self.subject.name:
            return f"Rename attribute {entity}.{self.subject.name} to {name}"
        return f"Change attribute {entity}.{name}: {self.difference}"

    def apply(self, design: Design) -> Design:
        self.entity = same_entity(design, self.entity)
        newest = None if self.subject is None else same_attribute(design, self.entity, self.subject)
        self.design = design
        if newest is not None:
            self.merged(newest)
            self.subject = newest
        values = self.changes()
        base = {} if newest is None else plain(newest)
        kind = values.pop("kind", None) or show_kind(base)
        document = {**base, **values, **read_kind(kind)}
        if "examples" in values:
            document["examples"] = self._examples(values["examples"] or (), document["type"])
        attribute = self.build(Attribute, document)
        if newest is None:
            return add_attribute(design, self.entity.name, attribute)
        return change_attribute(design, self.entity.name, newest.name, attribute)

    def _examples(self, texts: tuple[str, ...], type: Any) -> tuple[Any, ...]:
        like = Attribute.model_construct(name="", type=type)
        try:
            return tuple(constant(text, like) for text in texts)
        except FieldError as error:
            self.fail(("examples",), error.reason)
            raise InvalidError from None


_ELEMENTS = Group(
    name="elements",
    label="Number of elements",
    fields=(
        Number(name="average", label="On average"),
        Number(name="most", label="At most"),
    ),
)


def _says(raw: Raw) -> bool:
    if isinstance(raw, Mapping):
        return any(_says(each) for each in raw.values())
    return raw not in (None, "", [], ())


def _padded(raw: Mapping[str, Raw]) -> str:
    """What it costs to leave the range of a number open."""
    is_known = raw.get("digits") or (raw.get("minimum") and raw.get("maximum"))
    if is_known or raw.get("kind") == "N:epoch":
        return ""
    return "State both limits, or the digits, to keep keys short. Otherwise, the number takes 38 bytes in a key."


def _targets(design: Design) -> Choices:
    names = (
        f"{entity.name}.{name}"
        for entity in design.entities
        for name in (*entity.identifier, *(each.name for each in entity.unique_attributes))
    )
    return (("", "nothing"), *((name, name) for name in dict.fromkeys(names)))
