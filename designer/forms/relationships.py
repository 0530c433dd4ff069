"""The form of a relationship, in words: one Customer has many Orders."""

from collections.abc import Mapping
from typing import Any

from designer.core.design.document import Design
from designer.core.design.entities import Relationship
from designer.core.edits import add_relationship, change_relationship
from designer.core.edits.relationships import same_relationship
from designer.core.messages import say
from designer.core.plan import Assumed
from designer.core.planner.model.wording import sentence
from designer.core.proposing import matching, relationship_name
from designer.core.words.english import a, plural
from designer.core.words.spoken import one_word
from designer.forms.base import Form, InvalidError
from designer.forms.bound import Section
from designer.forms.fields import Area, Called, Choice, Field, Flag, Names, Number, Raw
from designer.forms.known import choices_of

MANY = (
    ("1:N", "One has many"),
    ("1:1", "One has one"),
    ("N:M", "Many have many"),
)


class RelationshipForm(Form):
    key = "relationship"
    renames = {
        "one": "first",
        "many": "second",
        "averages": "average",
        "mosts": "most",
    }

    def document(self, subject: Any) -> dict[str, Any]:
        document = super().document(subject)
        if subject is None:
            return document
        document["cardinality"] = subject.cardinality
        ends = subject.one if isinstance(subject.one, tuple) else subject.many
        document["first"], document["second"] = (
            ends if isinstance(ends, tuple) else (subject.one, subject.many)
        )
        document["by"] = subject.references
        for pair, first, second in _PAIRS:
            if pair in document:
                document[first], document[second] = document[pair]
        return document

    def sections(self, raw: Mapping[str, Raw]) -> tuple[Section, ...]:
        is_many = raw.get("cardinality") == "N:M"
        entities = choices_of(entity.name for entity in self.design.entities)
        first = str(raw.get("first") or "the first entity")
        second = str(raw.get("second") or "the second entity")
        each, other = (
            str(raw.get(end) or f"item of the {end} entity") for end in ("first", "second")
        )
        many = str(raw.get("second") or "")
        several = plural(many) if many else "Items of the second entity"
        fields: list[Field] = [
            Called(
                name="name",
                label="Name",
                placeholder=self._free_name(raw),
                hint=""
                if self.subject
                else "If empty, the relationship is named after its entities.",
                required=self.subject is not None,
            ),
            Choice(name="cardinality", label="How many", choices=MANY, redraws=True),
            Choice(
                name="first", label="First entity", choices=entities, required=True, redraws=True
            ),
            Choice(
                name="second", label="Second entity", choices=entities, required=True, redraws=True
            ),
        ]
        if is_many:
            fields += [
                Choice(
                    name="through",
                    label="Edge entity",
                    choices=entities,
                    required=True,
                    hint="It holds a reference to each entity, and the attributes of the pair.",
                ),
                Number(name="average", label=f"Pairs per {each}", unit="on average"),
                Number(name="most", label="at most"),
                Number(name="average2", label=f"Pairs per {other}", unit="on average"),
                Number(name="most2", label="at most"),
            ]
        else:
            fields += [
                Number(
                    name="average",
                    label=f"{several} per {each}",
                    unit="on average",
                ),
                Number(name="most", label="at most"),
                Flag(name="identifying", label=self._cannot_exist(raw)),
            ]
        # The edge entity has the references to both.
        holder = str(raw.get("through") or "the edge entity") if is_many else second
        to = f"{first} and {second}" if is_many else first
        by = Names(
            name="by",
            label="Joined by",
            placeholder=", ".join(self._matching(raw)) or "customerId",
            hint=f"Attributes of {holder} that refer to {to}; created if there are none.",
            suggestions=self._of(raw, "second"),
        )
        return (
            Section("Relationship", tuple(fields)),
            Section("More", (by, Area(name="description", label="Description")), aside=True),
        )

    def _cannot_exist(self, raw: Mapping[str, Raw]) -> str:
        first, second = raw.get("first"), raw.get("second")
        one = sentence(a(str(second))) if second else "The second entity"
        return f"{one} cannot exist without {f'its {first}' if first else 'the first'}"

    def _of(self, raw: Mapping[str, Raw], end: str) -> tuple[str, ...]:
        entity = self.design.entity.get(str(raw.get(end)))
        return () if entity is None else tuple(entity.by_name)

    def _matching(self, raw: Mapping[str, Raw]) -> tuple[str, ...]:
        """Attributes that are called as what identifies the other side; else what would be made."""
        first, second = (self.design.entity.get(str(raw.get(end))) for end in ("first", "second"))
        if first is None or second is None:
            return ()
        found = matching(first, second)
        return found[0] if found else first.identifier

    def _free_name(self, raw: Mapping[str, Raw]) -> str:
        first, second = str(raw.get("first") or ""), str(raw.get("second") or "")
        if not first or not second:
            return "orders"
        child = str(raw.get("through") or second)
        return relationship_name(self.design, first, child, is_one=raw.get("cardinality") == "1:1")

    def assumed_at(self) -> dict[str, Assumed]:
        name = "" if self.subject is None else self.subject.name
        found = self._assumed_of(f"relationships.{name}")
        return {"average": found[0]} if found else {}

    @property
    def place(self) -> str:
        names = [each.name for each in self.design.relationships]
        at = len(names) if self.subject is None else names.index(self.subject.name)
        return f"relationships[{at}]"

    @property
    def note(self) -> str:
        name = one_word(str(self.raw["name"]), capital=False) or self._free_name(self.raw)
        if self.subject is None:
            return f"Add relationship “{name}”"
        if name != self.subject.name:
            return f"Rename relationship “{self.subject.name}” to “{name}”"
        return f"Change relationship “{name}”: {self.difference}"

    def apply(self, design: Design) -> Design:
        newest = None if self.subject is None else same_relationship(design, self.subject)
        self.design = design
        if newest is not None:
            self.merged(newest)
            self.subject = newest
        relationship = self._relationship(self.changes())
        if newest is None:
            return add_relationship(design, relationship)
        return change_relationship(design, newest.name, relationship)

    def _relationship(self, values: dict[str, Any]) -> Any:
        base = self.document(self.subject)
        said = {**base, **values}
        many = str(said.get("cardinality", "1:N"))
        ends = (said.get("first"), said.get("second"))
        by = tuple(said.get("by") or ())
        parent = self.design.entity.get(str(ends[0]))
        if by and many != "N:M" and parent is not None and len(by) != len(parent.identifier):
            identifier = parent.identifier
            self.fail(
                ("by",),
                say("reference-unlike-identifier", parent=parent.name, identifier=identifier),
            )
            raise InvalidError
        document = {
            **{key: said.get(key) for key in ("id", "description", "identifying")},
            "name": said.get("name") or self._free_name(self.raw),
            "one": ends if many == "1:1" else ends[0] if many == "1:N" else None,
            "many": ends if many == "N:M" else ends[1] if many == "1:N" else None,
            "through": said.get("through") if many == "N:M" else None,
            "by": by[0] if len(by) == 1 else by or None,
        }
        for pair, first, second in _PAIRS:
            both = (said.get(first), said.get(second))
            if many == "N:M":
                document[pair] = None if both == (None, None) else tuple(n or 0 for n in both)
            else:
                document[first] = both[0]
        if many == "N:M":
            document["identifying"] = None
        return self.build(Relationship, document)


_PAIRS = (("averages", "average", "average2"), ("mosts", "most", "most2"))
